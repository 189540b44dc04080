package arrays

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/suffixcl/suffixcl/internal/call"
	"github.com/suffixcl/suffixcl/internal/input"
	"github.com/suffixcl/suffixcl/internal/sorter"
	"github.com/suffixcl/suffixcl/verify"
)

// Want says what Arrays makes.
type Want struct {
	SA  bool // the suffix array
	LCP bool // the LCP array
	BWT bool // the Burrows-Wheeler transform
	// Documents: the document array, of a set of texts.
	Documents bool
	// Order of the suffixes.
	Order input.Order
	// Every: only the entries First, First + Every, First + 2 Every, ... of the suffix array; 0 and 1: all.
	Every, First int
	// Known, unless it is nil, is the suffix array [n], in the order that is wanted. It is verified, on the device in
	// linear time, and nothing is sorted. Plans depend on whether it is there, not on its length.
	Known []uint32
	// Into, unless it is nil, has memory of the caller, in which All makes the arrays: each that is not nil has as many
	// entries as the array that is wanted, and overlaps no other. Its BWT may be the text. After an error it holds
	// anything.
	Into *Result
}

// into is the memory of the caller.
func (w Want) into() Result {
	if w.Into == nil {
		return Result{}
	}
	return *w.Into
}

// entries is how many entries of a suffix array of n are wanted.
func (w Want) entries(n int) int {
	if w.Every <= 1 {
		return n
	}
	return max(n-w.First+w.Every-1, 0) / w.Every
}

// wholeSA tells whether all entries of the suffix array are wanted.
func (w Want) wholeSA() bool { return w.SA && w.Every <= 1 }

// Result is what Arrays has made of a text of n symbols, nil or zero where it was not wanted.
type Result struct {
	SA    []uint32 // sa [n]uint32, as SuffixArray has it, in symbols; with Want.Every only these entries
	First int      // index of the first entry of SA, where that is a part
	LCP   []uint32 // lcp [n]uint32, as LCP has it, in symbols
	// BWT is the transform [n], of the symbols of the text, as BWT has it: without the row of the whole text, Primary.
	// In orders in which the end is largest the row of the empty suffix is the last one.
	BWT     input.Text
	Primary int
	// Documents [n]uint32 are the numbers of the texts of a set, from 0, in which the suffixes of SA begin.
	Documents []uint32
	// Order of the suffixes.
	Order input.Order
}

// Arrays are arrays of one text, which is sorted once, or of which the suffix array is known. Texts have up to MaxLen
// symbols. Of a suffix array of which not all entries are wanted only these take memory on the host.
//
// They come as one part. A suffix array that is wanted alone, with no separators in its text, comes in blocks of up to
// 2^20 entries: the host holds two of them. One array of a text of bytes in plain order is planned as by SuffixArray,
// LCP and BWT, and sorted in ranges where AlgorithmAuto has no memory for one piece.
//
// Symbols of 16 and 32 bits compare as numbers, and may have any values. They are sorted by AlgorithmSuffixsort and
// AlgorithmSAIS. Errors: as SuffixArray; another algorithm; an *OrderError; a *MismatchError if Want.Known is another
// array.
func Make(e *call.Engine, text input.Text, want Want) call.Job[*Result, *Result] {
	type job = call.Job[*Result, *Result]
	if wrong := want.check(text); wrong != nil {
		return call.Refused[*Result, *Result](e, wrong)
	}
	if want.Order.Separates(text) {
		return separatedArrays(e, text, want)
	}
	if op := want.simple(text); op != notSimple {
		return simpleArrays(e, op, text, want)
	}
	return input.OfSymbols(text,
		func([]uint8) job { return symbolArrays(e, text, want, sorter.OfBytes) },
		func([]uint16) job { return symbolArrays(e, text, want, sorter.OfSymbols[uint16]) },
		func([]uint32) job { return symbolArrays(e, text, want, sorter.OfSymbols[uint32]) },
		func(wrong error) job { return call.Refused[*Result, *Result](e, wrong) })
}

// check returns what is wrong with a wish.
func (w Want) check(text input.Text) error {
	switch {
	case w.Documents && !text.IsSet():
		return errors.New("suffixcl: a text that is no set has no documents")
	case w.Documents && w.Order != input.OrderPlain:
		return &input.OrderError{Order: w.Order, What: "document array"}
	case w.Every < 0 || w.First < 0:
		return fmt.Errorf("suffixcl: every %dth entry, from %d on", w.Every, w.First)
	case w.Every > 1 && w.Known != nil:
		return errors.New("suffixcl: all entries of a suffix array that is known are there")
	}
	if err := w.Order.Check(text); err != nil {
		return err
	}
	return w.checkInto(text)
}

