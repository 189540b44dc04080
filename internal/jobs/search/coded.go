package search

import (
	"errors"

	"github.com/suffixcl/suffixcl/internal/fmindex"
	"github.com/suffixcl/suffixcl/internal/input"
	"github.com/suffixcl/suffixcl/internal/limits"
)

// headerOf is what is known before the text is sorted.
func headerOf(counts *[256]uint64, separator int, o IndexOptions) fmindex.Header {
	h := fmindex.Header{Counts: *counts, Rate: o.SampleEvery, Separator: separator, Records: o.Records}
	for _, n := range counts {
		h.Length += int(n)
	}
	if o.DNA {
		h.Alphabet, h.Counts = fmindex.DNA, [256]uint64{}
		for c, n := range counts {
			h.Counts[foldedDNA[c]] += n
		}
	}
	return h
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
