// segsort_group.cl: stable sorts in local memory. BLOCKS 0: of the segments of `least` to
// LIMIT items, several of them together; items of other segments are left alone. BLOCKS 1:
// of blocks of up to WG*ITEMS items of longer segments, which are merged afterwards
// (segsort_merge.cl).
//
// GPU shape, LIMIT = WG*ITEMS/2: one work-group of WG for each LIMIT items; it takes the
// segments that start among them, which end among the first WG*ITEMS, and packs their
// items. They are sorted as (segment, key, place): each work-item sorts ITEMS of them,
// then pairs of runs are merged along the merge path, pairs that are in order excepted.
// CPU shape, LIMIT = WG*ITEMS: one work-item for each LIMIT items; it sorts the segments
// that start among them one after the other, by insertion, and from there by merging
// between the two arrays: keys_in and values_in are scratch.
// Blocks: one work-group of WG for each, which writes to where the rounds of merges, an even
// or odd number of them, start: to *_out or back to *_in.
//
// Local memory, GPU shape: 8 bytes an item, 12 if K64; for segments also 12 bytes for 32
// items, and 8*WG.

#ifndef BLOCKS
#error "BLOCKS: 1 to sort blocks of segments, 0 to sort segments"
#endif

#if IS_CPU

#define LIMIT (WG * ITEMS)
#define RUN 16

// Sorts [h, e) of one array into another, which may be the same, by insertion.
inline void sort_run(
    __global const K *keys, __global K *keys_to, __global const V *values, __global V *values_to, ulong h, ulong e)
{
    for (ulong i = h; i < e; i++) {
        const K key = keys[i];
        const V value = values[i];
        ulong to = i;
        for (; to > h && keys_to[to - 1] > key; to--) {
            keys_to[to] = keys_to[to - 1];
            values_to[to] = values_to[to - 1];
        }
        keys_to[to] = key;
        values_to[to] = value;
    }
}

inline void merge_runs(
    __global const K *keys, __global K *keys_to, __global const V *values, __global V *values_to, ulong h, ulong mid,
    ulong e)
{
    ulong i = h, j = mid;
    for (ulong to = h; to < e; to++) {
        const bool take_b = i >= mid || j < e && keys[j] < keys[i];
        const ulong from = take_b ? j++ : i++;
        keys_to[to] = keys[from];
        values_to[to] = values[from];
    }
}

// Sorts [h, e) into one of the two pairs of arrays, both of which it uses: by insertion
// into runs, then in rounds of merges, the last of which writes to the result.
inline void sort_range(
    __global K *keys_in, __global K *keys_out, __global V *values_in, __global V *values_out, ulong h, ulong e,
    bool in_place)
{
    uint rounds = 0;
    while (((ulong)RUN << rounds) < e - h)
        rounds++;
    bool in = (rounds % 2 == 0) == in_place; // where the items are
    for (ulong run = h; run < e; run += RUN) {
        if (in)
            sort_run(keys_in, keys_in, values_in, values_in, run, min(run + RUN, e));
        else
            sort_run(keys_in, keys_out, values_in, values_out, run, min(run + RUN, e));
    }
    for (uint r = 0; r < rounds; r++) {
        const ulong width = (ulong)RUN << r;
        for (ulong run = h; run < e; run += 2 * width) {
            const ulong mid = min(run + width, e), end = min(run + 2 * width, e);
            if (in)
                merge_runs(keys_in, keys_out, values_in, values_out, run, mid, end);
            else
                merge_runs(keys_out, keys_in, values_out, values_in, run, mid, end);
        }
        in = !in;
    }
}

#if BLOCKS

KERNEL_WG(WG) segsort_block(__global const uint4 *blocks, PAIRS_PARAMS())
{
    PAIRS_BEGIN
    const uint4 block = blocks[get_group_id(0)];
    const ulong end = (ulong)block.x + block.y, base = block.x + (ulong)block.z * LIMIT;
    sort_range(keys_in, keys_out, values_in, values_out, base, min(base + LIMIT, end), block.w % 2 == 1);
}

#else

