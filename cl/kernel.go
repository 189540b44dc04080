package cl

import (
	"encoding/binary"
	"fmt"
	"reflect"
	"runtime"
	"slices"
	"unsafe"
)

const (
	kernelNumArgs              = 0x1191
	kernelWorkGroupSize        = 0x11B0
	kernelCompileWorkGroupSize = 0x11B1
)

// Kernel is a kernel function with its arguments. It must not be used by two goroutines at once.
type Kernel struct {
	object
	program *Program
	name    string
	args    []argument
	missing int // how many arguments are not set
	limits  []limits
	value   uint64     // what clSetKernelArg reads
	sizes   [9]uintptr // what clEnqueueNDRangeKernel reads: offset, global, local
}

// argument is what is remembered of an argument: whether it was set, the buffer, which the
// driver does not keep alive, and else the value, if it has size bytes. Setting it to the same
// once more is left out: each such call takes about 0.2 us.
type argument struct {
	set    bool
	buffer *MemObject
	size   int
	value  uint64
}

// limits is what a device allows for the kernel's work-groups.
type limits struct {
	device  uintptr
	max     int
	compile [3]int // zero unless the source fixes the size
}

// LocalBuffer is an argument for a __local array: its size in bytes.
type LocalBuffer int

// NumArgs returns the number of arguments.
func (k *Kernel) NumArgs() int { return len(k.args) }

// Release releases the kernel.
func (k *Kernel) Release() {
	if k != nil {
		k.free()
	}
}

// WorkGroupSize returns the largest number of work-items that a work-group of this kernel can have.
func (k *Kernel) WorkGroupSize(d *Device) (int, error) {
	value, err := k.number(clGetKernelWorkGroupInfo, handleOf(d), kernelWorkGroupSize)
	return int(value), detail(err, k.name, "")
}

// CompileWorkGroupSize returns the size that reqd_work_group_size fixes in the source, or zeros.
func (k *Kernel) CompileWorkGroupSize(d *Device) (size [3]int, err error) {
	value, err := k.info(clGetKernelWorkGroupInfo, handleOf(d), kernelCompileWorkGroupSize)
	for i, extent := range toHandles(value) {
		if i < len(size) {
			size[i] = int(extent)
		}
	}
	return size, detail(err, k.name, "")
}

// SetArgs sets all arguments, as [Kernel.SetArg] does each.
func (k *Kernel) SetArgs(args ...any) error {
	if len(args) != len(k.args) {
		return k.refuse(clSetKernelArg, invalidKernelArgs, "it takes %d arguments, not %d", len(k.args), len(args))
	}
	for i, arg := range args {
		if err := k.SetArg(i, arg); err != nil {
			return err
		}
	}
	return nil
}

// SetArg sets argument i to one of these:
//   - a *[MemObject]; nil is NULL. The kernel keeps the buffer from being collected, not from being released.
//   - a number of a sized type, or an array of them, which is a vector: 8 bytes at most;
//   - a [LocalBuffer].
func (k *Kernel) SetArg(i int, arg any) error {
	switch v := arg.(type) {
	case *MemObject:
		return k.setBuffer(i, v)
	case LocalBuffer:
		return k.setArg(i, int(v), nil)
	case uint32: // without reflection, as the next: at every launch
		var value [8]byte
		binary.NativeEndian.PutUint32(value[:], v)
		return k.setValue(i, 4, binary.NativeEndian.Uint64(value[:]))
	case uint64:
		return k.setValue(i, 8, v)
	}
	var value [8]byte
	size := 0
	if passable(reflect.TypeOf(arg)) {
		size, _ = binary.Encode(value[:], binary.NativeEndian, arg)
	}
	if size == 0 {
		return k.refuse(clSetKernelArg, invalidArgValue, "argument %d cannot be a Go %T", i, arg)
	}
	return k.setValue(i, size, binary.NativeEndian.Uint64(value[:]))
}

// passable tells whether values of a type look the same to a kernel.
func passable(t reflect.Type) bool {
	if t == nil {
		return false
	}
	switch t.Kind() {
	case reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64, reflect.Float32, reflect.Float64,
		reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		return true
	case reflect.Array:
		return passable(t.Elem())
	}
	return false
}

// setBuffer sets argument i to a buffer, or to NULL.
func (k *Kernel) setBuffer(i int, b *MemObject) error {
	if b != nil && b.handle.Load() == 0 {
		return k.refuse(clSetKernelArg, invalidMemObject, "the buffer for argument %d is released", i)
	}
	if i >= 0 && i < len(k.args) && b != nil && k.args[i].buffer == b {
		return nil
	}
	k.value = uint64(b.id())
	if err := k.setArg(i, int(unsafe.Sizeof(b.id())), unsafe.Pointer(&k.value)); err != nil {
		return err
	}
	k.args[i].buffer = b
	return nil
}

