//go:build unix

package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/suffixcl/suffixcl/internal/cli"
	"github.com/suffixcl/suffixcl/internal/cli/clitest"
	"github.com/suffixcl/suffixcl/lab/runner"
)

// A signal to the whole group of processes, as terminals and service managers send it, fails no cell: what
// was not done is left to --resume.
func TestInterruptGroup(t *testing.T) {
	clitest.NeedDevice(t)
	for _, sent := range []syscall.Signal{syscall.SIGINT, syscall.SIGTERM} {
		dir := t.TempDir()
		c := clitest.Command(dir, "conformance", "--device", "auto", "--only", "skew", "-o", "r.json", "-q")
		require.NoError(t, c.Start())
		require.Eventually(t, func() bool { // something is done
			_, err := os.Stat(filepath.Join(dir, "r.json"))
			return err == nil
		}, time.Minute, 10*time.Millisecond)
		lists, err := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/children", c.Process.Pid))
		require.NoError(t, err)
		for _, list := range lists { // those first, who might tell before the parent knows
			pids, _ := os.ReadFile(list)
			for _, pid := range strings.Fields(string(pids)) {
				child, err := strconv.Atoi(pid)
				require.NoError(t, err)
				require.NoError(t, syscall.Kill(child, sent))
			}
		}
		time.Sleep(200 * time.Millisecond)
		require.NoError(t, c.Process.Signal(sent))
		c.Wait()
		assert.Equal(t, cli.ExitInterrupted, c.ProcessState.ExitCode())
		r, err := runner.Parse(clitest.Get(t, dir, "r.json"))
		require.NoError(t, err)
		require.NotEmpty(t, r.Runs[0].Cells)
		for _, cell := range r.Runs[0].Cells {
			assert.Equal(t, runner.Passed, cell.Result, "%s: %s", cell.Class, cell.Error)
		}
	}
}
