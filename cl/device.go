package cl

import (
	"slices"
	"strings"
)

// Parameters of clGetDeviceInfo (OpenCL Specification, version 3.0, table "Device Queries", and the extension
// cl_nv_device_attribute_query).
const (
	deviceType                   = 0x1000
	deviceMaxComputeUnits        = 0x1002
	deviceMaxWorkGroupSize       = 0x1004
	deviceMaxClockFrequency      = 0x100C
	deviceAddressBits            = 0x100D
	deviceMaxMemAllocSize        = 0x1010
	deviceGlobalMemSize          = 0x101F
	deviceLocalMemSize           = 0x1023
	deviceEndianLittle           = 0x1026
	deviceAvailable              = 0x1027
	deviceCompilerAvailable      = 0x1028
	deviceName                   = 0x102B
	deviceVendor                 = 0x102C
	driverVersion                = 0x102D
	deviceVersion                = 0x102F
	deviceExtensions             = 0x1030
	deviceHostUnifiedMemory      = 0x1035
	deviceUUID                   = 0x106A // of cl_khr_device_uuid
	nvidiaComputeCapabilityMajor = 0x4000
	nvidiaComputeCapabilityMinor = 0x4001
)

// Device is a device of a platform. Its getters return the zero value for what the driver does not answer.
type Device struct {
	object
	platform *Platform
}

// Platform returns the platform the device belongs to.
func (d *Device) Platform() *Platform { return d.platform }

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

// Extensions returns the names of the extensions, separated by spaces.
func (d *Device) Extensions() string { return d.string(deviceExtensions) }

// hasExtension tells whether the device has the extension of this name.
func (d *Device) hasExtension(name string) bool {
	return slices.Contains(strings.Fields(d.Extensions()), name)
}

// Type returns the kind of device.
func (d *Device) Type() DeviceType { return DeviceType(d.int64(deviceType)) }

// MaxComputeUnits returns the number of compute units: multiprocessors, or CPU threads.
func (d *Device) MaxComputeUnits() int { return d.int(deviceMaxComputeUnits) }

// MaxClockFrequency returns the highest clock in MHz.
func (d *Device) MaxClockFrequency() int { return d.int(deviceMaxClockFrequency) }

// MaxWorkGroupSize returns the largest number of work-items in a work-group.
func (d *Device) MaxWorkGroupSize() int { return d.int(deviceMaxWorkGroupSize) }

// AddressBits returns the width of a device address, 32 or 64.
func (d *Device) AddressBits() int { return d.int(deviceAddressBits) }

// GlobalMemSize returns the size of the global memory in bytes.
func (d *Device) GlobalMemSize() int64 { return d.int64(deviceGlobalMemSize) }

// LocalMemSize returns the size of a compute unit's local memory in bytes.
func (d *Device) LocalMemSize() int64 { return d.int64(deviceLocalMemSize) }

// MaxMemAllocSize returns the size of the largest buffer in bytes.
func (d *Device) MaxMemAllocSize() int64 { return d.int64(deviceMaxMemAllocSize) }

// EndianLittle tells whether the device is little-endian.
func (d *Device) EndianLittle() bool { return d.bool(deviceEndianLittle) }

// Available tells whether the device can be used.
func (d *Device) Available() bool { return d.bool(deviceAvailable) }

// CompilerAvailable tells whether programs can be built from source.
func (d *Device) CompilerAvailable() bool { return d.bool(deviceCompilerAvailable) }

// HostUnifiedMemory tells whether device and host share their memory.
func (d *Device) HostUnifiedMemory() bool { return d.bool(deviceHostUnifiedMemory) }

// NvidiaComputeCapability returns the compute capability, such as 9, 0, and whether the device has one.
func (d *Device) NvidiaComputeCapability() (major, minor int, ok bool) {
	if !d.hasExtension("cl_nv_device_attribute_query") {
		return 0, 0, false
	}
	return d.int(nvidiaComputeCapabilityMajor), d.int(nvidiaComputeCapabilityMinor), true
}

// UUID returns what tells the device from all others, the same in all processes, and whether the driver has it
// (cl_khr_device_uuid).
func (d *Device) UUID() (id [16]byte, ok bool) {
	if !d.hasExtension("cl_khr_device_uuid") {
		return id, false
	}
	value, err := d.info(clGetDeviceInfo, deviceUUID)
	return id, err == nil && copy(id[:], value) == len(id)
}