// setValue sets argument i to the first size bytes of value in memory.
func (k *Kernel) setValue(i, size int, value uint64) error {
	if i >= 0 && i < len(k.args) && k.args[i].size == size && k.args[i].value == value {
		return nil
	}
	k.value = value
	if err := k.setArg(i, size, unsafe.Pointer(&k.value)); err != nil {
		return err
	}
	k.args[i].size, k.args[i].value = size, value
	return nil
}

// setArg sets argument i to the size bytes at p, which are copied.
func (k *Kernel) setArg(i, size int, p unsafe.Pointer) error {
	if i < 0 || i >= len(k.args) {
		return k.refuse(clSetKernelArg, invalidArgIndex, "there is no argument %d among %d", i, len(k.args))
	}
	if err := invoke4(clSetKernelArg, k.handle.Load(), uintptr(i), uintptr(size), uintptr(p)); err != nil {
		return detail(err, k.name, "argument %d of %d bytes", i, size)
	}
	if !k.args[i].set {
		k.args[i].set = true
		k.missing--
	}
	k.args[i].buffer, k.args[i].size = nil, 0
	return nil
}

func (k *Kernel) refuse(f function, code Code, format string, args ...any) error {
	e := f.refuse(code, format, args...)
	e.Kernel = k.name
	return e
}

// limitsOn returns what the device allows; it is asked for once.
func (k *Kernel) limitsOn(d *Device) (limits, error) {
	id := handleOf(d)
	for _, l := range k.limits {
		if l.device == id {
			return l, nil
		}
	}
	l := limits{device: id}
	var err error
	if l.max, err = k.WorkGroupSize(d); err != nil {
		return l, err
	}
	if l.compile, err = k.CompileWorkGroupSize(d); err != nil {
		return l, err
	}
	k.limits = append(k.limits, l)
	return l, nil
}

// checkArgs finds what drivers handle badly: arguments that are not set, or set to a released buffer.
func (k *Kernel) checkArgs() error {
	for i := range k.args {
		a := &k.args[i]
		if !a.set {
			return k.refuse(clEnqueueNDRangeKernel, invalidKernelArgs, "argument %d is not set (%d are missing)", i, k.missing)
		}
		if a.buffer != nil && a.buffer.handle.Load() == 0 {
			return k.refuse(clEnqueueNDRangeKernel, invalidKernelArgs, "the buffer of argument %d is released", i)
		}
	}
	return nil
}

// checkSizes checks a launch and writes its extents to k.sizes.
func (k *Kernel) checkSizes(d *Device, offset, global, local []int) error {
	const f = clEnqueueNDRangeKernel
	n := len(global)
	if n < 1 || n > 3 || len(local) != 0 && len(local) != n || len(offset) != 0 && len(offset) != n {
		return k.refuse(f, invalidWorkDimension, "%s: dimensions must be 1 to 3, and the same",
			extents(offset, global, local))
	}
	limits, err := k.limitsOn(d)
	if err != nil {
		return err
	}
	group := [3]int{1, 1, 1}
	for i := range n {
		if global[i] <= 0 {
			return k.refuse(f, invalidGlobalWorkSize, "%s: a global size is not positive", extents(offset, global, local))
		}
		k.sizes[3+i] = uintptr(global[i])
		if len(offset) != 0 {
			if offset[i] < 0 {
				return k.refuse(f, invalidGlobalOffset, "%s: an offset is negative", extents(offset, global, local))
			}
			k.sizes[i] = uintptr(offset[i])
		}
		if len(local) != 0 {
			if local[i] <= 0 || global[i]%local[i] != 0 {
				return k.refuse(f, invalidWorkGroupSize, "%s: global is not a multiple of local", extents(offset, global, local))
			}
			k.sizes[6+i] = uintptr(local[i])
			group[i] = local[i]
		}
	}
	// A size required by the source is not compared with limits.max: Mesa's rusticl reports a maximum
	// that leaves the requirement out.
	if limits.compile[0] != 0 {
		if len(local) == 0 || group != limits.compile {
			return k.refuse(f, invalidWorkGroupSize, "%s: the source requires local %v",
				extents(offset, global, local), limits.compile)
		}
	} else if len(local) != 0 && group[0]*group[1]*group[2] > limits.max {
		return k.refuse(f, invalidWorkGroupSize, "%s: the device allows %d work-items",
			extents(offset, global, local), limits.max)
	}
	runtime.KeepAlive(d)
	return nil
}

// extents describes a launch. It copies the slices, so that those of the caller can stay on its stack.
func extents(offset, global, local []int) string {
	return fmt.Sprintf("offset %v, global %v, local %v", slices.Clone(offset), slices.Clone(global), slices.Clone(local))
}
