package cl

import (
	"fmt"
	"strings"
)

// DeviceType is a kind of device, or several.
type DeviceType uint64

// The kinds of devices (cl_device_type). A driver may report more.
const (
	DeviceTypeCPU         DeviceType = 1 << 1
	DeviceTypeGPU         DeviceType = 1 << 2
	DeviceTypeAccelerator DeviceType = 1 << 3
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
