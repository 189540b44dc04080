// Package mpitest runs programs under the launchers of the MPI libraries that are installed.
package mpitest

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"os/exec"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/suffixcl/suffixcl/internal/testkit/mpirun"
	"github.com/suffixcl/suffixcl/internal/testkit/needed"
)

// Launcher is the mpirun of a library, for tests.
type Launcher struct{ mpirun.Launcher }

// Launchers are those that are installed. Without any the test is skipped; if REQUIRE_MPI is 1, one that is missing
// fails it. One that is missing beside another is a subtest that is skipped.
func Launchers(t *testing.T) (list []Launcher) {
	t.Helper()
	found, missing := mpirun.Installed()
	for _, l := range missing {
		if len(found) == 0 || os.Getenv("REQUIRE_MPI") == "1" {
			needed.Missing(t, "REQUIRE_MPI", l.Name, l.Package)
		}
		t.Run(l.Name, func(t *testing.T) { needed.Missing(t, "REQUIRE_MPI", l.Name, l.Package) })
	}
	for _, l := range found {
		list = append(list, Launcher{l})
	}
	return list
}

// Result of a run.
type Result struct {
	Code           int // exit code of the launcher
	Stdout, Stderr string
	Took           time.Duration
}

// Limit is the longest that a run may take, also on a simulator.
const Limit = 5 * time.Minute

// Soon is what "all ranks end soon" means: 10 s, and as much as ranks take to start and to be scheduled on processors
// that other targets of CI use, too.
const Soon = 30 * time.Second

// Run runs a program with its arguments as so many ranks, with variables added to the environment.
func (l Launcher) Run(t testing.TB, ranks int, env []string, program ...string) Result {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), Limit)
	defer cancel()
	c := l.Command(ctx, ranks, env, program...)
	var stdout, stderr bytes.Buffer
	c.Stdout = &stdout
	c.Stderr = io.MultiWriter(&stderr, os.Stderr) // what a driver writes there counts in `make oclgrind`
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
