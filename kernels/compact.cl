// compact.cl: stable selection and partition of n elements.
//
// In one pass where LOOK_BACK (lookback.cl): compact_tiles ranks the elements of its
// tile, looks back for how many the tiles before it keep, and writes.
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
//   COMPACT_BY_ITEM        COMPACT_EMIT uses `item` and `to`, not i; kept elements meet in local memory then, and
//                          subgroups write whole lines
//   COMPACT_TOTALS         lets COMPACT_DROP use `kept`, the number of elements kept in
//                          all; the host has to know of it
// None of them may change what COMPACT_LOAD or COMPACT_KEEP read.
//
// Local memory: 4 bytes for each subgroup and a few more; without lanes,
// WG*(ITEMS+1) * 4 bytes.

#ifndef ITEMS
#error "ITEMS: elements of a work-item"
#endif
#ifndef LOOK_BACK
#error "LOOK_BACK: 1 or 0, from lookback.cl"
#endif

// Without a template: elements of type T. Those with a flag are kept. With COMPACT_TOTALS
// the others follow them.
#ifndef COMPACT_PARAMS
#ifndef T
#error "T: element type"
#endif
#define COMPACT_ITEM T
#define COMPACT_LOAD(i) in[i]
#define COMPACT_EMIT(i, to) out[to] = item
#define COMPACT_PARAMS , __global const uchar *flags, __global const T *in, __global T *out
#define COMPACT_KEEP(i) (flags[i] != 0)
#ifdef COMPACT_TOTALS
#define COMPACT_DROP(i, to) out[kept + (to)] = item
#else
#define COMPACT_BY_ITEM
#endif
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

DEFINE_WG_SCAN(wg_count, uint, OP_ADD, 0u)

#if !ONE_PASS

DEFINE_WG_SCAN(wg_scan_counts, ulong, OP_ADD, 0ul)

// counts[tile] = number of the tile's elements that are kept. n > 0.
KERNEL_WG(WG) compact_count(__global ulong *counts, ulong n COMPACT_PARAMS)
{
    uint mine = 0;
    FOR_TILE(i, TILE, n) {
        ITEM_OF(i)
        mine += COMPACT_KEEP(i) ? 1 : 0;
    }
#if IS_CPU
    counts[get_group_id(0)] = mine;
#else
    __local uint tmp[WG];
    uint total;
    wg_count(mine, tmp, &total);
    if (get_local_id(0) == 0)
        counts[get_group_id(0)] = total;
#endif
}

// Exclusive scan of the counts in place; the total goes to counts[tiles] and to kept[0].
// One work-group.
KERNEL_WG(WG) compact_partials(__global ulong *counts, ulong tiles, __global ulong *kept)
{
    __local ulong tmp[WG];
    ulong carry = 0;
    for (ulong first = 0; first < tiles; first += WG) {
        const ulong i = first + get_local_id(0);
        ulong total;
        const ulong before = wg_scan_counts(i < tiles ? counts[i] : 0ul, tmp, &total);
        if (i < tiles)
            counts[i] = carry + before;
        carry += total;
    }
    if (get_local_id(0) == 0) {
        counts[tiles] = carry;
        kept[0] = carry;
    }
}

#endif

// Writes element i, before which `before` elements are kept.
#ifdef COMPACT_DROP
#define WRITE(i, keep, before)            \
    if (keep) {                           \
        COMPACT_EMIT(i, before);          \
    } else {                              \
        COMPACT_DROP(i, (i) - (before));  \
    }
#else
#define WRITE(i, keep, before)   \
    if (keep) {                  \
        COMPACT_EMIT(i, before); \
    }
#endif

#ifdef COMPACT_TOTALS
#define NAME_TOTALS const ulong kept = counts[tiles];
#else
#define NAME_TOTALS
#endif

#if IS_CPU

