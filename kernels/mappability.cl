// mappability.cl: how often what begins at each position of a text occurs in it, from suffix array and LCP array.
//
//   mappability_counts       how many suffixes share k symbols with that of each position: an interval of the LCP array
//                            (Abouelhoda, Kurtz & Ohlebusch 2004)
//   mappability_palindromes  halves the counts of k-mers that are their own reverse complement, where the text has both
//                            strands: they were counted on both
//   mappability_unique       the length of the shortest substring that begins at each position and occurs once: one
//                            more than what its suffix shares with a neighbour (Pei, Wu & Yeh 2013)
//
// Only positions before `positions` are written.
//
// Launch: work-groups of WG, one for each tile of WG*ITEMS suffixes or positions. No local memory. minima.cl precedes
// this file.

#ifndef ITEMS
#error "ITEMS: elements of a work-item"
#endif

KERNEL_WG(WG) mappability_counts(
    __global const uint *sa, __global const uint *lcp, __global const uint *minima, ulong n, ulong positions, uint k,
    __global uint *counts)
{
    const lengths a = {lcp, minima, n};
    FOR_TILE(j, WG * ITEMS, n) {
        const ulong i = sa[j];
        if (i < positions) {
            const ulong from = j > 0 && lcp[j] >= k ? last_at_most(&a, j, k - 1) : j;
            const ulong to = j + 1 < n && lcp[j + 1] >= k ? next_less(&a, j + 1, k) : j + 1;
            counts[i] = (uint)(to - from);
        }
    }
}

KERNEL_WG(WG) mappability_palindromes(
    __global const uchar *text, ulong n, ulong positions, uint k, __global const uchar *complements,
    __global uint *counts)
{
    FOR_TILE(i, WG * ITEMS, positions) {
        const ulong end = i + k - 1;
        bool same = end < n && counts[i] > 1;
        // Both ways: letters without a complement have N for one, whose complement is another.
        for (ulong t = 0; same && t < k / 2; t++)
            same = text[i + t] == complements[text[end - t]] && text[end - t] == complements[text[i + t]];
        if (same)
            counts[i] /= 2;
    }
}

KERNEL_WG(WG) mappability_unique(
    __global const uint *sa, __global const uint *lcp, ulong n, ulong positions, __global uint *shortest)
{
    FOR_TILE(j, WG * ITEMS, n) {
        const ulong i = sa[j];
        if (i < positions)
            shortest[i] = max(lcp[j], j + 1 < n ? lcp[j + 1] : 0) + 1;
    }
}
