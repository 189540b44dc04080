package amdgpu

import (
	"encoding/binary"
	"math/rand/v2"
	"time"
	"unsafe"

	"github.com/suffixcl/suffixcl/internal/testkit/amdcode"
)

func (m *machine) createBuffer(a []uintptr) (uintptr, status) {
	size := int(a[2])
	if size <= 0 || size > maxBuffer {
		return 0, failure(invalidBufferSize, "")
	}
	if m.memory.bytes+int64(size) > globalMemory {
		return 0, failure(memoryAllocationFailure, "%d bytes are in use", m.memory.bytes)
	}
	const hostPointer = 1 << 4
	if a[1]&hostPointer != 0 {
		return m.add(m.memory.share(size)), status{}
	}
	b := m.memory.allocate(size, !m.options.Unchecked)
	spoil(b.data)
	return m.add(b), status{}
}

// spoil fills memory that nobody has written yet with what makes no sense, but for large buffers.
func spoil(data []byte) {
	if len(data) > 1<<20 {
		return
	}
	for i := range data {
		data[i] = byte(0xa5 + 0x3b*i)
	}
}

// part is a buffer of which n bytes from an offset are wanted.
func (m *machine) part(handle, offset, n uintptr) (*buffer, status) {
	b, s := get[*buffer](m, handle)
	if s.code == success && (offset > uintptr(len(b.data)) || n > uintptr(len(b.data))-offset) {
		s = failure(invalidValue, "%d bytes from %d of %d", n, offset, len(b.data))
	}
	return b, s
}

func (m *machine) enqueueRead(a []uintptr) status {
	b, s := m.part(a[1], a[3], a[4])
	if s.code != success {
		return s
	}
	copy(bytesAt(a[5], int(a[4])), b.data[a[3]:])
	return m.record(a[8])
}

func (m *machine) enqueueWrite(a []uintptr) status {
	b, s := m.part(a[1], a[3], a[4])
	if s.code != success {
		return s
	}
	copy(b.data[a[3]:], bytesAt(a[5], int(a[4])))
	b.mark(int(a[3]), int(a[4]))
	return m.record(a[8])
}

func (m *machine) enqueueCopy(a []uintptr) status {
	from, s := m.part(a[1], a[3], a[5])
	if s.code != success {
		return s
	}
	to, s := m.part(a[2], a[4], a[5])
	if s.code != success {
		return s
	}
	copy(to.data[a[4]:a[4]+a[5]], from.data[a[3]:])
	to.copyMarks(int(a[4]), from, int(a[3]), int(a[5]))
	return m.record(a[8])
}

func (m *machine) enqueueFill(a []uintptr) status {
	b, s := m.part(a[1], a[4], a[5])
	if s.code != success {
		return s
	}
	pattern := bytesAt(a[2], int(a[3]))
	if len(pattern) == 0 || int(a[5])%len(pattern) != 0 || int(a[4])%len(pattern) != 0 {
		return failure(invalidValue, "a pattern of %d bytes", len(pattern))
	}
	for i := a[4]; i < a[4]+a[5]; i += a[3] {
		copy(b.data[i:], pattern)
	}
	b.mark(int(a[4]), int(a[5]))
	return m.record(a[8])
}

// enqueueMap gives the host the memory itself. What is mapped to be written counts as written.
func (m *machine) enqueueMap(a []uintptr) (uintptr, status) {
	const write = 1 << 1
	b, s := m.part(a[1], a[4], a[5])
	if s.code != success {
		return 0, s
	}
	if a[3]&write != 0 {
		b.mark(int(a[4]), int(a[5]))
	}
	return uintptr(unsafe.Pointer(unsafe.SliceData(b.data[a[4]:]))), m.record(a[8])
}

