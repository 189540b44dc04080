package verbs

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/suffixcl/suffixcl/cmd/internal/report"
	"github.com/suffixcl/suffixcl/internal/cli/clitest"
)

func TestReport(t *testing.T) {
	clitest.NeedDevice(t)
	dir := t.TempDir()
	clitest.Put(t, dir, "text", clitest.Prose(10000))
	r := clitest.Good(t, dir, "bwt", "text", "-o", "out", "--json", "--profile")
	assert.Empty(t, r.Errors)
	var report report.Report
	require.NoError(t, json.Unmarshal([]byte(r.Out), &report))
	_, primary := transform(clitest.Prose(10000))
	require.NotNil(t, report.Primary)
	assert.Equal(t, primary, *report.Primary)
	assert.Equal(t, "bwt", report.Verb)
	assert.Equal(t, "text", report.File)
	assert.Equal(t, "out", report.Output)
	assert.Equal(t, 10000, report.Bytes)
	assert.NotEmpty(t, report.Device)
	assert.Positive(t, report.Seconds.Compute)
	assert.GreaterOrEqual(t, report.Seconds.Total, report.Seconds.Compute)
	assert.Positive(t, report.Rates.Device)
	assert.Positive(t, report.PeakBytes)
	require.NotEmpty(t, report.Profile)
	for _, k := range report.Profile {
		assert.NotEmpty(t, k.Kernel)
		assert.Positive(t, k.Calls)
	}

	require.Empty(t, report.Phases)
	r = clitest.Good(t, dir, "sa", "text", "-o", "out", "--json", "--phases", "--algorithm", "skew")
	require.NoError(t, json.Unmarshal([]byte(r.Out), &report))
	assert.Equal(t, "skew", report.Algorithm)
	var phases []string
	for _, p := range report.Phases {
		assert.Positive(t, p.Time)
		assert.Positive(t, p.Calls)
		phases = append(phases, p.Phase)
	}
	assert.Subset(t, phases, []string{"radix sort", "compute rank", "merge"})
	r = clitest.Good(t, dir, "sa", "text", "-o", "out", "--phases", "--quiet", "--algorithm", "deo-keely")
	assert.Regexp(t, `stage +ms +of all\n +open +\d.*%`, r.Errors)
	assert.Regexp(t, `phase +launches +ms +share`, r.Errors)
	assert.NotContains(t, r.Errors, "kernel")

	r = clitest.Good(t, dir, "sa", "text", "-o", "out", "--profile", "--quiet", "--algorithm", "osipov")
	assert.Regexp(t, `phase +kernel +calls +ms +GB/s`, r.Errors)
	assert.NotContains(t, r.Errors, "suffixcl:")
	assert.Empty(t, clitest.Good(t, dir, "sa", "text", "-o", "out", "--quiet").Errors)
}
