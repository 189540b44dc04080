// rlbwt_text.cl: what strings have, before they enter an index of rlbwt.cl.
//
//   text   n letters, each string with a 0 after it
//
//   rlbwt_text_count  counts[tile] = how many ends a tile has, and 0 after the last tile. seen, of one word, gets the
//                     bits of the letters that occur, and that of LETTERS for what is no letter
//   rlbwt_text_ends   the places of the ends, from ends[first[tile]] on
//
// Launch: a work-group for each tile of WG*ITEMS*TEXT_ROUNDS letters; text_count: one more.

#ifndef ITEMS
#error "ITEMS: elements of a work-item"
#endif

#define TEXT_ROUNDS 16u
#define TEXT_TILE (WG * ITEMS * TEXT_ROUNDS)

DEFINE_WG_SCAN(scan_ends, uint, OP_ADD, 0)

KERNEL_WG(WG) rlbwt_text_count(
    __global const uchar *text, ulong n, __global uint *seen, __global uint *counts)
{
    __local uint sums[WG];
    __local uint all_seen;
    if (get_local_id(0) == 0)
        all_seen = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    uint found = 0, ends = 0;
    FOR_TILE(i, TEXT_TILE, n) {
        const uint letter = text[i];
        found |= 1u << min(letter, (uint)LETTERS);
        ends += letter == 0;
    }
    if (found > 0)
        atomic_or(&all_seen, found);
    uint all;
    scan_ends(ends, sums, &all);
    barrier(CLK_LOCAL_MEM_FENCE);
    if (get_local_id(0) == 0) {
        counts[get_group_id(0)] = all;
        if (all_seen > 0)
            atomic_or(seen, all_seen);
    }
}

KERNEL_WG(WG) rlbwt_text_ends(__global const uchar *text, ulong n, __global const uint *first, __global uint *ends)
{
    __local uint sums[WG];
    const ulong tile = get_group_id(0);
    uint before = first[tile];
    const ulong to = first[tile + 1] > before ? min((tile + 1) * TEXT_TILE, n) : 0;
    for (ulong from = tile * TEXT_TILE; from < to; from += WG) {
        const ulong i = from + get_local_id(0);
        const bool end = i < n && text[i] == 0;
        uint all;
        const uint own = scan_ends(end, sums, &all);
        if (end)
            ends[before + own] = (uint)i;
        before += all;
    }
}
