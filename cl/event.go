package cl

import (
	"fmt"
	"runtime"
	"sync"
	"time"
	"unsafe"
)

const (
	eventCommandExecutionStatus = 0x11D3
	profilingCommandStart       = 0x1282
	profilingCommandEnd         = 0x1283
)

// commandComplete is the state of a command that has ended. States before are positive, those of commands
// that failed negative: a [Code].
const commandComplete int32 = 0

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

// Release releases the event. If host memory is pinned for it, Release waits for the command first.
func (e *Event) Release() {
	if e == nil {
		return
	}
	if e.pins != nil && e.pins.held() && e.handle.Load() != 0 {
		if status, err := e.status(); err != nil || status > commandComplete {
			_ = e.Wait()
		}
		e.unpin()
	}
	e.free()
}

// Wait sends the command to the device, if it is not there yet, and waits until it is complete. The error is that of
// the command, if it failed.
func (e *Event) Wait() error {
	count, list, err := waitList(clWaitForEvents, []*Event{e})
	if err != nil {
		return err
	}
	err = invoke(clWaitForEvents, count, uintptr(unsafe.Pointer(list)))
	if err == nil {
		e.unpin()
	} else if status, failed := e.status(); failed == nil && status < 0 {
		err = detail(err, "", "the command failed with %v", Code(status))
	}
	runtime.KeepAlive(e)
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
			return 0, nil, f.refuse(invalidEventWaitList, "event %d is released", i)
		}
		handles = append(handles, handle)
	}
	if len(handles) == 0 {
		return 0, nil, nil
	}
	return uintptr(len(handles)), &handles[0], nil
}

// status returns the state of the command.
func (e *Event) status() (int32, error) {
	status, err := eventStatus(e.handle.Load())
	if err == nil && status <= commandComplete {
		e.unpin()
	}
	runtime.KeepAlive(e)
	return status, err
}

func eventStatus(handle uintptr) (int32, error) {
	status := new(int32)
	err := invoke(clGetEventInfo, handle, eventCommandExecutionStatus, unsafe.Sizeof(*status),
		uintptr(unsafe.Pointer(status)), 0)
	return *status, err
}

// Times returns when the command began and ended, on the device's clock. Its queue must have
// [CommandQueueProfilingEnable], and the command must be complete.
func (e *Event) Times() (start, end time.Duration, err error) {
	began, err := e.moment(profilingCommandStart)
	if err != nil {
		return 0, 0, err
	}
	ended, err := e.moment(profilingCommandEnd)
	if err != nil {
		return 0, 0, err
	}
	if ended < began {
		return 0, 0, fmt.Errorf("cl: the driver's times are wrong: a command from %d to %d", began, ended)
	}
	return time.Duration(began), time.Duration(ended), nil
}

// moment returns a time of the command, in nanoseconds of the device's clock.
func (e *Event) moment(info uintptr) (int64, error) {
	value, err := e.number(clGetEventProfilingInfo, info)
	return int64(value), detail(err, "", "parameter %#x", info)
}
