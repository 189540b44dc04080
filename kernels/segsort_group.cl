// segsort_group.cl: after localsort.cl, stable sorts in local memory. BLOCKS 0: of the segments of `least` to
// LIMIT items, several of them together; items of other segments are left alone. BLOCKS 1:
// of blocks of up to WG*ITEMS items of longer segments, which are merged afterwards
// (segsort_merge.cl).
//
// GPU shape, LIMIT = WG*ITEMS/2: one work-group of WG for each LIMIT items; it takes the
// segments that start among them, which end among the first WG*ITEMS, and packs their
// items. They are sorted as (segment, key, place) by localsort.cl.
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
        const bool take_b = i >= mid || (j < e && keys[j] < keys[i]);
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

#ifndef CAPACITY
#error "CAPACITY: items in local memory, from localsort.cl"
#endif
#ifndef ITEM_LOCAL
#error "ITEM_LOCAL: local memory of items, from localsort.cl"
#endif
#ifndef ITEM_ARGS
#error "ITEM_ARGS: that as arguments, from localsort.cl"
#endif
#ifndef ITEM_MAKE
#error "ITEM_MAKE: an item, from localsort.cl"
#endif
#ifndef ITEM_PUT
#error "ITEM_PUT: writes one, from localsort.cl"
#endif
#ifndef ITEM_GET
#error "ITEM_GET: reads one, from localsort.cl"
#endif
#ifndef ITEM_KEY
#error "ITEM_KEY: its key, from localsort.cl"
#endif
#ifndef ITEM_PLACE
#error "ITEM_PLACE: its place, from localsort.cl"
#endif

#define LIMIT (CAPACITY / 2)
#define WORDS (CAPACITY / 32)

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
    sort_items(ITEM_ARGS, count, WG);
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
    sort_items(ITEM_ARGS, count, WG);

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
