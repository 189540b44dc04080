// verify_buckets.cl: checks a suffix array that is read in blocks, without its inverse.
//
// The suffixes before those of the array, one character longer each, are in order within the bucket of their first
// character. So entry after entry of each bucket must be one less than the entries of the array in turn. A block's
// entries, less one, are sorted by that character, in their order, and compared with the next entries of all buckets.
//
// Launch: one work-group of WG for each tile of WG*ITEMS entries. faults: the least entry of the block with a position
// out of range, another character before it, another suffix; 0xffffffff where there is none.

#ifndef ITEMS
#error "ITEMS: elements of a work-item"
#endif

// keys[j] = the character before entry j, 256 where there is none; values[j] = the entry less one. letters may be null:
// else it has what the characters should be, for entries that have one.
KERNEL_WG(WG) verify_buckets_before(
    __global const uchar *text, ulong n, __global const ulong *block, uint count, __global const uchar *letters,
    __global uint *keys, __global ulong *values, __global uint *faults)
{
    FOR_TILE(j, WG * ITEMS, count) {
        const ulong i = block[j];
        uint key = 256;
        if (i >= n)
            atomic_min(&faults[0], (uint)j);
        else if (i > 0)
            key = text[i - 1];
        if (letters != 0 && key < 256 && letters[j] != key)
            atomic_min(&faults[1], (uint)j);
        keys[j] = key;
        values[j] = i - 1;
    }
}

// starts[c] = the first of the sorted keys that is c.
KERNEL_WG(WG) verify_buckets_starts(__global const uint *keys, uint count, __global uint *starts)
{
    FOR_TILE(j, WG * ITEMS, count) {
        if (j == 0 || keys[j] != keys[j - 1])
            starts[keys[j]] = (uint)j;
    }
}

KERNEL_WG(WG) verify_buckets_compare(
    __global const ulong *values, __global const ulong *entries, uint count, __global uint *faults)
{
    FOR_TILE(j, WG * ITEMS, count) {
        if (values[j] != entries[j])
            atomic_min(&faults[2], (uint)j);
    }
}
