package amdgpu

import (
	"context"
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"strings"
	"sync"
	"time"
	"unsafe"

	"github.com/suffixcl/suffixcl/internal/hooks"
	"github.com/suffixcl/suffixcl/internal/testkit/amdcode"
)

// Status codes of OpenCL.
const (
	success                  = 0
	deviceNotFound           = -1
	memoryAllocationFailure  = -4
	outOfResources           = -5
	buildProgramFailure      = -11
	kernelArgInfoMissing     = -19
	invalidValue             = -30
	invalidBinary            = -42
	invalidProgramExecutable = -45
	invalidKernelName        = -46
	invalidArgIndex          = -49
	invalidArgValue          = -50
	invalidArgSize           = -51
	invalidKernelArgs        = -52
	invalidWorkGroupSize     = -54
	invalidBufferSize        = -61
)

// Platform is the name of the platform.
const Platform = "emulation of AMD GPUs"

// Handles of what there is one of; the others count from firstHandle on.
const (
	platformHandle uintptr = 1 + iota
	deviceHandle
	firstHandle
)

// machine is the device, with its objects by handle. One call runs at a time.
type machine struct {
	mu       sync.Mutex
	compiler amdcode.Compiler
	target   amdcode.Target
	options  Options
	memory   space
	objects  map[uintptr]any
	next     uintptr
	launches uint32
	rng      *rand.Rand
	counted  []*kernel
	work     Work
}

// program is source or a code object, and its kernels once it is built.
type program struct {
	source  string
	code    []byte
	log     string
	failed  bool
	kernels []*kernel
}

// function is a kernel with its arguments, as OpenCL has them.
type function struct {
	*kernel
	args []argument
}

// argument is a value, a buffer or the size of local memory.
type argument struct {
	set    bool
	value  []byte
	buffer *buffer
	local  int
}

// event is a command that has ended.
type event struct {
	began, ended uint64 // ns
}

// Contexts and queues have no state: commands end before the call that enqueues them does.
type (
	contextObject struct{}
	queueObject   struct{}
)

// status is a failure, or success, with what is known of it.
type status struct {
	code int
	text string
}

func failure(code int, format string, args ...any) status {
	return status{code, fmt.Sprintf(format, args...)}
}

// at is the value that a word points to.
func at[T any](p uintptr) *T { return *(**T)(unsafe.Pointer(&p)) }

func bytesAt(p uintptr, n int) []byte { return unsafe.Slice(at[byte](p), n) }

func textAt(p uintptr) string {
	n := 0
	for bytesAt(p, n+1)[n] != 0 {
		n++
	}
	return string(bytesAt(p, n))
}

// functions is the table for package cl.
func (m *machine) functions() hooks.Functions {
	table := hooks.Functions{}
	// Those that return a status.
	for name, f := range map[string]func(a []uintptr) status{
		"clGetPlatformIDs":  func(a []uintptr) status { return list(a[0], a[1], a[2], platformHandle) },
		"clGetPlatformInfo": func(a []uintptr) status { return answer(a[2:], m.platformInfo(a[1])) },
		"clGetDeviceIDs": func(a []uintptr) status {
			if a[1]&(1<<0|1<<2) == 0 { // default, GPU
				return status{code: deviceNotFound}
			}
			return list(a[2], a[3], a[4], deviceHandle)
		},
		"clGetDeviceInfo":          func(a []uintptr) status { return answer(a[2:], m.deviceInfo(a[1])) },
		"clReleaseContext":         m.release,
		"clReleaseCommandQueue":    m.release,
		"clReleaseMemObject":       m.release,
		"clReleaseProgram":         m.release,
		"clReleaseKernel":          m.release,
		"clReleaseEvent":           m.release,
		"clBuildProgram":           m.build,
		"clGetProgramInfo":         m.programInfo,
		"clGetProgramBuildInfo":    m.buildInfo,
		"clSetKernelArg":           m.setArg,
		"clGetKernelInfo":          m.kernelInfo,
		"clGetKernelArgInfo":       m.argInfo,
		"clGetKernelWorkGroupInfo": m.workGroupInfo,
		"clWaitForEvents":          func([]uintptr) status { return status{} },
		"clGetEventInfo": func(a []uintptr) status { // the execution status: complete
			return answer(a[2:], words32(0))
		},
		"clGetEventProfilingInfo": m.profilingInfo,
		"clFlush":                 func([]uintptr) status { return status{} },
		"clFinish":                func([]uintptr) status { return status{} },
		"clEnqueueReadBuffer":     m.enqueueRead,
		"clEnqueueWriteBuffer":    m.enqueueWrite,
		"clEnqueueCopyBuffer":     m.enqueueCopy,
		"clEnqueueFillBuffer":     m.enqueueFill,
		"clEnqueueUnmapMemObject": func(a []uintptr) status { return m.record(a[5]) },
		"clEnqueueNDRangeKernel":  m.enqueueKernel,
	} {
		table[name] = func(a []uintptr) (uintptr, string) {
			m.mu.Lock()
			defer m.mu.Unlock()
			s := f(a)
			return uintptr(s.code), s.text
		}
	}
	// Those that return an object, and write a status to what the last argument points to.
	for name, f := range map[string]func(a []uintptr) (uintptr, status){
		"clCreateContext":           func([]uintptr) (uintptr, status) { return m.add(contextObject{}), status{} },
		"clCreateCommandQueue":      func([]uintptr) (uintptr, status) { return m.add(queueObject{}), status{} },
		"clCreateBuffer":            m.createBuffer,
		"clCreateProgramWithSource": m.createSource,
		"clCreateProgramWithBinary": m.createBinary,
		"clCreateKernel":            m.createKernel,
		"clEnqueueMapBuffer":        m.enqueueMap,
	} {
		table[name] = func(a []uintptr) (uintptr, string) {
			m.mu.Lock()
			defer m.mu.Unlock()
			handle, s := f(a)
			*at[int32](a[len(a)-1]) = int32(s.code)
			return handle, s.text
		}
	}
	return table
}

