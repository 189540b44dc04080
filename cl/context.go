package cl

import "unsafe"

const contextPlatform = 0x1084

// Context is what buffers, programs and queues of some devices are made in.
type Context struct {
	object
	devices []*Device
}

// CreateContext makes a context for devices of one platform, one at least.
func CreateContext(devices []*Device) (*Context, error) {
	if len(devices) == 0 {
		return nil, clCreateContext.refuse(invalidValue, "no device")
	}
	handles, err := deviceHandles(clCreateContext, devices)
	if err != nil {
		return nil, err
	}
	var platform uintptr
	if p := devices[0].platform; p != nil {
		platform = p.handle.Load()
	}
	properties := &[3]uintptr{contextPlatform, platform, 0}
	handle, err := create(clCreateContext, uintptr(unsafe.Pointer(properties)),
		uintptr(len(handles)), uintptr(unsafe.Pointer(&handles[0])), 0, 0)
	if err != nil {
		return nil, detail(err, "", "device %q", devices[0].Name())
	}
	c := &Context{devices: append([]*Device(nil), devices...)}
	c.own(handle, clReleaseContext, nil)
	return c, nil
}

// Release releases the context. Its queues, buffers and programs keep it alive in the driver.
func (c *Context) Release() {
	if c != nil {
		c.free()
	}
}

func handleOf(d *Device) uintptr {
	if d == nil {
		return 0
	}
	return d.handle.Load()
}

// deviceHandles returns the devices as OpenCL takes them; f is what they are for.
func deviceHandles(f function, devices []*Device) ([]uintptr, error) {
	if len(devices) == 0 {
		return nil, nil
	}
	handles := make([]uintptr, len(devices))
	for i, d := range devices {
		if handles[i] = handleOf(d); handles[i] == 0 {
			return nil, f.refuse(invalidDevice, "device %d is nil", i)
		}
	}
	return handles, nil
}
