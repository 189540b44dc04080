// compact.cl: stable selection and partition of n elements into two or three classes.
//
// In one pass where LOOK_BACK (lookback.cl): compact_tiles ranks the elements of its
// tile, looks back for what the tiles before it hold of each class, and writes.
// Elsewhere, and where the number of all kept elements is wanted before the first is
// written (COMPACT_TOTALS): compact_count counts every tile, compact_partials scans
// the counts, compact_write ranks and writes.
//
// Launch: work-groups of WG, one for each tile of WG*ITEMS elements; compact_partials
// a single one.
//
// Template parameters:
//   COMPACT_PARAMS         kernel parameters, each preceded by a comma
//   COMPACT_KEEP(i)        whether element i is kept; evaluated once or twice
//   COMPACT_EMIT(i, to)    writes kept element i as number `to` of the kept ones
//   COMPACT_DROP(i, to)    optional: writes another element as number `to` of those
//                          not kept
// and optionally:
//   COMPACT_ITEM           a type: COMPACT_LOAD(i), of that type, is evaluated before
//   COMPACT_LOAD(i)        the others, which may use its value under the name `item`
//   COMPACT_CLASS(i)       instead of COMPACT_KEEP: 0, 1 or 2
//   COMPACT_SECOND(i, to)  with it: writes an element of class 1 as number `to` of
//                          that class; EMIT is for class 0, DROP for class 2
//   COMPACT_TOTALS         lets COMPACT_SECOND and COMPACT_DROP use `kept`, the number
//                          of elements of class 0 in all, and `second`, of class 1
// None of them may change what COMPACT_LOAD, COMPACT_KEEP or COMPACT_CLASS read.
//
// Local memory: 4 bytes for each subgroup and a few more; without lanes,
// WG*(ITEMS+1) * 4 bytes.

#ifndef ITEMS
#error "ITEMS: elements of a work-item"
#endif
#ifndef LOOK_BACK
#error "LOOK_BACK: 1 or 0, from lookback.cl"
#endif

// Without a template: elements of type T, classified by PREDICATE, an expression of
// item, i and bound, or else by flags. FORM says where they go:
//   0  those kept (flags not 0) to out
//   1  behind them the others
//   2  the others to a second array
//   3  flags are classes 0, 1 and 2 (or more): to out, one class behind the other
//   4  to an array for each class
#ifndef COMPACT_PARAMS
#ifndef T
#error "T: element type"
#endif
#ifndef FORM
#error "FORM: 0 to 4, what is written where"
#endif
#if FORM == 0
#define WHOLE_LINES // EMIT does without i
#endif
#define COMPACT_ITEM T
#define COMPACT_LOAD(i) in[i]
#define COMPACT_EMIT(i, to) out[to] = item
#ifdef PREDICATE
#define COMPACT_PARAMS , ulong bound, __global const T *in, __global T *out
#define COMPACT_KEEP(i) (PREDICATE)
#else
#if FORM == 2
#define COMPACT_PARAMS , __global const uchar *flags, __global const T *in, __global T *out, __global T *out1
#elif FORM == 4
#define COMPACT_PARAMS , __global const uchar *flags, __global const T *in, __global T *out, __global T *out1, __global T *out2
#else
#define COMPACT_PARAMS , __global const uchar *flags, __global const T *in, __global T *out
#endif
#if FORM < 3
#define COMPACT_KEEP(i) (flags[i] != 0)
#else
#define COMPACT_CLASS(i) flags[i]
#endif
#endif
#if FORM == 1
#define COMPACT_TOTALS
#define COMPACT_DROP(i, to) out[kept + (to)] = item
#elif FORM == 2
#define COMPACT_DROP(i, to) out1[to] = item
#elif FORM == 3
#define COMPACT_TOTALS
#define COMPACT_SECOND(i, to) out[kept + (to)] = item
#define COMPACT_DROP(i, to) out[kept + second + (to)] = item
#elif FORM == 4
#define COMPACT_SECOND(i, to) out1[to] = item
#define COMPACT_DROP(i, to) out2[to] = item
#endif
#endif

