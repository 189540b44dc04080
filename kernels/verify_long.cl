// verify_long.cl: verify.cl for positions of 64 bits, and suffix arrays that come in blocks.
//
// The inverse has 5 bytes a character: 4 low ones, and the high one apart. A block has `count` entries, of the slots
// from `first` on.
//
// Launch: one work-group of WG for each tile of WG*ITEMS entries. faults: the least entry of the block with a position
// out of range, a duplicate, a wrong order; 0xffffffff where there is none.

#ifndef ITEMS
#error "ITEMS: elements of a work-item"
#endif

inline ulong rank_of(__global const uint *low, __global const uchar *high, ulong i)
{
    return (ulong)high[i] << 32 | low[i];
}

// The inverse of the entries in range; where entries are equal, of any of them.
KERNEL_WG(WG) verify_long_invert(
    __global const ulong *block, ulong first, uint count, ulong n, __global uint *low, __global uchar *high,
    __global uint *faults)
{
    FOR_TILE(j, WG * ITEMS, count) {
        const ulong i = block[j];
        if (i < n) {
            store_relaxed(&low[i], (uint)(first + j));
            high[i] = (uchar)((first + j) >> 32);
        } else {
            atomic_min(&faults[0], (uint)j);
        }
    }
}

// The inverse must be all ones where verify_long_invert wrote nothing. before is the entry in front of the block, n if
// there is none.
KERNEL_WG(WG) verify_long_order(
    __global const uchar *text, __global const ulong *block, ulong before, ulong first, uint count, ulong n,
    __global const uint *low, __global const uchar *high, __global uint *faults)
{
    FOR_TILE(j, WG * ITEMS, count) {
        const ulong v = block[j];
        if (v < n) {
            if (rank_of(low, high, v) != first + j)
                atomic_min(&faults[1], (uint)j);
            const ulong u = j > 0 ? block[j - 1] : before;
            if (u < n) {
                const uchar cu = text[u], cv = text[v];
                bool less = cu < cv;
                if (cu == cv) // the empty suffix is the smallest
                    less = v + 1 < n && (u + 1 == n || rank_of(low, high, u + 1) < rank_of(low, high, v + 1));
                if (!less)
                    atomic_min(&faults[2], (uint)j);
            }
        }
    }
}
