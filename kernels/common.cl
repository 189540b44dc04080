// common.cl: first part of every program, after the generated prologue
// (capabilities) and the defines (tuning). Vendor differences live here only.
//
// WG is the work-group size of every kernel in a program.

#ifndef WG
#error "WG: work-items in a work-group"
#endif

#ifdef cl_khr_int64_base_atomics
#pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable
#endif

// The work-group size is fixed at compile time: without it some drivers give out
// registers for the largest size, others refuse more than 256 work-items.
#define KERNEL_WG(n) __kernel __attribute__((reqd_work_group_size(n, 1, 1))) void

// FOR_TILE walks i over the elements [first, last) of this work-group's tile of
// `tile` elements out of n, each work-item taking every WG-th one: consecutive
// work-items touch consecutive elements. With WG = 1 it is a plain loop. 64 bits,
// because the end of the last tile may exceed 2^32. No barrier inside.
#define FOR_TILE(i, tile, n)                                                       \
    for (ulong i = (ulong)get_group_id(0) * (tile) + get_local_id(0),              \
               i##_end = min((ulong)get_group_id(0) * (tile) + (tile), (ulong)(n)); \
         i < i##_end; i += WG)

// DEFINE_WG_SCAN(name, T, OP, IDENTITY) defines
//   T name(T x, __local T *tmp, T *total)
// the exclusive scan of x over the work-group; *total receives the combination of
// all. tmp holds WG elements and may be reused after the next barrier. Portable
// form: WG-wide doubling in local memory.
#if WG == 1
#define DEFINE_WG_SCAN(name, T, OP, IDENTITY)            \
    inline T name(T x, __local T *tmp, T *total) {       \
        *total = x;                                      \
        return IDENTITY;                                 \
    }
#else
#define DEFINE_WG_SCAN(name, T, OP, IDENTITY)            \
    inline T name(T x, __local T *tmp, T *total) {       \
        const uint lid = get_local_id(0);                \
        T sum = x;                                       \
        tmp[lid] = sum;                                  \
        barrier(CLK_LOCAL_MEM_FENCE);                    \
        for (uint d = 1; d < WG; d *= 2) {               \
            T left = lid >= d ? tmp[lid - d] : IDENTITY; \
            barrier(CLK_LOCAL_MEM_FENCE);                \
            sum = OP(left, sum);                         \
            tmp[lid] = sum;                              \
            barrier(CLK_LOCAL_MEM_FENCE);                \
        }                                                \
        *total = tmp[WG - 1];                            \
        T before = lid > 0 ? tmp[lid - 1] : IDENTITY;    \
        barrier(CLK_LOCAL_MEM_FENCE);                    \
        return before;                                   \
    }
#endif

#define OP_ADD(a, b) ((a) + (b))
#define OP_MAX(a, b) max(a, b)
