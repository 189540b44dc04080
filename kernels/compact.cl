// compact.cl: stable selection and partition of n elements by a predicate: count
// what every tile keeps, scan the counts, write.
//
// Launch: work-groups of WG; compact_count and compact_write one for each tile of
// WG*ITEMS elements, compact_partials a single one.
//
// Template parameters:
//   COMPACT_PARAMS         kernel parameters, each preceded by a comma
//   COMPACT_KEEP(i)        whether element i is kept; evaluated twice
//   COMPACT_EMIT(i, to)    writes kept element i as number `to` of the kept ones
//   COMPACT_DROP(i, to)    optional: writes another element as number `to` of
//                          those not kept, `kept` being the number kept in all
//   None of them may change what COMPACT_KEEP reads.
//
// Local memory: WG * 4 bytes.

#ifndef ITEMS
#error "ITEMS: elements of a work-item"
#endif

// Without a template: elements of type T, kept where flags is not 0. PARTITION
// puts the others behind the kept ones.
#ifndef COMPACT_PARAMS
#ifndef T
#error "T: element type"
#endif
#ifndef PARTITION
#error "PARTITION: 1 or 0"
#endif
#define COMPACT_PARAMS , __global const uchar *flags, __global const T *in, __global T *out
#define COMPACT_KEEP(i) (flags[i] != 0)
#define COMPACT_EMIT(i, to) out[to] = in[i]
#if PARTITION
#define COMPACT_DROP(i, to) out[kept + (to)] = in[i]
#endif
#endif

#define TILE (WG * ITEMS)

DEFINE_WG_SCAN(wg_count, uint, OP_ADD, 0u)
DEFINE_WG_SCAN(wg_scan_counts, ulong, OP_ADD, 0ul)

// counts[tile] = number of the tile's elements kept. n > 0.
KERNEL_WG(WG) compact_count(__global ulong *counts, ulong n COMPACT_PARAMS)
{
    __local uint tmp[WG];
    uint mine = 0;
    FOR_TILE(i, TILE, n)
        mine += COMPACT_KEEP(i) ? 1u : 0u;
    uint total;
    wg_count(mine, tmp, &total);
    if (get_local_id(0) == 0)
        counts[get_group_id(0)] = total;
}

// Exclusive scan of the counts in place; the number kept in all goes to
// counts[tiles] and to kept[0]. One work-group.
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

// Writes every element to its place.
KERNEL_WG(WG) compact_write(__global const ulong *counts, ulong tiles, ulong n COMPACT_PARAMS)
{
    __local uint tmp[WG];
    const ulong base = (ulong)get_group_id(0) * TILE;
#ifdef COMPACT_DROP
    const ulong kept = counts[tiles];
#endif
    ulong to = counts[get_group_id(0)];
#if IS_CPU
    for (ulong i = base; i < min(base + TILE, n); i++) {
        if (COMPACT_KEEP(i)) {
            COMPACT_EMIT(i, to);
            to++;
        } else {
#ifdef COMPACT_DROP
            COMPACT_DROP(i, i - to);
#endif
        }
    }
#else
    // A row of WG consecutive elements at a time keeps reads and writes coalesced.
    for (uint row = 0; row < ITEMS; row++) {
        const ulong i = base + (ulong)row * WG + get_local_id(0);
        bool keep = false;
        if (i < n)
            keep = COMPACT_KEEP(i);
        uint total;
        const ulong mine = to + wg_count(keep ? 1u : 0u, tmp, &total);
        if (keep) {
            COMPACT_EMIT(i, mine);
        }
#ifdef COMPACT_DROP
        else if (i < n) {
            COMPACT_DROP(i, i - mine);
        }
#endif
        to += total;
    }
#endif
}
