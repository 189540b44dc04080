package cl

import (
	"fmt"
	"runtime"
	"sync"
	"time"
	"unsafe"
)

const eventCommandExecutionStatus = 0x11D3

// The states of a command; an error is negative, a [Code].
const (
	CommandComplete  int32 = 0
	CommandRunning   int32 = 1
	CommandSubmitted int32 = 2
	CommandQueued    int32 = 3
)

// ProfilingInfo names a moment in the life of a command.
type ProfilingInfo uint32

// The moments whose times are known, on queues with CommandQueueProfilingEnable.
const (
	ProfilingInfoCommandQueued ProfilingInfo = 0x1280 // put in the queue by the host
	ProfilingInfoCommandSubmit ProfilingInfo = 0x1281 // sent to the device
	ProfilingInfoCommandStart  ProfilingInfo = 0x1282
	ProfilingInfoCommandEnd    ProfilingInfo = 0x1283
)

// Event is a command to wait for.
type Event struct {
	object         // its first field, the handle, is written by the driver
	pins   *pinned // nil without host memory to pin
}

// pinned is the host memory of a non-blocking transfer.
type pinned struct {
	mutex    sync.Mutex
	pinner   runtime.Pinner
	released bool
}

func (p *pinned) release() {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	p.pinner.Unpin()
	p.released = true
}

// held tells whether memory is pinned still.
func (p *pinned) held() bool {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	return !p.released
}

// pin pins host memory; pointers to other memory are left alone.
func (e *Event) pin(p unsafe.Pointer) {
	e.pins = new(pinned)
	e.pins.pinner.Pin(p)
}

func (e *Event) unpin() {
	if e.pins != nil {
		e.pins.release()
	}
}

// adopt makes e the owner of the handle that the driver has written to it.
func (e *Event) adopt() { e.own(e.handle.Load(), clReleaseEvent, e.pins) }

// Release gives the event up. If host memory is pinned for it, the command is waited for first.
func (e *Event) Release() {
	if e == nil {
		return
	}
	if e.pins != nil && e.pins.held() && e.handle.Load() != 0 {
		if status, err := e.Status(); err != nil || status > CommandComplete {
			_ = e.Wait()
		}
		e.unpin()
	}
	e.free()
}

// Wait waits until the command is complete. The error is that of the command, if it failed.
func (e *Event) Wait() error { return WaitForEvents([]*Event{e}) }

// WaitForEvents waits until all commands are complete; nil events are. It also sends commands to the
// device that are not there yet. The error says which command failed, if one did.
func WaitForEvents(events []*Event) error {
	count, list, err := waitList(clWaitForEvents, events)
	if err != nil || count == 0 {
		return err
	}
	err = invoke(clWaitForEvents, count, uintptr(unsafe.Pointer(list)))
	for _, e := range events {
		if e == nil {
			continue
		}
		if err == nil {
			e.unpin()
		} else if status, failed := e.Status(); failed == nil && status < 0 {
			err = detail(err, "", "a command failed with %v", Code(status))
		}
	}
	runtime.KeepAlive(events)
	return err
}

// waitList returns the events as OpenCL takes them: their number and their handles.
func waitList(f function, events []*Event) (uintptr, *uintptr, error) {
	if len(events) == 0 {
		return 0, nil, nil
	}
	handles := make([]uintptr, 0, len(events))
	for i, e := range events {
		if e == nil {
			continue
		}
		handle := e.handle.Load()
		if handle == 0 {
			return 0, nil, f.refuse(InvalidEventWaitList, "event %d is released", i)
		}
		handles = append(handles, handle)
	}
	if len(handles) == 0 {
		return 0, nil, nil
	}
	return uintptr(len(handles)), &handles[0], nil
}

// Status returns the state of the command: CommandComplete, one of the states before, or a negative
// [Code].
func (e *Event) Status() (int32, error) {
	status, err := eventStatus(e.handle.Load())
	if err == nil && status <= CommandComplete {
		e.unpin()
	}
	runtime.KeepAlive(e)
	return status, err
}

func eventStatus(handle uintptr) (int32, error) {
	status := new(int32)
	err := invoke(clGetEventInfo, handle, eventCommandExecutionStatus, unsafe.Sizeof(*status), uintptr(unsafe.Pointer(status)), 0)
	return *status, err
}

// SetUserEventStatus completes an event made by [Context.CreateUserEvent]: with CommandComplete, or
// with a negative [Code], which fails the commands that wait for it.
func (e *Event) SetUserEventStatus(status int32) error {
	return e.call(clSetUserEventStatus, uintptr(status))
}

// GetEventProfilingInfo returns a time of a command that is complete, in nanoseconds from a moment
// that is the same for all commands of the device.
func (e *Event) GetEventProfilingInfo(info ProfilingInfo) (int64, error) {
	moment := new(int64)
	err := e.call(clGetEventProfilingInfo, uintptr(info), unsafe.Sizeof(*moment), uintptr(unsafe.Pointer(moment)), 0)
	return *moment, detail(err, "", "parameter %#x", uint32(info))
}

// Duration returns how long the command ran on the device.
func (e *Event) Duration() (time.Duration, error) {
	start, err := e.GetEventProfilingInfo(ProfilingInfoCommandStart)
	if err != nil {
		return 0, err
	}
	end, err := e.GetEventProfilingInfo(ProfilingInfoCommandEnd)
	if err != nil {
		return 0, err
	}
	if end < start {
		return 0, fmt.Errorf("cl: the driver's times are wrong: a command from %d to %d", start, end)
	}
	return time.Duration(end - start), nil
}
