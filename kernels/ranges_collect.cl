// ranges_collect.cl: the suffixes between two bounds. ranges.cl, before it in a program, describes the arrays.
//
// Elements are all suffixes, or the sample's, or those of a list, the last one first. A part of them is taken at a
// time: `elements` of them from number `from` on, a multiple of 64. A bound is a suffix with its window. Its kind tells
// what is above it: 1, what is not less; 2, what is greater; 0, there is no bound, and its window is the least or the
// greatest word.
//
// ranges_choose makes a bitmap of the elements between the bounds, and counts those of each tile. After package scan
// has summed the counts, ranges_list lists the suffixes. ranges_divide makes the bitmaps of up to PARTS ranges in a row
// at once, of a list that has the suffixes of these alone. WIDTH is `width`: so all shifts by it are known.
//
// Launch: one work-group of WG for each TILE words of the bitmap. Local memory: ranges_choose 4 TILE + 4 bytes,
// ranges_divide PARTS times as much, ranges_list 68 bytes a work-item, none where WG is 1.

#ifndef TILE
#error "TILE: words of a work-group, an even number"
#endif

#ifndef WIDTH
#error "WIDTH: bits of a character"
#endif
#ifndef PARTS
#error "PARTS: the most ranges of a list"
#endif

#define OF_TEXT 0
#define OF_SAMPLE 1
#define OF_LIST 2
#define ELEMENTS_PARAMS uint kind, __global const POS *of_list, ulong all_elements, ulong from, ulong elements
#define ELEMENTS_ARGS kind, of_list, all_elements, from, elements
#define BOUND_PARAMS(b) ulong b, ulong b##_window, uint b##_kind
#define BOUND_ARGS(b) b, b##_window, b##_kind
#define INTERVAL_PARAMS                                                                                             \
    TEXT_PARAMS, COVER_PARAMS, __global const uint *sample_ranks, uint depth, BOUND_PARAMS(low), BOUND_PARAMS(high)
#define INTERVAL_ARGS TEXT_ARGS, COVER_ARGS, sample_ranks, depth, BOUND_ARGS(low), BOUND_ARGS(high)

DEFINE_WG_SCAN(scan_counts, uint, OP_ADD, 0u)

// Element x of this part, as a list has it.
inline ulong element(COVER_PARAMS, ELEMENTS_PARAMS, ulong x)
{
    x += from;
    return kind == OF_LIST ? (ulong)of_list[all_elements - 1 - x] : kind == OF_SAMPLE ? sampled(COVER_ARGS, x) : x;
}

// Those of the marked suffixes, bits of a word that begins with suffix `first`, that are above a bound. One loop for
// all, since work-items would leave an inner one at different times.
inline ulong above(
    TEXT_PARAMS, COVER_PARAMS, __global const uint *sample_ranks, uint depth, BOUND_PARAMS(b), ulong first,
    ulong marked)
{
    ulong found = 0;
    uint d = 0;
    while (marked != 0) {
        const ulong bit = marked & (0ul - marked);
        const ulong i = first + (63 - clz(bit));
        int order = 0;
        if (d < depth && i != b) {
            const ulong x = window_at(TEXT_ARGS, i + d), y = window_at(TEXT_ARGS, b + d);
            order = x < y ? -1 : x > y ? 1 : 0;
            d += chars;
        }
        if (order != 0 || d >= depth || i == b) {
            if (order == 0 && i != b && sample_ranks != 0)
                order = less_by_ranks(COVER_ARGS, sample_ranks, i, b) ? -1 : 1;
            found |= order + 2 > (int)b_kind ? bit : 0ul;
            marked ^= bit;
            d = 0;
        }
    }
    return found;
}

