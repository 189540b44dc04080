package search_test

import (
	"bytes"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/suffixcl/suffixcl"
	"github.com/suffixcl/suffixcl/internal/patternset"
	"github.com/suffixcl/suffixcl/internal/testkit/devicetest"
	"github.com/suffixcl/suffixcl/internal/testkit/enginetest"
	"github.com/suffixcl/suffixcl/patterns"
	"github.com/suffixcl/suffixcl/seqio"
)

// queriesOf are parts of texts, what crosses their ends, and what is nearly in them.
func queriesOf(texts [][]byte, longest int) [][]byte {
	rng := rand.New(rand.NewPCG(uint64(len(texts)), 1))
	all := bytes.Join(texts, []byte{0})
	list := [][]byte{nil, {0}, {255}, {'\n'}, []byte("A"), all}
	for range 150 {
		if len(all) == 0 {
			break
		}
		at := rng.IntN(len(all))
		pattern := slices.Clone(all[at:min(len(all), at+1+rng.IntN(1+rng.IntN(20)))])
		if rng.IntN(4) == 0 {
			pattern[rng.IntN(len(pattern))]++
		}
		list = append(list, pattern)
	}
	return slices.DeleteFunc(list, func(pattern []byte) bool { return 2*len(pattern) > longest })
}

func searchSet(t *testing.T, e *suffixcl.Engine, name string, texts, queries [][]byte, o suffixcl.MatcherOptions) {
	set := suffixcl.Documents(texts...)
	plan, err := e.Matcher(set, o).Plan(t.Context())
	require.NoError(t, err)
	var stats suffixcl.Stats
	m, err := e.Matcher(set, o).All(suffixcl.WithStats(t.Context(), &stats))
	require.NoError(t, err, name)
	defer m.Close()
	if set.Len() > 0 {
		require.Equal(t, plan.Device(), stats.PeakBytes, name)
	}
	b, err := patterns.Of(queries...)
	require.NoError(t, err)
	counts, err := m.Count(t.Context(), b)
	require.NoError(t, err)
	documents := make([]uint32, len(queries))
	if o.Documents {
		documents, err = m.CountDocuments(t.Context(), b)
		require.NoError(t, err)
	}
	got := make([][]suffixcl.Occurrence, len(queries))
	require.NoError(t, m.LocateOccurrences(t.Context(), b, func(q int, places []suffixcl.Occurrence) error {
		got[q] = slices.Clone(places)
		return nil
	}))
	for q, pattern := range queries {
		if o.DNA {
			pattern = bytes.ReplaceAll(bytes.ToUpper(pattern), []byte("U"), []byte("T"))
			if len(bytes.Trim(pattern, "ACGT")) > 0 {
				pattern = nil
			}
		}
		searched := texts
		if o.DNA {
			searched = nil
			for _, text := range texts {
				searched = append(searched, bytes.ReplaceAll(bytes.ToUpper(text), []byte("U"), []byte("T")))
			}
		}
		want, in := enginetest.FoundIn(searched, pattern)
		require.Equal(t, want, got[q], "%s: %q", name, queries[q])
		require.Len(t, want, int(counts[q]))
		if o.Documents {
			require.Equal(t, in, documents[q], "%s: %q", name, queries[q])
		}
	}
}

func TestMatchSet(t *testing.T) {
	devicetest.Native(t, func(t *testing.T, env devicetest.Env) {
		e, err := suffixcl.New(env.Session, suffixcl.EngineOptions{KeepMemory: -1})
		require.NoError(t, err)
		longest := patternset.Longest(env.Session)
		all := enginetest.Sets(t)
		every := make([]byte, 256) // letters that leave bytes none for terminators, or for what is unknown
		for i := range every {
			every[i] = byte(255 - i)
		}
		all["254 letters"] = [][]byte{every[1:255], every[100:200], every[1:150]}
		all["255 letters"] = [][]byte{every[1:], every[100:200], every[1:150]}
		all["256 letters"] = [][]byte{every, every[100:200], {}, every[:150]}
		for name, texts := range all {
			set := suffixcl.Documents(texts...)
			queries := queriesOf(texts, longest)
			r, err := e.Arrays(set, suffixcl.Want{SA: true}).All(t.Context())
			require.NoError(t, err)
			searchSet(t, e, name, texts, queries, suffixcl.MatcherOptions{Documents: true})
			searchSet(t, e, name, texts, queries, suffixcl.MatcherOptions{SuffixArray: r.SA})
			searchSet(t, e, name, texts, queries, suffixcl.MatcherOptions{SuffixArray: r.SA, Documents: true})
		}
		dna := [][]byte{[]byte("ACGTNNACGT"), []byte("acgtACGUTT"), []byte("GT")}
		list := [][]byte{[]byte("acg"), []byte("ACGU"), []byte("N"), []byte("TT"), []byte("gt"), []byte("GTN")}
		searchSet(t, e, "DNA", dna, list, suffixcl.MatcherOptions{DNA: true, Documents: true})
	})
}

func TestMatchSetErrors(t *testing.T) {
	e := enginetest.On(t, suffixcl.EngineOptions{})
	set := suffixcl.Documents([]byte("ab"), []byte("b"))
	var wrong *suffixcl.MismatchError
	_, err := e.Matcher(set, suffixcl.MatcherOptions{SuffixArray: []uint32{0, 1, 2, 3, 4}}).All(t.Context())
	require.ErrorAs(t, err, &wrong)
	_, err = e.Matcher(set, suffixcl.MatcherOptions{SuffixArray: []uint32{0}}).All(t.Context())
	require.ErrorContains(t, err, "suffix array")
	_, err = e.Matcher(set, suffixcl.MatcherOptions{Records: seqio.Table{{}}}).All(t.Context())
	require.ErrorContains(t, err, "those of a set are its texts")
	m, err := e.Matcher(set, suffixcl.MatcherOptions{}).All(t.Context())
	require.NoError(t, err)
	defer m.Close()
	b, err := patterns.Of([]byte("b"))
	require.NoError(t, err)
	_, err = m.CountDocuments(t.Context(), b)
	require.ErrorContains(t, err, "needs a Matcher of a set, with MatcherOptions.Documents")
	tokens, err := patterns.OfTokens16([]uint16{1})
	require.NoError(t, err)
	_, err = m.Count(t.Context(), tokens)
	require.ErrorContains(t, err, "symbols of 2 bytes, in a set of texts of bytes")
	plain, err := e.Matcher(suffixcl.Bytes([]byte("ab")), suffixcl.MatcherOptions{}).All(t.Context())
	require.NoError(t, err)
	defer plain.Close()
	require.ErrorContains(t, plain.LocateOccurrences(t.Context(), b, nil), "needs a Matcher of a set")
}
