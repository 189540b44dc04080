// patterns.cl: batches of patterns, and the occurrences that intervals stand for.
//
// Pattern q is patterns[offsets[q]..offsets[q+1]); its occurrences are the slots, or rows,
// [x, y) of intervals[q]. Occurrences are numbered through, pattern by pattern: those of
// pattern q begin with number firsts[q].
//
//   PATTERNS_SCAN  template of the sum (scan.cl) that makes firsts[0..count]
//   PATTERNS_FOLD  the kernels; without either, what other files need
//
//   patterns_fold    byte c becomes table[c], if that is less than REFUSED
//   patterns_refuse  the interval of a pattern with a byte that is refused becomes empty
//
// Launch: that of the scan; work-groups of WG for the kernels, one for each WG*ITEMS patterns,
// or words of 16 bytes that are in patterns[from..to) as a whole or in part. No local memory.

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

#elif defined(PATTERNS_FOLD)

#ifndef ITEMS
#error "ITEMS: elements of a work-item"
#endif

#define REFUSED 256u

inline uchar fold(uint c, __global const uint *table) { return (uchar)(table[c] < REFUSED ? table[c] : c); }

inline uint fold4(uint x, __global const uint *table)
{
    return fold(x & 255, table) | (uint)fold(x >> 8 & 255, table) << 8 | (uint)fold(x >> 16 & 255, table) << 16 |
           (uint)fold(x >> 24, table) << 24;
}

// Others may write what is around patterns[from..to).
KERNEL_WG(WG) patterns_fold(__global uchar *patterns, ulong from, ulong to, __global const uint *table)
{
    __global uint4 *words = (__global uint4 *)patterns;
    FOR_TILE(t, WG * ITEMS, to / 16 - from / 16 + 1) {
        const ulong w = from / 16 + t, begin = max(w * 16, from), end = min(w * 16 + 16, to);
        if (begin + 16 == end) {
            const uint4 x = words[w];
            words[w] = (uint4)(fold4(x.x, table), fold4(x.y, table), fold4(x.z, table), fold4(x.w, table));
        } else {
            for (ulong i = begin; i < end; i++)
                patterns[i] = fold(patterns[i], table);
        }
    }
}

KERNEL_WG(WG) patterns_refuse(
    __global const uchar *patterns, ulong bytes, __global const uint *offsets, uint first, uint count,
    __global const uint *table, __global uint2 *intervals)
{
    __global const ulong *words = (__global const ulong *)patterns;
    FOR_TILE(t, WG * ITEMS, count) {
        const ulong q = first + t, end = min((ulong)offsets[q + 1], bytes);
        ulong i = intervals[q].x < intervals[q].y ? offsets[q] : end;
        bool refused = false;
        while (i < end && !refused) {
            if (i % 8 == 0 && i + 8 <= end) {
                const ulong x = words[i / 8];
                for (uint b = 0; b < 64; b += 8)
                    refused |= table[x >> b & 255] >= REFUSED;
                i += 8;
            } else {
                refused = table[patterns[i]] >= REFUSED;
                i++;
            }
        }
        if (refused)
            intervals[q] = (uint2)(0);
    }
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
