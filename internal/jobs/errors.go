package jobs

import (
	"errors"
	"fmt"

	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/internal/bytesize"
	"github.com/suffixcl/suffixcl/internal/fmindex"
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
	// ErrNoSymbols: a job runs whose text is only a Length.
	ErrNoSymbols = errors.New("suffixcl: the text has a length, and no symbols")
	// ErrNotInMemory: a job that reads its text at any place has one of a Reader.
	ErrNotInMemory = errors.New("suffixcl: the text of a reader is not in memory, as this job needs it")
	// ErrUnknownAlgorithm is matched by the error for a name that is none of Algorithms, and for an algorithm that does
	// not sort such texts.
	ErrUnknownAlgorithm = errors.New("unknown algorithm")
	// errOnlyArrays: of operations that need the suffix array on the device.
	errOnlyArrays = fmt.Errorf("%w: %q makes suffix arrays, transforms, LCP arrays and FM-indexes only",
		ErrUnknownAlgorithm, AlgorithmRanges)
	// errNotInRanges: of texts that Ranges does not sort.
	errNotInRanges = errors.New("suffixcl: sets and texts of symbols are not sorted in ranges")
	// ErrNoSamples: an index that was built with SampleEvery 0 counts, and locates nothing.
	ErrNoSamples = fmindex.ErrNoSamples
	// ErrFormat is matched by the error for bytes that are no index of this version, or a damaged one. It says why.
	ErrFormat = fmindex.ErrFormat
)

// onlyBytesError is that of texts of symbols for an algorithm that does not take them.
type onlyBytesError struct{ algorithm Algorithm }

func (e onlyBytesError) Error() string {
	return fmt.Sprintf("suffixcl: %s sorts texts of bytes only; texts of symbols: %v", e.algorithm, symbolAlgorithms)
}

func (onlyBytesError) Is(target error) bool { return target == ErrUnknownAlgorithm }

// LengthError says that a text is too long, or a slice for a result not as long as the text.
type LengthError = device.LengthError

// MismatchError says why an array is not the suffix array, LCP array or Burrows-Wheeler transform
// of the text, or a transform that of no text.
type MismatchError = verify.MismatchError

// RecordError says why records are not parts of a text.
type RecordError struct {
	Record int // number of the first wrong one, from 0
	Why    string
}

func (e *RecordError) Error() string { return fmt.Sprintf("record %d %s", e.Record, e.Why) }

// ComplementError says that a byte of a text has no complement, where both strands are asked for.
type ComplementError struct {
	Position int // of the text, from 0
	Byte     byte
}

func (e *ComplementError) Error() string { return fmt.Sprintf("position %d: %s", e.Position, e.Why()) }

// Why is the error without its position.
func (e *ComplementError) Why() string {
	return fmt.Sprintf("%q is no nucleotide, and has no complement", e.Byte)
}

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
	return &LengthError{What: what, Len: got, Min: n, Max: n}
}
