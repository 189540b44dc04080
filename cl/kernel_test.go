package cl_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/suffixcl/suffixcl/cl"
)

const vectorAdd = `
__kernel void add(__global const uint *a, __global const uint *b, __global uint *sum, uint n, ulong bias) {
	size_t i = get_global_id(0);
	if (i < n) sum[i] = a[i] + b[i] + (uint)bias;
}`

// reverse reverses each work-group's part through local memory.
const reverse = `
__kernel __attribute__((reqd_work_group_size(16, 1, 1)))
void reverse(__global uint *data, __local uint *tile) {
	uint i = get_local_id(0);
	tile[i] = data[get_global_id(0)];
	barrier(CLK_LOCAL_MEM_FENCE);
	data[get_global_id(0)] = tile[15 - i];
}`

const position = `
__kernel void position(__global uint *out, uint width) {
	out[get_global_id(1) * width + get_global_id(0)] = get_global_id(0) + 100 * get_global_id(1);
}`

const nullBuffer = `
__kernel void null_buffer(__global uint *out, __global uint *maybe) { out[0] = maybe == 0 ? 1 : 2; }`

const everyType = `
__kernel void every_type(__global long *out, char a, uchar b, short c, ushort d,
	int e, uint f, long g, ulong h, float i) {
	out[0] = a; out[1] = b; out[2] = c; out[3] = d; out[4] = e; out[5] = f; out[6] = g; out[7] = (long)h; out[8] = (long)i;
}`

func TestVectorAdd(t *testing.T) {
	eachDevice(t, func(t *testing.T, s *setup) {
		const n = 1000
		kernel := s.kernel(t, vectorAdd, "add")
		require.Equal(t, 5, kernel.NumArgs())
		sum := s.buffer(t, 4*n)
		a, b := filled(t, s, iota32(n, 0)), filled(t, s, iota32(n, 5))
		require.NoError(t, kernel.SetArgs(a, b, sum, uint32(n), uint64(1<<40+3)))

		event, err := s.queue.EnqueueNDRangeKernel(kernel, nil, []int{1024}, []int{16}, nil)
		require.NoError(t, err)
		require.NoError(t, event.Wait())
		event.Release()
		check := func(bias uint32) {
			for i, v := range read[uint32](t, s, sum, n) {
				require.Equal(t, 2*uint32(i)+5+bias, v)
			}
		}
		check(3)

		require.NoError(t, kernel.SetArg(4, uint64(10)))
		require.NoError(t, s.queue.EnqueueNDRangeKernelNoEvent(kernel, nil, []int{1024}, nil, nil))
		check(10)
	})
}

func TestLaunchGeometry(t *testing.T) {
	eachDevice(t, func(t *testing.T, s *setup) {
		const width, height = 12, 6
		kernel := s.kernel(t, position, "position")
		out := filled(t, s, make([]uint32, width*height))
		require.NoError(t, kernel.SetArg(0, out))
		require.NoError(t, kernel.SetArg(1, uint32(width)))
		require.NoError(t, s.queue.EnqueueNDRangeKernelNoEvent(kernel, []int{4, 2}, []int{8, 4}, []int{4, 2}, nil))
		for i, v := range read[uint32](t, s, out, width*height) {
			x, y := i%width, i/width
			want := uint32(0)
			if x >= 4 && y >= 2 {
				want = uint32(x + 100*y)
			}
			require.Equal(t, want, v, "%d, %d", x, y)
		}
	})
}

func TestLocalArgument(t *testing.T) {
	eachDevice(t, func(t *testing.T, s *setup) {
		kernel := s.kernel(t, reverse, "reverse")
		data := filled(t, s, iota32(32, 0))
		require.NoError(t, kernel.SetArgs(data, cl.LocalBuffer(64)))
		require.NoError(t, s.queue.EnqueueNDRangeKernelNoEvent(kernel, nil, []int{32}, []int{16}, nil))
		for i, v := range read[uint32](t, s, data, 32) {
			require.Equal(t, uint32(i^15), v)
		}
	})
}

func TestNullBuffer(t *testing.T) {
	eachDevice(t, func(t *testing.T, s *setup) {
		kernel := s.kernel(t, nullBuffer, "null_buffer")
		out := s.buffer(t, 4)
		for want, maybe := range []*cl.MemObject{1: nil, 2: s.buffer(t, 4)} {
			if want == 0 {
				continue
			}
			require.NoError(t, kernel.SetArgs(out, maybe))
			require.NoError(t, s.queue.EnqueueNDRangeKernelNoEvent(kernel, nil, []int{1}, nil, nil))
			require.Equal(t, uint32(want), read[uint32](t, s, out, 1)[0])
		}
	})
}

