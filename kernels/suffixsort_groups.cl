// suffixsort_groups.cl: a round for all suffixes in small groups, in one kernel: it sorts
// every group by a key of each suffix, writes those that are then alone to their slots,
// and hands on the others, in their new groups. DOUBLING 0: keys are windows of text behind
// what the group is sorted by. DOUBLING 1: keys are the ranks of what is behind, and the
// suffixes get new ranks.
//
// Groups are sorted by counting: a suffix's place in its group is the number of those that
// go before it. They come out in any order: each work-group takes the next part of the
// output, of which `handed_on` counts the suffixes. suffixsort.cl describes the arrays.
//
// Launch: one work-group of WG for each STRIDE = WG*ITEMS - LIMIT suffixes; it treats the
// groups that start among them, of at most LIMIT suffixes. On CPU-shaped devices WG is 1
// and STRIDE is ITEMS.
//
// Local memory: a key for each of the WG*ITEMS suffixes, 3 bytes for 8 of them, 4 bytes
// for each work-item, and the table of the code.

#ifndef ITEMS
#error "ITEMS: suffixes of a work-item"
#endif
#ifndef LIMIT
#error "LIMIT: suffixes of a small group"
#endif
#ifndef DOUBLING
#error "DOUBLING: 1 if keys are ranks, 0 if they are windows of text"
#endif

#if DOUBLING
#define KEY uint
#define KEY_PARAMS __global const uint *keys, __global const uint *depths, __global uint *isa
#define KEY_OF(j, suffix, place) keys[j]
#define LOAD_TABLE
#define REACHES_END(key) false
#else
#define KEY ulong
#define KEY_PARAMS __global const uchar *text, __global const ulong *packed, __global const uint *table, ulong size, uint width, uint bits
#define KEY_OF(j, suffix, place) text_key(text, packed, codes, size, width, bits, suffix, DEPTH_OF(place))
#define LOAD_TABLE            \
    __local uint codes[SYMBOLS]; \
    load_table(table, codes);

// A window, in which bit 7 is set unless it reaches the end of the text: a suffix whose
// window does so is smaller than those that agree.
#define GOES_ON 0x80
#define REACHES_END(key) (((key) & GOES_ON) == 0)
#define SYMBOLS_IN(key) ((uint)(key) & 0x3f)

inline ulong text_key(__global const uchar *text, __global const ulong *packed, __local const uint *codes, ulong size, uint width, uint bits, uint suffix, uint depth)
{
    const ulong from = (ulong)suffix + depth, key = window(text, packed, codes, size, width, bits, from);
    return key | (from + SYMBOLS_IN(key) < size ? GOES_ON : 0);
}
#endif

// What is known of a suffix when its group has been sorted: where it goes, whether it is
// alone, and whether it is the first of its new group.
#define ALONE (1u << 31)
#define FIRST (1u << 30)
#define TO(rank) ((rank) & 0xffffff)
#define NONE (1u << 29) // of another tile, or behind the last

// Writes a suffix that goes to slot `slot`; number `to` of those handed on.
#if DOUBLING
#define DEPTH_BEHIND(key) depths[key]
#else
#define DEPTH_BEHIND(key) SYMBOLS_IN(key)
#endif
#define WRITE(slot, rank, suffix, place, key, to)                                             \
    if ((rank) & ALONE) {                                                                     \
        sa[slot] = suffix;                                                                    \
    } else {                                                                                  \
        suffixes_out[to] = suffix;                                                            \
        places_out[to] = PLACE(slot, DEPTH_OF(place) + DEPTH_BEHIND(key), ((rank) & FIRST) != 0); \
    }

#if IS_CPU

KERNEL_WG(WG) suffixsort_groups(__global const uint *suffixes, __global const ulong *places, ulong m, __global uint *suffixes_out, __global ulong *places_out, __global uint *handed_on, __global uint *sa, KEY_PARAMS)
{
    LOAD_TABLE
    KEY mine[LIMIT];
    uint ranks[LIMIT], at[LIMIT];
    ulong j = (ulong)get_group_id(0) * ITEMS;
    const ulong last = min(j + ITEMS, m);
    while (j < last && j > 0 && !HEAD_OF(places[j]))
        j++;
    while (j < last) {
        uint size_ = 1;
        while (size_ < LIMIT && j + size_ < m && !HEAD_OF(places[j + size_]))
            size_++;
        for (uint p = 0; p < size_; p++)
            mine[p] = KEY_OF(j + p, suffixes[j + p], places[j + p]);
        uint left = 0;
        for (uint p = 0; p < size_; p++) {
            uint smaller = 0, before = 0, same = 0;
            for (uint q = 0; q < size_; q++) {
                smaller += mine[q] < mine[p];
                same += mine[q] == mine[p];
                before += mine[q] == mine[p] && q < p;
            }
            const bool alone = same == 1 || REACHES_END(mine[p]);
            ranks[p] = (smaller + before) | (alone ? ALONE : 0u) | (before == 0 ? FIRST : 0u);
            at[smaller + before] = p;
            left += !alone;
#if DOUBLING
            if (smaller > 0)
                isa[suffixes[j + p]] = SLOT_OF(places[j]) + smaller;
#endif
        }
        uint to = left > 0 ? atomic_add(handed_on, left) : 0u;
        for (uint r = 0; r < size_; r++) {
            const uint p = at[r];
            WRITE(SLOT_OF(places[j]) + r, ranks[p], suffixes[j + p], places[j + p], mine[p], to)
            to += (ranks[p] & ALONE) == 0;
        }
        j += size_;
    }
}

