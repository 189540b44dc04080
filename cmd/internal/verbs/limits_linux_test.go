package verbs

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/suffixcl/suffixcl/internal/cli"
	"github.com/suffixcl/suffixcl/internal/cli/clitest"
)

// A limit of the address space is one of memory. With less than this, Go itself does not start.
func TestAddressSpace(t *testing.T) {
	clitest.NeedDevice(t)
	dir := t.TempDir()
	clitest.Put(t, dir, "text", nil)
	require.NoError(t, os.Truncate(filepath.Join(dir, "text"), 512<<20))
	for _, kilobytes := range []string{"1800000", "2200000"} {
		c := exec.Command("sh", "-c", "ulimit -v "+kilobytes+"; exec "+clitest.Program()+" sa text -o out")
		c.Dir = dir
		r := clitest.Finish(t, c)
		assert.Equal(t, cli.ExitMemory, r.Code, r.Errors)
		assert.Equal(t, 1, strings.Count(r.Errors, "\n"), r.Errors)
	}
	assert.Equal(t, []string{"text"}, clitest.Files(t, dir))
}
