package needed

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// listener is a test that tells how it ended.
type listener struct {
	testing.TB
	skipped, failed string
}

func (l *listener) Helper() {}

func (l *listener) Skip(args ...any) {
	l.skipped = fmt.Sprint(args...)
	runtime.Goexit()
}

func (l *listener) Fatalf(format string, args ...any) {
	l.failed = fmt.Sprintf(format, args...)
	runtime.Goexit()
}

// of runs a test to its end.
func of(test func(testing.TB)) (l listener) {
	done := make(chan struct{})
	go func() {
		defer close(done)
		test(&l)
	}()
	<-done
	return l
}

// programIn makes a program that ends with a code, in a directory that is all of the path.
func programIn(t *testing.T, name, code string) string {
	if runtime.GOOS == "windows" {
		t.Skip("there is no POSIX shell")
	}
	dir := t.TempDir()
	path := filepath.Join(dir, name)
	require.NoError(t, os.WriteFile(path, []byte("#!/bin/sh\nexit "+code+"\n"), 0o777))
	t.Setenv("PATH", dir)
	return path
}

func TestProgram(t *testing.T) {
	path := programIn(t, "bwa", "0")
	assert.Equal(t, path, Program(t, "bwa"))
	t.Setenv("REQUIRE_GENOMICS", "")
	missing := func(t testing.TB) { Program(t, "bspatch") }
	assert.Equal(t, "no bspatch: apt-get install bsdiff", of(missing).skipped)
	t.Setenv("REQUIRE_GENOMICS", "1")
	assert.Equal(t, "REQUIRE_GENOMICS=1, and no bspatch: apt-get install bsdiff", of(missing).failed)
	assert.NotEmpty(t, of(func(t testing.TB) { Program(t, "unheard") }).failed)
}

// Debian's openmpi-bin has mpicc, and libopenmpi-dev has mpi.h.
func TestCompilerWithoutHeaders(t *testing.T) {
	t.Setenv("REQUIRE_CC", "")
	programIn(t, "mpicc.openmpi", "1")
	compiler := func(t testing.TB) { Compiler(t, "mpicc.openmpi") }
	assert.Equal(t, "no mpi.h of mpicc.openmpi: apt-get install libopenmpi-dev", of(compiler).skipped)
	path := programIn(t, "mpicc.openmpi", "0")
	assert.Equal(t, path, Compiler(t, "mpicc.openmpi"))
}

// Every compiler with headers, and every origin, is complete.
func TestOrigins(t *testing.T) {
	for name, from := range programs {
		assert.NotEmpty(t, from.pack, name)
	}
	for name := range headers {
		assert.Contains(t, programs, name)
	}
}
