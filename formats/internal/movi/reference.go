package movi

import (
	"context"
	"errors"
	"io"

	"github.com/suffixcl/suffixcl"
	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/formats/internal/indexfiles"
	"github.com/suffixcl/suffixcl/internal/addressspace"
	"github.com/suffixcl/suffixcl/internal/parallel"
	"github.com/suffixcl/suffixcl/internal/runfiles"
	"github.com/suffixcl/suffixcl/internal/table"
	"github.com/suffixcl/suffixcl/seqio"
)

// Separator follows each strand of a text with separators.
const Separator = '%'

const width = runfiles.Width

// Suffixes of the names of the files.
func Suffixes() []string {
	return []string{runfiles.HeadsSuffix, runfiles.LengthsSuffix, runfiles.ThresholdsSuffix}
}

// bases has the base of each letter on both strands.
var bases = func() (bases [2][256]byte) {
	for c := range bases[0] {
		bases[0][c], bases[1][c] = 'A', 'T'
	}
	for i, c := range []byte("CGTcgt") {
		bases[0][c], bases[1][c] = "CGT"[i%3], "GCA"[i%3]
	}
	return bases
}()

// Reference is a text that is sorted.
type Reference struct {
	text []byte // both strands of all records
}

// New returns the text of these records without separators. Errors: no letters; a text of more than suffixcl.MaxLen
// letters, as a *suffixcl.LengthError.
func New(b *seqio.Batch) (*Reference, error) { return newReference(b, 0) }

// NewSeparated is New with separators.
func NewSeparated(b *seqio.Batch) (*Reference, error) { return newReference(b, 1) }

// newReference has so many separators after each strand.
func newReference(b *seqio.Batch, separators int) (*Reference, error) {
	if len(b.Text) == 0 {
		return nil, errors.New("movi: the records have no letters")
	}
	n := 2 * (len(b.Text) + separators*len(b.Records))
	if n > suffixcl.MaxLen {
		return nil, &suffixcl.LengthError{What: "text of both strands", Len: n, Max: suffixcl.MaxLen}
	}
	r := &Reference{text: addressspace.Make[byte](n)}
	to := r.text
	for _, record := range b.Records {
		letters := b.Text[record.Offset:record.End()]
		strand := len(letters) + separators
		forward, reverse := to[:strand], to[strand:2*strand]
		to = to[2*strand:]
		parallel.Do(len(letters), 1<<16, func(lo, hi int) {
			for i := lo; i < hi; i++ {
				forward[i], reverse[len(letters)-1-i] = bases[0][letters[i]], bases[1][letters[i]]
			}
		})
		if separators > 0 {
			forward[len(letters)], reverse[len(letters)] = Separator, Separator
		}
	}
	return r, nil
}

// Plan returns the memory of Write. Errors: those of the plan of suffixcl.Engine.Arrays with Want.Runs.
func (r *Reference) Plan(ctx context.Context, e *suffixcl.Engine) (device.MemoryPlan, error) {
	return e.Arrays(suffixcl.Length(1, len(r.text)), suffixcl.Want{Runs: true}).Plan(ctx)
}

// Write writes the files, part by part of the runs. Host memory: the text, and some MiB. Errors: those of the engine
// and of files.
func (r *Reference) Write(ctx context.Context, e *suffixcl.Engine, files *indexfiles.Set) error {
	return create(ctx, files, -1, func(to *writer) error {
		for part, err := range e.Arrays(suffixcl.Bytes(r.text), suffixcl.Want{Runs: true}).Each(ctx) {
			if err != nil {
				return err
			}
			if err := to.runs(part.Runs); err != nil {
				return err
			}
		}
		return to.end(uint64(len(r.text)) + 1)
	})
}

// create opens all files of so many runs for a writer; -1: that is not known.
func create(ctx context.Context, files *indexfiles.Set, runs int64, write func(to *writer) error) error {
	to := &writer{}
	numbers := max(width*runs, -1)
	return files.Write(ctx, runfiles.HeadsSuffix, runs, func(w io.Writer) error {
		to.heads = w
		return files.Write(ctx, runfiles.LengthsSuffix, numbers, func(w io.Writer) error {
			to.lengths = w
			return files.Write(ctx, runfiles.ThresholdsSuffix, numbers, func(w io.Writer) error {
				to.thresholds = w
				return write(to)
			})
		})
	})
}

// writer writes runs in their order.
type writer struct {
	heads, lengths, thresholds io.Writer
	open                       bool   // there is a run whose length is not known yet
	start                      uint64 // of it
}

// numbers writes n of them.
func numbers(w io.Writer, n int, of func(k int) uint64) error {
	return table.Write(w, n, width, func(b []byte, lo, hi int) {
		for k := lo; k < hi; k, b = k+1, b[width:] {
			v := of(k)
			b[0], b[1], b[2], b[3], b[4] = byte(v), byte(v>>8), byte(v>>16), byte(v>>24), byte(v>>32)
		}
	})
}

// runs writes the next ones, and the length of the one before them.
func (w *writer) runs(r *suffixcl.Runs) error {
	m := len(r.Letters)
	if m == 0 {
		return nil
	}
	if w.open {
		if err := w.end(uint64(r.Starts[0])); err != nil {
			return err
		}
	}
	w.open, w.start = true, uint64(r.Starts[m-1])
	if _, err := w.heads.Write(r.Letters); err != nil {
		return err
	}
	if err := numbers(w.lengths, m-1, func(k int) uint64 { return uint64(r.Starts[k+1] - r.Starts[k]) }); err != nil {
		return err
	}
	return numbers(w.thresholds, m, func(k int) uint64 { return uint64(r.Thresholds[k]) })
}

// end writes the length of a run, before the row that comes after it.
func (w *writer) end(row uint64) error {
	return numbers(w.lengths, 1, func(int) uint64 { return row - w.start })
}
