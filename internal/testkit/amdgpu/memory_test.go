package amdgpu

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Marks are of exactly the bytes that were written, and go along with a copy.
func TestMarks(t *testing.T) {
	written := func(b *buffer) (list []int) {
		for i := range b.data {
			if b.shadow[i>>2].written>>(i&3)&1 != 0 {
				list = append(list, i)
			}
		}
		return list
	}
	var s space
	for offset := range 13 {
		for n := range 14 - offset {
			b := s.allocate(13, true)
			b.mark(offset, n)
			var want []int
			for i := range n {
				want = append(want, offset+i)
			}
			assert.Equal(t, want, written(b), "%d bytes at %d", n, offset)

			c := s.allocate(20, true)
			c.mark(0, 20)
			c.copyMarks(3, b, 0, 13)
			assert.Len(t, written(c), 7+n)
		}
	}
}

// Where a kernel has no hidden argument for a size, the compiler reads it from the packet.
func TestDispatchPacket(t *testing.T) {
	each(t, Options{}, func(t *testing.T, d *Device) {
		out := make([]uint32, 6)
		require.NoError(t, run(t, d, `
			__kernel __attribute__((reqd_work_group_size(64, 1, 1))) void k(__global uint *out)
			{
			    __constant uint *packet = (__constant uint *)__builtin_amdgcn_dispatch_ptr();
			    __constant ushort *halves = (__constant ushort *)packet;
			    if (get_global_id(0) == 0) {
			        for (uint axis = 0; axis < 3; axis++) {
			            out[axis] = halves[2 + axis];
			            out[3 + axis] = packet[3 + axis];
			        }
			    }
			}`, 192, 64, out))
		require.Equal(t, []uint32{64, 1, 1, 192, 1, 1}, out)
	})
}

// A buffer that has been released holds no memory, whoever still has it, and is nowhere.
func TestReleased(t *testing.T) {
	var s space
	b, other := s.allocate(100, true), s.allocate(8, true)
	found, at := s.find(b.base+4, 8)
	require.Same(t, b, found)
	require.Equal(t, 4, at)
	s.release(b)
	assert.Nil(t, b.data)
	assert.Nil(t, b.shadow)
	assert.EqualValues(t, 8, s.bytes)
	assert.Panics(t, func() { s.find(b.base+4, 8) })
	found, _ = s.find(other.base, 8)
	assert.Same(t, other, found)
}
