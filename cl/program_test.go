package cl_test

import (
	"errors"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/suffixcl/suffixcl/cl"
)

func TestBuildFailure(t *testing.T) {
	eachDevice(t, func(t *testing.T, s *setup) {
		program, err := s.context.CreateProgramWithSource([]string{
			"__kernel void broken(__global uint *p) {\n", "\tp[0] = no_such_name;\n}\n",
		})
		require.NoError(t, err)
		defer program.Release()
		err = program.BuildProgram([]*cl.Device{s.device}, "-cl-std=CL1.2 -DX=1")
		var failure *cl.BuildError
		require.ErrorAs(t, err, &failure)
		require.ErrorIs(t, err, cl.BuildProgramFailure)
		require.ErrorContains(t, err, fmt.Sprintf("%q with options %q", s.device.Name(), "-cl-std=CL1.2 -DX=1"))
		require.Contains(t, failure.Log, "no_such_name")
		require.ErrorContains(t, err, failure.Log)

		_, err = program.Binary(s.device)
		require.Error(t, err)
		_, err = program.CreateKernel("broken")
		require.Error(t, err)
	})
}

func TestProgramArguments(t *testing.T) {
	eachDevice(t, func(t *testing.T, s *setup) {
		_, err := s.context.CreateProgramWithSource(nil)
		require.ErrorIs(t, err, cl.InvalidValue)
		_, err = s.context.CreateProgramWithBinary([]*cl.Device{s.device}, nil)
		require.ErrorIs(t, err, cl.InvalidValue)
		_, err = s.context.CreateProgramWithBinary([]*cl.Device{s.device}, [][]byte{{}})
		require.ErrorIs(t, err, cl.InvalidBinary)
		_, err = s.build(t, vectorAdd).Binary(nil)
		require.ErrorIs(t, err, cl.InvalidDevice)
	})
}

func TestUnknownKernel(t *testing.T) {
	eachDevice(t, func(t *testing.T, s *setup) {
		_, err := s.build(t, vectorAdd).CreateKernel("subtract")
		require.ErrorIs(t, err, cl.InvalidKernelName)
		require.ErrorContains(t, err, `"subtract"`)
	})
}

func TestBinaryRoundTrip(t *testing.T) {
	eachDevice(t, func(t *testing.T, s *setup) {
		binary, err := s.build(t, position).Binary(s.device)
		require.NoError(t, err)
		require.NotEmpty(t, binary)
		program, err := s.context.CreateProgramWithBinary([]*cl.Device{s.device}, [][]byte{binary})
		require.NoError(t, err)
		defer program.Release()
		require.NoError(t, program.BuildProgram(nil, ""))
		kernel, err := program.CreateKernel("position")
		require.NoError(t, err)
		defer kernel.Release()
		out := s.buffer(t, 16)
		require.NoError(t, kernel.SetArgs(out, uint32(4)))
		require.NoError(t, s.queue.EnqueueNDRangeKernelNoEvent(kernel, nil, []int{4}, nil, nil))
		require.Equal(t, []uint32{0, 1, 2, 3}, read[uint32](t, s, out, 4))
	})
}

// TestDamagedBinary accepts an error at any step; drivers differ in when they look.
func TestDamagedBinary(t *testing.T) {
	eachDevice(t, func(t *testing.T, s *setup) {
		s.skip(t, "rusticl", "aborts the process")
		program, err := s.context.CreateProgramWithBinary([]*cl.Device{s.device}, [][]byte{[]byte("this is not a program")})
		if err != nil {
			var refused *cl.Error
			require.True(t, errors.As(err, &refused))
			require.Equal(t, "clCreateProgramWithBinary", refused.Call)
			return
		}
		defer program.Release()
		err = program.BuildProgram(nil, "")
		if err == nil {
			_, err = program.CreateKernel("position")
		}
		require.Error(t, err)
	})
}
