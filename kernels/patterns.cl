// patterns.cl: batches of patterns, and the occurrences that intervals stand for.
//
// Pattern q is patterns[offsets[q]..offsets[q+1]); its occurrences are the slots, or rows,
// [x, y) of intervals[q]. Occurrences are numbered through, pattern by pattern: those of
// pattern q begin with number firsts[q].
//
//   PATTERNS_SCAN  template of the sum (scan.cl) that makes firsts[0..count]
//
// Launch: that of the scan; else none, and no local memory: it has no kernels of its own.

#ifdef PATTERNS_SCAN

#define T ulong
#define OP OP_ADD
#define IDENTITY 0ul
#define SCAN_PARAMS , __global const uint2 *intervals, ulong count, __global ulong *firsts
#define SCAN_LOAD(i) (ulong)(intervals[i].y - intervals[i].x)
#define SCAN_STORE(i, before, value)  \
    {                                 \
        firsts[i] = before;           \
        if ((i) + 1 == count)         \
            firsts[count] = value;    \
    }

#else

// The pattern that has occurrence t, t < firsts[count].
inline uint pattern_of(__global const ulong *firsts, uint count, ulong t)
{
    uint low = 0, high = count;
    while (high - low > 1) {
        const uint middle = low + (high - low) / 2;
        if (firsts[middle] <= t)
            low = middle;
        else
            high = middle;
    }
    return low;
}

#endif
