package suffixcl

import (
	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/internal/call"
	"github.com/suffixcl/suffixcl/internal/fmindex"
	"github.com/suffixcl/suffixcl/internal/input"
	"github.com/suffixcl/suffixcl/internal/jobs/pangenome"
	"github.com/suffixcl/suffixcl/internal/jobs/smems"
	"github.com/suffixcl/suffixcl/internal/usage"
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
	// ErrUsage is matched by the error of a call that is not possible as it was made, before anything has run: options
	// or texts that are not possible, or not together; an engine, index or matcher that was not opened; a function,
	// reader or writer that is nil, and needed; a text that is a [Length] where symbols are needed, or of a [Reader]
	// where a job reads at any place; an algorithm that there is not, or that does not sort such texts; places asked of
	// an index without samples.
	ErrUsage = usage.Err
	// ErrFormat is matched by the error for bytes that are no index of this version, or a damaged one. In
	// package formats these are files of other programs, or what an index is made of. It says why.
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

// TextError says what is wrong with a text, or with a text or a record of several. It matches [ErrUsage].
type TextError struct {
	Text   int // number of the first wrong text, from 0; -1 where Offset is of all
	Offset int // place in it, or -1
	Why    string
}

// Error has the number and the place, and Why.
func (e *TextError) Error() string { return (*input.TextError)(e).Error() }

// public is an error with the types of this package.
func public(err error) error {
	if made := converted(err); made != nil {
		return made
	}
	return err
}

// converted is an error of this package for one of others, or nil.
func converted(err error) error {
	switch e := err.(type) {
	case *usage.Error:
		if why := converted(e.Why); why != nil {
			return &usage.Error{Why: why}
		}
	case *input.TextError:
		return &usage.Error{Why: (*TextError)(e)}
	case *verify.MismatchError:
		return (*MismatchError)(e)
	case *pangenome.IndexError:
		return &IndexError{e.Index, e.Err, e.Error()}
	case *smems.IndexError:
		return &IndexError{0, e.Err, e.Error()}
	}
	return nil
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
