package programs

import (
	"io/fs"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/internal/tune"
	"github.com/suffixcl/suffixcl/internal/tuned"
	"github.com/suffixcl/suffixcl/kernels"
)

// each calls f with the programs of every tuning row, on a device that can do everything.
func each(t *testing.T, f func(row string, c device.Caps, all []device.Source)) {
	for row, set := range tune.Sets() {
		c := device.Caps{
			CPUShape: set.Map.WG == 1, SubgroupWidth: 1, ComputeUnits: 100,
			ForwardProgress: true, Int64Atomics: true,
		}
		tuned.Quirks(&c).LongLoops = true
		all, err := All(c, set)
		require.NoError(t, err, row)
		f(row, c, all)
	}
}

func TestEveryKernelFileIsInAProgram(t *testing.T) {
	used := []string{"common.cl"}
	each(t, func(_ string, _ device.Caps, all []device.Source) {
		for _, src := range all {
			used = append(used, src.Files...)
		}
	})
	files, err := fs.Glob(kernels.FS, "*.cl")
	require.NoError(t, err)
	for _, file := range files {
		assert.Contains(t, used, file, "no program of programs.All uses it: plan there what does")
	}
}

func TestProgramsAreDistinctAndAssemble(t *testing.T) {
	each(t, func(row string, c device.Caps, all []device.Source) {
		var names, texts []string
		for _, src := range all {
			text, err := tuned.Assemble(&c, src)
			require.NoError(t, err)
			assert.NotContains(t, names, Name(src), "row %s: two programs of one name", row)
			assert.False(t, slices.Contains(texts, text), "row %s: %s is listed twice", row, Name(src))
			names, texts = append(names, Name(src)), append(texts, text)
		}
	})
}
