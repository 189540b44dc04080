// segsort_rank.cl: sorts the segments of at most 64 items stably, by counting ranks: an
// item's place in its segment is the number of items that go before it. Items of longer
// segments are left alone.
//
// Launch: one work-group of WG for each WG*ITEMS - 64 items; it sorts the segments that
// start among them, which end among its WG*ITEMS. Not for CPU-shaped devices.
//
// Local memory: 8 bytes an item and the bitmap.
//
// A 32-bit key goes into a word of (segment << 48 | key << 16 | place), the segment being
// the place of its head: items of earlier segments are smaller, those of later segments
// larger, so an item's place is `lo` plus the number of smaller words in [lo, hi), for
// every lo up to its segment's start and every hi from its end. Two neighbouring items
// share the loop, which reads two words at a time.

#define SPAN (WG * ITEMS)
#define STRIDE (SPAN - 64)
#define PAIRS (ITEMS / 2)
#define WORDS (SPAN / 32)

// Items i and i+1, i being even; those from n on are 0.
#define PAIR_OF(T) JOIN(T, 2)
#define LOAD_PAIR(T, array, i)                                     \
    ((i) + 1 < n ? ((__global const PAIR_OF(T) *)(array))[(i) / 2] \
                 : (PAIR_OF(T))((i) < n ? (array)[i] : (T)0, (T)0))

#if !IS_CPU

KERNEL_WG(WG) segsort_rank(__global const uint *heads, ulong n, PAIRS_PARAMS(const))
{
    PAIRS_BEGIN
    __local ulong2 tile[SPAN / 2];
    __local uint padded[WORDS + 4]; // no head is known before the tile, nor needed after it
    __local uint *words = padded + 2;
    const uint lid = get_local_id(0);
    const ulong base = (ulong)get_group_id(0) * STRIDE;

    // Load the heads and the keys.
    for (uint w = lid; w < WORDS + 4; w += WG)
        padded[w] = w >= 2 && w < WORDS + 2 ? head_word(heads, base / 32 + (w - 2), n) : 0u;
    K x_key[PAIRS], y_key[PAIRS];
    UNROLL for (uint k = 0; k < PAIRS; k++) {
        const uint p = 2 * (k * WG + lid);
        const PAIR_OF(K) keys = LOAD_PAIR(K, keys_in, base + p);
        x_key[k] = keys.x;
        y_key[k] = keys.y;
    }
    barrier(CLK_LOCAL_MEM_FENCE);

    // Find where the segments of both items start and end. `range` is lo, hi << 14, whether
    // the segment starts at the odd place after lo, and whether the first and the
    // second item are to be sorted.
    uint range[PAIRS];
    UNROLL for (uint k = 0; k < PAIRS; k++) {
        const uint p = 2 * (k * WG + lid), w = p / 32, b = p % 32;
        const ulong before = ((ulong)words[w] << 32 | words[(int)w - 1]) << (31 - b) |
                             (ulong)words[(int)w - 2] >> (b + 1);
        const ulong after = ((ulong)words[w + 1] << 32 | words[w]) >> (b + 1) >> 1 | (ulong)words[w + 2] << (62 - b);
        const bool split = words[w] >> (b + 1) & 1; // the second item is a head
        // Places of the first head at or before the first item, and after the second.
        const int start = (int)p - (int)clz(before);
        const uint end = p + 2 + (after != 0 ? 63u - (uint)clz(after & (0ul - after)) : 64u);
        const uint x_start = (uint)max(start, 0), y_start = split ? p + 1 : x_start;
        const uint x_end = split ? p + 1 : end;
        const bool known = before != 0;
        const bool x_sort = known && x_start < STRIDE && x_end - x_start <= 64;
        const bool y_sort = (known || split) && y_start < STRIDE && end - y_start <= 64;
        const uint lo = x_sort ? x_start : y_start, hi = y_sort ? end : x_end;
        range[k] = (lo & ~1u) | hi << 14 | (lo & 1) << 29 | (x_sort ? 1u << 30 : 0u) | (y_sort ? 1u << 31 : 0u);
#if K64
        tile[p / 2] = (ulong2)(x_key[k], y_key[k]);
        range[k] |= split ? 1u : 0u; // lo is even
#else
        tile[p / 2] = (ulong2)((ulong)x_start << 48 | (ulong)x_key[k] << 16 | p,
                               (ulong)y_start << 48 | (ulong)y_key[k] << 16 | (p + 1));
#endif
    }
    barrier(CLK_LOCAL_MEM_FENCE);

    // Rank: an item goes to the place after the smaller ones of its segment. Each is stored when it is known.
    UNROLL for (uint k = 0; k < PAIRS; k++) {
        const uint p = 2 * (k * WG + lid);
        const bool x_sort = (range[k] >> 30 & 1) && base + p < n;
        const bool y_sort = range[k] >> 31 && base + p + 1 < n;
        if (!x_sort && !y_sort)
            continue;
        const PAIR_OF(V) values = LOAD_PAIR(V, values_in, base + p);
        const uint lo = range[k] & 0x3ffe, hi = range[k] >> 14 & 0x7fff;
        uint x_to = lo, y_to = lo;
#if K64
        // Items of other segments at the odd ends take part as what they are: before
        // or after.
        const bool split = range[k] & 1;
        const ulong x = x_key[k], y = y_key[k];
        const uint x_start = lo + (range[k] >> 29 & 1), x_end = split ? p + 1 : hi;
        const uint y_start = split ? p + 1 : x_start;
        for (uint q = lo; q < hi; q += 2) {
            const ulong2 t = tile[q / 2];
            x_to += q < x_start || (q < x_end && (t.x < x || (t.x == x && q < p)));
            x_to += q + 1 < x_start || (q + 1 < x_end && (t.y < x || (t.y == x && q + 1 < p)));
            y_to += q < y_start || (q < hi && (t.x < y || (t.x == y && q < p + 1)));
            y_to += q + 1 < y_start || (q + 1 < hi && (t.y < y || (t.y == y && q + 1 < p + 1)));
        }
#else
        const ulong2 pair = tile[p / 2];
        for (uint q = lo / 2; q < (hi + 1) / 2; q++) {
            const ulong2 t = tile[q];
            x_to += (t.x < pair.x ? 1u : 0u) + (t.y < pair.x ? 1u : 0u);
            y_to += (t.x < pair.y ? 1u : 0u) + (t.y < pair.y ? 1u : 0u);
        }
#endif

        // Store.
        if (x_sort) {
            keys_out[base + x_to] = x_key[k];
            values_out[base + x_to] = values.x;
        }
        if (y_sort) {
            keys_out[base + y_to] = y_key[k];
            values_out[base + y_to] = values.y;
        }
    }
}

#endif
