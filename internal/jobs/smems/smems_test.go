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

func TestRefused(t *testing.T) {
	e, ctx := enginetest.On(t, suffixcl.EngineOptions{}), t.Context()
	file := io.NewSectionReader(bytes.NewReader([]byte("RLD")), 0, 3)
	for want, o := range map[string]suffixcl.SMEMOptions{
		"those of a transform, or of a pangenome": {MinLength: 1, MinHits: 1},
		"0 letters and 1 hits":                    {Transform: transform(), MinHits: 1},
		"2 letters and 0 hits":                    {Transform: transform(), MinLength: 2},
		"no positions":                            {Pangenome: file, MinLength: 1, MinHits: 1, MaxLocated: 1},
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
	failed := errors.New("failed")
	_, err := e.SMEMs(suffixcl.SMEMOptions{Transform: transform(), MinLength: 1, MinHits: 1,
		Next: func() (*patterns.Batch, error) { return nil, failed }}).All(ctx)
	require.ErrorIs(t, err, failed)
}
