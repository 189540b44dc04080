package amdgpu

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const oneWave = "__kernel __attribute__((reqd_work_group_size(WAVE, 1, 1))) void k"

// withWave puts the number of lanes and the head of the kernel in front of a text.
func withWave(d *Device, text string) string {
	return fmt.Sprintf("#define WAVE %d\n#define KERNEL %s\n%s", d.m.target.Wavefront, oneWave, text)
}

// identity returns 100, 101, 102, ...
func identity(n int) []uint32 {
	w := make([]uint32, n)
	for i := range w {
		w[i] = 100 + uint32(i)
	}
	return w
}

func TestDPP(t *testing.T) {
	const old = 7
	type control struct {
		name    string
		control int // LLVM, DPP control
		only    string
		want    func(lane, width int) int // below 0: no source
	}
	controls := []control{
		{"quad_perm", 0x1b, "", func(lane, _ int) int { return lane ^ 3 }},
		{"row_shl", 0x103, "", func(lane, _ int) int {
			if lane&15+3 > 15 {
				return -1
			}
			return lane + 3
		}},
		{"row_shr", 0x111, "", func(lane, _ int) int {
			if lane&15 == 0 {
				return -1
			}
			return lane - 1
		}},
		{"row_ror", 0x122, "", func(lane, _ int) int { return lane&^15 | (lane-2)&15 }},
		{"row_mirror", 0x140, "", func(lane, _ int) int { return lane ^ 15 }},
		{"row_half_mirror", 0x141, "", func(lane, _ int) int { return lane ^ 7 }},
		{"row_bcast15", 0x142, "gfx9", func(lane, _ int) int { return lane&^15 - 1 }},
		{"row_bcast31", 0x143, "gfx9", func(lane, _ int) int { return lane&^31 - 1 }},
		{"wave_shr", 0x138, "gfx9", func(lane, _ int) int { return lane - 1 }},
		{"wave_ror", 0x13c, "gfx9", func(lane, width int) int { return (lane - 1) & (width - 1) }},
		{"row_share", 0x155, "gfx1", func(lane, _ int) int { return lane&^15 | 5 }},
		{"row_xmask", 0x166, "gfx1", func(lane, _ int) int { return lane ^ 6 }},
	}
	each(t, Options{}, func(t *testing.T, d *Device) {
		width := d.m.target.Wavefront
		var text strings.Builder
		text.WriteString("KERNEL(__global const uint *x, __global uint *r)\n{\n    const uint i = get_local_id(0);\n")
		there := slices.DeleteFunc(slices.Clone(controls), func(c control) bool {
			return c.only != "" && c.only != d.Target()[:4]
		})
		for k, c := range there {
			for b, bound := range []bool{false, true} {
				fmt.Fprintf(&text, "    r[%d + i] = (uint)__builtin_amdgcn_update_dpp(%d, (int)x[i], %#x, 15, 15, %v);\n",
					(2*k+b)*width, old, c.control, bound)
			}
		}
		text.WriteString("}\n")
		r := make([]uint32, 2*len(there)*width)
		require.NoError(t, run(t, d, withWave(d, text.String()), width, width, identity(width), r))
		for k, c := range there {
			for lane := range width {
				want := []uint32{old, 0}
				if from := c.want(lane, width); from >= 0 {
					want = []uint32{100 + uint32(from), 100 + uint32(from)}
				}
				at := 2*k*width + lane
				assert.Equal(t, want, []uint32{r[at], r[at+width]}, "%s, lane %d", c.name, lane)
			}
		}
	})
}