KERNEL_WG(WG) segsort_group(__global const uint *heads, ulong n, uint least, PAIRS_PARAMS())
{
    PAIRS_BEGIN
    const ulong base = (ulong)get_group_id(0) * LIMIT, end = min(base + LIMIT, n);
    for (ulong w = base / 32; w * 32 < end; w++) {
        uint word = head_word(heads, w, n);
        while (word != 0) {
            const ulong h = w * 32 + first_bit(word);
            word &= word - 1;
            if (h < base || h >= end)
                continue;
            const ulong e = word != 0 ? w * 32 + first_bit(word) : head_after(heads, w, h + LIMIT, n);
            if (e - h <= LIMIT && e - h >= least)
                sort_range(keys_in, keys_out, values_in, values_out, h, e, false);
        }
    }
}

#endif

#else // GPU shape

#define CAPACITY (WG * ITEMS)
#define LIMIT (CAPACITY / 2)
#define WORDS (CAPACITY / 32)

// What is sorted: no two are equal, and the largest pads the end.
#if K64
typedef ulong2 item; // key, and segment << 16 | place
#define ITEM_LARGEST ((ulong2)(~0ul, ~0ul))
#define ITEM_LOCAL __local ulong keys_[CAPACITY]; __local uint tags_[CAPACITY];
#define ITEM_PARAMS __local ulong *keys_, __local uint *tags_
#define ITEM_ARGS keys_, tags_
#define ITEM_GET(q) (ulong2)(keys_[q], (ulong)tags_[q])
#define ITEM_PUT(q, e)              \
    do {                         \
        keys_[q] = (e).x;        \
        tags_[q] = (uint)(e).y;  \
    } while (0)
#define ITEM_MAKE(segment, key, place) (ulong2)(key, (ulong)((segment) << 16 | (place)))
#define ITEM_KEY(e) (e).x
#define ITEM_PLACE(e) ((uint)(e).y & 0xffff)
inline bool item_less(item a, item b)
{
    const uint s = (uint)a.y >> 16, t = (uint)b.y >> 16;
    return s < t || (s == t && (a.x < b.x || (a.x == b.x && (uint)a.y < (uint)b.y)));
}
#else
typedef ulong item; // segment << 48 | key << 16 | place
#define ITEM_LARGEST (~0ul)
#define ITEM_LOCAL __local ulong words_[CAPACITY];
#define ITEM_PARAMS __local ulong *words_
#define ITEM_ARGS words_
#define ITEM_GET(q) words_[q]
#define ITEM_PUT(q, e) words_[q] = e
#define ITEM_MAKE(segment, key, place) ((ulong)(segment) << 48 | (ulong)(key) << 16 | (place))
#define ITEM_KEY(e) (K)((e) >> 16)
#define ITEM_PLACE(e) ((uint)(e) & 0xffff)
inline bool item_less(item a, item b) { return a < b; }
#endif

// Sorts the first `count` items. All of them are there when it is called, and when it
// returns. It is long, and compilers that do not inline it do not find it either: AMD's.
#if ITEMS > 32
#error "ITEMS: at most 32"
#endif
#define NETWORK 5 // 2^5 items

