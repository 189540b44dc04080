package main

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestReport(t *testing.T) {
	needDevice(t)
	dir := t.TempDir()
	put(t, dir, "text", prose(10000))
	r := good(t, dir, "bwt", "text", "-o", "out", "--json", "--profile")
	assert.Empty(t, r.errors)
	var report report
	require.NoError(t, json.Unmarshal([]byte(r.out), &report))
	_, primary := transform(prose(10000))
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
	r = good(t, dir, "sa", "text", "-o", "out", "--json", "--phases", "--algorithm", "skew")
	require.NoError(t, json.Unmarshal([]byte(r.out), &report))
	assert.Equal(t, "skew", report.Algorithm)
	var phases []string
	for _, p := range report.Phases {
		assert.Positive(t, p.Time)
		assert.Positive(t, p.Calls)
		phases = append(phases, p.Phase)
	}
	assert.Subset(t, phases, []string{"radix sort", "compute rank", "merge"})
	r = good(t, dir, "sa", "text", "-o", "out", "--phases", "--quiet", "--algorithm", "deo-keely")
	assert.Regexp(t, `phase +launches +ms +share`, r.errors)
	assert.NotContains(t, r.errors, "kernel")

	r = good(t, dir, "sa", "text", "-o", "out", "--profile", "--quiet", "--algorithm", "osipov")
	assert.Regexp(t, `phase +kernel +calls +ms +GB/s`, r.errors)
	assert.NotContains(t, r.errors, "suffixcl:")
	assert.Empty(t, good(t, dir, "sa", "text", "-o", "out", "--quiet").errors)
}
