// radixsegments.cl: radix sort inside segments, as template parameters for radixsort.cl: each
// segment is cut into sub-segments of at most `span` pairs, which are its tiles. The counts
// of a segment stand together, digit by digit, so that one scan over all of them gives the
// places in every segment (GPU-LS, section 4.3, the first alternative for medium groups).
// With SEGMENTS_CUT it is the template of the scan that cuts (scan.cl).
//
//   offsets  where each segment starts, counted from any number, which is offsets[0]
//   cuts     for each sub-segment: first pair, end, number of the first sub-segment of
//            its segment, and how many there are in it
//   parts    their number; there may be more tiles than that, which are empty
//
// Launch and local memory: radixsort.cl, scan.cl.

#ifdef SEGMENTS_CUT

#define T uint
#define OP OP_ADD
#define IDENTITY 0u
#define SCAN_PARAMS \
    , __global const uint *offsets, ulong segments, uint pairs, uint span, __global uint4 *cuts, __global uint *parts
#define SEGMENT_END(k) ((k) + 1 < segments ? offsets[(k) + 1] - offsets[0] : pairs)
#define SCAN_LOAD(k) ((SEGMENT_END(k) - (offsets[k] - offsets[0]) + span - 1) / span)
#define SCAN_STORE(k, before, value)                                                         \
    {                                                                                        \
        const uint start_ = offsets[k] - offsets[0], end_ = SEGMENT_END(k);                  \
        const uint count_ = (value) - (before);                                              \
        for (uint j_ = 0; j_ < count_; j_++)                                                 \
            cuts[(before) + j_] = (uint4)(                                                   \
                start_ + j_ * span, j_ + 1 < count_ ? start_ + (j_ + 1) * span : end_,       \
                before, count_);                                                             \
        if ((k) + 1 == segments)                                                             \
            parts[0] = value;                                                                \
    }

#else

#ifndef K
#error "K: key type"
#endif
#ifndef V
#error "V: value type"
#endif

#define RADIX_PARAMS \
    , __global const uint4 *cuts, __global const uint *parts, __global const K *keys_in, __global const V *values_in
#define RADIX_LOAD_KEY(i) keys_in[i]
#define RADIX_LOAD_VALUE(i) values_in[i]
#define RADIX_FIRST(tile) ((ulong)segment_cut(cuts, parts, tile).x)
#define RADIX_END(tile) ((ulong)segment_cut(cuts, parts, tile).y)
#define RADIX_COUNT_AT(tile, d) segment_count(segment_cut(cuts, parts, tile), mask + 1, tile, d)

inline uint4 segment_cut(__global const uint4 *cuts, __global const uint *parts, ulong tile)
{
    return tile < parts[0] ? cuts[tile] : (uint4)(0u, 0u, (uint)tile, 1u);
}

inline ulong segment_count(uint4 cut, uint digits, ulong tile, uint digit)
{
    return (ulong)cut.z * digits + (ulong)digit * cut.w + (tile - cut.z);
}

#endif
