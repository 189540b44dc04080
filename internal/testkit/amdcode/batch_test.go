package amdcode_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/suffixcl/suffixcl/internal/testkit/amdcode"
	"github.com/suffixcl/suffixcl/internal/testkit/amdcode/amdcodetest"
)

// What is compiled together, with less of OpenCL's library, has the instructions of what is compiled by itself.
func TestObjects(t *testing.T) {
	c := amdcodetest.Compiler(t)
	reduced, err := c.Reduced(t.Context(), t.TempDir())
	require.NoError(t, err)
	texts := []string{
		`__kernel void first(__global uint *p) { p[get_global_id(0)] = popcount(p[get_local_id(0)]); }`,
		`__kernel void second(__global ulong *p, __global volatile uint *q) {
			p[get_group_id(0)] = clz(max(p[1], p[2])) + vload4(0, p).y;
			barrier(CLK_GLOBAL_MEM_FENCE);
			atomic_add(q, 1);
		}`,
	}
	for _, target := range amdcode.Targets() {
		objects, err := reduced.Objects(t.Context(), texts, target)
		require.NoError(t, err)
		for i, text := range texts {
			kernels, err := amdcode.ReadObject(objects[i])
			require.NoError(t, err)
			code, err := c.Compile(t.Context(), text, target)
			require.NoError(t, err)
			want, err := amdcode.ReadKernels(code)
			require.NoError(t, err)
			want[0].Descriptor = amdcode.Descriptor{}
			assert.Equal(t, want, kernels)
			assert.Equal(t, code, linked(t, objects[i]), target.Name)
		}
	}

	objects, err := reduced.Objects(t.Context(), []string{`float f(float); __kernel void k(__global float *p) {
		p[0] = f(p[1]); }`}, amdcode.Targets()[0])
	require.NoError(t, err)
	_, err = amdcode.ReadObject(objects[0])
	assert.ErrorContains(t, err, "undefined symbol: f")

	_, err = reduced.Objects(t.Context(), []string{texts[0], "#line 7 \"bad.cl\"\nnothing"}, amdcode.Targets()[0])
	assert.ErrorContains(t, err, "bad.cl:7:")
}

func linked(t *testing.T, object []byte) []byte {
	name, out := filepath.Join(t.TempDir(), "program.o"), filepath.Join(t.TempDir(), "program.co")
	require.NoError(t, os.WriteFile(name, object, 0o600))
	require.NoError(t, exec.Command("ld.lld-19", "-shared", "--no-undefined", "-o", out, name).Run())
	code, err := os.ReadFile(out)
	require.NoError(t, err)
	return code
}