#ifndef COMPACT_CLASS
#define COMPACT_CLASS(i) (COMPACT_KEEP(i) ? 0u : 2u)
#endif
#ifdef COMPACT_ITEM
#define ITEM_OF(i) const COMPACT_ITEM item = COMPACT_LOAD(i);
#else
#define ITEM_OF(i)
#endif

#if LOOK_BACK && !defined(COMPACT_TOTALS)
#define ONE_PASS 1
#else
#define ONE_PASS 0
#endif

#define TILE (WG * ITEMS)

// Counts of classes 0 and 1: C in all, packed into a uint inside a tile.
#ifdef COMPACT_SECOND
#define COUNTS 2
#define C ulong2
#define NO_COUNT ((ulong2)(0ul, 0ul))
#define WIDE(counts) ((ulong2)((counts) & 0xffff, (counts) >> 16))
#define FIRSTS(counts) (counts).x
#define SECONDS(counts) (counts).y
#define IN_CLASS(class) ((class) == 0 ? 1u : (class) == 1 ? 1u << 16 : 0u)
#else
#define COUNTS 1
#define C ulong
#define NO_COUNT 0ul
#define WIDE(counts) ((ulong)(counts))
#define FIRSTS(counts) (counts)
#define SECONDS(counts) 0ul
#define IN_CLASS(class) ((class) == 0 ? 1u : 0u)
#endif

DEFINE_WG_SCAN(wg_count, uint, OP_ADD, 0u)

#if !ONE_PASS

DEFINE_WG_SCAN(wg_scan_counts, ulong, OP_ADD, 0ul)

// counts[tile] = number of the tile's elements of classes 0 and 1. n > 0.
KERNEL_WG(WG) compact_count(__global C *counts, ulong n COMPACT_PARAMS)
{
#if IS_CPU
    C total = NO_COUNT;
    FOR_TILE(i, TILE, n) {
        ITEM_OF(i)
        const uint class = COMPACT_CLASS(i);
        total += WIDE(IN_CLASS(class));
    }
    counts[get_group_id(0)] = total;
#else
    __local uint tmp[WG];
    uint mine = 0;
    FOR_TILE(i, TILE, n) {
        ITEM_OF(i)
        const uint class = COMPACT_CLASS(i);
        mine += IN_CLASS(class);
    }
    uint total;
    wg_count(mine, tmp, &total);
    if (get_local_id(0) == 0)
        counts[get_group_id(0)] = WIDE(total);
#endif
}

// Exclusive scan of the counts in place; the totals go to counts[tiles], and to
// kept[0] and, with three classes, kept[1]. One work-group.
KERNEL_WG(WG) compact_partials(__global ulong *counts, ulong tiles, __global ulong *kept)
{
    __local ulong tmp[WG];
    for (uint class = 0; class < COUNTS; class++) {
        ulong carry = 0;
        for (ulong first = 0; first < tiles; first += WG) {
            const ulong i = first + get_local_id(0);
            ulong total;
            const ulong before = wg_scan_counts(i < tiles ? counts[i * COUNTS + class] : 0ul, tmp, &total);
            if (i < tiles)
                counts[i * COUNTS + class] = carry + before;
            carry += total;
        }
        if (get_local_id(0) == 0) {
            counts[tiles * COUNTS + class] = carry;
            kept[class] = carry;
        }
    }
}

#endif

// Element i, which is number `firsts` of class 0, `seconds` of class 1, or in class 2
// behind so many of the others.
#ifdef COMPACT_SECOND
#define SECOND_TO(i, class, seconds) \
    if (class == 1) {                \
        COMPACT_SECOND(i, seconds);  \
    }
#else
#define SECOND_TO(i, class, seconds)
#endif
#ifdef COMPACT_DROP
#define DROP_TO(i, class, firsts, seconds)          \
    if (class > 1) {                                \
        COMPACT_DROP(i, (i) - (firsts) - (seconds)); \
    }
