package amdgpu

import (
	"encoding/binary"
	"fmt"
	"math/bits"
	"slices"
	"sync"
	"unsafe"
)

// A device address has the number of the buffer above the offset, so that what goes over an end goes nowhere. The first
// number is beyond all addresses of the host.
const (
	offsetBits = 40
	firstSlot  = 1 << 20
)

// buffer is global memory.
type buffer struct {
	name   string
	base   uint64 // device address
	data   []byte
	shadow []shadow // of each word, nil where nothing is checked
}

// shadow is what is known of a word of 4 bytes, of global or local memory. Masks are of its bytes.
type shadow struct {
	since         uint32    // the launch, or the number of barriers passed, to which all but written belongs
	writer        uint32    // work-group; in local memory the wavefront
	readers       [4]uint32 // of local memory the first: a set of wavefronts; of global: a work-group for each byte
	writerAt      uint16    // instructions
	readerAt      uint16
	writerFences  uint32 // of global memory: how many the writer had passed
	readerFences  uint32 // the most that a reader had
	written       uint8  // since the buffer was made, or the work-group began
	writes, reads uint8
	several       uint8 // bytes that several work-groups have read
	flags         uint8
}

// Flags of a shadow.
const (
	writeAtomic = 1 << iota
	readAtomic
)

// space is the global memory of the device.
type space struct {
	mu     sync.Mutex
	slots  []*buffer // slot 0 stays empty: NULL
	shared []*buffer // memory of the host, whose addresses are the device's, too
	bytes  int64
}

// memoryOf is n bytes.
func memoryOf(n int) []byte {
	words := make([]uint64, (n+7)/8)
	return unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(words))), n)
}

// share makes a buffer of n bytes of the host, which host and kernels use at the same time: nothing is checked there
// but its bounds.
func (s *space) share(n int) *buffer {
	b := &buffer{data: memoryOf(n), name: fmt.Sprintf("host memory of %d bytes", n)}
	b.base = uint64(uintptr(unsafe.Pointer(&b.data[0])))
	s.mu.Lock()
	defer s.mu.Unlock()
	s.shared = append(s.shared, b)
	s.bytes += int64(n)
	return b
}

// allocate makes a buffer of n bytes.
func (s *space) allocate(n int, checked bool) *buffer {
	b := &buffer{data: memoryOf(n)}
	if checked {
		b.shadow = make([]shadow, (n+3)/4)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.slots) == 0 {
		s.slots = append(s.slots, nil)
	}
	b.base = uint64(firstSlot+len(s.slots)) << offsetBits
	b.name = fmt.Sprintf("buffer %d of %d bytes", len(s.slots), n)
	s.slots = append(s.slots, b)
	s.bytes += int64(n)
	return b
}

// release takes a buffer away; its addresses are not given out again.
func (s *space) release(b *buffer) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if slot := b.base >> offsetBits; slot >= firstSlot {
		s.slots[slot-firstSlot] = nil
	} else {
		s.shared = slices.DeleteFunc(s.shared, func(o *buffer) bool { return o == b })
	}
	s.bytes -= int64(len(b.data))
	b.data, b.shadow = nil, nil // arguments of kernels may still have the buffer
}

// find returns the buffer and the offset of n bytes at an address.
func (s *space) find(address uint64, n int) (*buffer, int) {
	for _, b := range s.shared {
		if offset := address - b.base; offset < uint64(len(b.data)) && offset+uint64(n) <= uint64(len(b.data)) {
			return b, int(offset)
		}
	}
	slot := address>>offsetBits - firstSlot // wraps below
	if slot >= uint64(len(s.slots)) || s.slots[slot] == nil {
		panic(fault("%d bytes at %#x, where no buffer is", n, address))
	}
	b, offset := s.slots[slot], address&(1<<offsetBits-1)
	switch {
	case offset >= 1<<(offsetBits-1): // below the next address that begins a buffer
		panic(fault("%d bytes at %#x, %d before where buffer %d begins", n, address, 1<<offsetBits-offset, slot+1))
	case offset+uint64(n) > uint64(len(b.data)):
		panic(fault("%d bytes at byte %d of %s", n, offset, b.name))
	}
	return b, int(offset)
}

