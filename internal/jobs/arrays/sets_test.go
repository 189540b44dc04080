package arrays_test

import (
	"context"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/suffixcl/suffixcl"
	"github.com/suffixcl/suffixcl/conformance"
	"github.com/suffixcl/suffixcl/internal/testkit/builders"
	"github.com/suffixcl/suffixcl/internal/testkit/devicetest"
	"github.com/suffixcl/suffixcl/internal/testkit/enginetest"
	"github.com/suffixcl/suffixcl/internal/testkit/jobsuites"
	"github.com/suffixcl/suffixcl/internal/tuned"
)

var setArrays = suffixcl.Want{SA: true, LCP: true, BWT: true, Documents: true}

// few are fewer inputs than a suite has: what sorts the code has been tried.
func few(env devicetest.Env) conformance.Config {
	cfg := env.Suite
	cfg.Tile = min(64, 2*tuned.Of(env.Session).Map.WG*tuned.Of(env.Session).Map.Items)
	cfg.PerSize, cfg.Random = 1, 5
	cfg.MaxExhaustive2, cfg.MaxExhaustive3 = min(cfg.MaxExhaustive2, 4), min(cfg.MaxExhaustive3, 4)
	cfg.Large = min(cfg.Large, 3000)
	return cfg
}

func TestSet(t *testing.T) {
	devicetest.Native(t, func(t *testing.T, env devicetest.Env) {
		e, err := suffixcl.New(env.Session, suffixcl.EngineOptions{})
		require.NoError(t, err)
		conformance.Run(t, jobsuites.Set(builders.SetArraysOf(e), few(env)))
	})
}

// Sets are coded in bytes for any sorter, and in 16 bits where they have too many letters.
func TestSetAlgorithms(t *testing.T) {
	text, err := conformance.NewText("repeats/sigma=4", 3000, 1)
	require.NoError(t, err)
	var reads [][]byte
	for start := 0; start < len(text); start += 50 {
		reads = append(reads, text[start:start+50])
	}
	devicetest.Native(t, func(t *testing.T, env devicetest.Env) {
		for _, algorithm := range suffixcl.Algorithms()[1:] {
			if algorithm.MaxLen(env.Caps()) < 4000 {
				continue
			}
			e, err := suffixcl.New(env.Session, suffixcl.EngineOptions{Algorithm: algorithm})
			require.NoError(t, err)
			got, err := builders.SetArraysOf(e)(t.Context(), reads)
			require.NoError(t, err, algorithm)
			require.Equal(t, jobsuites.ReferenceSet(reads), got, algorithm)
		}
	})
}

func TestOrders(t *testing.T) {
	devicetest.Native(t, func(t *testing.T, env devicetest.Env) {
		e, err := suffixcl.New(env.Session, suffixcl.EngineOptions{})
		require.NoError(t, err)
		cfg := few(env)
		t.Run("end largest", func(t *testing.T) {
			conformance.Run(t, jobsuites.EndLargest(func(ctx context.Context, text []byte) (jobsuites.Ordered, error) {
				return builders.Ordered(ctx, e, text, suffixcl.OrderEndLargest)
			}, cfg))
		})
		t.Run("specials largest", func(t *testing.T) {
			conformance.Run(t, jobsuites.Specials(
				func(ctx context.Context, text []byte, letters string) (jobsuites.Ordered, error) {
					return builders.Ordered(ctx, e, text, suffixcl.SpecialsLargest(letters))
				}, cfg))
		})
		t.Run("memory", func(t *testing.T) {
			conformance.Run(t, jobsuites.MemoryOrder(builders.InMemory(e, suffixcl.Tokens16), cfg))
			conformance.Run(t, jobsuites.MemoryOrder(builders.InMemory(e, suffixcl.Tokens32), cfg))
		})
	})
}

