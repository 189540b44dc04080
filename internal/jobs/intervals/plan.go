package intervals

import (
	"slices"

	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/internal/call"
	"github.com/suffixcl/suffixcl/internal/input"
	"github.com/suffixcl/suffixcl/internal/intervals"
	"github.com/suffixcl/suffixcl/internal/jobs/arrays"
	"github.com/suffixcl/suffixcl/internal/limits"
)

// intervalling finds the intervals of a text of symbols.
type intervalling[T input.Symbol] struct {
	n         int
	q         intervalQuery
	part      int
	made      arrays.SymbolComparison[T] // makes the arrays, or nil
	given     *device.Layout             // of arrays that are given, or nil
	text      *device.Slot[T]
	sa, lcp   *device.Slot[uint32]
	extra     *device.Layout
	documents *device.Slot[uint32] // nil where they are not counted
	starts    *device.Slot[uint32] // of the texts of a set
	before    *device.Slot[uint32] // nil where it is not asked for
	work      *device.WorkspaceSlot
	out       []*device.Slot[uint32]
	kept      *device.Slot[uint64]

	finder *intervals.Plan
	best   *intervals.Best
	common *intervals.Common
	index  *intervals.Index
	ws     *device.Workspace
	plan   device.MemoryPlan
}

// newMakingIntervals plans the intervals of a text of n symbols, of so many bytes on the host, whose arrays are made.
func newMakingIntervals[T input.Symbol](
	e *call.Engine, made arrays.SymbolComparison[T], n int, host int64, q intervalQuery,
) (*intervalling[T], error) {
	o := &intervalling[T]{n: n, q: q, made: made, plan: slices.Clip(made.Plan())}
	return o, o.planFinder(e, made.Stay(), host)
}

// newGivenIntervals plans the intervals of arrays that are given.
func newGivenIntervals[T input.Symbol](e *call.Engine, n int, q intervalQuery) (*intervalling[T], error) {
	if err := limits.CheckLen("text", n, limits.MaxLen); err != nil {
		return nil, err
	}
	o := &intervalling[T]{n: n, q: q, given: device.NewLayout("")}
	o.sa, o.lcp = device.Reserve[uint32](o.given, "suffix array", n), device.Reserve[uint32](o.given, "LCP", n)
	if o.q.asksBefore() {
		o.text = device.Reserve[T](o.given, "text", n)
	}
	host := int64(8 + input.Width[T]())
	if q.set {
		host += 4
	}
	return o, o.planFinder(e, o.given.Memory().Buffers, host*int64(n))
}

// planFinder plans what comes after the arrays, of which the host has so many bytes.
func (o *intervalling[T]) planFinder(e *call.Engine, stay []device.BufferMemory, host int64) (err error) {
	filter, err := o.q.filter()
	if err != nil {
		return err
	}
	options := intervals.Options{Filter: filter, SymbolBits: o.q.symbolBits}
	if o.q.set {
		options.Documents = max(o.q.documents, 1)
	}
	if options.SymbolBits == 0 {
		options.SymbolBits = 8 * input.Width[T]()
	}
	o.part = intervals.AtOnce[0]
	if e.Session.Caps().CPUShape {
		o.part = intervals.AtOnce[1]
	}
	o.part = min(o.part, o.n)
	if o.finder, err = intervals.New(e.Session, o.n, o.part, options); err != nil {
		return err
	}
	o.extra = device.NewLayout("intervals")
	pieces := o.finder.Workspace()
	rows := o.part
	switch {
	case o.q.options.Best > 0:
		if o.best, err = intervals.NewBest(o.finder, o.q.options.Best, intervals.Score(o.q.options.By)); err != nil {
			return err
		}
		pieces = o.best.Workspace()
		rows = min(o.q.options.Best, max(o.n, 1))
	case o.q.common:
		o.common = intervals.NewCommon(o.finder)
		pieces = o.common.Workspace()
	}
	if o.q.set {
		o.documents = device.Reserve[uint32](o.extra, "document array", o.n)
		o.starts = device.Reserve[uint32](o.extra, "starts of texts", options.Documents)
	}
	if o.q.asksBefore() {
		o.before = device.Reserve[uint32](o.extra, "symbols before", o.n)
	}
	o.work = device.ReserveWorkspace(o.extra, pieces)
	columns := int64(4)
	if o.best == nil {
		for _, name := range []string{"left bounds", "right bounds", "depths", "positions", "numbers of documents"} {
			if name != "numbers of documents" || o.q.set {
				o.out = append(o.out, device.Reserve[uint32](o.extra, name, o.part))
			}
		}
		o.kept = device.Reserve[uint64](o.extra, "number of intervals", 1)
	}
	if o.q.set {
		columns++
	}
	found := device.PhaseMemory{Phase: "intervals", Buffers: append(stay, o.extra.Memory().Buffers...)}
	found.Host = host + 4*columns*int64(rows)
	o.plan = append(o.plan, found)
	return nil
}

