package device_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/suffixcl/suffixcl/cl"
	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/internal/driver"
	"github.com/suffixcl/suffixcl/internal/tuned"
)

func TestCaps(t *testing.T) {
	sessions(t, func(t *testing.T, s *device.Session) {
		c := s.Caps()
		d := s.Device()
		assert.NotEmpty(t, c.Name)
		assert.NotEmpty(t, c.Platform)
		assert.NotEmpty(t, c.DriverVersion)
		assert.Contains(t, []string{"cpu", "gpu", "accelerator"}, c.Kind())
		assert.Positive(t, c.ComputeUnits)
		assert.GreaterOrEqual(t, c.MaxWorkGroup, 1)
		assert.Positive(t, c.MaxAlloc)
		assert.LessOrEqual(t, c.MaxAlloc, c.GlobalMem)
		assert.GreaterOrEqual(t, c.LocalMem, int64(16<<10))
		assert.GreaterOrEqual(t, c.SubgroupWidth, 1)
		assert.Zero(t, c.SubgroupWidth&(c.SubgroupWidth-1), "a power of two")
		if c.Kind() == "cpu" {
			assert.True(t, c.CPUShape)
			assert.True(t, tuned.Quirks(c).UnifiedMemory)
			assert.Equal(t, 1, c.SubgroupWidth)
		} else {
			assert.False(t, c.CPUShape)
		}
		assert.Equal(t, strings.Contains(d.Extensions(), "cl_khr_int64_base_atomics"), c.Int64Atomics)
		switch c.Vendor {
		case driver.NVIDIA:
			assert.Equal(t, 32, c.SubgroupWidth)
			assert.True(t, tuned.Quirks(c).PTX)
			assert.True(t, strings.HasPrefix(c.Arch, "sm_"), c.Arch)
		case driver.AMD:
			assert.Contains(t, []int{32, 64}, c.SubgroupWidth)
			assert.NotContains(t, c.Arch, ":")
		default:
			assert.False(t, tuned.Quirks(c).PTX)
		}
		if c.Vendor == driver.Mesa {
			assert.False(t, c.ForwardProgress)
		}
	})
}

// TestProbe runs the probe also where opening a session does without.
func TestProbe(t *testing.T) {
	sessions(t, func(t *testing.T, s *device.Session) {
		require.NoError(t, s.Probe())
		w := s.Caps().SubgroupWidth
		t.Log("width", w)
		assert.True(t, w >= 1 && w <= 128 && w&(w-1) == 0, "width %d", w)
		assert.NoError(t, s.Err())
	})
}

// TestProbeWithoutPTX: PTX that does not compile is a capability less.
func TestProbeWithoutPTX(t *testing.T) {
	each(t, func(t *testing.T, d *cl.Device) {
		c := tuned.Identify(d)
		if c.Vendor == driver.NVIDIA {
			t.Skip("has PTX")
		}
		if c.Vendor == driver.PoCL && strings.HasPrefix(c.DriverVersion, "5.") {
			t.Skip("PoCL 5 ends the process at assembly of another machine")
		}
		s := openWith(t, d, device.Config{}, tuned.Edits{Caps: func(c *device.Caps) { tuned.Quirks(c).PTX = true }})
		require.NoError(t, s.Probe())
		assert.False(t, tuned.Quirks(s.Caps()).PTX)
	})
}

func TestKind(t *testing.T) {
	for typ, want := range map[cl.DeviceType]string{
		cl.DeviceTypeGPU:                     "gpu",
		cl.DeviceTypeGPU | deviceTypeDefault: "gpu",
		cl.DeviceTypeCPU:                     "cpu",
		cl.DeviceTypeCPU | cl.DeviceTypeGPU:  "cpu",
		cl.DeviceTypeAccelerator:             "accelerator",
		deviceTypeCustom:                     "accelerator",
		cl.DeviceTypeAccelerator | 1<<0:      "accelerator",
		cl.DeviceTypeCPU | deviceTypeDefault: "cpu",
		cl.DeviceTypeGPU | deviceTypeCustom:  "gpu",
	} {
		assert.Equal(t, want, device.CapsOf(typ).Kind(), typ)
	}
}

// TestForcedCaps: what Edits.Caps says is what the kernels are told.
func TestForcedCaps(t *testing.T) {
	each(t, func(t *testing.T, d *cl.Device) {
		for _, force := range []struct {
			caps func(*device.Caps)
			want []string
		}{
			{func(c *device.Caps) {
				c.CPUShape, c.SubgroupWidth, c.Int64Atomics, c.ForwardProgress = true, 1, false, false
				tuned.Quirks(c).PTX = false
			}, []string{"IS_CPU 1", "SUBGROUP 1", "HAS_INT64_ATOMICS 0", "FORWARD_PROGRESS 0", "HAS_PTX 0"}},
			{func(c *device.Caps) {
				c.CPUShape, c.SubgroupWidth, c.Int64Atomics, c.ForwardProgress = false, 64, true, true
				tuned.Quirks(c).PTX = true
			}, []string{"IS_CPU 0", "SUBGROUP 64", "HAS_INT64_ATOMICS 1", "FORWARD_PROGRESS 1", "HAS_PTX 1"}},
		} {
			s := openWith(t, d, device.Config{}, tuned.Edits{Caps: force.caps})
			text, err := tuned.Assemble(s.Caps(), scanSource(group))
			require.NoError(t, err)
			for _, macro := range force.want {
				assert.Contains(t, text, "\n#define "+macro+"\n")
			}
			wg := tuned.Of(s).Scan.WG
			assert.Equal(t, s.Caps().CPUShape, wg == 1, "the tuning follows the forced shape: work-groups of %d", wg)
		}
	})
}
