package repeats

import (
	"errors"

	"github.com/suffixcl/suffixcl/internal/call"
	"github.com/suffixcl/suffixcl/internal/input"
	"github.com/suffixcl/suffixcl/internal/jobs/arrays"
	"github.com/suffixcl/suffixcl/internal/sorter"
)

// layBytes is layRecords of a text of bytes, whose records are joined for the device.
func layBytes(text input.Text, o Options) (*recordLayout, error) {
	return layRecords(text.Len(), o)
}

// layText is layRecords of a text that goes to the device as it is.
func layText(text input.Text, o Options) (*recordLayout, error) {
	if o.ReverseComplement || len(o.Records) > 0 {
		return nil, errors.New("suffixcl: RepeatOptions.ReverseComplement and Records are for texts of bytes")
	}
	if long, ok := text.Symbols.(input.TooLong); ok {
		return nil, long.Err
	}
	return layRecords(text.Len(), o)
}

// newTextRepeats plans the repeats of a text. Symbols are not looked at, but those of sets.
func newTextRepeats(e *call.Engine, text input.Text, p *recordLayout, o Options) (*repeating, error) {
	from, err := compared(e, text, p.length)
	if err != nil {
		return nil, err
	}
	return newRepeating(e, from, p.length, int64(p.length)*int64(text.SymbolBytes()), p.query(o))
}

// compared plans the LCP array of a text that has n symbols on the device.
func compared(e *call.Engine, text input.Text, n int) (arrays.Comparison, error) {
	if set, ok := text.Symbols.(*input.Collection); ok {
		return arrays.CompareSet(e, set)
	}
	type planned struct {
		arrays.Comparison
		error
	}
	p := input.OfSymbols(text, func(s []uint8) (p planned) {
		p.Comparison, p.error = arrays.NewBytesCompared(e, s, n)
		return p
	}, func(s []uint16) (p planned) {
		p.Comparison, p.error = arrays.NewSymbolsCompared(e, s, n, sorter.OfSymbols[uint16])
		return p
	}, func(s []uint32) (p planned) {
		p.Comparison, p.error = arrays.NewSymbolsCompared(e, s, n, sorter.OfSymbols[uint32])
		return p
	}, func(err error) planned { return planned{nil, err} })
	return p.Comparison, p.error
}

// join gives the operation the text as it goes to the device.
func (o *repeating) join(p *recordLayout, text input.Text, with Options) (err error) {
	if bytes, ok := o.from.(*arrays.BytesCompared); ok {
		bytes.Text, err = p.join(text.Bytes(), with)
	}
	return err
}
