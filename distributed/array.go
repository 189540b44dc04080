package distributed

import (
	"cmp"
	"context"

	"github.com/suffixcl/suffixcl"
	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/internal/limits"
	"github.com/suffixcl/suffixcl/internal/sais"
	"github.com/suffixcl/suffixcl/internal/suffixsort"
)

// sorter is a suffix sorter of a text of bytes or symbols.
type sorter[T uint8 | uint16 | uint32] interface {
	Memory() device.PhaseMemory
	Allocate() error
	Run(ctx context.Context, text *device.Buffer[T], sa *device.Buffer[uint32],
		progress func(phase string, done, total int64)) error
	Release()
}

// array is a text of a rank on its device, with its suffix array.
type array[T uint8 | uint16 | uint32] struct {
	s      *device.Session
	sorter sorter[T]
	layout *device.Layout
	text   *device.Buffer[T]
	sa     *device.Buffer[uint32]
}

// arrayPlan is an array that is not allocated.
type arrayPlan[T uint8 | uint16 | uint32] struct {
	sorter sorter[T]
	layout *device.Layout
	text   *device.Slot[T]
	sa     *device.Slot[uint32]
}

func newArrayPlan[T uint8 | uint16 | uint32](sorter sorter[T], length, n int) *arrayPlan[T] {
	l := device.NewLayout("block")
	return &arrayPlan[T]{sorter, l, device.Reserve[T](l, "text", length), device.Reserve[uint32](l, "suffix array", n)}
}

// planArray plans the sort of n characters by the best sorter of the device.
func planArray(s *device.Session, n int) (*arrayPlan[uint8], error) {
	if err := limits.CheckLen("block of a rank", n, limits.MaxLen); err != nil {
		return nil, err
	}
	made, _, err := suffixcl.NewSorter(s, suffixcl.AlgorithmAuto, n)
	if err != nil {
		return nil, err
	}
	return newArrayPlan(made, n, n), nil
}

// planSymbols plans the sort of n symbols.
func planSymbols[T uint16 | uint32](s *device.Session, n int) (*arrayPlan[T], error) {
	if caps := s.Caps(); caps.CPUShape && n <= sais.Longest(caps) {
		made, err := sais.NewSymbols[T](s, n)
		if err != nil {
			return nil, err
		}
		return newArrayPlan(made, made.TextLen(n), n), nil
	}
	made, err := suffixsort.NewSymbols[T](s, n)
	if err != nil {
		return nil, err
	}
	return newArrayPlan(made, made.TextLen(n), n), nil
}

// memory is the device memory: text, suffix array and what a sort takes.
func (p *arrayPlan[T]) memory() device.PhaseMemory {
	m := p.layout.Memory()
	m.Buffers = append(m.Buffers, p.sorter.Memory().Buffers...)
	return m
}

// allocate takes the memory, but for that of the sort. The caller fills text.
func (p *arrayPlan[T]) allocate(s *device.Session) (*array[T], error) {
	s.Phase("block")
	if err := (device.MemoryPlan{p.memory()}).Fits(s); err != nil {
		return nil, err
	}
	if err := p.layout.Allocate(s); err != nil {
		return nil, err
	}
	return &array[T]{s: s, sorter: p.sorter, layout: p.layout, text: p.text.Buffer(s), sa: p.sa.Buffer(s)}, nil
}

// newArray has memory for sorting n characters.
func newArray(s *device.Session, n int) (*array[uint8], error) {
	p, err := planArray(s, n)
	if err != nil {
		return nil, err
	}
	return p.allocate(s)
}

// sorted returns the suffix array of a text: 4 bytes a symbol here.
func (a *array[T]) sorted(ctx context.Context, text []T) ([]uint32, error) {
	if err := a.text.Upload(ctx, text, nil); err != nil {
		return nil, err
	}
	if err := a.sort(ctx); err != nil {
		return nil, err
	}
	sa := make([]uint32, len(text))
	return sa, a.sa.Download(ctx, sa, nil)
}

// sort sorts the suffixes of the text.
func (a *array[T]) sort(ctx context.Context) error {
	defer a.sorter.Release()
	if err := a.sorter.Allocate(); err != nil {
		return err
	}
	if err := a.sorter.Run(ctx, a.text, a.sa, func(string, int64, int64) {}); err != nil {
		return err
	}
	return cmp.Or(a.s.Finish(), a.s.Check(ctx)) // what follows is timed by itself
}

// release frees the device memory; nil has none.
func (a *array[T]) release() {
	if a != nil {
		a.layout.Release(a.s)
	}
}
