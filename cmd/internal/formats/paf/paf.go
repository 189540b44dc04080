// Package paf writes lines of PAF, the format of pairwise alignments of minimap2, for matches without differences.
package paf

import (
	"strconv"

	"github.com/suffixcl/suffixcl/cmd/internal/formats/tsv"
)

// missing is the mapping quality that says nothing.
const missing = 255

// Match is a match without differences: so many letters of a query and of a target. Positions count from 0, those of
// the reverse strand in the query as it is.
type Match struct {
	Query       string
	QueryLength int
	QueryStart  int
	Length      int
	Strand      string // "+" or "-"

	Target       string
	TargetLength int
	TargetStart  int
}

// Write writes the line of a match.
func Write(w *tsv.Writer, m Match) error {
	w.Text(m.Query)
	for _, n := range [...]int{m.QueryLength, m.QueryStart, m.QueryStart + m.Length} {
		w.Number(uint64(n))
	}
	w.Text(m.Strand)
	w.Text(m.Target)
	for _, n := range [...]int{m.TargetLength, m.TargetStart, m.TargetStart + m.Length, m.Length, m.Length, missing} {
		w.Number(uint64(n))
	}
	return w.End()
}

// WriteUnplaced writes the line of a query without a place, with the number of its hits.
func WriteUnplaced(w *tsv.Writer, query string, length, hits int) error {
	w.Text(query)
	for _, n := range [...]int{length, 0, 0} {
		w.Number(uint64(n))
	}
	w.Text("*")
	w.Text("*")
	for range 6 {
		w.Number(0)
	}
	w.Text("nh:i:" + strconv.Itoa(hits))
	return w.End()
}
