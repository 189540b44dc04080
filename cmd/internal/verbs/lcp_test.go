package verbs

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/suffixcl/suffixcl/cmd/internal/verb"
	"github.com/suffixcl/suffixcl/internal/cli"
	"github.com/suffixcl/suffixcl/internal/cli/clitest"
)

// lcpArray is the obvious one.
func lcpArray(text []byte) []uint64 {
	sa := suffixArray(text)
	lengths := make([]uint64, len(sa))
	for i := 1; i < len(sa); i++ {
		a, b := text[sa[i-1]:], text[sa[i]:]
		for lengths[i] < uint64(min(len(a), len(b))) && a[lengths[i]] == b[lengths[i]] {
			lengths[i]++
		}
	}
	return lengths
}

func TestLCP(t *testing.T) {
	clitest.NeedDevice(t)
	for name, text := range map[string][]byte{"empty": {}, "one byte": {7}, "prose": clitest.Prose(3000)} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			clitest.Put(t, dir, "text", text)
			want := lcpArray(text)
			for _, width := range []int{4, 5, 8} {
				w := fmt.Sprint(width)
				clitest.Put(t, dir, "sa", encode(suffixArray(text), width))
				r := clitest.Good(t, dir, "lcp", "text", "-o", "lcp", "--width", w)
				assert.Empty(t, r.Out)
				assert.True(t, bytes.Equal(encode(want, width), clitest.Get(t, dir, "lcp")))
				clitest.Good(t, dir, "lcp", "text", "-o", "of", "--width", w, "--sa", "sa")
				assert.True(t, bytes.Equal(encode(want, width), clitest.Get(t, dir, "of")))
				r = clitest.Good(t, dir, "verify", "text", "sa", "--lcp", "lcp", "--width", w)
				assert.Contains(t, r.Out, "OK: sa is the suffix array and lcp the LCP array of text")
			}
			rows, primary := transform(text)
			clitest.Put(t, dir, "bwt", rows)
			r := clitest.Good(t, dir, "verify", "text", "sa", "--lcp", "lcp", "--width", "8", "--bwt", "bwt", "--primary",
				fmt.Sprint(primary))
			assert.Contains(t, r.Out,
				"OK: sa is the suffix array, bwt the Burrows-Wheeler transform and lcp the LCP array of text")
			assert.Equal(t, []string{"bwt", "lcp", "of", "sa", "text"}, clitest.Files(t, dir))
			if len(text) < 2 {
				return
			}
			for name, c := range map[string]struct {
				change func(a []uint64) []uint64
				want   string
			}{
				"entry": {func(a []uint64) []uint64 { a[77]++; return a }, "wrong: not the LCP array of text: slot 77"},
				"large": {func(a []uint64) []uint64 { a[78] |= 1 << 40; return a }, "slot 78 holds 10995116277"},
				"short": {func(a []uint64) []uint64 { return a[1:] }, "not the LCP array"},
			} {
				clitest.Put(t, dir, "wrong", encode(c.change(slices.Clone(want)), 8))
				r = clitest.Run(t, dir, "verify", "text", "sa", "--lcp", "wrong", "--width", "8")
				assert.Equal(t, cli.ExitVerify, r.Code, name)
				assert.Contains(t, r.Errors, c.want)
			}
			r = clitest.Run(t, dir, "lcp", "text", "-o", "out", "--sa", "lcp", "--width", "8")
			assert.Equal(t, cli.ExitVerify, r.Code, r.Errors)
			assert.Contains(t, r.Errors, "suffixcl: lcp: not the suffix array of text: slot ")
			assert.NotContains(t, clitest.Files(t, dir), "out")
		})
	}
}

// Suffix and LCP array come of one sort, in one piece, of symbols, in an order, and in ranges.
func TestLCPWithSA(t *testing.T) {
	clitest.NeedDevice(t)
	dir := t.TempDir()
	clitest.Put(t, dir, "text", clitest.Prose(30000))
	for _, flags := range [][]string{
		{}, {"--width", "5"}, {"--symbols", "u16"}, {"--order", "end-largest"}, {"--algorithm", "ranges"},
		append([]string{"--width", "5"}, inRanges...),
	} {
		args := func(of ...string) []string { return append(append(of, flags...), "-q") }
		clitest.Good(t, dir, args("sa", "text", "-o", "sa")...)
		clitest.Good(t, dir, args("lcp", "text", "-o", "lcp")...)
		both := args("lcp", "text", "-o", "both.lcp", "--sa-out", "both.sa", "--json")
		planned := clitest.Good(t, dir, append([]string{"plan"}, both...)...)
		var p verb.PlanReport
		require.NoError(t, json.Unmarshal([]byte(planned.Out), &p))
		clitest.Good(t, dir, both...)
		for _, array := range []string{"sa", "lcp"} {
			assert.Equal(t, clitest.Get(t, dir, array), clitest.Get(t, dir, "both."+array), "%v %s", flags, array)
		}
		assert.EqualValues(t, len(clitest.Get(t, dir, "sa"))+len(clitest.Get(t, dir, "lcp")), p.Result)
	}
	before := clitest.Files(t, dir)
	for _, line := range []string{
		"--sa-out out", "--sa-out text", "--sa-out x --sa sa", "--sa-out x --resume kept", "--sa-out x --mpi",
	} {
		r := clitest.Run(t, dir, append([]string{"lcp", "text", "-o", "out"}, strings.Fields(line)...)...)
		assert.NotEqual(t, cli.ExitDone, r.Code, line)
	}
	assert.Equal(t, before, clitest.Files(t, dir))
	// What was given is verified first, and that is said.
	clitest.Good(t, dir, "sa", "text", "-o", "sa", "-q")
	assert.Contains(t, clitest.Good(t, dir, "lcp", "text", "--sa", "sa", "-o", "x").Errors, "note: sa is verified first")
}
