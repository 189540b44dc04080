package cl

import (
	"fmt"
	"runtime"
	"slices"
	"sync"
	"unsafe"

	"github.com/ebitengine/purego"

	"github.com/suffixcl/suffixcl/internal/hooks"
)

// frames holds argument lists between calls: [purego.SyscallN] would move them to the heap each time.
var frames = sync.Pool{New: func() any { return new([12]uintptr) }}

// call calls the function; detail is what one of Go knows of a failure. The caller keeps alive what the arguments
// point to.
func (e entry) call(args []uintptr) (r uintptr, detail string) {
	frame := frames.Get().(*[12]uintptr)
	n := copy(frame[:], args)
	if e.native != nil {
		r, detail = e.native(frame[:n])
	} else {
		r, _, _ = purego.SyscallN(e.address, frame[:n]...)
	}
	frames.Put(frame)
	return r, detail
}

// invoke calls f, which returns a status. Pointers are converted within the call expression, as for
// [purego.SyscallN].
//
//go:uintptrescapes
func invoke(f function, args ...uintptr) error { return check(f, args) }

// invoke4 and invoke9 are invoke for the path of every launch: without a variable number of arguments,
// which the pragma moves to the heap.
//
//go:uintptrescapes
func invoke4(f function, a, b, c, d uintptr) error {
	args := [...]uintptr{a, b, c, d}
	return check(f, args[:])
}

//go:uintptrescapes
func invoke9(f function, a, b, c, d, e, g, h, i, j uintptr) error {
	args := [...]uintptr{a, b, c, d, e, g, h, i, j}
	return check(f, args[:])
}

// check calls f and turns its status into an error.
func check(f function, args []uintptr) error {
	lib := loaded.Load()
	if lib == nil {
		return f.refuse(functions[f].invalid, "the object was not made by this package")
	}
	if args[0] == 0 && functions[f].invalid != success {
		return f.refuse(functions[f].invalid, "the object is released")
	}
	code, text := injected(f), ""
	switch code {
	case success:
		ended := hooks.Begin(functions[f].name)
		var status uintptr
		status, text = lib.entryOf(f, args).call(args)
		code = Code(int32(status))
		ended()
	case short:
		code = half(lib.entryOf(f, args), args)
	default:
		if f == clFinish || f == clWaitForEvents {
			lib.entryOf(f, args).call(args)
		}
	}
	if code != success {
		return &Error{Call: functions[f].name, Code: code, detail: text}
	}
	return nil
}

// refuse is the error of a call that is not made, because the driver would fail or misbehave.
func (f function) refuse(code Code, format string, args ...any) *Error {
	return &Error{Call: functions[f].name, Code: code, detail: fmt.Sprintf(format, args...)}
}

// create calls f, which returns an object and writes a status to its last argument; args are those
// before it.
//
//go:uintptrescapes
func create(f function, args ...uintptr) (uintptr, error) {
	lib := loaded.Load()
	if lib == nil || args[0] == 0 && functions[f].invalid != success {
		return 0, f.refuse(functions[f].invalid, "the object is released")
	}
	if code := injected(f); code != success {
		return 0, &Error{Call: functions[f].name, Code: code}
	}
	code := new(int32)
	var pin runtime.Pinner
	pin.Pin(code)
	defer pin.Unpin()
	ended := hooks.Begin(functions[f].name)
	r, text := lib.entryOf(f, args).call(append(args, uintptr(unsafe.Pointer(code))))
	ended()
	if *code != int32(success) {
		return 0, &Error{Call: functions[f].name, Code: Code(*code), detail: text}
	}
	return r, nil
}

// objectOf is the object whose driver a call goes to.
func objectOf(f function, args []uintptr) uintptr {
	switch f {
	case clCreateContext: // properties, number of devices, devices
		return wordAt(args[2])
	case clWaitForEvents: // number, events
		return wordAt(args[1])
	}
	return args[0]
}

// entryOf is the function that a call goes to: that of the object's driver where this package has loaded it, else the
// loader's.
func (l *library) entryOf(f function, args []uintptr) entry {
	if len(l.icds) == 0 || f == clGetPlatformIDs {
		return l.functions[f]
	}
	object := objectOf(f, args)
	if !l.hasLoader() || slices.ContainsFunc(l.icds, func(d *icd) bool { return d.has(object) }) {
		return entry{address: tableEntry(object, f)}
	}
	return l.functions[f]
}
