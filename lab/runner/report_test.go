package runner

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/suffixcl/suffixcl/internal/testkit/amdgpu"
	"github.com/suffixcl/suffixcl/internal/testkit/harness"
	"github.com/suffixcl/suffixcl/internal/tuned"
)

// cellOf is a cell of a primitive.
func cellOf(subject, variant, class string, r Result) Cell {
	return Cell{Subject: subject, Kind: "primitive", Variant: variant, Class: class, Result: r, Seconds: 0.5}
}

func TestMergeAndParse(t *testing.T) {
	cell := func(subject string, r Result) Cell { return cellOf(subject, "native", "x", r) }
	a, b := RunInfo{Device: "A", Seed: 1}, RunInfo{Device: "B", Seed: 1}
	first := &Report{Version: Version, Runs: []*Run{{a, []Cell{cell("s", Failed), cell("t", Passed)}}}}
	second := &Report{Version: Version, Runs: []*Run{{a, []Cell{cell("s", Passed), cell("u", Passed)}}, {RunInfo: b}}}
	all := Merge(first, second)
	require.Len(t, all.Runs, 2)
	assert.Len(t, all.Runs[0].Cells, 3)
	assert.Equal(t, 1.5, all.Runs[0].Seconds)
	assert.Zero(t, all.Failures())
	assert.Equal(t, 1, first.Failures(), "what is merged stays as it is")
	assert.Contains(t, all.Summary().Markdown(""), "| 3 of 3 | 0 of 0 |")

	again, err := Parse([]byte(text(t, all.Write)))
	require.NoError(t, err)
	assert.Equal(t, all.Runs[0], again.Runs[0])
	for _, bad := range []string{
		"", "[]", "{}", `{"suffixcl_conformance":2,"runs":[]}`, `{"suffixcl_conformance":1,"runs":[null]}`,
	} {
		_, err := Parse([]byte(bad))
		assert.Error(t, err, bad)
		_, err = ParseSummary([]byte(bad))
		assert.Error(t, err, bad)
	}
}

// text is what a report or a summary writes.
func text(t *testing.T, write func(io.Writer) error) string {
	var b bytes.Buffer
	require.NoError(t, write(&b))
	return b.String()
}

// A summary has the counts, the speeds and each failure; written and read it stays the same.
func TestSummary(t *testing.T) {
	failure := cellOf("s", "tiny", "large", Failed)
	failure.Case, failure.Error = "large/n=7", "sa[0] = 1, want \"level\": 2"
	speed := cellOf("s", "native", classSpeed, Passed)
	speed.Speed = &Speed{Items: 1 << 20, Unit: "items", Seconds: 0.123456789, PerSecond: 8493465.2, GBps: 33.97386}
	info := RunInfo{Device: "A", Level: "quick", Seed: 1, Library: "lib", Seconds: 1.23456789}
	run := &Run{RunInfo: info, Cells: []Cell{
		cellOf("s", "native", "sizes", Passed), speed, cellOf("s", "tiny", "sizes", Passed), failure,
		cellOf("t", "tiny", "sizes", Passed),
	}}
	report := &Report{Version: Version, Runs: []*Run{run}}
	info.Seconds = 1.2346
	want := &RunSummary{RunInfo: info, Variants: []string{"native", "tiny"},
		Subjects: []SubjectSummary{
			{"s", "primitive", []int{2, 1}, []int{2, 2}, &Speed{1 << 20, "items", 0.12346, 8493500, 33.974}},
			{"t", "primitive", []int{0, 1}, []int{0, 1}, nil},
		}, Failures: []Cell{failure}}
	s := report.Summary()
	assert.Equal(t, []*RunSummary{want}, s.Runs)
	assert.Equal(t, 1, s.Failures())
	passed, all := s.Runs[0].Count("")
	assert.Equal(t, [2]int{4, 5}, [2]int{passed, all})

	written := text(t, s.Write)
	again, err := ParseSummary([]byte(written))
	require.NoError(t, err)
	assert.Equal(t, s, again)
	assert.Equal(t, 1, strings.Count(written, "\n{\"subject\":\"t\""), "a subject a line")
	assert.Equal(t, 1, strings.Count(written, "\n\"level\":"), "no break in a failure's text")
	ofReport, err := ParseSummary([]byte(text(t, report.Write)))
	require.NoError(t, err)
	assert.Equal(t, s, ofReport, "of a report the summary is made")

	_, err = Parse([]byte(written))
	require.ErrorIs(t, err, ErrSummary)
	for name, damage := range map[string][2]string{
		"version":            {`summary":1`, `summary":2`},
		"device":             {`"device":"A"`, `"device":""`},
		"fewer counts":       {`"passed":[2,1]`, `"passed":[2]`},
		"a failure denied":   {`"passed":[2,1]`, `"passed":[2,2]`},
		"a failure invented": {`"passed":[2,1]`, `"passed":[1,1]`},
		"less than nothing":  {`"passed":[0,1],"all":[0,1]`, `"passed":[-1,1],"all":[-1,1]`},
		"of no subject":      {`"failures":[`, `"failures":[{"subject":"u","result":"failed"},`},
	} {
		require.Contains(t, written, damage[0], name)
		_, err := ParseSummary([]byte(strings.Replace(written, damage[0], damage[1], 1)))
		assert.Error(t, err, name)
	}

	other := &Summary{Version: SummaryVersion, Runs: []*RunSummary{{RunInfo: RunInfo{Device: "B"}}}}
	joined, err := JoinSummaries(s, other)
	require.NoError(t, err)
	assert.Len(t, joined.Runs, 2)
	_, err = JoinSummaries(s, other, again)
	assert.ErrorContains(t, err, "two summaries of a run on A")
}