func (o *intervalling[T]) Plan() device.MemoryPlan { return o.plan }

func (o *intervalling[T]) Free(s *device.Session) {
	o.extra.Release(s)
	if o.made != nil {
		o.made.Free(s)
	} else {
		o.given.Release(s)
	}
}

// load makes the arrays, or uploads those that are given.
func (o *intervalling[T]) load(c *call.Call, text []T, given *arrays.Result) (a intervals.Arrays, err error) {
	if given == nil {
		a.SA, _, a.LCP, err = o.made.Run(c)
		return a, err
	}
	if err := o.given.Allocate(c.Session); err != nil {
		return a, err
	}
	if o.text != nil {
		if err := call.Upload(c, o.text.Buffer(c.Session), text); err != nil {
			return a, err
		}
	}
	a.SA, a.LCP = o.sa.Buffer(c.Session), o.lcp.Buffer(c.Session)
	if err := call.Upload(c, a.SA, given.SA); err != nil {
		return a, err
	}
	return a, call.Upload(c, a.LCP, given.LCP)
}

// Symbols are the text.
func (o *intervalling[T]) Symbols(s *device.Session) *device.Buffer[T] {
	if o.made != nil {
		return o.made.Symbols(s)
	}
	return o.text.Buffer(s)
}

// count makes what filters and results need, of the arrays on the device.
func (o *intervalling[T]) count(c *call.Call, starts []uint32, given *arrays.Result, a *intervals.Arrays) error {
	if err := o.extra.Allocate(c.Session); err != nil {
		return err
	}
	c.Phase("intervals")
	o.ws = o.work.Workspace(c.Session)
	if o.documents != nil {
		a.Documents = o.documents.Buffer(c.Session)
		if given != nil && given.Documents != nil {
			if err := call.Upload(c, a.Documents, given.Documents); err != nil {
				return err
			}
		} else if err := call.Upload(c, o.starts.Buffer(c.Session), starts); err != nil {
			return err
		}
		c.Phase("intervals")
	}
	return c.Compute(func() error {
		if a.Documents != nil && (given == nil || given.Documents == nil) {
			intervals.NewDocuments(c.Session).Run(a.SA, o.starts.Buffer(c.Session), a.Documents)
		}
		if o.before != nil {
			a.Before = o.before.Buffer(c.Session)
			intervals.NewBefore[T](c.Session).Run(o.Symbols(c.Session), a.SA, a.Before)
		}
		o.index = o.finder.Index(o.ws, *a)
		return c.Session.Check(c.Ctx)
	})
}

// each yields the intervals of one part of the slots after the other, or the best or deepest of all.
func (o *intervalling[T]) each(c *call.Call, yield func(*Intervals) error) error {
	switch {
	case o.best != nil:
		o.best.Begin(o.ws)
	case o.common != nil:
		o.common.Begin(o.ws)
	}
	for first := 0; first < o.n; first += o.part {
		count := min(o.part, o.n-first)
		if err := o.list(c, first, count, yield); err != nil {
			return err
		}
		c.Progress("intervals", int64(first+count), int64(o.n))
	}
	switch {
	case o.best != nil:
		out, m := o.best.Result()
		return o.download(c, out, m, yield)
	case o.common != nil && o.n > 0:
		return o.download(c, o.common.Result(), o.q.documents+1, yield)
	}
	return nil
}

// list finds the intervals of count slots, and yields them unless all are to be compared first.
func (o *intervalling[T]) list(c *call.Call, first, count int, yield func(*Intervals) error) error {
	if o.best != nil {
		return c.Compute(func() error { return o.best.Add(c.Ctx, o.ws, o.index, first, count) })
	}
	columns := make([]*device.Buffer[uint32], 5)
	for i, slot := range o.out {
		columns[i] = slot.Buffer(c.Session)
	}
	out := intervals.Output{Left: columns[0], Right: columns[1], Depth: columns[2], Position: columns[3],
		Documents: columns[4]}
	kept, m := o.kept.Buffer(c.Session), make([]uint64, 1)
	err := c.Compute(func() error {
		o.index.List(o.ws, first, count, 0, out, kept)
		return kept.Download(c.Ctx, m, nil)
	})
	if err != nil {
		return err
	}
	if o.common != nil {
		return c.Compute(func() error {
			o.common.Add(out, int(m[0]))
			return c.Session.Check(c.Ctx)
		})
	}
	return o.download(c, out, int(m[0]), yield)
}

// Download yields the first m intervals.
func (o *intervalling[T]) download(c *call.Call, out intervals.Output, m int, yield func(*Intervals) error) error {
	buffers := []*device.Buffer[uint32]{out.Left, out.Right, out.Depth, out.Position}
	if out.Documents != nil {
		buffers = append(buffers, out.Documents)
	}
	return c.EachBlock(m, 1, buffers, func(_ int, blocks [][]uint32) error {
		part := &Intervals{}
		for i, column := range part.columns()[:len(blocks)] {
			*column = blocks[i]
		}
		return yield(part)
	})
}
