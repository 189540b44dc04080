package kernellint

import (
	"regexp"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/internal/tuned"
	"github.com/suffixcl/suffixcl/kernels"
)

func TestKernels(t *testing.T) {
	problems, err := Check(kernels.FS, prologueMacros(t))
	require.NoError(t, err)
	for _, problem := range problems {
		t.Error(problem)
	}
}

// TestCheck: what files know of each other counts, and each rule is asked.
func TestCheck(t *testing.T) {
	problems, err := Check(fstest.MapFS{
		"add.cl": {Data: []byte("// add.cl: adds. One work-group.\nvoid add(uint n) { barrier(0); }")},
		"use.cl": {Data: []byte("// use.cl: uses it. One work-group.\n" +
			"void use(uint n) { if (n)\n add(n);\n return; }")},
		"vendor.cl": {Data: []byte("#if HAS_PTX\n#endif\nuint a = ITEMS;\n" +
			"__kernel void k(void) { return; barrier(0); }")},
		"notes.txt": {Data: []byte("__kernel")},
	}, []string{"HAS_PTX"})
	require.NoError(t, err)
	assert.Equal(t, []string{
		"use.cl:3: barrier (add) inside if",
		"vendor.cl:4: k returns before the barrier of line 4",
		"vendor.cl:4: __kernel: declare kernels through KERNEL_WG",
		"vendor.cl:3: ITEMS is used and not demanded: #ifndef ITEMS, #error \"ITEMS: what it is\"",
		"vendor.cl:1: starts with something else than \"// vendor.cl: \"",
		"vendor.cl:1: #if HAS_PTX: only common.cl tells vendors apart",
	}, problems)
}

// TestBarriersAreFound: some are in functions that a macro of common.cl defines.
func TestBarriersAreFound(t *testing.T) {
	files, err := read(kernels.FS)
	require.NoError(t, err)
	assert.Contains(t, newWorld(nil, files...).barriers, "wg_scan")
}

// prologueMacros are those that package device generates from the capabilities.
func prologueMacros(t *testing.T) []string {
	text, err := tuned.Assemble(&device.Caps{}, device.Source{})
	require.NoError(t, err)
	prologue, _, ok := strings.Cut(text, `"defines"`)
	require.True(t, ok)
	var names []string
	for _, m := range regexp.MustCompile(`(?m)^#define (\w+)`).FindAllStringSubmatch(prologue, -1) {
		names = append(names, m[1])
	}
	require.Contains(t, names, "IS_CPU")
	return names
}
