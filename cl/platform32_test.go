package cl_test

import (
	"go/build"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// The file that ends the build is for platforms of 32 bits only. `make cross` reads its message.
func Test32Bits(t *testing.T) {
	for arch, want := range map[string]bool{
		"386": true, "arm": true, "mips": true, "mipsle": true, "wasm": true,
		"amd64": false, "arm64": false, "loong64": false, "ppc64le": false, "riscv64": false, "s390x": false,
	} {
		c := build.Default
		c.GOARCH = arch
		got, err := c.MatchFile(".", "platform32.go")
		require.NoError(t, err)
		assert.Equal(t, want, got, arch)
	}
}
