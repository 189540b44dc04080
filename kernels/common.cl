// common.cl: first part of every program, after the generated prologue
// (capabilities) and the defines (tuning). Vendor differences live here only.
//
// WG is the work-group size of every kernel in a program.

#ifndef WG
#error "WG: work-items in a work-group"
#endif

#ifndef SUBGROUP
#error "SUBGROUP: work-items in lockstep"
#endif
#ifndef LANES
#error "LANES: how they talk"
#endif

#ifdef cl_khr_int64_base_atomics
#pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable
#endif

// The work-group size is fixed at compile time: without it some drivers give out
// registers for the largest size, others refuse more than 256 work-items.
#define KERNEL_WG(n) __kernel __attribute__((reqd_work_group_size(n, 1, 1))) void

// One name of two parts, either of which may be a macro.
#define JOIN(a, b) JOIN_(a, b)
#define JOIN_(a, b) a##b

// FOR_TILE walks i over the elements [first, last) of this work-group's tile of
// `tile` elements out of n, each work-item taking every WG-th one: consecutive
// work-items touch consecutive elements. With WG = 1 it is a plain loop. 64 bits,
// because the end of the last tile may exceed 2^32. No barrier inside.
#define FOR_TILE(i, tile, n)                                                       \
    for (ulong i = (ulong)get_group_id(0) * (tile) + get_local_id(0),              \
               i##_end = min((ulong)get_group_id(0) * (tile) + (tile), (ulong)(n)); \
         i < i##_end; i += WG)

// Asks for memory that is needed soon. Where threads hide the latency it does nothing.
#if IS_CPU && (defined(__x86_64__) || defined(__aarch64__))
#define PREFETCH(p) __builtin_prefetch((const void *)(size_t)(p))
#else
#define PREFETCH(p) (void)sizeof(p)
#endif

// ---- Lanes: work-items that run in lockstep --------------------------------------
//
// A subgroup is SUBGROUP consecutive work-items of a work-group, whose size is a
// multiple of it. LANES says how its lanes talk:
//   LANES_LOCAL   through local memory and work-group barriers: everywhere
//   LANES_PTX     NVIDIA
//   LANES_AMDGCN  AMD, with either wavefront size
//   LANES_KHR     cl_khr_subgroups with cl_khr_subgroup_ballot and _shuffle
// Every operation must be reached by all work-items of the work-group, and takes
// tmp: WG words of local memory, which only LANES_LOCAL uses. Lane masks are ulong.
//
//   sg_lane(), sg_index()          lane in the subgroup, subgroup in the work-group
//   sg_ballot(p, tmp)              bit i is set where p holds in lane i
//   sg_shuffle(x, from, tmp)       x of lane `from`; 32 bits
//   sg_match(x, bits, tmp)         the lanes whose x is equal in its low `bits` bits,
//                                  a constant; the bits above must be 0
//   sg_prefix(mask)                how many bits of mask are below the own lane
//   sg_last(mask)                  the highest lane of a mask that is not 0
//
// Where HAS_LANES, lane_ballot and lane_shuffle_T do the same without barriers and
// local memory: one subgroup may run them while others wait.
#define LANES_LOCAL 0
#define LANES_PTX 1
#define LANES_AMDGCN 2
#define LANES_KHR 3

// A work-group that is no whole number of subgroups, as in tests with tiny tiles,
// emulates narrower ones.
#if WG % SUBGROUP != 0
#undef LANES
#define LANES LANES_LOCAL
#undef SUBGROUP
#if WG % 8 == 0
#define SUBGROUP 8
#else
#define SUBGROUP 1
#endif
#endif

// Lanes through local memory may be as wide as one likes: a program that needs room
// for each subgroup defines LOCAL_LANES, and has none narrower where WG allows.
#if LANES == LANES_LOCAL && defined(LOCAL_LANES)
#if SUBGROUP < LOCAL_LANES && WG % LOCAL_LANES == 0
#undef SUBGROUP
#define SUBGROUP LOCAL_LANES
#endif
#endif

// Vendors leave built-ins out of some releases: then go through local memory.
#if LANES == LANES_AMDGCN
#ifndef __has_builtin
#define __has_builtin(x) 0
#endif
#if !__has_builtin(__builtin_amdgcn_ds_bpermute) || \
    !(__has_builtin(__builtin_amdgcn_ballot_w64) || __has_builtin(__builtin_amdgcn_ballot_w32))
#undef LANES
#define LANES LANES_LOCAL
#endif
#endif

#if LANES == LANES_KHR
#pragma OPENCL EXTENSION cl_khr_subgroups : enable
inline uint sg_lane(void) { return get_sub_group_local_id(); }
inline uint sg_index(void) { return get_sub_group_id(); }
#else
inline uint sg_lane(void) { return get_local_id(0) % SUBGROUP; }
inline uint sg_index(void) { return get_local_id(0) / SUBGROUP; }
#endif

#define HAS_LANES (LANES != LANES_LOCAL)

// Whether a ballot is whole words of 32 bits.
#define LANE_WORDS (HAS_LANES && SUBGROUP % 32 == 0)

// Before a loop of constant length over a private array that is to stay in
// registers. Not where lane operations have barriers: their code would be copied.
#define UNROLL _Pragma("unroll")
#if LANES == LANES_LOCAL
#define UNROLL_LANES
#else
#define UNROLL_LANES UNROLL
#endif

// Before a loop that the compiler is to leave one: its rounds together would take too many registers.
#define ROLLED _Pragma("unroll 1")

// KEEPS_CONDITIONS: whether a work-item may keep the conditions of several rounds. AMD's compiler keeps them in
// registers that all lanes share, and has too few of these. UNROLL_CONDITIONS is UNROLL where it may.
#if HAS_PTX
#define KEEPS_CONDITIONS 1
#define UNROLL_CONDITIONS UNROLL
#else
#define KEEPS_CONDITIONS 0
#define UNROLL_CONDITIONS
#endif

// OPAQUE has the compiler forget what a variable was computed from. That of AMD keeps a mask of lanes for each
// condition that it meets again, one for each round of an unrolled loop, and has too few registers for them.
#ifdef __AMDGCN__
#define OPAQUE(x) __asm__ volatile("" : "+v"(x))
#else
#define OPAQUE(x)
#endif

#if LANES == LANES_PTX

inline uint sg_prefix(ulong mask)
{
    uint below;
    asm("mov.u32 %0, %%lanemask_lt;" : "=r"(below));
    return popcount((uint)mask & below);
}

inline uint sg_last(ulong mask) { return 31 - clz((uint)mask); }

#else

#if LANES == LANES_AMDGCN && SUBGROUP == 64
inline uint sg_prefix(ulong mask)
{
    return __builtin_amdgcn_mbcnt_hi((uint)(mask >> 32), __builtin_amdgcn_mbcnt_lo((uint)mask, 0u));
}
#elif LANES == LANES_AMDGCN
inline uint sg_prefix(ulong mask) { return __builtin_amdgcn_mbcnt_lo((uint)mask, 0u); }
#elif SUBGROUP <= 32
inline uint sg_prefix(ulong mask) { return popcount((uint)mask & ((1u << sg_lane()) - 1)); }
#else
inline uint sg_prefix(ulong mask) { return (uint)popcount(mask & ((1ul << sg_lane()) - 1)); }
#endif
inline uint sg_last(ulong mask) { return 63 - (uint)clz(mask); }

#endif

#if LANES == LANES_PTX

inline ulong lane_ballot(bool p)
{
    uint mask;
    asm volatile("{.reg .pred %%p; setp.ne.u32 %%p, %1, 0; vote.sync.ballot.b32 %0, %%p, 0xffffffff;}"
                 : "=r"(mask)
                 : "r"((uint)p));
    return mask;
}

inline uint lane_shuffle_uint(uint x, uint from)
{
    uint y;
    asm volatile("shfl.sync.idx.b32 %0, %1, %2, 31, 0xffffffff;" : "=r"(y) : "r"(x), "r"(from));
    return y;
}

#elif LANES == LANES_AMDGCN

inline ulong lane_ballot(bool p)
{
#if SUBGROUP == 64
    return __builtin_amdgcn_ballot_w64(p);
#else
    return __builtin_amdgcn_ballot_w32(p);
#endif
}

inline uint lane_shuffle_uint(uint x, uint from)
{
    return (uint)__builtin_amdgcn_ds_bpermute((int)(from * 4), (int)x);
}

#elif LANES == LANES_KHR

inline ulong lane_ballot(bool p)
{
    const uint4 mask = sub_group_ballot(p);
    return (ulong)mask.y << 32 | mask.x;
}

inline uint lane_shuffle_uint(uint x, uint from) { return sub_group_shuffle(x, from); }

#endif

#if HAS_LANES

inline ulong sg_ballot(bool p, __local uint *tmp) { return lane_ballot(p); }
inline uint sg_shuffle(uint x, uint from, __local uint *tmp) { return lane_shuffle_uint(x, from); }

inline uint2 lane_shuffle_uint2(uint2 x, uint from)
{
    const uint low = lane_shuffle_uint(x.x, from), high = lane_shuffle_uint(x.y, from);
    return (uint2)(low, high);
}

inline uint4 lane_shuffle_uint4(uint4 x, uint from)
{
    const uint2 low = lane_shuffle_uint2(x.lo, from), high = lane_shuffle_uint2(x.hi, from);
    return (uint4)(low, high);
}

inline ulong lane_shuffle_ulong(ulong x, uint from) { return as_ulong(lane_shuffle_uint2(as_uint2(x), from)); }
inline ulong2 lane_shuffle_ulong2(ulong2 x, uint from) { return as_ulong2(lane_shuffle_uint4(as_uint4(x), from)); }

#else

inline ulong sg_ballot(bool p, __local uint *tmp)
{
    const uint first = sg_index() * SUBGROUP;
    barrier(CLK_LOCAL_MEM_FENCE);
    tmp[get_local_id(0)] = p;
    barrier(CLK_LOCAL_MEM_FENCE);
    ulong mask = 0;
    for (uint lane = 0; lane < SUBGROUP; lane++)
        mask |= (ulong)tmp[first + lane] << lane;
    return mask;
}

inline uint sg_shuffle(uint x, uint from, __local uint *tmp)
{
    barrier(CLK_LOCAL_MEM_FENCE);
    tmp[get_local_id(0)] = x;
    barrier(CLK_LOCAL_MEM_FENCE);
    return tmp[sg_index() * SUBGROUP + from % SUBGROUP];
}

#endif

// Narrow values by a ballot for each bit: faster than match.any on NVIDIA.
#if LANES == LANES_PTX

// BALLOT(same, bit): a mask of the lanes that agree in the bit.
#define BALLOT(same, bit)                                                \
    "and.b32 " same ", %1, " bit "; setp.ne.u32 %%p, " same ", 0; "       \
    "vote.sync.ballot.b32 " same ", %%p, 0xffffffff; @!%%p not.b32 " same ", " same ";"

inline ulong sg_match(uint x, const uint bits, __local uint *tmp)
{
    uint peers = 0xffffffffu, b = 0;
    UNROLL for (; b + 1 < bits; b += 2)
    {
        asm volatile("{.reg .pred %%p; .reg .b32 %%a, %%b;" BALLOT("%%a", "%2") BALLOT("%%b", "%3")
                     "lop3.b32 %0, %0, %%a, %%b, 0x80;}"
                     : "+r"(peers)
                     : "r"(x), "r"(1u << b), "r"(2u << b));
    }
    if (b < bits)
        asm volatile("{.reg .pred %%p; .reg .b32 %%a;" BALLOT("%%a", "%2") "and.b32 %0, %0, %%a;}"
                     : "+r"(peers)
                     : "r"(x), "r"(1u << b));
    return peers;
}

#elif LANES == LANES_AMDGCN

// By the lanes that differ, since there is an instruction for a | b | c. OPAQUE: else a bit is taken out twice.
inline ulong sg_match(uint x, const uint bits, __local uint *tmp)
{
    ulong others = 0;
    UNROLL for (uint b = 0; b < bits; b++)
    {
        uint set = 0u - ((x >> b) & 1);
        OPAQUE(set);
        others |= lane_ballot(set != 0) ^ ((ulong)set << 32 | set);
    }
    return SUBGROUP == 64 ? ~others : (uint)~others;
}

#elif LANES != LANES_LOCAL

inline ulong sg_match(uint x, const uint bits, __local uint *tmp)
{
    ulong peers = SUBGROUP == 64 ? ~0ul : (1ul << (SUBGROUP % 64)) - 1;
    UNROLL for (uint b = 0; b < bits; b++)
    {
        const bool set = (x >> b) & 1;
        const ulong ones = sg_ballot(set, tmp);
        peers &= set ? ones : ~ones;
    }
    return peers;
}

#else

inline ulong sg_match(uint x, const uint bits, __local uint *tmp)
{
    const uint first = sg_index() * SUBGROUP;
    barrier(CLK_LOCAL_MEM_FENCE);
    tmp[get_local_id(0)] = x;
    barrier(CLK_LOCAL_MEM_FENCE);
    ulong peers = 0;
    for (uint lane = 0; lane < SUBGROUP; lane++)
        peers |= (ulong)(tmp[first + lane] == x) << lane;
    return peers;
}

#endif

// sg_up_T(x, d, tmp): x of the lane d below; the own x where there is none.
inline uint sg_up_uint(uint x, uint d, __local uint *tmp)
{
    const uint lane = sg_lane();
    const uint y = sg_shuffle(x, lane >= d ? lane - d : lane, tmp);
    return y;
}

inline uint2 sg_up_uint2(uint2 x, uint d, __local uint *tmp)
{
    const uint low = sg_up_uint(x.x, d, tmp), high = sg_up_uint(x.y, d, tmp);
    return (uint2)(low, high);
}

inline uint4 sg_up_uint4(uint4 x, uint d, __local uint *tmp)
{
    const uint2 low = sg_up_uint2(x.lo, d, tmp), high = sg_up_uint2(x.hi, d, tmp);
    return (uint4)(low, high);
}

inline ulong sg_up_ulong(ulong x, uint d, __local uint *tmp)
{
    const uint2 halves = sg_up_uint2((uint2)((uint)x, (uint)(x >> 32)), d, tmp);
    return (ulong)halves.y << 32 | halves.x;
}

// ---- Steps of scans ----------------------------------------------------------------
//
// Where HAS_LANES, for steps d = 1, 2, 4, ... of a scan over the lanes, which all are there:
//   SCAN_STEP(T, OP, IDENTITY, x, lane, d, shuffled)
//                            x is combined with that of the lane d below, which `shuffled` is, if there is one
//   LANE_BELOW(T, x, shuffled)
//                            x of the lane below, which `shuffled` is; no matter what in lane 0, but of the last
//                            lane if `shuffled` has that there
//   LANE_LAST(T, x)          x of the last lane
//   LANE_UNIFORM(T, x, from) x of lane `from`, the same for all lanes
//   FOLD_LANES(T, OP, IDENTITY, x, lane)
//                            x of lane 0 becomes the combination of all, that of the last lane first
#define SCAN_STEP(T, OP, IDENTITY, x, lane, d, shuffled) \
    const T left = shuffled;                             \
    x = lane >= d ? OP(left, x) : x;
#define LANE_BELOW(T, x, shuffled) shuffled
#define LANE_LAST(T, x) JOIN(lane_shuffle_, T)(x, SUBGROUP - 1)
#define LANE_UNIFORM(T, x, from) JOIN(lane_shuffle_, T)(x, from)
#define FOLD_LANES(T, OP, IDENTITY, x, lane)                               \
    for (uint d = 1; d < SUBGROUP; d *= 2) {                               \
        const T left = JOIN(lane_shuffle_, T)(x, (lane + d) % SUBGROUP);   \
        x = lane + d < SUBGROUP ? OP(left, x) : x;                         \
    }

// AMD moves words between lanes without local memory, in patterns that the instruction names (DPP): in rows of 16
// lanes on all GPUs, from row to row by other means. Lanes for which a pattern has no other one get `none`.
#if LANES == LANES_AMDGCN && __has_builtin(__builtin_amdgcn_update_dpp)
#if defined(__GFX9__) && SUBGROUP == 64
#define DPP_ROWS 4
#elif (defined(__GFX10__) || defined(__GFX11__) || defined(__GFX12__)) && SUBGROUP == 32
#define DPP_ROWS 2
#endif
#endif

#ifdef DPP_ROWS

#define DPP(x, none, pattern, rows) \
    (uint)__builtin_amdgcn_update_dpp((int)(none), (int)(x), pattern, rows, 0xf, false)
#define ROW_SHL(n) (0x100 + (n)) // from the lane n above in the row
#define ROW_SHR(n) (0x110 + (n)) // from the lane n below in the row
#define ROWS_OF_16 0xa           // of 4: those whose first lane is an odd multiple of 16
#define ROWS_OF_32 0xc

#if DPP_ROWS == 4
#define BCAST_15 0x142 // from the last lane of the row before
#define BCAST_31 0x143 // from lane 31
#define WAVE_ROR 0x13c // from the lane below, in lane 0 from the last
inline uint lane_below_uint(uint x) { return DPP(x, 0u, WAVE_ROR, 0xf); }
inline uint lane_row_uint(uint x, uint none) { return DPP(x, none, BCAST_15, ROWS_OF_16); }
inline uint lane_half_uint(uint x, uint none) { return DPP(x, none, BCAST_31, ROWS_OF_32); }
#else
// Not by v_permlanex16, which clang 19 moves to where lanes are left out.
inline uint lane_of_uint(uint x, uint from) { return (uint)__builtin_amdgcn_readlane((int)x, (int)from); }
inline uint lane_below_uint(uint x)
{
    const uint last = lane_of_uint(x, 31), middle = lane_of_uint(x, 15);
    return DPP(x, sg_lane() < 16 ? last : middle, ROW_SHR(1), 0xf);
}
inline uint lane_row_uint(uint x, uint none)
{
    const uint middle = lane_of_uint(x, 15);
    return sg_lane() >= 16 ? middle : none;
}
inline uint lane_half_uint(uint x, uint none) { return none; }
#endif

// x of the lanes below that step d of a scan combines with, or none.
inline uint lane_step_uint(uint x, uint none, uint d)
{
    switch (d) {
    case 1:
        return DPP(x, none, ROW_SHR(1), 0xf);
    case 2:
        return DPP(x, none, ROW_SHR(2), 0xf);
    case 4:
        return DPP(x, none, ROW_SHR(4), 0xf);
    case 8:
        return DPP(x, none, ROW_SHR(8), 0xf);
    case 16:
        return lane_row_uint(x, none);
    }
    return lane_half_uint(x, none);
}

// x of the lane d above in the row, or none.
inline uint lane_fold_uint(uint x, uint none, uint d)
{
    switch (d) {
    case 1:
        return DPP(x, none, ROW_SHL(1), 0xf);
    case 2:
        return DPP(x, none, ROW_SHL(2), 0xf);
    case 4:
        return DPP(x, none, ROW_SHL(4), 0xf);
    }
    return DPP(x, none, ROW_SHL(8), 0xf);
}

inline uint lane_uniform_uint(uint x, uint from)
{
    return (uint)__builtin_amdgcn_readlane((int)x, __builtin_amdgcn_readfirstlane((int)from));
}

// The same for wider types, half by half.
#define DEFINE_LANE_HALVES(T, H, AS_T)                                                              \
    inline T lane_below_##T(T x) { return AS_T(lane_below_##H(x.lo), lane_below_##H(x.hi)); }       \
    inline T lane_step_##T(T x, T none, uint d)                                                     \
    {                                                                                               \
        return AS_T(lane_step_##H(x.lo, none.lo, d), lane_step_##H(x.hi, none.hi, d));              \
    }                                                                                               \
    inline T lane_fold_##T(T x, T none, uint d)                                                     \
    {                                                                                               \
        return AS_T(lane_fold_##H(x.lo, none.lo, d), lane_fold_##H(x.hi, none.hi, d));              \
    }                                                                                               \
    inline T lane_uniform_##T(T x, uint from)                                                       \
    {                                                                                               \
        return AS_T(lane_uniform_##H(x.lo, from), lane_uniform_##H(x.hi, from));                    \
    }
#define AS_UINT2(a, b) (uint2)(a, b)
#define AS_UINT4(a, b) (uint4)(a, b)
DEFINE_LANE_HALVES(uint2, uint, AS_UINT2)
DEFINE_LANE_HALVES(uint4, uint2, AS_UINT4)

inline ulong lane_below_ulong(ulong x) { return as_ulong(lane_below_uint2(as_uint2(x))); }
inline ulong lane_uniform_ulong(ulong x, uint from) { return as_ulong(lane_uniform_uint2(as_uint2(x), from)); }
inline ulong lane_step_ulong(ulong x, ulong none, uint d)
{
    return as_ulong(lane_step_uint2(as_uint2(x), as_uint2(none), d));
}
inline ulong lane_fold_ulong(ulong x, ulong none, uint d)
{
    return as_ulong(lane_fold_uint2(as_uint2(x), as_uint2(none), d));
}

#undef SCAN_STEP
#define SCAN_STEP(T, OP, IDENTITY, x, lane, d, shuffled)   \
    const T left = JOIN(lane_step_, T)(x, IDENTITY, d);    \
    x = OP(left, x);
#undef LANE_BELOW
#define LANE_BELOW(T, x, shuffled) JOIN(lane_below_, T)(x)
#undef LANE_LAST
#define LANE_LAST(T, x) JOIN(lane_uniform_, T)(x, SUBGROUP - 1)
#undef LANE_UNIFORM
#define LANE_UNIFORM(T, x, from) JOIN(lane_uniform_, T)(x, from)
#undef FOLD_LANES
#define FOLD_LANES(T, OP, IDENTITY, x, lane)                                \
    UNROLL for (uint d = 1; d < 16; d *= 2)                                 \
    {                                                                       \
        const T left = JOIN(lane_fold_, T)(x, IDENTITY, d);                 \
        x = OP(left, x);                                                    \
    }                                                                       \
    {                                                                       \
        T rows = JOIN(lane_uniform_, T)(x, 0);                              \
        UNROLL for (uint row = 1; row < DPP_ROWS; row++)                    \
        {                                                                   \
            const T left = JOIN(lane_uniform_, T)(x, 16 * row);             \
            rows = OP(left, rows);                                          \
        }                                                                   \
        x = rows;                                                           \
    }

#endif

// ---- Device scope: words that work-groups of one launch exchange ------------------
//
// A word holds flag and payload together, so relaxed order suffices. Plain volatile
// loads may be served from a stale cache: poll with these. (The compiler for AMD makes a load of atomic_or(p, 0).)
//
// WAIT_IF(missing) before the next look, if a lane misses something: on AMD the subgroup leaves its turn to others for
// 64 cycles.
#if LANES == LANES_AMDGCN && __has_builtin(__builtin_amdgcn_s_sleep)
#define WAIT_IF(missing)               \
    if (lane_ballot(missing) != 0)     \
        __builtin_amdgcn_s_sleep(1);
#else
#define WAIT_IF(missing)
#endif

#if HAS_PTX

inline uint load_relaxed(__global uint *p)
{
    uint v;
    asm volatile("ld.relaxed.gpu.global.u32 %0, [%1];" : "=r"(v) : "l"(p) : "memory");
    return v;
}

inline void store_relaxed(__global uint *p, uint v)
{
    asm volatile("st.relaxed.gpu.global.u32 [%0], %1;" : : "l"(p), "r"(v) : "memory");
}

inline ulong load_relaxed64(__global ulong *p)
{
    ulong v;
    asm volatile("ld.relaxed.gpu.global.u64 %0, [%1];" : "=l"(v) : "l"(p) : "memory");
    return v;
}

inline void store_relaxed64(__global ulong *p, ulong v)
{
    asm volatile("st.relaxed.gpu.global.u64 [%0], %1;" : : "l"(p), "l"(v) : "memory");
}

#else

inline uint load_relaxed(__global uint *p) { return atomic_or(p, 0u); }
inline void store_relaxed(__global uint *p, uint v) { atomic_xchg(p, v); }
#if HAS_INT64_ATOMICS
inline ulong load_relaxed64(__global ulong *p) { return atom_add(p, 0ul); }
inline void store_relaxed64(__global ulong *p, ulong v) { atom_xchg(p, v); }
#endif

#endif

// DEVICE_FENCE orders the memory of a work-item for others on the device: what it has written before, and what it reads
// after. Elsewhere it orders that of a work-group, which is the same where caches are those of all:
// device.Caps.DeviceFences.
#if HAS_PTX
#define DEVICE_FENCE asm volatile("fence.acq_rel.gpu;" : : : "memory");
#elif defined(__AMDGCN__)
#define DEVICE_FENCE __builtin_amdgcn_fence(__ATOMIC_ACQ_REL, "agent");
#else
#define DEVICE_FENCE mem_fence(CLK_GLOBAL_MEM_FENCE);
#endif

// ---- Work-group scan ---------------------------------------------------------------
//
// DEFINE_WG_SCAN(name, T, OP, IDENTITY) defines
//   T name(T x, __local T *tmp, T *total)
// the exclusive scan of x over the work-group; *total receives the combination of
// all. tmp holds WG elements. T is uint, uint2, uint4 or ulong. Lanes scan by shuffles,
// subgroups through local memory; without lanes the work-group scans by doubling in
// local memory.
#if WG == 1
#define DEFINE_WG_SCAN(name, T, OP, IDENTITY)    \
    inline T name(T x, __local T *tmp, T *total) \
    {                                            \
        *total = x;                              \
        return IDENTITY;                         \
    }
#elif LANES == LANES_LOCAL || SUBGROUP < 8
#define DEFINE_WG_SCAN(name, T, OP, IDENTITY)            \
    inline T name(T x, __local T *tmp, T *total)         \
    {                                                    \
        uint lid = get_local_id(0);                      \
        OPAQUE(lid);                                     \
        T sum = x;                                       \
        barrier(CLK_LOCAL_MEM_FENCE);                    \
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
        return lid > 0 ? tmp[lid - 1] : IDENTITY;        \
    }
#else
#define SUBGROUPS (WG / SUBGROUP)
#define DEFINE_WG_SCAN(name, T, OP, IDENTITY)                                    \
    inline T name(T x, __local T *tmp, T *total)                                 \
    {                                                                            \
        uint lane = sg_lane(), group = sg_index();                               \
        OPAQUE(lane);                                                            \
        OPAQUE(group);                                                           \
        T sum = x;                                                               \
        for (uint d = 1; d < SUBGROUP; d *= 2) {                                 \
            SCAN_STEP(T, OP, IDENTITY, sum, lane, d, JOIN(sg_up_, T)(sum, d, 0)) \
        }                                                                        \
        T before = LANE_BELOW(T, sum, JOIN(sg_up_, T)(sum, 1, 0));               \
        before = lane > 0 ? before : IDENTITY;                                   \
        barrier(CLK_LOCAL_MEM_FENCE);                                            \
        if (lane == SUBGROUP - 1)                                                \
            tmp[group] = sum;                                                    \
        barrier(CLK_LOCAL_MEM_FENCE);                                            \
        T all = IDENTITY, base = IDENTITY;                                       \
        for (uint g = 0; g < SUBGROUPS; g++) {                                   \
            base = g == group ? all : base;                                      \
            all = OP(all, tmp[g]);                                               \
        }                                                                        \
        *total = all;                                                            \
        return OP(base, before);                                                 \
    }
#endif

// ---- Scans by lanes alone ----------------------------------------------------------
//
// DEFINE_LANE_SCAN(name, T, OP, IDENTITY) defines
//   T name(T x)
// the inclusive scan of x over the subgroup.
//
// DEFINE_SUBGROUP_SCAN(name, lanes, T, OP, IDENTITY) defines
//   T name(T x, __local T *tmp, T *total)
// the exclusive scan over the subgroups of a work-group of a value that the lanes of
// each share; *total receives the combination of all. tmp holds an element for each
// subgroup; no work-item reads it when the function is called. lanes is the name of
// a lane scan.
#if HAS_LANES
#define DEFINE_LANE_SCAN(name, T, OP, IDENTITY)                                                     \
    inline T name(T x)                                                                              \
    {                                                                                               \
        const uint lane = sg_lane();                                                                \
        for (uint d = 1; d < SUBGROUP; d *= 2) {                                                    \
            SCAN_STEP(T, OP, IDENTITY, x, lane, d, JOIN(lane_shuffle_, T)(x, (lane - d) % SUBGROUP)) \
        }                                                                                           \
        return x;                                                                                   \
    }
#if SUBGROUPS <= SUBGROUP
#define DEFINE_SUBGROUP_SCAN(name, lanes, T, OP, IDENTITY)                           \
    inline T name(T x, __local T *tmp, T *total)                                     \
    {                                                                                \
        const uint lane = sg_lane(), group = sg_index();                             \
        if (lane == 0)                                                               \
            tmp[group] = x;                                                          \
        barrier(CLK_LOCAL_MEM_FENCE);                                                \
        const T sums = lanes(lane < SUBGROUPS ? tmp[lane] : IDENTITY);               \
        const T before = LANE_UNIFORM(T, sums, (group - 1) % SUBGROUP);              \
        *total = LANE_UNIFORM(T, sums, SUBGROUPS - 1);                               \
        return group > 0 ? before : IDENTITY;                                        \
    }
#else
#define DEFINE_SUBGROUP_SCAN(name, lanes, T, OP, IDENTITY) \
    inline T name(T x, __local T *tmp, T *total)           \
    {                                                      \
        const uint group = sg_index();                     \
        if (sg_lane() == 0)                                \
            tmp[group] = x;                                \
        barrier(CLK_LOCAL_MEM_FENCE);                      \
        T all = IDENTITY, before = IDENTITY;               \
        for (uint g = 0; g < SUBGROUPS; g++) {             \
            before = g == group ? all : before;            \
            all = OP(all, tmp[g]);                         \
        }                                                  \
        *total = all;                                      \
        return before;                                     \
    }
#endif
#endif

#define OP_ADD(a, b) ((a) + (b))
#define OP_MAX(a, b) max(a, b)

// ---- CPU devices ---------------------------------------------------------------------
//
// stream_line_T(to, from) writes 16 elements, whose place is a multiple of 16 in a
// buffer, past the caches where the compiler knows how: nobody reads them soon, and
// the line need not be fetched first.
#if IS_CPU
#if defined(__has_builtin)
#if __has_builtin(__builtin_nontemporal_store)
#define STREAM(v, to) __builtin_nontemporal_store(v, to)
#endif
#endif
#ifndef STREAM
#define STREAM(v, to) *(to) = (v)
#endif

inline void stream_line_uint(__global uint *to, const uint *from)
{
    UNROLL for (uint q = 0; q < 4; q++)
        STREAM(vload4(q, from), (__global uint4 *)to + q);
}

inline void stream_line_ulong(__global ulong *to, const ulong *from)
{
    UNROLL for (uint q = 0; q < 8; q++)
        STREAM(vload2(q, from), (__global ulong2 *)to + q);
}
#endif
