// segsort.cl: what the kernels that sort inside segments share: the first part of their programs, after heads.cl.
//
//   segsort_rank.cl   the shortest segments, by ranks
//   segsort_group.cl  short segments, several in a work-group, and blocks of long ones
//   segsort_merge.cl  rounds of merges of the blocks
//   segsort_large.cl  long segments by sorts of all their items
//
// Segments are contiguous and given by a bitmap of heads. segsort_heads.cl makes it, segsort_lists.cl lists its long
// segments.
//
//   K, V    key and value types; K64 1 if K is ulong
//
// It has no kernels: launch shape and local memory are those of the other parts.

#ifndef ITEMS
#error "ITEMS: items of a work-item"
#endif
#ifndef K
#error "K: key type"
#endif
#ifndef K64
#error "K64: 1 if keys have 64 bits, else 0"
#endif
#ifndef V
#error "V: value type"
#endif

// The arrays, which may begin after the start of a buffer.
#define PAIRS_PARAMS(in)                                                                                       \
    __global in K *keys_in, uint keys_in_at, __global K *keys_out, uint keys_out_at, __global in V *values_in, \
    uint values_in_at, __global V *values_out, uint values_out_at
#define PAIRS_BEGIN            \
    keys_in += keys_in_at;     \
    keys_out += keys_out_at;   \
    values_in += values_in_at; \
    values_out += values_out_at;
