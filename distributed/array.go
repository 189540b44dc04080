package distributed

import (
	"cmp"
	"context"

	"github.com/suffixcl/suffixcl"
	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/internal/async"
	"github.com/suffixcl/suffixcl/internal/limits"
	"github.com/suffixcl/suffixcl/internal/parallel"
	"github.com/suffixcl/suffixcl/internal/tuned"
	"github.com/suffixcl/suffixcl/sais"
	"github.com/suffixcl/suffixcl/suffixsort"
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

// sortSymbols returns the suffix array of a text of symbols.
func sortSymbols[T uint16 | uint32](r *rank, text []T) ([]uint32, error) {
	p, err := planSymbols[T](r.session, len(text))
	if err != nil {
		return nil, err
	}
	a, err := p.allocate(r.session)
	if err != nil {
		return nil, err
	}
	defer a.release()
	if err := a.text.Upload(r.ctx, text, nil); err != nil {
		return nil, err
	}
	if err := a.sort(r.ctx); err != nil {
		return nil, err
	}
	sa := make([]uint32, len(text))
	return sa, a.sa.Download(r.ctx, sa, nil)
}

// wideChunk is the number of entries that a download takes at a time, where host and device share memory and elsewhere.
var wideChunk = map[bool]int{true: 1 << 17, false: 1 << 22}

// chunks are host memory for downloads, pinned where that is faster.
type chunks struct {
	memory [2][]uint32
	pinned []*device.Pinned[uint32]
}

// newChunks has memory for downloads of n entries. Pinned memory may be scarce: downloads do without.
func newChunks(s *device.Session, n int) *chunks {
	c := new(chunks)
	for i := range c.memory {
		if !tuned.Quirks(s.Caps()).UnifiedMemory {
			if pinned, err := device.AllocPinned[uint32](s, n); err == nil {
				c.memory[i], c.pinned = pinned.Slice(), append(c.pinned, pinned)
				continue
			}
		}
		c.memory[i] = make([]uint32, n)
	}
	return c
}

func (c *chunks) release() {
	if c == nil {
		return
	}
	for _, p := range c.pinned {
		p.Release()
	}
}

// downloadWide copies entries of 32 bits to ones of 64. While the host widens a chunk, the next one comes.
func (b *Builder) downloadWide(ctx context.Context, from *device.Buffer[uint32], to []uint64) error {
	if err := b.session.Finish(); err != nil {
		return err
	}
	c, chunk := b.chunks, wideChunk[tuned.Quirks(b.session.Caps()).UnifiedMemory]
	if c == nil {
		c = newChunks(b.session, min(len(to), chunk))
		if len(to) >= chunk {
			b.chunks = c // pinning takes longer than copying
		} else {
			defer c.release()
		}
	}
	start := func(k, at int) async.Transfer {
		n := min(chunk, len(to)-at)
		return async.StartDownload(from.View(at, n), c.memory[k%2][:n])
	}
	var next async.Transfer
	if len(to) > 0 {
		next = start(0, 0)
	}
	for k, at := 0, 0; at < len(to); k, at = k+1, at+chunk {
		if err := next.Wait(); err != nil {
			return err
		}
		n, more := min(chunk, len(to)-at), at+chunk
		if err := ctx.Err(); err != nil {
			return context.Cause(ctx)
		}
		if more < len(to) {
			next = start(k+1, more)
		}
		widen(to[at:at+n], c.memory[k%2])
	}
	return nil
}

// widen copies entries.
func widen[P position](to []uint64, from []P) {
	parallel.Do(len(to), 1<<16, func(lo, hi int) {
		for i, v := range from[lo:hi] {
			to[lo+i] = uint64(v)
		}
	})
}
