// gpuls.cl: the steps of GPU-LS (Fast In-Memory Suffix Sorting on the GPU, sections 4.2 to
// 4.4). A step is chosen by a macro; LS_UPDATE, LS_SPLIT and LS_TABLE are template
// parameters for scan.cl, LS_DIVIDE for radixsort.cl. Names that macros declare end in _.
//
//   sa      n suffixes in h-order
//   isa     n ranks: isa[i] is the slot of the head of the h-group of suffix i
//   uska    n keys: those by which the suffixes of unsorted groups were sorted, by slot
//   usia    the slots in sa of the unsorted suffixes, ascending
//   ughf    a byte for each of them: whether its group starts there
//   ugha, ugta
//           first and last slot of each unsorted group (the paper's UGLA is the length)
//   types   the type of each group in ascending order: sub-types S_0, S_1, ... of up to 2,
//           4, ... r1 suffixes, then M and L; `medium` is the number of M
//   groups  first slot << 32 | length of the groups in the order of their types
//   table   TYPES words: the first group of each type, and of the types after the last;
//           then TYPES words: the suffixes in all groups before
//   offsets for each group of type M or L the suffixes in the M and L groups before it,
//           and those of type S too
//
// Every suffix of an unsorted group is longer than h: a shorter one has a rank of its own.
//
// Launch: LS_SMALL work-groups of WG, as many as the table asks for; LS_COPY one for each
// WG*ITEMS suffixes. Local memory: LS_SMALL 8*TILE.

#define TYPES 16

#ifdef LS_UPDATE

// Section 4.4, steps 1 and 2: a 2h-group starts where an h-group does and where the key
// changes. A maximum scan over the numbers of the heads tells each suffix where its group
// starts; the slot there is the rank. A group that starts where the h-group did keeps the
// rank. heads receives the head flags of the 2h-groups.
#define T uint
#define OP OP_MAX
#define IDENTITY 0u
#define SCAN_PARAMS                                                                                                \
    , __global const uint *restrict usia, __global const uchar *restrict ughf, __global const uint *restrict uska, \
    __global const uint *restrict sa, __global uint *restrict isa, __global uchar *restrict heads
#define SCAN_LOAD(t) (ughf[t] | (ls_key_changes(uska, usia[t]) ? 1 : 0) ? (uint)(t) : 0u)
#define SCAN_STORE(t, before, value)                                          \
    {                                                                         \
        const uint suffix_ = sa[usia[t]], rank_ = usia[value];                \
        heads[t] = (value) == (uint)(t);                                      \
        if (!ughf[value])                                                     \
            isa[suffix_] = rank_;                                             \
    }

// Nothing is conditional, so that the loads of several elements are under way.
inline bool ls_key_changes(__global const uint *uska, uint slot) { return uska[slot] != uska[max(slot, 1u) - 1]; }

#endif

#ifdef LS_SPLIT

// Section 4.4, step 3, and section 4.2: a suffix is sorted if a group starts with it and
// another after it. The rest go on: usia_out, ughf_out, ugha, ugta. counts[0] receives
// the number of their groups << 32 | that of the suffixes. In the first round, where the suffixes are
// all, `usia` is the identity.
#define T ulong
#define OP OP_ADD
#define IDENTITY 0ul
#define SCAN_PARAMS                                                                                    \
    , uint first_round, __global const uint *restrict usia, __global const uchar *restrict heads,      \
    __global uint *restrict usia_out, __global uchar *restrict ughf_out, __global uint *restrict ugha, \
    __global uint *restrict ugta, ulong size, __global ulong *restrict counts
#define ENDS(t) (heads[min((t) + 1, size - 1)] | (uint)((t) + 1 == size))
#define SCAN_LOAD(t) ls_counts(heads[t], ENDS(t))
#define SCAN_STORE(t, before, value)                                 \
    {                                                                \
        const uint slot_ = first_round ? (uint)(t) : usia[t], ends_ = ENDS(t); \
        if ((value) != (before)) {                                   \
            const uint to_ = (uint)(before);                         \
            const bool head_ = (value) - (before) > 1;               \
            usia_out[to_] = slot_;                                   \
            ughf_out[to_] = head_;                                   \
            if (head_)                                               \
                ugha[(uint)((before) >> 32)] = slot_;                \
            else if (ends_)                                          \
                ugta[(uint)((value) >> 32) - 1] = slot_;             \
        }                                                            \
        if ((t) + 1 == size)                                         \
            counts[0] = value;                                       \
    }

