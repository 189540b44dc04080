package search

import (
	"github.com/suffixcl/suffixcl/internal/fmindex"
	"github.com/suffixcl/suffixcl/patterns"
)

// symbolCode is the coding of an index of symbols.
type symbolCode struct{ *fmindex.Coding }

func (c symbolCode) code(b *patterns.Batch) (*patterns.Batch, error) {
	if b.Len() == 0 {
		return &patterns.Batch{}, nil
	}
	if given := max(b.SymbolBytes, 1); given != c.SymbolBytes {
		return nil, otherSymbols(given, c.SymbolBytes)
	}
	text, offsets, err := c.Patterns(b.Text, b.Offsets)
	if err != nil {
		return nil, err
	}
	return &patterns.Batch{Text: text, Offsets: offsets}, nil
}
