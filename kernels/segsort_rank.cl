// segsort_rank.cl: sorts the segments of at most 64 items stably. Items of longer segments
// are left alone. BITONIC 0: by counting ranks: an item's place in its segment is the
// number of items that go before it. BITONIC 1: by bitonic networks, as many rounds as the
// longest segment of the tile needs, as in the bitonic segmented sort of small segments.
//
// Launch: one work-group of WG for each WG*ITEMS - 64 items; it sorts the segments that
// start among them, which end among its WG*ITEMS. Not for CPU-shaped devices.
//
// Local memory: 8 bytes an item and the bitmap; 2 more bytes an item if K64 and BITONIC.
//
// A 32-bit key goes into a word of (segment << 48 | key << 16 | place), the segment being
// the place of its head: items of earlier segments are smaller, those of later segments
// larger, so an item's place is `lo` plus the number of smaller words in [lo, hi), for
// every lo up to its segment's start and every hi from its end. Two neighbouring items
// share the loop, which reads two words at a time.
//
// The network is the one whose comparators all point upwards: blocks of `size` are merged
// by comparing r with r ^ (size - 1), then r with r ^ j for j = size/4, size/8, ... 1, r
// being an item's place in its segment; places after the end count as the largest, so
// their comparators do nothing. It is not stable by itself: the place decides ties.

#ifndef BITONIC
#error "BITONIC: 1 for bitonic networks, 0 for counting ranks"
#endif

#define SPAN (WG * ITEMS)
#define STRIDE (SPAN - 64)
#define PAIRS (ITEMS / 2)
#define WORDS (SPAN / 32)

// Items i and i+1, i being even; those from n on are 0.
#define PAIR_OF(T) JOIN(T, 2)
#define LOAD_PAIR(T, array, i)                                     \
    ((i) + 1 < n ? ((__global const PAIR_OF(T) *)(array))[(i) / 2] \
                 : (PAIR_OF(T))((i) < n ? (array)[i] : (T)0, (T)0))

#if BITONIC
#define ITEM_WORD ulong
#if K64
#define GOES_AFTER(p, q) (items[p] > items[q] || items[p] == items[q] && places[p] > places[q])
#define EXCHANGE_PLACES(p, q)          \
    do {                               \
        const ushort place = places[p]; \
        places[p] = places[q];         \
        places[q] = place;             \
    } while (0)
#define ITEM_KEY(p) items[p]
#define ITEM_PLACE(p) places[p]
#else
#define GOES_AFTER(p, q) (items[p] > items[q])
#define EXCHANGE_PLACES(p, q)
#define ITEM_KEY(p) ((K)(items[p] >> 16))
#define ITEM_PLACE(p) ((uint)items[p] & 0xffff)
#endif

// The comparator of place p, whose work-item is the one of the lower place.
#define COMPARE(p, segment)                                          \
    do {                                                             \
        const uint start = (segment) >> 16, r = (p) - start, other = r ^ flip; \
        if (other > r && other < ((segment) & 0xffff)) {             \
            const uint q = start + other;                            \
            if (GOES_AFTER(p, q)) {                                  \
                const ITEM_WORD item = items[p];                     \
                items[p] = items[q];                                 \
                items[q] = item;                                     \
                EXCHANGE_PLACES(p, q);                               \
            }                                                        \
        }                                                            \
    } while (0)
#define PUT(p, segment)                                              \
    do {                                                             \
        if (((segment) & 0xffff) > 0 && base + (p) < n) {            \
            keys_out[base + (p)] = ITEM_KEY(p);                      \
            values_out[base + (p)] = values_in[base + ITEM_PLACE(p)]; \
        }                                                            \
    } while (0)
#endif

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

    // Sort the segments.
#if BITONIC
    __local ITEM_WORD *items = (__local ITEM_WORD *)tile;
#if K64
    __local ushort places[SPAN];
    for (uint p = lid; p < SPAN; p += WG)
        places[p] = (ushort)p;
#endif
    // Unpack where the segment of each item starts, and how long it is: 0 if it is not sorted.
    uint x_segment[PAIRS], y_segment[PAIRS];
    __local uint longest;
    if (lid == 0)
        longest = 1;
    barrier(CLK_LOCAL_MEM_FENCE);
    uint longest_here = 1;
    UNROLL for (uint k = 0; k < PAIRS; k++) {
        const uint p = 2 * (k * WG + lid);
        const uint lo = (range[k] & 0x3ffe) + (range[k] >> 29 & 1), hi = range[k] >> 14 & 0x7fff;
        const bool split = words[(p + 1) / 32] >> (p + 1) % 32 & 1;
        const uint x_end = split ? p + 1 : hi, y_start = split ? p + 1 : lo;
        x_segment[k] = range[k] >> 30 & 1 ? lo << 16 | (x_end - lo) : 0u;
        y_segment[k] = range[k] >> 31 ? y_start << 16 | (hi - y_start) : 0u;
        longest_here = max(longest_here, max(x_segment[k] & 0xffff, y_segment[k] & 0xffff));
    }
    atomic_max(&longest, longest_here);
    barrier(CLK_LOCAL_MEM_FENCE);

    // Compare and exchange, for as many rounds as the longest segment needs.
    const uint rounds = longest;
    for (uint size = 2; size < 2 * rounds; size *= 2) {
        for (uint j = size; j > 1; j /= 2) { // j of the comment is j/2
            const uint flip = j == size ? size - 1 : j / 2;
            UNROLL for (uint k = 0; k < PAIRS; k++) {
                const uint p = 2 * (k * WG + lid);
                COMPARE(p, x_segment[k]);
                COMPARE(p + 1, y_segment[k]);
            }
            barrier(CLK_LOCAL_MEM_FENCE);
        }
    }

    // Store.
    UNROLL for (uint k = 0; k < PAIRS; k++) {
        const uint p = 2 * (k * WG + lid);
        PUT(p, x_segment[k]);
        PUT(p + 1, y_segment[k]);
    }
#else
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
#endif
}

#endif
