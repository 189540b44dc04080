package suffixcl

import (
	"context"

	"github.com/suffixcl/suffixcl/internal/jobs/arrays"
	"github.com/suffixcl/suffixcl/internal/verify"
)

// Want says what Arrays makes.
type Want struct {
	SA  bool // the suffix array
	LCP bool // the LCP array
	BWT bool // the Burrows-Wheeler transform
	// Documents: the document array, of a set of texts.
	Documents bool
	// Order of the suffixes.
	Order Order
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

// Result is what Arrays has made of a text of n symbols, nil or zero where it was not wanted.
type Result struct {
	SA    []uint32 // sa [n]uint32, as SuffixArray has it, in symbols; with Want.Every only these entries
	First int      // index of the first entry of SA, where that is a part
	LCP   []uint32 // lcp [n]uint32, as LCP has it, in symbols
	// BWT is the transform [n], of the symbols of the text, as BWT has it: without the row of the whole text, Primary.
	// In orders in which the end is largest the row of the empty suffix is the last one.
	BWT     Text
	Primary int
	// Documents [n]uint32 are the numbers of the texts of a set, from 0, in which the suffixes of SA begin.
	Documents []uint32
	// Order of the suffixes.
	Order Order
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
func (e *Engine) Arrays(text Text, want Want) Job[*Result, *Result] {
	return jobOf(arrays.Make(e.inner(), text.in, want.inner()), resultOf, resultOf)
}

// VerifyArrays returns nil if the arrays of a result are those of the text, in the order of the result, and else a
// *MismatchError. The suffix array must be there; other arrays are checked where they are. The suffix array is checked
// in linear time, on the device. A nil *Result is that of the empty text. Memory: that of Arrays with Want.Known. Other
// errors as Arrays.
func (e *Engine) VerifyArrays(ctx context.Context, text Text, r *Result) error {
	return public(arrays.Verify(ctx, e.inner(), text.in, r.inner()))
}

// Invert is the text whose transform and primary index a result has, of the same symbols: one part. The transform may
// be a Length, to plan it. The transform of a set has no primary index, and is not inverted, nor is that of an order
// with specials. A nil *Result is that of the empty text. Errors: as InverseBWT; such an order.
func (e *Engine) Invert(r *Result) Job[Text, Text] {
	return jobOf(arrays.Invert(e.inner(), r.inner(), nil), textOf, textOf)
}

// GivenArrays are a suffix array and, if they are wanted, a transform and an LCP array, which are read part by part.
type GivenArrays struct {
	Len int // entries of the suffix array
	// SuffixArray reads entries from one on, as the other functions do.
	SuffixArray func(entries []uint64, first int) error
	// Transform, of as many bytes as the text, and Primary are checked, too, unless Transform is nil.
	Transform func(part []byte, first int) error
	Primary   int
	// LCP, of an array of as many entries, is checked, too, unless it is nil.
	LCP func(entries []uint64, first int) error
	// Order of the suffixes: OrderPlain, or SpecialsLargest with a suffix array alone.
	Order Order
}

// VerifyBlocks is VerifyArrays for a text of bytes and arrays that are read part by part, at several places at a time:
// none of these needs be in memory. All has no result but its error. Texts have up to MaxRangesLen bytes. Memory: about
// a byte a character; a plan depends on whether GivenArrays.LCP is there. Errors as Verify; those of the functions that
// read; a text that is none of bytes.
func (e *Engine) VerifyBlocks(text Text, given GivenArrays) Job[struct{}, struct{}] {
	none := func(struct{}) struct{} { return struct{}{} }
	in := verify.Given{Len: given.Len, SuffixArray: given.SuffixArray, Transform: given.Transform, Primary: given.Primary,
		LCP: given.LCP}
	return jobOf(arrays.VerifyBlocks(e.inner(), text.in, in, given.Order.in), none, none)
}

// inner is the wish of the jobs.
func (w Want) inner() arrays.Want {
	in := arrays.Want{SA: w.SA, LCP: w.LCP, BWT: w.BWT, Documents: w.Documents, Order: w.Order.in, Every: w.Every,
		First: w.First, Known: w.Known}
	if w.Into != nil {
		in.Into = w.Into.inner()
	}
	return in
}

// inner is the result of the jobs; nil for none.
func (r *Result) inner() *arrays.Result {
	if r == nil {
		return nil
	}
	return &arrays.Result{SA: r.SA, First: r.First, LCP: r.LCP, BWT: r.BWT.in, Primary: r.Primary, Documents: r.Documents,
		Order: r.Order.in}
}

func resultOf(r *arrays.Result) *Result {
	if r == nil {
		return nil
	}
	return &Result{SA: r.SA, First: r.First, LCP: r.LCP, BWT: Text{r.BWT}, Primary: r.Primary, Documents: r.Documents,
		Order: Order{r.Order}}
}
