// segsort_large.cl: segments of any size by a global radix sort of (segment, key): what
// happens before and after it. The segments are listed as starts, ends and offsets
// (segsort_lists.cl); their items are numbered from 0 to `total`, offsets being the number of
// each segment's first.
//
// Launch: one work-group of WG for each WG*ITEMS items. No local memory.

#define TILE (WG * ITEMS)

// The last of the segments [lo, hi] that does not start after item q.
inline uint segment_of(__global const uint *offsets, uint lo, uint hi, uint q)
{
    while (lo < hi) {
        const uint mid = hi - (hi - lo) / 2;
        if (offsets[mid] <= q)
            lo = mid;
        else
            hi = mid - 1;
    }
    return lo;
}

// FOR_LISTED walks q over the items of this work-group's tile, s being the segment of
// each: one of those that the tile's first and last are in. A single work-item comes along
// them in order.
#if IS_CPU
#define FIND_SEGMENT(s, q)                          \
    while (s < s##_last && offsets[s + 1] <= (uint)(q)) \
        s++
#else
#define FIND_SEGMENT(s, q) s = segment_of(offsets, s##_first, s##_last, (uint)(q))
#endif
#define FOR_LISTED(q, s)                                                                       \
    const ulong q##_first = (ulong)get_group_id(0) * TILE;                                     \
    const uint s##_first = segment_of(offsets, 0, segments - 1, (uint)q##_first);              \
    const uint s##_last = segment_of(offsets, s##_first, segments - 1, (uint)min(q##_first + TILE, (ulong)total) - 1); \
    uint s = s##_first;                                                                        \
    FOR_TILE(q, TILE, total)

#if K64

// Keys, places in the list, and the segment of each.
KERNEL_WG(WG) segsort_gather(
    __global const uint *starts, __global const uint *offsets, uint segments, uint total, __global const K *keys,
    ulong keys_at, __global K *sort_keys, __global uint *from, __global uint *segment)
{
    FOR_LISTED(q, s) {
        FIND_SEGMENT(s, q);
        sort_keys[q] = keys[keys_at + starts[s] + ((uint)q - offsets[s])];
        from[q] = (uint)q;
        segment[q] = s;
    }
}

// The segments of the items in the order of `from`.
KERNEL_WG(WG) segsort_segments(
    __global const uint *from, __global const uint *segment, uint total, __global uint *sort_segments)
{
    FOR_TILE(q, TILE, total)
        sort_segments[q] = segment[from[q]];
}

// Item q of the list is what was item from[q], of the same segment.
KERNEL_WG(WG) segsort_scatter(
    __global const uint *starts, __global const uint *offsets, uint total, __global const uint *segment,
    __global const uint *from, PAIRS_PARAMS(const))
{
    PAIRS_BEGIN
    FOR_TILE(q, TILE, total) {
        const uint s = segment[q], shift = starts[s] - offsets[s];
        const uint i = from[q] + shift, to = (uint)q + shift;
        keys_out[to] = keys_in[i];
        values_out[to] = values_in[i];
    }
}

#else

// (segment << 32 | key), and the item's place in the array.
KERNEL_WG(WG) segsort_gather(
    __global const uint *starts, __global const uint *offsets, uint segments, uint total, __global const K *keys,
    ulong keys_at, __global ulong *sort_keys, __global uint *from)
{
    FOR_LISTED(q, s) {
        FIND_SEGMENT(s, q);
        const uint i = starts[s] + ((uint)q - offsets[s]);
        sort_keys[q] = (ulong)s << 32 | keys[keys_at + i];
        from[q] = i;
    }
}

KERNEL_WG(WG) segsort_scatter(
    __global const uint *starts, __global const uint *offsets, uint total, __global const ulong *sorted,
    __global const uint *from, PAIRS_PARAMS(const))
{
    PAIRS_BEGIN
    FOR_TILE(q, TILE, total) {
        const uint s = (uint)(sorted[q] >> 32), to = starts[s] + ((uint)q - offsets[s]);
        keys_out[to] = (K)sorted[q];
        values_out[to] = values_in[from[q]];
    }
}

#endif