// checkInto compares the memory of the caller with what is wanted.
func (w Want) checkInto(text input.Text) error {
	into, n := w.into(), text.Len()
	for _, array := range []struct {
		what   string
		wanted bool
		memory []uint32
		n      int
	}{
		{call.SuffixArrayName, w.SA && w.Known == nil, into.SA, w.entries(n)}, {call.LCPName, w.LCP, into.LCP, n},
		{call.DocumentsName, w.Documents, into.Documents, n},
	} {
		if array.wanted && array.memory != nil {
			if err := call.Exactly(array.what, len(array.memory), array.n); err != nil {
				return err
			}
		}
	}
	if !w.BWT || into.BWT.Symbols == nil {
		return nil
	}
	if got, want := into.BWT.SymbolBytes(), text.SymbolBytes(); got != want {
		return fmt.Errorf("suffixcl: a transform of symbols of %d bytes, of a text of symbols of %d", got, want)
	}
	return call.Exactly("transform", into.BWT.Len(), n)
}

// derived is what is made on the device of a suffix array that is sorted there, or known.
func (w Want) derived() Want {
	w.SA = w.SA && w.Known == nil
	return w
}

// known compares the length of a suffix array with that of its text.
func (w Want) known(n int) error {
	if w.Known == nil {
		return nil
	}
	return call.SameLength(call.SuffixArrayName, len(w.Known), n)
}

// symbolArrays is Arrays of a text without separators.
func symbolArrays[T input.Symbol](e *call.Engine, text input.Text, want Want, sorters sorter.Choice[T]) call.Job[*Result, *Result] {
	j := call.NewJob(e, func() (*Building[T], error) {
		if want.Known != nil {
			return NewChecking[T](e, text.Len(), want.derived())
		}
		return NewBuilding(e, text.Len(), want, sorters)
	}, func(c *call.Call, o *Building[T], yield func(*Result) error) (err error) {
		symbols := input.SymbolsOf[T](want.Order.Turn(text))
		switch {
		case want.Known == nil:
			err = o.Sort(c, symbols)
		default:
			if err = want.known(len(symbols)); err == nil {
				err = o.Verify(c, symbols, want.Known)
			}
		}
		if err != nil {
			return err
		}
		r, err := o.derive(c, symbols)
		if err != nil {
			return err
		}
		want.Order.TurnBack(r.BWT)
		return yield(r.withKnown(want))
	}, call.Only[*Result])
	if want.wholeSA() && want.Known == nil && !want.LCP && !want.BWT {
		j.Loop = suffixArrayBlocks(e, text, want, sorters)
	}
	return j.NeedsSymbols(text)
}

// withKnown is the result with its order, and with the suffix array that was there before.
func (r *Result) withKnown(want Want) *Result {
	r.Order = want.Order
	if want.SA && want.Known != nil {
		r.SA = want.Known
	}
	return r
}

// Verify returns nil if the arrays of a result are those of the text, in the order of the result, and else a
// *MismatchError. The suffix array must be there; other arrays are checked where they are. The suffix array is checked
// in linear time, on the device. A nil *Result is that of the empty text. Memory: that of Arrays with Want.Known. Other
// errors as Arrays.
func Verify(e *call.Engine, ctx context.Context, text input.Text, r *Result) error {
	if r == nil {
		r = &Result{}
	}
	known := r.SA
	if known == nil {
		known = []uint32{}
	}
	made, err := Make(e, text, Want{LCP: r.LCP != nil, BWT: r.BWT.Symbols != nil, Documents: r.Documents != nil,
		Order: r.Order, Known: known}).All(ctx)
	if err != nil {
		return err
	}
	return compareResults(r, made)
}

// Invert is the text whose transform and primary index a result has, of the same symbols: one part. The transform may
// be a Length, to plan it. The transform of a set has no primary index, and is not inverted, nor is that of an order
// with specials. A nil *Result is that of the empty text. Errors: as InverseBWT; such an order.
func Invert(e *call.Engine, r *Result, into []byte) call.Job[input.Text, input.Text] {
	if r == nil {
		r = &Result{}
	}
	type job = call.Job[input.Text, input.Text]
	switch kind := r.Order.Kind; {
	case kind == input.SpecialsLargestKind:
		return call.Refused[input.Text, input.Text](e, &input.OrderError{Order: r.Order, What: "transform that is inverted"})
	case kind == input.EndLargestKind && r.BWT.SymbolBytes() != 1:
		return call.Refused[input.Text, input.Text](e, &input.OrderError{Order: r.Order, What: "text of symbols"})
	}
	return input.OfSymbols(r.BWT,
		func([]uint8) job {
			return simpleJob[*inverting[uint8], input.Text]{op: invertedBWT, n: r.BWT.Len(), plan: newInverting,
				run: func(c *call.Call, o *inverting[uint8]) (input.Text, error) { return inverted(c, o, r, into) }}.of(e).NeedsSymbols(r.BWT)
		},
		func([]uint16) job { return inversion[uint16](e, r) },
		func([]uint32) job { return inversion[uint32](e, r) },
		func(wrong error) job { return call.Refused[input.Text, input.Text](e, wrong) })
}

