package arrays

import (
	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/internal/bwt"
	"github.com/suffixcl/suffixcl/internal/call"
	"github.com/suffixcl/suffixcl/internal/input"
	"github.com/suffixcl/suffixcl/internal/lcp"
	"github.com/suffixcl/suffixcl/internal/limits"
	"github.com/suffixcl/suffixcl/internal/sorter"
	"github.com/suffixcl/suffixcl/internal/verify"
)

// Building makes the arrays of a text of up to n symbols, one after the other.
type Building[T input.Symbol] struct {
	n      int
	want   Want
	Arrays *device.Layout
	Text   *device.Slot[T]
	SA     *device.Slot[uint32]
	loader call.Step // sorter or checker

	sorter    sorter.Symbols[T] // nil where the suffix array is given
	algorithm sorter.Algorithm
	checker   *verify.SymbolChecker[T] // nil where it is sorted

	lengths   *lcp.SymbolPlan[T]
	lcpLayout *device.Layout
	plcp, lcp *device.Slot[uint32]
	ws        *device.WorkspaceSlot

	forward   *bwt.SymbolForward[T]
	bwtLayout *device.Layout
	bwt       *device.Slot[T]

	placed []uint32 // memory of the caller that the suffix array is made in, or nil

	Phases device.MemoryPlan
}

func (o *Building[T]) Plan() device.MemoryPlan { return o.Phases }

// hostBytes is the host memory of a text of n symbols and of what is wanted.
func hostBytes[T input.Symbol](n int, want Want) int64 {
	each := input.Width[T]()
	entries := int64(0)
	if want.SA {
		entries = 4 * int64(want.entries(n))
	}
	if want.LCP {
		each += 4
	}
	if want.BWT {
		each += input.Width[T]()
	}
	return int64(n)*int64(each) + entries
}

// NewBuilding plans sorting and what is made of the suffix array.
func NewBuilding[T input.Symbol](e *call.Engine, n int, want Want, sorters sorter.Choice[T]) (*Building[T], error) {
	if err := limits.CheckLen("text", n, limits.MaxLen); err != nil {
		return nil, err
	}
	o := &Building[T]{n: n, want: want, Arrays: device.NewLayout("")}
	o.SA = device.Reserve[uint32](o.Arrays, "suffix array", n)
	host := hostBytes[T](n, want)
	var err error
	o.sorter, o.algorithm, err = sorters(e.Session, e.Algorithm, n, func(m device.PhaseMemory) bool {
		m.Buffers = append(m.Buffers, device.BufferMemory{Name: "text", Bytes: int64(n) * int64(input.Width[T]())})
		return device.MemoryPlan{call.PhaseOf(m, host, o.Arrays)}.Fits(e.Session) == nil
	})
	if err != nil {
		return nil, err
	}
	o.loader = o.sorter
	o.Text = device.Reserve[T](o.Arrays, "text", o.sorter.TextLen(n))
	return o, o.planDerived(e, host)
}

// NewChecking plans verifying suffix arrays that are given, and what is made of them.
func NewChecking[T input.Symbol](e *call.Engine, n int, want Want) (*Building[T], error) {
	if err := limits.CheckLen("text", n, limits.MaxLen); err != nil {
		return nil, err
	}
	o := &Building[T]{n: n, want: want, Arrays: device.NewLayout(""), checker: verify.NewSymbols[T](e.Session, n)}
	o.SA = device.Reserve[uint32](o.Arrays, "suffix array", n)
	o.Text = device.Reserve[T](o.Arrays, "text", n)
	o.loader = o.checker
	return o, o.planDerived(e, hostBytes[T](n, want)+4*int64(n))
}

// planDerived plans what is made of the suffix array.
func (o *Building[T]) planDerived(e *call.Engine, host int64) (err error) {
	o.Phases = device.MemoryPlan{call.PhaseOf(o.loader.Memory(), host, o.Arrays)}
	if o.want.LCP {
		if o.lengths, err = lcp.NewSymbols[T](e.Session, o.n); err != nil {
			return err
		}
		l := device.NewLayout("lcp")
		o.lcpLayout = l
		o.plcp, o.lcp = device.Reserve[uint32](l, "PLCP", o.n), device.Reserve[uint32](l, "LCP", o.n)
		o.ws = device.ReserveWorkspace(l, o.lengths.Workspace())
		o.Phases = append(o.Phases, call.PhaseOf(l.Memory(), host, o.Arrays))
	}
	if o.want.BWT {
		o.forward, o.bwtLayout = bwt.NewSymbolForward[T](e.Session), device.NewLayout("bwt")
		o.bwt = device.Reserve[T](o.bwtLayout, "transform", o.n)
		o.Phases = append(o.Phases, call.PhaseOf(o.forward.Memory(), host, o.Arrays, o.bwtLayout))
	}
	return nil
}

// buffers are the text, as sorters take it, and the suffix array.
func (o *Building[T]) buffers(s *device.Session) (*device.Buffer[T], *device.Buffer[uint32]) {
	return o.Text.Buffer(s), o.SA.Buffer(s)
}

// allocate takes the memory of sorting or checking.
func (o *Building[T]) allocate(s *device.Session) error {
	if err := o.Arrays.Allocate(s); err != nil {
		return err
	}
	return o.loader.Allocate()
}

// Sort sorts the suffixes of the text.
func (o *Building[T]) Sort(c *call.Call, text []T) error {
	c.Stats.Algorithm = o.algorithm
	if input.Width[T]() == 1 { // others are overwritten
		call.Placed(c, o.Text, text)
	}
	if o.want.wholeSA() {
		o.placed = call.Placed(c, o.SA, o.want.into().SA)
	}
	if err := o.allocate(c.Session); err != nil {
		return err
	}
	in, sa := o.buffers(c.Session)
	if err := call.Upload(c, in, text); err != nil {
		return err
	}
	err := c.Compute(func() error { return o.sorter.Run(c.Ctx, in, sa, c.Progress) })
	if err == nil {
		o.loader.Release()
	}
	return err
}

