package jobs

import (
	"github.com/suffixcl/suffixcl/device"

	"github.com/suffixcl/suffixcl/internal/call"
	"github.com/suffixcl/suffixcl/internal/input"
	"github.com/suffixcl/suffixcl/internal/sorter"
)

// comparison makes the suffix array and the LCP array of a text, which stay on the device.
type comparison interface {
	call.Operation
	// stay are the buffers that stay.
	stay() []device.BufferMemory
	// Run makes the arrays. PLCP has their length, and nothing that is of use any more.
	Run(c *call.Call) (sa, plcp, lcp *device.Buffer[uint32], err error)
}

// symbolComparison is a comparison after which the text is on the device, too.
type symbolComparison[T input.Symbol] interface {
	comparison
	symbols(s *device.Session) *device.Buffer[T]
}

// bytesCompared is that of a text of bytes, which goes.
type bytesCompared struct {
	*comparing
	text []byte
}

func newBytesCompared(e *call.Engine, text []byte, n int) (*bytesCompared, error) {
	lengths, err := newLCP(e, n)
	return &bytesCompared{lengths, text}, err
}

func (o *bytesCompared) stay() []device.BufferMemory {
	return append(o.layout.Memory().Buffers, o.output.Memory().Buffers...)
}

func (o *bytesCompared) Run(c *call.Call) (sa, plcp, lcp *device.Buffer[uint32], err error) {
	if lcp, err = o.compare(c, o.text, nil); err != nil {
		return nil, nil, nil, err
	}
	_, sa = o.arraysOf(c.Session, len(o.text))
	o.input.Release(c.Session)
	return sa, o.plcp.Buffer(c.Session), lcp, nil
}

// symbolsCompared is that of a text of symbols.
type symbolsCompared[T input.Symbol] struct {
	*building[T]
	text []T
}

func newSymbolsCompared[T input.Symbol](
	e *call.Engine, text []T, n int, sorters sorter.Choice[T],
) (*symbolsCompared[T], error) {
	made, err := newBuilding(e, n, Want{LCP: true}, sorters)
	if err != nil {
		return nil, err
	}
	for i := range made.plan {
		made.plan[i].Host = int64(n) * int64(symbolBytes[T]())
	}
	return &symbolsCompared[T]{made, text}, nil
}

func (o *symbolsCompared[T]) stay() []device.BufferMemory {
	return append(o.arrays.Memory().Buffers, o.lcpLayout.Memory().Buffers...)
}

func (o *symbolsCompared[T]) symbols(s *device.Session) *device.Buffer[T] {
	return o.building.text.Buffer(s).View(0, o.n)
}

func (o *symbolsCompared[T]) Run(c *call.Call) (sa, plcp, lcp *device.Buffer[uint32], err error) {
	if err := o.sort(c, o.text); err != nil {
		return nil, nil, nil, err
	}
	if err := o.restore(c, o.text); err != nil {
		return nil, nil, nil, err
	}
	lcp, err = o.lengthsOnDevice(c)
	_, sa = o.buffers(c.Session)
	return sa, o.plcp.Buffer(c.Session), lcp, err
}

// setCompared is that of a set. Its symbols are those of which no two terminators are the same.
type setCompared struct {
	*gathering
	from   *input.Separated
	occurs *[256]bool
}

func newSetCompared(e *call.Engine, from *input.Separated) (*setCompared, error) {
	occurs, letters := from.Letters()
	made, err := newGathering(e, from.Shape(), letters, Want{LCP: true}, false)
	if err != nil {
		return nil, err
	}
	return &setCompared{made, from, occurs}, nil
}

// compareSet is newSetCompared; a set of no texts has no symbols.
func compareSet(e *call.Engine, c *input.Collection) (symbolComparison[uint32], error) {
	if c.Len() == 0 {
		return newSymbolsCompared[uint32](e, nil, 0, sorter.OfSymbols)
	}
	return newSetCompared(e, c.Separated())
}

func (o *setCompared) stay() (buffers []device.BufferMemory) {
	for _, l := range []*device.Layout{o.array, o.arrays, o.definition, o.lcpLayout} {
		buffers = append(buffers, l.Memory().Buffers...)
	}
	return buffers
}

func (o *setCompared) symbols(s *device.Session) *device.Buffer[uint32] { return o.wide.Buffer(s) }

func (o *setCompared) Run(c *call.Call) (sa, plcp, lcp *device.Buffer[uint32], err error) {
	if err := o.load(c, o.from); err != nil {
		return nil, nil, nil, err
	}
	if err := o.sort(c, o.occurs); err != nil {
		return nil, nil, nil, err
	}
	if err := o.define(c); err != nil {
		return nil, nil, nil, err
	}
	err = o.compare(c)
	o.kept.Release(c.Session)
	return o.suffixes(c.Session), o.plcp.Buffer(c.Session), o.lcp.Buffer(c.Session), err
}
