package main

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/suffixcl/suffixcl/internal/cli"
	"github.com/suffixcl/suffixcl/internal/cli/clitest"
	"github.com/suffixcl/suffixcl/internal/testkit/amdcode/amdcodetest"
	"github.com/suffixcl/suffixcl/internal/tune"
)

func TestTiles(t *testing.T) {
	dir := t.TempDir()
	amdcodetest.Compiler(t)
	for _, args := range [][]string{{"--target", "gfx1"}, {"--items", "0"}, {"--only", "nothing"}, {"operand"}} {
		assert.Equal(t, cli.ExitUsage, clitest.Run(t, dir, append([]string{"tiles"}, args...)...).Code, args)
	}
	out := clitest.Good(t, dir, "tiles", "--only", "merge u64,reduce u64", "--items", "3000", "--target", "gfx1030").Out
	assert.Regexp(t, `merge u64 +256x\d+\* `, out)
	assert.Regexp(t, `reduce u64/u64 +256x3 `, out)
}

// The paths are those of parameters.
func TestTileCases(t *testing.T) {
	var set tune.Set
	for _, c := range tileCases() {
		assert.NotNil(t, set.Param(c.wg), c.wg)
		assert.NotNil(t, set.Param(c.items), c.items)
	}
}
