package cl

import "strconv"

// Code is the status of an OpenCL call that failed. A code is an error: errors.Is(err, cl.OutOfResources) tells what
// a driver reported. Every code of the specification has its name in the text of an error. A code without a constant
// is compared as a number: errors.Is(err, cl.Code(-57)).
type Code int32

// The codes that programs tell apart. Numbers and names are those of the OpenCL Specification, version 3.0, and
// its extensions: CL/cl.h and CL/cl_ext.h.
const (
	MemObjectAllocationFailure Code = -4
	OutOfResources             Code = -5
	OutOfHostMemory            Code = -6
	BuildProgramFailure        Code = -11
	KernelArgInfoNotAvailable  Code = -19
)

// Codes that only this package handles, or refuses calls with.
const (
	success                  Code = 0
	deviceNotFound           Code = -1
	invalidValue             Code = -30
	invalidPlatform          Code = -32
	invalidDevice            Code = -33
	invalidContext           Code = -34
	invalidCommandQueue      Code = -36
	invalidHostPtr           Code = -37
	invalidMemObject         Code = -38
	invalidBinary            Code = -42
	invalidProgram           Code = -44
	invalidProgramExecutable Code = -45
	invalidKernel            Code = -48
	invalidArgIndex          Code = -49
	invalidArgValue          Code = -50
	invalidKernelArgs        Code = -52
	invalidWorkDimension     Code = -53
	invalidWorkGroupSize     Code = -54
	invalidGlobalOffset      Code = -56
	invalidEventWaitList     Code = -57
	invalidEvent             Code = -58
	invalidBufferSize        Code = -61
	invalidGlobalWorkSize    Code = -63
	platformNotFound         Code = -1001
)

