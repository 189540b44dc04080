package device

import (
	"fmt"
)

// Layout lists the buffers that a pipeline needs, before any is allocated: the
// memory plan and the allocation are one list, so they cannot disagree.
type Layout struct {
	phase  string
	pieces []*piece
}

type piece struct {
	name  string
	bytes int64
	mem   *allocation
}

// NewLayout starts an empty layout for a phase of that name.
func NewLayout(phase string) *Layout { return &Layout{phase: phase} }

// Slot is a buffer that a Layout has reserved.
type Slot[T Element] struct {
	piece *piece
	n     int
}

// Reserve adds n elements under a name.
func Reserve[T Element](l *Layout, name string, n int) *Slot[T] {
	p := &piece{name: name, bytes: bytesFor[T](n)}
	l.pieces = append(l.pieces, p)
	return &Slot[T]{piece: p, n: n}
}

// Buffer returns the memory after Allocate.
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

// Allocate allocates every buffer, or none. Each is an allocation of its own:
// drivers bound the size of one. What is allocated must be released before it is
// allocated again.
func (l *Layout) Allocate(s *Session) error {
	for _, p := range l.pieces {
		if p.mem != nil {
			return fmt.Errorf("device: the buffers of phase %q are allocated already", l.phase)
		}
	}
	for _, p := range l.pieces {
		mem, err := s.memory.allocate(p.bytes, fmt.Sprintf("buffer %q (%s)", p.name, l.phase))
		if err != nil {
			l.Release(s)
			return err
		}
		p.mem = mem
	}
	return nil
}

// Release frees what Allocate allocated.
func (l *Layout) Release(s *Session) {
	for _, p := range l.pieces {
		s.memory.free(p.mem)
		p.mem = nil
	}
}

// BufferMemory is a named part of a plan.
type BufferMemory struct {
	Name  string `json:"name"`
	Bytes int64  `json:"bytes"`
}

// PhaseMemory is the memory that exists during a phase.
type PhaseMemory struct {
	Phase   string         `json:"phase"`
	Buffers []BufferMemory `json:"buffers"` // device memory
	Host    int64          `json:"host"`    // bytes of host memory, input and result included
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

// Fits returns a *MemoryError with the numbers if the plan exceeds what the session may still allocate, a buffer
// exceeds the device's largest, or, where the address space of the process is limited, the plan's host memory and
// the device memory that is host memory exceed what is left of it. Input that is in memory counts there too.
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
