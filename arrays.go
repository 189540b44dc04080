package suffixcl

import (
	"errors"

	"github.com/suffixcl/suffixcl/internal/call"
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
	// Runs: the runs of the transform of a text of bytes with the row of its end, and the thresholds by which MONI,
	// SPUMONI and Movi match reads. They are wanted alone, in plain order. The text holds no byte 0.
	Runs bool
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
	// Runs are those of the transform. VerifyArrays does not check them.
	Runs *Runs
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
// Runs come in parts, in their order. All of them take 9 bytes of host memory each. On the device they take the memory
// of an LCP array, and 0.3 bytes a character; each takes O(log n) steps after the LCP array.
//
// Symbols of 16 and 32 bits compare as numbers, and may have any values. They are sorted by AlgorithmSuffixsort and
// AlgorithmSAIS. Errors: as SuffixArray; another algorithm; an order that the text has not; a *MismatchError
// if Want.Known is another array.
func (e *Engine) Arrays(text Text, want Want) Job[*Result, *Result] {
	if want.Runs {
		return e.runs(text, want)
	}
	return jobOf(arrays.Make(e.inner(), text.in, want.inner()), resultOf, resultOf)
}

// Invert is the text whose transform and primary index a result has, of the same symbols: one part. The transform may
// be a Length, to plan it. The transform of a set has no primary index, and is not inverted, nor is that of an order
// with specials. A nil *Result is that of the empty text. Errors: as InverseBWT; such an order.
func (e *Engine) Invert(r *Result) Job[Text, Text] {
	return jobOf(arrays.Invert(e.inner(), r.inner(), nil), textOf, textOf)
}

// GivenArrays are what VerifyArrays checks: a Result, or arrays that are read part by part, at several places at once.
type GivenArrays struct {
	// Result has the arrays in memory, and their order. The suffix array must be there; other arrays are checked where
	// they are. nil: the functions read a suffix array, and a transform and an LCP array if they are given.
	Result *Result

	Len int // entries of the suffix array that is read
	// SuffixArray reads entries from one on, as the other functions do.
	SuffixArray func(entries []uint64, first int) error
	// Transform, of as many bytes as the text, and Primary are checked, too, unless Transform is nil.
	Transform func(part []byte, first int) error
	Primary   int
	// LCP, of an array of as many entries, is checked, too, unless it is nil.
	LCP func(entries []uint64, first int) error
	// Order of the suffixes that are read: OrderPlain, or SpecialsLargest with a suffix array alone.
	Order Order
}

// errGivenTwice is of arrays in memory that are read as well.
var errGivenTwice = errors.New("suffixcl: arrays to verify are a result or are read, not both")

// VerifyArrays tells whether arrays are those of the text, in their order: All has no result but its error, which is a
// *MismatchError if they are others. The suffix array is checked in linear time, on the device.
//
// Of a Result the memory is that of Arrays with Want.Known. Arrays that are read belong to a text of up to MaxRangesLen
// bytes. They take about a byte a character, on device and host. Their plan depends on whether GivenArrays.LCP is set.
//
// Errors: those of Arrays; those of the functions that read; for these, a text that is none of bytes.
func (e *Engine) VerifyArrays(text Text, given GivenArrays) Job[struct{}, struct{}] {
	none := func(struct{}) struct{} { return struct{}{} }
	if read := given.SuffixArray != nil || given.Transform != nil || given.LCP != nil; given.Result != nil {
		if read {
			return jobOf(call.Refused[struct{}, struct{}](e.inner(), errGivenTwice), none, none)
		}
		return jobOf(arrays.Verify(e.inner(), text.in, given.Result.inner()), none, none)
	}
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
