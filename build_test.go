package suffixcl_test

import (
	"context"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/suffixcl/suffixcl"
	"github.com/suffixcl/suffixcl/conformance"
	"github.com/suffixcl/suffixcl/internal/testkit/devicetest"
)

var everything = suffixcl.Want{SA: true, LCP: true, BWT: true}

// built is a text of symbols with its arrays.
type built struct {
	text suffixcl.Text
	want *suffixcl.Result
}

func builtOf[T uint16 | uint32](symbols []T, text func([]T) suffixcl.Text) built {
	sa := conformance.ReferenceSymbolSuffixArray(symbols)
	transform, primary := conformance.ReferenceBWT(symbols, sa)
	return built{text(symbols), &suffixcl.Result{
		SA: sa, LCP: conformance.ReferenceLCP(symbols, sa), BWT: text(transform), Primary: primary,
	}}
}

// scaled are the bytes of a text as symbols, spread over all values.
func scaled[T uint16 | uint32](text []byte, grams bool) []T {
	symbols := make([]T, len(text))
	for i, c := range text {
		symbols[i] = T(c) * (^T(0) / 255)
		if grams && i > 0 {
			symbols[i] ^= T(text[i-1])
		}
	}
	return symbols
}

// builds are texts of symbols: empty, few of few and of many values, and longer ones that repeat.
func builds(t *testing.T) []built {
	var all []built
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
			all = append(all, builtOf(scaled[uint16](text, grams), suffixcl.Tokens16),
				builtOf(scaled[uint32](text, grams), suffixcl.Tokens32))
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
				if b.text.Len() > algorithm.MaxLen(env.Caps()) {
					continue
				}
				t.Run(fmt.Sprintf("%s/%d", algorithm, i), func(t *testing.T) {
					for _, want := range []suffixcl.Want{everything, {SA: true}, {LCP: true}, {BWT: true}, {}} {
						got, err := e.Arrays(b.text, want).All(t.Context())
						require.NoError(t, err)
						require.Equal(t, expected(b.want, want), got, "%+v", want)
						want.Known = b.want.SA
						of, err := e.Arrays(b.text, want).All(t.Context())
						require.NoError(t, err)
						require.Equal(t, got, of, "%+v", want)
					}
					require.NoError(t, e.VerifyArrays(t.Context(), b.text, b.want))
					text, err := e.Invert(b.want).All(t.Context())
					require.NoError(t, err)
					require.Equal(t, b.text, text)
				})
			}
		}
	})
}

// opBuild stands for Arrays and VerifyArrays.
const opBuild = opOf(0)

var symbolAlgorithms = []suffixcl.Algorithm{suffixcl.AlgorithmSuffixsort, suffixcl.AlgorithmSAIS}

// buildAndVerify makes and checks the arrays of symbols: the text's, spread over all values, and some of more than 256
// values, which are far apart.
func buildAndVerify(ctx context.Context, e *suffixcl.Engine, a answers) error {
	wide := make([]uint32, 600)
	for i := range wide {
		wide[i] = uint32(i%300) * 2654435769
	}
	for _, b := range []built{
		builtOf(wide, suffixcl.Tokens32), builtOf(scaled[uint16](a.text, true), suffixcl.Tokens16),
	} {
		r, err := e.Arrays(b.text, everything).All(ctx)
		if err != nil && strings.Contains(err.Error(), "texts of bytes only") { // another algorithm
			b.text, b.want = suffixcl.Bytes(a.text), &suffixcl.Result{
				SA: a.sa, LCP: a.lcp, BWT: suffixcl.Bytes(a.transform), Primary: a.primary,
			}
			r, err = e.Arrays(b.text, everything).All(ctx)
		}
		if err != nil {
			return err
		}
		if !reflect.DeepEqual(b.want, r) {
			return errWrong
		}
		if err := e.VerifyArrays(ctx, b.text, r); err != nil {
			return err
		}
		text, err := e.Invert(r).All(ctx)
		if err != nil {
			return err
		}
		if !reflect.DeepEqual(b.text, text) {
			return errWrong
		}
	}
	return nil
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
	a := answersOf([]byte("the cat and the other cat"))
	for _, algorithm := range suffixcl.Algorithms() {
		e := engineOn(t, suffixcl.EngineOptions{Algorithm: algorithm})
		got, err := e.Arrays(suffixcl.Bytes(a.text), everything).All(t.Context())
		require.NoError(t, err)
		want := &suffixcl.Result{SA: a.sa, LCP: a.lcp, BWT: suffixcl.Bytes(a.transform), Primary: a.primary}
		require.Equal(t, want, got)
		require.NoError(t, e.VerifyArrays(t.Context(), suffixcl.Bytes(a.text), got))
	}
}

// Every array of a result is looked at.
func TestVerifyArrays(t *testing.T) {
	b := builtOf([]uint16{7, 1, 60000, 1, 60000, 7}, suffixcl.Tokens16)
	e := engineOn(t, suffixcl.EngineOptions{})
	for name, wrong := range map[string]suffixcl.Result{
		"suffix array":            {SA: []uint32{1, 3, 5, 0, 4, 2}},
		"LCP array":               {SA: b.want.SA, LCP: []uint32{0, 2, 0, 1, 0, 2}},
		"primary":                 {SA: b.want.SA, BWT: b.want.BWT, Primary: 1},
		"Burrows-Wheeler":         {SA: b.want.SA, BWT: suffixcl.Tokens16(make([]uint16, 6)), Primary: b.want.Primary},
		"symbols of []uint32":     {SA: b.want.SA, BWT: suffixcl.Tokens32(make([]uint32, 6)), Primary: b.want.Primary},
		"5 entries for 6 charact": {SA: b.want.SA[:5]},
	} {
		err := e.VerifyArrays(t.Context(), b.text, &wrong)
		var mismatch *suffixcl.MismatchError
		require.ErrorAs(t, err, &mismatch, name)
		require.ErrorContains(t, err, name)
	}
}

// The plan is what is allocated, and the other sorters say that they are for bytes.
func TestPlanArrays(t *testing.T) {
	text := suffixcl.Tokens32(scaled[uint32](make([]byte, 10000), false))
	devicetest.Native(t, func(t *testing.T, env devicetest.Env) {
		e, err := suffixcl.New(env.Session, suffixcl.EngineOptions{Algorithm: suffixcl.AlgorithmSuffixsort})
		require.NoError(t, err)
		plan, err := e.Arrays(suffixcl.Length(4, text.Len()), everything).Plan(t.Context())
		require.NoError(t, err)
		var st suffixcl.Stats
		_, err = e.Arrays(text, everything).All(suffixcl.WithStats(t.Context(), &st))
		require.NoError(t, err)
		require.Equal(t, plan.Device(), st.PeakBytes)
		_, err = e.Arrays(suffixcl.Length(3, 10), everything).Plan(t.Context())
		require.ErrorContains(t, err, "symbols of 3 bytes")

		e, err = suffixcl.New(env.Session, suffixcl.EngineOptions{Algorithm: suffixcl.AlgorithmOsipov})
		require.NoError(t, err)
		_, err = e.Arrays(text, everything).All(context.Background())
		require.ErrorContains(t, err, "osipov sorts texts of bytes only; texts of symbols: [suffixsort sais]")
		require.ErrorIs(t, err, suffixcl.ErrUnknownAlgorithm)
	})
}
