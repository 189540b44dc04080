package jobsuites

import (
	"context"
	"fmt"
	"slices"

	"github.com/suffixcl/suffixcl/internal/testkit/suitekit"
)

// DuplicateQuery asks for the duplicates of a text.
type DuplicateQuery struct {
	Length    int    // of windows, in symbols
	Width     int    // bytes of a symbol
	KeepFirst bool   // the first occurrence is no duplicate
	MinCount  int    // least number of occurrences
	Other     uint64 // if not 0, a window also occurs from here on and before it; those before are duplicates
	Both      bool   // and so are those from there on
	Capacity  int    // entries of lists; 0: as many as there is memory for
	Piece     int    // symbols of the text on the device at a time; 0: all
}

// Range is symbols Start to End-1.
type Range struct{ Start, End uint64 }

// maxDuplicateText bounds the texts, since the oracle keeps every window.
const maxDuplicateText = 4000

// Duplicates is the suite for the duplicates of texts, on those of [conformance.SuffixArray], cut into documents: find
// returns what the windows cover that a query asks for. documents has where each begins, in symbols, and the length of
// the text.
func Duplicates(
	find func(ctx context.Context, text []byte, documents []uint64, q DuplicateQuery) ([]Range, error), cfg Config,
) []Case {
	type answer struct {
		text      []byte
		documents []uint64
		q         DuplicateQuery
		got       []Range
	}
	cfg = cfg.WithDefaults()
	cfg.Large = min(cfg.Large, maxDuplicateText)
	turn := 0
	suite := textSuite[answer]{
		run: func(ctx context.Context, text []byte) (a answer, err error) {
			turn++
			q := duplicateQueries[turn%len(duplicateQueries)]
			q.Width = []int{1, 1, 2, 1, 4}[turn%5]
			a.text = text[:len(text)/q.Width*q.Width]
			a.documents = []uint64{0}
			for _, d := range cut(a.text, turn) {
				a.documents = append(a.documents, a.documents[len(a.documents)-1]+uint64(len(d)/q.Width))
			}
			a.documents[len(a.documents)-1] = uint64(len(a.text) / q.Width)
			if len(a.documents) == 1 {
				a.documents = append(a.documents, 0)
			}
			if q.Other > 0 {
				q.Other = a.documents[len(a.documents)/2]
			}
			a.q = q.coarse(len(a.text) / q.Width)
			q = a.q
			a.got, err = find(ctx, a.text, a.documents, q)
			return a, err
		},
		judge: func(_ []byte, a answer) error {
			want, _ := ReferenceDuplicates(a.text, a.documents, a.q)
			if err := suitekit.Compare("range", a.got, want); err != nil {
				return fmt.Errorf("%+v, %d documents: %w", a.q, len(a.documents)-1, err)
			}
			return nil
		},
	}
	return suite.cases(cfg)
}

// duplicateQueries are tried in turn.
var duplicateQueries = []DuplicateQuery{
	{Length: 2, MinCount: 2}, {Length: 3, MinCount: 2, KeepFirst: true}, {Length: 5, MinCount: 3},
	{Length: 9, MinCount: 2, Capacity: 20}, {Length: 4, MinCount: 2, Other: 1},
	{Length: 6, MinCount: 2, Other: 1, Both: true, Capacity: 16}, {Length: 17, MinCount: 2, KeepFirst: true},
	{Length: 7, MinCount: 3, KeepFirst: true, Capacity: 8}, {Length: 40, MinCount: 2}, {Length: 100, MinCount: 2},
	{Length: 8, MinCount: 2, Piece: 50}, {Length: 12, MinCount: 2, KeepFirst: true, Piece: 37, Capacity: 24},
	{Length: 3, MinCount: 2, Other: 1, Piece: 64, Capacity: 8}, {Length: 33, MinCount: 2, KeepFirst: true, Piece: 70},
}

// mostParts is about how many lists, and how many pieces, a text of a suite is divided into.
const mostParts = 16

// coarse has lists and pieces that are not too small for a text of n symbols: each list may go through all pieces, and
// each piece of each list takes a few transfers, of which a device that is shared does some hundreds a second.
func (q DuplicateQuery) coarse(n int) DuplicateQuery {
	for _, size := range []*int{&q.Capacity, &q.Piece} {
		if *size > 0 {
			*size = max(*size, n/mostParts)
		}
	}
	return q
}

// ReferenceDuplicates returns by definition the ranges that duplicates cover, and the number of duplicates: windows in
// one document.
func ReferenceDuplicates(text []byte, documents []uint64, q DuplicateQuery) (ranges []Range, windows uint64) {
	occurrences := make(map[string][]uint64)
	for k := 0; k+1 < len(documents); k++ {
		for p := documents[k]; p+uint64(q.Length) <= documents[k+1]; p++ {
			window := text[p*uint64(q.Width) : (p+uint64(q.Length))*uint64(q.Width)]
			occurrences[string(window)] = append(occurrences[string(window)], p)
		}
	}
	var all []uint64
	for _, at := range occurrences {
		before, _ := slices.BinarySearch(at, q.Other)
		switch {
		case len(at) < q.MinCount, q.Other > 0 && (before == 0 || before == len(at)):
		case q.Other > 0 && !q.Both:
			all = append(all, at[:before]...)
		case q.Other == 0 && q.KeepFirst:
			all = append(all, at[1:]...)
		default:
			all = append(all, at...)
		}
	}
	slices.Sort(all)
	for _, p := range all {
		r := Range{p, p + uint64(q.Length)}
		if last := len(ranges) - 1; last >= 0 && r.Start <= ranges[last].End {
			_, between := slices.BinarySearch(documents, r.Start)
			if r.Start < ranges[last].End || !between {
				ranges[last].End = r.End
				continue
			}
		}
		ranges = append(ranges, r)
	}
	return ranges, uint64(len(all))
}
