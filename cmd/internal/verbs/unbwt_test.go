package verbs

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/suffixcl/suffixcl/internal/cli"
	"github.com/suffixcl/suffixcl/internal/cli/clitest"
)

func TestUnBWT(t *testing.T) {
	clitest.NeedDevice(t)
	for name, text := range map[string][]byte{"empty": {}, "one byte": {7}, "prose": clitest.Prose(3000)} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			rows, primary := transform(text)
			clitest.Put(t, dir, "bwt", rows)
			clitest.Put(t, dir, "bwt.primary", fmt.Appendln(nil, primary))
			r := clitest.Good(t, dir, "unbwt", "bwt", "-o", "text")
			assert.Empty(t, r.Out)
			assert.True(t, bytes.Equal(text, clitest.Get(t, dir, "text")))
			c := clitest.Command(dir, "unbwt", "-", "-o", "-", "--primary", fmt.Sprint(primary))
			c.Stdin = bytes.NewReader(rows)
			r = clitest.Finish(t, c)
			assert.Equal(t, cli.ExitDone, r.Code, r.Errors)
			assert.True(t, string(text) == r.Out)

			r = clitest.Run(t, dir, "unbwt", "bwt", "-o", "out", "--primary", fmt.Sprint(len(text)+1))
			assert.Equal(t, cli.ExitVerify, r.Code)
			assert.Contains(t, r.Errors, "has no primary index")
			require.NoError(t, os.Remove(filepath.Join(dir, "bwt.primary")))
			r = clitest.Run(t, dir, "unbwt", "bwt", "-o", "out")
			assert.Equal(t, cli.ExitFailed, r.Code)
			assert.Contains(t, r.Errors, "bwt.primary")
			assert.Equal(t, []string{"bwt", "text"}, clitest.Files(t, dir))
		})
	}
	dir := t.TempDir()
	clitest.Put(t, dir, "bwt", bytes.Repeat([]byte("a"), 1000))
	r := clitest.Run(t, dir, "unbwt", "bwt", "-o", "out", "--primary", "500")
	assert.Equal(t, cli.ExitVerify, r.Code)
	assert.Contains(t, r.Errors, "that of no text")
	// It may look like an archive.
	clitest.Put(t, dir, "gz", gzipped(t, nil))
	r = clitest.Run(t, dir, "unbwt", "gz", "-o", "out", "--primary", "1")
	assert.NotContains(t, r.Errors, "decompressing")
	assert.Equal(t, []string{"bwt", "gz"}, clitest.Files(t, dir))
}
