package cl

import (
	"encoding/binary"
	"fmt"
	"slices"
	"strings"
)

// DeviceType is a kind of device, or several.
type DeviceType uint64

// The kinds of devices.
const (
	DeviceTypeDefault     DeviceType = 1 << 0
	DeviceTypeCPU         DeviceType = 1 << 1
	DeviceTypeGPU         DeviceType = 1 << 2
	DeviceTypeAccelerator DeviceType = 1 << 3
	DeviceTypeCustom      DeviceType = 1 << 4
	DeviceTypeAll         DeviceType = 0xFFFFFFFF
)

// String returns the kinds, such as "GPU" or "CPU|default".
func (t DeviceType) String() string {
	if t == DeviceTypeAll {
		return "any"
	}
	var names []string
	for i, name := range []string{"default", "CPU", "GPU", "accelerator", "custom"} {
		if t&(1<<i) != 0 {
			names = append(names, name)
		}
	}
	if names == nil {
		return fmt.Sprintf("%#x", uint64(t))
	}
	return strings.Join(names, "|")
}

// LocalMemType says what a device's local memory is.
type LocalMemType uint32

// The kinds of local memory.
const (
	LocalMemTypeNone   LocalMemType = 0
	LocalMemTypeLocal  LocalMemType = 1 // memory of its own, near the compute unit
	LocalMemTypeGlobal LocalMemType = 2 // part of the global memory
)

const (
	deviceType                     = 0x1000
	deviceVendorID                 = 0x1001
	deviceMaxComputeUnits          = 0x1002
	deviceMaxWorkGroupSize         = 0x1004
	deviceMaxWorkItemSizes         = 0x1005
	devicePreferredVectorWidthChar = 0x1006 // then short, int, long, float, double
	deviceMaxClockFrequency        = 0x100C
	deviceAddressBits              = 0x100D
	deviceMaxMemAllocSize          = 0x1010
	deviceMaxParameterSize         = 0x1017
	deviceMemBaseAddrAlign         = 0x1019
	deviceGlobalMemCachelineSize   = 0x101D
	deviceGlobalMemCacheSize       = 0x101E
	deviceGlobalMemSize            = 0x101F
	deviceMaxConstantBufferSize    = 0x1020
	deviceLocalMemType             = 0x1022
	deviceLocalMemSize             = 0x1023
	deviceErrorCorrectionSupport   = 0x1024
	deviceProfilingTimerResolution = 0x1025
	deviceEndianLittle             = 0x1026
	deviceAvailable                = 0x1027
	deviceCompilerAvailable        = 0x1028
	deviceQueueProperties          = 0x102A
	deviceName                     = 0x102B
	deviceVendor                   = 0x102C
	driverVersion                  = 0x102D
	deviceProfile                  = 0x102E
	deviceVersion                  = 0x102F
	deviceExtensions               = 0x1030
	deviceHostUnifiedMemory        = 0x1035
	deviceOpenCLCVersion           = 0x103D
	deviceUUID                     = 0x106A
	nvidiaComputeCapabilityMajor   = 0x4000
	nvidiaComputeCapabilityMinor   = 0x4001
	nvidiaRegistersPerBlock        = 0x4002
	nvidiaWarpSize                 = 0x4003
	amdBoardName                   = 0x4038
	amdSIMDPerComputeUnit          = 0x4040
	amdWavefrontWidth              = 0x4043
	amdGfxIPMajor                  = 0x404A
	amdGfxIPMinor                  = 0x404B
	devicePCIBusInfo               = 0x410F
)

// Device is a device of a platform. Its getters return zero values for what the driver does not
// answer; [Device.Info] has the error.
type Device struct {
	object
	platform *Platform
}

// Platform returns the platform the device belongs to.
func (d *Device) Platform() *Platform { return d.platform }

// Info returns the value of a parameter (CL_DEVICE_...) as the driver wrote it.
func (d *Device) Info(param uint32) ([]byte, error) {
	value, err := d.info(clGetDeviceInfo, uintptr(param))
	return value, detail(err, "", "parameter %#x", param)
}

func (d *Device) string(param uintptr) string {
	return strings.TrimSpace(d.text(clGetDeviceInfo, param))
}

func (d *Device) int64(param uintptr) int64 {
	value, _ := d.number(clGetDeviceInfo, param)
	return int64(value)
}

func (d *Device) int(param uintptr) int   { return int(d.int64(param)) }
func (d *Device) bool(param uintptr) bool { return d.int64(param) != 0 }

// Name returns the device's name.
func (d *Device) Name() string { return d.string(deviceName) }

// Vendor returns the device's vendor.
func (d *Device) Vendor() string { return d.string(deviceVendor) }

