package harness

import (
	"io/fs"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/suffixcl/suffixcl/kernels"
)

func TestFillLocal(t *testing.T) {
	for text, want := range map[string]string{
		"__local uint a;": "__local uint a; FILL_LOCAL(a) barrier(CLK_LOCAL_MEM_FENCE);",
		"__local T a[4][W], b, c[2];": "__local T a[4][W], b, c[2]; FILL_LOCAL(a) FILL_LOCAL(b) FILL_LOCAL(c) " +
			"barrier(CLK_LOCAL_MEM_FENCE);",
		"__local uint *a = b;":             "__local uint *a = b;",
		"void f(__local uint *a, uint b);": "void f(__local uint *a, uint b);",
	} {
		define, got, _ := strings.Cut(fillLocal(text, "i_ + 1"), "\n")
		assert.Equal(t, want, got)
		assert.Contains(t, define, "(uchar)(i_ + 1)")
	}
}

// TestLocalArrays: no declaration of a kernel is left out.
func TestLocalArrays(t *testing.T) {
	files, err := fs.Glob(kernels.FS, "*.cl")
	require.NoError(t, err)
	declaration := regexp.MustCompile(`__local\s+(const\s+)?\w+\s+\w+\s*[\[,;]`)
	for _, file := range files {
		text, err := fs.ReadFile(kernels.FS, file)
		require.NoError(t, err)
		all := len(declaration.FindAllIndex(text, -1))
		assert.Len(t, localArrays.FindAllIndex(text, -1), all, file)
	}
}
