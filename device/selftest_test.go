package device_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/suffixcl/suffixcl/cl"
	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/internal/driver"
	"github.com/suffixcl/suffixcl/internal/tuned"
)

// Every form of the lane operations that a device has: its own, and through local
// memory with subgroups of every width, in work-groups of several sizes, whole
// numbers of subgroups or not.
func TestLanes(t *testing.T) {
	each(t, func(t *testing.T, d *cl.Device) {
		run := func(name string, e tuned.Edits) {
			t.Run(name, func(t *testing.T) {
				s := openWith(t, d, device.Config{}, e)
				assert.NoError(t, tuned.SelfTest(s))
				for _, wg := range []int{1, 8, 24, 64, 128} {
					assert.NoError(t, s.TestLanes(wg), "work-groups of %d", wg)
				}
			})
		}
		run("own", tuned.Edits{})
		for _, width := range []int{8, 16, 32, 64} {
			run(fmt.Sprintf("local-%d", width), lanes(driver.LanesLocal, width))
		}
		// AMD's form, with stand-ins for its built-ins.
		amd := func(width, wg int, builtins device.Defines) {
			t.Run(fmt.Sprintf("amdgcn-%d", width), func(t *testing.T) {
				s := openWith(t, d, device.Config{}, lanes(driver.LanesAMDGCN, width))
				in, out, err := s.LaneOperations(wg, builtins)
				require.NoError(t, err)
				assert.NoError(t, device.CheckLanes(in, out))
				assert.EqualValues(t, 1, out[len(out)-1], "lanes of their own")
			})
		}
		c := tuned.Identify(d)
		if tuned.Quirks(&c).PTX {
			amd(32, 256, ptxForAMD)
		}
		hasExtension := func(name string) bool { return slices.Contains(strings.Fields(d.Extensions()), name) }
		if !c.CPUShape || !hasExtension("cl_khr_subgroup_ballot") || !hasExtension("cl_khr_subgroup_shuffle") {
			return
		}
		// Subgroups of PoCL are whole work-groups, of up to 64 if masks are to hold them.
		for _, width := range []int{8, 16, 32, 64} {
			t.Run(fmt.Sprintf("khr-%d", width), func(t *testing.T) {
				s := openWith(t, d, device.Config{}, lanes(driver.LanesKHR, width))
				assert.NoError(t, s.TestLanes(width))
			})
		}
		amd(32, 32, khrForAMD)
		amd(64, 64, khrForAMD)
	})
}

// lanes forces a form of the lane operations.
func lanes(form driver.Lanes, width int) tuned.Edits {
	return tuned.Edits{Caps: func(c *device.Caps) { tuned.Quirks(c).Lanes, c.SubgroupWidth = form, width }}
}

// AMD's built-ins that common.cl uses, by those of others.
var (
	ptxForAMD = device.Defines{
		"__has_builtin(x)": "1",
		"__builtin_amdgcn_ballot_w32(p)": `({ uint m; asm volatile(` +
			`"{.reg .pred %%p; setp.ne.u32 %%p, %1, 0; vote.sync.ballot.b32 %0, %%p, 0xffffffff;}" ` +
			`: "=r"(m) : "r"((uint)(p))); m; })`,
		"__builtin_amdgcn_ds_bpermute(at, x)": `({ int y; asm volatile(` +
			`"shfl.sync.idx.b32 %0, %1, %2, 31, 0xffffffff;" ` +
			`: "=r"(y) : "r"(x), "r"((uint)(at) / 4)); y; })`,
		"__builtin_amdgcn_mbcnt_lo(m, base)": `({ uint below; asm("mov.u32 %0, %%lanemask_lt;" : "=r"(below)); ` +
			`popcount((uint)(m) & below) + (base); })`,
	}
	khrForAMD = device.Defines{
		"__has_builtin(x)":                    "1",
		"__builtin_amdgcn_ballot_w32(p)":      "(sub_group_ballot(p).x)",
		"__builtin_amdgcn_ballot_w64(p)":      "({ const uint4 m = sub_group_ballot(p); (ulong)m.y << 32 | m.x; })",
		"__builtin_amdgcn_ds_bpermute(at, x)": "sub_group_shuffle(x, (uint)(at) / 4)",
		"__builtin_amdgcn_mbcnt_lo(m, base)": "({ const uint at = get_sub_group_local_id(); " +
			"popcount((uint)(m) & (at < 32 ? (1u << at) - 1 : ~0u)) + (base); })",
		"__builtin_amdgcn_mbcnt_hi(m, base)": "({ const uint at = get_sub_group_local_id(); " +
			"popcount((uint)(m) & (at < 32 ? 0u : (1u << (at - 32)) - 1)) + (base); })",
	}
)

// The comparison finds every single wrong word that it is to look at.
func TestLanesCatch(t *testing.T) {
	each(t, func(t *testing.T, d *cl.Device) {
		s := openWith(t, d, device.Config{}, lanes(driver.LanesLocal, 8))
		in, out, err := s.LaneOperations(16, nil)
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
