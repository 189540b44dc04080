package device_test

import (
	"sort"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/suffixcl/suffixcl/cl"
	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/internal/tuned"
)

func TestCaps(t *testing.T) {
	sessions(t, func(t *testing.T, s *device.Session) {
		c := s.Caps()
		d := s.Device()
		assert.NotEmpty(t, c.Name)
		assert.NotEmpty(t, c.Platform)
		assert.NotEmpty(t, c.DriverVersion)
		assert.True(t, strings.HasPrefix(c.OpenCLVersion, "OpenCL "), c.OpenCLVersion)
		assert.Contains(t, []string{"cpu", "gpu", "accelerator"}, c.Kind())
		assert.Equal(t, c.Kind() == "gpu", c.GPU())
		assert.Positive(t, c.ComputeUnits)
		assert.GreaterOrEqual(t, c.MaxWorkGroup, 1)
		assert.Positive(t, c.MaxAlloc)
		assert.LessOrEqual(t, c.MaxAlloc, c.GlobalMem)
		assert.GreaterOrEqual(t, c.LocalMem, int64(16<<10))
		assert.GreaterOrEqual(t, c.SubgroupWidth, 1)
		assert.Zero(t, c.SubgroupWidth&(c.SubgroupWidth-1), "a power of two")
		if c.Kind() == "cpu" {
			assert.True(t, c.CPUShape)
			assert.True(t, c.UnifiedMemory)
			assert.Equal(t, 1, c.SubgroupWidth)
		} else {
			assert.False(t, c.CPUShape)
		}
		assert.True(t, sort.StringsAreSorted(c.Extensions))
		for _, name := range strings.Fields(d.Extensions()) {
			assert.True(t, c.HasExtension(name), name)
		}
		assert.False(t, c.HasExtension("cl_no_such_extension"))
		assert.False(t, c.HasExtension("zzz"))
		assert.Equal(t, d.HasExtension("cl_khr_int64_base_atomics"), c.Int64Atomics)
		switch c.Vendor {
		case device.NVIDIA:
			assert.Equal(t, 32, c.SubgroupWidth)
			assert.True(t, c.PTX)
			assert.True(t, strings.HasPrefix(c.Arch, "sm_"), c.Arch)
		case device.AMD:
			assert.Contains(t, []int{32, 64}, c.SubgroupWidth)
			assert.NotContains(t, c.Arch, ":")
		default:
			assert.False(t, c.PTX)
		}
		if c.Vendor == device.Mesa {
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
		c := device.Identify(d)
		if c.Vendor == device.NVIDIA {
			t.Skip("has PTX")
		}
		if c.Vendor == device.PoCL && strings.HasPrefix(c.DriverVersion, "5.") {
			t.Skip("PoCL 5 ends the process at assembly of another machine")
		}
		s := openWith(t, d, device.Config{}, tuned.Edits{Caps: func(c *device.Caps) { c.PTX = true }})
		require.NoError(t, s.Probe())
		assert.False(t, s.Caps().PTX)
	})
}

func TestVendor(t *testing.T) {
	for _, c := range []struct {
		platform, platformVendor, deviceVendor, device string
		want                                           device.Vendor
	}{
		{"NVIDIA CUDA", "NVIDIA Corporation", "NVIDIA Corporation", "NVIDIA H200", device.NVIDIA},
		{"AMD Accelerated Parallel Processing", "Advanced Micro Devices, Inc.", "Advanced Micro Devices, Inc.",
			"gfx90a:sramecc+:xnack-", device.AMD},
		{"AMD Accelerated Parallel Processing", "Advanced Micro Devices, Inc.", "AuthenticAMD", "AMD EPYC", device.AMD},
		{"Intel(R) OpenCL Graphics", "Intel(R) Corporation", "Intel(R) Corporation", "Intel(R) Arc(TM) A770 Graphics",
			device.Intel},
		{"Intel(R) OpenCL", "Intel(R) Corporation", "GenuineIntel", "Intel(R) Xeon(R)", device.Intel},
		{"Apple", "Apple", "Apple", "Apple M2 Max", device.Apple},
		{"Apple", "Apple", "AMD", "AMD Radeon Pro 5500M Compute Engine", device.Apple},
		{"Apple", "Apple", "NVIDIA", "GeForce GT 750M", device.Apple},
		{"Apple", "Apple", "Intel", "Intel(R) Core(TM) i7", device.Apple},
		{"ARM Platform", "ARM", "ARM", "Mali-G78", device.ARM},
		{"Portable Computing Language", "The pocl project", "GenuineIntel", "pthread-skylake-avx512-Intel(R) Xeon(R)",
			device.PoCL},
		{"Portable Computing Language", "The pocl project", "NVIDIA Corporation", "NVIDIA GeForce RTX 3090", device.PoCL},
		{"rusticl", "Mesa/X.org", "Mesa/X.org", "llvmpipe (LLVM 15.0.6, 256 bits)", device.Mesa},
		{"rusticl", "Mesa/X.org", "AMD", "AMD Radeon RX 6800 (navi21)", device.Mesa},
		{"Clover", "Mesa", "AMD", "AMD Radeon RX 580", device.Mesa},
		{"Oclgrind", "University of Bristol", "University of Bristol", "Oclgrind Simulator", device.Oclgrind},
		{"QUALCOMM Snapdragon(TM)", "QUALCOMM", "QUALCOMM", "QUALCOMM Adreno(TM)", device.Other},
		{"", "", "", "", device.Other},
	} {
		assert.Equal(t, c.want, device.VendorOf(c.platform, c.platformVendor, c.deviceVendor, c.device), c)
	}
}

func TestKind(t *testing.T) {
	for typ, want := range map[cl.DeviceType]string{
		cl.DeviceTypeGPU:                        "gpu",
		cl.DeviceTypeGPU | cl.DeviceTypeDefault: "gpu",
		cl.DeviceTypeCPU:                        "cpu",
		cl.DeviceTypeCPU | cl.DeviceTypeGPU:     "cpu",
		cl.DeviceTypeAccelerator:                "accelerator",
		cl.DeviceTypeCustom:                     "accelerator",
		cl.DeviceTypeAccelerator | 1<<0:         "accelerator",
		cl.DeviceTypeCPU | cl.DeviceTypeDefault: "cpu",
		cl.DeviceTypeGPU | cl.DeviceTypeCustom:  "gpu",
	} {
		c := device.Caps{Type: typ}
		assert.Equal(t, want, c.Kind(), typ)
	}
}

// TestForcedCaps: what Config.Caps says is what the kernels are told.
func TestForcedCaps(t *testing.T) {
	each(t, func(t *testing.T, d *cl.Device) {
		for _, force := range []struct {
			caps func(*device.Caps)
			want []string
		}{
			{func(c *device.Caps) {
				c.CPUShape, c.SubgroupWidth, c.Int64Atomics, c.ForwardProgress, c.PTX = true, 1, false, false, false
			}, []string{"IS_CPU 1", "SUBGROUP 1", "HAS_INT64_ATOMICS 0", "FORWARD_PROGRESS 0", "HAS_PTX 0"}},
			{func(c *device.Caps) {
				c.CPUShape, c.SubgroupWidth, c.Int64Atomics, c.ForwardProgress, c.PTX = false, 64, true, true, true
			}, []string{"IS_CPU 0", "SUBGROUP 64", "HAS_INT64_ATOMICS 1", "FORWARD_PROGRESS 1", "HAS_PTX 1"}},
		} {
			s := openWith(t, d, device.Config{}, tuned.Edits{Caps: force.caps})
			text, err := device.Assemble(s.Caps(), scanSource(group))
			require.NoError(t, err)
			for _, macro := range force.want {
				assert.Contains(t, text, "\n#define "+macro+"\n")
			}
			wg := tuned.Of(s).Scan.WG
			assert.Equal(t, s.Caps().CPUShape, wg == 1, "the tuning follows the forced shape: work-groups of %d", wg)
		}
	})
}
