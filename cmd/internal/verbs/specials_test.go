package verbs

import (
	"bytes"
	"encoding/json"
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/suffixcl/suffixcl/cmd/internal/verb"
	"github.com/suffixcl/suffixcl/internal/cli"
	"github.com/suffixcl/suffixcl/internal/cli/clitest"
)

// An array of a text with specials is the same in ranges, where that is asked for or memory is short, and is verified
// part by part.
func TestSpecialsOfAnyLength(t *testing.T) {
	clitest.NeedDevice(t)
	dir := t.TempDir()
	text := bytes.Repeat([]byte("acgtnacgttgcannnnnncgat\n"), 3000)
	for i := range text {
		if text[i] != '\n' && i%7 == 0 {
			text[i] = "acgtn"[i*i/11%5]
		}
	}
	clitest.Put(t, dir, "text", text)
	order := []string{"--order", "specials-largest", "--letters", "acgt", "--width", "5"}
	sa := func(out string, args ...string) clitest.Result {
		return clitest.Good(t, dir, append(append([]string{"sa", "text", "-o", out, "--json"}, order...), args...)...)
	}
	assert.NotContains(t, sa("whole").Out, `"algorithm": "ranges"`)
	assert.Contains(t, sa("ranges", "--algorithm", "ranges").Out, `"algorithm": "ranges"`)
	for k, limit := range []string{"720K", "900K"} {
		name := fmt.Sprint("small", k)
		assert.Contains(t, sa(name, "--max-mem", limit).Out, `"algorithm": "ranges"`, limit)
		assert.Equal(t, clitest.Get(t, dir, "whole"), clitest.Get(t, dir, name))
		var p verb.PlanReport
		plan := clitest.Good(t, dir, append([]string{"plan", "sa", "text", "--json", "--max-mem", limit}, order...)...)
		require.NoError(t, json.Unmarshal([]byte(plan.Out), &p))
		assert.Positive(t, p.Ranges, limit)
	}
	assert.Equal(t, clitest.Get(t, dir, "whole"), clitest.Get(t, dir, "ranges"))
	for _, limit := range []string{"400K", "1G"} {
		verify := append([]string{"verify", "text", "ranges", "--max-mem", limit}, order...)
		clitest.Good(t, dir, verify...)
		clitest.Good(t, dir, append([]string{"plan"}, verify...)...)
	}
	wrong := bytes.Clone(clitest.Get(t, dir, "ranges"))
	copy(wrong[5000:5005], wrong[:5])
	clitest.Put(t, dir, "ranges", wrong)
	r := clitest.Run(t, dir, append([]string{"verify", "text", "ranges", "--max-mem", "400K"}, order...)...)
	assert.Equal(t, cli.ExitVerify, r.Code, r.Errors)
	r = clitest.Run(t, dir, append([]string{"sa", "text", "-o", "x", "--resume", "kept"}, order...)...)
	assert.Equal(t, cli.ExitUsage, r.Code, r.Errors)
}
