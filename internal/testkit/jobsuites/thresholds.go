package jobsuites

import (
	"bytes"
	"context"

	"github.com/suffixcl/suffixcl/conformance"
	"github.com/suffixcl/suffixcl/internal/testkit/suitekit"
)

// ThresholdRun is a run of rows with the same letter before their suffixes. Rows are those of text$, sorted, with that
// of the end; the letter before the whole text is 0.
type ThresholdRun struct {
	Letter    byte
	Start     uint32 // first row
	Threshold uint32 // see ReferenceThresholds
}

// Thresholds is the suite for the runs of a transform with the row of its end, and their thresholds, on the texts of
// [conformance.SuffixArray], in which 1 stands for 0. build returns the runs of a text in their order. It must not
// write to text.
func Thresholds(build func(ctx context.Context, text []byte) ([]ThresholdRun, error), cfg Config) []Case {
	lettersOf := func(text []byte) []byte { return bytes.ReplaceAll(text, []byte{0}, []byte{1}) }
	suite := textSuite[[]ThresholdRun]{
		run: func(ctx context.Context, text []byte) ([]ThresholdRun, error) {
			letters := lettersOf(text)
			return suitekit.Unchanged("text", letters, func() ([]ThresholdRun, error) { return build(ctx, letters) })
		},
		judge: func(text []byte, got []ThresholdRun) error {
			return suitekit.Compare("run", got, ReferenceThresholds(lettersOf(text)))
		},
	}
	return suite.cases(cfg.WithDefaults())
}

// ReferenceThresholds returns the runs of a text by their definition. A run of c begins at row i, and e is the last row
// of c before i. Its threshold is the first of the rows e+1 to i that has the shortest common prefix with the row
// before it; 0 if there is no such e. The text must not hold 0.
func ReferenceThresholds(text []byte) []ThresholdRun {
	sa := conformance.ReferenceSuffixArray(text)
	rows := append([]uint32{uint32(len(text))}, sa...)
	lcp := append([]uint32{0}, conformance.ReferenceLCP(text, sa)...)
	letterOf := func(row int) byte {
		if rows[row] == 0 {
			return 0
		}
		return text[rows[row]-1]
	}
	runs := []ThresholdRun{}
	for i := range rows {
		letter := letterOf(i)
		if i > 0 && letterOf(i-1) == letter {
			continue
		}
		run := ThresholdRun{Letter: letter, Start: uint32(i)}
		e := i - 1
		for e >= 0 && letterOf(e) != letter {
			e--
		}
		if e >= 0 {
			least := e + 1
			for j := e + 2; j <= i; j++ {
				if lcp[j] < lcp[least] {
					least = j
				}
			}
			run.Threshold = uint32(least)
		}
		runs = append(runs, run)
	}
	return runs
}
