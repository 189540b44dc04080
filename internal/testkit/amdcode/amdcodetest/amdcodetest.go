// Package amdcodetest is for tests that need the compilers for AMD GPUs.
package amdcodetest

import (
	"os"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/suffixcl/suffixcl/internal/testkit/amdcode"
)

// Compiler returns the compiler for AMD GPUs. Without one the test is skipped, or fails if REQUIRE_AMDGATE is 1.
func Compiler(t testing.TB) amdcode.Compiler {
	t.Helper()
	found, err := amdcode.FindCompiler()
	if err != nil && os.Getenv("REQUIRE_AMDGATE") != "1" {
		t.Skip(err)
	}
	require.NoError(t, err)
	return found
}
