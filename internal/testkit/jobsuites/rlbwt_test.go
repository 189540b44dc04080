package jobsuites

import (
	"context"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/suffixcl/suffixcl/conformance"
)

func runLengths(_ context.Context, all [][]byte) (RunLengthBWT, error) {
	return ReferenceRLBWT(all), nil
}

func mergedRuns(_ context.Context, batches [][][]byte) ([]LetterRun, error) {
	return ReferenceRLBWT(slices.Concat(batches...)).Runs, nil
}

func collections() Config {
	cfg := small()
	cfg.MaxExhaustive2, cfg.MaxExhaustive3, cfg.PerSize, cfg.Random, cfg.Large = 4, 3, 1, 20, 600
	return cfg
}

func TestRLBWTPasses(t *testing.T) {
	conformance.Run(t, RLBWT(runLengths, collections()))
	conformance.Run(t, RLBWTMerge(mergedRuns, collections()))
}

// Both were written down by hand.
func TestReferenceRLBWT(t *testing.T) {
	got := ReferenceRLBWT([][]byte{[]byte("A"), {}})
	assert.Equal(t, []LetterRun{{'A', 1}, {'$', 2}}, got.Runs)
	assert.Equal(t, []uint64{2, 1}, got.Rows)

	// $0 $1 AC$0 AC$1 C$0 C$1 GAC$1
	got = ReferenceRLBWT([][]byte{[]byte("AC"), []byte("GAC")})
	assert.Equal(t, []LetterRun{{'C', 2}, {'$', 1}, {'G', 1}, {'A', 2}, {'$', 1}}, got.Runs)
	assert.Equal(t, []uint64{2, 6}, got.Rows)
	assert.Equal(t, [len(RLBWTLetters)]uint64{1, 0, 2, 1, 0, 0}, got.Ranks[4])
	assert.Equal(t, [len(RLBWTLetters)]uint64{2, 2, 2, 1, 0, 0}, got.Ranks[7])
}

func TestRLBWTFails(t *testing.T) {
	for name, change := range map[string]func(all [][]byte, r *RunLengthBWT){
		"splits a long run": func(_ [][]byte, r *RunLengthBWT) {
			if last := len(r.Runs) - 1; last >= 0 && r.Runs[last].Length > 9 {
				r.Runs[last].Length--
				r.Runs = append(r.Runs, LetterRun{r.Runs[last].Letter, 1})
			}
		},
		"loses empty strings": func(all [][]byte, r *RunLengthBWT) {
			*r = ReferenceRLBWT(slices.DeleteFunc(slices.Clone(all), func(text []byte) bool { return len(text) == 0 }))
		},
		"later ends are less": func(all [][]byte, r *RunLengthBWT) {
			other := slices.Clone(all)
			slices.Reverse(other)
			*r = ReferenceRLBWT(other)
		},
		"counts N as $": func(_ [][]byte, r *RunLengthBWT) {
			last := &r.Ranks[len(r.Ranks)-1]
			last[0] += last[5]
		},
		"a rank less": func(_ [][]byte, r *RunLengthBWT) { r.Ranks = r.Ranks[1:] },
		"strings backwards": func(_ [][]byte, r *RunLengthBWT) {
			r.Strings = slices.Clone(r.Strings)
			slices.Reverse(r.Strings)
		},
		"rows of ends":         func(_ [][]byte, r *RunLengthBWT) { r.Rows = slices.Clone(r.Rows); slices.Sort(r.Rows) },
		"writes to the string": func(all [][]byte, _ *RunLengthBWT) { clear(all[len(all)-1]) },
	} {
		t.Run(name, func(t *testing.T) {
			assertFails(t, RLBWT(func(_ context.Context, all [][]byte) (RunLengthBWT, error) {
				r := ReferenceRLBWT(all)
				if len(all) > 0 {
					change(all, &r)
				}
				return r, nil
			}, collections()))
		})
	}
	for name, change := range map[string]func(batches [][][]byte){
		"a batch before the others": slices.Reverse[[][][]byte],
		"loses a batch of one": func(batches [][][]byte) {
			if last := len(batches) - 1; len(batches[last]) == 1 {
				batches[last] = nil
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			assertFails(t, RLBWTMerge(func(ctx context.Context, batches [][][]byte) ([]LetterRun, error) {
				batches = slices.Clone(batches)
				change(batches)
				return mergedRuns(ctx, batches)
			}, collections()))
		})
	}
}
