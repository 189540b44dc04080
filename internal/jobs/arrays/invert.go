package arrays

import (
	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/internal/bwt"
	"github.com/suffixcl/suffixcl/internal/call"
	"github.com/suffixcl/suffixcl/internal/input"
)

// Invert is suffixcl.Engine.Invert, in memory of the caller for a transform of bytes; nil: in new memory.
func Invert(e *call.Engine, r *Result, into []byte) call.Job[input.Text, input.Text] {
	if r == nil {
		r = &Result{}
	}
	type job = call.Job[input.Text, input.Text]
	switch kind := r.Order.Kind; {
	case kind == input.SpecialsLargestKind:
		return call.Refused[input.Text, input.Text](e, input.NoOrder(r.Order, "transform that is inverted"))
	case kind == input.EndLargestKind && r.BWT.SymbolBytes() != 1:
		return call.Refused[input.Text, input.Text](e, input.NoOrder(r.Order, "text of symbols"))
	}
	return input.OfSymbols(r.BWT,
		func([]uint8) job {
			return simpleJob[*inverting[uint8], input.Text]{op: invertedBWT, n: r.BWT.Len(), plan: newInverting,
				run: func(c *call.Call, o *inverting[uint8]) (input.Text, error) { return inverted(c, o, r, into) },
			}.of(e).NeedsSymbols(r.BWT)
		},
		func([]uint16) job { return inversion[uint16](e, r) },
		func([]uint32) job { return inversion[uint32](e, r) },
		func(wrong error) job { return call.Refused[input.Text, input.Text](e, wrong) })
}

// inversion is Invert of a transform of symbols of several bytes.
func inversion[T uint16 | uint32](e *call.Engine, r *Result) call.Job[input.Text, input.Text] {
	return call.NewJob(e, func() (*inverting[T], error) { return newInvertingSymbols[T](e, r.BWT.Len()) },
		func(c *call.Call, o *inverting[T], yield func(input.Text) error) error {
			text, err := inverted(c, o, r, nil)
			if err != nil {
				return err
			}
			return yield(text)
		}, call.Only[input.Text]).NeedsSymbols(r.BWT)
}

// inverted is the text of a transform, in memory of the caller or, if that is nil, new memory.
func inverted[T input.Symbol](c *call.Call, o *inverting[T], r *Result, into []T) (input.Text, error) {
	transform, primary := r.smallestEnd()
	out, err := o.Run(c, input.SymbolsOf[T](transform), primary)
	if err != nil {
		return input.Text{}, err
	}
	text, err := call.Download(c, into, out)
	if err != nil {
		return input.Text{}, err
	}
	if bytes, ok := any(text).([]uint8); ok && r.Order.Kind == input.EndLargestKind {
		complement(bytes)
	}
	return r.Order.Turn(input.Text{Symbols: text}), nil
}

// inverting is the text of a transform.
type inverting[T input.Symbol] struct {
	layout    *device.Layout
	transform *device.Slot[T]
	text      *device.Slot[T]
	inverse   *bwt.SymbolInverse[T]
	ready     bool
	plan      device.MemoryPlan
}

func newInverting(e *call.Engine, n int) (*inverting[uint8], error) {
	return newInvertingSymbols[uint8](e, n)
}

func newInvertingSymbols[T input.Symbol](e *call.Engine, n int) (*inverting[T], error) {
	inverse, err := bwt.NewSymbolInverse[T](e.Session, n)
	if err != nil {
		return nil, err
	}
	l := device.NewLayout("")
	o := &inverting[T]{
		layout:    l,
		inverse:   inverse,
		transform: device.Reserve[T](l, "transform", n),
		text:      device.Reserve[T](l, "text", n),
	}
	o.plan = device.MemoryPlan{call.PhaseOf(inverse.Memory(), 2*int64(n)*int64(input.Width[T]()), l)}
	return o, nil
}

func (o *inverting[T]) Plan() device.MemoryPlan { return o.plan }

func (o *inverting[T]) Run(c *call.Call, transform []T, primary int) (*device.Buffer[T], error) {
	if !o.ready {
		if err := o.layout.Allocate(c.Session); err != nil {
			return nil, err
		}
		if err := o.inverse.Allocate(); err != nil {
			return nil, err
		}
		o.ready = true
	}
	in, out := o.transform.Buffer(c.Session).View(0, len(transform)), o.text.Buffer(c.Session).View(0, len(transform))
	if err := call.Upload(c, in, transform); err != nil {
		return nil, err
	}
	c.Progress("inverse bwt", 0, 0)
	return out, c.Compute(func() error { return o.inverse.Run(c.Ctx, in, primary, out) })
}

func (o *inverting[T]) Free(s *device.Session) {
	o.inverse.Release()
	o.layout.Release(s)
	o.ready = false
}
