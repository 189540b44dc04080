package arrays

import (
	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/internal/call"
	"github.com/suffixcl/suffixcl/internal/input"
	"github.com/suffixcl/suffixcl/internal/lcp"
	"github.com/suffixcl/suffixcl/internal/sets"
	"github.com/suffixcl/suffixcl/internal/sorter"
)

// codeSorter sorts the code of a text with separators.
type codeSorter interface {
	call.Step
	// Sort enqueues coding the text, and makes the suffix array of the code.
	Sort(c *call.Call, coder *sets.Coder, occurs *[256]bool, text *device.Buffer[uint8], sa *device.Buffer[uint32]) error
	// Compare enqueues making the LCP array of the code, after sort.
	Compare(c *call.Call, coder *sets.Coder, occurs *[256]bool, text *device.Buffer[uint8],
		sa, lcp *device.Buffer[uint32]) error
	// comparing is the memory of compare.
	comparing() device.PhaseMemory
	chosen() sorter.Algorithm
}

// codeSorting is a codeSorter for symbols of type T.
type codeSorting[T uint8 | uint16] struct {
	sorter    sorter.Symbols[T]
	algorithm sorter.Algorithm
	session   *device.Session
	code      sets.Code
	layout    *device.Layout
	text      *device.Slot[T]

	lcp     *lcp.SymbolPlan[T] // nil where LCP arrays are not made from that of the code
	scratch *device.Layout
	plcp    *device.Slot[uint32]
	ws      *device.WorkspaceSlot
}

// newCodeSorting plans sorting a code, and comparing its suffixes. Besides, kept is in memory.
func newCodeSorting[T uint8 | uint16](e *call.Engine, code sets.Code, compare bool, host int64, kept []*device.Layout,
	sorters sorter.Choice[T]) (codeSorter, error) {
	n := code.Len()
	o := &codeSorting[T]{session: e.Session, code: code, layout: device.NewLayout("")}
	var err error
	o.sorter, o.algorithm, err = sorters(e.Session, e.Algorithm, n, func(m device.PhaseMemory) bool {
		m.Buffers = append(m.Buffers, device.BufferMemory{Name: "code", Bytes: int64(n) * int64(input.Width[T]())})
		return device.MemoryPlan{call.PhaseOf(m, host, kept...)}.Fits(e.Session) == nil
	})
	if err != nil {
		return nil, err
	}
	o.text = device.Reserve[T](o.layout, "code", o.sorter.TextLen(n))
	o.scratch = device.NewLayout("lcp")
	if compare {
		if o.lcp, err = lcp.NewSymbols[T](e.Session, n); err != nil {
			return nil, err
		}
		o.plcp = device.Reserve[uint32](o.scratch, "PLCP", n)
		o.ws = device.ReserveWorkspace(o.scratch, o.lcp.Workspace())
	}
	return o, nil
}

func (o *codeSorting[T]) chosen() sorter.Algorithm { return o.algorithm }

func (o *codeSorting[T]) Memory() device.PhaseMemory {
	return call.PhaseOf(o.sorter.Memory(), 0, o.layout)
}

func (o *codeSorting[T]) Allocate() error {
	if err := o.layout.Allocate(o.session); err != nil {
		return err
	}
	return o.sorter.Allocate()
}

func (o *codeSorting[T]) Release() {
	o.sorter.Release()
	o.layout.Release(o.session)
	o.scratch.Release(o.session)
}

func (o *codeSorting[T]) comparing() device.PhaseMemory {
	return call.PhaseOf(o.scratch.Memory(), 0, o.layout)
}

func (o *codeSorting[T]) Compare(c *call.Call, coder *sets.Coder, occurs *[256]bool, text *device.Buffer[uint8],
	sa, lcp *device.Buffer[uint32]) error {
	if err := o.scratch.Allocate(c.Session); err != nil {
		return err
	}
	coded := o.text.Buffer(c.Session)
	err := c.Compute(func() error {
		c.Phase("lcp")
		if input.Width[T]() > 1 { // the sorter has overwritten it
			if err := sets.Encode(coder, o.code, occurs, text, coded); err != nil {
				return err
			}
		}
		o.lcp.Run(o.ws.Workspace(c.Session), coded.View(0, o.code.Len()), sa, o.plcp.Buffer(c.Session), lcp)
		return c.Session.Check(c.Ctx)
	})
	o.scratch.Release(c.Session)
	return err
}

func (o *codeSorting[T]) Sort(c *call.Call, coder *sets.Coder, occurs *[256]bool, text *device.Buffer[uint8],
	sa *device.Buffer[uint32]) error {
	coded := o.text.Buffer(c.Session)
	c.Phase("coding")
	if err := sets.Encode(coder, o.code, occurs, text, coded); err != nil {
		return err
	}
	err := o.sorter.Run(c.Ctx, coded, sa, c.Progress)
	o.sorter.Release()
	return err
}
