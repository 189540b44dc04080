package suffixcl

import (
	"context"
	"fmt"

	"github.com/suffixcl/suffixcl/device"
)

// BWT returns the Burrows-Wheeler transform [len(text)]byte, the row of the end
// marker left out, and that row's number, the primary index, in the convention of
// libdivsufsort and libsais: from 1 on, 0 for the empty text. Memory: Plan(OpBWT). Where no sorter in one piece
// fits, AlgorithmAuto sorts in ranges: see SuffixRanges. Errors as SuffixArray.
func (e *Engine) BWT(ctx context.Context, text []byte) (transform []byte, primary int, err error) {
	return e.bwt(ctx, nil, text)
}

// BWTInto is BWT in memory of the caller: transform [len(text)], which may be text. Where there is an error,
// transform holds anything. Errors as BWT; a *LengthError for a transform of another length.
func (e *Engine) BWTInto(ctx context.Context, transform, text []byte) (primary int, err error) {
	if err := exactly("transform", len(transform), len(text)); err != nil {
		return 0, err
	}
	_, primary, err = e.bwt(ctx, transform, text)
	return primary, err
}

func (e *Engine) bwt(ctx context.Context, into, text []byte) (transform []byte, primary int, err error) {
	c, err := e.begin(ctx)
	if err != nil {
		return nil, 0, err
	}
	defer c.end()
	o, err := prepare(c, OpBWT, len(text), newBWT)
	if c.e.inRanges(err) {
		transform, primary, failed := c.transformInRanges(into, text)
		if device.IsTooLarge(failed) && device.IsTooLarge(err) {
			failed = err // a sorter in one piece takes less, then
		}
		return transform, primary, failed
	}
	if err != nil {
		return nil, 0, err
	}
	defer c.done(OpBWT, o, &err)
	into = placedOf(c, o, o.transform, len(text), into)
	if primary, err = o.sort(c, text); err != nil {
		return nil, 0, err
	}
	transform, err = download(c, into, o.transform.Buffer(c.s).View(0, len(text)))
	return transform, primary, err
}

// InverseBWT returns the text [len(transform)]byte whose transform and primary index are given, in the
// convention of BWT. Memory: Plan(OpInverseBWT). Errors as SuffixArray, and a *MismatchError if there is no such text.
func (e *Engine) InverseBWT(ctx context.Context, transform []byte, primary int) (text []byte, err error) {
	return e.inverseBWT(ctx, nil, transform, primary)
}

// InverseBWTInto is InverseBWT in memory of the caller: text [len(transform)], which may be transform. Where there is
// an error, text holds anything. Errors as InverseBWT; a *LengthError for a text of another length.
func (e *Engine) InverseBWTInto(ctx context.Context, text, transform []byte, primary int) error {
	if err := exactly("text", len(text), len(transform)); err != nil {
		return err
	}
	_, err := e.inverseBWT(ctx, text, transform, primary)
	return err
}

func (e *Engine) inverseBWT(ctx context.Context, into, transform []byte, primary int) (text []byte, err error) {
	c, err := e.begin(ctx)
	if err != nil {
		return nil, err
	}
	defer c.end()
	o, err := prepare(c, OpInverseBWT, len(transform), newInverting)
	if err != nil {
		return nil, err
	}
	defer c.done(OpInverseBWT, o, &err)
	out, err := o.run(c, transform, primary)
	if err != nil {
		return nil, err
	}
	return download(c, into, out)
}

// VerifyBWT checks sa [len(text)] as Verify does, and that transform [len(text)] and primary are the Burrows-Wheeler
// transform of text, in the convention of BWT. Memory: Plan(OpVerifyBWT). Errors as Verify.
func (e *Engine) VerifyBWT(ctx context.Context, text []byte, sa []uint32, transform []byte, primary int) (err error) {
	c, err := e.begin(ctx)
	if err != nil {
		return err
	}
	defer c.end()
	o, err := prepare(c, OpVerifyBWT, len(text), newTransforming)
	if err != nil {
		return err
	}
	defer c.done(OpVerifyBWT, o, &err)
	out, row, err := o.run(c, text, sa)
	if err != nil {
		return err
	}
	want, err := download(c, nil, out)
	if err != nil {
		return err
	}
	return compareBWT(want, row, transform, primary)
}

// compareBWT returns a *MismatchError for the first difference.
func compareBWT(want []byte, wantRow int, got []byte, gotRow int) error {
	if err := sameLength(transformName, len(got), len(want)); err != nil {
		return err
	}
	if gotRow != wantRow {
		why := fmt.Sprintf("has primary index %d instead of %d", gotRow, wantRow)
		return &MismatchError{What: transformName, At: -1, Why: why}
	}
	for i := range want {
		if got[i] != want[i] {
			return &MismatchError{What: transformName, At: i, Why: fmt.Sprintf("holds %#02x instead of %#02x", got[i], want[i])}
		}
	}
	return nil
}
