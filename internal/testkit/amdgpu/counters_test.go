package amdgpu

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Words that are neighbours lie in few lines and in different banks; those 32 words apart do not.
func TestCounters(t *testing.T) {
	const source = fixed + `void k(__global const uint *x, __global uint *r, __local uint *t, uint stride)
{
    const uint i = get_local_id(0);
    t[i * stride % 8192] = x[i * stride % 8192];
    barrier(CLK_LOCAL_MEM_FENCE);
    r[i] = t[i * stride % 8192];
}`
	each(t, Options{Count: true}, func(t *testing.T, d *Device) {
		count := func(stride uint32) Counters {
			m := d.m
			before := len(m.counted)
			require.NoError(t, run(t, d, source, 256, 256, words(8192, 1), make([]uint32, 256), localBytes(32768), stride))
			require.Len(t, m.counted, before+1)
			return m.counted[before].counters
		}
		near, far := count(1), count(32)
		waves := uint64(256 / d.m.target.Wavefront)
		assert.Equal(t, uint64(1), near.Groups)
		assert.Equal(t, waves, near.Wavefronts)
		assert.Equal(t, waves, near.Of("barrier"))
		assert.Equal(t, 2*waves, near.Of("global"))
		assert.Equal(t, 2*waves, near.Of("local"))
		assert.Equal(t, near.Of("vector")*uint64(d.m.target.Wavefront), near.Lanes)
		assert.Equal(t, near.GlobalIdeal, near.GlobalLines)
		assert.Equal(t, uint64(256+8), far.GlobalLines, "a line for each work-item, but for the result")
		assert.Equal(t, near.LocalIdeal, near.LocalCycles)
		assert.Equal(t, 32*far.LocalIdeal, far.LocalCycles)
		rows := d.Rows()
		require.Len(t, rows, 1)
		assert.Equal(t, uint64(2), rows[0].Launches)
		assert.Equal(t, 32768, rows[0].LDS)
		assert.Equal(t, 2, rows[0].PerUnit)
	})
}

func TestOccupancy(t *testing.T) {
	for _, c := range []struct {
		target                string
		registers, lds, waves int
		perSIMD, groups       int
	}{
		{"gfx942", 97, 33280, 4, 1, 1},
		{"gfx942", 97, 32768, 4, 2, 2},
		{"gfx942", 64, 8192, 4, 8, 8},
		{"gfx942", 129, 0, 4, 3, 3},
		{"gfx906", 129, 0, 4, 1, 1},
		{"gfx1100", 97, 16384, 8, 12, 3},
	} {
		perSIMD, groups := hardwareOf[c.target].occupancy(c.registers, c.lds, c.waves)
		assert.Equal(t, []int{c.perSIMD, c.groups}, []int{perSIMD, groups}, c)
	}
}
