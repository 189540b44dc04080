// suffixsort_groups.cl: a round for all suffixes in small groups, in one kernel: it sorts
// every group by a key of each suffix, in sa, and hands on the places of those that are not
// alone then, in their new groups. DOUBLING 0: keys are windows of text behind what the
// group is sorted by. DOUBLING 1: keys are the ranks of what is behind, and the suffixes get
// new ranks.
//
// Groups are sorted by counting: the place of a suffix in its group is the number of words
// (key, place) smaller than its own. Of groups with one key, as copies have, nothing is counted. They come out in any order: each work-group takes the
// next part of the output, of which counts[into] is the length. suffixsort.cl describes the
// arrays.
//
// Launch: a work-group for each tile, as suffixsort_tile.cl has it.
//
// Local memory: 8.5 bytes for each of the WG*ITEMS suffixes, 4 for each work-item, and the
// table of the code.

#ifndef DOUBLING
#error "DOUBLING: 1 if keys are ranks, 0 if they are windows of text"
#endif

// A suffix's word: its key, and below it its place among at most 256, which decides
// between equal ones.
#define SAME_KEY(a, b) (((a) ^ (b)) >> 8 == 0)

#if DOUBLING
#define KEY_PARAMS __global const uint *keys, __global const uint *depths, __global uint *isa
#define LOAD_TABLE
#define KEY_OF(j, suffix, place) ((ulong)keys[j] << 8)
#define DEPTH_BEHIND(key) depths[(key) >> 9] // under half the rank
#define WORD(key, at) ((key) | (at))
#else
#define KEY_PARAMS __global const uchar *text, __global const ulong *packed, __global const uint *table, ulong size, uint width, uint bits
#define LOAD_TABLE            \
    __local uint codes[SYMBOLS]; \
    load_table(table, codes);
#define KEY_OF(j, suffix, place) window(text, packed, codes, size, width, bits, (ulong)(suffix) + DEPTH_OF(place))
#define DEPTH_BEHIND(key) ((uint)(key) & 0xff)
#define WORD(key, at) ((key) & ~0xfful | (at))
#endif

// Whether a suffix is sorted up to the end of the text: it is smaller than those that agree.
#if DOUBLING
#define REACHES_END(suffix, depth) false
#else
#define REACHES_END(suffix, depth) ((ulong)(suffix) + (depth) >= size)
#endif

#if IS_CPU

