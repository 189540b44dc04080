package amdgpu

import (
	"fmt"
	"math/bits"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// expressions of a and b, of 32 bits, in OpenCL C and in Go.
var expressions = []struct {
	text string
	want func(a, b uint32) uint32
}{
	{"a + b", func(a, b uint32) uint32 { return a + b }},
	{"a - b", func(a, b uint32) uint32 { return a - b }},
	{"a * b", func(a, b uint32) uint32 { return a * b }},
	{"a / (b | 1)", func(a, b uint32) uint32 { return a / (b | 1) }},
	{"a % (b | 1)", func(a, b uint32) uint32 { return a % (b | 1) }},
	{"(uint)((int)a / (int)(b >> 4 | 1))", func(a, b uint32) uint32 { return uint32(int32(a) / int32(b>>4|1)) }},
	{"mul_hi(a, b)", func(a, b uint32) uint32 { return uint32(uint64(a) * uint64(b) >> 32) }},
	{"(uint)mul_hi((int)a, (int)b)", func(a, b uint32) uint32 { return uint32(int64(int32(a)) * int64(int32(b)) >> 32) }},
	{"mul24(a & 0xffffff, b & 0xffffff)", func(a, b uint32) uint32 { return (a & 0xffffff) * (b & 0xffffff) }},
	{"mad24(a & 0xfff, b & 0xfff, a)", func(a, b uint32) uint32 { return (a&0xfff)*(b&0xfff) + a }},
	{"a << (b & 31)", func(a, b uint32) uint32 { return a << (b & 31) }},
	{"a >> (b & 31)", func(a, b uint32) uint32 { return a >> (b & 31) }},
	{"(uint)((int)a >> (b & 31))", func(a, b uint32) uint32 { return uint32(int32(a) >> (b & 31)) }},
	{"rotate(a, b)", func(a, b uint32) uint32 { return bits.RotateLeft32(a, int(b&31)) }},
	{"a & b", func(a, b uint32) uint32 { return a & b }},
	{"a | ~b", func(a, b uint32) uint32 { return a | ^b }},
	{"a ^ b", func(a, b uint32) uint32 { return a ^ b }},
	{"(a << 3) + b", func(a, b uint32) uint32 { return a<<3 + b }},
	{"(a << 5) | b", func(a, b uint32) uint32 { return a<<5 | b }},
	{"(a & 0xff) | b", func(a, b uint32) uint32 { return a&0xff | b }},
	{"(a ^ b) + 77", func(a, b uint32) uint32 { return (a ^ b) + 77 }},
	{"bitselect(a, b, a >> 7)", func(a, b uint32) uint32 { m := a >> 7; return a&^m | b&m }},
	{"min(a, b)", func(a, b uint32) uint32 { return min(a, b) }},
	{"max(max(a, b), 1000u)", func(a, b uint32) uint32 { return max(a, b, 1000) }},
	{"min(min(a, b), 1000u)", func(a, b uint32) uint32 { return min(a, b, 1000) }},
	{"clamp(a, 5u, 1000u)", func(a, b uint32) uint32 { return min(max(a, 5), 1000) }},
	{"(uint)min((int)a, (int)b)", func(a, b uint32) uint32 { return uint32(min(int32(a), int32(b))) }},
	{"(uint)max((int)a, (int)b)", func(a, b uint32) uint32 { return uint32(max(int32(a), int32(b))) }},
	{"add_sat(a, b)", addSaturated},
	{"sub_sat(a, b)", subSaturated},
	{"popcount(a) + b", func(a, b uint32) uint32 { return uint32(bits.OnesCount32(a)) + b }},
	{"clz(a)", func(a, b uint32) uint32 { return uint32(bits.LeadingZeros32(a)) }},
	{"a ? 31 - clz(a & -a) : 99", func(a, b uint32) uint32 {
		if a == 0 {
			return 99
		}
		return uint32(bits.TrailingZeros32(a))
	}},
	{"(a >> 7) & 0x1f", func(a, b uint32) uint32 { return a >> 7 & 0x1f }},
	{"(uint)((int)(a << 9) >> 20)", func(a, b uint32) uint32 { return uint32(int32(a<<9) >> 20) }},
	{"(uint)(uchar)(a >> 8) + (uint)(uchar)b", func(a, b uint32) uint32 { return a>>8&0xff + b&0xff }},
	{"(uint)(int)(char)(a >> 16) + b", func(a, b uint32) uint32 { return uint32(int32(int8(a>>16))) + b }},
	{"(ushort)((ushort)a + (ushort)b)", func(a, b uint32) uint32 { return (a + b) & 0xffff }},
	{"(ushort)a < (ushort)b ? a : b", func(a, b uint32) uint32 {
		if a&0xffff < b&0xffff {
			return a
		}
		return b
	}},
	{"(a & 0x00ff00ff) << 8 | ((a >> 8) & 0x00ff00ff)", func(a, b uint32) uint32 {
		return a&0x00ff00ff<<8 | a>>8&0x00ff00ff
	}},
	{"as_uint(as_uchar4(a).wzyx)", func(a, b uint32) uint32 { return bits.ReverseBytes32(a) }},
	{"as_uint(as_ushort2(a) + as_ushort2(b))", func(a, b uint32) uint32 {
		return (a+b)&0xffff | (a>>16+b>>16)<<16
	}},
	{"a < b", func(a, b uint32) uint32 { return flag(a < b) }},
	{"(int)a >= (int)b", func(a, b uint32) uint32 { return flag(int32(a) >= int32(b)) }},
	{"(float)(a >> 9) < (float)(b >> 9) ? a : b", func(a, b uint32) uint32 {
		if a>>9 < b>>9 {
			return a
		}
		return b
	}},
	{"(a == b) + (a != 7)", func(a, b uint32) uint32 { return flag(a == b) + flag(a != 7) }},
}

// wide expressions have c and d, of 64 bits.
var wideExpressions = []struct {
	text string
	want func(c, d uint64) uint64
}{
	{"c + d", func(c, d uint64) uint64 { return c + d }},
	{"c - d", func(c, d uint64) uint64 { return c - d }},
	{"c * d", func(c, d uint64) uint64 { return c * d }},
	{"c / (d | 1)", func(c, d uint64) uint64 { return c / (d | 1) }},
	{"c % (d >> 40 | 1)", func(c, d uint64) uint64 { return c % (d>>40 | 1) }},
	{"c << (d & 63)", func(c, d uint64) uint64 { return c << (d & 63) }},
	{"c >> (d & 63)", func(c, d uint64) uint64 { return c >> (d & 63) }},
	{"(ulong)((long)c >> (d & 63))", func(c, d uint64) uint64 { return uint64(int64(c) >> (d & 63)) }},
	{"mul_hi(c, d)", func(c, d uint64) uint64 { h, _ := bits.Mul64(c, d); return h }},
	{"(ulong)(uint)c * (uint)d + c", func(c, d uint64) uint64 { return uint64(uint32(c))*uint64(uint32(d)) + c }},
	{"min(c, d)", func(c, d uint64) uint64 { return min(c, d) }},
	{"c < d ? c : d ^ 1", func(c, d uint64) uint64 {
		if c < d {
			return c
		}
		return d ^ 1
	}},
	{"(long)c < -5 ? c : d", func(c, d uint64) uint64 {
		if int64(c) < -5 {
			return c
		}
		return d
	}},
	{"(long)c <= (long)d", func(c, d uint64) uint64 { return uint64(flag(int64(c) <= int64(d))) }},
	{"(c == d) + (c != 0xffffffff80000000UL)", func(c, d uint64) uint64 {
		return uint64(flag(c == d) + flag(c != 0xffffffff80000000))
	}},
	{"popcount(c) + clz(d)", func(c, d uint64) uint64 {
		return uint64(bits.OnesCount64(c) + bits.LeadingZeros64(d))
	}},
	{"rotate(c, d)", func(c, d uint64) uint64 { return bits.RotateLeft64(c, int(d&63)) }},
}

// One value, the same for all work-items, is computed by scalar instructions.
func TestArithmetic(t *testing.T) {
	const n = 256
	var text strings.Builder
	fmt.Fprintf(&text, "#define N %d\n", n)
	text.WriteString("__kernel __attribute__((reqd_work_group_size(64, 1, 1)))\n" +
		"void k(__global const uint *x, __global const uint *y, __global uint *r, uint ua, uint ub)\n{\n" +
		"    const uint i = get_global_id(0);\n    { const uint a = x[i], b = y[i];\n")
	for j, e := range expressions {
		fmt.Fprintf(&text, "    r[%d * N + i] = %s;\n", j, e.text)
	}
	text.WriteString("    }\n    { const uint a = ua, b = ub;\n")
	for j, e := range expressions {
		fmt.Fprintf(&text, "    if (i == 0) r[%d * N + %d] = %s;\n", len(expressions), j, e.text)
	}
	text.WriteString("    }\n}\n")
	x, y := words(n, 1), words(n, 2)
	each(t, Options{Seed: 3}, func(t *testing.T, d *Device) {
		r := make([]uint32, (len(expressions)+1)*n)
		require.NoError(t, run(t, d, text.String(), n, 64, x, y, r, x[5], y[5]))
		for j, e := range expressions {
			for i := range n {
				require.Equal(t, e.want(x[i], y[i]), r[j*n+i], "%s, a = %#x, b = %#x", e.text, x[i], y[i])
			}
			assert.Equal(t, e.want(x[5], y[5]), r[len(expressions)*n+j], "scalar %s, a = %#x, b = %#x", e.text, x[5], y[5])
		}
	})
}

func TestArithmetic64(t *testing.T) {
	const n = 256
	var text strings.Builder
	fmt.Fprintf(&text, "#define N %d\n", n)
	text.WriteString("__kernel __attribute__((reqd_work_group_size(64, 1, 1)))\n" +
		"void k(__global const ulong *x, __global const ulong *y, __global ulong *r, ulong uc, ulong ud)\n{\n" +
		"    const uint i = get_global_id(0);\n    { const ulong c = x[i], d = y[i];\n")
	for j, e := range wideExpressions {
		fmt.Fprintf(&text, "    r[%d * N + i] = %s;\n", j, e.text)
	}
	text.WriteString("    }\n    { const ulong c = uc, d = ud;\n")
	for j, e := range wideExpressions {
		fmt.Fprintf(&text, "    if (i == 0) r[%d * N + %d] = %s;\n", len(wideExpressions), j, e.text)
	}
	text.WriteString("    }\n}\n")
	x, y := words(2*n, 3), words(2*n, 4)
	wide := func(w []uint32, i int) uint64 { return uint64(w[2*i+1])<<32 | uint64(w[2*i]) }
	each(t, Options{Seed: 3}, func(t *testing.T, d *Device) {
		r := make([]uint32, 2*(len(wideExpressions)+1)*n)
		require.NoError(t, run(t, d, text.String(), n, 64, x, y, r, wide(x, 9), wide(y, 9)))
		for j, e := range wideExpressions {
			for i := range n {
				c, d := wide(x, i), wide(y, i)
				require.Equal(t, e.want(c, d), wide(r, j*n+i), "%s, c = %#x, d = %#x", e.text, c, d)
			}
			assert.Equal(t, e.want(wide(x, 9), wide(y, 9)), wide(r, len(wideExpressions)*n+j), "scalar %s", e.text)
		}
	})
}

// What the decoder does not carry out is refused, with the reason, and not passed over.
func TestDecodeRefuses(t *testing.T) {
	d := decoder{vectors: 8}
	for text, want := range map[string]string{
		"v_cmp_eq_u32_dpp vcc, v0, v1 row_shl:1 row_mask:0xf bank_mask:0xf": "DPP",
		"v_and_b32_e64 v0, v1, v2 clamp":                                    "clamp",
		"v_add_u16_e64 v0, v1, v2 op_sel:[1,0,0]":                           "op_sel",
		"v_mov_b32_e32 v0, v8":                                              "register v8, the kernel has 8",
		"v_mov_b32_e32 v0, a1":                                              `operand "a1"`,
		"flat_load_dword v0, v[2:3]":                                        "unknown",
		"global_load_dword v0, v[2:3], off lds":                             `modifier "lds"`,
		"v_cmpx_eq_u32_e32 vcc, v0, v1":                                     "unknown",
		"s_branch nowhere":                                                  "target",
	} {
		_, err := d.decodeOne(text)
		assert.ErrorContains(t, err, want, text)
	}
	in, err := d.decodeOne("v_add_u32_sdwa v1, v2, sext(v3) " +
		"dst_sel:WORD_1 dst_unused:UNUSED_PRESERVE src0_sel:BYTE_2 src1_sel:WORD_0")
	require.NoError(t, err)
	assert.True(t, in.partial && in.preserve && in.src[1].sext)
	assert.Equal(t, []uint8{5, 2, 4}, []uint8{in.selection, in.src[0].selection, in.src[1].selection})
}
