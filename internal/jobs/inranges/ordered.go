package inranges

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/suffixcl/suffixcl/internal/call"
	"github.com/suffixcl/suffixcl/internal/entries"
	"github.com/suffixcl/suffixcl/internal/input"
	"github.com/suffixcl/suffixcl/internal/limits"
	"github.com/suffixcl/suffixcl/internal/parallel"
	"github.com/suffixcl/suffixcl/internal/ranges"
	"github.com/suffixcl/suffixcl/internal/separated"
)

// errOrdered is that of options that do not go with an order.
var errOrdered = errors.New(
	"suffixcl: in an order but the plain one ranges have the suffix array alone, from the beginning")

// sortOrdered sorts a text with specials: its code, in which each stretch of them is one separator.
func sortOrdered(e *call.Engine, text input.Text, o Options) call.Job[Block, State] {
	switch {
	case o.Order.Kind != input.SpecialsLargestKind:
		return call.Refused[Block, State](e, input.NoOrder(o.Order, "suffix array in ranges"))
	case o.Transform || o.LCP || o.NoPositions || o.Saved != nil || o.From.Done > 0 || o.From.Bounds != nil:
		return call.Refused[Block, State](e, errOrdered)
	}
	plain := o
	plain.Order = input.OrderPlain
	compute := func(ctx context.Context, yield func(Block) error) (State, error) {
		if _, err := o.engines(e); err != nil { // before the text is read
			return o.From, err
		}
		code, err := newOrdered(call.Lasting(ctx), text, o.Order)
		if err != nil {
			return o.From, err
		}
		return code.sort(ctx, e, plain, yield)
	}
	return jobOf(e, text, o, func() (call.Operation, error) {
		shape, options := input.Length(1, min(text.Len()+1, MaxLen)), plain
		if text.Bytes() != nil {
			code, err := newOrdered(context.Background(), text, o.Order)
			if err != nil {
				return nil, err
			}
			shape, options = input.Counts(code.code.Counts()), code.options(plain)
		}
		return Sort(e, shape, options).Operation()
	}, compute)
}

// ordered is a text with specials.
type ordered struct {
	code  *separated.Text
	spans []separated.Span // of letters
	n     int
}

// surveyed is how much of a text is searched for specials at a time.
const surveyed = 1 << 20

