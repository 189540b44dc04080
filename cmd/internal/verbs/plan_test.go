package verbs

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/suffixcl/suffixcl/cmd/internal/report"
	"github.com/suffixcl/suffixcl/cmd/internal/verb"
	"github.com/suffixcl/suffixcl/internal/cli"
	"github.com/suffixcl/suffixcl/internal/cli/clitest"
)

func TestMemory(t *testing.T) {
	clitest.NeedDevice(t)
	dir := t.TempDir()
	clitest.Put(t, dir, "text", clitest.Prose(10000))
	clitest.Put(t, dir, "sa", encode(suffixArray(clitest.Prose(10000)), 4))
	for _, args := range [][]string{
		{"sa", "text", "-o", "out"}, {"bwt", "text", "-o", "out"}, {"verify", "text", "sa"},
		{"lcp", "text", "-o", "out"}, {"lcp", "text", "-o", "out", "--sa", "sa"},
		{"unbwt", "text", "-o", "out", "--primary", "1"},
	} {
		r := clitest.Run(t, dir, append(args, "--max-mem", "20K")...)
		assert.Equal(t, cli.ExitMemory, r.Code, "%v: %s", args, r.Errors)
		assert.Regexp(t, `needs .*\d+ bytes.* memory limit is .*20480 bytes`, r.Errors)
		assert.Empty(t, r.Out)
	}
	// From a pipe of unknown length.
	c := clitest.Command(dir, "sa", "-", "-o", "out", "--max-mem", "20K")
	c.Stdin = bytes.NewReader(clitest.Prose(10000))
	assert.Equal(t, cli.ExitMemory, clitest.Finish(t, c).Code)
	assert.Equal(t, []string{"sa", "text"}, clitest.Files(t, dir))
}

func TestPlan(t *testing.T) {
	clitest.NeedDevice(t)
	dir := t.TempDir()
	clitest.Put(t, dir, "text", clitest.Prose(10000))
	clitest.Put(t, dir, "empty", nil)
	for _, name := range []string{"sa", "lcp", "bwt", "unbwt", "verify"} {
		r := clitest.Good(t, dir, "plan", name, "text")
		assert.Contains(t, r.Out, "peak")
		assert.Contains(t, r.Out, "\nfits\n")
		assert.Empty(t, r.Errors)
		clitest.Good(t, dir, "plan", name, "empty")

		r = clitest.Run(t, dir, "plan", name, "text", "--max-mem", "10000")
		assert.Equal(t, cli.ExitMemory, r.Code)
		assert.Contains(t, r.Out, "does not fit: ")
		assert.Contains(t, r.Errors, "10000 bytes")

		r = clitest.Run(t, dir, "plan", name, "text", "--max-mem", "10000", "--json")
		assert.Equal(t, cli.ExitMemory, r.Code)
		var p verb.PlanReport
		require.NoError(t, json.Unmarshal([]byte(r.Out), &p))
		assert.False(t, p.Fits)
		assert.EqualValues(t, 10000, p.Bytes)
		assert.EqualValues(t, 10000, p.Limit.Device)
		largest := slices.MaxFunc(p.Phases, func(a, b verb.PlanPhase) int { return int(a.Device - b.Device) })
		assert.Equal(t, p.Peak.Device, largest.Device)
	}
	// Far too long, and not read: a sparse file.
	f, err := os.Create(filepath.Join(dir, "long"))
	require.NoError(t, err)
	defer f.Close()
	if err := f.Truncate(1 << 34); err != nil {
		t.Skip(err)
	}
	for _, name := range []string{"sa", "lcp", "bwt", "unbwt", "verify"} {
		assert.Equal(t, cli.ExitMemory, clitest.Run(t, dir, "plan", name, "long").Code)
	}
	assert.Equal(t, cli.ExitMemory, clitest.Run(t, dir, "sa", "long", "-o", "out2").Code)
}

