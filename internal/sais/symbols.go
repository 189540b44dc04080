package sais

import (
	"context"
	"fmt"

	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/internal/cltype"
	"github.com/suffixcl/suffixcl/internal/limits"
	"github.com/suffixcl/suffixcl/internal/symbols"
	"github.com/suffixcl/suffixcl/internal/tuned"
	"github.com/suffixcl/suffixcl/scan"
)

// phaseCode is the coding of symbols.
const phaseCode = "alphabet"

// Symbols sorts the suffixes of texts of up to n symbols of 16 or 32 bits. Symbols are replaced by their ranks among
// the distinct ones, of which each has a bucket. Ranks of up to 256 are sorted as bytes. It may be used again and
// again; it holds its device memory until Release.
type Symbols[T uint16 | uint32] struct {
	sorter  *Sorter
	coder   *symbols.Coder[T]
	buckets *device.Slot[uint32] // pointers and starts of 16-bit symbols
	sums    *scan.Plan[uint32]
	steps   *steps[T]
	heads   *device.Kernel // of 32-bit symbols
}

// NewSymbols plans the sorter and sizes its memory; Allocate takes it. Errors: n over Longest.
func NewSymbols[T uint16 | uint32](s *device.Session, n int) (*Symbols[T], error) {
	if err := limits.CheckLen("text", n, maxLen); err != nil {
		return nil, err
	}
	distinct := min(n, mostDistinct[T]())
	p := &Symbols[T]{
		coder: symbols.New[T](s, n), sums: scan.NewPlan[uint32](s, distinct, scan.Options{}), steps: newSteps[T](s),
	}
	of := needs{work: mostNames(n, distinct), heads: n / 2, coding: p.coder.Workspace().Or(p.sums.Workspace())}
	if hasHeads[T]() { // the top has some, pointers and what the coder needs are in the work area
		of.work, of.heads = n, n
		p.heads = s.Program(source[T](*tuned.Of(s))).Kernel("sais_heads", 1)
	}
	var err error
	if p.sorter, err = newSorter(s, n, of); err != nil {
		return nil, err
	}
	p.coder.Reserve(p.sorter.layout)
	if !hasHeads[T]() {
		p.buckets = device.Reserve[uint32](p.sorter.layout, "buckets of symbols", 2*distinct)
	}
	return p, nil
}

// mostDistinct is how many symbols of the type there are.
func mostDistinct[T uint16 | uint32]() int { return 1 << (8 * cltype.Size[T]()) }

// TextLen is the length of the buffer of a text of n symbols.
func (p *Symbols[T]) TextLen(n int) int { return n }

// Memory is the sorter's device memory, without text and result.
func (p *Symbols[T]) Memory() device.PhaseMemory { return p.sorter.Memory() }

// Allocate takes the device memory.
func (p *Symbols[T]) Allocate() error { return p.sorter.Allocate() }

// Release frees the device memory.
func (p *Symbols[T]) Release() { p.sorter.Release() }

// Run sorts the suffixes of text[:n] into sa [n]uint32, n being the length of sa. Allocate must have been called. text
// holds something else afterwards. It waits for most of the work.
//
// Errors: a text longer than planned, the context's, the device's (with the phase).
func (p *Symbols[T]) Run(ctx context.Context, text *device.Buffer[T], sa *device.Buffer[uint32],
	progress func(phase string, done, total int64)) error {
	n, k := sa.Len(), p.sorter
	if n > k.n || text.Len() < n {
		return fmt.Errorf("sais: suffix array of %d entries, text of %d symbols, planned for %d", n, text.Len(), k.n)
	}
	k.s.Phase(phaseCode)
	if err := k.s.Check(ctx); err != nil || n == 0 {
		return err
	}
	r := k.newRun(ctx, sa, progress)
	ws := k.workspace.Workspace(k.s)
	distinct, err := p.coder.Run(ws, text, n, [2]*device.Buffer[uint32]{r.sa, r.work})
	switch {
	case err != nil:
		return err
	case distinct <= symbols.ByteRanks:
		return k.Run(ctx, p.coder.Bytes(text, n, r.sa), sa, progress)
	}
	buckets := r.work
	if !hasHeads[T]() {
		buckets = p.buckets.Buffer(k.s)
	}
	starts := buckets.View(0, distinct)
	starts.Fill(0)
	p.coder.Count(text, n, starts)
	p.sums.Run(ws, starts, starts, distinct)
	if hasHeads[T]() {
		p.heads.Launch(1, 4*int64(distinct), starts, uint32(distinct), r.heads, uint32(n))
	} else {
		device.Copy(buckets.View(distinct, distinct), starts, distinct)
	}
	err = sort(&level[T]{run: r, steps: p.steps, text: text, n: n, sigma: distinct, buckets: buckets, top: true})
	if err != nil {
		return err
	}
	return k.s.Check(ctx)
}
