// Package bed writes lines of BED: places in sequences, from 0, without their ends.
package bed

import "github.com/suffixcl/suffixcl/cmd/internal/formats/tsv"

// MaxScore is the largest score that the format has.
const MaxScore = 1000

// Feature is a place with a name and a score.
type Feature struct {
	Sequence   string
	Start, End int
	Name       string
	Score      int    // at most MaxScore
	Strand     string // "+" or "-"; empty: the line has no column for it
}

// Write writes the line of a feature.
func Write(w *tsv.Writer, f Feature) error {
	w.Text(f.Sequence)
	w.Number(uint64(f.Start))
	w.Number(uint64(f.End))
	w.Text(f.Name)
	w.Number(uint64(f.Score))
	if f.Strand != "" {
		w.Text(f.Strand)
	}
	return w.End()
}
