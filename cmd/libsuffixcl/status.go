package main

/*
#include "bridge.h"
*/
import "C"

import (
	"context"
	"errors"
	"fmt"
	"unsafe"

	"github.com/suffixcl/suffixcl"
	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/distributed"
	"github.com/suffixcl/suffixcl/internal/mpi"
)

// usageError says what is wrong with the arguments of a call.
type usageError struct{ why string }

func (e *usageError) Error() string { return "suffixcl: " + e.why }

func usage(format string, args ...any) error { return &usageError{fmt.Sprintf(format, args...)} }

// status runs f, and turns its error into what C gets: a code, and a message of this thread.
func status(f func() error) C.int {
	err := guarded(f)
	if err == nil {
		return C.SUFFIXCL_DONE
	}
	message := err.Error()
	C.bridge_keep((*C.char)(unsafe.Pointer(unsafe.StringData(message))), C.size_t(len(message)))
	return codeOf(err)
}

// guarded makes an error of a panic, which would end the program.
func guarded(f func() error) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("suffixcl: a fault of the library: %v", p)
		}
	}()
	return f()
}

// codeOf is the status of an error.
func codeOf(err error) C.int {
	var (
		wrong    *usageError
		length   *device.LengthError
		mismatch *suffixcl.MismatchError
		rank     *distributed.RankError
	)
	switch {
	case errors.Is(err, context.Canceled):
		return C.SUFFIXCL_INTERRUPTED
	case errors.As(err, &mismatch):
		return C.SUFFIXCL_MISMATCH
	case errors.As(err, &rank) && rank.Err == nil:
		return C.SUFFIXCL_RANK
	case device.IsTooLarge(err):
		return C.SUFFIXCL_MEMORY
	case errors.Is(err, device.ErrNoDevice):
		return C.SUFFIXCL_NO_DEVICE
	case errors.As(err, &wrong), errors.As(err, &length),
		errors.Is(err, suffixcl.ErrUsage), errors.Is(err, suffixcl.ErrClosed), errors.Is(err, suffixcl.ErrInCallback),
		errors.Is(err, distributed.ErrDiffer),
		errors.Is(err, mpi.ErrComm), errors.Is(err, mpi.ErrNotInitialized), errors.Is(err, mpi.ErrFinalized):
		return C.SUFFIXCL_USAGE
	}
	return C.SUFFIXCL_FAILED
}