#else
#define DROP_TO(i, class, firsts, seconds)
#endif
#define WRITE(i, class, firsts, seconds) \
    if (class == 0) {                    \
        COMPACT_EMIT(i, firsts);         \
    }                                    \
    SECOND_TO(i, class, seconds)         \
    DROP_TO(i, class, firsts, seconds)

#ifdef COMPACT_TOTALS
#define NAME_TOTALS const ulong kept = FIRSTS(counts[tiles]), second = SECONDS(counts[tiles]);
#else
#define NAME_TOTALS
#endif

#if IS_CPU

// Writes every element to its place.
KERNEL_WG(WG) compact_write(__global const C *counts, ulong tiles, ulong n COMPACT_PARAMS)
{
    NAME_TOTALS
    ulong firsts = FIRSTS(counts[get_group_id(0)]), seconds = SECONDS(counts[get_group_id(0)]);
    FOR_TILE(i, TILE, n) {
        ITEM_OF(i)
        const uint class = COMPACT_CLASS(i);
        WRITE(i, class, firsts, seconds)
        firsts += class == 0;
        seconds += class == 1;
    }
}

#else

#if ITEMS > 64
#error "ITEMS: at most 64, a bit each of a word"
#elif ITEMS > 32
#define BITS ulong
#else
#define BITS uint
#endif
#if TILE > 65535
#error "ITEMS: two counts of a tile share a word"
#endif

// Element k of a work-item is element FIRST + AT(k) of the tile.
#if HAS_LANES
#define CHUNKS (WG / SUBGROUP)
#define FIRST (sg_index() * (SUBGROUP * ITEMS) + sg_lane())
#define AT(k) ((k) * SUBGROUP)
DEFINE_LANE_SCAN(count_lanes, uint, OP_ADD)
DEFINE_SUBGROUP_SCAN(count_subgroups, count_lanes, uint, OP_ADD, 0u)
#else
#define FIRST get_local_id(0)
#define AT(k) ((k) * WG)
#endif

// Plain selection: the elements kept meet in local memory, so that a subgroup writes
// whole lines.
#if ONE_PASS && HAS_LANES && defined(WHOLE_LINES)
#define STAGED 1
#else
#define STAGED 0
#endif

#if ONE_PASS
#ifndef DEFINE_LOOK_BACK
#error "DEFINE_LOOK_BACK: from lookback.cl"
#endif
DEFINE_LOOK_BACK(look_back, look_walk, C, OP_ADD, NO_COUNT, JOIN(count_, C))
#define COMPACT_TILES compact_tiles
#define COMPACT_STATE __global ulong *status, __global ulong *totals
#else
#define COMPACT_TILES compact_write
#define COMPACT_STATE __global const C *counts
#endif