#else

#define SPAN (WG * ITEMS)
#define STRIDE (SPAN - LIMIT)
#define WORDS ((SPAN + 31) / 32)
#if WORDS > WG
#error "ITEMS: at most 32"
#endif

DEFINE_WG_SCAN(wg_count, uint, OP_ADD, 0u)

// The last head up to item p; NONE if there is none.
inline uint first_of(__local const uint *heads, uint p)
{
    uint w = p / 32, word = heads[w] & ((2u << p % 32) - 1);
    while (word == 0 && w > 0)
        word = heads[--w];
    return word != 0 ? 32 * w + 31 - clz(word) : NONE;
}

// The first head behind item p; SPAN if there is none.
inline uint end_of(__local const uint *heads, uint p)
{
    uint w = p / 32, word = heads[w] & ~((2u << p % 32) - 1);
    while (word == 0 && w + 1 < WORDS)
        word = heads[++w];
    return word != 0 ? 32 * w + 31 - clz(word & (0u - word)) : SPAN;
}

KERNEL_WG(WG) suffixsort_groups(__global const uint *suffixes, __global const ulong *places, ulong m, __global uint *suffixes_out, __global ulong *places_out, __global uint *handed_on, __global uint *sa, KEY_PARAMS)
{
    __local KEY tile[SPAN];
    __local uint heads[WORDS], left[WORDS], ahead[WORDS], tmp[WG], begin;
    const uint lid = get_local_id(0);
    const ulong base = (ulong)get_group_id(0) * STRIDE;

    for (uint w = lid; w < WORDS; w += WG) {
        heads[w] = 0;
        left[w] = 0;
    }
    LOAD_TABLE
    barrier(CLK_LOCAL_MEM_FENCE);
    ulong place[ITEMS];
#pragma unroll
    for (uint k = 0; k < ITEMS; k++) {
        const uint p = k * WG + lid;
        place[k] = base + p < m ? places[base + p] : PLACE(0, 0, 1); // the last group ends
    }
#pragma unroll
    for (uint k = 0; k < ITEMS; k++) {
        const uint p = k * WG + lid;
#if LANE_WORDS
        const ulong set = lane_ballot(HEAD_OF(place[k]));
        if (p % 32 == 0)
            heads[p / 32] = (uint)(set >> p % SUBGROUP);
#else
        if (HEAD_OF(place[k]))
            atomic_or(&heads[p / 32], 1u << p % 32);
#endif
    }
    barrier(CLK_LOCAL_MEM_FENCE);

    uint suffix[ITEMS], rank[ITEMS]; // rank: at first where the group starts
    KEY key[ITEMS];
#pragma unroll
    for (uint k = 0; k < ITEMS; k++) {
        const uint p = k * WG + lid;
        const uint first = first_of(heads, p);
        rank[k] = base + p < m && first < STRIDE ? first : NONE;
        if (rank[k] != NONE)
            suffix[k] = suffixes[base + p];
    }
#pragma unroll
    for (uint k = 0; k < ITEMS; k++) {
        const uint p = k * WG + lid;
        if (rank[k] != NONE) {
            key[k] = KEY_OF(base + p, suffix[k], place[k]);
            tile[p] = key[k];
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE);

#pragma unroll
    for (uint k = 0; k < ITEMS; k++) {
        const uint p = k * WG + lid, first = rank[k];
        if (first != NONE) {
            const uint end = end_of(heads, p);
            uint smaller = 0, before = 0, same = 0;
            for (uint q = first; q < end; q++) {
                const KEY other = tile[q];
                smaller += other < key[k];
                same += other == key[k];
                before += other == key[k] && q < p;
            }
            const bool alone = same == 1 || REACHES_END(key[k]);
            const uint to = first + smaller + before;
            rank[k] = to | (alone ? ALONE : 0u) | (before == 0 ? FIRST : 0u);
            if (!alone)
                atomic_or(&left[to / 32], 1u << to % 32);
#if DOUBLING
            if (smaller > 0)
                isa[suffix[k]] = SLOT_OF(place[k]) - (p - first) + smaller;
#endif
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    uint total;
    const uint mine = wg_count(lid < WORDS ? popcount(left[lid]) : 0u, tmp, &total);
    if (lid < WORDS)
        ahead[lid] = mine;
    if (lid == 0)
        begin = total > 0 ? atomic_add(handed_on, total) : 0u;
    barrier(CLK_LOCAL_MEM_FENCE);
#pragma unroll
    for (uint k = 0; k < ITEMS; k++) {
        const uint p = k * WG + lid, r = TO(rank[k]);
        if (rank[k] != NONE) {
            const uint to = begin + ahead[r / 32] + popcount(left[r / 32] & ((1u << r % 32) - 1));
            WRITE(SLOT_OF(place[k]) - p + r, rank[k], suffix[k], place[k], key[k], to)
        }
    }
}

#endif
