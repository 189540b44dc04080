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

// structure copies one of C, of which nil is the one of zeros. One of an earlier version is shorter, but has at least
// the fields of the first one that had the structure: least bytes. One of a later version is longer.
func structure[T any](a *arguments, name string, p *T, least uintptr) (made T) {
	if p == nil {
		return made
	}
	given, known := uintptr(*(*C.size_t)(unsafe.Pointer(p))), unsafe.Sizeof(made)
	if given < least || given > mostStructure {
		a.fail("%s.size is %d, and that of this version %d", name, given, known)
		return made
	}
	from := unsafe.Slice((*byte)(unsafe.Pointer(p)), given)
	copy(unsafe.Slice((*byte)(unsafe.Pointer(&made)), known), from)
	for _, unknown := range from[min(given, known):] {
		if unknown != 0 {
			a.fail("%s has fields of a later version, and is of %d bytes: this version knows %d", name, given, known)
			break
		}
	}
	return made
}

// whole is structure of one that has had no other fields.
func whole[T any](a *arguments, name string, p *T) T {
	var none T
	return structure(a, name, p, unsafe.Sizeof(none))
}

// mostStructure is more than any structure has: larger sizes are those of memory that nobody has set.
const mostStructure = 4096

// number is a count of C as an int.
func number(a *arguments, name string, n C.uint64_t) int {
	if n > longest {
		a.fail("%s is %d", name, uint64(n))
		return 0
	}
	return int(n)
}

// word is a string of C, and empty for NULL.
func word(p *C.char) string {
	if p == nil {
		return ""
	}
	return C.GoString(p)
}

// options are the options of C.
type options struct {
	device, algorithm, command string
	maxMemory                  int64
	progress                   func(phase string, done, total int64) // or nil
}

// leastOptions is the size of the first options that there were.
const leastOptions = 48

// optionsOf copies what it is given, which may be nil.
func optionsOf(given *C.suffixcl_options) (options, error) {
	var a arguments
	o := structure(&a, "options", given, leastOptions)
	if a.err != nil {
		return options{}, a.err
	}
	if o.max_memory < 0 {
		return options{}, usage("options.max_memory is %d", int64(o.max_memory))
	}
	made := options{device: word(o.device), algorithm: word(o.algorithm), command: word(o.command),
		maxMemory: int64(o.max_memory)}
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
