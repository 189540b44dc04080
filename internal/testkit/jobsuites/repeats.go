package jobsuites

import (
	"context"
	"errors"

	"github.com/suffixcl/suffixcl/conformance"
	"github.com/suffixcl/suffixcl/internal/testkit/suitekit"
)

// AllRepeats are the longest repeats of every position of a text of n characters. Those of position k are Length[k]
// characters long and start at Starts[Offsets[k]:Offsets[k+1]], ascending. Leftmost[k] is the first of these; 0 where
// there is none.
type AllRepeats struct {
	Leftmost, Length []uint32 // [n]
	Offsets          []uint64 // [n+1]
	Starts           []uint32
}

// Repeats is the suite for longest repeats, on the texts of [conformance.SuffixArray]. build returns the longest
// repeats of a text, whose suffix array and LCP array are given.
func Repeats(build func(ctx context.Context, text []byte, sa, lcp []uint32) (AllRepeats, error), cfg Config) []Case {
	suite := textSuite[AllRepeats]{
		run: func(ctx context.Context, text []byte) (AllRepeats, error) {
			sa := conformance.ReferenceSuffixArray(text)
			return build(ctx, text, sa, conformance.ReferenceLCP(text, sa))
		},
		judge: func(text []byte, got AllRepeats) error {
			want := ReferenceRepeats(text)
			return errors.Join(
				suitekit.Compare("length", got.Length, want.Length),
				suitekit.Compare("leftmost", got.Leftmost, want.Leftmost),
				suitekit.Compare("offsets", got.Offsets, want.Offsets),
				suitekit.Compare("starts", got.Starts, want.Starts),
			)
		},
	}
	return suite.cases(cfg)
}

// definitionLimit is the length up to which ReferenceRepeats looks at every substring.
const definitionLimit = 24

// ReferenceRepeats returns the longest repeats of every position. In texts of up to 24 characters it looks at every
// substring. In longer ones it takes the repeat from each position, of LCP values, and looks at all that cover a
// position. Quadratic for texts of long repeats.
func ReferenceRepeats(text []byte) AllRepeats {
	n := len(text)
	longest := make([]uint32, n) // repeat from each position on
	if n <= definitionLimit {
		for i := range n {
			for j := range n {
				h := 0
				for i != j && i+h < n && j+h < n && text[i+h] == text[j+h] {
					h++
				}
				longest[i] = max(longest[i], uint32(h))
			}
		}
	} else {
		sa := conformance.ReferenceSuffixArray(text)
		lcp := conformance.ReferenceLCP(text, sa)
		for j, i := range sa {
			longest[i] = lcp[j]
			if j+1 < n {
				longest[i] = max(lcp[j], lcp[j+1])
			}
		}
	}
	a := AllRepeats{Leftmost: make([]uint32, n), Length: make([]uint32, n), Offsets: make([]uint64, n+1)}
	for i := range n {
		for k := i; k < i+int(longest[i]); k++ {
			a.Length[k] = max(a.Length[k], longest[i])
		}
	}
	from := 0 // no repeat before covers k
	for k := range n {
		for from < k && from+int(longest[from]) <= k {
			from++
		}
		for i := from; i <= k; i++ {
			if longest[i] == a.Length[k] && longest[i] > 0 && i+int(longest[i]) > k {
				a.Starts = append(a.Starts, uint32(i))
			}
		}
		if a.Offsets[k+1] = uint64(len(a.Starts)); a.Offsets[k+1] > a.Offsets[k] {
			a.Leftmost[k] = a.Starts[a.Offsets[k]]
		}
	}
	return a
}
