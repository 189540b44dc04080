package search

import (
	"bytes"
	"errors"
	"fmt"

	"github.com/suffixcl/suffixcl/internal/fmindex"
	"github.com/suffixcl/suffixcl/internal/input"
	"github.com/suffixcl/suffixcl/internal/limits"
	"github.com/suffixcl/suffixcl/patterns"
	"github.com/suffixcl/suffixcl/seqio"
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

// indexed is a text as it is indexed, symbols in digits, and the header of the index.
func indexed(t input.Text, o IndexOptions) (coded []byte, h fmindex.Header, err error) {
	var coding *fmindex.Coding
	counts := &[256]uint64{}
	switch symbols := t.Symbols.(type) {
	case []uint16:
		coding, coded, err = fmindex.Code(symbols)
	case []uint32:
		coding, coded, err = fmindex.Code(symbols)
	case input.TooLong:
		return nil, h, symbols.Err
	case input.ReadText:
		return nil, h, input.ErrNotInMemory
	case *input.Collection:
		return nil, h, errors.New("suffixcl: an index has the texts of a set as IndexOptions.Records of a text of bytes")
	case input.Shape:
		if symbols.Bytes == 1 {
			if counts, err = byteCounts(symbols, o.DNA); err != nil {
				return nil, h, err
			}
			o.Records = nil
			return nil, headerOf(counts, fmindex.NoSeparator, o), nil
		}
		coding, counts, err = fmindex.Most(symbols.Bytes, symbols.N)
	default:
		if coded = t.Bytes(); o.DNA {
			coded = foldDNA(coded)
		}
		counts = fmindex.Histogram(coded)
		separator, err := separatorOf(coded, o.Records, counts)
		return coded, headerOf(counts, separator, o), err
	}
	if err != nil {
		return nil, h, err
	}
	if o.DNA || o.Records != nil {
		return nil, h, errors.New("suffixcl: IndexOptions.DNA and Records are for texts of bytes")
	}
	if coded != nil {
		counts = fmindex.Histogram(coded)
	}
	h = headerOf(counts, fmindex.NoSeparator, o)
	h.Coding = coding
	h.Rate *= coding.Width()
	return coded, h, nil
}

// byteCounts are the counts of a text of bytes, or, where they are not known, as many different bytes as there can be,
// each as often.
func byteCounts(s input.Shape, dna bool) (*[256]uint64, error) {
	if err := limits.CheckLen("text", s.N, limits.MaxLen); err != nil || s.Counts != nil {
		return s.Counts, err
	}
	letters := 256
	if dna {
		letters = 4
	}
	var counts [256]uint64
	for i := range letters {
		c := i
		if dna {
			c = int("ACGT"[i])
		}
		counts[c] = uint64(s.N*(i+1)/letters - s.N*i/letters)
	}
	return &counts, nil
}

// separatorOf returns the byte that stands between the records of an indexed text, or fmindex.NoSeparator where
// there is none. The records must cover the text but for single separators after them, all of the same byte,
// which no record holds; after the last there may be one. counts are those of the text's bytes.
func separatorOf(text []byte, records seqio.Table, counts *[256]uint64) (int, error) {
	if len(records) == 0 {
		return fmindex.NoSeparator, nil
	}
	if err := input.CheckRecords(records, len(text)); err != nil {
		return 0, err
	}
	separator, separators, at := fmindex.NoSeparator, uint64(0), 0
	for i, r := range records {
		if r.Offset != at {
			return 0, &input.RecordError{Record: i, Why: fmt.Sprintf("begins at %d instead of %d: between the records of an index stands one separator", r.Offset, at)}
		}
		if at = r.End(); at == len(text) {
			break
		}
		if separators == 0 {
			separator = int(text[at])
		} else if int(text[at]) != separator {
			return 0, &input.RecordError{Record: i, Why: fmt.Sprintf("is followed by byte %#02x instead of %#02x, as record 0 is",
				text[at], separator)}
		}
		separators++
		at++
	}
	if last := len(records) - 1; at != len(text) || records[last].End() < at-1 {
		return 0, &input.RecordError{Record: last, Why: fmt.Sprintf("ends at %d, and the text of an index at %d",
			records[last].End(), len(text))}
	}
	if separator == fmindex.NoSeparator || counts[separator] == separators {
		return separator, nil
	}
	for i, r := range records {
		if k := bytes.IndexByte(text[r.Offset:r.End()], byte(separator)); k >= 0 {
			return 0, &input.RecordError{Record: i, Why: fmt.Sprintf("holds the separator %#02x, at position %d", separator, r.Offset+k)}
		}
	}
	return separator, nil
}
