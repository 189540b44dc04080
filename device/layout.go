package device

import (
	"fmt"
	"strings"
	"text/tabwriter"

	"github.com/suffixcl/suffixcl/internal/bytesize"
)

// Layout lists the buffers that a pipeline needs, before any is allocated. The memory plan and the allocation are one
// list, so they cannot disagree.
type Layout struct {
	phase  string
	pieces []*piece
}

type piece struct {
	name  string
	bytes int64
	host  []byte // see In
	mem   *allocation
}

// NewLayout returns an empty layout. The phase names it in plans and errors.
func NewLayout(phase string) *Layout { return &Layout{phase: phase} }

// Slot is a buffer that a Layout has reserved.
type Slot[T Element] struct {
	piece *piece
	n     int
}

// Reserve adds a buffer of n elements. The name is for plans and errors.
func Reserve[T Element](l *Layout, name string, n int) *Slot[T] {
	p := &piece{name: name, bytes: bytesFor[T](n)}
	l.pieces = append(l.pieces, p)
	return &Slot[T]{piece: p, n: n}
}

// In has the next allocation be made in host, memory of the caller of as many elements, where buffers are memory of the
// process, host is large enough to be worth it, and begins at a multiple of 128 bytes. Elsewhere it does nothing. To
// upload from host, or to download to it, copies nothing then. Between the two, and until the buffer is released,
// nobody else writes to it.
func (l *Slot[T]) In(host []T) { l.piece.host = bytesOf(host) }

// Buffer returns the buffer, once the layout is allocated on the session.
func (l *Slot[T]) Buffer(s *Session) *Buffer[T] {
	return &Buffer[T]{mem: l.piece.mem, s: s, n: l.n}
}

// size is the sum of all buffers, in bytes.
func (l *Layout) size() int64 {
	var total int64
	for _, p := range l.pieces {
		total = sum(total, p.bytes)
	}
	return total
}

// Memory describes the layout as a phase of a plan.
func (l *Layout) Memory() PhaseMemory {
	m := PhaseMemory{Phase: l.phase}
	for _, p := range l.pieces {
		m.Buffers = append(m.Buffers, BufferMemory{Name: p.name, Bytes: p.bytes})
	}
	return m
}

// Allocate allocates every buffer, or none. Each is an allocation of its own, since drivers bound the size of one. A
// layout is released before it is allocated again. Errors: those of [Alloc].
func (l *Layout) Allocate(s *Session) error {
	for _, p := range l.pieces {
		if p.mem != nil {
			return fmt.Errorf("device: the buffers of phase %q are allocated already", l.phase)
		}
	}
	for _, p := range l.pieces {
		mem, err := s.memory.allocate(p.bytes, fmt.Sprintf("buffer %q (%s)", p.name, l.phase), p.host)
		if err != nil {
			l.Release(s)
			return err
		}
		p.mem = mem
	}
	return nil
}

// Release frees what Allocate has allocated. Releasing twice does nothing.
func (l *Layout) Release(s *Session) {
	for _, p := range l.pieces {
		s.memory.free(p.mem)
		p.mem, p.host = nil, nil
	}
}

// BufferMemory is the memory of a buffer.
type BufferMemory struct {
	Name  string `json:"name"`
	Bytes int64  `json:"bytes"`
}

// PhaseMemory is the memory that exists during a phase.
type PhaseMemory struct {
	Phase   string         `json:"phase"`
	Buffers []BufferMemory `json:"buffers"` // device memory
	Host    int64          `json:"host"`    // bytes of host memory, with input and result
}

// Device is the device memory of the phase in bytes.
func (p PhaseMemory) Device() int64 {
	var total int64
	for _, b := range p.Buffers {
		total = sum(total, b.Bytes)
	}
	return total
}

// compileSpace is the address space that a process needs besides what is planned: for threads, and for what the
// driver compiles with.
const compileSpace = 128 << 20

// MemoryPlan is the memory of an operation, phase by phase.
type MemoryPlan []PhaseMemory

// Device is the peak of device memory in bytes.
func (m MemoryPlan) Device() int64 {
	var peak int64
	for _, p := range m {
		peak = max(peak, p.Device())
	}
	return peak
}

// Host is the peak of host memory in bytes.
func (m MemoryPlan) Host() int64 {
	var peak int64
	for _, p := range m {
		peak = max(peak, p.Host)
	}
	return peak
}

// String is a table: the device and host memory of each phase, and the most that is taken at a time.
func (m MemoryPlan) String() string {
	var b strings.Builder
	t := tabwriter.NewWriter(&b, 0, 0, 2, ' ', tabwriter.AlignRight)
	line := func(columns ...string) { fmt.Fprintln(t, strings.Join(columns, "\t")+"\t") }
	line("phase", "device", "host")
	for _, p := range m {
		line(p.Phase, bytesize.Short(p.Device()), bytesize.Short(p.Host))
	}
	line("peak", bytesize.Short(m.Device()), bytesize.Short(m.Host()))
	t.Flush() // to memory: no errors
	return b.String()
}

// Fits returns a *[MemoryError] in these cases:
//   - a buffer exceeds the device's largest;
//   - a phase exceeds the device memory that the session may still allocate;
//   - the address space of the process is limited (ulimit -v), and a phase exceeds what is left of it: its host memory,
//     and its device memory where that is memory of the host. Input that is in memory already counts once more.
func (m MemoryPlan) Fits(s *Session) error {
	for _, p := range m {
		for _, b := range p.Buffers {
			if err := s.memory.checkBuffer(b.Bytes, fmt.Sprintf("buffer %q of phase %q", b.Name, p.Phase)); err != nil {
				return err
			}
		}
		what := fmt.Sprintf("phase %q", p.Phase)
		if err := s.memory.checkTotal(p.Device(), what); err != nil {
			return err
		}
		host := sum(p.Host, compileSpace)
		if s.caps.quirks.UnifiedMemory {
			host = sum(host, p.Device())
		}
		if err := checkAddressSpace(what, host); err != nil {
			return err
		}
	}
	return nil
}
