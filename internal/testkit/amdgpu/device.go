package amdgpu

import (
	"errors"
	"fmt"
	"math/rand/v2"

	"github.com/suffixcl/suffixcl/internal/hooks"
	"github.com/suffixcl/suffixcl/internal/testkit/amdcode"
)

// What the device says of itself. It has few compute units, so that no launch is larger than it need be, and like
// ROCm's allows work-groups of 256 unless the source requires a size.
const (
	computeUnits = 4
	maxWorkGroup = 256
	maxLDS       = 64 << 10
	globalMemory = 4 << 30
	maxBuffer    = globalMemory / 4 * 3
)

var errInstalled = errors.New("amdgpu: a device is installed already")

// Device is an emulated GPU.
type Device struct{ m *machine }

// Target names the architecture.
func (d *Device) Target() string { return d.m.target.Name }

// New makes a device of a target of package amdcode. Its error says what to install if the compilers
// are missing.
func New(target string, options Options) (*Device, error) {
	t, err := amdcode.Lookup(target)
	if err != nil {
		return nil, fmt.Errorf("amdgpu: %w", err)
	}
	c, err := amdcode.FindCompiler()
	if err != nil {
		return nil, fmt.Errorf("amdgpu: %w", err)
	}
	return &Device{&machine{
		compiler: c, target: t, options: options, objects: make(map[uintptr]any), next: firstHandle,
		rng: rand.New(rand.NewPCG(options.Seed, 0)),
	}}, nil
}

// Install has package cl use the device, and no other, for the rest of the process. It has to come before the first
// use of cl.
func (d *Device) Install() error {
	if hooks.Implementation() != nil {
		return errInstalled
	}
	hooks.Implement(d.m.functions())
	return nil
}

func (m *machine) platformInfo(parameter uintptr) []byte {
	switch parameter {
	case 0x0900: // CL_PLATFORM_PROFILE
		return text("FULL_PROFILE")
	case 0x0901: // CL_PLATFORM_VERSION
		return text("OpenCL 1.2 suffixcl")
	case 0x0902: // CL_PLATFORM_NAME
		return text(Platform)
	case 0x0903: // CL_PLATFORM_VENDOR
		return text("suffixcl")
	case 0x0904: // CL_PLATFORM_EXTENSIONS
		return text("")
	}
	return nil
}

// extensions that kernels of this module ask for.
const extensions = "cl_khr_global_int32_base_atomics cl_khr_global_int32_extended_atomics " +
	"cl_khr_local_int32_base_atomics cl_khr_local_int32_extended_atomics cl_khr_int64_base_atomics " +
	"cl_khr_int64_extended_atomics cl_khr_byte_addressable_store"

func (m *machine) deviceInfo(parameter uintptr) []byte {
	const gpu = 1 << 2
	switch parameter {
	case 0x1000: // CL_DEVICE_TYPE
		return words64(gpu)
	case 0x1001: // CL_DEVICE_VENDOR_ID
		return words32(0x1002)
	case 0x1002: // CL_DEVICE_MAX_COMPUTE_UNITS
		return words32(computeUnits)
	case 0x1004: // CL_DEVICE_MAX_WORK_GROUP_SIZE
		return words64(maxWorkGroup)
	case 0x100C: // CL_DEVICE_MAX_CLOCK_FREQUENCY
		return words32(1)
	case 0x100D: // CL_DEVICE_ADDRESS_BITS
		return words32(64)
	case 0x1010: // CL_DEVICE_MAX_MEM_ALLOC_SIZE
		return words64(maxBuffer)
	case 0x1019: // CL_DEVICE_MEM_BASE_ADDR_ALIGN
		return words32(1024)
	case 0x101F: // CL_DEVICE_GLOBAL_MEM_SIZE
		return words64(globalMemory)
	case 0x1023: // CL_DEVICE_LOCAL_MEM_SIZE
		return words64(maxLDS)
	case 0x1026, 0x1027, 0x1028: // CL_DEVICE_ENDIAN_LITTLE, _AVAILABLE, _COMPILER_AVAILABLE
		return words32(1)
	case 0x102B: // CL_DEVICE_NAME: the architecture and, as ROCm has them, features
		return text(m.target.Name + ":emulated")
	case 0x102C: // CL_DEVICE_VENDOR
		return text("Advanced Micro Devices, Inc.")
	case 0x102D: // CL_DRIVER_VERSION
		if m.options.Aligned {
			return text("emulated, clang 19, aligned")
		}
		return text("emulated, clang 19")
	case 0x102F: // CL_DEVICE_VERSION
		return text("OpenCL 1.2 suffixcl")
	case 0x1030: // CL_DEVICE_EXTENSIONS
		return text(extensions)
	case 0x1035: // CL_DEVICE_HOST_UNIFIED_MEMORY
		return words32(0)
	}
	return nil
}
