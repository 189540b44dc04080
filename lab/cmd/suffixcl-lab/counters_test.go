package main

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/suffixcl/suffixcl/internal/cli"
	"github.com/suffixcl/suffixcl/internal/cli/clitest"
	"github.com/suffixcl/suffixcl/internal/testkit/amdcode/amdcodetest"
)

func TestCounters(t *testing.T) {
	dir := t.TempDir()
	clitest.Put(t, dir, "text", clitest.Prose(3000))
	amdcodetest.Compiler(t)
	for _, args := range [][]string{{"text", "--target", "gfx1"}, {"text", "--length", "0"}, {}} {
		assert.Equal(t, cli.ExitUsage, clitest.Run(t, dir, append([]string{"counters"}, args...)...).Code, args)
	}
	out := clitest.Good(t, dir, "counters", "text", "--length", "2000").Out
	for _, kernel := range []string{"radix_pass", "scan_tiles", "skew_small"} {
		assert.Contains(t, out, kernel)
	}
}