// Version returns "OpenCL", the version and what the vendor adds, separated by spaces.
func (d *Device) Version() string { return d.string(deviceVersion) }

// DriverVersion returns the version of the driver.
func (d *Device) DriverVersion() string { return d.string(driverVersion) }

// OpenCLCVersion returns "OpenCL C", the version and what the vendor adds, separated by spaces.
func (d *Device) OpenCLCVersion() string { return d.string(deviceOpenCLCVersion) }

// Profile returns FULL_PROFILE or EMBEDDED_PROFILE.
func (d *Device) Profile() string { return d.string(deviceProfile) }

// Extensions returns the names of the extensions, separated by spaces.
func (d *Device) Extensions() string { return d.string(deviceExtensions) }

// HasExtension tells whether the device has the extension of this name.
func (d *Device) HasExtension(name string) bool {
	return slices.Contains(strings.Fields(d.Extensions()), name)
}

// Type returns the kind of device.
func (d *Device) Type() DeviceType { return DeviceType(d.int64(deviceType)) }

// VendorID returns a number that tells vendors apart, for most the PCI vendor.
func (d *Device) VendorID() uint32 { return uint32(d.int64(deviceVendorID)) }

// MaxComputeUnits returns the number of compute units: multiprocessors, or CPU threads.
func (d *Device) MaxComputeUnits() int { return d.int(deviceMaxComputeUnits) }

// MaxClockFrequency returns the highest clock in MHz.
func (d *Device) MaxClockFrequency() int { return d.int(deviceMaxClockFrequency) }

// MaxWorkGroupSize returns the largest number of work-items in a work-group.
func (d *Device) MaxWorkGroupSize() int { return d.int(deviceMaxWorkGroupSize) }

// MaxWorkItemSizes returns the largest extent of a work-group in each dimension.
func (d *Device) MaxWorkItemSizes() []int {
	value, _ := d.info(clGetDeviceInfo, deviceMaxWorkItemSizes)
	sizes := make([]int, 0, 3)
	for _, size := range toHandles(value) {
		sizes = append(sizes, int(size))
	}
	return sizes
}

// AddressBits returns the width of a device address, 32 or 64.
func (d *Device) AddressBits() int { return d.int(deviceAddressBits) }

// GlobalMemSize returns the size of the global memory in bytes.
func (d *Device) GlobalMemSize() int64 { return d.int64(deviceGlobalMemSize) }

// GlobalMemCacheSize returns the size of the global memory's cache in bytes.
func (d *Device) GlobalMemCacheSize() int64 { return d.int64(deviceGlobalMemCacheSize) }

// GlobalMemCachelineSize returns the size of a line of that cache in bytes.
func (d *Device) GlobalMemCachelineSize() int { return d.int(deviceGlobalMemCachelineSize) }

// LocalMemSize returns the size of a compute unit's local memory in bytes.
func (d *Device) LocalMemSize() int64 { return d.int64(deviceLocalMemSize) }

// LocalMemType returns the kind of local memory.
func (d *Device) LocalMemType() LocalMemType { return LocalMemType(d.int64(deviceLocalMemType)) }

// MaxMemAllocSize returns the size of the largest buffer in bytes.
func (d *Device) MaxMemAllocSize() int64 { return d.int64(deviceMaxMemAllocSize) }

// MaxConstantBufferSize returns the size of the largest buffer in constant memory, in bytes.
func (d *Device) MaxConstantBufferSize() int64 { return d.int64(deviceMaxConstantBufferSize) }

// MaxParameterSize returns the largest total size of a kernel's arguments in bytes.
func (d *Device) MaxParameterSize() int { return d.int(deviceMaxParameterSize) }

// MemBaseAddrAlign returns the alignment of a sub-buffer's origin in bits.
func (d *Device) MemBaseAddrAlign() int { return d.int(deviceMemBaseAddrAlign) }

// EndianLittle tells whether the device is little-endian.
func (d *Device) EndianLittle() bool { return d.bool(deviceEndianLittle) }

// Available tells whether the device can be used.
func (d *Device) Available() bool { return d.bool(deviceAvailable) }

// CompilerAvailable tells whether programs can be built from source.
func (d *Device) CompilerAvailable() bool { return d.bool(deviceCompilerAvailable) }

// HostUnifiedMemory tells whether device and host share their memory.
func (d *Device) HostUnifiedMemory() bool { return d.bool(deviceHostUnifiedMemory) }

// ErrorCorrectionSupport tells whether the memory corrects errors.
func (d *Device) ErrorCorrectionSupport() bool { return d.bool(deviceErrorCorrectionSupport) }

// ProfilingTimerResolution returns the resolution of event times in nanoseconds.
func (d *Device) ProfilingTimerResolution() int { return d.int(deviceProfilingTimerResolution) }

