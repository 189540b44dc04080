// hybrid.cl: the prefix doubling inside the hybrid of skew and prefix doubling (L. Wang, S.
// Baxter & J. D. Owens 2016, Figure 5, right). A step is chosen by a macro; HY_UPDATE are
// template parameters for scan.cl. Names that macros declare end in _.
//
//   sa12    the m suffixes of the sample by number, sorted by their first 3d characters: d
//           symbols of the text of triplets
//   ranks   m ranks: 1 more than the slot of the head of the group of a suffix
//   usia    the slots of the unsorted suffixes, ascending
//   ughf    a byte for each of them: whether its group starts there
//   keys, suffixes
//           the same suffixes with what they are sorted by
//
// Launch: HY_PAIRS one work-group of WG for each WG*ITEMS suffixes. No local memory.

#ifdef HY_PAIRS

#ifndef ITEMS
#error "ITEMS: suffixes of a work-item"
#endif

// Line 7: the ranks d and 2d symbols further; after the end there is nothing smaller.
KERNEL_WG(WG) hybrid_pairs(
    __global const uint *restrict usia, uint unsorted, __global const uint *restrict sa12,
    __global const uint *restrict ranks, uint m, ulong d, __global ulong *restrict keys,
    __global uint *restrict suffixes)
{
    FOR_TILE(t, WG * ITEMS, unsorted) {
        const uint suffix = sa12[usia[t]];
        const ulong once = suffix + d, twice = once + d;
        keys[t] = (ulong)(once < m ? ranks[once] : 0u) << 32 | (twice < m ? ranks[twice] : 0u);
        suffixes[t] = suffix;
    }
}

#endif

#ifdef HY_UPDATE

// Line 8: as LS_UPDATE of gpuls.cl, for suffixes and keys that are packed.
#define T uint
#define OP OP_MAX
#define IDENTITY 0u
#define SCAN_PARAMS                                                                                                 \
    , __global const uint *restrict usia, __global const uchar *restrict ughf, __global const ulong *restrict keys, \
    __global const uint *restrict suffixes, __global uint *restrict sa12, __global uint *restrict ranks,            \
    __global uchar *restrict heads
#define SCAN_LOAD(t) (ughf[t] | (keys[t] != keys[max((t), 1ul) - 1] ? 1 : 0) ? (uint)(t) : 0u)
#define SCAN_STORE(t, before, value)                             \
    {                                                            \
        const uint suffix_ = suffixes[t], head_ = usia[value];   \
        sa12[usia[t]] = suffix_;                                 \
        heads[t] = (value) == (uint)(t);                         \
        if (!ughf[value])                                        \
            ranks[suffix_] = head_ + 1;                          \
    }

#endif
