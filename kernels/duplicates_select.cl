// duplicates_select.cl: chooses anchors by content, after winnowing (Schleimer, Wilkerson & Aiken 2003) and minimizers
// (Roberts et al. 2004).
//
// A window has `width` grams, of length - width + 1 symbols each. Its anchor is the one with the least hash, of equal
// ones the first. So equal windows have their anchors at the same place in them. Successive windows with one anchor
// are an item. The key of an item is the fingerprint of the anchor's gram: equal windows are in items with equal keys.
//
// Items are those of windows in one document that fit into it. An item also ends where a tile ends.
//
// mode says what is done with items whose keys are in [low, high]:
//   SELECT_COUNT      counts[tile] = how many there are
//   SELECT_LIST       they are written, from have + counts[tile] on, if there is room
//   SELECT_HISTOGRAM  histogram[high bits of the key] goes up by one
//   SELECT_MARK       the bits of their windows are set
//
// Launch: a work-group of WG for each tile, of WG * ITEMS - width + 1 windows; where IS_CPU, of ITEMS.
// Local memory: 4 bytes for each of WG * ITEMS places and for each work-item; none where IS_CPU.

#ifndef ITEMS
#error "ITEMS: places of a work-item; where IS_CPU, windows"
#endif
#ifndef MOST_WIDTH
#error "MOST_WIDTH: the most grams of a window"
#endif

#define SELECT_COUNT 0
#define SELECT_LIST 1
#define SELECT_HISTOGRAM 2
#define SELECT_MARK 3

#define BUCKET_BITS 12
#define PLACES_LOG 12
#define NO_ANCHOR 0xffffffffu

// The text, and the document that each window has to be in: documents has their starts, and the end of the last; the
// text's first symbol is number `base` of all.
#define SELECT_PARAMS                                                                                            \
    __global const uchar *text, ulong windows, ulong base, __global const ulong *documents, ulong entries,       \
        uint length, uint width, ulong low, ulong high, uint mode, __global ulong *counts, ulong have, ulong capacity, \
        __global ulong *keys, __global ulong *items, __global uint *histogram, __global uint *bits

// The number of the first entry of documents after p, or the last entry. It is not before `from`.
inline ulong entry_after(__global const ulong *documents, ulong entries, ulong from, ulong p)
{
    ulong least = from, most = entries - 1;
    while (least < most) {
        const ulong middle = (least + most) / 2;
        if (documents[middle] > p)
            most = middle;
        else
            least = middle + 1;
    }
    return least;
}

// The hash of a gram: of its first symbols.
inline uint hash_at(__global const uchar *text, ulong i, ulong gram_mask)
{
    const ulong x = (word_at(text, i * SYMBOL_BYTES) & gram_mask) * 0x9e3779b97f4a7c15ul;
    return (uint)(x >> 45);
}

inline ulong gram_mask_of(uint gram) { return low_bytes(min((ulong)gram * SYMBOL_BYTES, 8ul)); }

// Does what mode says with an item of windows first to last, in this text, if there is one; to is its number.
inline void put(SELECT_PARAMS, bool is, ulong key, ulong first, ulong last, ulong anchor, ulong to)
{
    if (is && mode == SELECT_LIST && to < capacity) {
        keys[to] = key;
        items[to] = (base + first) << ITEM_SHIFT | (anchor - first) << PLACE_BITS | (last - first);
    }
    if (is && mode == SELECT_HISTOGRAM)
        atomic_inc(&histogram[key >> (64 - BUCKET_BITS)]);
    set_bits(bits, base + first, is && mode == SELECT_MARK ? last - first + 1 : 0);
}
#define SELECT_ARGS                                                                                               \
    text, windows, base, documents, entries, length, width, low, high, mode, counts, have, capacity, keys, items,      \
        histogram, bits

#define GRAM_KEY(is, anchor) \
    fingerprint(text, (anchor) * SYMBOL_BYTES, (is) ? (ulong)gram * SYMBOL_BYTES : 0, 0)

#if IS_CPU

// By minima of blocks from both sides (van Herk 1992).
KERNEL_WG(WG) duplicates_select(SELECT_PARAMS)
{
    uint hashes[MOST_WIDTH], minima[MOST_WIDTH];
    const uint gram = length - width + 1;
    const ulong mask = gram_mask_of(gram);
    const ulong from = (ulong)get_group_id(0) * ITEMS, end = min(from + ITEMS, windows);
    const bool filtered = mode != SELECT_COUNT || low != 0 || high != ~0ul;
    ulong found = mode == SELECT_LIST ? have + counts[get_group_id(0)] : 0;
    const ulong start = found;
    ulong entry = entry_after(documents, entries, 0, base + from), limit = documents[entry];
    ulong first = 0, anchor = ~0ul;
    for (uint k = 0; k < width; k++)
        hashes[k] = hash_at(text, from + k, mask);
    for (ulong block = from; block < end; block += width) {
        uint least = NO_ANCHOR;
        for (uint k = width; k > 0; k--) {
            least = min(least, hashes[k - 1] << PLACES_LOG | (k - 1));
            minima[k - 1] = least;
        }
        least = NO_ANCHOR;
        const uint count = (uint)min((ulong)width, end - block);
        for (uint k = 0; k < count; k++) {
            const ulong p = block + k;
            while (limit <= base + p && entry + 1 < entries)
                limit = documents[++entry];
            ulong next = block + (min(minima[k], least) & ((1u << PLACES_LOG) - 1));
            if (base + p + length > limit)
                next = ~0ul;
            if (next != anchor) {
                const bool is = anchor != ~0ul;
                const ulong key = GRAM_KEY(is && filtered, anchor);
                const bool in = is && (!filtered || (key >= low && key <= high));
                put(SELECT_ARGS, in, key, first, p - 1, anchor, found);
                found += in;
                anchor = next;
                first = p;
            }
            const ulong after = p + width;
            const uint hash = after + 1 < windows + width ? hash_at(text, after, mask) : 0;
            hashes[k] = hash;
            least = min(least, hash << PLACES_LOG | (width + k));
        }
    }
    const bool is = anchor != ~0ul;
    const ulong key = GRAM_KEY(is && filtered, anchor);
    const bool in = is && (!filtered || (key >= low && key <= high));
    put(SELECT_ARGS, in, key, first, end - 1, anchor, found);
    found += in;
    if (mode == SELECT_COUNT)
        counts[get_group_id(0)] = found - start;
}