// mark notes that the host has written bytes.
func (b *buffer) mark(offset, n int) {
	if b.shadow == nil || n == 0 {
		return
	}
	end := offset + n
	whole := b.shadow[(offset+3)>>2 : max(end>>2, (offset+3)>>2)]
	for i := range whole {
		whole[i].written = 0xf
	}
	for i := offset; i < min(end, (offset+3)&^3); i++ {
		b.shadow[i>>2].written |= byteMask(i&3, 1)
	}
	for i := max(offset, end&^3); i < end; i++ {
		b.shadow[i>>2].written |= byteMask(i&3, 1)
	}
}

// copyMarks notes that bytes are a copy of others.
func (b *buffer) copyMarks(to int, from *buffer, at, n int) {
	if b.shadow == nil || from.shadow == nil {
		return
	}
	for i := range n {
		bit := from.shadow[(at+i)>>2].written >> ((at + i) & 3) & 1
		s := &b.shadow[(to+i)>>2]
		s.written = s.written&^(1<<((to+i)&3)) | bit<<((to+i)&3)
	}
}

func byteMask(first, n int) uint8 { return uint8(1<<n-1) << first }

// access is what an instruction does with memory.
type access struct {
	read, write, atomic bool
	same                bool // what is written was there already
}

// begin checks that the bytes of a mask hold something if they are read, and forgets accesses before since.
func (s *shadow) begin(since uint32, mask uint8, read bool) (ok bool) {
	if read && s.written&mask != mask {
		return false
	}
	if s.since != since {
		*s = shadow{since: since, written: s.written}
	}
	return true
}

// clashes reports whether another has written bytes of a mask. Atomic accesses do not clash.
func (s *shadow) clashes(mask uint8, me uint32, atomic bool) bool {
	return s.writes&mask != 0 && s.writer != me && !(atomic && s.flags&writeAtomic != 0)
}

// write notes that the instruction at writes the bytes of a mask.
func (s *shadow) write(mask uint8, me uint32, at uint16, atomic bool) {
	if s.writer != me {
		s.writes = 0
	}
	s.written |= mask
	s.writes |= mask
	s.writer, s.writerAt = me, at
	s.flags &^= writeAtomic
	if atomic {
		s.flags |= writeAtomic
	}
}

// readByOther tells of a byte of a mask that another has read, too, and not before in order.
func (s *shadow) readByOther(mask uint8, w *wave) (k int, ok bool) {
	me := uint32(w.group.flat)
	for both := s.reads & mask; both != 0; both &= both - 1 {
		k := bits.TrailingZeros8(both)
		several := s.several>>k&1 != 0
		switch {
		case s.readers[k] == me && !several:
		case several && w.afterAll(s.readerFences):
		case !several && w.after(s.readers[k], s.readerFences):
		default:
			return k, true
		}
	}
	return 0, false
}

// forget drops the reads of a mask.
func (s *shadow) forget(mask uint8) {
	s.reads &^= mask
	s.several &^= mask
	if s.reads == 0 {
		s.readerFences = 0
	}
}

// read notes that the instruction at reads the bytes of a mask.
func (s *shadow) read(mask uint8, me uint32, at uint16, atomic bool) {
	if s.reads == 0 {
		s.flags |= readAtomic
	}
	if !atomic {
		s.flags &^= readAtomic
	}
	for rest := mask; rest != 0; rest &= rest - 1 {
		k := bits.TrailingZeros8(rest)
		if s.reads>>k&1 != 0 && s.readers[k] != me {
			s.several |= 1 << k
		}
		s.readers[k] = me
	}
	s.reads |= mask
	s.readerAt = at
}

