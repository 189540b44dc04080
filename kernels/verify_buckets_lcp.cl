// verify_buckets_lcp.cl: checks an LCP array that is read in blocks. verify_buckets.cl, before it in a program, has the
// suffix array.
//
// Suffixes j' < j of the array that the same character is before, and none between: one character longer they are
// neighbours in the bucket of that character, and share one more than the least of lcp[j' + 1 .. j]. The entry of the
// first of a bucket is 0. These equations, one for each slot, have one solution.
//
// Least entries are found in the block and in minima of NEAR of them.
//
// Launch: one work-group of WG for each tile of WG*ITEMS entries. No local memory.

#ifndef ITEMS
#error "ITEMS: elements of a work-item"
#endif
#ifndef NEAR
#error "NEAR: entries that have a minimum"
#endif

#define NO_ENTRY 0xffffffffffffffffUL // no suffix of that character was seen

// keys[j] = the character before entry j, 256 where there is none; values[j] = j.
KERNEL_WG(WG) verify_buckets_slots(
    __global const uchar *text, __global const ulong *block, uint count, __global uint *keys, __global ulong *values)
{
    FOR_TILE(j, WG * ITEMS, count) {
        const ulong i = block[j];
        keys[j] = i > 0 ? text[i - 1] : 256u;
        values[j] = j;
    }
}

// minima[x] = the least of NEAR entries.
KERNEL_WG(WG) verify_buckets_minima(__global const ulong *lcp, uint count, __global ulong *minima)
{
    FOR_TILE(x, WG * ITEMS, (count + NEAR - 1) / NEAR) {
        ulong least = NO_ENTRY;
        for (uint i = (uint)x * NEAR; i < min((uint)x * NEAR + NEAR, count); i++)
            least = min(least, lcp[i]);
        minima[x] = least;
    }
}

// The least of `most` and lcp[i .. end).
inline ulong least_entry(__global const ulong *lcp, __global const ulong *minima, uint i, uint end, ulong most)
{
    while (i < end) {
        const bool whole = i % NEAR == 0 && i + NEAR <= end;
        most = min(most, whole ? minima[i / NEAR] : lcp[i]);
        i += whole ? NEAR : 1;
    }
    return most;
}

// expected[x] = the entry that follows from lcp, of the suffix that is longer by keys[x] than that of slot values[x];
// both are sorted by keys. before[c] = the least entry of earlier blocks after their last suffix with c before it, or
// NO_ENTRY; after[c] becomes the same with this block, for the keys in it.
KERNEL_WG(WG) verify_buckets_expect(
    __global const uint *keys, __global const ulong *values, uint count, __global const ulong *lcp,
    __global const ulong *minima, __global const ulong *before, __global ulong *after, __global ulong *expected)
{
    FOR_TILE(x, WG * ITEMS, count) {
        const uint c = keys[x], j = (uint)values[x];
        const bool first = x == 0 || keys[x - 1] != c, last = x + 1 == count || keys[x + 1] != c;
        const ulong known = first ? before[c] : NO_ENTRY;
        const uint from = first ? 0 : (uint)values[x - 1] + 1;
        const bool none = first && known == NO_ENTRY;
        const ulong least = least_entry(lcp, minima, none ? j + 1 : from, j + 1, known);
        expected[x] = none ? 0 : least + 1;
        const ulong rest = least_entry(lcp, minima, last ? j + 1 : count, count, NO_ENTRY - 1);
        if (last)
            after[c] = rest;
    }
}