// list answers a question for all platforms or devices, of which there is one.
func list(room, handles, count, handle uintptr) status {
	if count != 0 {
		*at[uint32](count) = 1
	}
	if handles != 0 && room > 0 {
		*at[uintptr](handles) = handle
	}
	return status{}
}

// answer writes the value of a parameter: a has the room for it, where to, and where its size goes to.
func answer(a []uintptr, value []byte) status {
	if value == nil {
		return failure(invalidValue, "the parameter is unknown")
	}
	if a[1] != 0 {
		if int(a[0]) < len(value) {
			return failure(invalidValue, "%d bytes of room for %d", a[0], len(value))
		}
		copy(bytesAt(a[1], len(value)), value)
	}
	if a[2] != 0 {
		*at[uintptr](a[2]) = uintptr(len(value))
	}
	return status{}
}

func words32(values ...uint32) (b []byte) {
	for _, v := range values {
		b = binary.LittleEndian.AppendUint32(b, v)
	}
	return b
}

func words64(values ...uint64) (b []byte) {
	for _, v := range values {
		b = binary.LittleEndian.AppendUint64(b, v)
	}
	return b
}

func text(s string) []byte { return append([]byte(s), 0) }

// add gives an object a handle.
func (m *machine) add(object any) uintptr {
	handle := m.next
	m.next++
	m.objects[handle] = object
	return handle
}

// get returns the object of a handle; cl refuses handles of other kinds.
func get[T any](m *machine, handle uintptr) (T, status) {
	object, ok := m.objects[handle].(T)
	if !ok {
		return object, failure(invalidValue, "object %d is none of this kind", handle)
	}
	return object, status{}
}

func (m *machine) release(a []uintptr) status {
	if b, ok := m.objects[a[0]].(*buffer); ok {
		m.memory.release(b)
	}
	delete(m.objects, a[0])
	return status{}
}

// record makes the event of a command, where it is wanted.
func (m *machine) record(where uintptr) status {
	now := uint64(time.Now().UnixNano())
	return m.recordFrom(where, now)
}

func (m *machine) recordFrom(where uintptr, began uint64) status {
	if where != 0 {
		*at[uintptr](where) = m.add(event{began, uint64(time.Now().UnixNano())})
	}
	return status{}
}

func (m *machine) profilingInfo(a []uintptr) status {
	e, s := get[event](m, a[0])
	if s.code != success {
		return s
	}
	const queued, end = 0x1280, 0x1283
	switch {
	case a[1] == end:
		return answer(a[2:], words64(e.ended))
	case a[1] >= queued && a[1] < end:
		return answer(a[2:], words64(e.began))
	}
	return answer(a[2:], nil)
}

// Queries of programs.

func (m *machine) createSource(a []uintptr) (uintptr, status) {
	var source strings.Builder
	for i := range a[1] {
		size := unsafe.Sizeof(uintptr(0))
		p := *at[uintptr](a[2] + i*size)
		if a[3] != 0 {
			if n := *at[uintptr](a[3] + i*size); n != 0 {
				source.Write(bytesAt(p, int(n)))
				continue
			}
		}
		source.WriteString(textAt(p))
	}
	return m.add(&program{source: source.String()}), status{}
}

func (m *machine) createBinary(a []uintptr) (uintptr, status) {
	code := append([]byte(nil), bytesAt(*at[uintptr](a[4]), int(*at[uintptr](a[3])))...)
	object, _, err := parts(code)
	if err == nil {
		_, err = amdcode.ReadKernels(object)
	}
	if err != nil {
		return 0, failure(invalidBinary, "%v", err)
	}
	return m.add(&program{code: code}), status{}
}

func (m *machine) build(a []uintptr) status {
	p, s := get[*program](m, a[0])
	if s.code != success {
		return s
	}
	var err error
	if p.code == nil {
		var options []string
		if a[3] != 0 {
			options = strings.Fields(textAt(a[3]))
		}
		if m.options.Aligned {
			options = append(options, "-Xclang", "-target-feature", "-Xclang", "-unaligned-access-mode")
		}
		p.code, err = m.compile(context.Background(), p.source, options...)
	}
	if err == nil {
		p.kernels, err = loadKernels(p.code, m.target)
	}
	if p.failed = err != nil; p.failed {
		p.log = err.Error()
		return failure(buildProgramFailure, "%v", err)
	}
	m.counted = append(m.counted, p.kernels...)
	return status{}
}

