package suffixcl

import (
	"context"

	"github.com/suffixcl/suffixcl/internal/call"
	"github.com/suffixcl/suffixcl/internal/jobs/arrays"
)

// SuffixArray returns sa [len(text)]uint32: the positions of text in the order of the suffixes that
// start there. The empty text has an empty suffix array. Texts have up to MaxLen bytes. It is Arrays of a text of bytes
// with Want{SA: true}, whose Plan tells the memory. Where no sorter in one piece fits, AlgorithmAuto sorts in ranges.
//
// Errors: a *LengthError, *device.MemoryError before anything is allocated; the context's; the
// device's, with the phase; ErrClosed, ErrInCallback.
func (e *Engine) SuffixArray(ctx context.Context, text []byte) ([]uint32, error) {
	r, err := e.Arrays(Bytes(text), Want{SA: true}).All(ctx)
	if err != nil {
		return nil, err
	}
	return r.SA, nil
}

// SuffixArrayInto is SuffixArray in memory of the caller: sa [len(text)]. Pinned memory (device.AllocPinned) is
// copied to directly. Errors as SuffixArray; where there is one, sa holds anything.
func (e *Engine) SuffixArrayInto(ctx context.Context, sa []uint32, text []byte) error {
	if err := call.Exactly(call.SuffixArrayName, len(sa), len(text)); err != nil {
		return err
	}
	_, err := e.Arrays(Bytes(text), Want{SA: true, Into: &Result{SA: sa}}).All(ctx)
	return err
}

// LCP returns lcp [len(text)]uint32: entry j is the length of the longest common prefix
// of the suffixes in slots j-1 and j of the suffix array, entry 0 is 0. It is Arrays with Want{LCP: true}, which takes
// a suffix array that is known, too. Where it does not fit in one piece, AlgorithmAuto sorts in ranges. Errors as
// SuffixArray.
func (e *Engine) LCP(ctx context.Context, text []byte) ([]uint32, error) {
	r, err := e.Arrays(Bytes(text), Want{LCP: true}).All(ctx)
	if err != nil {
		return nil, err
	}
	return r.LCP, nil
}

// LCPInto is LCP in memory of the caller: lcp [len(text)]. Where there is an error, lcp holds anything.
func (e *Engine) LCPInto(ctx context.Context, lcp []uint32, text []byte) error {
	if err := call.Exactly(call.LCPName, len(lcp), len(text)); err != nil {
		return err
	}
	_, err := e.Arrays(Bytes(text), Want{LCP: true, Into: &Result{LCP: lcp}}).All(ctx)
	return err
}

// Verify returns nil if sa [len(text)] is the suffix array of text, and a *MismatchError with the first wrong entry
// if it is not. Linear time, on the device. It is VerifyArrays of a suffix array. Other errors as SuffixArray.
func (e *Engine) Verify(ctx context.Context, text []byte, sa []uint32) error {
	_, err := e.VerifyArrays(Bytes(text), GivenArrays{Result: &Result{SA: sa}}).All(ctx)
	return err
}

// BWT returns the Burrows-Wheeler transform [len(text)]byte, the row of the end
// marker left out, and that row's number, the primary index, in the convention of
// libdivsufsort and libsais: from 1 on, 0 for the empty text. It is Arrays of a text of bytes with Want{BWT: true}.
// Where no sorter in one piece fits, AlgorithmAuto sorts in ranges. Errors as SuffixArray.
func (e *Engine) BWT(ctx context.Context, text []byte) (transform []byte, primary int, err error) {
	r, err := e.Arrays(Bytes(text), Want{BWT: true}).All(ctx)
	if err != nil {
		return nil, 0, err
	}
	return r.BWT.Bytes(), r.Primary, nil
}

// BWTInto is BWT in memory of the caller: transform [len(text)], which may be text. Where there is an error,
// transform holds anything. Errors as BWT; a *LengthError for a transform of another length.
func (e *Engine) BWTInto(ctx context.Context, transform, text []byte) (primary int, err error) {
	if err := call.Exactly("transform", len(transform), len(text)); err != nil {
		return 0, err
	}
	r, err := e.Arrays(Bytes(text), Want{BWT: true, Into: &Result{BWT: Bytes(transform)}}).All(ctx)
	if err != nil {
		return 0, err
	}
	return r.Primary, nil
}

// InverseBWT returns the text [len(transform)]byte whose transform and primary index are given, in the
// convention of BWT. It is Invert of bytes. Errors as SuffixArray, and a *MismatchError if there is no such text.
func (e *Engine) InverseBWT(ctx context.Context, transform []byte, primary int) (text []byte, err error) {
	inverse, err := e.Invert(&Result{BWT: Bytes(transform), Primary: primary}).All(ctx)
	return inverse.Bytes(), err
}

// InverseBWTInto is InverseBWT in memory of the caller: text [len(transform)], which may be transform. Where there is
// an error, text holds anything. Errors as InverseBWT; a *LengthError for a text of another length.
func (e *Engine) InverseBWTInto(ctx context.Context, text, transform []byte, primary int) error {
	if err := call.Exactly("text", len(text), len(transform)); err != nil {
		return err
	}
	r := &Result{BWT: Bytes(transform), Primary: primary}
	_, err := arrays.Invert(e.inner(), r.inner(), text).All(ctx)
	return public(err)
}
