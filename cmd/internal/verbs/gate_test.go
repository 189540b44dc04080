package verbs

import (
	"context"
	"hash/crc32"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/suffixcl/suffixcl/internal/cli/clitest"
	"github.com/suffixcl/suffixcl/internal/testkit/devicetest"
	"github.com/suffixcl/suffixcl/internal/testkit/gate"
)

// gateLength is that of texts on a CPU: more symbols than differ, for several tiles of a short text's sorter.
const gateLength = 4000

// Every verb takes every kind of input, or says why not. A report has the same cells, but for verbs that are newer than
// it: the table says that these were not run there. What a verb says is compared with the report of PoCL, which can be
// made wherever the tests run. A run has half of the cells, at random, unless SUFFIXCL_SOAK is 1.
func TestEveryVerbOnEveryKind(t *testing.T) {
	clitest.NeedDevice(t)
	run := func(_ context.Context, dir string, args ...string) (int, string, string, error) {
		r := clitest.Run(t, dir, args...)
		return r.Code, r.Out, r.Errors, nil
	}
	half := rand.Uint32()
	leave := func(verb, kind string) bool {
		return !devicetest.Soak && crc32.ChecksumIEEE([]byte(verb+", "+kind))&1 == half&1
	}
	t.Logf("half %d of the cells", half&1)
	cells, err := gate.Run(t.Context(), gate.Options{Run: run, Length: gateLength, Seed: 1, Leave: leave})
	require.NoError(t, err)
	for _, c := range cells {
		assert.NotEmpty(t, c.Result, "%s, %s", c.Verb, c.Kind)
		assert.NotEqual(t, gate.Wrong, c.Result, "%s, %s: %s: %s", c.Verb, c.Kind, c.Command, c.Why)
		assert.Equal(t, c.Result == gate.Right, c.Why == "", "%s, %s: a cell that is not right is explained", c.Verb, c.Kind)
	}
	files, err := filepath.Glob("../../../docs/conformance/verbs/*.json")
	require.NoError(t, err)
	require.NotEmpty(t, files)
	for _, file := range files {
		data, err := os.ReadFile(file)
		require.NoError(t, err)
		r, err := gate.Parse(data)
		require.NoError(t, err)
		there := slices.DeleteFunc(slices.Clone(cells), func(c gate.Cell) bool {
			return !slices.ContainsFunc(r.Cells, func(of gate.Cell) bool { return of.Verb == c.Verb })
		})
		r.Cells = slices.DeleteFunc(r.Cells, func(c gate.Cell) bool { return leave(c.Verb, c.Kind) })
		words := r.Platform == "Portable Computing Language"
		assert.Equal(t, gateAnswers(there, words), gateAnswers(r.Cells, words), "%s: run the gate again there", file)
	}
}

// gateAnswers are which verbs take which kinds, and, with words, what they say of others. What needs another program is
// taken.
func gateAnswers(cells []gate.Cell, words bool) (list []string) {
	for _, c := range cells {
		answer := c.Verb + ", " + c.Kind
		switch {
		case c.Result == gate.Refused && words:
			answer += ": " + c.Said()
		case c.Result == gate.Refused:
			answer += ": refused"
		}
		list = append(list, answer)
	}
	return list
}

// The table has every verb that a user calls.
func TestGateHasEveryVerb(t *testing.T) {
	var have []string
	for _, v := range gate.Verbs() {
		have = append(have, v.Name)
	}
	var want []string
	for _, c := range Root().Commands() {
		if c.Hidden {
			continue
		}
		if c.Name() != "plan" { // whose verbs are those of the others
			for _, sub := range c.Commands() {
				want = append(want, c.Name()+" "+sub.Name())
			}
		}
		if c.Runnable() && c.Name() != "build" && c.Name() != "pangenome" {
			want = append(want, c.Name())
		}
	}
	slices.Sort(have)
	slices.Sort(want)
	assert.Equal(t, want, have)
}
