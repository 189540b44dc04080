package main

/*
#include "bridge.h"
*/
import "C"

import (
	"sync"
	"unsafe"
)

// longest is more elements than memory has. unsafe.Slice panics where a length overflows.
const longest = 1 << 56

// arguments keeps the first thing that is wrong with those of a call.
type arguments struct{ err error }

// slice views memory of the caller.
func slice[T, P any](a *arguments, name string, p *P, n C.uint64_t) []T {
	switch {
	case n == 0:
		return nil
	case p == nil:
		a.fail("%s is NULL, and should have %d elements", name, uint64(n))
		return nil
	case n > longest:
		a.fail("%s has %d elements", name, uint64(n))
		return nil
	}
	return unsafe.Slice((*T)(unsafe.Pointer(p)), int(n))
}

// wanted is slice for a result that may be NULL.
func wanted[T, P any](a *arguments, name string, p *P, n C.uint64_t) []T {
	if p == nil {
		return nil
	}
	return slice[T](a, name, p, n)
}

func (a *arguments) fail(format string, args ...any) {
	if a.err == nil {
		a.err = usage(format, args...)
	}
}

// options are the options of C.
type options struct {
	device, algorithm string
	maxMemory         int64
	progress          func(phase string, done, total int64) // or nil
}

// optionsOf copies what it is given, which may be nil.
func optionsOf(o *C.suffixcl_options) (options, error) {
	if o == nil {
		return options{}, nil
	}
	if want := C.size_t(unsafe.Sizeof(*o)); o.size != want {
		return options{}, usage("options.size is %d, and that of this version %d", uint64(o.size), uint64(want))
	}
	if o.max_memory < 0 {
		return options{}, usage("options.max_memory is %d", int64(o.max_memory))
	}
	made := options{maxMemory: int64(o.max_memory)}
	for _, text := range []struct {
		from *C.char
		to   *string
	}{{o.device, &made.device}, {o.algorithm, &made.algorithm}} {
		if text.from != nil {
			*text.to = C.GoString(text.from)
		}
	}
	if o.progress != nil {
		made.progress = progressOf(o.progress, o.progress_data)
	}
	return made, nil
}

// phaseNames are the names of phases in C. There are few; they are never freed.
var phaseNames sync.Map // string -> *C.char

func phaseName(phase string) *C.char {
	if name, ok := phaseNames.Load(phase); ok {
		return name.(*C.char)
	}
	made := C.CString(phase)
	name, had := phaseNames.LoadOrStore(phase, made)
	if had {
		C.free(unsafe.Pointer(made))
	}
	return name.(*C.char)
}

func progressOf(f C.suffixcl_progress, data unsafe.Pointer) func(string, int64, int64) {
	return func(phase string, done, total int64) {
		C.bridge_tell(f, data, phaseName(phase), C.int64_t(done), C.int64_t(total))
	}
}
