package cl

import (
	"runtime"
	"slices"
	"strings"
	"unsafe"
)

const (
	programDevices     = 0x1163
	programBinarySizes = 0x1165
	programBinaries    = 0x1166
	programKernelNames = 0x1168
	programBuildStatus = 0x1181
	programBuildLog    = 0x1183
	buildStatusError   = -2
)

// Program is source or binary code, and what was built from it.
type Program struct {
	object
	context *Context
}

// CreateProgramWithSource makes a program of the concatenated sources. Nothing is compiled before
// [Program.BuildProgram].
func (c *Context) CreateProgramWithSource(sources []string) (*Program, error) {
	if len(sources) == 0 {
		return nil, clCreateProgramWithSource.refuse(invalidValue, "no source")
	}
	var texts parts
	defer texts.Unpin()
	for _, source := range sources {
		texts.add(append([]byte(source), 0), len(source))
	}
	handle, err := c.create(clCreateProgramWithSource, uintptr(len(sources)),
		uintptr(unsafe.Pointer(&texts.pointers[0])), uintptr(unsafe.Pointer(&texts.sizes[0])))
	return c.program(handle, err)
}

// CreateProgramWithBinary makes a program of what [Program.Binary] has returned, one binary for each device. It has to
// be built, too.
func (c *Context) CreateProgramWithBinary(devices []*Device, binaries [][]byte) (*Program, error) {
	if len(devices) == 0 || len(devices) != len(binaries) {
		return nil, clCreateProgramWithBinary.refuse(invalidValue, "%d binaries for %d devices", len(binaries), len(devices))
	}
	handles, err := deviceHandles(clCreateProgramWithBinary, devices)
	if err != nil {
		return nil, err
	}
	var codes parts
	defer codes.Unpin()
	for i, binary := range binaries {
		if len(binary) == 0 {
			return nil, clCreateProgramWithBinary.refuse(invalidBinary, "the binary for %q is empty", devices[i].Name())
		}
		codes.add(binary, len(binary))
	}
	status := make([]int32, len(devices))
	handle, err := c.create(clCreateProgramWithBinary, uintptr(len(devices)), uintptr(unsafe.Pointer(&handles[0])),
		uintptr(unsafe.Pointer(&codes.sizes[0])), uintptr(unsafe.Pointer(&codes.pointers[0])),
		uintptr(unsafe.Pointer(&status[0])))
	return c.program(handle, err)
}

func (c *Context) program(handle uintptr, err error) (*Program, error) {
	if err != nil {
		return nil, err
	}
	p := &Program{context: c}
	p.own(handle, clReleaseProgram, nil)
	return p, nil
}

// parts are the arrays of pointers and of sizes in which OpenCL takes several strings or binaries.
type parts struct {
	runtime.Pinner
	pointers []unsafe.Pointer
	sizes    []uintptr
}

// add pins data, of which size bytes count.
func (p *parts) add(data []byte, size int) {
	pointer := unsafe.Pointer(unsafe.SliceData(data))
	p.Pin(pointer)
	p.pointers = append(p.pointers, pointer)
	p.sizes = append(p.sizes, uintptr(size))
}

// BuildProgram compiles and links the program for devices; nil means all of the context. A failure is a *[BuildError].
func (p *Program) BuildProgram(devices []*Device, options string) error {
	handles, err := deviceHandles(clBuildProgram, devices)
	if err != nil {
		return err
	}
	text := append([]byte(options), 0)
	err = p.call(clBuildProgram, uintptr(len(handles)), uintptr(unsafe.Pointer(unsafe.SliceData(handles))),
		uintptr(unsafe.Pointer(&text[0])), 0, 0)
	if err == nil {
		return nil
	}
	if len(devices) == 0 {
		devices = p.context.devices
	}
	failed := devices[0]
	for _, d := range devices {
		status, _ := p.number(clGetProgramBuildInfo, handleOf(d), programBuildStatus)
		if int32(status) == buildStatusError {
			failed = d
			break
		}
	}
	code := invalidProgram
	if e, ok := err.(*Error); ok {
		code = e.Code
	}
	return &BuildError{Log: p.buildLog(failed), Code: code, device: failed.Name(), options: options}
}

// buildLog returns the compiler's messages for a device.
func (p *Program) buildLog(d *Device) string {
	return p.text(clGetProgramBuildInfo, handleOf(d), programBuildLog)
}

// Binary returns what was built for a device, in a format of its driver.
func (p *Program) Binary(d *Device) ([]byte, error) {
	devices, err := p.info(clGetProgramInfo, programDevices)
	if err != nil {
		return nil, err
	}
	index := slices.Index(toHandles(devices), handleOf(d))
	if index < 0 {
		return nil, clGetProgramInfo.refuse(invalidDevice, "the program is not for this device")
	}
	sizes, err := p.info(clGetProgramInfo, programBinarySizes)
	if err != nil {
		return nil, err
	}
	var all parts
	defer all.Unpin()
	var binary []byte
	for i, size := range toHandles(sizes) {
		data := make([]byte, size)
		all.add(data, len(data))
		if i == index {
			binary = data
		}
	}
	if len(binary) == 0 {
		return nil, clGetProgramInfo.refuse(invalidProgramExecutable, "there is no binary: the program is not built")
	}
	err = p.call(clGetProgramInfo, programBinaries, uintptr(len(all.pointers))*unsafe.Sizeof(all.pointers[0]),
		uintptr(unsafe.Pointer(&all.pointers[0])), 0)
	return binary, err
}

// KernelNames lists the kernels of a program that is built, in the driver's order.
func (p *Program) KernelNames() []string {
	list := p.text(clGetProgramInfo, programKernelNames)
	return strings.FieldsFunc(list, func(r rune) bool { return r == ';' })
}

// CreateKernel returns a kernel of a program that is built.
func (p *Program) CreateKernel(name string) (*Kernel, error) {
	text := append([]byte(name), 0)
	handle, err := p.create(clCreateKernel, uintptr(unsafe.Pointer(&text[0])))
	if err != nil {
		return nil, detail(err, name, "")
	}
	k := &Kernel{program: p, name: name}
	k.own(handle, clReleaseKernel, nil)
	count, err := k.number(clGetKernelInfo, kernelNumArgs)
	if err != nil {
		k.Release()
		return nil, detail(err, name, "")
	}
	k.args = make([]argument, count)
	k.missing = int(count)
	return k, nil
}

// Release releases the program. Its kernels keep it alive in the driver.
func (p *Program) Release() {
	if p != nil {
		p.free()
	}
}
