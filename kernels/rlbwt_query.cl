// rlbwt_query.cl: questions to an index of rlbwt.cl.
//
//   rlbwt_rank   how often letters are before rows
//   rlbwt_steps  random letters from random rows on, for measuring
//
// Launch: rank: a work-group for each WG*ITEMS questions; steps: a work-item for each walker.

#ifndef ITEMS
#error "ITEMS: elements of a work-item"
#endif

KERNEL_WG(WG) rlbwt_rank(
    INDEX_PARAMS, __global const uchar *letters, __global const ulong *places, ulong n, __global ulong *counts)
{
    FOR_TILE(i, WG * ITEMS, n) counts[i] = step_left(INDEX_ARGS, letters[i], places[i]) - before[letters[i]];
}

// A walker takes `steps` steps to the left with random letters, of one row, or of an interval of `size` rows. places[i]
// is where it begins, and then where it is.
KERNEL_WG(WG) rlbwt_steps(INDEX_PARAMS, uint seed, uint steps, ulong size, __global ulong *places, ulong walkers)
{
    const ulong i = get_global_id(0);
    if (i >= walkers)
        return;
    ulong x = places[i];
    uint random = seed + (uint)i * 2654435761u;
    for (uint step = 0; step < steps; step++) {
        random = random * 1664525u + 1013904223u;
        const uint letter = 1 + (random >> 30);
        if (size == 0) {
            x = step_left(INDEX_ARGS, letter, x);
        } else {
            const ulong2 both = step_both(INDEX_ARGS, letter, x, min(x + size, rows));
            x = both.x + (both.y - both.x) / 2;
        }
    }
    places[i] = x;
}