// Writes every element to its place.
KERNEL_WG(WG) compact_write(__global const ulong *counts, ulong tiles, ulong n COMPACT_PARAMS)
{
    NAME_TOTALS
    ulong before = counts[get_group_id(0)];
    FOR_TILE(i, TILE, n) {
        ITEM_OF(i)
        const bool keep = COMPACT_KEEP(i);
        WRITE(i, keep, before)
        before += keep;
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

// Element k of a work-item is element FIRST + AT(k) of the tile.
#if HAS_LANES
#define CHUNKS (WG / SUBGROUP)
#define FIRST (sg_index() * (SUBGROUP * ITEMS) + sg_lane())
#define AT(k) ((k) * SUBGROUP)
DEFINE_LANE_SCAN(count_lanes, uint, OP_ADD, 0u)
DEFINE_SUBGROUP_SCAN(count_subgroups, count_lanes, uint, OP_ADD, 0u)
#else
#define FIRST get_local_id(0)
#define AT(k) ((k) * WG)
#endif

#if ONE_PASS && HAS_LANES && defined(COMPACT_BY_ITEM)
#define STAGED 1
#else
#define STAGED 0
#endif

#if ONE_PASS
#ifndef DEFINE_LOOK_BACK
#error "DEFINE_LOOK_BACK: from lookback.cl"
#endif
DEFINE_LOOK_BACK(look_back, look_walk, ulong, OP_ADD, 0ul, count_ulong)
#define COMPACT_TILES compact_tiles
#define COMPACT_STATE STATUS_PARAMS, __global ulong *totals
#else
#define COMPACT_TILES compact_write
#define COMPACT_STATE __global const ulong *counts
#endif

// Writes every element to its place. totals[0] receives the number of elements kept.
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
    __local ulong slot;
    NAME_STATUS
    const uint tile = take_tile(status, first_ticket, &ticket);
#else
    const uint tile = get_group_id(0);
    NAME_TOTALS
#endif
    const ulong base = (ulong)tile * TILE;
    const uint left = (uint)min(n - base, (ulong)TILE), mine = FIRST;

    // Load.
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

    // Choose: bit k of keeps tells whether element k is kept.
    BITS keeps = 0;
    uint total;
    UNROLL for (uint k = 0; k < ITEMS; k++) {
        const uint at = mine + AT(k);
        if (at < left) {
            const ulong i = base + at;
            ITEM_AT(k)
            keeps |= (BITS)(COMPACT_KEEP(i) ? 1 : 0) << k;
        }
    }

    // Rank inside the tile: chunk is the number of kept elements before those of the subgroup; without lanes ranks has
    // that of each element.
#if HAS_LANES
    uint sum = (uint)popcount(keeps);
    sum = LANE_LAST(uint, count_lanes(sum));
    const uint chunk = count_subgroups(sum, tmp, &total);
#else
    for (uint k = 0; k < ITEMS; k++)
        ranks[mine + AT(k)] = (uint)((keeps >> k) & 1);
    barrier(CLK_LOCAL_MEM_FENCE);
    __local uint *ranks_of_item = ranks + get_local_id(0) * ITEMS;
    uint sum = 0;
    for (uint k = 0; k < ITEMS; k++)
        sum += ranks_of_item[k];
    sum = wg_count(sum, tmp, &total);
    for (uint k = 0; k < ITEMS; k++) {
        const uint x = ranks_of_item[k];
        ranks_of_item[k] = sum;
        sum += x;
    }
    const uint chunk = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
#endif

    // Look back for how many the tiles before keep. Meanwhile staged gets the kept elements of the tile in order.
#if ONE_PASS
    look_back_publish(status, tile, total);
#endif
#if STAGED
    uint rank = chunk;
    UNROLL for (uint k = 0; k < ITEMS; k++) {
        const bool keep = (keeps >> k) & 1;
        const ulong kept_lanes = lane_ballot(keep);
        if (keep)
            staged[rank + sg_prefix(kept_lanes)] = items[k];
        rank += popcount(kept_lanes);
    }
#endif
#if ONE_PASS
    const ulong before = look_back(status, tile, total, &slot);
    if (base + TILE >= n && get_local_id(0) == 0)
        totals[0] = before + total;
#else
    const ulong before = counts[tile];
#endif

    // Write.
#if STAGED
    for (uint q = get_local_id(0); q < total; q += WG) {
        const COMPACT_ITEM item = staged[q];
        COMPACT_EMIT(, before + q);
    }
#else
    ulong rank = before + chunk;
    UNROLL for (uint k = 0; k < ITEMS; k++) {
        const uint at = mine + AT(k);
        const ulong i = base + at;
        const bool keep = (keeps >> k) & 1;
        ITEM_AT(k)
#if HAS_LANES
        const ulong kept_lanes = lane_ballot(keep);
        const ulong to = rank + sg_prefix(kept_lanes);
        rank += popcount(kept_lanes);
#else
        const ulong to = rank + ranks[at];
#endif
        if (at < left) {
            WRITE(i, keep, to)
        }
    }
#endif
}

#endif
