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

	"github.com/suffixcl/suffixcl/internal/hooks"
)

const (
	zeroCopyWords = 1024 // at most
	zeroCopyGroup = 256
	// pollTime is how long the host polls before it waits for the queue: what is short is worth it.
	pollTime = 500 * time.Microsecond
)

// zeroCopySource has the kernel of the probe, too: a session needs both when it opens, and a program of its own would
// take as long again.
func zeroCopySource() Source {
	return Source{Files: []string{"zerocopy.cl", "probe.cl"}, Defines: Defines{"WG": zeroCopyGroup}}
}

// errNoZeroCopy: what a kernel has written to host memory, or read there, is not what it should be.
var errNoZeroCopy = errors.New("device: the driver does not share host memory with kernels")

// zeroCopy reads and writes a few words by a kernel: the host polls for the words in pinned memory. A command for them
// costs more, and waits after all chunks of a transfer in the same direction (docs/benchmarks.md).
type zeroCopy struct {
	host    *hostMemory
	queue   *queue
	caps    *Caps
	program func() *Program

	failed                  bool
	memory                  *pinned  // nil before first use
	in                      []uint64 // of a read: its number above each word
	out                     []uint32 // of a write
	number                  uint32   // of the last read
	outPending              bool     // a write that may not have run uses out
	outAfter                uint32   // the read that it came after
	readKernel, writeKernel *Kernel
}

// takes reports whether so many bytes at an offset are copied by a kernel.
func (z *zeroCopy) takes(off int64, bytes int) bool {
	return z.caps.quirks.ZeroCopy && off%4 == 0 && bytes%4 == 0 && bytes <= 4*zeroCopyWords && z.acquire()
}

// acquire gets ready at first use, and reports whether it could: else commands will do.
func (z *zeroCopy) acquire() bool {
	if z.memory != nil || z.failed {
		return !z.failed
	}
	memory, err := z.host.pin(12 * zeroCopyWords)
	if err != nil {
		z.failed = true
		return false
	}
	p := z.program()
	z.readKernel, z.writeKernel = p.Kernel("zerocopy_read", zeroCopyGroup), p.Kernel("zerocopy_write", zeroCopyGroup)
	z.memory = memory
	clear(memory.host)
	start := unsafe.Pointer(&memory.host[0])
	z.in = unsafe.Slice((*uint64)(start), zeroCopyWords)
	z.out = unsafe.Slice((*uint32)(unsafe.Add(start, 8*zeroCopyWords)), zeroCopyWords)
	return true
}

func (z *zeroCopy) release() {
	z.host.unpin(z.memory)
	z.memory, z.in, z.out = nil, nil, nil
	z.failed = true
}

// address of pinned memory, for a kernel.
func address[T any](host []T) uint64 { return uint64(uintptr(unsafe.Pointer(&host[0]))) }

// read copies part of a buffer to dst.
func (z *zeroCopy) read(from kernelBuffer, off int64, dst []byte) error {
	z.begin(from, off, len(dst))
	return z.end(dst)
}

// begin enqueues copying so many bytes of a buffer. end has to come before the next read.
func (z *zeroCopy) begin(from kernelBuffer, off int64, bytes int) {
	words := bytes / 4
	z.number++
	z.readKernel.Launch(1, 12*int64(words), from, uint64(off/4), uint32(words), address(z.in), z.number)
}

// end waits for what begin has enqueued, and for nothing after it unless that takes long.
func (z *zeroCopy) end(dst []byte) error {
	words := len(dst) / 4
	z.queue.flush()
	if z.queue.err == nil && !z.poll(words, pollTime) {
		z.queue.finish()
		if z.queue.err == nil && !z.poll(words, 0) {
			z.queue.fail(fmt.Errorf("read: %w", errNoZeroCopy))
		}
	}
	if z.queue.err != nil {
		return z.queue.err
	}
	if z.outAfter != z.number {
		z.outPending = false // what was before the read has run
	}
	for w, word := range z.in[:words] {
		binary.NativeEndian.PutUint32(dst[4*w:], uint32(word))
	}
	return nil
}

// poll looks until all words of the last read have arrived, or time is up, and reports whether they have.
func (z *zeroCopy) poll(words int, timeout time.Duration) bool {
	arrived := 0
	for began := time.Now(); ; {
		for arrived < words && uint32(atomic.LoadUint64(&z.in[arrived])>>32) == z.number {
			arrived++
		}
		if arrived == words || time.Since(began) >= timeout {
			return arrived == words
		}
	}
}

// write copies src to part of a buffer.
func (z *zeroCopy) write(to kernelBuffer, off int64, src []byte) error {
	if z.outPending {
		if err := z.queue.finish(); err != nil {
			return err
		}
	}
	words := len(src) / 4
	for w := range words {
		z.out[w] = binary.NativeEndian.Uint32(src[4*w:])
	}
	z.outPending, z.outAfter = true, z.number
	z.writeKernel.Launch(1, 8*int64(words), address(z.out), uint32(words), to, uint64(off/4))
	return z.queue.err
}

// probeZeroCopy returns errNoZeroCopy where there is none after all.
func probeZeroCopy(s *Session) error {
	defer hooks.Begin("try zero copy")()
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
