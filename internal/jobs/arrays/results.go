package arrays

import (
	"fmt"

	"github.com/suffixcl/suffixcl/internal/call"
	"github.com/suffixcl/suffixcl/internal/input"
	"github.com/suffixcl/suffixcl/internal/verify"
)

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
			if input.Width[T]() == 1 {
				format = "holds %#02x instead of %#02x"
			}
			return &verify.MismatchError{What: what, At: j, Why: fmt.Sprintf(format, got[j], want[j])}
		}
	}
	return nil
}