inline ulong ls_counts(uint head, uint ends) { return head & ends ? 0ul : (ulong)head << 32 | 1ul; }

#endif

#ifdef LS_DIVIDE

// Section 4.3, the division by length: a pass of the radix sort by type.
inline uint ls_type(uint length, uint r1, uint r2)
{
    return length <= r1 ? 31 - clz(length - 1) : length <= r2 ? 31 - clz(r1) : 32 - clz(r1);
}

#define RADIX_PARAMS , __global const uint *ugha, __global const uint *ugta, uint r1, uint r2
#define LENGTH(k) (ugta[k] - ugha[k] + 1)
#define RADIX_LOAD_KEY(k) ls_type(LENGTH(k), r1, r2)
#define RADIX_LOAD_VALUE(k) ((ulong)ugha[k] << 32 | LENGTH(k))

#endif

#ifdef LS_TABLE

// Where the types start. The scan adds up M and L groups << 32 | suffixes.
#define T ulong
#define OP OP_ADD
#define IDENTITY 0ul
#define SCAN_PARAMS                                                                                            \
    , __global const uint *types, __global const ulong *groups, ulong size, uint medium, __global uint *table, \
    __global uint *offsets
#define SCAN_LOAD(k) ((types[k] >= medium ? 1ul << 32 : 0ul) | (uint)groups[k])
#define SCAN_STORE(k, before, value)                                                        \
    {                                                                                       \
        const uint type_ = types[k];                                                        \
        for (uint t_ = (k) == 0 ? 0 : types[(k) - 1] + 1; t_ <= type_; t_++) {              \
            table[t_] = (uint)(k);                                                          \
            table[TYPES + t_] = (uint)(before);                                             \
        }                                                                                   \
        for (uint t_ = (k) + 1 == size ? type_ + 1 : TYPES; t_ < TYPES; t_++) {             \
            table[t_] = (uint)(k) + 1;                                                      \
            table[TYPES + t_] = (uint)(value);                                              \
        }                                                                                   \
        if (type_ >= medium)                                                                \
            offsets[(uint)((before) >> 32)] = (uint)(before);                               \
    }

#endif

#ifdef LS_SMALL

// Algorithm 2: bitonic segmented sort of the S groups. A work-group takes TILE >> (i+1)
// groups of sub-type S_i and sorts them in local memory, each padded to 2 << i suffixes.
// One launch for all sub-types: those of S_0 come first.
#ifndef TILE
#error "TILE: suffixes of a work-group, a power of two"
#endif

KERNEL_WG(WG) ls_small(
    __global const uint *table, uint medium, __global const ulong *groups, __global uint *sa,
    __global const uint *isa, __global uint *uska, ulong h)
{
    __local ulong items[TILE]; // key << 32 | suffix
    const uint lid = get_local_id(0);
    uint type = 0, block = get_group_id(0);
    for (bool found = false; !found && type < medium;) {
        const uint blocks = (uint)(((ulong)(table[type + 1] - table[type]) + (TILE >> (type + 1)) - 1) /
                                   (TILE >> (type + 1)));
        found = block < blocks;
        if (!found) {
            block -= blocks;
            type++;
        }
    }
    const uint size = 2u << type, end = table[type + 1];
    const ulong first = table[type] + (ulong)block * (TILE / size);

    for (uint p = lid; p < TILE; p += WG) {
        const ulong k = first + p / size;
        const ulong group = k < end ? groups[k] : 0ul;
        const uint r = p % size;
        ulong item = ~0ul;
        if (r < (uint)group) {
            const uint suffix = sa[(uint)(group >> 32) + r];
            item = (ulong)isa[suffix + h] << 32 | suffix;
        }
        items[p] = item;
    }
    barrier(CLK_LOCAL_MEM_FENCE);

    // All comparators point upwards: blocks of `width` are merged by comparing r with
    // width-1-r, then with the one half, a quarter, ... of it away.
    for (uint width = 2; width <= size; width *= 2) {
        for (uint span = width; span > 1; span /= 2) {
            for (uint c = lid; c < TILE / 2; c += WG) {
                const uint r = c % (span / 2), base = (c - r) * 2;
                const uint low = base + r, high = span == width ? base + span - 1 - r : low + span / 2;
                const ulong a = items[low], b = items[high];
                if (a > b) {
                    items[low] = b;
                    items[high] = a;
                }
            }
            barrier(CLK_LOCAL_MEM_FENCE);
        }
    }

    for (uint p = lid; p < TILE; p += WG) {
        const ulong k = first + p / size;
        const ulong group = k < end ? groups[k] : 0ul;
        const uint r = p % size, slot = (uint)(group >> 32) + r;
        if (r < (uint)group) {
            sa[slot] = (uint)items[p];
            uska[slot] = (uint)(items[p] >> 32);
        }
    }
}