func FuzzParse(f *testing.F) {
	f.Add([]byte(`{"suffixcl_conformance":1,"runs":[{"device":"A",
		"cells":[{"subject":"s","variant":"v","result":"failed","error":"<"}]}]}`))
	f.Add([]byte(`{"suffixcl_conformance":1,"runs":[null]}`))
	f.Add([]byte(`{"suffixcl_conformance":1,"runs":[{"device":"A","cells":[
		{"subject":"copy","kind":"primitive","speed":{"items_per_s":1,"gb_per_s":1e-300}},
		{"subject":"s","kind":"sorter","speed":{"items_per_s":1.7976931348623157e308,"gb_per_s":1e300}},
		{"subject":"t","kind":"sorter","speed":{"items_per_s":5e-324,"gb_per_s":-1}}]}]}`))
	f.Add([]byte(`{"suffixcl_conformance_summary":1,"runs":[{"device":"A","variants":["v"],
		"subjects":[{"subject":"s","kind":"sorter","passed":[1],"all":[2]}],
		"failures":[{"subject":"s","kind":"sorter","variant":"v"}]}]}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		s, err := ParseSummary(data)
		if err != nil {
			return
		}
		again, err := ParseSummary([]byte(text(t, s.Write)))
		require.NoError(t, err)
		require.Equal(t, s.Markdown(""), again.Markdown(""))
		require.Equal(t, s.Failures(), again.Failures())
		r, err := Parse(data)
		if err != nil {
			return
		}
		var page bytes.Buffer
		require.NoError(t, Merge(r, r).Page(&page))
		require.Equal(t, Merge(r).Failures(), Merge(r, r).Failures())
		require.Equal(t, r.Failures(), s.Failures())
	})
}

// published are the summaries in docs/conformance, and their files.
func published(t *testing.T) (names []string, summaries []*Summary) {
	names, err := filepath.Glob("../../docs/conformance/*.json")
	require.NoError(t, err)
	require.NotEmpty(t, names)
	for _, name := range names {
		data, err := os.ReadFile(name)
		require.NoError(t, err)
		s, err := ParseSummary(data)
		require.NoError(t, err, name)
		summaries = append(summaries, s)
	}
	return names, summaries
}

// TestPublished: the repository keeps summaries as they are written, no reports, of subjects
// and variants that there are, each with its date and, but of a simulator, its speeds.
func TestPublished(t *testing.T) {
	kinds, variants := map[string]string{}, map[string]bool{}
	for _, s := range Subjects() {
		kinds[s.Name] = s.Kind
	}
	for _, v := range harness.Known() {
		variants[v.Name] = true
	}
	names, summaries := published(t)
	for i, name := range names {
		data, err := os.ReadFile(name)
		require.NoError(t, err)
		assert.Equal(t, text(t, summaries[i].Write), string(data), "%s: make it with conformance merge --summary", name)
		measured := map[string]int{} // subjects with a speed: those of a device's first run, of the others maybe none
		for _, run := range summaries[i].Runs {
			_, err := time.Parse(time.RFC3339, run.Began)
			assert.NoError(t, err, name)
			assert.Positive(t, run.Seconds, name)
			assert.Contains(t, Levels, run.Level, name)
			for _, v := range run.Variants {
				assert.True(t, variants[v], "%s: %s", name, v)
			}
			for _, s := range run.Subjects {
				assert.Equal(t, kinds[s.Subject], s.Kind, "%s: %s", name, s.Subject)
			}
			if !strings.Contains(run.Platform, "Oclgrind") && run.Platform != amdgpu.Platform {
				device := run.Platform + " " + run.Device
				measured[device] = max(measured[device], len(run.Measured()))
			}
		}
		for device, n := range measured {
			assert.GreaterOrEqual(t, n, 20, "%s: %s", name, device)
		}
	}
}

// TestTable: the table of docs/conformance.md is that of the summaries next to it.
func TestTable(t *testing.T) {
	_, summaries := published(t)
	all, err := JoinSummaries(summaries...)
	require.NoError(t, err)
	page, err := os.ReadFile("../../docs/conformance.md")
	require.NoError(t, err)
	const command = "suffixcl-lab conformance merge --markdown docs/conformance/*.json"
	_, rest, found := strings.Cut(string(page), "<!-- "+command+" -->\n")
	require.True(t, found)
	got, _, _ := strings.Cut(rest, "\n\n")
	assert.Equal(t, strings.TrimSpace(all.Markdown(tuned.KernelDigest())), got, "run bin/%s", command)
}
