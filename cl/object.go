package cl

import (
	"runtime"
	"sync"
	"sync/atomic"
	"unsafe"

	"github.com/suffixcl/suffixcl/internal/hooks"
)

// object is the handle of an OpenCL object. It is the first field of each type of this package, so
// that a pointer to it keeps the whole alive.
type object struct {
	handle  atomic.Uintptr // zero once released
	release function
	cleanup runtime.Cleanup
}

// own makes o the owner of handle, which is released by release: by free, or some time after o
// became garbage. Host memory that is pinned for it, if any, is unpinned then.
func (o *object) own(handle uintptr, release function, pins *pinned) {
	sweep()
	hooks.LiveObjects.Add(1)
	o.handle.Store(handle)
	o.release = release
	o.cleanup = runtime.AddCleanup(o, drop, orphan{handle, release, pins})
}

func (o *object) free() {
	if handle := o.handle.Swap(0); handle != 0 {
		o.cleanup.Stop()
		hooks.LiveObjects.Add(-1)
		_ = invoke(o.release, handle)
	}
	runtime.KeepAlive(o)
}

// orphan is what is left of an object that became garbage without being released.
type orphan struct {
	handle  uintptr
	release function
	pins    *pinned
}

// orphans are released by the next goroutine that makes an object, not by one of the runtime: there
// are drivers that no two threads may use at once, even if the specification lets them.
var orphans struct {
	sync.Mutex
	list []orphan
	some atomic.Bool
}

func drop(o orphan) {
	orphans.Lock()
	defer orphans.Unlock()
	orphans.list = append(orphans.list, o)
	orphans.some.Store(true)
}

// sweep releases the orphans, except for transfers that still use the host memory pinned for them.
func sweep() {
	if !orphans.some.Load() {
		return
	}
	orphans.Lock()
	list := orphans.list
	orphans.list = nil
	orphans.some.Store(false)
	orphans.Unlock()
	for _, o := range list {
		if o.pins != nil && o.release == clReleaseEvent {
			if status, err := eventStatus(o.handle); err == nil && status > commandComplete {
				drop(o)
				continue
			}
		}
		_ = invoke(o.release, o.handle)
		if o.pins != nil {
			o.pins.release()
		}
	}
}

// call calls f with the object as its first argument. Like the other calls with uintptr arguments it
// is followed by the pragma that keeps alive what the arguments point to.
//
//go:uintptrescapes
func (o *object) call(f function, args ...uintptr) error {
	var all [12]uintptr
	all[0] = o.handle.Load()
	n := copy(all[1:], args)
	err := invoke(f, all[:n+1]...)
	runtime.KeepAlive(o)
	return err
}

// create calls f with the object as its first argument; f makes another object.
//
//go:uintptrescapes
func (o *object) create(f function, args ...uintptr) (uintptr, error) {
	handle, err := create(f, append([]uintptr{o.handle.Load()}, args...)...)
	runtime.KeepAlive(o)
	return handle, err
}

// info asks one of the clGet...Info functions for a value: first its size, then the value itself.
// The key is the number of the parameter, preceded by a device where the function takes one.
func (o *object) info(f function, key ...uintptr) ([]byte, error) {
	var pin runtime.Pinner
	defer pin.Unpin()
	size := new(uintptr)
	pin.Pin(size)
	if err := o.call(f, append(key[:len(key):len(key)], 0, 0, uintptr(unsafe.Pointer(size)))...); err != nil {
		return nil, err
	}
	if *size == 0 {
		return nil, nil
	}
	value := make([]byte, *size)
	pin.Pin(&value[0])
	err := o.call(f, append(key[:len(key):len(key)], *size, uintptr(unsafe.Pointer(&value[0])), 0)...)
	if err != nil {
		return nil, err
	}
	return value, nil
}

// text is info for a string: what precedes the NUL, and nothing after an error.
func (o *object) text(f function, key ...uintptr) string {
	value, _ := o.info(f, key...)
	return toText(value)
}

// number is info for an integer of up to 64 bits, whose size need not be asked for first.
func (o *object) number(f function, key ...uintptr) (uint64, error) {
	var pin runtime.Pinner
	defer pin.Unpin()
	var answer struct {
		value [8]byte
		size  uintptr
	}
	pin.Pin(&answer)
	err := o.call(f, append(key[:len(key):len(key)], unsafe.Sizeof(answer.value),
		uintptr(unsafe.Pointer(&answer.value)), uintptr(unsafe.Pointer(&answer.size)))...)
	if err != nil {
		return 0, err
	}
	return toNumber(answer.value[:min(answer.size, unsafe.Sizeof(answer.value))]), nil
}