#endif

#ifdef LS_COPY

// M and L groups are copied out to consecutive segments, with the keys that they are to be
// sorted by, and back again. They are `segments` groups from number `first` of `groups`
// on, whose offsets are from number `at` on, and have `total` suffixes.
//
// K is ulong where (segment, key) is sorted by: segment << bits | key.
#ifndef K
#error "K: uint or ulong"
#endif
#ifndef K64
#error "K64: 1 if K is ulong, else 0"
#endif
#ifndef ITEMS
#error "ITEMS: suffixes of a work-item"
#endif

#define COPY_TILE (WG * ITEMS)

// The last of the segments [lo, hi] that does not start after suffix q.
inline uint segment_of(__global const uint *offsets, uint lo, uint hi, uint q)
{
    const uint base = offsets[0];
    while (lo < hi) {
        const uint mid = hi - (hi - lo) / 2;
        if (offsets[mid] - base <= q)
            lo = mid;
        else
            hi = mid - 1;
    }
    return lo;
}

// The slot of suffix q, which is in a segment of [s, hi]; s becomes it.
inline uint slot_of(__global const ulong *groups, __global const uint *offsets, uint *s, uint hi, uint q)
{
#if IS_CPU // one work-item comes along all of them in order
    while (*s < hi && offsets[*s + 1] - offsets[0] <= q)
        (*s)++;
#else
    *s = segment_of(offsets, *s, hi, q);
#endif
    return (uint)(groups[*s] >> 32) + (q - (offsets[*s] - offsets[0]));
}

// heads, if `mark`, are a bitmap of zeros; the bits of the segments' heads are set.
KERNEL_WG(WG) ls_copy_out(
    __global const ulong *groups, uint first, __global const uint *offsets, uint at, uint segments, uint total,
    __global const uint *sa, __global const uint *isa, ulong h, uint bits, __global K *keys, __global uint *suffixes,
    uint mark, __global uint *heads)
{
    const ulong base = (ulong)get_group_id(0) * COPY_TILE;
    const uint lo = segment_of(offsets + at, 0, segments - 1, (uint)base);
    const uint hi = segment_of(offsets + at, lo, segments - 1, (uint)min(base + COPY_TILE, (ulong)total) - 1);
    uint s = lo;
    FOR_TILE(q, COPY_TILE, total) {
#if !IS_CPU
        s = lo;
#endif
        const uint slot = slot_of(groups + first, offsets + at, &s, hi, (uint)q);
        const uint suffix = sa[slot], key = isa[suffix + h];
#if K64
        keys[q] = (ulong)s << bits | key;
#else
        keys[q] = key;
#endif
        suffixes[q] = suffix;
        if (mark && slot == (uint)(groups[first + s] >> 32))
            atomic_or(&heads[q / 32], 1u << (q % 32));
    }
}

KERNEL_WG(WG) ls_copy_back(
    __global const ulong *groups, uint first, __global const uint *offsets, uint at, uint segments, uint total,
    uint bits, __global const K *keys, __global const uint *suffixes, __global uint *sa, __global uint *uska)
{
    const ulong base = (ulong)get_group_id(0) * COPY_TILE;
    const uint lo = segment_of(offsets + at, 0, segments - 1, (uint)base);
    const uint hi = segment_of(offsets + at, lo, segments - 1, (uint)min(base + COPY_TILE, (ulong)total) - 1);
    uint s = lo;
    FOR_TILE(q, COPY_TILE, total) {
#if !IS_CPU
        s = lo;
#endif
        const uint slot = slot_of(groups + first, offsets + at, &s, hi, (uint)q);
        sa[slot] = suffixes[q];
#if K64
        uska[slot] = (uint)(keys[q] & ((1ul << bits) - 1));
#else
        uska[slot] = (uint)keys[q];
#endif
    }
}

#endif