func (m *machine) programInfo(a []uintptr) status {
	p, s := get[*program](m, a[0])
	if s.code != success {
		return s
	}
	const devices, binarySizes, binaries = 0x1163, 0x1165, 0x1166
	switch a[1] {
	case devices:
		return answer(a[2:], words64(uint64(deviceHandle)))
	case binarySizes:
		return answer(a[2:], words64(uint64(len(p.code))))
	case binaries: // the value points to where the binary goes
		if a[3] != 0 {
			copy(bytesAt(*at[uintptr](a[3]), len(p.code)), p.code)
		}
		return status{}
	}
	return answer(a[2:], nil)
}

func (m *machine) buildInfo(a []uintptr) status {
	p, s := get[*program](m, a[0])
	if s.code != success {
		return s
	}
	const buildStatus, buildLog = 0x1181, 0x1183
	switch a[2] {
	case buildStatus:
		code := int32(-1)
		if p.failed {
			code = -2
		} else if p.kernels != nil {
			code = 0
		}
		return answer(a[3:], words32(uint32(code)))
	case buildLog:
		return answer(a[3:], text(p.log))
	}
	return answer(a[3:], nil)
}

// Queries of kernels.

func (m *machine) createKernel(a []uintptr) (uintptr, status) {
	p, s := get[*program](m, a[0])
	if s.code != success {
		return 0, s
	}
	if p.kernels == nil {
		return 0, failure(invalidProgramExecutable, "the program is not built")
	}
	name := textAt(a[1])
	for _, k := range p.kernels {
		if k.Name == name {
			return m.add(&function{kernel: k, args: make([]argument, k.explicit)}), status{}
		}
	}
	return 0, failure(invalidKernelName, "no kernel %s", name)
}

func (m *machine) setArg(a []uintptr) status {
	k, s := get[*function](m, a[0])
	if s.code != success {
		return s
	}
	i, size := int(a[1]), int(a[2])
	if i >= len(k.args) {
		return failure(invalidArgIndex, "")
	}
	arg, info := argument{set: true}, k.Args[i]
	switch info.Kind {
	case amdcode.LocalBuffer:
		if a[3] != 0 {
			return failure(invalidArgValue, "local memory has a size, no value")
		}
		arg.local = size
	case amdcode.GlobalBuffer:
		if size != 8 {
			return failure(invalidArgSize, "a buffer has 8 bytes")
		}
		if a[3] != 0 {
			if handle := *at[uintptr](a[3]); handle != 0 {
				if arg.buffer, s = get[*buffer](m, handle); s.code != success {
					return s
				}
			}
		}
	default:
		if size != info.Size {
			return failure(invalidArgSize, "%s has %d bytes", info.Name, info.Size)
		}
		if a[3] == 0 {
			return failure(invalidArgValue, "")
		}
		arg.value = append([]byte(nil), bytesAt(a[3], size)...)
	}
	k.args[i] = arg
	return status{}
}

func (m *machine) kernelInfo(a []uintptr) status {
	k, s := get[*function](m, a[0])
	if s.code != success {
		return s
	}
	const numArgs = 0x1191
	if a[1] != numArgs {
		return answer(a[2:], nil)
	}
	return answer(a[2:], words32(uint32(len(k.args))))
}

func (m *machine) argInfo(a []uintptr) status {
	k, s := get[*function](m, a[0])
	if s.code != success {
		return s
	}
	if int(a[1]) >= len(k.args) {
		return failure(invalidArgIndex, "")
	}
	arg := k.Args[a[1]]
	if arg.Type == "" {
		return status{code: kernelArgInfoMissing}
	}
	const qualifier, typeName, name, global, local, private = 0x1196, 0x1198, 0x119A, 0x119B, 0x119C, 0x119E
	switch a[2] {
	case qualifier:
		space, ok := map[string]uint32{amdcode.GlobalBuffer: global, amdcode.LocalBuffer: local}[arg.Kind]
		if !ok {
			space = private
		}
		return answer(a[3:], words32(space))
	case typeName:
		return answer(a[3:], text(arg.Type))
	case name:
		return answer(a[3:], text(arg.Name))
	}
	return answer(a[3:], nil)
}

func (m *machine) workGroupInfo(a []uintptr) status {
	k, s := get[*function](m, a[0])
	if s.code != success {
		return s
	}
	const size, compileSize = 0x11B0, 0x11B1
	required := k.WorkGroup
	switch a[2] {
	case size:
		n := min(maxWorkGroup, k.MaxWorkGroup)
		if required[0] > 0 {
			n = required[0] * required[1] * required[2]
		}
		return answer(a[3:], words64(uint64(n)))
	case compileSize:
		return answer(a[3:], words64(uint64(required[0]), uint64(required[1]), uint64(required[2])))
	}
	return answer(a[3:], nil)
}
