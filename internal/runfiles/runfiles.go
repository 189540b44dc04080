// Package runfiles reads the files of a transform from which Movi, SPUMONI and MONI make their indexes: its runs of
// equal letters, and their thresholds. formats/internal/movi writes them. There are three, without headers; numbers are
// little-endian.
//
//	.bwt.heads   a byte a run: its letter; 0 for the row before the whole text
//	.bwt.len     5 bytes a run: its rows
//	.thr_pos     5 bytes a run: its threshold, a row; 0 for the first run of a letter
package runfiles

import (
	"errors"
	"fmt"
	"io"

	"github.com/suffixcl/suffixcl/internal/bytesize"
)

// What the names of the files end in.
const (
	HeadsSuffix      = ".bwt.heads"
	LengthsSuffix    = ".bwt.len"
	ThresholdsSuffix = ".thr_pos"
)

// Width is the number of bytes of a number, and MaxRows how many rows there are at most: a threshold is less than that.
const (
	Width   = 5
	MaxRows = 1<<(8*Width) - 1
)

// Files are heads, lengths and thresholds.
type Files [3]*io.SectionReader

// suffixes are those of Files.
var suffixes = [3]string{HeadsSuffix, LengthsSuffix, ThresholdsSuffix}

// widths are the bytes of a run in each of Files.
var widths = [3]int64{1, Width, Width}

// Error says what is wrong with a file.
type Error struct {
	Suffix string
	Offset int64 // in bytes
	Why    string
}

func (e *Error) Error() string { return fmt.Sprintf("%s: byte %d: %s", e.Suffix, e.Offset, e.Why) }

// check tells what is wrong with the sizes of the files.
func (f Files) check() error {
	runs := f[0].Size()
	for k, file := range f {
		if size := runs * widths[k]; file.Size() < size {
			return &Error{suffixes[k], file.Size(), fmt.Sprintf("ends too early: there are %s",
				bytesize.Count(runs, "run"))}
		} else if file.Size() > size {
			return &Error{suffixes[k], size, fmt.Sprintf("has %s too many",
				bytesize.Count(file.Size()-size, "byte"))}
		}
	}
	return nil
}

// read reads all of b from a run on.
func (f Files) read(k int, run int64, b []byte) error {
	at := run * widths[k]
	n, err := f[k].ReadAt(b, at)
	if n == len(b) {
		return nil
	}
	if errors.Is(err, io.EOF) {
		return &Error{suffixes[k], at + int64(n), "ends too early"}
	}
	return err
}

// numbers has the numbers of a file.
func numbers(to []uint64, from []byte) {
	for i := range to {
		b := from[i*Width:][:Width]
		to[i] = uint64(b[0]) | uint64(b[1])<<8 | uint64(b[2])<<16 | uint64(b[3])<<24 | uint64(b[4])<<32
	}
}
