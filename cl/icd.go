package cl

import (
	"fmt"
	"os"
	"runtime"
	"slices"
	"strings"
	"unsafe"
)

// A driver, an ICD, can be called without the loader: each of its objects begins with a pointer to its table of
// functions. The extension cl_khr_icd fixes the places in the table.
var icdPlaces = [numFunctions]uintptr{
	clGetPlatformIDs: 0, clGetPlatformInfo: 1, clGetDeviceIDs: 2, clGetDeviceInfo: 3, clCreateContext: 4,
	clReleaseContext: 7, clCreateCommandQueue: 9, clReleaseCommandQueue: 11, clCreateBuffer: 14,
	clReleaseMemObject: 18, clCreateProgramWithSource: 26, clCreateProgramWithBinary: 27, clReleaseProgram: 29,
	clBuildProgram: 30, clGetProgramInfo: 32, clGetProgramBuildInfo: 33, clCreateKernel: 34, clReleaseKernel: 37,
	clSetKernelArg: 38, clGetKernelInfo: 39, clGetKernelWorkGroupInfo: 40, clWaitForEvents: 41, clGetEventInfo: 42,
	clReleaseEvent: 44, clGetEventProfilingInfo: 45, clFlush: 46, clFinish: 47, clEnqueueReadBuffer: 48,
	clEnqueueWriteBuffer: 49, clEnqueueCopyBuffer: 50, clEnqueueMapBuffer: 56, clEnqueueUnmapMemObject: 58,
	clEnqueueNDRangeKernel: 59, clGetKernelArgInfo: 101, clEnqueueFillBuffer: 102,
}

// icd is a driver that this package has loaded itself.
type icd struct {
	library   string
	platforms []uintptr
}

// wordAt is what stands at an address that C has given.
func wordAt(address uintptr) uintptr { return **(**uintptr)(unsafe.Pointer(&address)) }

// tableEntry is the address of a function in the table of an object.
func tableEntry(object uintptr, f function) uintptr {
	return wordAt(wordAt(object) + icdPlaces[f]*unsafe.Sizeof(object))
}

// has tells whether an object is of the driver.
func (d *icd) has(object uintptr) bool {
	table := wordAt(object)
	return slices.ContainsFunc(d.platforms, func(platform uintptr) bool { return wordAt(platform) == table })
}

const (
	platformVersion = 0x0901
	platformName    = 0x0902
	platformVendor  = 0x0903
)

// executable are the ranges of addresses with code; none where the system does not tell.
func executable() (ranges [][2]uintptr) {
	if runtime.GOOS != "linux" {
		return nil
	}
	maps, _ := os.ReadFile("/proc/self/maps")
	for line := range strings.Lines(string(maps)) {
		var from, to uintptr
		var access string
		if n, _ := fmt.Sscanf(line, "%x-%x %s", &from, &to, &access); n == 3 && strings.Contains(access, "x") {
			ranges = append(ranges, [2]uintptr{from, to})
		}
	}
	return ranges
}

// checkTable returns which function is missing in the table of a platform. Tables do not tell their lengths: where one
// has ended stands something else than the address of code.
func checkTable(platform uintptr, from, to function) error {
	code := executable()
	for f := from; f < to; f++ {
		address := tableEntry(platform, f)
		inside := func(r [2]uintptr) bool { return r[0] <= address && address < r[1] }
		if f != clGetPlatformIDs && (address == 0 || len(code) > 0 && !slices.ContainsFunc(code, inside)) {
			return fmt.Errorf("its table is too short: it has no %s", functions[f].name)
		}
	}
	return nil
}