func TestArgumentTypes(t *testing.T) {
	eachDevice(t, func(t *testing.T, s *setup) {
		kernel := s.kernel(t, everyType, "every_type")
		out := s.buffer(t, 9*8)
		require.NoError(t, kernel.SetArgs(out, int8(-1), uint8(200), int16(-300), uint16(60000),
			int32(-70000), uint32(1<<31), int64(-1<<40), uint64(1<<50), float32(-2.5)))
		require.NoError(t, s.queue.EnqueueNDRangeKernelNoEvent(kernel, nil, []int{1}, nil, nil))
		require.Equal(t, []int64{-1, 200, -300, 60000, -70000, 1 << 31, -1 << 40, 1 << 50, -2}, read[int64](t, s, out, 9))
	})
}

func TestArgumentErrors(t *testing.T) {
	eachDevice(t, func(t *testing.T, s *setup) {
		kernel := s.kernel(t, vectorAdd, "add")
		for _, wrong := range []any{
			"text", 3, true, []uint32{1}, nil, new(uint32), [3]uint32{}, [1]int{}, [0]uint32{}, struct{ a uint32 }{},
		} {
			err := kernel.SetArg(3, wrong)
			require.ErrorIs(t, err, cl.InvalidArgValue)
			require.ErrorContains(t, err, `kernel "add"`)
			require.ErrorContains(t, err, "argument 3")
		}
		require.ErrorIs(t, kernel.SetArg(5, uint32(1)), cl.InvalidArgIndex)
		require.ErrorIs(t, kernel.SetArg(-1, uint32(1)), cl.InvalidArgIndex)
		require.ErrorContains(t, kernel.SetArgs(uint32(1)), "it takes 5 arguments, not 1")
		err := kernel.SetArg(3, uint64(1))
		require.ErrorIs(t, err, cl.InvalidArgSize)
		require.ErrorContains(t, err, "argument 3 of 8 bytes")

		buffer := s.buffer(t, 16)
		require.NoError(t, kernel.SetArg(0, buffer))
		err = s.queue.EnqueueNDRangeKernelNoEvent(kernel, nil, []int{1}, nil, nil)
		require.ErrorIs(t, err, cl.InvalidKernelArgs)
		require.ErrorContains(t, err, "argument 1 is not set (4 are missing)")
		require.NoError(t, kernel.SetArgs(buffer, buffer, buffer, uint32(0), uint64(0)))
		buffer.Release()
		err = s.queue.EnqueueNDRangeKernelNoEvent(kernel, nil, []int{1}, nil, nil)
		require.ErrorIs(t, err, cl.InvalidKernelArgs)
		require.ErrorContains(t, err, "released")
		require.ErrorIs(t, kernel.SetArg(0, buffer), cl.InvalidMemObject)
	})
}

func TestLaunchErrors(t *testing.T) {
	eachDevice(t, func(t *testing.T, s *setup) {
		free := s.kernel(t, vectorAdd, "add")
		buffer := s.buffer(t, 64)
		require.NoError(t, free.SetArgs(buffer, buffer, buffer, uint32(0), uint64(0)))
		fixed := s.kernel(t, reverse, "reverse")
		require.NoError(t, fixed.SetArgs(buffer, cl.LocalBuffer(64)))
		limit, err := free.WorkGroupSize(s.device)
		require.NoError(t, err)

		for _, test := range []struct {
			kernel                *cl.Kernel
			offset, global, local []int
			code                  cl.Code
		}{
			{free, nil, nil, nil, cl.InvalidWorkDimension},
			{free, nil, []int{1, 1, 1, 1}, nil, cl.InvalidWorkDimension},
			{free, nil, []int{16}, []int{4, 4}, cl.InvalidWorkDimension},
			{free, []int{0, 0}, []int{16}, []int{4}, cl.InvalidWorkDimension},
			{free, nil, []int{0}, nil, cl.InvalidGlobalWorkSize},
			{free, nil, []int{-16}, nil, cl.InvalidGlobalWorkSize},
			{free, []int{-1}, []int{16}, nil, cl.InvalidGlobalOffset},
			{free, nil, []int{16}, []int{0}, cl.InvalidWorkGroupSize},
			{free, nil, []int{17}, []int{4}, cl.InvalidWorkGroupSize},
			{free, nil, []int{4 * limit}, []int{2 * limit}, cl.InvalidWorkGroupSize},
			{fixed, nil, []int{64}, []int{32}, cl.InvalidWorkGroupSize},
			{fixed, nil, []int{64}, nil, cl.InvalidWorkGroupSize},
			{nil, nil, []int{64}, nil, cl.InvalidKernel},
		} {
			_, err := s.queue.EnqueueNDRangeKernel(test.kernel, test.offset, test.global, test.local, nil)
			require.ErrorIs(t, err, test.code, "%+v", test)
			require.ErrorContains(t, err, "clEnqueueNDRangeKernel")
		}
	})
}