// touch checks n bytes at an offset of a buffer, and notes the access.
func (w *wave) touch(in *inst, b *buffer, offset, n int, a access) {
	if b.shadow == nil {
		return
	}
	l, me, at := w.launch, uint32(w.group.flat), uint16(w.pc-1)
	if a.atomic {
		w.meet(b, offset)
	}
	fences := w.group.order.fences
	for i := offset; i < offset+n; {
		first := i & 3
		count := min(4-first, offset+n-i)
		mask := byteMask(first, count)
		s := &b.shadow[i>>2]
		if !s.begin(l.number, mask, a.read) {
			panic(fault("byte %d of %s is read, and nothing has been written there", i, b.name))
		}
		if a.write {
			if s.clashes(mask, me, a.atomic) && !w.after(s.writer, s.writerFences) {
				w.race(b, i, "writes", "wrote", a.same, s.writer, s.writerAt)
			}
			if k, ok := s.readByOther(mask, w); ok && !(a.atomic && s.flags&readAtomic != 0) {
				w.race(b, i&^3+k, "writes", "read", a.same, s.readers[k], s.readerAt)
			}
			s.write(mask, me, at, a.atomic)
			s.writerFences = fences
		} else {
			if s.clashes(mask, me, a.atomic) && !w.after(s.writer, s.writerFences) {
				w.race(b, i, "reads", "wrote", false, s.writer, s.writerAt)
			}
			if l.fenced != nil && s.reads&mask != 0 {
				if _, ok := s.readByOther(mask, w); !ok { // what is in order after this read is after those, too
					s.forget(mask)
				}
			}
			s.read(mask, me, at, a.atomic)
			s.readerFences = max(s.readerFences, fences)
		}
		i += count
	}
}

// race is the violation of two work-groups that touch the same memory in one launch.
func (w *wave) race(b *buffer, offset int, does, did string, same bool, other uint32, at uint16) {
	if same && w.launch.options.sameValue(w.launch.kernel.Name) {
		w.launch.count.SameValue++
		return
	}
	value := ""
	if same {
		value = ", the same value"
	}
	panic(fault("a race: work-group %d %s byte %d of %s%s, work-group %d %s it in this launch (%s)",
		w.group.flat, does, offset, b.name, value, other, did, w.launch.kernel.code[at].text))
}

// aligned checks an address that has to be a multiple.
func aligned(address uint64, to int) {
	if address&uint64(to-1) != 0 {
		panic(fault("address %#x is not a multiple of %d", address, to))
	}
}

// plainAligned checks that of a plain access. The hardware takes any, and the compiler makes use of that: it is a
// violation only if the compiler was told not to.
func (w *wave) plainAligned(address uint64, to int) {
	if address&uint64(to-1) == 0 {
		return
	}
	if w.launch.options.Aligned {
		aligned(address, to)
	}
	w.launch.count.Misaligned++
}

func load32(data []byte, offset int) uint32 { return binary.LittleEndian.Uint32(data[offset:]) }

func store32(data []byte, offset int, x uint32) { binary.LittleEndian.PutUint32(data[offset:], x) }

// load reads n bytes, at most 8.
func load(data []byte, offset, n int) uint64 {
	switch n {
	case 1:
		return uint64(data[offset])
	case 2:
		return uint64(binary.LittleEndian.Uint16(data[offset:]))
	case 4:
		return uint64(load32(data, offset))
	}
	return binary.LittleEndian.Uint64(data[offset:])
}

// store writes n bytes, at most 8.
func store(data []byte, offset, n int, x uint64) {
	switch n {
	case 1:
		data[offset] = byte(x)
	case 2:
		binary.LittleEndian.PutUint16(data[offset:], uint16(x))
	case 4:
		store32(data, offset, uint32(x))
	default:
		binary.LittleEndian.PutUint64(data[offset:], x)
	}
}

// element is what a memory instruction moves in each lane.
type element struct {
	bytes    int
	signed   bool
	high     bool // a store takes the high half of the register
	keepLow  bool // a load writes the high half of the register only
	keepHigh bool // a load writes the low half only
}

// extend is the value of an element in a register.
func (e element) extend(x uint64) uint32 {
	switch {
	case e.signed && e.bytes == 1:
		return uint32(int32(int8(x)))
	case e.signed && e.bytes == 2:
		return uint32(int32(int16(x)))
	}
	return uint32(x)
}

// half merges what was loaded with the half of the register that stays.
func (e element) half(old, loaded uint32) uint32 {
	switch {
	case e.keepLow:
		return old&0xffff | loaded<<16
	case e.keepHigh:
		return old&^0xffff | loaded&0xffff
	}
	return loaded
}

// alignment that an access needs: that of a word at most.
func (e element) alignment() int { return min(e.bytes, 4) }
