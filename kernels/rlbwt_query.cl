// rlbwt_query.cl: questions to an index of rlbwt.cl.
//
//   rlbwt_rank     how often letters are before rows
//   rlbwt_extract  the next letters of strings, from their ends to their beginnings
//
// Launch: rank: a work-group for each WG*ITEMS questions; extract: a work-item for each string.

#ifndef ITEMS
#error "ITEMS: elements of a work-item"
#endif

KERNEL_WG(WG) rlbwt_rank(
    INDEX_PARAMS, __global const uchar *letters, __global const ulong *places, ulong n, __global ulong *counts)
{
    FOR_TILE(i, WG * ITEMS, n) counts[i] = step_left(INDEX_ARGS, letters[i], places[i]) - before[letters[i]];
}

// Writes up to `most` letters of each string, and how many, and goes on from at[i]. A string has ended where there are
// fewer; at[i] is then the row of the whole string.
KERNEL_WG(WG) rlbwt_extract(
    INDEX_PARAMS, __global ulong *at, ulong n, uint most, __global uchar *out, __global uint *counts)
{
    const ulong i = get_global_id(0);
    if (i >= n)
        return;
    ulong x = at[i];
    uint count = 0;
    while (count < most) {
        const ulong b = block_of(INDEX_ARGS, x);
        const uint letter = letter_at(blocks, supers, b, x);
        if (letter == 0)
            break;
        out[i * most + count++] = (uchar)letter;
        x = before[letter] + rank_at(INDEX_ARGS, b, letter, x);
    }
    at[i] = x;
    counts[i] = count;
}
