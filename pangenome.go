package suffixcl

import (
	"io"

	"github.com/suffixcl/suffixcl/internal/call"
	"github.com/suffixcl/suffixcl/internal/input"
	"github.com/suffixcl/suffixcl/internal/jobs/pangenome"
)

// PangenomeOptions say of what Pangenome makes an index. Its strings are those of Indexes, then those of Next.
type PangenomeOptions struct {
	// Indexes are files of ropebwt3 (.fmd). The first one grows by the strings of the others, in their order.
	Indexes []*io.SectionReader
	// Next returns the next texts, and after the last io.EOF; nil: there are none. It may not call the engine: see
	// ErrInCallback. Letters are ACGT in upper or lower case, all other bytes are N.
	Next func() (*Collection, error)
	// Ahead returns the texts that Next will return next: the same value, if they are there; else nil. It does not wait.
	// It is called while the device works on the texts before, so that those after them can be copied there. nil: nothing
	// is known.
	Ahead func() *Collection
	// Save is called each time after a set of Next was appended; nil: it is not. write writes the file of the index of all
	// strings so far, and returns its figures; it need not be called. An error of Save ends the job. It may not call the
	// engine.
	Save func(write func(io.Writer) (*Pangenome, error)) error
	// Forward: each text is a string. Else text k is string 2k, and its reverse complement string 2k+1.
	Forward bool
	// Letters and Texts are those of the largest set that Next will return, for plans; 0: not known.
	Letters, Texts int
}

// Pangenome is the run-length Burrows-Wheeler transform of a collection of DNA, as a file of ropebwt3 (.fmd). A part
// has bytes of the file, and the figures of all.
type Pangenome struct {
	File   []byte
	Counts [6]uint64 // of $ (an end for each string), A, C, G, T, N
	Runs   uint64
}

// PangenomeString is a string of an index.
type PangenomeString struct {
	Row   uint64 // from which it was read: the number of a string, or another row
	Whole uint64 // row of the whole string
	Text  []byte // its letters, of a row that is no string's those before the suffix there
}

// Pangenome makes the index of a collection, or has one grow. Strings are ordered as they come: $ of string i is
// smaller than $ of string j for i < j, and $ < A < C < G < T < N. So the bytes depend on the strings alone, not on how
// they came together. They are what ropebwt3 writes, but for collections with empty strings, where its default loses
// letters.
//
// The index is on the device, at 1.6 to 2.9 bytes a run, and twice while it grows. Strings are sorted in batches that
// fit beside it, and merged: 27 bytes a letter, or what sorting a set takes. The plan is an upper bound. The host has
// 8 bytes a run for the file, and 7 a letter of a batch. Errors: an *IndexError for what is no index, a damaged one,
// or one of no collection; both strands for an index without; those of Next and Save.
func (e *Engine) Pangenome(o PangenomeOptions) Job[*Pangenome, *Pangenome] {
	in := pangenome.Options{Indexes: o.Indexes, Forward: o.Forward, Letters: o.Letters, Texts: o.Texts}
	if o.Next != nil {
		in.Next = func() (*input.Collection, error) {
			set, err := o.Next()
			if set.inner() == nil {
				return &input.Collection{}, err
			}
			return set.inner(), err
		}
	}
	if o.Ahead != nil {
		in.Ahead = func() *input.Collection { return o.Ahead().inner() }
	}
	whole := func(f *pangenome.File) *Pangenome { return (*Pangenome)(f) }
	if o.Save != nil {
		in.Save = func(write func(io.Writer) (*pangenome.File, error)) error {
			return o.Save(func(w io.Writer) (*Pangenome, error) {
				f, err := write(w)
				return whole(f), err
			})
		}
	}
	return jobOf(pangenome.Grow(e.inner(), in), whole, whole)
}

// PangenomeIndex is a file of ropebwt3 (.fmd) whose strings are read. It holds no memory.
type PangenomeIndex struct {
	core *call.Engine
	file *io.SectionReader
}

// PangenomeIndex reads a file that Pangenome or ropebwt3 has made, on the host. What it reads are jobs of the engine.
func (e *Engine) PangenomeIndex(file *io.SectionReader) PangenomeIndex {
	return PangenomeIndex{e.inner(), file}
}

// Strings reads strings of an index: those of rows [m]uint64, or all, in their order, where rows is nil. Row
// i, less than the number of strings, is that of string i; at another one is the text before its suffix. Reading all
// tells of a transform that is none of a collection. It works on the host, a letter after the other of each string,
// several strings at a time. Memory: 12 bytes a run. Errors: an *IndexError; a row that there is not.
func (x PangenomeIndex) Strings(rows []uint64) Job[*PangenomeString, []*PangenomeString] {
	one := func(s *pangenome.String) *PangenomeString { return (*PangenomeString)(s) }
	return jobOf(pangenome.Strings(x.core, x.file, rows), one, eachOf(one))
}

// Samples makes the places of the suffixes of every 2^rate-th row of an index, as ropebwt3 has them in an .fmd.ssa: the
// parts are its bytes. It reads all strings as Strings does. Memory: 12 bytes a run, 8 a string and 8 a sample. Errors:
// an *IndexError; a rate of less than 0 or more than 48.
func (x PangenomeIndex) Samples(rate int) Job[[]byte, []byte] {
	same := func(part []byte) []byte { return part }
	return jobOf(pangenome.Sample(x.core, x.file, rate), same, same)
}