// The plan of a verb is what the same words without plan allocate.
func TestPlanIsWhatHappens(t *testing.T) {
	clitest.NeedDevice(t)
	dir := t.TempDir()
	text := clitest.Prose(10000)
	rows, primary := transform(text)
	clitest.Put(t, dir, "text", text)
	clitest.Put(t, dir, "text.gz", gzipped(t, text))
	clitest.Put(t, dir, "text.bwt", rows)
	clitest.Put(t, dir, "text.bwt.primary", fmt.Appendln(nil, primary))
	clitest.Put(t, dir, "ref.fa", []byte(reference+reference))
	clitest.Put(t, dir, "q", []byte("GATTACA\n"))
	clitest.Good(t, dir, "sa", "text", "-o", "text.sa", "-q")
	clitest.Good(t, dir, "lcp", "text", "-o", "text.lcp", "-q")
	clitest.Good(t, dir, "sa", "text", "-o", "largest.sa", "-q", "--order", "end-largest")
	clitest.Good(t, dir, "lcp", "text", "-o", "largest.lcp", "-q", "--order", "end-largest")
	for _, line := range []string{
		"sa text.gz -o out --algorithm skew", "lcp text -o out", "lcp text --sa text.sa -o out", "bwt text -o out",
		"unbwt text.bwt -o out", "verify text text.sa", "verify text text.sa --bwt text.bwt",
		"verify text text.sa --lcp text.lcp", "verify text largest.sa --lcp largest.lcp --order end-largest",
		"lcp text --sa largest.sa -o out --order end-largest", "lcp text -o out --order end-largest",
		"index text -o out", "index ref.fa -o out", "match text q -o out",
		"match ref.fa q --dna --both -o out", "match text q --sa text.sa -o out", "repeats text -o out",
		"repeats text --all -o out", "repeats ref.fa --both -o out", "repeats ref.fa --dna --both --all -o out",
	} {
		args := append(strings.Fields(line), "--json")
		var p verb.PlanReport
		planned := clitest.Good(t, dir, append([]string{"plan"}, args...)...)
		require.NoError(t, json.Unmarshal([]byte(planned.Out), &p))
		assert.Empty(t, planned.Errors)
		var r report.Report
		require.NoError(t, json.Unmarshal([]byte(clitest.Good(t, dir, args...).Out), &r))
		assert.Equal(t, r.PeakBytes, p.Peak.Device, line)
		assert.EqualValues(t, r.Bytes, p.Bytes, line)
		assert.Equal(t, []any{r.Verb, r.File, r.Compression, r.Format, r.Records},
			[]any{p.Verb, p.File, p.Compression, p.Format, p.Records}, line)
	}
	// Of an index at most: what is planned is what it does not run without.
	var p verb.PlanReport
	index := []string{"index", "ref.fa", "--dna", "-o", "out", "--json"}
	require.NoError(t, json.Unmarshal([]byte(clitest.Good(t, dir, append([]string{"plan"}, index...)...).Out), &p))
	clitest.Good(t, dir, append(index, "--max-mem", fmt.Sprint(p.Peak.Device))...)
	assert.Equal(t, cli.ExitMemory, clitest.Run(t, dir, append(index, "--max-mem", fmt.Sprint(p.Peak.Device-1))...).Code)
	// Of a search all but the patterns.
	for _, line := range []string{"count out GATTACA", "locate out --patterns none", "count out"} {
		planned := clitest.Good(t, dir, strings.Fields("plan "+line+" --json")...)
		require.NoError(t, json.Unmarshal([]byte(planned.Out), &p))
		assert.Equal(t, "index", p.Phases[0].Phase)
		assert.Equal(t, 6, p.Records)
	}
	var r report.Report
	require.NoError(t, json.Unmarshal([]byte(clitest.Good(t, dir, "count", "out", "GATTACA", "--json").Errors), &r))
	assert.InDelta(t, p.Peak.Device, r.PeakBytes, 100)
	// Files but the first need not be there, and the first is not changed.
	clitest.Good(t, dir, "plan", "verify", "text", "none", "--bwt", "none", "--lcp", "none")
	clitest.Good(t, dir, "plan", "lcp", "text", "--sa", "none")
	r2 := clitest.Run(t, dir, "plan", "count", "text")
	assert.Equal(t, cli.ExitFailed, r2.Code)
	assert.Contains(t, r2.Errors, "does not begin like one")
	for _, args := range []string{"match text --both", "index text --sample -1", "repeats text --mask lower"} {
		assert.Equal(t, cli.ExitUsage, clitest.Run(t, dir, append([]string{"plan"}, strings.Fields(args)...)...).Code, args)
	}
}

// What is planned to fit runs, and what is not does not, whatever the limit: also of verbs that sort in ranges then.
func TestPlanAgrees(t *testing.T) {
	clitest.NeedDevice(t)
	dir := t.TempDir()
	text := make([]byte, 100_000)
	for i := range text {
		text[i] = "ACGT"[rand.IntN(4)]
	}
	clitest.Put(t, dir, "text", text)
	clitest.Good(t, dir, "sa", "text", "-o", "text.sa", "-q")
	fit := map[string]int{}
	limits := []string{"100K", "300K", "500K", "1M", "2M", "4M"}
	for _, verb := range []string{
		"sa text", "lcp text", "bwt text", "index text", "sa text --algorithm ranges", "verify text text.sa",
	} {
		for _, limit := range limits {
			args := append(strings.Fields(verb), "--max-mem", limit, "-q")
			planned := clitest.Run(t, dir, append([]string{"plan"}, args...)...)
			if !strings.HasPrefix(verb, "verify") {
				args = append(args, "-o", "out")
			}
			r := clitest.Run(t, dir, args...)
			assert.Equal(t, r.Code, planned.Code, "%s --max-mem %s: %s; planned: %s", verb, limit, r.Errors, planned.Errors)
			if assert.Contains(t, []int{cli.ExitDone, cli.ExitMemory}, r.Code) && r.Code == cli.ExitDone {
				fit[verb]++
			}
		}
		assert.Positive(t, fit[verb], verb)
		assert.Less(t, fit[verb], len(limits), verb)
	}
}
