package suffixcl

import (
	"context"
	"errors"

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

// indexed is a text of symbols in the digits of its index, and the header of the index; nil for a text of bytes.
func (t Text) indexed(o IndexOptions) (coded []byte, h *fmindex.Header, err error) {
	var coding *fmindex.Coding
	switch symbols := t.symbols.(type) {
	case []uint16:
		coding, coded, err = fmindex.Code(symbols)
	case []uint32:
		coding, coded, err = fmindex.Code(symbols)
	case tooLong:
		return nil, nil, symbols.error
	case *Collection:
		return nil, nil, errors.New("suffixcl: an index has the texts of a set as IndexOptions.Records of a text of bytes")
	default:
		return nil, nil, nil
	}
	if err != nil {
		return nil, nil, err
	}
	if o.DNA || o.Records != nil {
		return nil, nil, errors.New("suffixcl: IndexOptions.DNA and Records are for texts of bytes")
	}
	header := headerOf(fmindex.Histogram(coded), fmindex.NoSeparator, o)
	header.Coding = coding
	header.Rate *= coding.Width()
	return coded, &header, nil
}

// BuildIndexOf is BuildIndex for texts of symbols. Those of 16 and 32 bits are written in digits of one byte: 2 from
// 256 different symbols on, 3 from 16,385, 4 from 2,485,486. So a text may have 2^32-2 digits. The memory is that of a
// text of so many bytes. Patterns are those of patterns.OfTokens16 and OfTokens32; positions count symbols. Memory:
// PlanIndexOf. Errors: those of BuildIndex, with those of IndexOptions.Planned; options of other texts; a set.
func (e *Engine) BuildIndexOf(ctx context.Context, text Text, o IndexOptions) (*Index, error) {
	coded, h, err := text.indexed(o)
	if err != nil {
		return nil, err
	}
	if h == nil {
		return e.BuildIndex(ctx, text.Bytes(), o)
	}
	return e.index(ctx, coded, *h, o.Planned)
}

// PlanIndexOf is the device and host memory of BuildIndexOf for a text, and the bytes of the file. It writes symbols in
// their digits, as BuildIndexOf does, in 1 to 5 bytes a symbol of the host. IndexOptions.Planned is told the same plan
// while the index is built, without doing that twice. Errors: those of PlanIndex and BuildIndexOf.
func (e *Engine) PlanIndexOf(ctx context.Context, text Text, o IndexOptions) (IndexPlan, error) {
	_, h, err := text.indexed(o)
	if err != nil {
		return IndexPlan{}, err
	}
	if h == nil {
		return e.PlanIndex(ctx, fmindex.Histogram(text.Bytes()), o)
	}
	return e.planIndex(ctx, *h)
}