// A sum of 64 bits with that of the lane before: on gfx1100 the additions, carry and all, read the other lane.
func TestMovedCarry(t *testing.T) {
	each(t, Options{}, func(t *testing.T, d *Device) {
		width := d.m.target.Wavefront
		x, r := words(2*width, 7), make([]uint32, 2*width)
		require.NoError(t, run(t, d, withWave(d, `KERNEL(__global const uint2 *x, __global ulong *r)
{
    const uint i = get_local_id(0);
    const uint2 a = x[i];
    const uint low = (uint)__builtin_amdgcn_update_dpp(0, (int)a.x, 0x111, 15, 15, false);
    const uint high = (uint)__builtin_amdgcn_update_dpp(0, (int)a.y, 0x111, 15, 15, false);
    r[i] = as_ulong(a) + as_ulong((uint2)(low, high));
}`), width, width, x, r))
		pair := func(of []uint32, i int) uint64 { return uint64(of[2*i+1])<<32 | uint64(of[2*i]) }
		for i := range width {
			want := pair(x, i)
			if i%16 > 0 {
				want += pair(x, i-1)
			}
			assert.Equal(t, want, pair(r, i), "lane %d", i)
		}
	})
}

func TestCrossLane(t *testing.T) {
	each(t, Options{}, func(t *testing.T, d *Device) {
		width := d.m.target.Wavefront
		x, r := words(width, 5), make([]uint32, 6*width)
		ballot := map[int]string{32: "w32", 64: "w64"}[width]
		require.NoError(t, run(t, d, withWave(d, `KERNEL(__global const uint *x, __global uint *r)
{
    const uint i = get_local_id(0), a = x[i];
    r[i] = (uint)__builtin_amdgcn_ds_bpermute((int)((i ^ 5) * 4), (int)a);
    r[WAVE + i] = (uint)__builtin_amdgcn_ds_permute((int)((i ^ 9) * 4), (int)a);
    r[2 * WAVE + i] = (uint)__builtin_amdgcn_readfirstlane((int)a);
    r[3 * WAVE + i] = (uint)__builtin_amdgcn_readlane((int)a, 17);
    const ulong odd = (ulong)__builtin_amdgcn_ballot_`+ballot+`((a & 1) != 0);
    r[4 * WAVE + i] = (uint)odd;
    r[5 * WAVE + i] = __builtin_amdgcn_mbcnt_hi((uint)(odd >> 32), __builtin_amdgcn_mbcnt_lo((uint)odd, 0));
}`), width, width, x, r))
		odd, before := uint64(0), uint32(0)
		for i, a := range x {
			odd |= uint64(a&1) << i
		}
		for i, a := range x {
			assert.Equal(t, x[i^5], r[i])
			assert.Equal(t, x[i^9], r[width+i])
			assert.Equal(t, x[0], r[2*width+i])
			assert.Equal(t, x[17], r[3*width+i])
			assert.Equal(t, uint32(odd), r[4*width+i])
			assert.Equal(t, before, r[5*width+i], i)
			before += a & 1
		}
	})
}

func TestPermuteRows(t *testing.T) {
	for _, target := range []string{"gfx1030", "gfx1100"} {
		d := newDevice(t, target, Options{})
		r := make([]uint32, 96)
		require.NoError(t, run(t, d, withWave(d, `KERNEL(__global const uint *x, __global uint *r)
{
    const uint i = get_local_id(0);
    r[i] = __builtin_amdgcn_permlane16(x[i], x[i], 0x76543210, 0x01234567, false, false);
    r[32 + i] = __builtin_amdgcn_permlanex16(x[i], x[i], 0x76543210, 0xfedcba98, false, false);
    r[64 + i] = __builtin_amdgcn_mov_dpp8(x[i], 0x0 | 1 << 3 | 7 << 6);
}`), 32, 32, identity(32), r))
		for i := range 32 {
			in := i & 15
			if in >= 8 {
				in = 15 - in
			}
			assert.Equal(t, uint32(100+(i&^15|in)), r[i], "lane %d", i)
			assert.Equal(t, uint32(100+(i^16)), r[32+i], "lane %d", i)
			assert.Equal(t, uint32(100+i&^7+[]int{0, 1, 7, 0, 0, 0, 0, 0}[i&7]), r[64+i], "lane %d", i)
		}
	}
}

