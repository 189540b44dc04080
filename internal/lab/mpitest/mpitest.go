// Package mpitest runs programs under the launchers of the MPI libraries that are installed.
package mpitest

import (
	"bytes"
	"context"
	"errors"
	"os"
	"os/exec"
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// Launcher is the mpirun of a library.
type Launcher struct {
	Name     string // "Open MPI" or "MPICH"
	Compiler string // the command of the library's C compiler, which need not be installed
	Fortran  string // that for Fortran
	path     string
	args     []string
	env      []string
}

// families are the launchers looked for; where the distribution has no name of its own for one, mpirun may be any.
var families = []struct {
	Launcher
	names []string
}{
	{Launcher{
		Name: "Open MPI", Compiler: "mpicc.openmpi", Fortran: "mpifort.openmpi",
		args: []string{"--oversubscribe", "--bind-to", "none"},
		env:  []string{"OMPI_ALLOW_RUN_AS_ROOT=1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1"},
	}, []string{"mpirun.openmpi"}},
	{Launcher{
		Name: "MPICH", Compiler: "mpicc.mpich", Fortran: "mpifort.mpich",
	}, []string{"mpirun.mpich", "mpiexec.hydra"}},
}

// Launchers are those that are installed. Without any the test is skipped; if REQUIRE_MPI is 1, one that is missing
// fails it.
func Launchers(t testing.TB) []Launcher {
	t.Helper()
	var found []Launcher
	for _, f := range families {
		for _, name := range f.names {
			if path, err := exec.LookPath(name); err == nil {
				f.path = path
				found = append(found, f.Launcher)
				break
			}
		}
		if f.path == "" && os.Getenv("REQUIRE_MPI") == "1" {
			require.Failf(t, "no launcher", "%s: none of %v is installed", f.Name, f.names)
		}
	}
	if len(found) == 0 {
		t.Skip("no MPI library is installed")
	}
	return found
}

// Result of a run.
type Result struct {
	Code           int // exit code of the launcher
	Stdout, Stderr string
	Took           time.Duration
}

// Limit is the longest that a run may take.
const Limit = time.Minute

// Run runs a program with its arguments as so many ranks, with variables added to the environment.
func (l Launcher) Run(t testing.TB, ranks int, env []string, program ...string) Result {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), Limit)
	defer cancel()
	c := l.Command(ctx, ranks, env, program...)
	var stdout, stderr bytes.Buffer
	c.Stdout, c.Stderr = &stdout, &stderr
	began := time.Now()
	err := c.Run()
	r := Result{Stdout: stdout.String(), Stderr: stderr.String(), Took: time.Since(began)}
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		r.Code = exit.ExitCode()
		require.NoError(t, ctx.Err(), "%d ranks under %s did not end\n%s", ranks, l.Name, &stderr)
	} else {
		require.NoError(t, err)
	}
	return r
}

// Command is the command of Run. Killing it ends the launcher, which ends the ranks.
func (l Launcher) Command(ctx context.Context, ranks int, env []string, program ...string) *exec.Cmd {
	args := append([]string{"-np", strconv.Itoa(ranks)}, l.args...)
	c := exec.CommandContext(ctx, l.path, append(args, program...)...)
	c.Env = append(append(os.Environ(), l.env...), env...)
	c.Cancel = func() error { return c.Process.Signal(os.Interrupt) }
	c.WaitDelay = 10 * time.Second
	return c
}
