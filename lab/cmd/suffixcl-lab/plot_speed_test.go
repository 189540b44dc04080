package main

import (
	"os"
	"runtime"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/suffixcl/suffixcl/internal/cli/clitest"
)

// The README's picture is what the command draws. Other processors may round its coordinates in another way.
func TestPlotSpeed(t *testing.T) {
	dir := t.TempDir()
	r := clitest.Good(t, dir, "plot", "speed", "-o", "speed.svg")
	assert.Empty(t, r.Out+r.Errors)
	drawn := clitest.Get(t, dir, "speed.svg")
	require.NoError(t, wellFormed(drawn))
	assert.Contains(t, string(drawn), "suffixcl, H200: mean")
	if runtime.GOARCH != "amd64" {
		return
	}
	committed, err := os.ReadFile("../../../docs/speed.svg")
	require.NoError(t, err)
	assert.Equal(t, string(committed), string(drawn), "draw it again: suffixcl-lab plot speed -o docs/speed.svg")
}
