// segsort_heads.cl: bitmaps of the heads of segments, as heads.cl has them.
//
// Launch: one work-item for each word or segment, in work-groups of WG. No local memory.

// heads from flags: a byte an item, a head where it is not 0.
KERNEL_WG(WG) segsort_flags(__global const uchar *flags, __global uint *heads, ulong n)
{
    const ulong w = (ulong)get_group_id(0) * WG + get_local_id(0);
    uint word = 0;
    for (ulong i = w * 32; i < min(w * 32 + 32, n); i++)
        word |= flags[i] != 0 ? 1u << (i % 32) : 0u;
    if (w * 32 < n)
        heads[w] = word;
}

// heads, which are all 0, from the starts of m segments; those from n on do not count.
KERNEL_WG(WG) segsort_offsets(__global const uint *offsets, ulong m, __global uint *heads, ulong n)
{
    const ulong k = (ulong)get_group_id(0) * WG + get_local_id(0);
    if (k < m) {
        const uint o = offsets[k];
        if (o < n)
            atomic_or(&heads[o / 32], 1u << (o % 32));
    }
}