// enqueueKernel runs the kernel to its end.
func (m *machine) enqueueKernel(a []uintptr) status {
	k, s := get[*function](m, a[1])
	if s.code != success {
		return s
	}
	m.launches++
	l := &launch{
		kernel: k.kernel, memory: &m.memory, options: &m.options, number: m.launches, lds: k.LDS, count: &k.counters,
		rng: rand.New(rand.NewPCG(m.rng.Uint64(), 0)),
	}
	dims := int(a[2])
	var offset [3]int
	for i := range 3 {
		l.global[i], l.local[i] = 1, 1
		if i >= dims {
			continue
		}
		size := uintptr(i) * unsafe.Sizeof(uintptr(0))
		l.global[i] = int(*at[uintptr](a[4] + size))
		if a[3] != 0 {
			offset[i] = int(*at[uintptr](a[3] + size))
		}
		if a[5] != 0 {
			l.local[i] = int(*at[uintptr](a[5] + size))
		} else if l.global[i]%64 == 0 && i == 0 {
			l.local[i] = 64
		}
	}
	if s := l.checkSizes(); s.code != success {
		return s
	}
	l.allocateArgs()
	defer m.memory.release(l.args)
	if s := l.fillArgs(k, offset, dims); s.code != success {
		return s
	}
	began := time.Now()
	err := l.run()
	m.work.Time += time.Since(began)
	m.work.Items += uint64(l.global[0] * l.global[1] * l.global[2])
	m.work.Instructions += l.executed
	if err != nil {
		return failure(outOfResources, "%v", err)
	}
	return m.recordFrom(a[8], uint64(began.UnixNano()))
}

func (l *launch) checkSizes() status {
	k, size := l.kernel, 1
	for i := range l.local {
		if l.local[i] == 0 || l.global[i]%l.local[i] != 0 {
			return failure(invalidWorkGroupSize, "global %v, local %v", l.global, l.local)
		}
		size *= l.local[i]
	}
	if size > k.MaxWorkGroup || k.WorkGroup[0] != 0 && k.WorkGroup != l.local {
		return failure(invalidWorkGroupSize, "local %v, at most %d work-items, the source requires %v",
			l.local, k.MaxWorkGroup, k.WorkGroup)
	}
	return status{}
}

// argBytes is the size of the arguments, of which the compiler loads whole vectors of words.
func argBytes(k *kernel) int { return (k.ArgBytes + 63) &^ 63 }

// packetBytes is the size of a dispatch packet, from which kernels without hidden arguments have their sizes.
const packetBytes = 64

// allocateArgs takes memory for the arguments and, after them, for the packet, which it writes:
// hsa_kernel_dispatch_packet_t of the HSA runtime specification 1.2, section 2.9.6.
func (l *launch) allocateArgs() {
	size := argBytes(l.kernel)
	l.args = l.memory.allocate(size+packetBytes, false)
	packet := l.args.data[size:]
	for i := range 3 {
		binary.LittleEndian.PutUint16(packet[4+2*i:], uint16(l.local[i]))
		binary.LittleEndian.PutUint32(packet[12+4*i:], uint32(l.global[i]))
	}
	binary.LittleEndian.PutUint64(packet[40:], l.args.base)
}

// fillArgs writes the segment of the arguments, and adds the local memory that they ask for.
func (l *launch) fillArgs(k *function, offset [3]int, dims int) status {
	put := func(info amdcode.Arg, value uint64) {
		for i := range min(info.Size, 8) {
			l.args.data[info.Offset+i] = byte(value >> (8 * i))
		}
	}
	for i, info := range k.Args {
		if info.Hidden() {
			put(info, l.hiddenValue(info.Kind, offset, dims))
			continue
		}
		arg := k.args[i]
		switch {
		case !arg.set:
			return failure(invalidKernelArgs, "argument %d is not set", i)
		case info.Kind == amdcode.LocalBuffer:
			l.lds = (l.lds + 15) &^ 15
			put(info, uint64(l.lds))
			l.lds += arg.local
		case arg.buffer != nil:
			put(info, arg.buffer.base)
		case info.Kind != amdcode.GlobalBuffer:
			copy(l.args.data[info.Offset:], arg.value)
		}
	}
	if l.lds > maxLDS {
		return failure(outOfResources, "%d bytes of local memory, a work-group has %d", l.lds, maxLDS)
	}
	return status{}
}
