package verbs

import (
	"bytes"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/suffixcl/suffixcl/internal/cli"
	"github.com/suffixcl/suffixcl/internal/cli/clitest"
)

// Where there is no room for the new index, or the process is killed, the old one stays as it was.
func TestPangenomeKeepsIndex(t *testing.T) {
	clitest.NeedDevice(t)
	dir := t.TempDir()
	genomesIn(t, dir)
	clitest.Good(t, dir, "pangenome", "build", "a.fa", "-o", "a.fmd", "-q")
	// The index with this genome has more than 64 KiB, at which files end.
	genome := randomDNA(rand.New(rand.NewPCG(62, 4)), 60_000)
	clitest.Put(t, dir, "large.fa", append([]byte(">large\n"), genome...))
	compile(t, dir, "pangenome", "append", "a.fmd", "large.fa")
	old, lengths := clitest.Get(t, dir, "a.fmd"), clitest.Get(t, dir, "a.fmd.len.gz")
	before := clitest.Files(t, dir)
	unchanged := func() {
		assert.Equal(t, old, clitest.Get(t, dir, "a.fmd"))
		assert.Equal(t, lengths, clitest.Get(t, dir, "a.fmd.len.gz"))
	}
	c := exec.Command("sh", "-c", "ulimit -f 64; exec "+clitest.Program()+" pangenome append a.fmd large.fa")
	c.Dir = dir
	r := clitest.Finish(t, c)
	assert.Equal(t, cli.ExitFailed, r.Code, r.Errors)
	assert.Contains(t, r.Errors, "cannot write a.fmd: file too large")
	unchanged()
	assert.Equal(t, before, clitest.Files(t, dir))
	if _, err := os.Stat("/dev/full"); err == nil {
		r := clitest.Run(t, dir, "pangenome", "append", "a.fmd", "b.fa.gz", "-o", "/dev/full")
		assert.Equal(t, cli.ExitFailed, r.Code)
		assert.Contains(t, r.Errors, "no space left on device")
		unchanged()
	}
	for _, wait := range []time.Duration{1, 200, 500, 700, 900} {
		c := clitest.Command(dir, "pangenome", "append", "a.fmd", "b.fa.gz")
		require.NoError(t, c.Start())
		time.Sleep(wait * time.Millisecond)
		_ = c.Process.Kill()
		if c.Wait(); !bytes.Equal(old, clitest.Get(t, dir, "a.fmd")) { // it was done, but for its end
			clitest.Good(t, dir, "pangenome", "verify", "a.fmd", "a.fa", "b.fa.gz")
			require.NoError(t, os.WriteFile(filepath.Join(dir, "a.fmd"), old, 0o666))
			require.NoError(t, os.WriteFile(filepath.Join(dir, "a.fmd.len.gz"), lengths, 0o666))
			continue
		}
		unchanged()
	}
}
