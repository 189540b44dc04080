package cl

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/suffixcl/suffixcl/internal/hooks"
)

// A table in Go has to have every function, and what it says of a failure is in the error.
func TestNativeLibrary(t *testing.T) {
	_, err := nativeLibrary(hooks.Functions{})
	require.ErrorIs(t, err, ErrNoLibrary)
	require.ErrorContains(t, err, "clGetPlatformIDs")

	fail := func([]uintptr) (uintptr, string) { return uintptr(0xfffffffb), "the reason" }
	table := make(hooks.Functions)
	for _, f := range functions {
		table[f.name] = fail
	}
	lib, err := nativeLibrary(table)
	require.NoError(t, err)
	defer loaded.Store(loaded.Swap(lib))
	err = invoke(clFinish, 1)
	require.ErrorIs(t, err, OutOfResources)
	require.ErrorContains(t, err, "the reason")
}