func TestOrderedBWT(t *testing.T) {
	e := enginetest.On(t, suffixcl.EngineOptions{})
	repeats, err := conformance.NewText("repeats/sigma=4", 2000, 1)
	require.NoError(t, err)
	for _, text := range []string{
		"a", "aa", "ab", "ba", "banana", "\x00\xff\xff\x00\xff", "ACGTNNACGTN", string(repeats),
	} {
		for _, order := range []suffixcl.Order{suffixcl.OrderEndLargest, suffixcl.SpecialsLargest("ACGTab")} {
			sa, _ := jobsuites.ReferenceSpecials([]byte(text), func(c byte) bool {
				return order != suffixcl.OrderEndLargest && !strings.ContainsRune(order.Letters(), rune(c))
			})
			transform, primary := jobsuites.ReferenceOrderedBWT([]byte(text), sa)
			for _, want := range []suffixcl.Want{{BWT: true, Order: order}, {SA: true, LCP: true, BWT: true, Order: order}} {
				got, err := e.Arrays(suffixcl.Bytes([]byte(text)), want).All(t.Context())
				require.NoError(t, err)
				require.Equal(t, transform, got.BWT.Bytes(), "%q %v", text, order)
				require.Equal(t, primary, got.Primary, "%q %v", text, order)
				if want.SA {
					require.NoError(t, enginetest.VerifyArrays(t.Context(), e, suffixcl.Bytes([]byte(text)), got))
					got.Primary++
					err := enginetest.VerifyArrays(t.Context(), e, suffixcl.Bytes([]byte(text)), got)
					require.ErrorContains(t, err, "primary index")
					got.Primary--
				}
				inverse, err := e.Invert(got).All(t.Context())
				if order != suffixcl.OrderEndLargest {
					require.ErrorContains(t, err, "a transform that is inverted has no order specials-largest")
					continue
				}
				require.NoError(t, err)
				require.Equal(t, text, string(inverse.Bytes()))
			}
		}
	}
	none, err := e.Arrays(suffixcl.Bytes(nil), suffixcl.Want{BWT: true, Order: suffixcl.OrderEndLargest}).All(t.Context())
	require.NoError(t, err)
	require.Empty(t, none.BWT.Bytes())
	inverse, err := e.Invert(none).All(t.Context())
	require.NoError(t, err)
	require.Zero(t, inverse.Len())
}

// The set of a text cut at specials has the specials in the same order.
func TestSpecialsOfSet(t *testing.T) {
	e := enginetest.On(t, suffixcl.EngineOptions{})
	c, err := suffixcl.SplitText([]byte("ACGTNACG\nACNNGT\n\nACG\n"), '\n')
	require.NoError(t, err)
	sa, lcp := jobsuites.ReferenceSpecials(c.Bytes(), func(b byte) bool { return strings.IndexByte("ACGT", b) < 0 })
	order := suffixcl.SpecialsLargest("TGCA")
	require.Equal(t, suffixcl.SpecialsLargest("ACGT"), order)
	got, err := e.Arrays(suffixcl.Set(c), suffixcl.Want{SA: true, LCP: true, BWT: true, Order: order}).All(t.Context())
	require.NoError(t, err)
	var transform []byte
	for _, i := range sa {
		transform = append(transform, c.Bytes()[(int(i)+c.Len()-1)%c.Len()])
	}
	require.Equal(t, &suffixcl.Result{SA: sa, LCP: lcp, BWT: suffixcl.Bytes(transform), Order: order}, got)
	require.NoError(t, enginetest.VerifyArrays(t.Context(), e, suffixcl.Set(c), got))
	got.SA[1], got.SA[2] = got.SA[2], got.SA[1]
	err = enginetest.VerifyArrays(t.Context(), e, suffixcl.Set(c), got)
	require.ErrorContains(t, err, "not the suffix array of the text: slot")
}