__attribute__((always_inline)) inline void sort_items(ITEM_PARAMS, uint count)
{
    // ITEMS for each work-item, by an odd-even merge sort.
    const uint lid = get_local_id(0), first = lid * ITEMS, top = (count + ITEMS - 1) / ITEMS * ITEMS;
    item mine[ITEMS];
    if (first < count) {
        UNROLL for (uint k = 0; k < ITEMS; k++)
            mine[k] = first + k < count ? ITEM_GET(first + k) : ITEM_LARGEST;
        UNROLL for (uint lp = 0; lp < NETWORK; lp++)
        {
            UNROLL for (uint lk = 0; lk < NETWORK; lk++)
            {
                UNROLL for (uint k = 0; k < ITEMS; k++)
                {
                    const uint p = 1u << lp, d = p >> lk, skip = lk == 0 ? 0u : d;
                    if (p < ITEMS && d > 0 && k >= skip && (k - skip) / max(d, 1u) % 2 == 0 && k + d < ITEMS &&
                        k / (2 * p) == (k + d) / (2 * p)) {
                        const item a = mine[k], b = mine[(k + d) % ITEMS];
                        const bool swap = item_less(b, a);
                        mine[k] = swap ? b : a;
                        mine[(k + d) % ITEMS] = swap ? a : b;
                    }
                }
            }
        }
        UNROLL for (uint k = 0; k < ITEMS; k++)
            ITEM_PUT(first + k, mine[k]);
    }

    // Merge runs of `run` work-items. What a work-item holds in `mine` is what stands in
    // its place.
    for (uint run = 1; run * ITEMS < count; run *= 2) {
        barrier(CLK_LOCAL_MEM_FENCE);
        const uint a_first = (lid & ~(2 * run - 1)) * ITEMS;
        const uint a_end = min(a_first + run * ITEMS, top), b_end = min(a_end + run * ITEMS, top);
        bool merge = first < top && a_end < b_end;
        if (merge)
            merge = item_less(ITEM_GET(a_end), ITEM_GET(a_end - 1));
        if (merge) {
            const uint diagonal = first - a_first, a_count = a_end - a_first, b_count = b_end - a_end;
            uint lo = (uint)max((int)(diagonal - b_count), 0), hi = min(diagonal, a_count);
            while (lo < hi) {
                const uint mid = (lo + hi) / 2;
                if (item_less(ITEM_GET(a_end + diagonal - 1 - mid), ITEM_GET(a_first + mid)))
                    hi = mid;
                else
                    lo = mid + 1;
            }
            uint i = a_first + lo, j = a_end + diagonal - lo;
            item a = ITEM_GET(min(i, a_end - 1)), b = ITEM_GET(min(j, b_end - 1));
            UNROLL for (uint k = 0; k < ITEMS; k++) {
                const bool take_b = i >= a_end || (j < b_end && item_less(b, a));
                mine[k] = take_b ? b : a;
                i += take_b ? 0u : 1u;
                j += take_b ? 1u : 0u;
                const item next = ITEM_GET(take_b ? min(j, b_end - 1) : min(i, a_end - 1));
                a = take_b ? a : next;
                b = take_b ? next : b;
            }
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        if (merge) {
            UNROLL for (uint k = 0; k < ITEMS; k++)
                ITEM_PUT(first + k, mine[k]);
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
}

#if BLOCKS

KERNEL_WG(WG) segsort_block(__global const uint4 *blocks, PAIRS_PARAMS())
{
    PAIRS_BEGIN
    ITEM_LOCAL
    const uint lid = get_local_id(0);
    const uint4 block = blocks[get_group_id(0)];
    const ulong base = block.x + (ulong)block.z * CAPACITY;
    const uint count = min((uint)CAPACITY, block.y - block.z * CAPACITY);
    const bool in_place = block.w % 2 == 1;

    UNROLL for (uint k = 0; k < ITEMS; k++) {
        const uint p = k * WG + lid;
        if (p < count) {
            const item e = ITEM_MAKE(0u, keys_in[base + p], p);
            ITEM_PUT(p, e);
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    sort_items(ITEM_ARGS, count);
    // All values are read before the first is written: it may be in place.
    V values[ITEMS];
    UNROLL for (uint k = 0; k < ITEMS; k++) {
        const uint p = k * WG + lid;
        if (p < count) {
            const item e = ITEM_GET(p);
            values[k] = values_in[base + ITEM_PLACE(e)];
        }
    }
    barrier(CLK_GLOBAL_MEM_FENCE);
    __global K *keys = in_place ? keys_in : keys_out;
    __global V *values_to = in_place ? values_in : values_out;
    UNROLL for (uint k = 0; k < ITEMS; k++) {
        const uint p = k * WG + lid;
        if (p < count) {
            const item e = ITEM_GET(p);
            keys[base + p] = ITEM_KEY(e);
            values_to[base + p] = values[k];
        }
    }
}

#else

DEFINE_WG_SCAN(wg_max, uint, OP_MAX, 0u)
DEFINE_WG_SCAN(wg_sum, uint, OP_ADD, 0u)

KERNEL_WG(WG) segsort_group(__global const uint *heads, ulong n, uint least, PAIRS_PARAMS(const))
{
    PAIRS_BEGIN
    ITEM_LOCAL
    __local uint mine_mask[WORDS]; // the items to be sorted
    __local uint packed[WORDS];    // how many of them are before the word
    __local uint head_bits[WORDS]; // the heads of the tile
    __local uint open[WORDS];      // the last head before the word
    __local uint tmp[WG], nexts[WG];
    const uint lid = get_local_id(0);
    const ulong base = (ulong)get_group_id(0) * LIMIT;

    // Find the segments to sort. One work-item a word of the bitmap: the last head before, the first after; places
    // in the tile plus 1, 0 standing for none.
    const bool have = lid < WORDS;
    const uint mirror = WG - 1 - lid; // the other way round, for the first after
    if (have)
        head_bits[lid] = head_word(heads, base / 32 + lid, n);
    barrier(CLK_LOCAL_MEM_FENCE); // all together again: the scans may use shuffles
    const uint word = have ? head_bits[lid] : 0u, mirrored = mirror < WORDS ? head_bits[mirror] : 0u;
    uint all;
    const uint previous = wg_max(word != 0 ? lid * 32 + last_bit(word) + 1 : 0u, tmp, &all);
    const uint after = wg_max(mirrored != 0 ? CAPACITY - (mirror * 32 + first_bit(mirrored)) : 0u, tmp, &all);
    nexts[mirror] = CAPACITY - after; // CAPACITY where there is none
    barrier(CLK_LOCAL_MEM_FENCE);

    // Choose the items: mask has those of the word that are in short segments.
    uint mask = 0;
    if (have) {
        uint start = previous - 1, left = word; // of the segment that is open
        uint from = 0;                          // its first bit in the word
        bool known = previous != 0;
        for (;;) {
            const uint to = left != 0 ? first_bit(left) : 32u;
            const uint end = left != 0 ? lid * 32 + to : nexts[lid];
            if (known && start < LIMIT && end < CAPACITY && end - start >= least && end - start <= LIMIT && to > from)
                mask |= (0xffffffffu >> (32 - (to - from))) << from;
            if (left == 0)
                break;
            left &= left - 1;
            from = to;
            start = lid * 32 + to;
            known = true;
        }
        // From n on every place is a head.
        const ulong first = base + lid * 32;
        if (first + 32 > n)
            mask &= first >= n ? 0u : 0xffffffffu >> (uint)(first + 32 - n);
    }
    barrier(CLK_LOCAL_MEM_FENCE); // as above

    // Count them.
    uint count;
    const uint before = wg_sum((uint)popcount(mask), tmp, &count);
    if (have) {
        mine_mask[lid] = mask;
        packed[lid] = before;
        open[lid] = previous - 1;
    }
    barrier(CLK_LOCAL_MEM_FENCE);

    // Pack.
    UNROLL for (uint k = 0; k < ITEMS; k++) {
        const uint p = k * WG + lid, w = p / 32, b = p % 32;
        if (count > 0 && (mine_mask[w] >> b & 1)) {
            const uint here = head_bits[w] & (0xffffffffu >> (31 - b));
            const uint start = here != 0 ? w * 32 + last_bit(here) : open[w];
            const uint q = packed[w] + (uint)popcount(mine_mask[w] & ((1u << b) - 1));
            const item e = ITEM_MAKE(start, keys_in[base + p], p);
            ITEM_PUT(q, e);
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE);

    // Sort.
    sort_items(ITEM_ARGS, count);

    // Unpack and store.
    UNROLL for (uint k = 0; k < ITEMS; k++) {
        const uint p = k * WG + lid, w = p / 32, b = p % 32;
        if (count > 0 && (mine_mask[w] >> b & 1)) {
            const item e = ITEM_GET(packed[w] + (uint)popcount(mine_mask[w] & ((1u << b) - 1)));
            keys_out[base + p] = ITEM_KEY(e);
            values_out[base + p] = values_in[base + ITEM_PLACE(e)];
        }
    }
}

#endif

#endif