#else

#if WG * ITEMS > (1 << PLACES_LOG)
#error "WG * ITEMS: places of a tile have PLACES_LOG bits"
#endif
#if ITEMS > 32
#error "ITEMS: at most 32, a bit each of a word"
#endif

DEFINE_WG_SCAN(wg_count_items, uint, OP_ADD, 0u)

#define TILE (WG * ITEMS)
#define AT(k) ((k) + (k) / 32)

KERNEL_WG(WG) duplicates_select(SELECT_PARAMS)
{
    __local uint minima[AT(TILE)];
    __local uint tmp[WG];
    const uint gram = length - width + 1, lid = get_local_id(0);
    const ulong mask = gram_mask_of(gram);
    const uint span = TILE - width + 1;
    const ulong start = (ulong)get_group_id(0) * span;
    uint mine[ITEMS];

    // The least hash of the grams of each window, with its place.
    UNROLL for (uint k = 0; k < ITEMS; k++) {
        const uint at = lid + k * WG;
        const uint hash = start + at < windows + width - 1 ? hash_at(text, start + at, mask) : 0;
        minima[AT(at)] = hash << PLACES_LOG | at;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    uint reach = 1;
    for (; 2 * reach <= width; reach *= 2) {
        UNROLL for (uint k = 0; k < ITEMS; k++) {
            const uint at = lid + k * WG;
            mine[k] = min(minima[AT(at)], minima[AT(min(at + reach, TILE - 1u))]);
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        UNROLL for (uint k = 0; k < ITEMS; k++)
            minima[AT(lid + k * WG)] = mine[k];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    const ulong entry = entry_after(documents, entries, 0, base + start), limit = documents[entry];
    UNROLL for (uint k = 0; k < ITEMS; k++) {
        const uint at = lid + k * WG;
        const ulong p = start + at;
        uint least = NO_ANCHOR;
        if (at < span && p < windows) {
            ulong end = limit;
            if (end <= base + p)
                end = documents[entry_after(documents, entries, entry, base + p)];
            if (base + p + length <= end)
                least = min(minima[AT(at)], minima[AT(at + width - reach)]);
        }
        mine[k] = least;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    UNROLL for (uint k = 0; k < ITEMS; k++)
        minima[AT(lid + k * WG)] = mine[k];
    barrier(CLK_LOCAL_MEM_FENCE);

    // Where items begin: bit k tells it of place lid * ITEMS + k.
    uint begins = 0, before = lid > 0 ? minima[AT(lid * ITEMS - 1)] : NO_ANCHOR;
    for (uint k = 0; k < ITEMS; k++) {
        const uint least = minima[AT(lid * ITEMS + k)];
        bool begin = least != NO_ANCHOR && least != before;
        const bool filtered = begin && (low != 0 || high != ~0ul);
        const ulong key = GRAM_KEY(filtered, start + (least & ((1u << PLACES_LOG) - 1)));
        begin = begin && (!filtered || (key >= low && key <= high));
        begins |= (begin ? 1u : 0u) << k;
        before = least;
    }
    uint total;
    const uint rank = wg_count_items(popcount(begins), tmp, &total);
    if (mode == SELECT_COUNT) {
        if (lid == 0)
            counts[get_group_id(0)] = total;
    } else {
        ulong to = (mode == SELECT_LIST ? have + counts[get_group_id(0)] : 0ul) + rank;
        for (uint k = 0; k < ITEMS; k++) {
            const bool is = (begins >> k & 1) != 0;
            const uint at = lid * ITEMS + k, least = minima[AT(at)];
            uint more = 0; // places with the same anchor after this one
            for (uint step = reach; step > 0; step /= 2) {
                const uint next = at + more + step;
                if (is && next < span && minima[AT(min(next, TILE - 1u))] == least)
                    more += step;
            }
            const ulong anchor = start + (least & ((1u << PLACES_LOG) - 1));
            put(SELECT_ARGS, is, GRAM_KEY(is, anchor), start + at, start + at + more, anchor, to);
            to += is;
        }
    }
}

#endif
