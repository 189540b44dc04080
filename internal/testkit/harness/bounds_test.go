package harness_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/suffixcl/suffixcl"
	"github.com/suffixcl/suffixcl/conformance"
	"github.com/suffixcl/suffixcl/internal/testkit/devicetest"
	"github.com/suffixcl/suffixcl/internal/testkit/harness"
)

// The variant finds a kernel of the library that writes or reads beyond a view by one element.
func TestBoundsOfTheLibrary(t *testing.T) {
	const stored = "sa[p] = (uint)(size - 1 - p);"
	text := bytes.Repeat([]byte("a"), 1000)
	for name, c := range map[string]struct{ by, err string }{
		"sound":  {stored, ""},
		"writes": {"{ " + stored + " if (p == 0) sa[size] = 7; }", "kernel suffixsort_descend: it has written byte "},
		"reads":  {"{ " + stored + " if (p == 0) sa[p] ^= sa[size]; }", "sa[0] = "},
	} {
		v := harness.Bounds
		v.Hooks.Edit = func(text string) string { return strings.ReplaceAll(text, stored, c.by) }
		for _, d := range devicetest.Devices(t) {
			s := devicetest.Open(t, d, v)
			e, err := suffixcl.New(s, suffixcl.EngineOptions{Algorithm: suffixcl.AlgorithmSuffixsort, KeepMemory: -1})
			require.NoError(t, err)
			sa, err := e.SuffixArray(t.Context(), text)
			if err == nil {
				err = conformance.CheckSuffixArray(text, sa)
			}
			if c.err == "" {
				require.NoError(t, err, name)
			} else {
				require.ErrorContains(t, err, c.err, name)
			}
			s.Recover()
		}
	}
}
