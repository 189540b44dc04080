// fmindex_build.cl: the blocks of an FM-index, whose counts are those of the block itself; fmindex_sum.cl sums them.
//
// Launch: one work-group of WG for each WG*ITEMS blocks.

#ifndef ITEMS
#error "ITEMS: elements of a work-item"
#endif

KERNEL_WG(WG) fm_sectors(
    __global const uchar *bwt, ulong n, __global const uint *codes, uint count, __global uint4 *blocks)
{
    FOR_TILE(b, WG * ITEMS, count) {
        const ulong end = min(b * 64 + 64, n);
        ulong low = 0, high = 0, escaped = 0;
        for (ulong p = b * 64; p < end; p++) {
            const uint c = codes[bwt[p]], at = p % 64;
            low |= (ulong)(c & (c != NONE)) << at;
            high |= (ulong)(c >> 1 & (c != NONE)) << at;
            escaped |= (ulong)(c == NONE) << at;
        }
        const uint both = popcount(low & high), ones = popcount(low), twos = popcount(high);
        const uint symbols = (uint)(b * 64 < n ? end - b * 64 : 0) - (uint)popcount(escaped);
        blocks[2 * b] = (uint4)(symbols - ones - twos + both, ones - both, twos - both, both);
        blocks[2 * b + 1] = (uint4)(as_uint2(low), as_uint2(high));
    }
}

// A block of 96 bits: how many are set, and the bits.
#define COUNTED(words)                                                                           \
    ((uint4)(popcount(words[0]) + popcount(words[1]) + popcount(words[2]), words[0], words[1], words[2]))

// A level of the wavelet matrix: bit `shift` of the symbols.
KERNEL_WG(WG) fm_bits(
    __global const uchar *symbols, ulong n, __global const uint *codes, uint shift, uint count,
    __global uint4 *blocks, ulong first)
{
    FOR_TILE(b, WG * ITEMS, count) {
        uint words[3] = {0, 0, 0};
        const ulong end = min(b * 96 + 96, n);
        for (ulong p = b * 96; p < end; p++)
            words[(p - b * 96) / 32] |= (codes[symbols[p]] >> shift & 1) << (p - b * 96) % 32;
        blocks[first + b] = COUNTED(words);
    }
}

// Which slots have positions that are sampled.
KERNEL_WG(WG) fm_marks(__global const uint *sa, ulong n, uint rate, uint count, __global uint4 *blocks)
{
    FOR_TILE(b, WG * ITEMS, count) {
        uint words[3] = {0, 0, 0};
        const ulong end = min(b * 96 + 96, n);
        for (ulong j = b * 96; j < end; j++)
            words[(j - b * 96) / 32] |= (uint)(sa[j] % rate == 0) << (j - b * 96) % 32;
        blocks[b] = COUNTED(words);
    }
}