func TestKernelInfo(t *testing.T) {
	eachDevice(t, func(t *testing.T, s *setup) {
		kernel := s.kernel(t, reverse, "reverse")
		size, err := kernel.WorkGroupSize(s.device)
		require.NoError(t, err)
		require.GreaterOrEqual(t, size, 16)
		fixed, err := kernel.CompileWorkGroupSize(s.device)
		require.NoError(t, err)
		require.Equal(t, [3]int{16, 1, 1}, fixed)
	})
}

func TestRequiredSizeIsAllowed(t *testing.T) {
	eachDevice(t, func(t *testing.T, s *setup) {
		kernel := s.kernel(t, `
__kernel __attribute__((reqd_work_group_size(128, 1, 1)))
void ids(__global uint *out) { out[get_global_id(0)] = get_local_id(0); }`, "ids")
		out := s.buffer(t, 4*256)
		require.NoError(t, kernel.SetArg(0, out))
		require.NoError(t, s.queue.EnqueueNDRangeKernelNoEvent(kernel, nil, []int{256}, []int{128}, nil))
		require.Equal(t, append(iota32(128, 0), iota32(128, 0)...), read[uint32](t, s, out, 256))
	})
}

func TestVectorArguments(t *testing.T) {
	eachDevice(t, func(t *testing.T, s *setup) {
		kernel := s.kernel(t, `
__kernel void pair(__global uint *out, uint2 p, uchar4 q) { out[0] = p.x; out[1] = p.y; out[2] = q.z; }`, "pair")
		out := s.buffer(t, 12)
		type word uint32
		require.NoError(t, kernel.SetArgs(out, [2]word{3, 4}, [4]uint8{5, 6, 7, 8}))
		require.NoError(t, s.queue.EnqueueNDRangeKernelNoEvent(kernel, nil, []int{1}, nil, nil))
		require.Equal(t, []uint32{3, 4, 7}, read[uint32](t, s, out, 3))
	})
}

// TestLaunchAllocations checks that setting arguments and launching leave the heap alone.
func TestLaunchAllocations(t *testing.T) {
	eachDevice(t, func(t *testing.T, s *setup) {
		kernel := s.kernel(t, vectorAdd, "add")
		buffer := s.buffer(t, 64)
		require.NoError(t, kernel.SetArgs(buffer, buffer, buffer, uint32(0), uint64(0)))
		allocations := testing.AllocsPerRun(20, func() {
			if err := kernel.SetArg(0, buffer); err != nil {
				t.Error(err)
			}
			if err := kernel.SetArg(3, uint32(0)); err != nil {
				t.Error(err)
			}
			if err := s.queue.EnqueueNDRangeKernelNoEvent(kernel, nil, []int{16}, []int{16}, nil); err != nil {
				t.Error(err)
			}
		})
		require.NoError(t, s.queue.Finish())
		require.Less(t, allocations, 2.0) // 0, but the race detector empties pools
	})
}

func BenchmarkLaunch(b *testing.B) {
	for _, device := range allDevices(b) {
		b.Run(device.Name(), func(b *testing.B) {
			s := newSetup(b, device)
			kernel := s.kernel(b, vectorAdd, "add")
			buffer := s.buffer(b, 64)
			require.NoError(b, kernel.SetArgs(buffer, buffer, buffer, uint32(0), uint64(0)))
			b.Run("SetArg", func(b *testing.B) {
				b.ReportAllocs()
				for b.Loop() {
					_ = kernel.SetArg(3, uint32(0))
				}
			})
			b.Run("NDRange", func(b *testing.B) {
				b.ReportAllocs()
				for b.Loop() {
					_ = s.queue.EnqueueNDRangeKernelNoEvent(kernel, nil, []int{16}, []int{16}, nil)
				}
				_ = s.queue.Finish()
			})
		})
	}
}
