package main

import (
	"os"
	"runtime"
	"testing"

	"github.com/stretchr/testify/require"
)

// script writes a program of the shell, and returns its name.
func script(t *testing.T, name, text string) string {
	if runtime.GOOS == "windows" {
		t.Skip("a shell script")
	}
	require.NoError(t, os.WriteFile(name, []byte("#!/bin/sh\n"+text), 0o755))
	return name
}
