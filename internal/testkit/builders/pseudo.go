package builders

import (
	"bytes"
	"context"
	"io"

	"github.com/suffixcl/suffixcl"
	"github.com/suffixcl/suffixcl/internal/testkit/jobsuites"
)

// RunFiles are heads, lengths and thresholds of runs of a text of n letters.
func RunFiles(runs []jobsuites.ThresholdRun, n int) (files [3]*io.SectionReader) {
	var contents [3][]byte
	number := func(to []byte, v uint64) []byte {
		return append(to, byte(v), byte(v>>8), byte(v>>16), byte(v>>24), byte(v>>32))
	}
	for k, run := range runs {
		end := uint64(n) + 1
		if k+1 < len(runs) {
			end = uint64(runs[k+1].Start)
		}
		contents[0] = append(contents[0], run.Letter)
		contents[1] = number(contents[1], end-uint64(run.Start))
		contents[2] = number(contents[2], uint64(run.Threshold))
	}
	for k, b := range contents {
		files[k] = io.NewSectionReader(bytes.NewReader(b), 0, int64(len(b)))
	}
	return files
}

// PseudoLengthsOf gives the suite the pseudo-matching lengths of queries.
func PseudoLengthsOf(e *suffixcl.Engine) func(context.Context, jobsuites.PseudoSearch) ([][]int, error) {
	return func(ctx context.Context, s jobsuites.PseudoSearch) ([][]int, error) {
		all := make([][]int, len(s.Queries))
		runs := RunFiles(jobsuites.ReferenceThresholds(s.Text), len(s.Text))
		o := suffixcl.SMEMOptions{Runs: runs, Next: batches(s.Queries)}
		for part, err := range e.SMEMs(o).Each(ctx) {
			if err != nil {
				return nil, err
			}
			lengths := part.Lengths
			for q := part.First; q < part.First+part.Queries; q++ {
				n := len(s.Queries[q])
				for _, length := range lengths[:n] {
					all[q] = append(all[q], int(length))
				}
				lengths = lengths[n:]
			}
		}
		return all, nil
	}
}
