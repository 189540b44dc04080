package arrays_test

import (
	"context"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/suffixcl/suffixcl"
	"github.com/suffixcl/suffixcl/conformance"
	"github.com/suffixcl/suffixcl/internal/testkit/devicetest"
	"github.com/suffixcl/suffixcl/internal/testkit/enginetest"
)

func TestMain(m *testing.M) { devicetest.Main(m) }

// builds are texts of symbols: empty, few of few and of many values, and longer ones that repeat.
func builds(t *testing.T) []enginetest.Built {
	var all []enginetest.Built
	for _, c := range []struct {
		class string
		n     int
	}{
		{"random/sigma=2", 0}, {"random/sigma=2", 1}, {"repeats/sigma=4", 700}, {"random/sigma=256", 3000},
		{"versions", 5000},
	} {
		text, err := conformance.NewText(c.class, c.n, 1)
		require.NoError(t, err)
		for _, grams := range []bool{false, true} {
			all = append(all, enginetest.BuiltOf(enginetest.Scaled[uint16](text, grams), suffixcl.Tokens16),
				enginetest.BuiltOf(enginetest.Scaled[uint32](text, grams), suffixcl.Tokens32))
		}
	}
	return all
}

func TestArrays(t *testing.T) {
	texts := builds(t)
	devicetest.Composed(t, func(t *testing.T, env devicetest.Env) {
		for _, algorithm := range []suffixcl.Algorithm{suffixcl.AlgorithmSuffixsort, suffixcl.AlgorithmSAIS} {
			e, err := suffixcl.New(env.Session, suffixcl.EngineOptions{Algorithm: algorithm})
			require.NoError(t, err)
			for i, b := range texts {
				if b.Text.Len() > algorithm.MaxLen(env.Caps()) {
					continue
				}
				t.Run(fmt.Sprintf("%s/%d", algorithm, i), func(t *testing.T) {
					for _, want := range []suffixcl.Want{enginetest.Everything, {SA: true}, {LCP: true}, {BWT: true}, {}} {
						got, err := e.Arrays(b.Text, want).All(t.Context())
						require.NoError(t, err)
						require.Equal(t, expected(b.Want, want), got, "%+v", want)
						want.Known = b.Want.SA
						of, err := e.Arrays(b.Text, want).All(t.Context())
						require.NoError(t, err)
						require.Equal(t, got, of, "%+v", want)
					}
					require.NoError(t, enginetest.VerifyArrays(t.Context(), e, b.Text, b.Want))
					text, err := e.Invert(b.Want).All(t.Context())
					require.NoError(t, err)
					require.Equal(t, b.Text, text)
				})
			}
		}
	})
}

// expected is the part of a result that is wanted.
func expected(r *suffixcl.Result, want suffixcl.Want) *suffixcl.Result {
	part := &suffixcl.Result{}
	if want.SA {
		part.SA = r.SA
	}
	if want.LCP {
		part.LCP = r.LCP
	}
	if want.BWT {
		part.BWT, part.Primary = r.BWT, r.Primary
	}
	return part
}

// A text of bytes has the arrays of the other calls, with any algorithm.
func TestArraysOfBytes(t *testing.T) {
	a := enginetest.AnswersOf([]byte("the cat and the other cat"))
	for _, algorithm := range suffixcl.Algorithms() {
		e := enginetest.On(t, suffixcl.EngineOptions{Algorithm: algorithm})
		got, err := e.Arrays(suffixcl.Bytes(a.Text), enginetest.Everything).All(t.Context())
		require.NoError(t, err)
		want := &suffixcl.Result{SA: a.SA, LCP: a.LCP, BWT: suffixcl.Bytes(a.Transform), Primary: a.Primary}
		require.Equal(t, want, got)
		require.NoError(t, enginetest.VerifyArrays(t.Context(), e, suffixcl.Bytes(a.Text), got))
	}
}

// Every array of a result is looked at.
func TestVerifyArrays(t *testing.T) {
	b := enginetest.BuiltOf([]uint16{7, 1, 60000, 1, 60000, 7}, suffixcl.Tokens16)
	e := enginetest.On(t, suffixcl.EngineOptions{})
	for name, wrong := range map[string]suffixcl.Result{
		"suffix array":            {SA: []uint32{1, 3, 5, 0, 4, 2}},
		"LCP array":               {SA: b.Want.SA, LCP: []uint32{0, 2, 0, 1, 0, 2}},
		"primary":                 {SA: b.Want.SA, BWT: b.Want.BWT, Primary: 1},
		"Burrows-Wheeler":         {SA: b.Want.SA, BWT: suffixcl.Tokens16(make([]uint16, 6)), Primary: b.Want.Primary},
		"symbols of []uint32":     {SA: b.Want.SA, BWT: suffixcl.Tokens32(make([]uint32, 6)), Primary: b.Want.Primary},
		"5 entries for 6 charact": {SA: b.Want.SA[:5]},
	} {
		err := enginetest.VerifyArrays(t.Context(), e, b.Text, &wrong)
		var mismatch *suffixcl.MismatchError
		require.ErrorAs(t, err, &mismatch, name)
		require.ErrorContains(t, err, name)
	}
}

// The plan is what is allocated, and the other sorters say that they are for bytes.
func TestPlanArrays(t *testing.T) {
	text := suffixcl.Tokens32(enginetest.Scaled[uint32](make([]byte, 10000), false))
	devicetest.Native(t, func(t *testing.T, env devicetest.Env) {
		e, err := suffixcl.New(env.Session, suffixcl.EngineOptions{Algorithm: suffixcl.AlgorithmSuffixsort})
		require.NoError(t, err)
		plan, err := e.Arrays(suffixcl.Length(4, text.Len()), enginetest.Everything).Plan(t.Context())
		require.NoError(t, err)
		var st suffixcl.Stats
		_, err = e.Arrays(text, enginetest.Everything).All(suffixcl.WithStats(t.Context(), &st))
		require.NoError(t, err)
		require.Equal(t, plan.Device(), st.PeakBytes)
		_, err = e.Arrays(suffixcl.Length(3, 10), enginetest.Everything).Plan(t.Context())
		require.ErrorContains(t, err, "symbols of 3 bytes")

		e, err = suffixcl.New(env.Session, suffixcl.EngineOptions{Algorithm: suffixcl.AlgorithmOsipov})
		require.NoError(t, err)
		_, err = e.Arrays(text, enginetest.Everything).All(context.Background())
		require.ErrorContains(t, err, "osipov sorts texts of bytes only; texts of symbols: [suffixsort sais]")
		require.ErrorIs(t, err, suffixcl.ErrUsage)
	})
}
