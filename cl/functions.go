package cl

import (
	"slices"
	"sync"
	"sync/atomic"

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

// entry is a function: the address of one of C, or one of Go.
type entry struct {
	address uintptr
	native  hooks.Function
}

// library has the functions of the OpenCL library that is loaded, or of an implementation in Go, and the drivers that
// are called without a loader.
type library struct {
	functions [numFunctions]entry // all zero where there is no loader
	icds      []*icd
}

var (
	loaded  atomic.Pointer[library] // set once, when loading succeeds
	loading sync.Mutex
)

// hasLoader tells whether there is a loader, or an implementation in Go.
func (l *library) hasLoader() bool {
	list := l.functions[clGetPlatformIDs]
	return list.address != 0 || list.native != nil
}

// platforms are those of the drivers that this package has loaded, without those that the loader lists, too.
func (l *library) platforms(listed []uintptr) (more []uintptr) {
	for _, d := range l.icds {
		if !slices.ContainsFunc(listed, d.has) {
			more = append(more, d.platforms...)
		}
	}
	return more
}
