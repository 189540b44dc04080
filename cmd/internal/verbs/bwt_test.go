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

// transform is the obvious Burrows-Wheeler transform.
func transform(text []byte) (rows []byte, primary int) {
	if len(text) == 0 {
		return rows, 0
	}
	rows = []byte{text[len(text)-1]}
	for i, p := range suffixArray(text) {
		if p == 0 {
			primary = i + 1
		} else {
			rows = append(rows, text[p-1])
		}
	}
	return rows, primary
}

func TestBWT(t *testing.T) {
	clitest.NeedDevice(t)
	for name, text := range map[string][]byte{"empty": {}, "one byte": {7}, "prose": clitest.Prose(3000)} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			clitest.Put(t, dir, "text", text)
			rows, primary := transform(text)
			number := fmt.Sprintf("%d\n", primary)

			r := clitest.Good(t, dir, "bwt", "text", "-o", "out")
			assert.Equal(t, number, r.Out)
			assert.Equal(t, number, string(clitest.Get(t, dir, "out.primary")))
			assert.True(t, bytes.Equal(rows, clitest.Get(t, dir, "out")))
			assert.Equal(t, []string{"out", "out.primary", "text"}, clitest.Files(t, dir))

			clitest.Good(t, dir, "sa", "text", "-o", "sa", "--quiet")
			r = clitest.Good(t, dir, "verify", "text", "sa", "--bwt", "out")
			assert.Contains(t, r.Out, "OK: sa is the suffix array and out the Burrows-Wheeler transform of text")
			require.NoError(t, os.Remove(filepath.Join(dir, "out.primary")))
			r = clitest.Run(t, dir, "verify", "text", "sa", "--bwt", "out")
			assert.Equal(t, cli.ExitFailed, r.Code)
			assert.Contains(t, r.Errors, "out.primary")
			clitest.Good(t, dir, "verify", "text", "sa", "--bwt", "out", "--primary", fmt.Sprint(primary))
		})
	}
}
