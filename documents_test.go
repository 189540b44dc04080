package suffixcl_test

import (
	"bytes"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/suffixcl/suffixcl"
	"github.com/suffixcl/suffixcl/conformance"
	"github.com/suffixcl/suffixcl/internal/lab/devicetest"
)

// sets are none, one, many empty, equal, nested and different texts.
func sets(t *testing.T) map[string][][]byte {
	all := map[string][][]byte{
		"none": nil, "one": {[]byte("banana")}, "empty": {{}}, "many empty": make([][]byte, 300),
		"equal":  {[]byte("abab"), []byte("abab"), []byte("abab")},
		"nested": {[]byte("b"), []byte("ab"), {}, []byte("aab"), []byte("aa"), {0, 255, 0}},
	}
	text, err := conformance.NewText("repeats/sigma=4", 1500, 1)
	require.NoError(t, err)
	for _, length := range []int{7, 100} {
		for start := 0; start < len(text); start += length {
			name := fmt.Sprintf("reads of %d", length)
			all[name] = append(all[name], text[start:min(start+length, len(text))])
		}
	}
	all["letters"] = bytes.SplitAfter(text[:400], nil)
	return all
}

func TestDocuments(t *testing.T) {
	everything := suffixcl.Want{SA: true, LCP: true, Documents: true}
	devicetest.Native(t, func(t *testing.T, env devicetest.Env) {
		e, err := suffixcl.New(env.Session, suffixcl.EngineOptions{})
		require.NoError(t, err)
		for name, texts := range sets(t) {
			t.Run(name, func(t *testing.T) {
				sa, lcp, documents := conformance.ReferenceDocuments(texts)
				set := suffixcl.Documents(texts...)
				require.Equal(t, len(sa), set.Len())
				want := &suffixcl.Result{SA: sa, LCP: lcp, Documents: documents}
				got, err := e.Build(t.Context(), set, everything)
				require.NoError(t, err)
				require.Equal(t, want, got)
				require.NoError(t, e.VerifyBuild(t.Context(), set, got))
				got, err = e.Build(t.Context(), set, suffixcl.Want{Documents: true})
				require.NoError(t, err)
				require.Equal(t, &suffixcl.Result{Documents: documents}, got)
			})
		}
	})
}

// A wrong document is found; sets have no transform, and other texts no documents.
func TestWrongDocuments(t *testing.T) {
	e := engineOn(t, suffixcl.EngineOptions{})
	set := suffixcl.Documents([]byte("ab"), []byte("b"))
	r, err := e.Build(t.Context(), set, suffixcl.Want{SA: true, Documents: true})
	require.NoError(t, err)
	r.Documents[2] ^= 1
	require.ErrorContains(t, e.VerifyBuild(t.Context(), set, r), "not the document array of the text: slot 2 holds")
	_, err = e.Build(t.Context(), set, suffixcl.Want{BWT: true})
	require.ErrorContains(t, err, "no transform")
	_, err = e.Build(t.Context(), suffixcl.Bytes([]byte("ab")), suffixcl.Want{Documents: true})
	require.ErrorContains(t, err, "no documents")
}