// newOrdered finds the specials of a text. Errors: those of its reader; too many different letters.
func newOrdered(ctx context.Context, text input.Text, order input.Order) (*ordered, error) {
	t := &ordered{n: text.Len()}
	read := func(to []byte, at int) ([]byte, error) { return text.Bytes()[at : at+len(to)], nil }
	if from, ok := text.Symbols.(input.ReadText); ok {
		read = func(to []byte, at int) ([]byte, error) {
			if err := context.Cause(ctx); err != nil {
				return nil, err
			}
			n, err := from.From.ReadAt(to, int64(at))
			switch {
			case n == len(to):
				return to, nil
			case err == io.EOF:
				return nil, fmt.Errorf("the text ends after %d bytes of %d", at+n, from.N)
			}
			return nil, fmt.Errorf("reading the text at %d: %w", at+n, err)
		}
	}
	number := numbersOf(order)
	type part struct {
		spans []separated.Span
		err   error
	}
	for _, p := range parallel.Collect(t.n, surveyed, func(lo, hi int) (p part) {
		var b []byte
		if b, p.err = read(make([]byte, hi-lo), lo); p.err == nil {
			p.spans = spansOf(b, lo, &number)
		}
		return p
	}) {
		if p.err != nil {
			return nil, p.err
		}
		if last := len(t.spans) - 1; last >= 0 && len(p.spans) > 0 &&
			t.spans[last].Place+t.spans[last].Length == p.spans[0].Place {
			t.spans[last].Length += p.spans[0].Length
			p.spans = p.spans[1:]
		}
		t.spans = append(t.spans, p.spans...)
	}
	letters := len(order.Letters())
	if letters > separated.MostLetters {
		return nil, input.NoOrder(order, fmt.Sprintf("suffix array in ranges of %d letters", letters))
	}
	code, err := separated.New(letters, t.spans, func(to []byte, at int) error {
		b, err := read(to, at)
		if err != nil {
			return err
		}
		for i, letter := range b {
			if number[letter] == special {
				return ranges.ErrTextChanged
			}
			to[i] = byte(number[letter])
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	t.code = code
	return t, limits.CheckLen("text with the numbers of its specials", code.Len(), MaxLen)
}

// special is in the numbers of letters for all other bytes.
const special = 1 << 8

// numbersOf are the numbers of the letters of an order.
func numbersOf(order input.Order) (number [256]uint16) {
	for b := range number {
		number[b] = special
	}
	for k, letter := range []byte(order.Letters()) {
		number[letter] = uint16(k)
	}
	return number
}

// spansOf are the stretches of letters in a part of a text.
func spansOf(part []byte, from int, number *[256]uint16) (spans []separated.Span) {
	in := false
	for i, b := range part {
		switch letter := number[b] != special; {
		case letter && !in:
			spans = append(spans, separated.Span{Place: from + i, Length: 1})
			in = true
		case letter:
			spans[len(spans)-1].Length++
		default:
			in = false
		}
	}
	return spans
}

// sort hands out suffixes that begin at letters as they are sorted, and then specials by place.
func (t *ordered) sort(ctx context.Context, e *call.Engine, o Options, yield func(Block) error) (
	state State, err error) {
	letters := t.code.Letters()
	o = t.options(o)
	if n := t.code.Len(); n > 0 {
		run := rangesOf[uint32]
		if n > limits.MaxLen {
			run = rangesOf[uint64]
		}
		state, err = run(ctx, e, input.Reader(t.code, n), o, func(b Block) error {
			if b.Len = min(b.Len, letters-b.First); b.Len <= 0 {
				return nil
			}
			return yield(t.places(b))
		})
		if err != nil {
			return state, err
		}
	}
	state = State{Done: state.Done, First: t.n}
	return state, t.specials(o.Packed, letters, yield)
}

// options are those of sorting the code: where positions are packed, the device makes places of the text of them.
func (t *ordered) options(o Options) Options {
	if o.Packed {
		o.Entries = &ranges.Entries{Bits: 8 * packedBytes}
		for at, place := range t.code.Places() {
			o.Entries.From = append(o.Entries.From, uint64(at))
			o.Entries.Add = append(o.Entries.Add, uint64(place)-uint64(at))
		}
	}
	return o
}

// places is a block of places of the text instead of the code, in the same memory. The device packs places.
func (t *ordered) places(b Block) Block {
	if b.Packed != nil {
		b.Packed = b.Packed[:packedBytes*b.Len]
		return b
	}
	b.Positions = b.Positions[:b.Len]
	parallel.Do(b.Len, 1<<14, func(lo, hi int) {
		for i, at := range b.Positions[lo:hi] {
			b.Positions[lo+i] = uint64(t.code.Place(int(at)))
		}
	})
	return b
}

// specials hands out the places of specials, the last rows.
func (t *ordered) specials(packed bool, first int, yield func(Block) error) error {
	block := make([]uint64, 0, min(t.n-first, 1<<20))
	hand := func() error {
		b := Block{First: first, Len: len(block), Positions: block}
		if packed {
			b.Positions, b.Packed = nil, make([]byte, packedBytes*len(block))
			entries.Encode(b.Packed, packedBytes, block)
		}
		first += len(block)
		block = block[:0]
		return yield(b)
	}
	at := 0
	for _, span := range slices.Concat(t.spans, []separated.Span{{Place: t.n}}) {
		for ; at < span.Place; at++ {
			if block = append(block, uint64(at)); len(block) == cap(block) {
				if err := hand(); err != nil {
					return err
				}
			}
		}
		at += span.Length
	}
	if len(block) > 0 {
		return hand()
	}
	return nil
}