var codeNames = map[Code]string{
	0:     "CL_SUCCESS",
	-1:    "CL_DEVICE_NOT_FOUND",
	-2:    "CL_DEVICE_NOT_AVAILABLE",
	-3:    "CL_COMPILER_NOT_AVAILABLE",
	-4:    "CL_MEM_OBJECT_ALLOCATION_FAILURE",
	-5:    "CL_OUT_OF_RESOURCES",
	-6:    "CL_OUT_OF_HOST_MEMORY",
	-7:    "CL_PROFILING_INFO_NOT_AVAILABLE",
	-8:    "CL_MEM_COPY_OVERLAP",
	-9:    "CL_IMAGE_FORMAT_MISMATCH",
	-10:   "CL_IMAGE_FORMAT_NOT_SUPPORTED",
	-11:   "CL_BUILD_PROGRAM_FAILURE",
	-12:   "CL_MAP_FAILURE",
	-13:   "CL_MISALIGNED_SUB_BUFFER_OFFSET",
	-14:   "CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST",
	-15:   "CL_COMPILE_PROGRAM_FAILURE",
	-16:   "CL_LINKER_NOT_AVAILABLE",
	-17:   "CL_LINK_PROGRAM_FAILURE",
	-18:   "CL_DEVICE_PARTITION_FAILED",
	-19:   "CL_KERNEL_ARG_INFO_NOT_AVAILABLE",
	-30:   "CL_INVALID_VALUE",
	-31:   "CL_INVALID_DEVICE_TYPE",
	-32:   "CL_INVALID_PLATFORM",
	-33:   "CL_INVALID_DEVICE",
	-34:   "CL_INVALID_CONTEXT",
	-35:   "CL_INVALID_QUEUE_PROPERTIES",
	-36:   "CL_INVALID_COMMAND_QUEUE",
	-37:   "CL_INVALID_HOST_PTR",
	-38:   "CL_INVALID_MEM_OBJECT",
	-39:   "CL_INVALID_IMAGE_FORMAT_DESCRIPTOR",
	-40:   "CL_INVALID_IMAGE_SIZE",
	-41:   "CL_INVALID_SAMPLER",
	-42:   "CL_INVALID_BINARY",
	-43:   "CL_INVALID_BUILD_OPTIONS",
	-44:   "CL_INVALID_PROGRAM",
	-45:   "CL_INVALID_PROGRAM_EXECUTABLE",
	-46:   "CL_INVALID_KERNEL_NAME",
	-47:   "CL_INVALID_KERNEL_DEFINITION",
	-48:   "CL_INVALID_KERNEL",
	-49:   "CL_INVALID_ARG_INDEX",
	-50:   "CL_INVALID_ARG_VALUE",
	-51:   "CL_INVALID_ARG_SIZE",
	-52:   "CL_INVALID_KERNEL_ARGS",
	-53:   "CL_INVALID_WORK_DIMENSION",
	-54:   "CL_INVALID_WORK_GROUP_SIZE",
	-55:   "CL_INVALID_WORK_ITEM_SIZE",
	-56:   "CL_INVALID_GLOBAL_OFFSET",
	-57:   "CL_INVALID_EVENT_WAIT_LIST",
	-58:   "CL_INVALID_EVENT",
	-59:   "CL_INVALID_OPERATION",
	-60:   "CL_INVALID_GL_OBJECT",
	-61:   "CL_INVALID_BUFFER_SIZE",
	-62:   "CL_INVALID_MIP_LEVEL",
	-63:   "CL_INVALID_GLOBAL_WORK_SIZE",
	-64:   "CL_INVALID_PROPERTY",
	-65:   "CL_INVALID_IMAGE_DESCRIPTOR",
	-66:   "CL_INVALID_COMPILER_OPTIONS",
	-67:   "CL_INVALID_LINKER_OPTIONS",
	-68:   "CL_INVALID_DEVICE_PARTITION_COUNT",
	-69:   "CL_INVALID_PIPE_SIZE",
	-70:   "CL_INVALID_DEVICE_QUEUE",
	-71:   "CL_INVALID_SPEC_ID",
	-72:   "CL_MAX_SIZE_RESTRICTION_EXCEEDED",
	-1000: "CL_INVALID_GL_SHAREGROUP_REFERENCE_KHR",
	-1001: "CL_PLATFORM_NOT_FOUND_KHR",
	-1002: "CL_INVALID_D3D10_DEVICE_KHR",
	-1003: "CL_INVALID_D3D10_RESOURCE_KHR",
	-1004: "CL_D3D10_RESOURCE_ALREADY_ACQUIRED_KHR",
	-1005: "CL_D3D10_RESOURCE_NOT_ACQUIRED_KHR",
	-1006: "CL_INVALID_D3D11_DEVICE_KHR",
	-1007: "CL_INVALID_D3D11_RESOURCE_KHR",
	-1008: "CL_D3D11_RESOURCE_ALREADY_ACQUIRED_KHR",
	-1009: "CL_D3D11_RESOURCE_NOT_ACQUIRED_KHR",
	-1010: "CL_INVALID_DX9_MEDIA_ADAPTER_KHR",
	-1011: "CL_INVALID_DX9_MEDIA_SURFACE_KHR",
	-1012: "CL_DX9_MEDIA_SURFACE_ALREADY_ACQUIRED_KHR",
	-1013: "CL_DX9_MEDIA_SURFACE_NOT_ACQUIRED_KHR",
	-1092: "CL_EGL_RESOURCE_NOT_ACQUIRED_KHR",
	-1093: "CL_INVALID_EGL_OBJECT_KHR",
	-1121: "CL_CONTEXT_TERMINATED_KHR",
	-1138: "CL_INVALID_COMMAND_BUFFER_KHR",
	-1139: "CL_INVALID_SYNC_POINT_WAIT_LIST_KHR",
	-1140: "CL_INCOMPATIBLE_COMMAND_QUEUE_KHR",
	-1141: "CL_INVALID_MUTABLE_COMMAND_KHR",
	-1142: "CL_INVALID_SEMAPHORE_KHR",
	-9999: "CL_ILLEGAL_ACCESS_NV", // undocumented: an illegal memory access of a kernel, by NVIDIA's driver
}

// Error returns the name in the specification and the number: "CL_OUT_OF_RESOURCES (-5)".
func (c Code) Error() string {
	name, ok := codeNames[c]
	if !ok {
		name = "CL_UNKNOWN"
	}
	return name + " (" + strconv.Itoa(int(c)) + ")"
}
