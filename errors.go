package suffixcl

import (
	"errors"
	"fmt"

	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/internal/call"
	"github.com/suffixcl/suffixcl/internal/fmindex"
	"github.com/suffixcl/suffixcl/internal/input"
	"github.com/suffixcl/suffixcl/internal/jobs/pangenome"
	"github.com/suffixcl/suffixcl/internal/jobs/repeats"
	"github.com/suffixcl/suffixcl/internal/jobs/smems"
	"github.com/suffixcl/suffixcl/internal/sorter"
	"github.com/suffixcl/suffixcl/internal/verify"
)

// Errors that callers tell apart, in addition to device.ErrNoDevice and *device.MemoryError.
var (
	// ErrClosed: the engine, index or matcher has been closed.
	ErrClosed = call.ErrClosed
	// ErrInCallback: a function that the engine calls (Progress, the functions of Locate,
	// SuffixArrays and BWTs, the body of a loop over Job.Each) called the engine, which would wait for itself.
	// Caps may be called there. A goroutine that such a function starts and waits
	// for is not recognised: its calls wait until their contexts end.
	ErrInCallback = call.ErrInCallback
	// ErrNoEngine: an engine, or the one of an index or matcher, is nil or zero, not one of Open or New; the session of
	// New is nil.
	ErrNoEngine = call.ErrNoEngine
	// ErrNoFunction: a function, reader or writer is nil that a call gives results to, or takes texts from.
	ErrNoFunction = call.ErrNoFunction
	// ErrNoSymbols: a job runs whose text is only a Length.
	ErrNoSymbols = input.ErrNoSymbols
	// ErrNotInMemory: a job that reads its text at any place has one of a Reader.
	ErrNotInMemory = input.ErrNotInMemory
	// ErrUnknownAlgorithm is matched by the error for a name that is none of Algorithms, and for an algorithm that does
	// not sort such texts.
	ErrUnknownAlgorithm = sorter.ErrUnknown
	// ErrOptions is matched by the error of a job whose text or options are not possible, or not together. Nothing has
	// run then.
	ErrOptions = errors.New("suffixcl: options that are not possible")
	// ErrNoSamples: an index that was built with SampleEvery 0 counts, and locates nothing.
	ErrNoSamples = fmindex.ErrNoSamples
	// ErrFormat is matched by the error for bytes that are no index of this version, or a damaged one. It says why.
	ErrFormat = fmindex.ErrFormat
)

// LengthError says that a text is too long, or a slice for a result not as long as the text.
type LengthError = device.LengthError

// MismatchError says why an array is not the suffix array, LCP array or Burrows-Wheeler transform
// of the text, or a transform that of no text.
type MismatchError struct {
	What string // "suffix array", "LCP array" or "Burrows-Wheeler transform"
	At   int    // the first wrong entry, or -1 where no entry is wrong by itself
	Why  string // what is wrong with it
}

// Error names the array and the entry, and says why it is wrong.
func (e *MismatchError) Error() string { return (*verify.MismatchError)(e).Error() }

// RecordError says why records are not parts of a text.
type RecordError struct {
	Record int // number of the first wrong one, from 0
	why    string
}

// Error names the record.
func (e *RecordError) Error() string {
	return fmt.Sprintf("record %d %s", e.Record, e.why)
}

// ComplementError says that a byte of a text has no complement, where both strands are asked for.
type ComplementError struct {
	Position int // of the text, from 0
	Byte     byte
}

// Error has the position, and Why.
func (e *ComplementError) Error() string {
	return (*repeats.ComplementError)(e).Error()
}

// Why is the error without its position.
func (e *ComplementError) Why() string {
	return (*repeats.ComplementError)(e).Why()
}

// public is an error with the types of this package.
func public(err error) error {
	switch e := err.(type) {
	case *call.ImpossibleError:
		return impossible{public(e.Err)}
	case *input.CollectionError:
		return &CollectionError{e.Text, e.Offset, e.Why}
	case *input.RecordError:
		return &RecordError{e.Record, e.Why}
	case *verify.MismatchError:
		return (*MismatchError)(e)
	case *repeats.ComplementError:
		return (*ComplementError)(e)
	case *pangenome.IndexError:
		return &IndexError{e.Index, e.Err, e.Error()}
	case *smems.IndexError:
		return &IndexError{0, e.Err, e.Error()}
	case *input.OrderError:
		return &OrderError{Order{e.Order}, e.What}
	}
	return err
}

// impossible is an error that matches ErrOptions.
type impossible struct{ error }

func (e impossible) Unwrap() error { return e.error }

func (e impossible) Is(target error) bool { return target == ErrOptions }

// CollectionError says what is wrong with the texts of a collection.
type CollectionError struct {
	Text   int // number of the first wrong one, from 0
	Offset int // place in it, or -1
	why    string
}

// Error names the text, and the offset if there is one.
func (e *CollectionError) Error() string {
	if e.Offset < 0 {
		return fmt.Sprintf("text %d %s", e.Text, e.why)
	}
	return fmt.Sprintf("text %d %s at offset %d", e.Text, e.why, e.Offset)
}

// IndexError says what is wrong with an index that a job reads.
type IndexError struct {
	Index int // its number in PangenomeOptions.Indexes; 0 where there is one
	Err   error
	text  string
}

// Error has the number where there may be several, and Err.
func (e *IndexError) Error() string { return e.text }

// Unwrap is Err.
func (e *IndexError) Unwrap() error { return e.Err }