// QueueProperties returns the properties that queues of this device can have.
func (d *Device) QueueProperties() CommandQueueProperty {
	return CommandQueueProperty(d.int64(deviceQueueProperties))
}

// PreferredVectorWidthChar returns the preferred vector width for char, in elements.
func (d *Device) PreferredVectorWidthChar() int { return d.int(devicePreferredVectorWidthChar) }

// PreferredVectorWidthShort returns the preferred vector width for short, in elements.
func (d *Device) PreferredVectorWidthShort() int { return d.int(devicePreferredVectorWidthChar + 1) }

// PreferredVectorWidthInt returns the preferred vector width for int, in elements.
func (d *Device) PreferredVectorWidthInt() int { return d.int(devicePreferredVectorWidthChar + 2) }

// PreferredVectorWidthLong returns the preferred vector width for long, in elements.
func (d *Device) PreferredVectorWidthLong() int { return d.int(devicePreferredVectorWidthChar + 3) }

// PreferredVectorWidthFloat returns the preferred vector width for float, in elements.
func (d *Device) PreferredVectorWidthFloat() int { return d.int(devicePreferredVectorWidthChar + 4) }

// PreferredVectorWidthDouble returns the preferred vector width for double, in elements: 0 without
// doubles.
func (d *Device) PreferredVectorWidthDouble() int { return d.int(devicePreferredVectorWidthChar + 5) }

// extension is info for a parameter of an extension, when the device has that.
func (d *Device) extension(name string, param uintptr, size int) ([]byte, bool) {
	if !d.HasExtension(name) {
		return nil, false
	}
	value, err := d.info(clGetDeviceInfo, param)
	return value, err == nil && len(value) >= size
}

func (d *Device) nvidia(param uintptr) (int, bool) {
	value, ok := d.extension("cl_nv_device_attribute_query", param, 4)
	return int(toNumber(value)), ok
}

func (d *Device) amd(param uintptr) (int, bool) {
	value, ok := d.extension("cl_amd_device_attribute_query", param, 4)
	return int(toNumber(value)), ok
}

// NvidiaComputeCapability returns the compute capability, such as 9, 0.
func (d *Device) NvidiaComputeCapability() (major, minor int, ok bool) {
	major, ok = d.nvidia(nvidiaComputeCapabilityMajor)
	if ok {
		minor, ok = d.nvidia(nvidiaComputeCapabilityMinor)
	}
	return major, minor, ok
}

// NvidiaRegistersPerBlock returns the number of 32-bit registers a work-group can have.
func (d *Device) NvidiaRegistersPerBlock() (int, bool) { return d.nvidia(nvidiaRegistersPerBlock) }

// NvidiaWarpSize returns the number of work-items in a warp.
func (d *Device) NvidiaWarpSize() (int, bool) { return d.nvidia(nvidiaWarpSize) }

// AMDWavefrontWidth returns the number of work-items in a wavefront.
func (d *Device) AMDWavefrontWidth() (int, bool) { return d.amd(amdWavefrontWidth) }

// AMDSIMDPerComputeUnit returns the number of SIMD units in a compute unit.
func (d *Device) AMDSIMDPerComputeUnit() (int, bool) { return d.amd(amdSIMDPerComputeUnit) }

// AMDGfxIP returns the version of the graphics core, such as 9, 4 for gfx942.
func (d *Device) AMDGfxIP() (major, minor int, ok bool) {
	major, ok = d.amd(amdGfxIPMajor)
	if ok {
		minor, ok = d.amd(amdGfxIPMinor)
	}
	return major, minor, ok
}

// AMDBoardName returns the name of the product, where [Device.Name] has that of the chip.
func (d *Device) AMDBoardName() (string, bool) {
	value, ok := d.extension("cl_amd_device_attribute_query", amdBoardName, 1)
	return strings.TrimSpace(toText(value)), ok
}

// PCIBusInfo is a place on the PCI bus.
type PCIBusInfo struct {
	Domain, Bus, Device, Function uint32
}

// PCIBusInfo returns the place of the device on the PCI bus.
func (d *Device) PCIBusInfo() (PCIBusInfo, bool) {
	var info PCIBusInfo
	value, ok := d.extension("cl_khr_pci_bus_info", devicePCIBusInfo, 16)
	if ok {
		_, err := binary.Decode(value, binary.NativeEndian, &info)
		ok = err == nil
	}
	return info, ok
}

// UUID returns the identity of the device.
func (d *Device) UUID() (uuid [16]byte, ok bool) {
	value, ok := d.extension("cl_khr_device_uuid", deviceUUID, 16)
	copy(uuid[:], value)
	return uuid, ok
}
