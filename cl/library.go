package cl

import (
	"fmt"
	"os"
	"runtime"
	"sync"
	"sync/atomic"
	"unsafe"

	"github.com/ebitengine/purego"

	"github.com/suffixcl/suffixcl/internal/hooks"
)

// function numbers the functions of the OpenCL library that this package calls.
type function int

const (
	clGetPlatformIDs function = iota
	clGetPlatformInfo
	clGetDeviceIDs
	clGetDeviceInfo
	clCreateContext
	clReleaseContext
	clCreateCommandQueue
	clReleaseCommandQueue
	clCreateBuffer
	clReleaseMemObject
	clCreateProgramWithSource
	clCreateProgramWithBinary
	clBuildProgram
	clGetProgramInfo
	clGetProgramBuildInfo
	clReleaseProgram
	clCreateKernel
	clSetKernelArg
	clGetKernelInfo
	clGetKernelArgInfo
	clGetKernelWorkGroupInfo
	clReleaseKernel
	clWaitForEvents
	clGetEventInfo
	clGetEventProfilingInfo
	clReleaseEvent
	clFlush
	clFinish
	clEnqueueReadBuffer
	clEnqueueWriteBuffer
	clEnqueueCopyBuffer
	clEnqueueFillBuffer
	clEnqueueMapBuffer
	clEnqueueUnmapMemObject
	clEnqueueNDRangeKernel
	numFunctions
)

// functions has the name of each function, and the error for a first argument that is no object:
// zero where the first argument is not an object.
var functions = [numFunctions]struct {
	name    string
	invalid Code
}{
	clGetPlatformIDs:          {"clGetPlatformIDs", 0},
	clGetPlatformInfo:         {"clGetPlatformInfo", invalidPlatform},
	clGetDeviceIDs:            {"clGetDeviceIDs", invalidPlatform},
	clGetDeviceInfo:           {"clGetDeviceInfo", invalidDevice},
	clCreateContext:           {"clCreateContext", 0},
	clReleaseContext:          {"clReleaseContext", invalidContext},
	clCreateCommandQueue:      {"clCreateCommandQueue", invalidContext},
	clReleaseCommandQueue:     {"clReleaseCommandQueue", invalidCommandQueue},
	clCreateBuffer:            {"clCreateBuffer", invalidContext},
	clReleaseMemObject:        {"clReleaseMemObject", invalidMemObject},
	clCreateProgramWithSource: {"clCreateProgramWithSource", invalidContext},
	clCreateProgramWithBinary: {"clCreateProgramWithBinary", invalidContext},
	clBuildProgram:            {"clBuildProgram", invalidProgram},
	clGetProgramInfo:          {"clGetProgramInfo", invalidProgram},
	clGetProgramBuildInfo:     {"clGetProgramBuildInfo", invalidProgram},
	clReleaseProgram:          {"clReleaseProgram", invalidProgram},
	clCreateKernel:            {"clCreateKernel", invalidProgram},
	clSetKernelArg:            {"clSetKernelArg", invalidKernel},
	clGetKernelInfo:           {"clGetKernelInfo", invalidKernel},
	clGetKernelArgInfo:        {"clGetKernelArgInfo", invalidKernel},
	clGetKernelWorkGroupInfo:  {"clGetKernelWorkGroupInfo", invalidKernel},
	clReleaseKernel:           {"clReleaseKernel", invalidKernel},
	clWaitForEvents:           {"clWaitForEvents", 0},
	clGetEventInfo:            {"clGetEventInfo", invalidEvent},
	clGetEventProfilingInfo:   {"clGetEventProfilingInfo", invalidEvent},
	clReleaseEvent:            {"clReleaseEvent", invalidEvent},
	clFlush:                   {"clFlush", invalidCommandQueue},
	clFinish:                  {"clFinish", invalidCommandQueue},
	clEnqueueReadBuffer:       {"clEnqueueReadBuffer", invalidCommandQueue},
	clEnqueueWriteBuffer:      {"clEnqueueWriteBuffer", invalidCommandQueue},
	clEnqueueCopyBuffer:       {"clEnqueueCopyBuffer", invalidCommandQueue},
	clEnqueueFillBuffer:       {"clEnqueueFillBuffer", invalidCommandQueue},
	clEnqueueMapBuffer:        {"clEnqueueMapBuffer", invalidCommandQueue},
	clEnqueueUnmapMemObject:   {"clEnqueueUnmapMemObject", invalidCommandQueue},
	clEnqueueNDRangeKernel:    {"clEnqueueNDRangeKernel", invalidCommandQueue},
}

// library has the functions of the OpenCL library that is loaded, or of an implementation in Go, and the drivers that
// are called without a loader.
type library struct {
	functions [numFunctions]entry // all zero where there is no loader
	icds      []*icd
}

// entry is a function: the address of one of C, or one of Go.
type entry struct {
	address uintptr
	native  hooks.Function
}

const libraryVariable = "SUFFIXCL_OPENCL_LIBRARY"

var (
	loaded  atomic.Pointer[library] // set once, when loading succeeds
	loading sync.Mutex
)

// load makes sure that the library is loaded. It tries again after a failure.
func load() error {
	if loaded.Load() != nil {
		return nil
	}
	loading.Lock()
	defer loading.Unlock()
	if loaded.Load() != nil {
		return nil
	}
	if table := hooks.Implementation(); table != nil {
		lib, err := nativeLibrary(table)
		if err == nil {
			loaded.Store(lib)
		}
		return err
	}
	offerPoCLCache()
	var failures []string
	for _, path := range libraryPaths() {
		lib, err := loadFrom(path)
		if err == nil {
			lib.icds = unregistered()
			loaded.Store(lib)
			return nil
		}
		failures = append(failures, fmt.Sprintf("%s (%v)", path, err))
	}
	if icds := withoutLoader(); len(icds) > 0 {
		loaded.Store(&library{icds: icds})
		return nil
	}
	return noLibrary(failures)
}

func libraryPaths() []string {
	if path := os.Getenv(libraryVariable); path != "" {
		return []string{path}
	}
	switch runtime.GOOS {
	case "windows":
		return []string{"OpenCL.dll"}
	case "darwin":
		return []string{"/System/Library/Frameworks/OpenCL.framework/OpenCL"}
	}
	return []string{"libOpenCL.so.1", "libOpenCL.so"}
}

// nativeLibrary takes the functions from a table in Go.
func nativeLibrary(table hooks.Functions) (*library, error) {
	lib := new(library)
	for f := range lib.functions {
		if lib.functions[f].native = table[functions[f].name]; lib.functions[f].native == nil {
			return nil, fmt.Errorf("%w: the implementation in Go has no %s", ErrNoLibrary, functions[f].name)
		}
	}
	return lib, nil
}

// withoutLoader are the drivers where no loader is: the one that the environment names, or all that are found.
func withoutLoader() []*icd {
	path := os.Getenv(libraryVariable)
	if path == "" {
		return loadICDs()
	}
	if d, err := loadICD(path); err == nil {
		return []*icd{d}
	}
	return nil
}

func loadFrom(path string) (*library, error) {
	handle, err := openLibrary(path)
	if err != nil {
		return nil, err
	}
	lib := new(library)
	for f := range lib.functions {
		address, err := findSymbol(handle, functions[f].name)
		if err != nil || address == 0 {
			closeLibrary(handle)
			return nil, fmt.Errorf("not an OpenCL 1.2 library: it has no %s", functions[f].name)
		}
		lib.functions[f].address = address
	}
	return lib, nil
}

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
