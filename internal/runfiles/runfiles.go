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
	"github.com/suffixcl/suffixcl/internal/parallel"
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

// Part are runs that follow each other: letters, numbers of rows, thresholds.
type Part struct {
	Heads               []byte
	Lengths, Thresholds []uint64
}

// Error says what is wrong with a file.
type Error struct {
	Suffix string
	Offset int64 // in bytes
	Why    string
}

func (e *Error) Error() string { return fmt.Sprintf("%s: byte %d: %s", e.Suffix, e.Offset, e.Why) }

// partRuns are the runs of a part.
const partRuns = 1 << 20

// Each calls yield for all runs, many at a time. A part is valid until it returns. Errors: yield's, those of the files;
// an *Error for files that are damaged, or do not belong together: runs of no rows or of the letter before, no end or
// several, more than MaxRows rows, thresholds after the first row of the run, or before the run of that letter before
// it.
func (f Files) Each(yield func(p *Part) error) error {
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
	n := int(min(runs, partRuns))
	c := checker{p: Part{make([]byte, n), make([]uint64, n), make([]uint64, n)}}
	raw := make([]byte, n*Width)
	for at := int64(0); at < runs; at += partRuns {
		n := int(min(runs-at, partRuns))
		c.at, c.p = at, Part{c.p.Heads[:n], c.p.Lengths[:n], c.p.Thresholds[:n]}
		if err := f.read(0, at, c.p.Heads); err != nil {
			return err
		}
		for k, to := range [][]uint64{c.p.Lengths, c.p.Thresholds} {
			if err := f.read(k+1, at*Width, raw[:n*Width]); err != nil {
				return err
			}
			parallel.Do(n, 1<<14, func(lo, hi int) {
				for i := lo; i < hi; i++ {
					b := raw[i*Width:][:Width]
					to[i] = uint64(b[0]) | uint64(b[1])<<8 | uint64(b[2])<<16 | uint64(b[3])<<24 | uint64(b[4])<<32
				}
			})
		}
		if err := c.check(); err != nil {
			return err
		}
		if err := yield(&c.p); err != nil {
			return err
		}
	}
	if c.ends != 1 {
		return &Error{HeadsSuffix, runs, fmt.Sprintf("has %d ends of the text, not 1", c.ends)}
	}
	return nil
}

// read reads all of b from a place on.
func (f Files) read(k int, at int64, b []byte) error {
	n, err := f[k].ReadAt(b, at)
	if n == len(b) {
		return nil
	}
	if errors.Is(err, io.EOF) {
		return &Error{suffixes[k], at + int64(n), "ends too early"}
	}
	return err
}

// checker checks part after part.
type checker struct {
	p           Part
	at          int64 // of the first run of the part
	last        byte  // the letter of the run before it
	ends        int
	row         uint64      // the first one of the part
	afterLetter [256]uint64 // the row after the last run of each letter; 0: there is none
}

// check checks a part, file by file.
func (c *checker) check() error {
	p := &c.p
	wrong := func(k, i int, format string, args ...any) error {
		return &Error{suffixes[k], (c.at + int64(i)) * widths[k], fmt.Sprintf(format, args...)}
	}
	for i, head := range p.Heads {
		run := c.at + int64(i)
		if run > 0 && head == c.last {
			return wrong(0, i, "has the letter %q in runs %d and %d", head, run-1, run)
		}
		if c.last = head; head == 0 {
			if c.ends++; c.ends > 1 {
				return wrong(0, i, "has %d ends of the text, not 1", c.ends)
			}
		}
	}
	rows := c.row
	for i, length := range p.Lengths {
		rows += length
		switch {
		case length == 0:
			return wrong(1, i, "has no rows in run %d", c.at+int64(i))
		case p.Heads[i] == 0 && length > 1:
			return wrong(1, i, "has %d rows in run %d, the end", length, c.at+int64(i))
		case rows > MaxRows:
			return wrong(1, i, "has more than %d rows", uint64(MaxRows))
		}
	}
	for i, threshold := range p.Thresholds {
		least, most := c.afterLetter[p.Heads[i]], c.row
		if least == 0 {
			most = 0
		}
		if threshold < least || threshold > most {
			return wrong(2, i, "has threshold %d for run %d, which has %d to %d", threshold, c.at+int64(i), least, most)
		}
		c.row += p.Lengths[i]
		c.afterLetter[p.Heads[i]] = c.row
	}
	return nil
}
