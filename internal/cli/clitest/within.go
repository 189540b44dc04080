package clitest

import (
	"bytes"
	"os"
	"slices"
	"testing"

	"github.com/spf13/cobra"
	"github.com/stretchr/testify/require"

	"github.com/suffixcl/suffixcl/internal/cli"
)

var (
	command     func() *cobra.Command // makes the command in this process; or nil
	environment []string              // when the tests began
	never       []string              // verbs that stand apart
	seen        = map[string]bool{}   // verbs that have run in a process of their own
)

// isWithin tells whether a run can be in this process. Drivers and libraries read the environment once. MPI starts once
// in a process. The first run of each verb shows that it needs nothing of this process.
func isWithin(args []string) bool {
	if command == nil || slices.Contains(args, "--mpi") || !slices.Equal(os.Environ(), environment) {
		return false
	}
	verb := ""
	if len(args) > 0 {
		verb = args[0]
	}
	if slices.Contains(never, verb) {
		return false
	}
	known := seen[verb]
	seen[verb] = true
	return known
}

// runWithin is Run in this process: in another directory, without input, and with pipes for what is written.
func runWithin(t *testing.T, dir string, args []string) Result {
	t.Helper()
	back, err := os.Getwd()
	require.NoError(t, err)
	require.NoError(t, os.Chdir(dir))
	defer func() { require.NoError(t, os.Chdir(back)) }()
	var out, errs bytes.Buffer
	take := func(to *bytes.Buffer) func([]byte) error {
		return func(written []byte) error {
			_, err := to.Write(written)
			return err
		}
	}
	code := cli.Within(t.Context(), command(), args, cli.Streams{Output: take(&out), Errors: take(&errs)})
	return Result{code, out.String(), errs.String()}
}
