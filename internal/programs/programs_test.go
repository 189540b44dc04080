package programs

import (
	"io/fs"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/internal/tune"
	"github.com/suffixcl/suffixcl/kernels"
)

func TestEveryKernelFileIsInAProgram(t *testing.T) {
	used := []string{"common.cl"}
	for _, set := range tune.Sets() {
		for _, src := range All(set) {
			used = append(used, src.Files...)
		}
	}
	files, err := fs.Glob(kernels.FS, "*.cl")
	require.NoError(t, err)
	for _, file := range files {
		assert.Contains(t, used, file, "no program of programs.All uses it: add the package's Sources to the list")
	}
}

func TestProgramsAreDistinctAndAssemble(t *testing.T) {
	for row, set := range tune.Sets() {
		var names, texts []string
		for _, src := range All(set) {
			text, err := device.Assemble(&device.Caps{SubgroupWidth: 1}, src)
			require.NoError(t, err)
			assert.NotContains(t, names, Name(src), "row %s: two programs of one name", row)
			assert.False(t, slices.Contains(texts, text), "row %s: %s is listed twice", row, Name(src))
			names, texts = append(names, Name(src)), append(texts, text)
		}
	}
}
