// ranges_lcp.cl: the LCP array of a range of the suffix array. text.cl, minima.cl and ranges.cl, before it in a
// program, describe the arrays.
//
// Names of samples are equal where more than `period` characters are. shared[r] = how many names, a period apart, the
// samples of ranks r - 1 and r have in common; minima, a tree over it. So samples of ranks a < b share as many periods
// as the least of shared[a + 1 .. b], and then less than depth + chars characters: names were told apart by windows,
// the first of which may be shorter.
//
// Launch: one work-group of WG for each TILE suffixes. No local memory.

#ifndef TILE
#error "TILE: suffixes of a work-group"
#endif

// How many characters suffixes i and j share, d of which are known. From `end` on it may be fewer.
inline ulong shared_from(TEXT_PARAMS, ulong i, ulong j, ulong d, ulong end)
{
    ulong a = 0, b = 0;
    while (d < end && a == b) {
        a = window_at(TEXT_ARGS, i + d);
        b = window_at(TEXT_ARGS, j + d);
        d += a == b ? chars : 0;
    }
    if (a != b) { // the characters, or how many there are
        const uint agree = ((uint)clz(a ^ b) - (64 - chars * width - count_bits)) / width;
        d += min((ulong)agree, size - max(i, j) - d);
    }
    return d;
}

// lcp[x] = how many characters sorted suffix x shares with the one after it. The last one's is `next`, or the end of
// the text.
KERNEL_WG(WG) ranges_lcp(
    TEXT_PARAMS, COVER_PARAMS, __global const uint *sample_ranks, __global const uint *shared,
    __global const uint *shared_minima, ulong samples, uint depth, __global const POS *suffixes, ulong listed,
    ulong next, __global POS *lcp)
{
    FOR_TILE(x, TILE, listed) {
        const ulong i = POSITION(suffixes[x]), j = x + 1 < listed ? POSITION(suffixes[x + 1]) : next;
        ulong d = shared_from(TEXT_ARGS, i, j, 0, depth);
        if (d >= depth) {
            const uint offset = sampled_after(COVER_ARGS, i, j);
            const ulong a = sample_ranks[sample_at(COVER_ARGS, i + offset)];
            const ulong b = sample_ranks[sample_at(COVER_ARGS, j + offset)];
            const lengths all = {shared, shared_minima, samples};
            d = offset + (ulong)period * least_between(&all, min(a, b) + 1, max(a, b) + 1, 0);
            d = shared_from(TEXT_ARGS, i, j, d, d + depth + chars);
        }
        lcp[x] = (POS)d;
    }
}