// Every 32 or 64 bit atomic, in global and in local memory, by all work-items of several work-groups.
func TestAtomics(t *testing.T) {
	const source = `#pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable
#pragma OPENCL EXTENSION cl_khr_int64_extended_atomics : enable
#define ALL(x, y, at, v) \
    old ^= atomic_add(x, v); atomic_sub(x + 1, v); \
    atomic_and(x + 2, ~(1u << (v & 31))); atomic_or(x + 3, 1u << (v & 31)); \
    atomic_xor(x + 4, v); atomic_min(x + 5, v); atomic_max(x + 6, v); atomic_min((at int *)x + 7, -(int)v); \
    atomic_max((at int *)x + 8, -(int)v); atomic_inc(x + 9); atomic_dec(x + 10); atomic_xchg(x + 11, 77u); \
    for (uint seen = 0, was; (was = atomic_cmpxchg(x + 12, seen, seen + v)) != seen; seen = was) {} \
    atom_add(y, (ulong)v << 31); atom_max(y + 1, (ulong)v << 33); atom_or(y + 2, 1ul << (v & 63)); \
    atom_xchg(y + 3, 5ul << 40);
__kernel __attribute__((reqd_work_group_size(128, 1, 1)))
void k(__global uint *x, __global ulong *y, __global uint *r)
{
    const uint v = get_global_id(0) + 1, i = get_local_id(0);
    __local uint lx[13];
    __local ulong ly[4];
    uint old = 0;
    if (i < 13) lx[i] = i == 2 || i == 5 ? 0xffffffffu : 0;
    if (i < 4) ly[i] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    ALL(x, y, __global, v)
    ALLLOCAL
    barrier(CLK_LOCAL_MEM_FENCE);
    if (get_group_id(0) == 0) {
        if (i < 13) r[i] = lx[i];
        if (i < 4) { r[13 + 2 * i] = (uint)ly[i]; r[14 + 2 * i] = (uint)(ly[i] >> 32); }
    }
    if (old == 0x12345678u) r[0] = 0;
}`
	reference := func(n int) (x [13]uint32, y [4]uint64) {
		x[2], x[5] = ^uint32(0), ^uint32(0)
		x[7], x[8] = 0, 0
		for v := uint32(1); v <= uint32(n); v++ {
			x[0] += v
			x[1] -= v
			x[2] &^= 1 << (v & 31)
			x[3] |= 1 << (v & 31)
			x[4] ^= v
			x[5] = min(x[5], v)
			x[6] = max(x[6], v)
			x[7] = uint32(min(int32(x[7]), -int32(v)))
			x[8] = uint32(max(int32(x[8]), -int32(v)))
			x[9]++
			x[10]--
			x[11] = 77
			x[12] += v
			y[0] += uint64(v) << 31
			y[1] = max(y[1], uint64(v)<<33)
			y[2] |= 1 << (v & 63)
			y[3] = 5 << 40
		}
		return x, y
	}
	each(t, Options{Seed: 11}, func(t *testing.T, d *Device) {
		text := "#define ALLLOCAL ALL(lx, ly, __local, (i + 1))\n" + source
		x, y, r := make([]uint32, 13), make([]uint32, 8), make([]uint32, 21)
		x[2], x[5] = ^uint32(0), ^uint32(0)
		require.NoError(t, run(t, d, text, 512, 128, x, y, r))
		wantX, wantY := reference(512)
		assert.Equal(t, wantX[:], x)
		for i, want := range wantY {
			assert.Equal(t, want, uint64(y[2*i+1])<<32|uint64(y[2*i]), i)
		}
		wantX, wantY = reference(128)
		assert.Equal(t, wantX[:], r[:13])
		for i, want := range wantY {
			assert.Equal(t, want, uint64(r[14+2*i])<<32|uint64(r[13+2*i]), i)
		}
	})
}

