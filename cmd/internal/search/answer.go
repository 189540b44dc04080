package search

import (
	"bytes"
	"cmp"
	"context"
	"io"

	"github.com/suffixcl/suffixcl/cmd/internal/formats/tsv"
	"github.com/suffixcl/suffixcl/cmd/internal/job"
	"github.com/suffixcl/suffixcl/cmd/internal/sink"
	"github.com/suffixcl/suffixcl/cmd/internal/source"
	"github.com/suffixcl/suffixcl/internal/cli"
)

// FoundWriter writes what is found.
type FoundWriter interface {
	WriteFound(q *source.Queries, f *Found) error
	Rows() *tsv.Writer
}

// answerWriter collects what is found of queries, so that several processors format it.
type answerWriter struct {
	tsv.Writer
	open      func(tsv.Writer) FoundWriter
	found     []Found
	positions []uint32 // of these
	far       int      // more of these
	most      int      // of a query that are told; 0: all
	slow      bool     // each of them is worth a processor
	seconds   *float64 // of writing
}

// slowEach are occurrences that are told by one processor, where that takes long.
const slowEach = 16

// add takes what is found of a query, whose positions are the caller's.
func (a *answerWriter) add(q *source.Queries, f *Found) error {
	if a.slow && len(f.far) > slowEach { // which several processors tell
		part := *f
		for part.far = f.far[:slowEach]; len(f.far) > 0; part.far = f.far[:min(slowEach, len(f.far))] {
			if err := a.add(q, &part); err != nil {
				return err
			}
			f.far = f.far[len(part.far):]
		}
		return nil
	}
	kept := *f
	kept.most = a.most
	for strand, positions := range f.positions {
		from := len(a.positions)
		a.positions = append(a.positions, positions...)
		kept.positions[strand] = a.positions[from:len(a.positions):len(a.positions)]
	}
	a.far += len(f.far) // which are not used again
	if a.found = append(a.found, kept); len(a.found)+len(a.positions)+a.far < a.atOnce() {
		return nil
	}
	return a.write(q)
}

// atOnce is how much is collected.
func (a *answerWriter) atOnce() int {
	if a.slow {
		return tsv.AtOnce / slowEach
	}
	return tsv.AtOnce
}

// write writes what was collected of some queries.
func (a *answerWriter) write(q *source.Queries) error {
	err := cli.Timed(a.seconds, func() error {
		each := tsv.EachOf(len(a.found), len(a.positions)+a.far)
		if a.slow {
			each = 1
		}
		return a.Many(len(a.found), each, func(rows tsv.Writer, lo, hi int) (tsv.Writer, error) {
			w := a.open(rows)
			for i := lo; i < hi; i++ {
				if err := w.WriteFound(q, &a.found[i]); err != nil {
					return *w.Rows(), err
				}
			}
			return *w.Rows(), nil
		})
	})
	a.found, a.positions, a.far = a.found[:0], a.positions[:0], 0
	return err
}

// Answer writes what is found of all queries.
func Answer(ctx context.Context, j *job.Job, flags *Flags, s *Search, dna bool, out *cli.Output,
	open func(tsv.Writer) FoundWriter) error {
	defer out.Discard()
	s.both, s.maxHits, s.most = flags.Both, flags.MaxHits, flags.Most
	if out.Name == "-" {
		j.Session.Progress.YieldTerminal()
	}
	bases, folds := !dna, s.Folds == nil // all patterns are; --dna would fold something
	err := sink.WriteWhile(ctx, out, func(w io.Writer) error {
		result := answerWriter{Writer: tsv.New(w), open: open, most: flags.Most, seconds: &j.Report.Seconds.Write,
			slow: flags.Documents}
		err := j.Source.Stream(ctx, &flags.From, dna, func(q *source.Queries) error {
			if j.Report.Occurrences == 0 { // else nobody asks
				bases = bases && q.SymbolBytes <= 1 && onlyBases(q.Text)
				folds = folds || bytes.ContainsAny(q.Text, FoldedBases)
			}
			j.Report.Queries += q.Len()
			j.Report.QueryBytes += int64(len(q.Text))
			progress := func(done int) {
				at, of := q.Place(done)
				j.Session.Progress.Update("search", at, of)
			}
			err := s.run(ctx, q, progress, func(f *Found) error {
				if f.all() > 0 {
					j.Report.QueriesWithHits++
				}
				j.Report.Occurrences += int64(f.all())
				if f.tooMany {
					j.Report.QueriesOverLimit++
				}
				return result.add(q, f)
			})
			return cmp.Or(err, result.write(q))
		})
		if err != nil {
			return err
		}
		return cli.Timed(result.seconds, result.Flush)
	})
	if err != nil {
		return err
	}
	if err := cli.Commit(out); err != nil {
		return err
	}
	switch r := j.Report; {
	case r.Queries > 0 && r.QueryBytes == 0:
		j.Session.Note("no query has a letter")
	case bases && r.Occurrences == 0 && r.QueryBytes > 0 && (folds || s.Folds()):
		j.Session.Note("nothing was found: without --dna, of match or index, case counts, and U is not T")
	}
	return j.Sink.Finish(out)
}

// FoldedBases are what --dna folds.
const FoldedBases = "acgtuU"

// onlyBases tells whether patterns are of DNA or RNA.
func onlyBases(text []byte) bool {
	return len(bytes.Trim(text, "ACGTUNacgtun")) == 0
}
