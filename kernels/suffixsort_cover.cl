// suffixsort_cover.cl: sorts what is unsorted, all in small groups, by the ranks of a difference cover
// (S. Burkhardt & J. Karkkainen, Fast lightweight suffix array construction and checking, CPM
// 2003). Of two suffixes that agree in the next 13 characters, one distance leads to members of the
// cover from both, and their ranks decide. The members from a suffix on are four in a row.
//
// It is read behind suffixsort.cl, which describes the arrays, and as there a macro chooses:
//   SUFFIXSORT_COVER   compaction: the suffixes of the cover, by their number, in order
//   SUFFIXSORT_MAP     a kernel that makes their groups and depths, for all steps of doubling
//   SUFFIXSORT_GROUPS  in the end, the kernel that sorts all groups, in sa, by counting:
//     ranks            of the suffixes of the cover among themselves, by their number
//
// Launch: a work-group of WG for each tile, as suffixsort.cl has it, or of the last suffixsort_tile.cl, of slots.
//
// Local memory of the last: 17 bytes for each of the WG*ITEMS suffixes, 1/8 more for the groups, 4 for each work-item, 169,
// and what suffixsort_tile.cl has.

// The suffixes of a difference cover start at places that are 0, 1, 3 or 9 modulo 13: for any two places
// just one of the next 13 distances leads from both to such places. These are numbered in the order of
// the text; COVERED_BEFORE is how many are before place i, and so the number of the next one.
#define COVER_MODULO 13
#define COVER_SIZE 4
#define COVERED(i) (0x20bu >> (i) % COVER_MODULO & 1)
#define COVERED_BEFORE(i) (COVER_SIZE * ((i) / COVER_MODULO) + popcount(0x20bu & ((1u << (i) % COVER_MODULO) - 1)))

#ifdef SUFFIXSORT_MAP

// groups and depths of the suffixes of a difference cover, from the slots where the groups that
// they are in among all begin. Lengths are counted in members of the cover, which are as many in any
// 13 places.
KERNEL_WG(WG) suffixsort_covered(__global const uint *begins, ulong n, __global const uint *depths, ulong depths_at, __global uint *groups, __global uint *cover_depths, ulong cover_depths_at)
{
    __local uint words[TILE / 32];
    clear_heads(words);
    barrier(CLK_LOCAL_MEM_FENCE);
    FOR_TILE(r, TILE, n) {
        const uint first = begins[r];
        const bool head = r == 0 || begins[r - (r > 0)] != first;
        set_head(words, r, PLACE(0, 0, head));
        if (!head)
            cover_depths[cover_depths_at + (r - 1) / 2] = depths[depths_at + first / 2] / COVER_MODULO * COVER_SIZE;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    write_heads(words, n, groups);
}

#endif

#ifdef SUFFIXSORT_COVER

#define COMPACT_PARAMS , __global const uint *sa, __global const uint *groups, __global const uint *lasts, __global uint *cover, __global uint *begins
#define COMPACT_ITEM uint
#define COMPACT_LOAD(r) sa[r]
#define COMPACT_KEEP(r) COVERED(item)
#define COMPACT_EMIT(r, to)                   \
    {                                         \
        cover[to] = COVERED_BEFORE(item);     \
        begins[to] = rank_of(groups, lasts, r); \
    }

#endif

#ifdef SUFFIXSORT_GROUPS

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

#ifndef TILE_PARAMS
#error "TILE_PARAMS: parameters, from suffixsort_tile.cl"
#endif

#define MEETINGS (COVER_MODULO * COVER_MODULO)

inline void load_meetings(__local uchar *meetings)
{
    for (uint e = get_local_id(0); e < MEETINGS; e += WG)
        meetings[e] = meeting(e / COVER_MODULO, e % COVER_MODULO);
}

#if IS_CPU

KERNEL_WG(WG) suffixsort_cover(TILE_PARAMS, __global const uint *ranks, __global uint *sa)
{
    __local uchar meetings[MEETINGS];
    load_meetings(meetings);
    uint suffixes[LIMIT], keys[COVER_SIZE * LIMIT];
    const ulong begin = (ulong)get_group_id(0) * ITEMS, last = min(begin + ITEMS, m);
    for (ulong j = next_group(TILE_ARGS, begin, last); j < last; j = next_group(TILE_ARGS, j, last)) {
        const uint size_ = group_size(TILE_ARGS, j, m), slot = SLOT_AT(j);
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

KERNEL_WG(WG) suffixsort_cover(TILE_PARAMS, __global const uint *ranks, __global uint *sa)
{
    __local uint heads[WORDS], tmp[WG], keys[COVER_SIZE * SPAN];
    __local uchar residues[SPAN], meetings[MEETINGS];
    TILE_LOCALS
    const uint lid = get_local_id(0);

    load_meetings(meetings);
    const uint elements = LIST_TILE(m, tmp);
    for (uint done = 0; done < elements;) {
        barrier(CLK_LOCAL_MEM_FENCE);
        for (uint w = lid; w < WORDS; w += WG)
            heads[w] = 0;
        barrier(CLK_LOCAL_MEM_FENCE);
        LOAD_GROUPS(done, elements, m, sa, heads)
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
                sa[slot[k] - (p - first) + smaller] = suffix[k];
            }
        }
        done += taken;
    }
}

#endif

#endif