// inversion is Invert of a transform of symbols of several bytes.
func inversion[T uint16 | uint32](e *call.Engine, r *Result) call.Job[input.Text, input.Text] {
	return call.NewJob(e, func() (*inverting[T], error) { return newInvertingSymbols[T](e, r.BWT.Len()) },
		func(c *call.Call, o *inverting[T], yield func(input.Text) error) error {
			text, err := inverted(c, o, r, nil)
			if err != nil {
				return err
			}
			return yield(text)
		}, call.Only[input.Text]).NeedsSymbols(r.BWT)
}

// inverted is the text of a transform, in memory of the caller or, if that is nil, new memory.
func inverted[T input.Symbol](c *call.Call, o *inverting[T], r *Result, into []T) (input.Text, error) {
	transform, primary := r.smallestEnd()
	out, err := o.Run(c, input.SymbolsOf[T](transform), primary)
	if err != nil {
		return input.Text{}, err
	}
	text, err := call.Download(c, into, out)
	if err != nil {
		return input.Text{}, err
	}
	if bytes, ok := any(text).([]uint8); ok && r.Order.Kind == input.EndLargestKind {
		complement(bytes)
	}
	return r.Order.Turn(input.Text{Symbols: text}), nil
}

// smallestEnd is the transform, and its primary index, of the text in whose order the end is smallest. Where it is
// largest that is the text with 255 - c for each c: the order of its suffixes is turned around.
func (r *Result) smallestEnd() (transform input.Text, primary int) {
	if r.Order.Kind != input.EndLargestKind {
		return r.Order.Turn(r.BWT), r.Primary
	}
	bytes := slices.Clone(r.BWT.Bytes())
	complement(bytes)
	slices.Reverse(bytes)
	if len(bytes) == 0 {
		return input.Text{Symbols: bytes}, 0
	}
	return input.Text{Symbols: bytes}, len(bytes) - r.Primary
}

func complement(text []byte) {
	for i := range text {
		text[i] = ^text[i]
	}
}

// compareResults returns a *MismatchError for the first array that is not the one that was made.
func compareResults(r, made *Result) error {
	if r.LCP != nil {
		if err := compareSlots(call.LCPName, r.LCP, made.LCP); err != nil {
			return err
		}
	}
	if r.Documents != nil {
		if err := compareSlots(call.DocumentsName, r.Documents, made.Documents); err != nil {
			return err
		}
	}
	if r.BWT.Symbols == nil {
		return nil
	}
	if r.BWT.SymbolBytes() == made.BWT.SymbolBytes() {
		if err := call.SameLength(call.TransformName, r.BWT.Len(), made.BWT.Len()); err != nil {
			return err
		}
	}
	if r.Primary != made.Primary {
		why := fmt.Sprintf("has primary index %d instead of %d", r.Primary, made.Primary)
		return &verify.MismatchError{What: call.TransformName, At: -1, Why: why}
	}
	switch symbols := made.BWT.Symbols.(type) {
	case []uint16:
		return compareTransforms(r.BWT, symbols)
	case []uint32:
		return compareTransforms(r.BWT, symbols)
	}
	return compareTransforms(r.BWT, made.BWT.Bytes())
}

func compareTransforms[T input.Symbol](got input.Text, want []T) error {
	symbols, ok := got.Symbols.([]T)
	if !ok {
		return &verify.MismatchError{What: call.TransformName, At: -1, Why: fmt.Sprintf("has symbols of %T", got.Symbols)}
	}
	return compareSlots(call.TransformName, symbols, want)
}

// compareSlots returns a *MismatchError for the first difference.
func compareSlots[T input.Symbol](what string, got, want []T) error {
	if err := call.SameLength(what, len(got), len(want)); err != nil {
		return err
	}
	for j := range want {
		if got[j] != want[j] {
			format := "holds %d instead of %d"
			if SymbolBytes[T]() == 1 {
				format = "holds %#02x instead of %#02x"
			}
			return &verify.MismatchError{What: what, At: j, Why: fmt.Sprintf(format, got[j], want[j])}
		}
	}
	return nil
}
