package arrays

import (
	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/internal/call"
	"github.com/suffixcl/suffixcl/internal/input"
	"github.com/suffixcl/suffixcl/internal/sorter"
)

// Comparison makes the suffix array and the LCP array of a text, which stay on the device.
type Comparison interface {
	call.Operation
	// Stay are the buffers that stay.
	Stay() []device.BufferMemory
	// Run makes the arrays. PLCP has their length, and nothing that is of use any more.
	Run(c *call.Call) (sa, plcp, lcp *device.Buffer[uint32], err error)
}

// SymbolComparison is a comparison after which the text is on the device, too.
type SymbolComparison[T input.Symbol] interface {
	Comparison
	Symbols(s *device.Session) *device.Buffer[T]
}

// BytesCompared is that of a text of bytes, which goes.
type BytesCompared struct {
	*comparing
	Text []byte
}

func NewBytesCompared(e *call.Engine, text []byte, n int) (*BytesCompared, error) {
	lengths, err := newLCP(e, n)
	return &BytesCompared{lengths, text}, err
}

func (o *BytesCompared) Stay() []device.BufferMemory {
	return append(o.Layout.Memory().Buffers, o.output.Memory().Buffers...)
}

func (o *BytesCompared) Run(c *call.Call) (sa, plcp, lcp *device.Buffer[uint32], err error) {
	if lcp, err = o.Compare(c, o.Text, nil); err != nil {
		return nil, nil, nil, err
	}
	_, sa = o.ArraysOf(c.Session, len(o.Text))
	o.Input.Release(c.Session)
	return sa, o.plcp.Buffer(c.Session), lcp, nil
}

// symbolsCompared is that of a text of symbols.
type symbolsCompared[T input.Symbol] struct {
	*Building[T]
	text []T
}

func NewSymbolsCompared[T input.Symbol](
	e *call.Engine, text []T, n int, sorters sorter.Choice[T],
) (*symbolsCompared[T], error) {
	made, err := NewBuilding(e, n, Want{LCP: true}, sorters)
	if err != nil {
		return nil, err
	}
	for i := range made.Phases {
		made.Phases[i].Host = int64(n) * int64(input.Width[T]())
	}
	return &symbolsCompared[T]{made, text}, nil
}

func (o *symbolsCompared[T]) Stay() []device.BufferMemory {
	return append(o.Arrays.Memory().Buffers, o.lcpLayout.Memory().Buffers...)
}

func (o *symbolsCompared[T]) Symbols(s *device.Session) *device.Buffer[T] {
	return o.Building.Text.Buffer(s).View(0, o.n)
}

func (o *symbolsCompared[T]) Run(c *call.Call) (sa, plcp, lcp *device.Buffer[uint32], err error) {
	if err := o.Sort(c, o.text); err != nil {
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
	*Gathering
	from   *input.Separated
	occurs *[256]bool
}

func newSetCompared(e *call.Engine, from *input.Separated) (*setCompared, error) {
	occurs, letters := from.Letters()
	made, err := NewGathering(e, from.Shape(), letters, Want{LCP: true}, false)
	if err != nil {
		return nil, err
	}
	return &setCompared{made, from, occurs}, nil
}

// CompareSet is newSetCompared; a set of no texts has no symbols.
func CompareSet(e *call.Engine, c *input.Collection) (SymbolComparison[uint32], error) {
	if c.Len() == 0 {
		return NewSymbolsCompared[uint32](e, nil, 0, sorter.OfSymbols)
	}
	return newSetCompared(e, c.Separated())
}

func (o *setCompared) Stay() (buffers []device.BufferMemory) {
	for _, l := range []*device.Layout{o.Array, o.arrays, o.Definition, o.LCPLayout} {
		buffers = append(buffers, l.Memory().Buffers...)
	}
	return buffers
}

func (o *setCompared) Symbols(s *device.Session) *device.Buffer[uint32] { return o.wide.Buffer(s) }

func (o *setCompared) Run(c *call.Call) (sa, plcp, lcp *device.Buffer[uint32], err error) {
	if err := o.Load(c, o.from); err != nil {
		return nil, nil, nil, err
	}
	if err := o.Sort(c, o.occurs); err != nil {
		return nil, nil, nil, err
	}
	if err := o.Define(c); err != nil {
		return nil, nil, nil, err
	}
	err = o.Compare(c)
	o.Kept.Release(c.Session)
	return o.Suffixes(c.Session), o.PLCP.Buffer(c.Session), o.LCP.Buffer(c.Session), err
}
