package arrays

import (
	"context"

	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/internal/call"
	"github.com/suffixcl/suffixcl/internal/input"
	"github.com/suffixcl/suffixcl/internal/jobs/inranges"
	"github.com/suffixcl/suffixcl/internal/ranges"
	"github.com/suffixcl/suffixcl/internal/sorter"
)

// simpleJob is a job whose plan is kept for the next one of its kind, and its memory where that has one phase.
type simpleJob[O call.Operation, W any] struct {
	op   call.Kind
	n    int
	plan func(e *call.Engine, n int) (O, error)
	run  func(c *call.Call, o O) (W, error)
	// wanted is what is sorted in ranges where the engine does so, and inRanges does it: whole is the error of the plan
	// in one piece. nil: it is not.
	wanted   *ranges.Options
	inRanges func(c *call.Call, whole error) (W, error)
}

// of is the job of an engine.
func (j simpleJob[O, W]) of(e *call.Engine) call.Job[W, W] {
	return call.Job[W, W]{Engine: e, Kept: j.op, Collect: call.Only[W],
		Operation: func() (call.Operation, error) {
			o, _, err := call.Planned(e, j.n, j.plan)
			if j.wanted == nil {
				return call.AsOperation(o, err)
			}
			whole, err := call.AsOperation(o, err)
			return inranges.Or(e, *j.wanted, j.n, whole, err)
		},
		Run: func(ctx context.Context, yield func(W) error) error {
			c, err := e.Begin(ctx)
			if err != nil {
				return err
			}
			defer c.End()
			return j.each(c, yield)
		}}
}

// each runs the job, in one piece or in ranges.
func (j simpleJob[O, W]) each(c *call.Call, yield func(W) error) (err error) {
	var made W
	o, err := call.Prepare(c, j.op, j.n, j.plan)
	switch {
	case j.inRanges != nil && c.Engine.InRanges(err):
		made, err = j.inRanges(c, err)
	case err == nil:
		defer c.Done(j.op, o, &err)
		made, err = j.run(c, o)
	}
	if err != nil {
		return err
	}
	c.CallsBack()
	return yield(made)
}

// simpleArray is one array of a text of n bytes.
type simpleArray struct {
	text []byte // nil where only its length is known
	n    int
	want Want
}

// simpleArrays is Arrays of what Want.simple tells.
func simpleArrays(e *call.Engine, op call.Kind, text input.Text, want Want) (j call.Job[*Result, *Result]) {
	a := simpleArray{text.Bytes(), text.Len(), want}
	switch op {
	case sortedArray:
		alone := simpleJob[*Source, *Result]{op, a.n, newSuffixArray, a.Sort, &ranges.Options{}, a.sortInRanges}
		j = alone.of(e)
		j.Loop = a.loop(e, j.Run)
		j.Run = a.gathered(e, op, alone.each, j.Run)
	case sortedLCP:
		j = simpleJob[*comparing, *Result]{op, a.n, newLCP, a.Compare, &ranges.Options{LCP: true, NoPositions: true},
			a.compareInRanges}.of(e)
	case sortedBWT:
		alone := simpleJob[*Source, *Result]{op, a.n, newBWT, a.transform,
			&ranges.Options{Transform: true, NoPositions: true}, a.transformInRanges}
		j = alone.of(e)
		j.Run = a.gathered(e, op, alone.each, j.Run)
	case knownLCP:
		j = simpleJob[*comparing, *Result]{op, a.n, newKnownLCP, a.Compare, nil, nil}.of(e)
	case knownBWT:
		j = simpleJob[*transforming, *Result]{op, a.n, newTransforming, a.transformKnown, nil, nil}.of(e)
	default:
		j = simpleJob[*Source, *Result]{op, a.n, newVerify, a.verify, nil, nil}.of(e)
	}
	return j.NeedsSymbols(text)
}

func (a simpleArray) Sort(c *call.Call, o *Source) (*Result, error) {
	into := call.PlacedOf(c, o, o.sa, a.n, a.want.into().SA)
	if _, err := o.Sort(c, a.text); err != nil {
		return nil, err
	}
	_, array := o.ArraysOf(c.Session, a.n)
	sa, err := call.Download(c, into, array)
	return &Result{SA: sa}, err
}

func (a simpleArray) sortInRanges(c *call.Call, whole error) (*Result, error) {
	sa, err := inranges.Array(c, a.want.into().SA, a.text, false, whole)
	return &Result{SA: sa}, err
}

// loop hands out the suffix array in blocks: from the device, or, where it is sorted in ranges, from the host.
func (a simpleArray) loop(e *call.Engine, whole func(context.Context, func(*Result) error) error,
) func(context.Context, func(*Result) error) error {
	blocks := suffixArrayBlocks(e, input.Bytes(a.text), a.want, sorter.OfBytes)
	return func(ctx context.Context, yield func(*Result) error) error {
		begun := false
		err := blocks(ctx, func(r *Result) error {
			begun = true
			return yield(r)
		})
		if err == nil || begun || !e.InRanges(err) {
			return err
		}
		return whole(ctx, func(r *Result) error {
			for first := 0; first < a.n; first += call.BlockLength {
				if err := yield(&Result{SA: r.SA[first:min(first+call.BlockLength, a.n)], First: first}); err != nil {
					return err
				}
			}
			return nil
		})
	}
}

func (a simpleArray) Compare(c *call.Call, o *comparing) (*Result, error) {
	into := call.PlacedOf(c, o, o.lcp, a.n, a.want.into().LCP)
	lengths, err := o.Compare(c, a.text, a.want.Known)
	if err != nil {
		return nil, err
	}
	lcp, err := call.Download(c, into, lengths)
	return (&Result{LCP: lcp}).withKnown(a.want), err
}

func (a simpleArray) compareInRanges(c *call.Call, whole error) (*Result, error) {
	lcp, err := inranges.Array(c, a.want.into().LCP, a.text, true, whole)
	return &Result{LCP: lcp}, err
}

func (a simpleArray) transform(c *call.Call, o *Source) (*Result, error) {
	into := call.PlacedOf(c, o, o.transform, a.n, a.want.into().BWT.Bytes())
	primary, err := o.Sort(c, a.text)
	if err != nil {
		return nil, err
	}
	transform, err := call.Download(c, into, o.transform.Buffer(c.Session).View(0, a.n))
	return &Result{BWT: input.Bytes(transform), Primary: primary}, err
}

func (a simpleArray) transformInRanges(c *call.Call, whole error) (*Result, error) {
	transform, primary, err := inranges.Transform(c, a.want.into().BWT.Bytes(), a.text)
	if device.IsTooLarge(err) && device.IsTooLarge(whole) {
		err = whole // a sorter in one piece takes less, then
	}
	return &Result{BWT: input.Bytes(transform), Primary: primary}, err
}

func (a simpleArray) transformKnown(c *call.Call, o *transforming) (*Result, error) {
	out, primary, err := o.Run(c, a.text, a.want.Known)
	if err != nil {
		return nil, err
	}
	transform, err := call.Download(c, a.want.into().BWT.Bytes(), out)
	return (&Result{BWT: input.Bytes(transform), Primary: primary}).withKnown(a.want), err
}

func (a simpleArray) verify(c *call.Call, o *Source) (*Result, error) {
	return (&Result{}).withKnown(a.want), o.verify(c, a.text, a.want.Known)
}
