// segscan.cl: scan of segments, as template parameters for scan.cl: element i starts
// a segment where heads[i] is not 0, and so does element 0; nothing is carried from a
// segment to the next.
//
// The element scanned is a pair of value and head flag, with the operator of Sengupta
// et al. (Scan primitives for GPU computing, 2007). Launch shape (work-groups), local
// memory: scan.cl.

#ifndef V
#error "V: type of the values, uint or ulong"
#endif
#ifndef V_BYTES
#error "V_BYTES: sizeof(V)"
#endif
#ifndef V_OP
#error "V_OP(a, b): operator, with neutral element 0"
#endif
#ifndef INCLUSIVE
#error "INCLUSIVE: 1 or 0"
#endif

#if V_BYTES == 4
#define T uint2
#define VALUE(pair) (pair).x
inline uint2 seg_pair(uint value, bool head) { return (uint2)(value, head ? 1u : 0u); }
inline uint2 seg_op(uint2 a, uint2 b) { return (uint2)(b.y != 0 ? b.x : V_OP(a.x, b.x), a.y | b.y); }
#else
#define T uint4
#define VALUE(pair) as_ulong((pair).lo)
inline uint4 seg_pair(ulong value, bool head) { return (uint4)(as_uint2(value), head ? 1u : 0u, 0u); }
inline uint4 seg_op(uint4 a, uint4 b)
{
    const ulong value = V_OP(as_ulong(a.lo), as_ulong(b.lo));
    return (uint4)(b.z != 0 ? b.lo : as_uint2(value), a.z | b.z, 0u);
}
#endif

#define OP seg_op
#define IDENTITY ((T)(0u))
#define SCAN_PARAMS , __global const uchar *heads, __global const V *in, __global V *out
#define SCAN_LOAD(i) seg_pair(in[i], heads[i] != 0)
#define SCAN_STORE(i, before, value) out[i] = INCLUSIVE ? VALUE(value) : heads[i] != 0 ? 0 : VALUE(before)
