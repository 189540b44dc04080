package cl_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/suffixcl/suffixcl/cl"
)

func TestKernelArgInfo(t *testing.T) {
	const source = `
__kernel void kinds(__global const uint *restrict in, __constant ulong *table, __local uchar *tile, uint n,
	__global uint2 *out) {
	if (n) out[0].x = in[0] + (uint)table[0] + tile[0];
}`
	eachDevice(t, func(t *testing.T, s *setup) {
		program, err := s.context.CreateProgramWithSource([]string{source})
		require.NoError(t, err)
		defer program.Release()
		require.NoError(t, program.BuildProgram(nil, "-cl-std=CL1.2 -cl-kernel-arg-info"))
		kernel, err := program.CreateKernel("kinds")
		require.NoError(t, err)
		defer kernel.Release()
		for i, want := range []cl.KernelArgInfo{
			{"uint*", "in"},
			{"ulong*", "table"},
			{"uchar*", "tile"},
			{"uint", "n"},
			{"uint2*", "out"},
		} {
			got, err := kernel.GetKernelArgInfo(i)
			require.NoError(t, err)
			require.Equal(t, want, got)
		}
		for _, i := range []int{-1, 5} {
			_, err := kernel.GetKernelArgInfo(i)
			require.ErrorIs(t, err, cl.InvalidArgIndex)
			require.ErrorContains(t, err, `"kinds"`)
		}
	})
}

// What drivers say of a program built without the option differs, and is never wrong.
func TestKernelArgInfoWithoutOption(t *testing.T) {
	eachDevice(t, func(t *testing.T, s *setup) {
		got, err := s.kernel(t, vectorAdd, "add").GetKernelArgInfo(3)
		if err != nil {
			require.ErrorIs(t, err, cl.KernelArgInfoNotAvailable)
			return
		}
		require.Contains(t, []string{"n", ""}, got.Name)
	})
}
