package device

import (
	"cmp"
	"encoding/binary"
	"errors"
	"fmt"
	"slices"
	"sync/atomic"
	"time"
	"unsafe"
)

// Reads and writes of a few words are made by a kernel where Caps.ZeroCopy says so: the host looks for
// the words in pinned memory. A command for them costs more, and waits after all chunks of a transfer in
// the same direction (docs/benchmarks.md).
const (
	zeroCopyWords = 1024 // at most
	zeroCopyGroup = 256
	// lookFor is how long the host looks before it waits for the queue: what is short is worth it.
	lookFor = 500 * time.Microsecond
)

func zeroCopySource() Source {
	return Source{Files: []string{"zerocopy.cl"}, Defines: Defines{"WG": zeroCopyGroup}}
}

type zeroCopy struct {
	failed      bool
	memory      *pinned  // nil before first use
	in          []uint64 // of a read: its number above each word
	out         []uint32 // of a write
	number      uint32   // of the last read
	outTaken    bool     // by a write that may not have run
	read, write *Kernel
}

// acquire gets ready at first use, and reports whether it could: else commands will do.
func (z *zeroCopy) acquire(s *Session) bool {
	if z.memory != nil || z.failed {
		return !z.failed
	}
	z.failed = true
	p := s.Program(zeroCopySource())
	z.read, z.write = p.Kernel("zerocopy_read", zeroCopyGroup), p.Kernel("zerocopy_write", zeroCopyGroup)
	var err error
	if z.memory, err = s.pin(12 * zeroCopyWords); err != nil {
		z.release(s)
		return false
	}
	clear(z.memory.host)
	start := unsafe.Pointer(&z.memory.host[0])
	z.in = unsafe.Slice((*uint64)(start), zeroCopyWords)
	z.out = unsafe.Slice((*uint32)(unsafe.Add(start, 8*zeroCopyWords)), zeroCopyWords)
	z.failed = false
	return true
}

func (z *zeroCopy) release(s *Session) {
	z.memory.release(s)
	*z = zeroCopy{failed: true}
}

// hasZeroCopy reports whether so many bytes at an offset are copied by a kernel.
func (s *Session) hasZeroCopy(off int64, bytes int) bool {
	return s.caps.quirks.ZeroCopy && off%4 == 0 && bytes%4 == 0 && bytes <= 4*zeroCopyWords && s.zeroCopy.acquire(s)
}

// address of pinned memory, for a kernel.
func address[T any](host []T) uint64 { return uint64(uintptr(unsafe.Pointer(&host[0]))) }

// readWords is Read of part of a buffer by a kernel.
func (s *Session) readWords(from kernelBuffer, off int64, dst []byte) error {
	z, words := &s.zeroCopy, len(dst)/4
	z.number++
	z.read.Launch(1, 12*int64(words), from, uint64(off/4), uint32(words), address(z.in), z.number)
	s.Flush()
	if s.err == nil && !z.arrived(words, lookFor) {
		s.Finish()
		if s.err == nil && !z.arrived(words, 0) {
			s.Fail(fmt.Errorf("read: %w", errNoZeroCopy))
		}
	}
	if s.err != nil {
		return s.err
	}
	z.outTaken = false // what was before has run
	for w, word := range z.in[:words] {
		binary.NativeEndian.PutUint32(dst[4*w:], uint32(word))
	}
	return nil
}

// errNoZeroCopy: what a kernel has written to host memory, or read there, is not what it should be.
var errNoZeroCopy = errors.New("device: the driver does not share host memory with kernels")

// arrived looks until all words of the last read are there, or time is up, and reports whether they are.
func (z *zeroCopy) arrived(words int, patience time.Duration) bool {
	there := 0
	for began := time.Now(); ; {
		for there < words && uint32(atomic.LoadUint64(&z.in[there])>>32) == z.number {
			there++
		}
		if there == words || time.Since(began) >= patience {
			return there == words
		}
	}
}

// writeWords is Write to part of a buffer by a kernel.
func (s *Session) writeWords(to kernelBuffer, off int64, src []byte) error {
	z, words := &s.zeroCopy, len(src)/4
	if z.outTaken {
		if err := s.Finish(); err != nil {
			return err
		}
	}
	for w := range words {
		z.out[w] = binary.NativeEndian.Uint32(src[4*w:])
	}
	z.outTaken = true
	z.write.Launch(1, 8*int64(words), address(z.out), uint32(words), to, uint64(off/4))
	return s.err
}

// probeZeroCopy returns errNoZeroCopy where there is none after all.
func (s *Session) probeZeroCopy() error {
	b, err := Alloc[uint32](s, zeroCopyGroup)
	if err != nil {
		return err
	}
	defer b.Release()
	sent, got := make([]uint32, b.Len()), make([]uint32, b.Len())
	for i := range sent {
		sent[i] = uint32(i) * 0x9E3779B9
	}
	for range 2 { // the second time what is in host memory has changed
		if err := cmp.Or(b.Write(sent), b.Read(got)); err != nil || !slices.Equal(sent, got) {
			return errors.Join(errNoZeroCopy, err)
		}
		for i := range sent {
			sent[i] = ^sent[i]
		}
	}
	return nil
}
