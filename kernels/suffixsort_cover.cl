// suffixsort_cover.cl: sorts all suffixes in small groups, in sa, by the ranks of a difference cover
// (S. Burkhardt & J. Karkkainen, Fast lightweight suffix array construction and checking, CPM
// 2003). Of two suffixes that agree in the next 13 characters, one distance leads to members of the
// cover from both, and their ranks decide. The members from a suffix on are four in a row.
//
//   places  suffixsort.cl
//   ranks   of the suffixes of the cover among themselves, by their number
//
// Groups are sorted by counting; nothing is left unsorted. Launch: a work-group for each tile, as
// suffixsort_tile.cl has it.
//
// Local memory: 17 bytes for each of the WG*ITEMS suffixes, 1/8 more for the groups, and 169.

// Which of the members from place i on, and which from j on, are at the same distance: in the low
// and in the next 2 bits. i and j are modulo 13.
inline uchar meeting(uint i, uint j)
{
    uint distance = 0;
    while (distance < COVER_MODULO - 1 && i != j && !(COVERED(i + distance) && COVERED(j + distance)))
        distance++;
    const uint from_i = COVERED_BEFORE(i + distance) - COVERED_BEFORE(i), from_j = COVERED_BEFORE(j + distance) - COVERED_BEFORE(j);
    return i == j ? 0 : (uchar)(from_i | from_j << 2);
}

#define MEETINGS (COVER_MODULO * COVER_MODULO)

inline void load_meetings(__local uchar *meetings)
{
    for (uint e = get_local_id(0); e < MEETINGS; e += WG)
        meetings[e] = meeting(e / COVER_MODULO, e % COVER_MODULO);
}

#if IS_CPU

KERNEL_WG(WG) suffixsort_cover(__global const ulong *places, ulong m, __global const uint *ranks, __global uint *sa)
{
    __local uchar meetings[MEETINGS];
    load_meetings(meetings);
    uint suffixes[LIMIT], keys[COVER_SIZE * LIMIT];
    const ulong begin = (ulong)get_group_id(0) * ITEMS, last = min(begin + ITEMS, m);
    for (ulong j = first_group(places, begin, last); j < last;) {
        const uint size_ = group_size(places, j, m), slot = SLOT_OF(places[j]);
        for (uint p = 0; p < size_; p++) {
            suffixes[p] = sa[slot + p];
            for (uint x = 0; x < COVER_SIZE; x++)
                keys[COVER_SIZE * p + x] = ranks[COVERED_BEFORE(suffixes[p]) + x];
        }
        for (uint p = 0; p < size_; p++) {
            uint smaller = 0;
            for (uint q = 0; q < size_; q++) {
                const uint meet = meetings[suffixes[p] % COVER_MODULO * COVER_MODULO + suffixes[q] % COVER_MODULO];
                smaller += keys[COVER_SIZE * q + (meet >> 2)] < keys[COVER_SIZE * p + (meet & 3)];
            }
            sa[slot + smaller] = suffixes[p];
        }
        j += size_;
    }
}

#else

#ifndef SPAN
#error "SPAN: places of a tile, from suffixsort_tile.cl"
#endif
#ifndef STRIDE
#error "STRIDE: those that a work-group begins with, from suffixsort_tile.cl"
#endif
#ifndef WORDS
#error "WORDS: of a bitmap of them, from suffixsort_tile.cl"
#endif
#ifndef NONE
#error "NONE: no group, from suffixsort_tile.cl"
#endif
#ifndef LOAD_GROUPS
#error "LOAD_GROUPS: the places of a work-item, from suffixsort_tile.cl"
#endif

KERNEL_WG(WG) suffixsort_cover(__global const ulong *places, ulong m, __global const uint *ranks, __global uint *sa)
{
    __local uint heads[WORDS], keys[COVER_SIZE * SPAN];
    __local uchar residues[SPAN], meetings[MEETINGS];
    const uint lid = get_local_id(0);
    const ulong base = (ulong)get_group_id(0) * STRIDE;

    for (uint w = lid; w < WORDS; w += WG)
        heads[w] = 0;
    load_meetings(meetings);
    barrier(CLK_LOCAL_MEM_FENCE);
    LOAD_GROUPS(places, base, m, sa, heads)
    UNROLL for (uint k = 0; k < ITEMS; k++) {
        const uint p = k * WG + lid;
        if (range[k] != NONE) {
            const uint at = COVERED_BEFORE(suffix[k]);
            for (uint x = 0; x < COVER_SIZE; x++)
                keys[COVER_SIZE * p + x] = ranks[at + x];
            residues[p] = (uchar)(suffix[k] % COVER_MODULO);
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE); // sa has been read
    UNROLL for (uint k = 0; k < ITEMS; k++) {
        const uint p = k * WG + lid, first = range[k] & 0xffff, end = range[k] >> 16;
        if (range[k] != NONE) {
            const uint mine = residues[p] * COVER_MODULO;
            uint smaller = 0;
            for (uint q = first; q < end; q++) {
                const uint meet = meetings[mine + residues[q]];
                smaller += keys[COVER_SIZE * q + (meet >> 2)] < keys[COVER_SIZE * p + (meet & 3)];
            }
            sa[SLOT_OF(place[k]) - (p - first) + smaller] = suffix[k];
        }
    }
}

#endif
