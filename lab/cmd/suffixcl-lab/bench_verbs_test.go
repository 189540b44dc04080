package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/suffixcl/suffixcl/internal/cli"
	"github.com/suffixcl/suffixcl/internal/cli/clitest"
	"github.com/suffixcl/suffixcl/internal/testkit/gate"
	"github.com/suffixcl/suffixcl/internal/testkit/verbcases"
)

// fakeVerbs is a command that tells of itself what the measurement asks for, and does what a script says in between.
func fakeVerbs(t *testing.T, dir, between string) (command string) {
	return script(t, filepath.Join(dir, "command"), `
if [ $1 = version ]; then echo '{"version": "v1", "kernels": "abc"}'; exit; fi
`+between+`
echo '{"records": 2, "queries": 3, "device": "fake", "driver": "7", "seconds": {"read": 0.0001, "compute": 0.0002}}'
`)
}

// Every case is measured: the files that it reads are there.
func TestBenchVerbs(t *testing.T) {
	dir := t.TempDir()
	log := filepath.Join(dir, "log")
	command := fakeVerbs(t, dir, `echo $SUFFIXCL_DEVICE $@ >>`+log+`
for arg; do case $arg in *.fa|text|new|sentences|ngrams|documents) [ -e $arg ] || exit 9; esac; done
echo result >out`)
	measure := []string{"bench", "verbs", "--command", command, "--size", "20K", "--runs", "2", "-q", "--device", "cpu"}
	out := clitest.Good(t, dir, append(measure, "-o", "verbs.json")...).Out
	assert.Contains(t, out, "fake, driver 7")
	assert.Contains(t, out, "v1 kernels abc; best of 2 runs")

	var r verbsReport
	require.NoError(t, json.Unmarshal(clitest.Get(t, dir, "verbs.json"), &r))
	require.Len(t, r.Results, len(verbcases.All()))
	for _, run := range r.Results {
		assert.Positive(t, run.Seconds, run.Case)
		assert.InDelta(t, 0.0002, run.Device, 1e-9, run.Case)
		assert.Equal(t, cli.RestStage, run.Bound, run.Case)
		assert.Equal(t, 5, run.Records, run.Case)
		assert.EqualValues(t, len("result\n"), run.Written, run.Case)
		assert.Positive(t, run.Copy, run.Case)
	}
	calls, err := os.ReadFile(log)
	require.NoError(t, err)
	assert.Equal(t, 3, strings.Count(string(calls), "cpu lcp text -o out -q --json\n"), "a warm one, and two")
	assert.Equal(t, 1, strings.Count(string(calls), "index genome.fa --dna -o genome.fmi -q\n"), "of two verbs")

	run := verbRun{Device: 0.5, Copy: 1}
	assert.Equal(t, 2.0, run.aim())
	run.Copy = 3
	assert.Equal(t, 3.5, run.aim())

	table := clitest.Good(t, dir, append(measure, "--only", "sa,tokens find", "--markdown")...).Out
	assert.Regexp(t, `(?s)^\| verb \|.*\n\|---\|.*\n\| sa \|.*\n\| tokens find --ngrams --max-hits \|[^\n]*\n$`, table)
}

// A case that fails leaves the measurements of the others.
func TestBenchVerbsAfterAFailure(t *testing.T) {
	dir := t.TempDir()
	command := fakeVerbs(t, dir, `[ $1 != sa ] || exit 3
echo result >out`)
	r := clitest.Run(t, dir, "bench", "verbs", "--command", command, "--size", "20K", "--only", "sa,lcp", "-q")
	assert.Equal(t, 1, r.Code)
	assert.Contains(t, r.Errors, "sa text -o out -q --json: exit status 3")
	assert.NotContains(t, r.Errors, "lcp")
	assert.Regexp(t, `(?m)^lcp `, r.Out)
}

