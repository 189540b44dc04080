package device

import (
	"fmt"
	"slices"
	"unsafe"

	"github.com/suffixcl/suffixcl/cl"
	"github.com/suffixcl/suffixcl/internal/addressspace"
	"github.com/suffixcl/suffixcl/internal/bytesize"
)

// memory is the device memory of a session: what is allocated, and how much may be.
type memory struct {
	context *cl.Context
	queue   *queue
	caps    *Caps
	// contents returns what memory holds before anything has been written there. It is asked for so many bytes, and
	// once more for the rest if it returns fewer. nil leaves memory as it is; tests set it.
	contents func(bytes int64) []byte
	redZone  int64 // bytes after each buffer, which count for nothing: see bounds

	live, peak int64 // bytes
	limit      int64 // bytes, with what is kept
	limitName  string

	keep      int64         // bytes that may be kept
	kept      []*allocation // released, the latest last
	keptBytes int64
}

// allocation is one OpenCL buffer.
type allocation struct {
	root  *cl.MemObject
	bytes int64
	zone  int64  // bytes after these: see bounds
	what  string // it is, for errors
	host  []byte // memory of the caller that it is in, or nil
}

// allocate makes a buffer, which is nil for no bytes: in memory of the caller, if that is not nil and serves.
func (m *memory) allocate(bytes int64, what string, host []byte) (*allocation, error) {
	switch {
	case m.queue.closed():
		return nil, errClosed
	case bytes == 0:
		return nil, nil
	case bytes < 0:
		return nil, fmt.Errorf("device: %s of a negative length", what)
	}
	if err := m.checkBuffer(bytes, what); err != nil {
		return nil, err
	}
	if err := m.checkTotal(bytes, what); err != nil {
		return nil, err
	}
	a := &allocation{bytes: bytes, zone: m.redZone, what: what}
	if m.serves(host, bytes) {
		a.host, a.zone = host, 0
	}
	if err := m.make(a); err != nil {
		a.root.Release()
		return nil, m.queue.inPhase(fmt.Errorf("allocating %s of %s: %w", what, bytesize.Format(bytes), err))
	}
	if a.host == nil { // memory of the caller has contents
		if err := m.initialise(a, bytes); err != nil {
			a.root.Release()
			return nil, m.queue.inPhase(err)
		}
	}
	m.live += bytes
	m.peak = max(m.peak, m.live)
	return a, nil
}

// make makes the buffer of an allocation, or takes one that is kept, when what was enqueued with it has run: transfers
// on other queues would not wait for that. It frees others that there is no memory for.
func (m *memory) make(a *allocation) error {
	if a.host == nil {
		of := func(k *allocation) bool { return k.bytes == a.bytes }
		if i := slices.IndexFunc(m.kept, of); i >= 0 {
			a.root = m.kept[i].root
			m.kept = slices.Delete(m.kept, i, i+1)
			m.keptBytes -= a.bytes
			m.queue.finish() // a failure sticks
			return nil
		}
		m.forget(m.limit - m.live - a.bytes)
	}
	err := m.create(a)
	if err != nil && len(m.kept) > 0 { // somebody else uses the device
		a.root.Release()
		m.forget(0)
		err = m.create(a)
	}
	return err
}

// forget frees what is kept beyond so many bytes, the oldest first.
func (m *memory) forget(beyond int64) {
	for m.keptBytes > max(beyond, 0) {
		m.keptBytes -= m.kept[0].bytes
		m.kept[0].root.Release()
		m.kept = slices.Delete(m.kept, 0, 1)
	}
}

// leastKept is the least bytes of a buffer that is kept: small ones take no time.
const leastKept = 1 << 20

// create makes the buffer of an allocation.
func (m *memory) create(a *allocation) (err error) {
	if a.host != nil {
		a.root, err = m.context.CreateBufferIn(cl.MemReadWrite, a.host)
		return err
	}
	if a.root, err = m.context.CreateEmptyBuffer(cl.MemReadWrite, int(a.bytes+a.zone)); err != nil {
		return err
	}
	return m.adviseHuge(a)
}

// hugeFrom are the bytes from which a buffer is worth huge pages.
const hugeFrom = 8 << 20

// adviseHuge asks for huge pages, where the memory is the host's: sorters read it in no order.
func (m *memory) adviseHuge(a *allocation) error {
	if !m.caps.quirks.HostBuffers || a.bytes < hugeFrom {
		return nil
	}
	mapped, e, err := m.queue.commands.EnqueueMapBuffer(a.root, true, cl.MapFlagWrite, 0, int(a.bytes), nil)
	e.Release()
	if err != nil {
		return err
	}
	addressspace.AdviseHuge(mapped.ByteSlice())
	e, err = m.queue.commands.EnqueueUnmapMemObject(a.root, mapped, nil)
	e.Release()
	return err
}

// InPlaceAlignment is that of memory which [Slot.In] takes: as OpenCL aligns buffers.
const InPlaceAlignment = 128

// inPlaceFrom is how many bytes of memory of the caller are worth a buffer in it.
const inPlaceFrom = 1 << 20

// serves tells whether a buffer of so many bytes is made in memory of the caller: results are there then, and copied
// nowhere.
func (m *memory) serves(host []byte, bytes int64) bool {
	return m.caps.quirks.HostBuffers && bytes >= inPlaceFrom && int64(len(host)) == bytes &&
		uintptr(unsafe.Pointer(&host[0]))%InPlaceAlignment == 0
}

// checkBuffer returns a *MemoryError if the device has no buffers of so many bytes.
func (m *memory) checkBuffer(bytes int64, what string) error {
	if limit := m.caps.MaxAlloc; bytes > limit {
		return &MemoryError{What: what, Need: bytes, Have: limit, Limit: "largest buffer of " + m.caps.Name}
	}
	return nil
}

// checkTotal returns a *MemoryError if so many bytes more exceed the limit.
func (m *memory) checkTotal(bytes int64, what string) error {
	if need := sum(m.live, bytes); need > m.limit {
		return &MemoryError{What: what, Need: need, Have: m.limit, Limit: m.limitName}
	}
	return nil
}

// free releases an allocation, which may be nil.
func (m *memory) free(a *allocation) {
	if a == nil || a.root == nil {
		return
	}
	if a.host != nil {
		m.queue.finish() // commands that are left must not write to what is the caller's again
	}
	m.live -= a.bytes
	if a.host == nil && a.bytes >= leastKept && a.bytes <= m.keep && !m.queue.closed() {
		m.kept = append(m.kept, &allocation{root: a.root, bytes: a.bytes})
		m.keptBytes += a.bytes
		m.forget(m.keep)
	} else {
		a.root.Release()
	}
	a.root, a.host = nil, nil
}

// initialise writes the contents that a test wants.
func (m *memory) initialise(a *allocation, bytes int64) error {
	if m.contents == nil {
		return nil
	}
	for off := int64(0); off < bytes; {
		host := m.contents(bytes - off)
		e, err := m.queue.commands.EnqueueWriteBuffer(a.root, true, int(off), len(host), unsafe.Pointer(&host[0]), nil)
		e.Release()
		if err != nil {
			return err
		}
		off += int64(len(host))
	}
	return nil
}

// bound is how many bytes may be allocated, and the name of that limit.
func (m *memory) bound() (bytes int64, name string) { return m.limit, m.limitName }

// resetPeak begins a new measurement of the peak.
func (m *memory) resetPeak() { m.peak = m.live }