// Writes every element to its place. totals receives the number of elements of class
// 0 and, with three classes, of class 1.
KERNEL_WG(WG) COMPACT_TILES(COMPACT_STATE, ulong tiles, ulong n COMPACT_PARAMS)
{
#if HAS_LANES
    __local uint tmp[CHUNKS];
#else
    __local uint tmp[WG], ranks[TILE];
#endif
#if STAGED
    __local COMPACT_ITEM staged[TILE];
#endif
#if ONE_PASS
    __local uint ticket;
    __local C slot;
    const uint tile = take_tile(status, &ticket);
#else
    const uint tile = get_group_id(0);
    NAME_TOTALS
#endif
    const ulong base = (ulong)tile * TILE;
    const uint left = (uint)min(n - base, (ulong)TILE), mine = FIRST;

#ifdef COMPACT_ITEM
    COMPACT_ITEM items[ITEMS];
    if (left == TILE) { // no conditions between the loads
        const ulong start = base + mine;
        UNROLL for (uint k = 0; k < ITEMS; k++)
            items[k] = COMPACT_LOAD(start + AT(k));
    } else {
        UNROLL for (uint k = 0; k < ITEMS; k++)
            if (mine + AT(k) < left)
                items[k] = COMPACT_LOAD(base + (mine + AT(k)));
    }
#define ITEM_AT(k) const COMPACT_ITEM item = items[k];
#else
#define ITEM_AT(k)
#endif

    // Classes as bits; ranks inside the tile.
    BITS in_first = 0, in_second = 0;
    uint total;
    UNROLL for (uint k = 0; k < ITEMS; k++) {
        const uint at = mine + AT(k);
        if (at < left) {
            const ulong i = base + at;
            ITEM_AT(k)
            const uint class = COMPACT_CLASS(i);
            in_first |= (BITS)(class == 0) << k;
            in_second |= (BITS)(class == 1) << k;
        }
    }
#if HAS_LANES
    uint sum = (uint)popcount(in_first);
#if COUNTS == 2
    sum |= (uint)popcount(in_second) << 16;
#endif
    sum = JOIN(lane_shuffle_, uint)(count_lanes(sum), SUBGROUP - 1);
    const uint chunk = count_subgroups(sum, tmp, &total);
#else
    for (uint k = 0; k < ITEMS; k++)
        ranks[mine + AT(k)] = (uint)((in_first >> k) & 1) | (uint)((in_second >> k) & 1) << 16;
    barrier(CLK_LOCAL_MEM_FENCE);
    __local uint *own = ranks + get_local_id(0) * ITEMS;
    uint sum = 0;
    for (uint k = 0; k < ITEMS; k++)
        sum += own[k];
    sum = wg_count(sum, tmp, &total);
    for (uint k = 0; k < ITEMS; k++) {
        const uint x = own[k];
        own[k] = sum;
        sum += x;
    }
    const uint chunk = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
#endif

#if ONE_PASS
    look_back_publish(status, tile, WIDE(total));
#endif
#if STAGED
    uint rank = chunk;
    UNROLL for (uint k = 0; k < ITEMS; k++) {
        const bool keep = (in_first >> k) & 1;
        const ulong kept_lanes = lane_ballot(keep);
        if (keep)
            staged[rank + sg_prefix(kept_lanes)] = items[k];
        rank += popcount(kept_lanes);
    }
#endif
#if ONE_PASS
    const C before = look_back(status, tile, WIDE(total), &slot);
    if (base + TILE >= n && get_local_id(0) == 0) {
        const C all = before + WIDE(total);
        totals[0] = FIRSTS(all);
#if COUNTS == 2
        totals[1] = SECONDS(all);
#endif
    }
    const C from = before + WIDE(chunk);
#else
    const C from = counts[tile] + WIDE(chunk);
#endif
#if STAGED
    for (uint q = get_local_id(0); q < total; q += WG) {
        const COMPACT_ITEM item = staged[q];
        COMPACT_EMIT(, before + q);
    }
#else
    ulong firsts = FIRSTS(from), seconds = SECONDS(from);
    UNROLL for (uint k = 0; k < ITEMS; k++) {
        const uint at = mine + AT(k);
        const ulong i = base + at;
        const uint class = (in_first >> k) & 1 ? 0u : (in_second >> k) & 1 ? 1u : 2u;
        ITEM_AT(k)
#if HAS_LANES
        const ulong kept_lanes = lane_ballot(class == 0);
        const ulong to = firsts + sg_prefix(kept_lanes);
        firsts += popcount(kept_lanes);
#if COUNTS == 2
        const ulong second_lanes = lane_ballot(class == 1);
        const ulong to_second = seconds + sg_prefix(second_lanes);
        seconds += popcount(second_lanes);
#else
        const ulong to_second = 0;
#endif
#else
        const C own_rank = WIDE(ranks[at]);
        const ulong to = firsts + FIRSTS(own_rank), to_second = seconds + SECONDS(own_rank);
#endif
        if (at < left) {
            WRITE(i, class, to, to_second)
        }
    }
#endif
}

#endif