// A reduction through local memory, and a private array that is indexed by what was loaded.
func TestLocalAndPrivate(t *testing.T) {
	const n = 1024
	each(t, Options{Seed: 5, Resident: 3}, func(t *testing.T, d *Device) {
		x, r := words(n, 9), make([]uint32, 2*n)
		require.NoError(t, run(t, d, `__kernel __attribute__((reqd_work_group_size(256, 1, 1)))
void k(__global const uint *x, __global uint *r, __local uint *sums, __local ushort *halves)
{
    const uint i = get_global_id(0), j = get_local_id(0);
    sums[j] = x[i];
    halves[j] = (ushort)x[i];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint s = 128; s > 0; s /= 2) {
        if (j < s) sums[j] += sums[j + s];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    r[i] = sums[0] + halves[255 - j];
    uint counts[37];
    for (uint q = 0; q < 37; q++) counts[q] = q;
    for (uint q = 0; q < 16; q++) counts[(x[i] >> q) % 37] += q;
    uint sum = 0;
    for (uint q = 0; q < 37; q++) sum = sum * 3 + counts[(x[i] + q) % 37];
    r[get_global_size(0) + i] = sum;
}`, n, 256, x, r, localBytes(1024), localBytes(512)))
		for i := range n {
			sum := x[i&^255+255-i&255] & 0xffff
			for _, v := range x[i&^255 : i&^255+256] {
				sum += v
			}
			require.Equal(t, sum, r[i], i)
			var counts [37]uint32
			for q := range counts {
				counts[q] = uint32(q)
			}
			for q := range 16 {
				counts[(x[i]>>q)%37] += uint32(q)
			}
			sum = 0
			for q := range uint32(37) {
				sum = sum*3 + counts[(x[i]+q)%37]
			}
			require.Equal(t, sum, r[n+i], "private, %d", i)
		}
	})
}

// The order in which work-groups and wavefronts get there is that of the seed.
func TestSchedule(t *testing.T) {
	const source = `__kernel __attribute__((reqd_work_group_size(128, 1, 1)))
void k(__global uint *next, __global uint *order)
{
    if (get_local_id(0) % 32 == 0) order[atomic_inc(next)] = get_global_id(0);
}`
	order := func(seed uint64) []uint32 {
		d := newDevice(t, "gfx1100", Options{Seed: seed})
		r := make([]uint32, 64)
		require.NoError(t, run(t, d, source, 2048, 128, make([]uint32, 1), r))
		return r
	}
	first := order(1)
	assert.Equal(t, first, order(1))
	assert.NotEqual(t, first, order(2))
	assert.NotEqual(t, first, order(3))
}

func TestUnknownInstruction(t *testing.T) {
	each(t, Options{}, func(t *testing.T, d *Device) {
		err := run(t, d, "__kernel void k(__global float *x) { x[0] = native_sin(x[0]); }", 64, 64, make([]uint32, 1))
		require.ErrorContains(t, err, "v_sin_f32")
		require.ErrorContains(t, err, "kernel k on "+d.Target())
	})
}

// A listing comes back, whatever it is; what has been cut off is refused.
func TestListing(t *testing.T) {
	for _, listing := range []string{"", "a", listed} {
		code := withListing([]byte("object"), []byte(listing))
		object, again, err := parts(code)
		require.NoError(t, err)
		assert.Equal(t, "object", string(object))
		assert.Equal(t, listing, string(again))
		for n := range code {
			_, _, err := parts(code[:n])
			assert.Error(t, err, "%d bytes", n)
		}
	}
}

func TestBadInput(t *testing.T) {
	_, err := New("gfx1", Options{})
	assert.ErrorContains(t, err, `unknown target "gfx1", want gfx906, gfx90a, gfx942, gfx1030, gfx1100`)
	assert.ErrorContains(t, InstallNamed("gfx942:x"), "no seed")
	d := newDevice(t, "gfx942", Options{})
	_, err = loadKernels(withListing([]byte("no code object"), nil), d.m.target)
	assert.Error(t, err)
	other, err := os.ReadFile("../amdcode/testdata/tiny.gfx90a.co")
	require.NoError(t, err)
	_, err = loadKernels(other, d.m.target)
	assert.ErrorContains(t, err, "no code object with its listing")
	_, err = loadKernels(withListing(other, nil), d.m.target)
	assert.ErrorContains(t, err, `the code is for "gfx90a", the device is a gfx942`)
	other[8] = 1 // the ABI version
	_, err = loadKernels(withListing(other, nil), d.m.target)
	assert.ErrorContains(t, err, "install the Debian packages clang-19")
	t.Setenv("PATH", t.TempDir())
	_, err = New("gfx942", Options{})
	assert.ErrorContains(t, err, "install the Debian packages")
}
