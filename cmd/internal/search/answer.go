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
	seconds   *float64 // of writing
}

// add takes what is found of a query, whose positions are the caller's.
func (a *answerWriter) add(q *source.Queries, f *Found) error {
	kept := *f
	for strand, positions := range f.positions {
		from := len(a.positions)
		a.positions = append(a.positions, positions...)
		kept.positions[strand] = a.positions[from:len(a.positions):len(a.positions)]
	}
	if a.found = append(a.found, kept); len(a.found)+len(a.positions) < tsv.AtOnce {
		return nil
	}
	return a.write(q)
}

// write writes what was collected of some queries.
func (a *answerWriter) write(q *source.Queries) error {
	err := cli.Timed(a.seconds, func() error {
		each := tsv.EachOf(len(a.found), len(a.positions))
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
	a.found, a.positions = a.found[:0], a.positions[:0]
	return err
}

// Answer writes what is found of all queries.
func Answer(ctx context.Context, j *job.Job, flags *Flags, s *Search, dna bool, out *cli.Output,
	open func(tsv.Writer) FoundWriter) error {
	defer out.Discard()
	s.both, s.maxHits = flags.Both, flags.MaxHits
	if out.Name == "-" {
		j.Session.Progress.YieldTerminal()
	}
	bases, folds := !dna, s.Folds == nil // all patterns are; --dna would fold something
	err := sink.WriteWhile(ctx, out, func(w io.Writer) error {
		result := answerWriter{Writer: tsv.New(w), open: open, seconds: &j.Report.Seconds.Write}
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
