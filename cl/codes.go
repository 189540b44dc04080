package cl

import "strconv"

// Code is an OpenCL status code: [Success], or an error. Codes are errors themselves, so that
// errors.Is(err, cl.OutOfResources) tells what a driver reported.
type Code int32

// The status codes of OpenCL 1.0 to 3.0 and of the KHR extensions, named as in the specification.
const (
	Success                            Code = 0
	DeviceNotFound                     Code = -1
	DeviceNotAvailable                 Code = -2
	CompilerNotAvailable               Code = -3
	MemObjectAllocationFailure         Code = -4
	OutOfResources                     Code = -5
	OutOfHostMemory                    Code = -6
	ProfilingInfoNotAvailable          Code = -7
	MemCopyOverlap                     Code = -8
	ImageFormatMismatch                Code = -9
	ImageFormatNotSupported            Code = -10
	BuildProgramFailure                Code = -11
	MapFailure                         Code = -12
	MisalignedSubBufferOffset          Code = -13
	ExecStatusErrorForEventsInWaitList Code = -14
	CompileProgramFailure              Code = -15
	LinkerNotAvailable                 Code = -16
	LinkProgramFailure                 Code = -17
	DevicePartitionFailed              Code = -18
	KernelArgInfoNotAvailable          Code = -19
	InvalidValue                       Code = -30
	InvalidDeviceType                  Code = -31
	InvalidPlatform                    Code = -32
	InvalidDevice                      Code = -33
	InvalidContext                     Code = -34
	InvalidQueueProperties             Code = -35
	InvalidCommandQueue                Code = -36
	InvalidHostPtr                     Code = -37
	InvalidMemObject                   Code = -38
	InvalidImageFormatDescriptor       Code = -39
	InvalidImageSize                   Code = -40
	InvalidSampler                     Code = -41
	InvalidBinary                      Code = -42
	InvalidBuildOptions                Code = -43
	InvalidProgram                     Code = -44
	InvalidProgramExecutable           Code = -45
	InvalidKernelName                  Code = -46
	InvalidKernelDefinition            Code = -47
	InvalidKernel                      Code = -48
	InvalidArgIndex                    Code = -49
	InvalidArgValue                    Code = -50
	InvalidArgSize                     Code = -51
	InvalidKernelArgs                  Code = -52
	InvalidWorkDimension               Code = -53
	InvalidWorkGroupSize               Code = -54
	InvalidWorkItemSize                Code = -55
	InvalidGlobalOffset                Code = -56
	InvalidEventWaitList               Code = -57
	InvalidEvent                       Code = -58
	InvalidOperation                   Code = -59
	InvalidGLObject                    Code = -60
	InvalidBufferSize                  Code = -61
	InvalidMipLevel                    Code = -62
	InvalidGlobalWorkSize              Code = -63
	InvalidProperty                    Code = -64
	InvalidImageDescriptor             Code = -65
	InvalidCompilerOptions             Code = -66
	InvalidLinkerOptions               Code = -67
	InvalidDevicePartitionCount        Code = -68
	InvalidPipeSize                    Code = -69
	InvalidDeviceQueue                 Code = -70
	InvalidSpecId                      Code = -71
	MaxSizeRestrictionExceeded         Code = -72
	InvalidGLSharegroupReferenceKHR    Code = -1000
	PlatformNotFoundKHR                Code = -1001
	InvalidD3D10DeviceKHR              Code = -1002
	InvalidD3D10ResourceKHR            Code = -1003
	D3D10ResourceAlreadyAcquiredKHR    Code = -1004
	D3D10ResourceNotAcquiredKHR        Code = -1005
	InvalidD3D11DeviceKHR              Code = -1006
	InvalidD3D11ResourceKHR            Code = -1007
	D3D11ResourceAlreadyAcquiredKHR    Code = -1008
	D3D11ResourceNotAcquiredKHR        Code = -1009
	InvalidDX9MediaAdapterKHR          Code = -1010
	InvalidDX9MediaSurfaceKHR          Code = -1011
	DX9MediaSurfaceAlreadyAcquiredKHR  Code = -1012
	DX9MediaSurfaceNotAcquiredKHR      Code = -1013
	EGLResourceNotAcquiredKHR          Code = -1092
	InvalidEGLObjectKHR                Code = -1093
	ContextTerminatedKHR               Code = -1121
	InvalidCommandBufferKHR            Code = -1138
	InvalidSyncPointWaitListKHR        Code = -1139
	IncompatibleCommandQueueKHR        Code = -1140
	InvalidMutableCommandKHR           Code = -1141
	InvalidSemaphoreKHR                Code = -1142
	IllegalAccessNV                    Code = -9999 // undocumented: NVIDIA's driver reports an illegal memory access of a kernel this way
)