// The suffixes of 64 from `first` on, all in the text, that are between the bounds, bit by bit.
inline ulong between(INTERVAL_PARAMS, ulong first, uint many)
{
    ulong inside = 0, within = 0; // within: neither bound's window, as far as it is compared
    if (many == 64 && first + 64 + chars <= size) {
        // The first 32 bits of windows tell most suffixes from the bounds.
        const uint unread = count_bits + chars * WIDTH - 32;
        const uint low_bits = (uint)(low_window >> unread), span = (uint)(high_window >> unread) - low_bits;
        const uint span_within = max(span, 1u) - 1;
        __global const ulong *part = packed + first / 64 * WIDTH;
        ulong word = part[0], next = 0, bits = word; // bits: from a half of a word on
        uint halves = 0, shift = 0;
        UNROLL_CONDITIONS for (uint to = 0; to < 64; to += 32) {
            uint is_inside = 0, is_within = 0;
            UNROLL_CONDITIONS for (uint k = 0; k < 32; k++) {
                const uint further = (uint)(bits << shift >> 32) - low_bits;
                is_inside |= (uint)(further <= span) << k;
                is_within |= (uint)(further - 1 < span_within) << k;
                shift += WIDTH;
                if (shift >= 32) {
                    shift -= 32;
                    if (halves++ % 2 == 0) {
                        next = part[halves / 2 + 1];
                        bits = upsample((uint)word, (uint)(next >> 32)); // Oclgrind has no funnel shifts
                    } else {
                        bits = word = next;
                    }
                }
            }
            inside |= (ulong)is_inside << to;
            within |= (ulong)is_within << to;
        }
    } else {
        const ulong span = high_window - low_window;
        for (uint k = 0; k < many; k++) {
            const ulong further = window_at(TEXT_ARGS, first + k) - low_window;
            inside |= (ulong)(further <= span) << k;
            within |= (ulong)(further - 1 < max(span, 1ul) - 1) << k;
        }
    }
    const ulong at_bounds = inside & ~within;
    if (at_bounds != 0 && low_kind != 0)
        inside &= within | above(TEXT_ARGS, COVER_ARGS, sample_ranks, depth, BOUND_ARGS(low), first, at_bounds);
    if (at_bounds != 0 && high_kind != 0)
        inside &= ~above(TEXT_ARGS, COVER_ARGS, sample_ranks, depth, BOUND_ARGS(high), first, at_bounds & inside);
    return inside;
}

// Whether suffix i is between the bounds.
inline bool is_between(INTERVAL_PARAMS, ulong i)
{
    const ulong window = window_at(TEXT_ARGS, i);
    if (window - low_window > high_window - low_window)
        return false;
    int order = 0;
    if (low_kind != 0 && window == low_window) {
        order = compare_suffixes(TEXT_ARGS, COVER_ARGS, sample_ranks, depth, i, window, low, low_window);
        if (order + 2 <= (int)low_kind)
            return false;
    }
    if (high_kind == 0 || window != high_window)
        return true;
    order = compare_suffixes(TEXT_ARGS, COVER_ARGS, sample_ranks, depth, i, window, high, high_window);
    return order + 2 <= (int)high_kind;
}

// Writes the words of the bitmap of this tile, and adds the number of its elements to *count.
inline void write_tile(ulong elements, __local const uint *words, __local uint *count, __global uint *chosen)
{
    uint mine = 0;
    FOR_TILE(w, TILE, (elements + 31) / 32) {
        chosen[w] = words[w % TILE];
        mine += popcount(words[w % TILE]);
    }
    atomic_add(count, mine);
}

