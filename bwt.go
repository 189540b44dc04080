package suffixcl

import "context"

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
	if err := exactly("transform", len(transform), len(text)); err != nil {
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
	if err := exactly("text", len(text), len(transform)); err != nil {
		return err
	}
	_, err := e.invert(&Result{BWT: Bytes(transform), Primary: primary}, text).All(ctx)
	return err
}
