package jobs

import (
	"errors"
	"fmt"

	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/internal/bytesize"
	"github.com/suffixcl/suffixcl/verify"
)

// Errors that callers tell apart, in addition to device.ErrNoDevice and *device.MemoryError.
var (
	// ErrClosed: the engine, index or matcher has been closed.
	ErrClosed = errors.New("suffixcl: it is closed")
	// ErrInCallback: a function that the engine calls (Progress, the functions of Locate,
	// SuffixArrays and BWTs, the body of a loop over Job.Each) called the engine, which would wait for itself.
	// Stats and Caps may be called there. A goroutine that such a function starts and waits
	// for is not recognised: its calls wait until their contexts end.
	ErrInCallback = errors.New("suffixcl: a callback of the engine calls the engine")
	// ErrNoEngine: an engine, or the one of an index or matcher, is nil or zero, not one of Open or New; the session of
	// New is nil.
	ErrNoEngine = errors.New("suffixcl: an engine that was not opened")
	// ErrNoFunction: a function, reader or writer is nil that a call gives results to, or takes texts from.
	ErrNoFunction = errors.New("suffixcl: a function, reader or writer that the call needs is nil")
)

// MismatchError says why an array is not the suffix array, LCP array or Burrows-Wheeler transform
// of the text, or a transform that of no text.
type MismatchError = verify.MismatchError

// Names of arrays in errors.
const (
	suffixArrayName = "suffix array"
	lcpName         = "LCP array"
	transformName   = "Burrows-Wheeler transform"
	documentsName   = "document array"
)

// sameLength returns a *MismatchError unless an array of got entries has one for each of n characters.
func sameLength(what string, got, n int) error {
	if got == n {
		return nil
	}
	why := fmt.Sprintf("is where the lengths differ: %s for %s", bytesize.Count(got, "entry"),
		bytesize.Count(n, "character"))
	return &MismatchError{What: what, At: min(got, n), Why: why}
}

// exactly returns a *LengthError unless got entries are as many as a text has characters.
func exactly(what string, got, n int) error {
	if got == n {
		return nil
	}
	return &device.LengthError{What: what, Len: got, Min: n, Max: n}
}
