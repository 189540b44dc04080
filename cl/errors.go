package cl

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// What is missing where there is nothing to run on. The errors returned wrap one of these, and say what was tried and
// what to install.
var (
	// ErrNoLibrary says that no OpenCL library could be loaded.
	ErrNoLibrary = errors.New("no OpenCL library")
	// ErrNoPlatform says that the library knows no driver (no ICD, "installable client driver").
	ErrNoPlatform = errors.New("no OpenCL platform")
	// ErrNoDevice says that the drivers found no device of the type asked for.
	ErrNoDevice = errors.New("no OpenCL device")
)

// Error is a refused call. It unwraps to its Code.
type Error struct {
	Call   string // the function, such as clEnqueueNDRangeKernel
	Kernel string // the kernel's name, where there is one
	Code   Code
	detail string // sizes, ranges, what was wrong; may be empty
}

// Error returns everything known in one line.
func (e *Error) Error() string {
	var b strings.Builder
	b.WriteString(e.Call)
	if e.Kernel != "" {
		b.WriteString(": kernel " + strconv.Quote(e.Kernel))
	}
	b.WriteString(": " + e.Code.Error())
	if e.detail != "" {
		b.WriteString(": " + e.detail)
	}
	return b.String()
}

// Unwrap returns the Code.
func (e *Error) Unwrap() error { return e.Code }

// detail adds what the caller knows to an *Error; other errors, and nil, pass through.
func detail(err error, kernel, format string, args ...any) error {
	if e, ok := err.(*Error); ok {
		if kernel != "" {
			e.Kernel = kernel
		}
		text := fmt.Sprintf(format, args...)
		if text != "" && e.detail != "" {
			text += ": "
		}
		e.detail = text + e.detail
	}
	return err
}

// BuildError says that a program did not build. It unwraps to its Code.
type BuildError struct {
	Log  string // messages of the compiler, for the first device for which it failed
	Code Code

	device, options string
}

// Error returns the code, the name of the device, the options and the whole log.
func (e *BuildError) Error() string {
	return fmt.Sprintf("clBuildProgram: %v on %q with options %q:\n%s", e.Code, e.device, e.options, e.Log)
}

// Unwrap returns the Code.
func (e *BuildError) Unwrap() error { return e.Code }
