package thresholds

import (
	"bytes"
	"errors"
	"fmt"

	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/internal/call"
	"github.com/suffixcl/suffixcl/internal/input"
	"github.com/suffixcl/suffixcl/internal/jobs/arrays"
	"github.com/suffixcl/suffixcl/internal/limits"
	"github.com/suffixcl/suffixcl/internal/parallel"
	"github.com/suffixcl/suffixcl/internal/thresholds"
)

// Runs are suffixcl.Runs.
type Runs struct {
	Letters            []byte
	Starts, Thresholds []uint32
}

// Find is suffixcl.Engine.Arrays with Want.Runs.
func Find(e *call.Engine, text input.Text) call.Job[*Runs, *Runs] {
	wrong := text.InMemory()
	if wrong == nil && (text.IsSet() || text.SymbolBytes() != 1) {
		wrong = errors.New("suffixcl: thresholds are those of a text of bytes")
	}
	if wrong == nil {
		wrong = limits.CheckLen("text", text.Len(), limits.MaxLen)
	}
	if wrong != nil {
		return call.Refused[*Runs, *Runs](e, wrong)
	}
	plan := func() (*listing, error) { return newListing(e, text.Bytes(), text.Len()) }
	return call.NewJob(e, plan, func(c *call.Call, o *listing, yield func(*Runs) error) error {
		if err := holdsNoEnd(text.Bytes()); err != nil {
			return err
		}
		return o.each(c, yield)
	}, all).NeedsSymbols(text)
}

// all are the runs of all parts.
func all(run func(yield func(*Runs) error) error) (*Runs, error) {
	r := &Runs{}
	err := run(func(part *Runs) error {
		r.Letters = append(r.Letters, part.Letters...)
		r.Starts, r.Thresholds = append(r.Starts, part.Starts...), append(r.Thresholds, part.Thresholds...)
		return nil
	})
	if err != nil {
		return nil, err
	}
	return r, nil
}

// holdsNoEnd looks for the letter of the end in a text.
func holdsNoEnd(text []byte) error {
	return parallel.Try(len(text), 1<<16, func(lo, hi int) error {
		if at := bytes.IndexByte(text[lo:hi], thresholds.End); at >= 0 {
			return fmt.Errorf("suffixcl: the text holds a byte 0 at offset %d, which is the letter of its end", lo+at)
		}
		return nil
	})
}

// listing lists the runs of a text.
type listing struct {
	n                         int
	from                      *arrays.BytesCompared
	finder                    *thresholds.Plan
	extra                     *device.Layout
	work                      *device.WorkspaceSlot
	heads, starts, thresholds *device.Slot[uint32]
	plan                      device.MemoryPlan
}

// columns of a result, of 4 bytes each on the device.
const columns = 3

// newListing plans the runs of a text of n bytes.
func newListing(e *call.Engine, text []byte, n int) (o *listing, err error) {
	o = &listing{n: n, extra: device.NewLayout("thresholds")}
	if o.from, err = arrays.NewBytesCompared(e, text, n); err != nil {
		return nil, err
	}
	part := thresholds.AtOnce[0]
	if e.Session.Caps().CPUShape {
		part = thresholds.AtOnce[1]
	}
	if o.finder, err = thresholds.New(e.Session, n, part); err != nil {
		return nil, err
	}
	part = o.finder.Part()
	o.heads = device.Reserve[uint32](o.extra, "letters of runs", part)
	o.starts = device.Reserve[uint32](o.extra, "starts of runs", part)
	o.thresholds = device.Reserve[uint32](o.extra, "thresholds", part)
	o.work = device.ReserveWorkspace(o.extra, o.finder.Workspace())
	for _, phase := range o.from.Plan() {
		phase.Host = int64(n)
		o.plan = append(o.plan, phase)
	}
	buffers := append(o.from.Input.Memory().Buffers, o.from.Stay()...)
	listed := device.PhaseMemory{Phase: "thresholds", Buffers: append(buffers, o.extra.Memory().Buffers...)}
	block := int64(min(part, call.BlockLength))
	listed.Host = int64(n) + (2*columns*4+1)*block
	o.plan = append(o.plan, listed)
	return o, nil
}

func (o *listing) Plan() device.MemoryPlan { return o.plan }

func (o *listing) Free(s *device.Session) {
	o.extra.Release(s)
	o.from.Free(s)
}

// each yields the runs in their order, some at a time.
func (o *listing) each(c *call.Call, yield func(*Runs) error) error {
	lcp, err := o.from.Compare(c, o.from.Text, nil)
	if err != nil {
		return err
	}
	if err := o.extra.Allocate(c.Session); err != nil {
		return err
	}
	c.Phase("thresholds")
	text, sa := o.from.ArraysOf(c.Session, o.n)
	ws, out := o.work.Workspace(c.Session), thresholds.Output{Heads: o.heads.Buffer(c.Session),
		Starts: o.starts.Buffer(c.Session), Thresholds: o.thresholds.Buffer(c.Session)}
	var x *thresholds.Index
	if err := c.Compute(func() error {
		x = o.finder.Index(ws, text, sa, lcp)
		return c.Session.Check(c.Ctx)
	}); err != nil {
		return err
	}
	var part Runs
	use := func(_ int, blocks [][]uint32) error {
		part.Letters = call.Resize(part.Letters, len(blocks[0]))
		for k, letter := range blocks[0] {
			part.Letters[k] = byte(letter)
		}
		part.Starts, part.Thresholds = blocks[1], blocks[2]
		return yield(&part)
	}
	for first := 0; first < x.Rows(); first += o.finder.Part() {
		count, m := min(o.finder.Part(), x.Rows()-first), 0
		err := c.Compute(func() (err error) {
			m, err = x.List(c.Ctx, ws, count, out)
			return err
		})
		if err != nil {
			return err
		}
		columns := []*device.Buffer[uint32]{out.Heads, out.Starts, out.Thresholds}
		if err := c.EachBlock(m, 1, columns, use); err != nil {
			return err
		}
		c.Progress("thresholds", int64(first+count), int64(x.Rows()))
	}
	return nil
}
