// Package builders has the calls of an engine, and of what has none yet, as the suites of conformance take them: those
// that tests and the laboratory share.
package builders

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/suffixcl/suffixcl"
	"github.com/suffixcl/suffixcl/internal/testkit/jobsuites"
	"github.com/suffixcl/suffixcl/patterns"
)

// Ordered makes and verifies the arrays of a text in an order, and inverts the transform where that is inverted.
func Ordered(ctx context.Context, e *suffixcl.Engine, text []byte,
	order suffixcl.Order) (o jobsuites.Ordered, err error) {
	r, err := e.Arrays(suffixcl.Bytes(text), suffixcl.Want{SA: true, LCP: true, BWT: true, Order: order}).All(ctx)
	if err != nil {
		return o, err
	}
	o = jobsuites.Ordered{SA: r.SA, LCP: r.LCP, BWT: r.BWT.Bytes(), Primary: r.Primary}
	if err := VerifyArrays(ctx, e, suffixcl.Bytes(text), r); err != nil {
		return o, err
	}
	if order != suffixcl.OrderEndLargest {
		return o, orderedInRanges(ctx, e, text, order, r.SA)
	}
	inverse, err := e.Invert(r).All(ctx)
	o.Inverse = append([]byte{}, inverse.Bytes()...)
	return o, err
}

// VerifyArrays checks the arrays of a result.
func VerifyArrays(ctx context.Context, e *suffixcl.Engine, text suffixcl.Text, r *suffixcl.Result) error {
	_, err := e.VerifyArrays(text, suffixcl.GivenArrays{Result: r}).All(ctx)
	return err
}

// mostLetters is the most letters of an order in ranges.
const mostLetters = 253

// orderedInRanges sorts a text with specials in ranges, too, compares that with its suffix array, and verifies it.
func orderedInRanges(ctx context.Context, e *suffixcl.Engine, text []byte, order suffixcl.Order, sa []uint32) error {
	if len(order.Letters()) > mostLetters {
		return nil
	}
	var entries []uint64
	o := suffixcl.RangeOptions{Order: order, Yield: func(b suffixcl.SuffixBlock) error {
		if b.First != len(entries) || b.Len != len(b.Positions) {
			return fmt.Errorf("a block of %d entries at %d, and not at %d", b.Len, b.First, len(entries))
		}
		entries = append(entries, b.Positions...)
		return nil
	}}
	if _, err := e.Ranges(suffixcl.Bytes(text), o).All(ctx); err != nil {
		return err
	}
	same := len(entries) == len(sa)
	for k := 0; same && k < len(sa); k++ {
		same = entries[k] == uint64(sa[k])
	}
	if !same {
		return errors.New("the suffix array in ranges is another one")
	}
	_, err := e.VerifyArrays(suffixcl.Bytes(text), suffixcl.GivenArrays{Len: len(entries), Order: order,
		SuffixArray: func(part []uint64, first int) error {
			copy(part, entries[first:])
			return nil
		}}).All(ctx)
	return err
}

// InMemory makes and verifies the arrays of symbols that compare as their bytes in memory.
func InMemory[T uint16 | uint32](
	e *suffixcl.Engine, textOf func([]T) suffixcl.Text,
) func(context.Context, []T) ([]uint32, error) {
	return func(ctx context.Context, symbols []T) ([]uint32, error) {
		text := textOf(symbols)
		r, err := e.Arrays(text, suffixcl.Want{SA: true, LCP: true, BWT: true, Order: suffixcl.OrderMemory}).All(ctx)
		if err != nil {
			return nil, err
		}
		if err := VerifyArrays(ctx, e, text, r); err != nil {
			return nil, err
		}
		inverse, err := e.Invert(r).All(ctx)
		if err == nil && !slices.Equal(symbolsOf[T](inverse), symbols) {
			err = errors.New("the inverse of the transform is not the text")
		}
		return r.SA, err
	}
}

// Searcher is an Index or a Matcher.
type Searcher interface {
	Count(context.Context, *patterns.Batch) ([]uint32, error)
	Locate(context.Context, *patterns.Batch, func(pattern int, positions []uint32) error) error
}

// Locate returns the positions of each pattern, which are as many as are counted.
func Locate(ctx context.Context, x Searcher, batch *patterns.Batch) ([][]uint32, error) {
	counts, err := x.Count(ctx, batch)
	if err != nil {
		return nil, err
	}
	found := make([][]uint32, batch.Len())
	err = x.Locate(ctx, batch, func(q int, positions []uint32) error {
		found[q] = slices.Clone(positions)
		return nil
	})
	for q := range found {
		if err == nil && int(counts[q]) != len(found[q]) {
			err = fmt.Errorf("%.80q is counted %d times, located %d times", batch.Pattern(q), counts[q], len(found[q]))
		}
	}
	return found, err
}
