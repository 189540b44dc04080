package smems_test

import (
	"bytes"
	"errors"
	"io"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/suffixcl/suffixcl"
	"github.com/suffixcl/suffixcl/conformance"
	"github.com/suffixcl/suffixcl/internal/testkit/builders"
	"github.com/suffixcl/suffixcl/internal/testkit/devicetest"
	"github.com/suffixcl/suffixcl/internal/testkit/enginetest"
	"github.com/suffixcl/suffixcl/internal/testkit/jobsuites"
	"github.com/suffixcl/suffixcl/patterns"
)

func TestMain(m *testing.M) { devicetest.Main(m) }

func TestSMEMs(t *testing.T) {
	devicetest.Native(t, func(t *testing.T, env devicetest.Env) {
		e, err := suffixcl.New(env.Session, suffixcl.EngineOptions{})
		require.NoError(t, err)
		suite := env.Suite
		suite.MaxExhaustive2, suite.MaxExhaustive3, suite.PerSize, suite.Random = 3, 2, 1, min(suite.Random, 10)
		suite.Large = min(suite.Large, 600)
		conformance.Run(t, jobsuites.SMEMs(builders.SMEMsOf(e), suite))
		conformance.Run(t, jobsuites.PseudoLengths(builders.PseudoLengthsOf(e), suite))
	})
}

func once(queries ...string) func() (*patterns.Batch, error) {
	return func() (*patterns.Batch, error) {
		if queries == nil {
			return nil, io.EOF
		}
		var b patterns.Batch
		for _, q := range queries {
			if err := b.Add([]byte(q)); err != nil {
				return nil, err
			}
		}
		queries = nil
		return &b, nil
	}
}

// AACGTT is its own reverse complement: TACGTTA, with the end, in rows.
func transform() *suffixcl.DNATransform {
	// $ AACGTT ACGTT CGTT GTT T TT
	return &suffixcl.DNATransform{Bases: []byte{3, 0, 0, 1, 3, 2}, Primary: 1, Every: 1,
		Samples: []uint64{0, 1, 2, 3, 5, 4}}
}

func TestWhole(t *testing.T) {
	e, ctx := enginetest.On(t, suffixcl.EngineOptions{}), t.Context()
	o := suffixcl.SMEMOptions{Transform: transform(), MinLength: 2, MinHits: 1, MaxLocated: 2,
		Next: once("", "GACGA", "tt", "A")}
	job := e.SMEMs(o)
	plan, err := job.Plan(ctx)
	require.NoError(t, err)
	assert.Len(t, plan, 2)
	all, err := job.All(ctx)
	require.NoError(t, err)
	assert.Equal(t, &suffixcl.SMEMs{Queries: 4, Positions: []uint64{1, 4},
		Matches: []suffixcl.SMEM{{Query: 1, Start: 1, End: 4, Row: 2, Hits: 1}, {Query: 2, End: 2, Row: 6, Hits: 1}}}, all)
	o.Next = nil
	all, err = e.SMEMs(o).All(ctx)
	require.NoError(t, err)
	assert.Empty(t, all.Matches)
}

// Pseudo-matching lengths take no more memory than is planned, and there are no matches.
func TestPseudoLengths(t *testing.T) {
	e, ctx := enginetest.On(t, suffixcl.EngineOptions{}), t.Context()
	for _, n := range []int{1, 300, 20_000} {
		runs, row := []jobsuites.ThresholdRun{}, uint32(0)
		for k := range n {
			runs = append(runs, jobsuites.ThresholdRun{Letter: "ACGT"[k*k%7%2+k%2*2], Start: row})
			row += uint32(1 + k%5)
			if k == n/2 {
				runs[k].Letter, row = 0, runs[k].Start+1
			}
			for before := k - 1; before >= 0; before-- {
				if runs[before].Letter == runs[k].Letter {
					runs[k].Threshold = runs[k].Start
					break
				}
			}
		}
		o := suffixcl.SMEMOptions{Runs: builders.RunFiles(runs, int(row)-1), Letters: 16, Queries: 4,
			Next: once("GATTACA", "", "N", "acgtACGT")}
		job := e.SMEMs(o)
		plan, err := job.Plan(ctx)
		require.NoError(t, err)
		var stats suffixcl.Stats
		all, err := job.All(suffixcl.WithStats(ctx, &stats))
		require.NoError(t, err)
		assert.Empty(t, all.Matches)
		assert.Equal(t, 4, all.Queries)
		assert.Len(t, all.Lengths, 16)
		assert.LessOrEqual(t, stats.PeakBytes, plan.Device(), n)
	}
}

func TestRefused(t *testing.T) {
	e, ctx := enginetest.On(t, suffixcl.EngineOptions{}), t.Context()
	file := io.NewSectionReader(bytes.NewReader([]byte("RLD")), 0, 3)
	for want, o := range map[string]suffixcl.SMEMOptions{
		"those of a transform, or of a pangenome": {MinLength: 1, MinHits: 1},
		"0 letters and 1 hits":                    {Transform: transform(), MinHits: 1},
		"2 letters and 0 hits":                    {Transform: transform(), MinLength: 2},
		"no positions":                            {Pangenome: file, MinLength: 1, MinHits: 1, MaxLocated: 1},
		"three files":                             {Runs: [3]*io.SectionReader{file, file}},
		"runs alone":                              {Runs: [3]*io.SectionReader{file, file, file}, MinLength: 1},
		"-1 queries":                              {Transform: transform(), MinLength: 1, MinHits: 1, Queries: -1},
	} {
		_, err := e.SMEMs(o).All(ctx)
		assert.ErrorIs(t, err, suffixcl.ErrUsage, want)
		assert.ErrorContains(t, err, want)
	}
	one := transform()
	one.Bases[0] = 0
	far := transform()
	far.Primary = 7
	for want, o := range map[string]suffixcl.SMEMOptions{
		"both strands": {Transform: one}, "row 7": {Transform: far}, "the file ends": {Pangenome: file},
	} {
		o.MinLength, o.MinHits = 1, 1
		_, err := e.SMEMs(o).All(ctx)
		var wrong *suffixcl.IndexError
		assert.ErrorAs(t, err, &wrong)
		assert.ErrorContains(t, err, want)
	}
	_, err := e.SMEMs(suffixcl.SMEMOptions{Runs: [3]*io.SectionReader{file, file, file}}).All(ctx)
	var wrong *suffixcl.IndexError
	require.ErrorAs(t, err, &wrong)
	require.ErrorContains(t, err, ".bwt.len: byte 3: ends too early: there are 3 runs")
	failed := errors.New("failed")
	_, err = e.SMEMs(suffixcl.SMEMOptions{Transform: transform(), MinLength: 1, MinHits: 1,
		Next: func() (*patterns.Batch, error) { return nil, failed }}).All(ctx)
	require.ErrorIs(t, err, failed)
}
