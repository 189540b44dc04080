package clitest

import (
	"bytes"
	"io"
	"os"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
)

var (
	command     func(args []string) int // the command in this process, or nil
	environment []string                // when the tests began
	never       []string                // verbs that stand apart
	seen        = map[string]bool{}     // verbs that have run in a process of their own
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
	none, err := os.Open(os.DevNull)
	require.NoError(t, err)
	defer none.Close()
	stdin, stdout, stderr := os.Stdin, os.Stdout, os.Stderr
	defer func() { os.Stdin, os.Stdout, os.Stderr = stdin, stdout, stderr }()
	defer heedFileSizeSignal()

	os.Stdin = none
	var out, errs bytes.Buffer
	finishOut, finishErrs := capture(t, &os.Stdout, &out), capture(t, &os.Stderr, &errs)
	code := command(args)
	finishOut()
	finishErrs()
	return Result{code, out.String(), errs.String()}
}

// capture has a buffer take what is written to a file of this process. The function that it returns ends that.
func capture(t *testing.T, file **os.File, to *bytes.Buffer) (finish func()) {
	t.Helper()
	r, w, err := os.Pipe()
	require.NoError(t, err)
	*file = w
	done := make(chan struct{})
	go func() {
		_, _ = io.Copy(to, r)
		close(done)
	}()
	return func() {
		w.Close() // the command may have done so
		<-done
		r.Close()
	}
}
