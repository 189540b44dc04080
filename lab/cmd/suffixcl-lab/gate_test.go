package main

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/suffixcl/suffixcl/internal/testkit/gate"
	"github.com/suffixcl/suffixcl/internal/tuned"
	"github.com/suffixcl/suffixcl/lab/runner"
)

// Subjects are those of conformance.
func TestSubjectsOfVerbs(t *testing.T) {
	var known []string
	for _, s := range runner.Subjects() {
		known = append(known, s.Name)
	}
	for _, v := range gate.Verbs() {
		for _, s := range v.Subjects {
			assert.Contains(t, known, s, v.Name)
		}
	}
}

// The table of docs/conformance.md is that of the reports there, and has no cell that is wrong or was not run.
func TestVerbsTable(t *testing.T) {
	files, err := filepath.Glob("../../../docs/conformance/verbs/*.json")
	require.NoError(t, err)
	require.NotEmpty(t, files)
	var names []string
	var reports []*gate.Report
	for _, file := range files {
		data, err := os.ReadFile(file)
		require.NoError(t, err)
		r, err := gate.Parse(data)
		require.NoError(t, err, file)
		names, reports = append(names, strings.TrimSuffix(filepath.Base(file), ".json")), append(reports, r)
	}
	mark := func(library string) string { return runner.Marked(library, tuned.KernelDigest()) }
	table := gate.Markdown(names, reports, mark)
	page, err := os.ReadFile("../../../docs/conformance.md")
	require.NoError(t, err)
	const command = "suffixcl-lab gate table docs/conformance/verbs/*.json"
	_, rest, found := strings.Cut(string(page), "<!-- "+command+" -->\n")
	require.True(t, found)
	got, _, found := strings.Cut(rest, "\n<!-- end of the table -->")
	require.True(t, found)
	assert.Equal(t, strings.TrimSpace(table), strings.TrimSpace(got), "run bin/%s", command)
	assert.NotContains(t, table, string(gate.Wrong))
	var lacking []string
	for _, v := range gate.Verbs() {
		for _, r := range reports {
			if !slices.ContainsFunc(r.Cells, func(c gate.Cell) bool { return c.Verb == v.Name }) {
				lacking = append(lacking, v.Name)
			}
		}
	}
	assert.Equal(t, notYetOnGPU, lacking, "the next report of the gate on a GPU has them")
}

// notYetOnGPU are verbs that are newer than the newest report of the gate on a GPU.
var notYetOnGPU []string
