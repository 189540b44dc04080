package call

import (
	"errors"
	"fmt"

	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/internal/bytesize"
	"github.com/suffixcl/suffixcl/internal/usage"
	"github.com/suffixcl/suffixcl/internal/verify"
)

// Errors that callers tell apart, in addition to device.ErrNoDevice and *device.MemoryError.
var (
	// ErrClosed: the engine, index or matcher has been closed.
	ErrClosed = errors.New("suffixcl: it is closed")
	// ErrInCallback: a function that the engine calls (Progress, the functions of Locate,
	// SuffixArrays and BWTs, the body of a loop over Job.Each) called the engine, which would wait for itself.
	// Caps may be called there. A goroutine that such a function starts and waits
	// for is not recognised: its calls wait until their contexts end.
	ErrInCallback = errors.New("suffixcl: a callback of the engine calls the engine")
	// ErrNoEngine: an engine, or the one of an index or matcher, is nil or zero, not one of Open or New; the session of
	// New is nil. It matches suffixcl.ErrUsage, as the next one.
	ErrNoEngine = usage.New("suffixcl: an engine that was not opened")
	// ErrNoFunction: a function, reader or writer is nil that a call gives results to, or takes texts from.
	ErrNoFunction = usage.New("suffixcl: a function, reader or writer that the call needs is nil")
)

// Names of arrays in errors.
const (
	SuffixArrayName = "suffix array"
	LCPName         = "LCP array"
	TransformName   = "Burrows-Wheeler transform"
	DocumentsName   = "document array"
)

// SameLength returns a *MismatchError unless an array of got entries has one for each of n characters.
func SameLength(what string, got, n int) error {
	if got == n {
		return nil
	}
	why := fmt.Sprintf("is where the lengths differ: %s for %s", bytesize.Count(got, "entry"),
		bytesize.Count(n, "character"))
	return &verify.MismatchError{What: what, At: min(got, n), Why: why}
}

// Exactly returns a *LengthError unless got entries are as many as a text has characters.
func Exactly(what string, got, n int) error {
	if got == n {
		return nil
	}
	return &device.LengthError{What: what, Len: got, Min: n, Max: n}
}
