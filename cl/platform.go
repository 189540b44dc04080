package cl

import (
	"errors"
	"fmt"
	"os"
	"sync"
	"unsafe"
)

// enumerating is held while platforms or devices are asked for. Loader and drivers initialise themselves then,
// and not all guard that: PoCL 3.1 has no devices, or null devices, for a thread that asks meanwhile.
var enumerating sync.Mutex

// Platform is a driver. [Device.Platform] returns that of a device.
type Platform struct {
	object
}

// platforms returns the drivers known to the library. The error wraps [ErrNoLibrary] when there is no library, and
// [ErrNoPlatform] when there is no driver.
func platforms() ([]*Platform, error) {
	if err := load(); err != nil {
		return nil, err
	}
	enumerating.Lock()
	defer enumerating.Unlock()
	handles, err := listed()
	more := loaded.Load().platforms(handles)
	if len(more) == 0 && err != nil {
		return nil, err
	}
	handles = append(handles, more...)
	if len(handles) == 0 {
		return nil, noPlatform()
	}
	list := make([]*Platform, len(handles))
	for i, handle := range handles {
		list[i] = new(Platform)
		list[i].handle.Store(handle)
	}
	return list, nil
}

// listed are the platforms of the loader; none where there is no loader.
func listed() ([]uintptr, error) {
	if !loaded.Load().hasLoader() {
		return nil, nil
	}
	count := new(uint32)
	err := invoke(clGetPlatformIDs, 0, 0, uintptr(unsafe.Pointer(count)))
	if errors.Is(err, platformNotFound) || err == nil && *count == 0 {
		return nil, nil
	} else if err != nil {
		return nil, err
	}
	handles := make([]uintptr, *count)
	return handles, invoke(clGetPlatformIDs, uintptr(*count), uintptr(unsafe.Pointer(&handles[0])), 0)
}

// devices returns the devices of a type. The error wraps [ErrNoDevice] when there are none.
func (p *Platform) devices(t DeviceType) ([]*Device, error) {
	enumerating.Lock()
	defer enumerating.Unlock()
	count := new(uint32)
	err := p.call(clGetDeviceIDs, uintptr(t), 0, 0, uintptr(unsafe.Pointer(count)))
	if errors.Is(err, deviceNotFound) || err == nil && *count == 0 {
		return nil, fmt.Errorf("%w: %s", ErrNoDevice, p.without(t))
	} else if err != nil {
		return nil, err
	}
	handles := make([]uintptr, *count)
	err = p.call(clGetDeviceIDs, uintptr(t), uintptr(*count), uintptr(unsafe.Pointer(&handles[0])), 0)
	if err != nil {
		return nil, err
	}
	devices := make([]*Device, len(handles))
	for i, handle := range handles {
		devices[i] = &Device{platform: p}
		devices[i].handle.Store(handle)
	}
	return devices, nil
}

// without says that the platform has no device of a type, and why, as far as that can be seen.
func (p *Platform) without(t DeviceType) string {
	text := fmt.Sprintf("platform %q has no device of type %v", p.Name(), t)
	switch {
	case t&DeviceTypeCPU == 0:
	case p.Name() == poclPlatform:
		text += ": " + poclReason()
	case p.Name() == "rusticl" && os.Getenv("RUSTICL_ENABLE") == "":
		text += ": RUSTICL_ENABLE names none of its drivers, such as llvmpipe"
	}
	return text
}

// GetDevices returns the devices of a type, of all platforms, in the order of the library. A platform without any, or
// one that fails, is passed over.
//
// Errors: [ErrNoLibrary], [ErrNoPlatform]; [ErrNoDevice] when nothing remains. Each says why, for every platform, and
// what to install.
func GetDevices(t DeviceType) ([]*Device, error) {
	drivers, err := platforms()
	if err != nil {
		return nil, err
	}
	var devices []*Device
	var why reasons
	for _, p := range drivers {
		found, err := p.devices(t)
		switch {
		case errors.Is(err, ErrNoDevice):
			why = append(why, errors.New(p.without(t)))
		case err != nil:
			why = append(why, fmt.Errorf("platform %q: %w", p.Name(), err))
		}
		devices = append(devices, found...)
	}
	if len(devices) == 0 {
		return nil, noDevice(t, why)
	}
	return devices, nil
}

// Name returns the platform's name.
func (p *Platform) Name() string { return p.text(clGetPlatformInfo, platformName) }

// Vendor returns the platform's vendor.
func (p *Platform) Vendor() string { return p.text(clGetPlatformInfo, platformVendor) }

// Version returns "OpenCL", the version and what the vendor adds, separated by spaces.
func (p *Platform) Version() string { return p.text(clGetPlatformInfo, platformVersion) }

// Library is the driver's library where this package has loaded it without the system's loader; else empty.
func (p *Platform) Library() string {
	l, handle := loaded.Load(), p.handle.Load()
	if l == nil || handle == 0 {
		return ""
	}
	for _, d := range l.icds {
		if d.has(handle) {
			return d.library
		}
	}
	return ""
}
