package suffixcl

import (
	"context"
	"errors"
	"slices"
)

// documents are texts with a terminator after each.
type documents struct {
	texts  [][]byte
	starts []int // of the texts, and one more: where the next would start
}

// Documents is a set of texts, for Build and VerifyBuild. Each text is followed by a terminator. Terminators are
// smaller than all letters, and ordered by the number of their text: so no common prefix reaches beyond the end of a
// text. Positions count the letters and terminators of the texts one after the other.
//
// Letters and terminators are coded as symbols of 32 bits, as which PlanBuild counts them. A set has no transform.
func Documents(texts ...[]byte) Text {
	d := &documents{texts: texts, starts: make([]int, 1, len(texts)+1)}
	for _, text := range texts {
		d.starts = append(d.starts, d.len()+len(text)+1)
	}
	return Text{d}
}

// len is the number of letters and terminators.
func (d *documents) len() int { return d.starts[len(d.starts)-1] }

// code makes symbols: terminators are the numbers of their texts, letters come after all of them.
func (d *documents) code() []uint32 {
	symbols := make([]uint32, 0, d.len())
	for k, text := range d.texts {
		for _, c := range text {
			symbols = append(symbols, uint32(len(d.texts))+uint32(c))
		}
		symbols = append(symbols, uint32(k))
	}
	return symbols
}

// of are the numbers of the texts in which positions are.
func (d *documents) of(positions []uint32) []uint32 {
	numbers := make([]uint32, len(positions))
	for j, position := range positions {
		k, found := slices.BinarySearch(d.starts, int(position))
		if !found {
			k--
		}
		numbers[j] = uint32(k)
	}
	return numbers
}

func (e *Engine) buildDocuments(ctx context.Context, d *documents, want Want) (*Result, error) {
	if want.BWT {
		return nil, errors.New("suffixcl: a set of texts has no transform")
	}
	sorted := want
	sorted.SA = want.SA || want.Documents
	r, err := buildAll(ctx, e, d.code(), sorted, newSymbolSorter[uint32])
	if err != nil {
		return nil, err
	}
	if want.Documents {
		r.Documents = d.of(r.SA)
	}
	if !want.SA {
		r.SA = nil
	}
	return r, nil
}

func (e *Engine) verifyDocuments(ctx context.Context, d *documents, r *Result) error {
	if err := verifyAll(ctx, e, d.code(), r); err != nil || r.Documents == nil {
		return err
	}
	return compareSlots(documentsName, r.Documents, d.of(r.SA))
}
