package main

import (
	"bytes"
	"encoding/json"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/suffixcl/suffixcl/internal/cli"
	"github.com/suffixcl/suffixcl/internal/cli/clitest"
	"github.com/suffixcl/suffixcl/internal/tuned"
	"github.com/suffixcl/suffixcl/lab/runner"
)

// putSummary writes a summary of a run and returns its name.
func putSummary(t *testing.T, dir, name string, infos ...runner.RunInfo) string {
	s := &runner.Summary{Version: runner.SummaryVersion}
	for _, info := range infos {
		s.Runs = append(s.Runs, &runner.RunSummary{RunInfo: info})
	}
	var b bytes.Buffer
	require.NoError(t, s.Write(&b))
	return clitest.Put(t, dir, name, b.Bytes())
}

// Of a file that has changed its users are told, and how to run them again; of the newest run, without a device.
func TestKernels(t *testing.T) {
	dir := t.TempDir()
	changed := tuned.KernelDigests()
	changed["duplicates_select.cl"], changed["distributed_names.cl"] = "0123456789ab", "0123456789ab"
	older := runner.RunInfo{Device: "A", Library: "v0 kernels 0123456789ab", Began: "2026-11-01T00:00:00Z"}
	newer := runner.RunInfo{Device: "A", Library: "v1 kernels 0123456789ab", Began: "2026-11-02T00:00:00Z",
		Kernels: changed}
	same := newer
	same.Kernels = tuned.KernelDigests()
	both := putSummary(t, dir, "both.json", newer, older)
	out := clitest.Good(t, dir, "kernels", "--since", both).Out
	for _, want := range []string{
		"A, v1 kernels 0123456789ab, 2026-11-02T00:00:00Z\n", "  duplicates_select.cl\n", "  distributed_names.cl\n",
		"\nverbs: dedup\n", "\nsuffixcl-lab conformance --quick --only 'duplicates'\n", "\nsuffixcl-lab gate --only verbs\n",
		"\nsuffixcl-lab gate --only suites    # distributed\n",
	} {
		assert.Contains(t, out, want)
	}
	assert.NotContains(t, out, "suffixsort")

	out = clitest.Good(t, dir, "kernels", "--since", putSummary(t, dir, "old.json", older)).Out
	assert.Contains(t, out, "all kernels: the report does not tell files apart\n")
	assert.Contains(t, out, "\nsuffixcl-lab gate\n")
	out = clitest.Good(t, dir, "kernels", "--since", putSummary(t, dir, "same.json", same)).Out
	assert.Contains(t, out, "\nno kernel file has changed\n")

	var r kernelsReport
	require.NoError(t, json.Unmarshal([]byte(clitest.Good(t, dir, "kernels", "--json").Out), &r))
	assert.True(t, r.ByFile)
	assert.Len(t, r.Files, len(changed))
	assert.Len(t, r.Subjects, len(runner.Subjects()))
	slices.Sort(r.Suites)
	assert.Equal(t, []string{"device", "distributed", "radixsort", "scan", "verify"}, r.Suites)
	of := func(file string) kernelFile {
		return r.Files[slices.IndexFunc(r.Files, func(f kernelFile) bool { return f.File == file })]
	}
	assert.Equal(t, kernelFile{"duplicates_select.cl", tuned.KernelDigests()["duplicates_select.cl"],
		[]string{"duplicates"}}, of("duplicates_select.cl"))
	scanned := of("segscan.cl")
	assert.Equal(t, []string{"suite of scan"}, scanned.users())

	for _, bad := range []string{putSummary(t, dir, "none.json"), "missing.json"} {
		r := clitest.Run(t, dir, "kernels", "--since", bad)
		assert.Equal(t, cli.ExitFailed, r.Code, bad)
		assert.Contains(t, r.Errors, bad)
	}
}