// Verify checks a suffix array.
func (o *Building[T]) Verify(c *call.Call, text []T, array []uint32) error {
	call.Placed(c, o.Text, text)
	call.Placed(c, o.SA, array)
	if err := o.allocate(c.Session); err != nil {
		return err
	}
	in, sa := o.buffers(c.Session)
	if err := call.Upload(c, in, text); err != nil {
		return err
	}
	if err := call.Upload(c, sa, array); err != nil {
		return err
	}
	c.Progress("verify", 0, 0)
	err := c.Compute(func() error { return o.checker.Run(c.Ctx, in, sa) })
	if err == nil {
		o.loader.Release()
	}
	return err
}

// derive makes and downloads what is wanted, given the suffix array on the device.
func (o *Building[T]) derive(c *call.Call, text []T) (r *Result, err error) {
	r = &Result{}
	_, sa := o.buffers(c.Session)
	if o.want.SA {
		if r.SA, err = downloadEntries(c, either(o.want.into().SA, o.placed), sa, o.want); err != nil {
			return nil, err
		}
	}
	if o.want.LCP || o.want.BWT {
		if err := o.restore(c, text); err != nil {
			return nil, err
		}
	}
	if o.want.LCP {
		if r.LCP, err = o.Compare(c); err != nil {
			return nil, err
		}
	}
	if o.want.BWT {
		transform, primary, err := o.permute(c)
		if err != nil {
			return nil, err
		}
		r.BWT, r.Primary = input.Text{Symbols: transform}, primary
	}
	return r, nil
}

// restore copies the text to the device again where the sorter has overwritten it.
func (o *Building[T]) restore(c *call.Call, text []T) error {
	if o.sorter == nil || input.Width[T]() == 1 {
		return nil
	}
	return call.Upload(c, o.Text.Buffer(c.Session), text)
}

// Compare makes the LCP array.
func (o *Building[T]) Compare(c *call.Call) ([]uint32, error) {
	placed := call.Placed(c, o.lcp, o.want.into().LCP)
	lengths, err := o.lengthsOnDevice(c)
	if err != nil {
		return nil, err
	}
	array, err := call.Download(c, placed, lengths)
	o.lcpLayout.Release(c.Session)
	return array, err
}

// lengthsOnDevice makes the LCP array, which stays on the device.
func (o *Building[T]) lengthsOnDevice(c *call.Call) (*device.Buffer[uint32], error) {
	if err := o.lcpLayout.Allocate(c.Session); err != nil {
		return nil, err
	}
	c.Phase("lcp")
	text, sa := o.buffers(c.Session)
	lengths := o.lcp.Buffer(c.Session)
	err := c.Compute(func() error {
		if err := c.Session.Check(c.Ctx); err != nil {
			return err
		}
		o.lengths.Run(o.ws.Workspace(c.Session), text.View(0, o.n), sa, o.plcp.Buffer(c.Session), lengths)
		return nil
	})
	return lengths, err
}

// permute makes the transform.
func (o *Building[T]) permute(c *call.Call) (transform []T, primary int, err error) {
	if transform = input.SymbolsOf[T](o.want.into().BWT); transform == nil { // which may be the text
		transform = call.Placed(c, o.bwt, nil)
	}
	if err := o.bwtLayout.Allocate(c.Session); err != nil {
		return nil, 0, err
	}
	if err := o.forward.Allocate(); err != nil {
		return nil, 0, err
	}
	text, sa := o.buffers(c.Session)
	out := o.bwt.Buffer(c.Session)
	c.Progress("bwt", 0, 0)
	err = c.Compute(func() (err error) {
		primary, err = o.forward.Run(c.Ctx, text.View(0, o.n), sa, out)
		return err
	})
	if err != nil {
		return nil, 0, err
	}
	transform, err = call.Download(c, transform, out)
	return transform, primary, err
}

// Free frees the memory, after an error too.
func (o *Building[T]) Free(s *device.Session) {
	o.loader.Release()
	o.Arrays.Release(s)
	if o.lcpLayout != nil {
		o.lcpLayout.Release(s)
	}
	if o.bwtLayout != nil {
		o.forward.Release()
		o.bwtLayout.Release(s)
	}
}

// symbolArrays is Arrays of a text without separators.
func symbolArrays[T input.Symbol](
	e *call.Engine, text input.Text, want Want, sorters sorter.Choice[T],
) call.Job[*Result, *Result] {
	j := call.NewJob(e, func() (*Building[T], error) {
		if want.Known != nil {
			return NewChecking[T](e, text.Len(), want.derived())
		}
		return NewBuilding(e, text.Len(), want, sorters)
	}, func(c *call.Call, o *Building[T], yield func(*Result) error) (err error) {
		symbols := input.SymbolsOf[T](want.Order.Turn(text))
		switch {
		case want.Known == nil:
			err = o.Sort(c, symbols)
		default:
			if err = want.known(len(symbols)); err == nil {
				err = o.Verify(c, symbols, want.Known)
			}
		}
		if err != nil {
			return err
		}
		r, err := o.derive(c, symbols)
		if err != nil {
			return err
		}
		want.Order.TurnBack(r.BWT)
		return yield(r.withKnown(want))
	}, call.Only[*Result])
	if want.wholeSA() && want.Known == nil && !want.LCP && !want.BWT {
		j.Loop = suffixArrayBlocks(e, text, want, sorters)
	}
	return j.NeedsSymbols(text)
}
