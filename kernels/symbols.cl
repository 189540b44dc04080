// symbols.cl: dense coding of texts of 16- or 32-bit symbols: each symbol becomes its rank among
// the distinct ones of the text, counted from 0, so that texts of ranks compare as the texts do.
// Package symbols has the steps. A macro chooses:
//
//   SYMBOLS_MAP       the kernels that treat every element on its own; needs text.cl
//   SYMBOLS_RANKS     scan: ranks of a bitmap of values
//   SYMBOLS_DISTINCT  compaction: the distinct values of sorted symbols
//
//   T         type of a symbol: ushort or uint
//   text      n symbols, which become ranks
//   present   bitmap: bit v%32 of word v/32 is set if value v occurs
//   before    for each word of present how many bits are set before it
//   values    the distinct values in order, where they are too far apart for a bitmap
//   packed    ranks of `width` bits, the first in the top bits of the first word; zeros after the last
//
// Launch: one work-group of WG for each WG*ITEMS elements. Local memory: a word.

#ifdef SYMBOLS_MAP

#ifndef ITEMS
#error "ITEMS: elements of a work-item"
#endif
#ifndef T
#error "T: type of a symbol"
#endif

#define TILE (WG * ITEMS)

// *greatest = the greatest symbol; 0 before.
KERNEL_WG(WG) symbols_greatest(__global const T *text, ulong n, __global uint *greatest)
{
    __local uint most;
    if (get_local_id(0) == 0)
        most = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    uint mine = 0;
    FOR_TILE(i, TILE, n)
        mine = max(mine, (uint)text[i]);
    if (mine > 0)
        atomic_max(&most, mine);
    barrier(CLK_LOCAL_MEM_FENCE);
    if (get_local_id(0) == 0 && most > 0)
        atomic_max(greatest, most);
}

// present has no bits before.
KERNEL_WG(WG) symbols_mark(__global const T *text, ulong n, __global uint *present)
{
    FOR_TILE(i, TILE, n) {
        const uint value = text[i], bit = 1u << value % 32;
        if ((load_relaxed(&present[value / 32]) & bit) == 0)
            atomic_or(&present[value / 32], bit);
    }
}

// Symbols to ranks, by the bitmap.
KERNEL_WG(WG) symbols_rank(__global T *text, ulong n, __global const uint *present, __global const uint *before)
{
    FOR_TILE(i, TILE, n) {
        const uint value = text[i];
        text[i] = (T)(before[value / 32] + popcount(present[value / 32] & ((1u << value % 32) - 1)));
    }
}

// Symbols to ranks, by binary search among `distinct` values.
KERNEL_WG(WG) symbols_search(__global T *text, ulong n, __global const uint *values, uint distinct)
{
    FOR_TILE(i, TILE, n) {
        const uint value = text[i];
        uint low = 0, high = distinct - 1; // the value is there
        while (low < high) {
            const uint middle = low + (high - low) / 2;
            if (values[middle] < value)
                low = middle + 1;
            else
                high = middle;
        }
        text[i] = (T)low;
    }
}

// counts[c] += how often rank c occurs.
KERNEL_WG(WG) symbols_count(__global const T *text, ulong n, __global uint *counts)
{
    FOR_TILE(i, TILE, n)
        atomic_inc(&counts[text[i]]);
}

// Ranks below 256 to bytes, 4 a word, the first in the low bits. An element for each of `words` words.
KERNEL_WG(WG) symbols_bytes(__global const T *text, ulong n, ulong words, __global uint *bytes)
{
    FOR_TILE(w, TILE, words) {
        uint word = 0;
        for (uint k = 0; k < 4; k++)
            word |= (4 * w + k < n ? (uint)text[4 * w + k] : 0u) << 8 * k;
        bytes[w] = word;
    }
}

// Packs ranks. An element for each of `words` words, which cover more bits than the text has.
KERNEL_WG(WG) symbols_pack(__global const T *text, ulong n, uint width, ulong words, __global ulong *packed)
{
    FOR_TILE(w, TILE, words) {
        ulong i = 64 * w / width, word = 0;
        // How far the first rank, of which bits may be in the word before, reaches beyond the low end.
        int shift = (int)(64 * (w + 1) - i * width) - (int)width;
        for (; shift > -(int)width && i < n; shift -= (int)width, i++)
            word |= shift >= 0 ? (ulong)text[i] << shift : (ulong)text[i] >> -shift;
        packed[w] = word;
    }
}

// Packed ranks to ranks that count from `first`.
KERNEL_WG(WG) symbols_unpack(__global const ulong *packed, ulong n, uint width, uint first, __global T *text)
{
    FOR_TILE(i, TILE, n)
        text[i] = (T)((packed_window(packed, width, i) >> (64 - width)) + first);
}

#endif

#ifdef SYMBOLS_RANKS

#define T uint
#define OP OP_ADD
#define IDENTITY 0u
#define SCAN_PARAMS , __global const uint *present, __global uint *ranks, uint words, __global uint *distinct
#define SCAN_LOAD(w) popcount(present[w])
#define SCAN_STORE(w, before, value)  \
    {                                 \
        ranks[w] = before;            \
        if ((w) + 1 == words)         \
            *distinct = value;        \
    }

#endif

#ifdef SYMBOLS_DISTINCT

#define COMPACT_PARAMS , __global const uint *sorted, __global uint *values
#define COMPACT_KEEP(p) ((p) == 0 || sorted[(p) - 1] != sorted[p])
#define COMPACT_EMIT(p, to) values[to] = sorted[p]

#endif