// What is wanted alone is made alone; what is wrong is found.
func TestSetParts(t *testing.T) {
	e := enginetest.On(t, suffixcl.EngineOptions{})
	texts := [][]byte{[]byte("ab"), []byte("b"), {}}
	set, want := suffixcl.Documents(texts...), jobsuites.ReferenceSet(texts)
	for _, c := range []struct {
		want suffixcl.Want
		made suffixcl.Result
	}{
		{suffixcl.Want{}, suffixcl.Result{}},
		{suffixcl.Want{SA: true}, suffixcl.Result{SA: want.SA}},
		{suffixcl.Want{LCP: true}, suffixcl.Result{LCP: want.LCP}},
		{suffixcl.Want{Documents: true}, suffixcl.Result{Documents: want.Documents}},
		{suffixcl.Want{BWT: true}, suffixcl.Result{BWT: suffixcl.Bytes(want.BWT)}},
	} {
		r, err := e.Arrays(set, c.want).All(t.Context())
		require.NoError(t, err)
		require.Equal(t, &c.made, r)
	}
	damages := map[string]func(r *suffixcl.Result){
		"suffix array":              func(r *suffixcl.Result) { r.SA[0], r.SA[1] = r.SA[1], r.SA[0] },
		"LCP array":                 func(r *suffixcl.Result) { r.LCP[4]++ },
		"document array":            func(r *suffixcl.Result) { r.Documents[2] ^= 1 },
		"Burrows-Wheeler transform": func(r *suffixcl.Result) { r.BWT.Bytes()[3] ^= 1 },
	}
	for what, damage := range damages {
		r, err := e.Arrays(set, setArrays).All(t.Context())
		require.NoError(t, err)
		damage(r)
		require.ErrorContains(t, enginetest.VerifyArrays(t.Context(), e, set, r), "not the "+what+" of the text: slot")
	}
}

// Texts and arrays do not have every order.
func TestOrderErrors(t *testing.T) {
	e := enginetest.On(t, suffixcl.EngineOptions{})
	plain, tokens := suffixcl.Bytes([]byte("ab")), suffixcl.Tokens16([]uint16{1})
	set := suffixcl.Documents([]byte("ab"))
	special := suffixcl.SpecialsLargest("a")
	for _, c := range []struct {
		text suffixcl.Text
		want suffixcl.Want
		why  string
	}{
		{plain, suffixcl.Want{Order: suffixcl.OrderMemory}, "a text of bytes has no order memory"},
		{plain, suffixcl.Want{Documents: true}, "a text that is no set has no documents"},
		{tokens, suffixcl.Want{Order: suffixcl.OrderEndLargest}, "a text of symbols has no order end-largest"},
		{set, suffixcl.Want{Order: suffixcl.OrderEndLargest}, "a set has no order end-largest"},
		{set, suffixcl.Want{Order: special, Documents: true}, "a document array has no order specials-largest"},
	} {
		_, err := e.Arrays(c.text, c.want).All(t.Context())
		require.ErrorContains(t, err, c.why)
		r := &suffixcl.Result{SA: make([]uint32, c.text.Len()), Order: c.want.Order}
		if c.want.BWT {
			r.BWT = plain
		}
		if c.want.Documents {
			r.Documents = r.SA
		}
		require.ErrorContains(t, enginetest.VerifyArrays(t.Context(), e, c.text, r), c.why)
	}
}

// The plan of a set is what it takes.
func TestPlanSet(t *testing.T) {
	e := enginetest.On(t, suffixcl.EngineOptions{})
	c, err := suffixcl.JoinTexts(0, enginetest.Reads(t, 200, 50)...)
	require.NoError(t, err)
	for _, want := range []suffixcl.Want{{SA: true}, {Documents: true}, setArrays} {
		plan, err := e.Arrays(suffixcl.Set(c), want).Plan(t.Context())
		require.NoError(t, err)
		var stats suffixcl.Stats
		_, err = e.Arrays(suffixcl.Set(c), want).All(suffixcl.WithStats(t.Context(), &stats))
		require.NoError(t, err)
		require.Equal(t, plan.Device(), stats.PeakBytes, "%+v", want)
	}
}