KERNEL_WG(WG) suffixsort_groups(__global const ulong *places, ulong m, uint from, uint into, __global uint *counts, __global ulong *places_out, __global uint *sa, KEY_PARAMS)
{
    LOAD_TABLE
    ulong words[LIMIT];
    uint suffixes[LIMIT], depths_[LIMIT], at[LIMIT];
    bool last_of[LIMIT];
    const ulong all = LISTED(m, counts, from);
    const ulong begin = (ulong)get_group_id(0) * ITEMS, last = min(begin + ITEMS, all);
    for (ulong j = first_group(places, begin, last); j < last;) {
        const uint size_ = group_size(places, j, all), slot = SLOT_OF(places[j]);
        for (uint p = 0; p < size_; p++) {
            suffixes[p] = sa[slot + p];
            const ulong key = KEY_OF(j + p, suffixes[p], places[j]);
            depths_[p] = DEPTH_OF(places[j]) + DEPTH_BEHIND(key);
            words[p] = WORD(key, p);
        }
        for (uint p = 0; p < size_; p++) {
            uint smaller = 0;
            for (uint q = 0; q < size_; q++)
                smaller += words[q] < words[p];
            at[smaller] = p;
        }
        // Which of them, in order, is the first of its group, and which the last.
        uint left = size_;
        for (uint r = 0; r < size_; r++) {
            const uint p = at[r];
            last_of[r] = r + 1 == size_ || !SAME_KEY(words[p], words[at[r + 1]]) || REACHES_END(suffixes[p], depths_[p]);
            left -= last_of[r] && (r == 0 || last_of[r - 1]);
        }
        uint first = 0, to = left > 0 ? atomic_add(&counts[into], left) : 0u; // those of a group stay together
        for (uint r = 0; r < size_; r++) {
            const uint p = at[r];
            const bool starts = r == 0 || last_of[r - 1];
            first = starts ? r : first;
            sa[slot + r] = suffixes[p];
#if DOUBLING
            if (first > 0)
                isa[suffixes[p]] = slot + first;
#endif
            if (!starts || !last_of[r])
                places_out[to++] = PLACE(slot + r, depths_[p], starts);
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

DEFINE_WG_SCAN(wg_count, uint, OP_ADD, 0u)

KERNEL_WG(WG) suffixsort_groups(__global const ulong *places, ulong m, uint from, uint into, __global uint *counts, __global ulong *places_out, __global uint *sa, KEY_PARAMS)
{
    // tile: the words, two at a time; heads: firsts of the groups; mixed: of those that have
    // several keys; starts: of the new ones; ended: suffixes that are sorted up to the end; left: those that are not alone.
    __local ulong2 tile[SPAN / 2];
    __local uint heads[WORDS], mixed[WORDS], starts[WORDS], ended[WORDS], left[WORDS], ahead[WORDS], tmp[WG], begin;
    __local ulong *words = (__local ulong *)tile;
    const uint lid = get_local_id(0);
    const ulong base = (ulong)get_group_id(0) * STRIDE, all = LISTED(m, counts, from);

    for (uint w = lid; w < WORDS; w += WG) {
        heads[w] = 0;
        mixed[w] = 0;
        starts[w] = 0;
        ended[w] = 0;
        left[w] = 0;
    }
    LOAD_TABLE
    barrier(CLK_LOCAL_MEM_FENCE);
    LOAD_GROUPS(places, base, all, sa, heads)
    ulong word[ITEMS];
    UNROLL for (uint k = 0; k < ITEMS; k++) {
        const uint p = k * WG + lid, first = range[k] & 0xffff;
        if (range[k] != NONE) {
            const ulong key = KEY_OF(base + p, suffix[k], place[k]);
            word[k] = WORD(key, p - first);
            words[p] = word[k];
            place[k] = PLACE(SLOT_OF(place[k]) - (p - first), DEPTH_OF(place[k]) + DEPTH_BEHIND(key), 0); // of the first
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    UNROLL for (uint k = 0; k < ITEMS; k++) {
        const uint first = range[k] & 0xffff;
        if (range[k] != NONE && !SAME_KEY(words[first], word[k]))
            set_bit(mixed, first);
    }
    barrier(CLK_LOCAL_MEM_FENCE);

    uint to[ITEMS];
    UNROLL for (uint k = 0; k < ITEMS; k++) {
        const uint first = range[k] & 0xffff, end = range[k] >> 16;
        to[k] = k * WG + lid;
        if (range[k] != NONE && has_bit(mixed, first)) {
            to[k] = first;
            uint q = first;
            if (q % 2 == 1) {
                to[k] += words[q] < word[k];
                q++;
            }
            for (; q + 1 < end; q += 2) {
                const ulong2 both = tile[q / 2];
                to[k] += (both.x < word[k] ? 1u : 0u) + (both.y < word[k] ? 1u : 0u);
            }
            if (q < end)
                to[k] += words[q] < word[k];
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    UNROLL for (uint k = 0; k < ITEMS; k++) {
        if (range[k] != NONE) {
            words[to[k]] = word[k];
            if (REACHES_END(suffix[k], DEPTH_OF(place[k])))
                set_bit(ended, to[k]);
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    UNROLL for (uint k = 0; k < ITEMS; k++) {
        if (range[k] != NONE) {
            const uint first = range[k] & 0xffff, end = range[k] >> 16, r = to[k];
            const bool start = r == first || !SAME_KEY(words[r - (r > first)], word[k]) || has_bit(ended, r - (r > first));
            const bool stop = r + 1 == end || !SAME_KEY(words[r + (r + 1 < end)], word[k]) || has_bit(ended, r);
            if (start)
                set_bit(starts, r);
            if (!(start && stop))
                set_bit(left, r);
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    uint total;
    const uint mine = wg_count(lid < WORDS ? popcount(left[lid]) : 0u, tmp, &total);
    if (lid < WORDS)
        ahead[lid] = mine;
    if (lid == 0)
        begin = total > 0 ? atomic_add(&counts[into], total) : 0u;
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE); // sa has been read
    UNROLL for (uint k = 0; k < ITEMS; k++) {
        if (range[k] != NONE) {
            const uint p = k * WG + lid, first = range[k] & 0xffff, r = to[k], slot = SLOT_OF(place[k]) + (r - first);
            if (r != p)
                sa[slot] = suffix[k];
#if DOUBLING
            const uint start = last_bit(starts, r);
            if (start != first)
                isa[suffix[k]] = SLOT_OF(place[k]) + (start - first);
#endif
            if (has_bit(left, r))
                places_out[begin + ahead[r / 32] + popcount(left[r / 32] & up_to(r)) - 1] = PLACE(slot, DEPTH_OF(place[k]), has_bit(starts, r));
        }
    }
}

#endif