var codeNames = map[Code]string{
	Success:                            "CL_SUCCESS",
	DeviceNotFound:                     "CL_DEVICE_NOT_FOUND",
	DeviceNotAvailable:                 "CL_DEVICE_NOT_AVAILABLE",
	CompilerNotAvailable:               "CL_COMPILER_NOT_AVAILABLE",
	MemObjectAllocationFailure:         "CL_MEM_OBJECT_ALLOCATION_FAILURE",
	OutOfResources:                     "CL_OUT_OF_RESOURCES",
	OutOfHostMemory:                    "CL_OUT_OF_HOST_MEMORY",
	ProfilingInfoNotAvailable:          "CL_PROFILING_INFO_NOT_AVAILABLE",
	MemCopyOverlap:                     "CL_MEM_COPY_OVERLAP",
	ImageFormatMismatch:                "CL_IMAGE_FORMAT_MISMATCH",
	ImageFormatNotSupported:            "CL_IMAGE_FORMAT_NOT_SUPPORTED",
	BuildProgramFailure:                "CL_BUILD_PROGRAM_FAILURE",
	MapFailure:                         "CL_MAP_FAILURE",
	MisalignedSubBufferOffset:          "CL_MISALIGNED_SUB_BUFFER_OFFSET",
	ExecStatusErrorForEventsInWaitList: "CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST",
	CompileProgramFailure:              "CL_COMPILE_PROGRAM_FAILURE",
	LinkerNotAvailable:                 "CL_LINKER_NOT_AVAILABLE",
	LinkProgramFailure:                 "CL_LINK_PROGRAM_FAILURE",
	DevicePartitionFailed:              "CL_DEVICE_PARTITION_FAILED",
	KernelArgInfoNotAvailable:          "CL_KERNEL_ARG_INFO_NOT_AVAILABLE",
	InvalidValue:                       "CL_INVALID_VALUE",
	InvalidDeviceType:                  "CL_INVALID_DEVICE_TYPE",
	InvalidPlatform:                    "CL_INVALID_PLATFORM",
	InvalidDevice:                      "CL_INVALID_DEVICE",
	InvalidContext:                     "CL_INVALID_CONTEXT",
	InvalidQueueProperties:             "CL_INVALID_QUEUE_PROPERTIES",
	InvalidCommandQueue:                "CL_INVALID_COMMAND_QUEUE",
	InvalidHostPtr:                     "CL_INVALID_HOST_PTR",
	InvalidMemObject:                   "CL_INVALID_MEM_OBJECT",
	InvalidImageFormatDescriptor:       "CL_INVALID_IMAGE_FORMAT_DESCRIPTOR",
	InvalidImageSize:                   "CL_INVALID_IMAGE_SIZE",
	InvalidSampler:                     "CL_INVALID_SAMPLER",
	InvalidBinary:                      "CL_INVALID_BINARY",
	InvalidBuildOptions:                "CL_INVALID_BUILD_OPTIONS",
	InvalidProgram:                     "CL_INVALID_PROGRAM",
	InvalidProgramExecutable:           "CL_INVALID_PROGRAM_EXECUTABLE",
	InvalidKernelName:                  "CL_INVALID_KERNEL_NAME",
	InvalidKernelDefinition:            "CL_INVALID_KERNEL_DEFINITION",
	InvalidKernel:                      "CL_INVALID_KERNEL",
	InvalidArgIndex:                    "CL_INVALID_ARG_INDEX",
	InvalidArgValue:                    "CL_INVALID_ARG_VALUE",
	InvalidArgSize:                     "CL_INVALID_ARG_SIZE",
	InvalidKernelArgs:                  "CL_INVALID_KERNEL_ARGS",
	InvalidWorkDimension:               "CL_INVALID_WORK_DIMENSION",
	InvalidWorkGroupSize:               "CL_INVALID_WORK_GROUP_SIZE",
	InvalidWorkItemSize:                "CL_INVALID_WORK_ITEM_SIZE",
	InvalidGlobalOffset:                "CL_INVALID_GLOBAL_OFFSET",
	InvalidEventWaitList:               "CL_INVALID_EVENT_WAIT_LIST",
	InvalidEvent:                       "CL_INVALID_EVENT",
	InvalidOperation:                   "CL_INVALID_OPERATION",
	InvalidGLObject:                    "CL_INVALID_GL_OBJECT",
	InvalidBufferSize:                  "CL_INVALID_BUFFER_SIZE",
	InvalidMipLevel:                    "CL_INVALID_MIP_LEVEL",
	InvalidGlobalWorkSize:              "CL_INVALID_GLOBAL_WORK_SIZE",
	InvalidProperty:                    "CL_INVALID_PROPERTY",
	InvalidImageDescriptor:             "CL_INVALID_IMAGE_DESCRIPTOR",
	InvalidCompilerOptions:             "CL_INVALID_COMPILER_OPTIONS",
	InvalidLinkerOptions:               "CL_INVALID_LINKER_OPTIONS",
	InvalidDevicePartitionCount:        "CL_INVALID_DEVICE_PARTITION_COUNT",
	InvalidPipeSize:                    "CL_INVALID_PIPE_SIZE",
	InvalidDeviceQueue:                 "CL_INVALID_DEVICE_QUEUE",
	InvalidSpecId:                      "CL_INVALID_SPEC_ID",
	MaxSizeRestrictionExceeded:         "CL_MAX_SIZE_RESTRICTION_EXCEEDED",
	InvalidGLSharegroupReferenceKHR:    "CL_INVALID_GL_SHAREGROUP_REFERENCE_KHR",
	PlatformNotFoundKHR:                "CL_PLATFORM_NOT_FOUND_KHR",
	InvalidD3D10DeviceKHR:              "CL_INVALID_D3D10_DEVICE_KHR",
	InvalidD3D10ResourceKHR:            "CL_INVALID_D3D10_RESOURCE_KHR",
	D3D10ResourceAlreadyAcquiredKHR:    "CL_D3D10_RESOURCE_ALREADY_ACQUIRED_KHR",
	D3D10ResourceNotAcquiredKHR:        "CL_D3D10_RESOURCE_NOT_ACQUIRED_KHR",
	InvalidD3D11DeviceKHR:              "CL_INVALID_D3D11_DEVICE_KHR",
	InvalidD3D11ResourceKHR:            "CL_INVALID_D3D11_RESOURCE_KHR",
	D3D11ResourceAlreadyAcquiredKHR:    "CL_D3D11_RESOURCE_ALREADY_ACQUIRED_KHR",
	D3D11ResourceNotAcquiredKHR:        "CL_D3D11_RESOURCE_NOT_ACQUIRED_KHR",
	InvalidDX9MediaAdapterKHR:          "CL_INVALID_DX9_MEDIA_ADAPTER_KHR",
	InvalidDX9MediaSurfaceKHR:          "CL_INVALID_DX9_MEDIA_SURFACE_KHR",
	DX9MediaSurfaceAlreadyAcquiredKHR:  "CL_DX9_MEDIA_SURFACE_ALREADY_ACQUIRED_KHR",
	DX9MediaSurfaceNotAcquiredKHR:      "CL_DX9_MEDIA_SURFACE_NOT_ACQUIRED_KHR",
	EGLResourceNotAcquiredKHR:          "CL_EGL_RESOURCE_NOT_ACQUIRED_KHR",
	InvalidEGLObjectKHR:                "CL_INVALID_EGL_OBJECT_KHR",
	ContextTerminatedKHR:               "CL_CONTEXT_TERMINATED_KHR",
	InvalidCommandBufferKHR:            "CL_INVALID_COMMAND_BUFFER_KHR",
	InvalidSyncPointWaitListKHR:        "CL_INVALID_SYNC_POINT_WAIT_LIST_KHR",
	IncompatibleCommandQueueKHR:        "CL_INCOMPATIBLE_COMMAND_QUEUE_KHR",
	InvalidMutableCommandKHR:           "CL_INVALID_MUTABLE_COMMAND_KHR",
	InvalidSemaphoreKHR:                "CL_INVALID_SEMAPHORE_KHR",
	IllegalAccessNV:                    "CL_ILLEGAL_ACCESS_NV",
}

// String returns the name in the specification, such as CL_OUT_OF_RESOURCES.
func (c Code) String() string {
	if name, ok := codeNames[c]; ok {
		return name
	}
	return "CL_UNKNOWN_" + strconv.Itoa(int(c))
}

// Error returns the name and the number.
func (c Code) Error() string { return c.String() + " (" + strconv.Itoa(int(c)) + ")" }