// chosen = the bitmap; counts[tile] = how many of a tile are in it.
KERNEL_WG(WG) ranges_choose(
    INTERVAL_PARAMS, ELEMENTS_PARAMS, __global uint *chosen, __global ulong *counts)
{
    __local uint count, words[TILE];
    if (get_local_id(0) == 0)
        count = 0;
    for (uint w = get_local_id(0); w < TILE; w += WG)
        words[w] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (kind == OF_TEXT) {
        FOR_TILE(y, TILE / 2, (elements + 63) / 64) {
            const ulong inside = between(INTERVAL_ARGS, from + 64 * y, (uint)min(elements - 64 * y, 64ul));
            words[2 * y % TILE] = (uint)inside;
            words[2 * y % TILE + 1] = (uint)(inside >> 32);
        }
    } else { // neighbours are in different places of the text
        FOR_TILE(x, 32 * TILE, elements) {
            if (is_between(INTERVAL_ARGS, POSITION(element(COVER_ARGS, ELEMENTS_ARGS, x))))
                atomic_or(&words[x % (32 * TILE) / 32], 1u << x % 32);
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    write_tile(elements, words, &count, chosen);
    barrier(CLK_LOCAL_MEM_FENCE);
    if (get_local_id(0) == 0)
        counts[get_group_id(0)] = count;
    if (get_global_id(0) == 0)
        counts[get_num_groups(0)] = 0; // which becomes their sum
}

// The bitmaps of `parts` ranges, whole tiles of each, one after the other, and the counts of all these tiles. bounds
// has the suffix that each range but the first begins with, and its window, ascending.
KERNEL_WG(WG) ranges_divide(
    TEXT_PARAMS, COVER_PARAMS, __global const uint *sample_ranks, uint depth, __global const ulong *bounds, uint parts,
    ELEMENTS_PARAMS, __global uint *chosen, __global ulong *counts)
{
    const ulong tiles = get_num_groups(0);
    __local uint many[PARTS], words[PARTS * TILE];
    for (uint p = get_local_id(0); p < PARTS; p += WG)
        many[p] = 0;
    for (uint w = get_local_id(0); w < PARTS * TILE; w += WG)
        words[w] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    FOR_TILE(x, 32 * TILE, elements) {
        const ulong i = POSITION(element(COVER_ARGS, ELEMENTS_ARGS, x)), window = window_at(TEXT_ARGS, i);
        uint part = 0;
        for (uint b = 0; b + 1 < parts; b++) {
            const ulong bound_window = bounds[2 * b + 1];
            bool above = window > bound_window;
            if (window == bound_window)
                above = compare_suffixes(TEXT_ARGS, COVER_ARGS, sample_ranks, depth, i, window, bounds[2 * b],
                                         bound_window) >= 0;
            part += above ? 1 : 0;
        }
        atomic_or(&words[part * TILE + x % (32 * TILE) / 32], 1u << x % 32);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint p = 0; p < parts; p++)
        write_tile(elements, words + p * TILE, &many[p], chosen + p * tiles * TILE);
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint p = get_local_id(0); p < parts; p += WG)
        counts[p * tiles + get_group_id(0)] = many[p];
    if (get_global_id(0) == 0)
        counts[parts * tiles] = 0;
}

// What is listed of an element: all of it, or with the code of the character before, if it has none yet.
inline POS listed_as(TEXT_PARAMS, COVER_PARAMS, ELEMENTS_PARAMS, uint tagged, ulong x)
{
    const ulong i = element(COVER_ARGS, ELEMENTS_ARGS, x);
    ulong tag = 0;
    if (tagged && kind != OF_LIST && i > 0)
        tag = packed_window(packed, width, i - 1) >> (64 - width);
    return (POS)(i | tag << TAG);
}

// Lists the suffixes of a bitmap after the `listed` ones that are there, the last one first, up to `capacity`. It
// begins with tile `tile` of chosen. before[tile] = how many are in all tiles before that one.
KERNEL_WG(WG) ranges_list(
    TEXT_PARAMS, COVER_PARAMS, ELEMENTS_PARAMS, uint tagged, __global const uint *chosen, __global const ulong *before,
    ulong tile, ulong listed, ulong capacity, __global POS *suffixes)
{
    const ulong words = (elements + 31) / 32, start = (ulong)get_group_id(0) * TILE;
    const ulong all = listed + before[tile + get_num_groups(0)] - before[tile];
    ulong to = before[tile + get_group_id(0)] - before[tile];
    chosen += tile * TILE;
#if WG == 1 // the rounds of one loop: llvmpipe ends a work-item after 65,535
    for (ulong w = start; w < min(start + TILE, words); w++) {
        for (uint bits = chosen[w]; bits != 0; bits &= bits - 1, to++) {
            if (all - 1 - to < capacity)
                suffixes[all - 1 - to] = listed_as(TEXT_ARGS, COVER_ARGS, ELEMENTS_ARGS, tagged,
                                                   32 * w + (31 - clz(bits & (0u - bits))));
        }
    }
#else
    __local uint tmp[WG];
    __local ushort places[32 * WG];
    for (uint step = 0; step < TILE; step += WG) {
        const uint w = step + get_local_id(0);
        uint bits = w < TILE && start + w < words ? chosen[start + w] : 0u, total;
        uint place = scan_counts(popcount(bits), tmp, &total);
        for (; bits != 0; bits &= bits - 1)
            places[place++] = (ushort)(32 * get_local_id(0) + (31 - clz(bits & (0u - bits))));
        barrier(CLK_LOCAL_MEM_FENCE);
        for (uint x = get_local_id(0); x < total; x += WG) {
            if (all - 1 - (to + x) < capacity)
                suffixes[all - 1 - (to + x)] = listed_as(TEXT_ARGS, COVER_ARGS, ELEMENTS_ARGS, tagged,
                                                         32 * (start + step) + places[x]);
        }
        to += total;
        barrier(CLK_LOCAL_MEM_FENCE);
    }
#endif
}
