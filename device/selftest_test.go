package device_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/suffixcl/suffixcl/cl"
	"github.com/suffixcl/suffixcl/device"
)

// Every form of the lane operations that a device has: its own, and through local
// memory with subgroups of every width, in work-groups of several sizes, whole
// numbers of subgroups or not.
func TestLanes(t *testing.T) {
	each(t, func(t *testing.T, d *cl.Device) {
		run := func(name string, caps func(*device.Caps)) {
			t.Run(name, func(t *testing.T) {
				s, err := device.Open(device.Config{Device: d, CacheDir: programs, Caps: caps})
				require.NoError(t, err)
				defer s.Close()
				assert.NoError(t, s.SelfTest())
				for _, wg := range []int{1, 8, 24, 64, 128} {
					assert.NoError(t, s.TestLanes(wg), "work-groups of %d", wg)
				}
			})
		}
		run("own", nil)
		for _, width := range []int{8, 16, 32, 64} {
			run(fmt.Sprintf("local-%d", width), func(c *device.Caps) { c.Lanes, c.SubgroupWidth = device.LanesLocal, width })
		}
		c := device.Identify(d)
		if !c.CPUShape || !c.HasExtension("cl_khr_subgroup_ballot") || !c.HasExtension("cl_khr_subgroup_shuffle") {
			return
		}
		// Subgroups of PoCL are whole work-groups, of up to 64 if masks are to hold them.
		for _, width := range []int{8, 16, 32, 64} {
			t.Run(fmt.Sprintf("khr-%d", width), func(t *testing.T) {
				s := open(t, d, device.Config{Caps: func(c *device.Caps) { c.Lanes, c.SubgroupWidth = device.LanesKHR, width }})
				assert.NoError(t, s.TestLanes(width))
			})
		}
	})
}

// The comparison finds every single wrong word that it is to look at.
func TestLanesCatch(t *testing.T) {
	each(t, func(t *testing.T, d *cl.Device) {
		s, err := device.Open(device.Config{Device: d, CacheDir: programs, Caps: func(c *device.Caps) {
			c.Lanes, c.SubgroupWidth = device.LanesLocal, 8
		}})
		require.NoError(t, err)
		defer s.Close()
		in, out, err := s.LaneOperations(16)
		require.NoError(t, err)
		require.NoError(t, device.CheckLanes(in, out))
		for i := range out {
			if row := i / len(in); row == 0 && i%len(in) > 0 || row >= 19 {
				continue // the width is told once; without lanes nothing is said of them
			}
			out[i] ^= 1
			assert.Error(t, device.CheckLanes(in, out), "word %d", i)
			out[i] ^= 1
		}
	})
}
