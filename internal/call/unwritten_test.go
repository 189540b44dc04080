package call_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/suffixcl/suffixcl"
	"github.com/suffixcl/suffixcl/conformance"
	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/internal/driver"
	"github.com/suffixcl/suffixcl/internal/testkit/builders"
	"github.com/suffixcl/suffixcl/internal/testkit/devicetest"
	"github.com/suffixcl/suffixcl/internal/testkit/enginetest"
	"github.com/suffixcl/suffixcl/internal/tuned"
	"github.com/suffixcl/suffixcl/patterns"
)

// TestUnwritten: no operation and no sorter goes by what memory holds before anything has been written there. A run has
// half of the sorters, at random, unless SUFFIXCL_SOAK is 1.
func TestUnwritten(t *testing.T) {
	type sample struct {
		class string
		enginetest.Answers
	}
	var samples []sample
	for _, c := range []struct {
		class string
		n     int
	}{
		{"repeats/sigma=4", 700}, {"dna-records", 500}, {"periodic/p=7", 200}, // of these slow devices have the last two
		{"periodic/broken", 301}, {"equal/0", 70}, {"fibonacci", 400}, {"staircase", 150}, {"repeats/sigma=26", 300},
		{"versions", 1500}, {"trailing-zeros", 65}, {"random/sigma=256", 300},
		{"random/sigma=2", 2}, {"random/sigma=2", 1}, {"random/sigma=2", 0},
	} {
		text, err := conformance.NewText(c.class, c.n, 1)
		require.NoError(t, err)
		samples = append(samples, sample{fmt.Sprintf("%s, n=%d", c.class, c.n), enginetest.AnswersOf(text)})
	}
	algorithms := suffixcl.Algorithms()
	if others := algorithms[1:]; !devicetest.Soak {
		rand.Shuffle(len(others), func(i, j int) { others[i], others[j] = others[j], others[i] })
		algorithms = algorithms[:1+(len(others)+1)/2]
	}
	devicetest.Unwritten(t, func(t *testing.T, s *device.Session, trace *devicetest.Trace) error {
		samples := samples
		switch caps := s.Caps(); {
		case devicetest.Soak:
		case slow(tuned.CLDevice(s)):
			samples = samples[1:3]
		case !caps.CPUShape && caps.Vendor == driver.PoCL: // where the shape of GPUs takes its time
			samples = samples[1:4]
		case tuned.Of(s).Scan.WG*tuned.Of(s).Scan.Items > 64: // tiles of full size, of which these texts fill one
			samples = samples[:5]
		}
		for _, algorithm := range algorithms {
			ours := enginetest.Operations
			if algorithm != suffixcl.AlgorithmAuto {
				ours = enginetest.Operations[:2] // suffix array and transform
			}
			if slices.Contains(symbolAlgorithms, algorithm) {
				ours = append(slices.Clip(ours), enginetest.Operation{Op: enginetest.OpBuild, Run: enginetest.BuildAndVerify})
			}
			// Without memory from the call before, which holds the same each time.
			engine, err := suffixcl.New(s, suffixcl.EngineOptions{Algorithm: algorithm, KeepMemory: -1})
			if err != nil {
				return err
			}
			for _, sample := range samples {
				if len(sample.Text) > algorithm.MaxLen(s.Caps()) {
					continue
				}
				for _, op := range ours {
					trace.Part("%s by %s of %v", op.Op, algorithm, sample.class)
					if err := op.Run(t.Context(), engine, sample.Answers); err != nil {
						return err
					}
				}
				if algorithm != suffixcl.AlgorithmAuto || len(sample.Text) < 70 {
					continue
				}
				trace.Part("others of %v", sample.class)
				if err := verifyWrong(t.Context(), engine, trace, sample.Answers); err != nil {
					return err
				}
				if err := searchMany(t.Context(), engine, trace, sample.Text); err != nil {
					return err
				}
				if err := findIntervals(t.Context(), engine, trace, sample.Answers); err != nil {
					return err
				}
			}
		}
		return nil
	})
}

// verifyWrong verifies arrays that are wrong.
func verifyWrong(ctx context.Context, e *suffixcl.Engine, trace *devicetest.Trace, a enginetest.Answers) error {
	for _, change := range []func(sa []uint32){
		func(sa []uint32) { sa[len(sa)/2] = sa[0] },
		func(sa []uint32) { sa[len(sa)/2] = uint32(len(sa)) },
		func(sa []uint32) { slices.Reverse(sa) },
	} {
		sa := slices.Clone(a.SA)
		change(sa)
		err := e.Verify(ctx, a.Text, sa)
		if err == nil {
			return errors.New("a wrong array was taken for right")
		}
		trace.Result(err)
	}
	return nil
}

// searchMany looks for many patterns in a text: as it is, and as DNA, where most bytes are no symbols.
func searchMany(ctx context.Context, e *suffixcl.Engine, trace *devicetest.Trace, text []byte) error {
	var list [][]byte
	for i := range len(text) / 3 {
		list = append(list, text[3*i:min(len(text), 3*i+i%40)])
	}
	batch, err := patterns.Of(append(list, []byte("N"), bytes.Repeat(text[:1], 300), []byte("acgu"))...)
	if err != nil {
		return err
	}
	for _, dna := range []bool{false, true} {
		m, err := e.Matcher(suffixcl.Bytes(text), suffixcl.MatcherOptions{DNA: dna}).All(ctx)
		if err != nil {
			return err
		}
		x, err := e.Index(suffixcl.Bytes(text), suffixcl.IndexOptions{SampleEvery: 8, DNA: dna}).All(ctx)
		if err != nil {
			return errors.Join(err, m.Close())
		}
		err = m.Locate(ctx, batch, func(q int, positions []uint32) error {
			trace.Result(q, positions)
			return nil
		})
		if err == nil {
			err = x.Locate(ctx, batch, func(q int, positions []uint32) error {
				trace.Result(q, positions)
				return nil
			})
		}
		if err := errors.Join(err, m.Close(), x.Close()); err != nil {
			return err
		}
	}
	return nil
}

// findIntervals finds intervals in each way that has steps of its own.
func findIntervals(ctx context.Context, e *suffixcl.Engine, trace *devicetest.Trace, a enginetest.Answers) error {
	set := suffixcl.Documents(enginetest.Halves(a.Text)...)
	common, err := e.Intervals(set, suffixcl.IntervalOptions{Common: true}).All(ctx)
	if err != nil {
		return err
	}
	repeats, err := e.Intervals(set, suffixcl.IntervalOptions{Supermaximal: true, LeastEach: 2}).All(ctx)
	if err != nil {
		return err
	}
	trace.Result(builders.Intervals(common), builders.Intervals(repeats))
	given := suffixcl.IntervalOptions{LeftMaximal: true, Arrays: &suffixcl.Result{SA: a.SA, LCP: a.LCP}}
	return enginetest.Run(ctx, e.Intervals(suffixcl.Bytes(a.Text), given), func(r *suffixcl.Intervals) error {
		trace.Result(builders.Intervals(r))
		return nil
	})
}
