package amdgpu

import (
	"os"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const fixed = "__kernel __attribute__((reqd_work_group_size(256, 1, 1)))\n"

// Each kernel does one thing that must not be; without FAULT it does not.
var planted = []struct {
	name, text, want string
	local            int // bytes, as the last argument
	options          Options
	only             string
}{
	{
		name: "read past a buffer",
		text: "void k(__global uint *x, __global uint *r) { r[get_global_id(0)] = x[get_global_id(0) + FAULT]; }",
		want: "4 bytes at byte 2048 of buffer",
	},
	{
		name: "write before a buffer",
		text: "void k(__global uint *x, __global uint *r) { r[(int)get_global_id(0) - FAULT] = x[0]; }",
		want: "4 before where buffer 2 begins",
	},
	{
		name: "atomic past a buffer",
		text: "void k(__global uint *x, __global uint *r) { atomic_inc(r + (get_global_id(0) + FAULT) % (512 + FAULT)); }",
		want: "4 bytes at byte 2048 of buffer",
	},
	{
		name: "scalar read past a buffer",
		text: "void k(__global uint *x, __global uint *r) { r[get_global_id(0)] = x[get_group_id(0) + 511 * FAULT]; }",
		want: "4 bytes at byte 2048 of buffer",
	},
	{
		name: "NULL",
		text: "void k(__global uint *x, __global uint *r) { (FAULT ? (__global uint *)0 : r)[get_global_id(0)] = x[0]; }",
		want: "where no buffer is",
	},
	{
		name:  "write past local memory",
		text:  "void k(__global uint *x, __global uint *r, __local uint *t) { t[get_local_id(0) + FAULT] = x[0]; r[0] = 0; }",
		want:  "4 bytes at byte 1024 of 1024 of local memory",
		local: 1024, options: Options{SameValue: []string{"k"}},
	},
	{
		name: "read past local memory",
		text: "void k(__global uint *x, __global uint *r, __local uint *t) { const uint i = get_local_id(0); t[i] = x[i]; " +
			"barrier(CLK_LOCAL_MEM_FENCE); r[get_global_id(0)] = t[255 - i + x[3] * FAULT]; }",
		want:  "of 1024 of local memory",
		local: 1024,
	},
	{
		name: "unwritten global memory",
		text: "void k(__global uint *x, __global uint *r) { const uint i = get_global_id(0); if (i != 300) r[i] = i; " +
			"if (i == 300) x[0] = FAULT ? r[i] : 0; }",
		want: "nothing has been written there",
	},
	{
		name: "unwritten local memory",
		text: "void k(__global uint *x, __global uint *r, __local ushort *t) { const uint i = get_local_id(0); " +
			"if (i != 77 || !FAULT) t[i] = x[i]; barrier(CLK_LOCAL_MEM_FENCE); r[get_global_id(0)] = t[255 - i]; }",
		want:  "local memory is read, and nothing has been written there",
		local: 512,
	},
	{
		name: "race of work-groups, writes",
		text: "void k(__global uint *x, __global uint *r) " +
			"{ r[FAULT ? get_local_id(0) : get_global_id(0)] = get_group_id(0); }",
		want: "a race: work-group",
	},
	{
		name: "race of work-groups, the same value",
		text: "void k(__global uint *x, __global uint *r) { r[FAULT ? get_local_id(0) : get_global_id(0)] = 7; }",
		want: "the same value",
	},
	{
		name: "race of work-groups, write and read",
		text: "void k(__global uint *x, __global uint *r) { const uint i = get_global_id(0); " +
			"x[i] = x[FAULT ? 511 - i : i] + 1; }",
		want: "a race: work-group",
	},
	{
		name: "race of work-groups, bytes of a word",
		text: "void k(__global uchar *x, __global uint *r) { const uint i = 2 * get_local_id(0) + get_group_id(0); " +
			"x[i] = x[FAULT ? i ^ 1 : i] + 1; }",
		want: "a race: work-group",
	},
	{
		name: "race of work-groups, atomic and plain",
		text: "void k(__global uint *x, __global uint *r) { atomic_inc(x); if (FAULT) r[get_global_id(0)] = x[0]; }",
		want: "a race: work-group",
	},
	{
		name: "race of work-groups, no fence",
		text: "#define FENCE if (!FAULT) __builtin_amdgcn_fence(__ATOMIC_ACQ_REL, \"agent\");\n" +
			"void k(__global uint *x, __global uint *r) { const uint i = get_global_id(0); r[i] = i; " +
			"FENCE barrier(CLK_GLOBAL_MEM_FENCE); " +
			"if (get_local_id(0) == 0) { atomic_inc(x); while (atomic_or(x, 0) < 2); } " +
			"barrier(CLK_GLOBAL_MEM_FENCE); FENCE if (i > 0) x[i] = r[511 - i]; }",
		want: "a race: work-group", options: Options{Resident: 2},
	},
	{
		name: "race of wavefronts",
		text: "void k(__global uint *x, __global uint *r, __local uint *t) { const uint i = get_local_id(0); t[i] = x[i]; " +
			"if (!FAULT) barrier(CLK_LOCAL_MEM_FENCE); r[get_global_id(0)] = t[255 - i]; }",
		want: "local memory", local: 1024,
	},
	{
		name: "race of wavefronts, read and write",
		text: "void k(__global uint *x, __global uint *r, __local uint *t) { const uint i = get_local_id(0); t[i] = x[i]; " +
			"barrier(CLK_LOCAL_MEM_FENCE); const uint y = t[255 - i]; if (!FAULT) barrier(CLK_LOCAL_MEM_FENCE); " +
			"t[i] = y + 1; r[get_global_id(0)] = t[i]; }",
		want: "a race: wavefront", local: 1024,
	},
	{
		name: "barrier that some work-items do not reach",
		text: "void k(__global uint *x, __global uint *r, __local uint *t) { const uint i = get_local_id(0); t[i] = x[i]; " +
			"if (i < 200 || !FAULT) { barrier(CLK_LOCAL_MEM_FENCE); r[get_global_id(0)] = t[i ^ 1]; } }",
		want: "barrier", local: 1024,
	},
	{
		name: "barrier that some wavefronts do not reach",
		text: "void k(__global uint *x, __global uint *r, __local uint *t) { const uint i = get_local_id(0); t[i] = x[i]; " +
			"if (i >= 128 && FAULT) return; barrier(CLK_LOCAL_MEM_FENCE); r[get_global_id(0)] = t[i ^ 1]; }",
		want: "barrier", local: 1024,
	},
	{
		name: "read of an inactive lane",
		text: "void k(__global uint *x, __global uint *r) { const uint i = get_local_id(0); if (i % 2 == 0 || !FAULT) " +
			"r[get_global_id(0)] = (uint)__builtin_amdgcn_ds_bpermute((int)((i ^ 1) * 4), (int)x[i]); }",
		want: "which is not active",
	},
	{
		name: "no end",
		text: "void k(__global uint *x, __global uint *r) { while (atomic_add(x, 0) == FAULT) {} r[get_global_id(0)] = 1; }",
		want: "no end after", options: Options{Limit: 1 << 16},
	},
	{
		name: "misaligned atomic",
		text: "void k(__global uint *x, __global uint *r) { atomic_inc((__global uint *)((__global uchar *)r + FAULT)); }",
		want: "is not a multiple of 4",
	},
	{
		name: "misaligned read",
		text: "void k(__global uint *x, __global uint *r) " +
			"{ r[get_global_id(0)] = *(__global uint *)((__global uchar *)x + get_local_id(0) * 4 + FAULT); }",
		want: "is not a multiple of 4", options: Options{Aligned: true},
	},
	{
		name: "misaligned write to local memory",
		text: "void k(__global uint *x, __global uint *r, __local uchar *t) " +
			"{ *(__local uint *)(t + get_local_id(0) * 4 + 2 * FAULT) = x[0]; r[0] = 1; }",
		want: "is not a multiple of 4", local: 1028, options: Options{Aligned: true, SameValue: []string{"k"}},
	},
	{
		name: "outside of private memory",
		text: "void k(__global uint *x, __global uint *r) { uint a[40]; for (uint j = 0; j < 40; j++) a[j] = x[j]; " +
			"r[get_global_id(0)] = a[(x[0] & 31) + (x[3] >> 8) * FAULT]; }",
		want: "of private memory",
	},
}

func TestChecks(t *testing.T) {
	for _, c := range planted {
		t.Run(c.name, func(t *testing.T) {
			for _, target := range []string{"gfx942", "gfx1100"} {
				for fault, define := range []string{"#define FAULT 0\n", "#define FAULT 1\n"} {
					if fault == 0 && target != "gfx942" && os.Getenv("SUFFIXCL_SOAK") != "1" {
						continue // that no fault is found where there is none, all other tests show
					}
					o := c.options
					o.Seed = 3
					d := newDevice(t, target, o)
					x := words(512, 4)
					x[0], x[3] = 0, 1<<20
					if c.name == "no end" {
						x[0] = 1
					}
					var r any = make([]uint32, 512)
					if c.name == "unwritten global memory" {
						r = blank(2048)
					}
					args := []any{x, r}
					if c.local > 0 {
						args = append(args, localBytes(c.local))
					}
					err := run(t, d, define+fixed+c.text, 512, 256, args...)
					if fault == 0 {
						require.NoError(t, err, target)
						continue
					}
					require.ErrorContains(t, err, c.want, target)
					assert.ErrorContains(t, err, "kernel k on "+target)
				}
			}
		})
	}
}