func TestBenchVerbsErrors(t *testing.T) {
	dir := t.TempDir()
	other := func(text string) string { return script(t, filepath.Join(t.TempDir(), "command"), text) } // not suffixcl
	bad := func(between string, flags ...string) clitest.Result {
		command := fakeVerbs(t, dir, between)
		return clitest.Run(t, dir, append([]string{"bench", "verbs", "--command", command, "--size", "20K", "--only", "sa",
			"-q"}, flags...)...)
	}
	for want, r := range map[string]clitest.Result{
		"sa text -o out -q --json: suffixcl: no room": bad("echo suffixcl: no room >&2; exit 1"),
		"sa text -o out -q --json: exit status 3":     bad("exit 3"),
		"sa --json: invalid":                          bad("echo text"),
		"inputs of 10000 bytes: want 16384 or more":   bad("", "--size", "10000"),
		"no such file":                                    bad("", "--command", filepath.Join(dir, "missing")),
		"command version --json: exit status 4":           bad("", "--command", other("exit 4")),
		"version --json: invalid character":               bad("", "--command", other("echo text")),
		"cannot write " + filepath.Join("missing", "out"): bad("", "-o", filepath.Join("missing", "out")),
	} {
		assert.Equal(t, cli.ExitFailed, r.Code, want)
		assert.Contains(t, r.Errors, want)
	}
	assert.Equal(t, cli.ExitUsage, bad("", "--only", "fly").Code)
	assert.Equal(t, cli.ExitUsage, bad("", "--runs", "0").Code)
}

// Every verb is measured, or it is said that it is not.
func TestBenchVerbsHasAll(t *testing.T) {
	measured := slices.Clone(verbcases.Unmeasured)
	for _, c := range verbcases.All() {
		measured = append(measured, c.Verb)
	}
	for _, v := range gate.Verbs() {
		assert.Contains(t, measured, v.Name)
	}
}

func TestBenchCompareVerbs(t *testing.T) {
	dir := t.TempDir()
	save := func(name string, r verbsReport) {
		data, err := json.Marshal(r)
		require.NoError(t, err)
		clitest.Put(t, dir, name, data)
	}
	report := func(seconds map[string]float64, names ...string) verbsReport {
		r := verbsReport{Version: benchVersion, Library: "lib", Device: "fake", Driver: "7", Size: 1 << 20}
		for _, name := range names {
			r.Results = append(r.Results, verbRun{Case: name, Seconds: seconds[name], CPU: 2 * seconds[name]})
		}
		return r
	}
	before := report(map[string]float64{"sa": 1, "bwt": 2, "lcp": 1}, "sa", "bwt", "lcp")
	after := report(map[string]float64{"sa": 1.15, "bwt": 1, "gsa": 1}, "sa", "bwt", "gsa")
	after.Library = "other"
	save("old", before)
	save("new", after)
	out := clitest.Good(t, dir, "bench", "compare", "old", "new").Out
	assert.Regexp(t, `(?m)^sa +1\.000 +1\.150 +1\.15 +1\.15 *$`, out)
	assert.Regexp(t, `(?m)^lcp +1\.000 +- +-`, out)
	assert.Regexp(t, `(?m)^gsa +- +1\.000 +-`, out)
	assert.Contains(t, out, "new: other")

	slow := clitest.Run(t, dir, "bench", "compare", "old", "new", "--slower", "10")
	assert.Equal(t, cli.ExitVerify, slow.Code)
	assert.Contains(t, slow.Errors, "slower by 10 % or more: sa (1.15 times the time)")
	slow = clitest.Run(t, dir, "bench", "compare", "new", "old", "--json")
	assert.Equal(t, cli.ExitVerify, slow.Code)
	var compared struct{ Rows []comparedVerb }
	require.NoError(t, json.Unmarshal([]byte(slow.Out), &compared))
	assert.Contains(t, compared.Rows, comparedVerb{Case: "bwt", Old: 1, New: 2, Ratio: 2, CPU: 2, Slower: true})

	for name, damage := range map[string]func(*verbsReport){
		"device":  func(r *verbsReport) { r.Device = "another" },
		"size":    func(r *verbsReport) { r.Size *= 2 },
		"version": func(r *verbsReport) { r.Version++ },
		"none":    func(r *verbsReport) { r.Results = nil },
		"zero":    func(r *verbsReport) { r.Results = []verbRun{{Case: "sa"}} },
		"kind":    func(r *verbsReport) { r.Version = 0 },
	} {
		c := after
		damage(&c)
		save("bad", c)
		r := clitest.Run(t, dir, "bench", "compare", "old", "bad")
		assert.Equal(t, cli.ExitFailed, r.Code, name)
		assert.Contains(t, r.Errors, "bad: ", name)
	}
	for _, args := range [][]string{{"old"}, {"old", "new", "old"}, {"old", "new", "--plot", "x.png"}} {
		assert.Equal(t, cli.ExitUsage, clitest.Run(t, dir, append([]string{"bench", "compare"}, args...)...).Code)
	}
}
