// distributed_names.cl: names of the samples of a block, whose suffixes are sorted. A macro chooses a template:
//
//   SAMPLES  compaction: the samples, in the order of their suffixes
//   NAMES    scan: names, counted from 0, by the first 31 characters; where these agree the name is the same
//
// Needs distributed_cover.cl. Offsets are in the block; `phase` is the residue of its first position.

#ifndef COVER_PERIOD
#error "COVER_PERIOD: distributed_cover.cl"
#endif
#ifndef COVER_NUMBER
#error "COVER_NUMBER: distributed_cover.cl"
#endif
#ifndef COVER_SET
#error "COVER_SET: distributed_cover.cl"
#endif

#ifdef SAMPLES

#define COMPACT_PARAMS , __global const uint *sa, uint length, uint phase, __global uint *samples
#define COMPACT_ITEM uint
#define COMPACT_LOAD(p) sa[p]
#define COMPACT_KEEP(p) (item < length && (COVER_SET >> (item % COVER_PERIOD + phase) % COVER_PERIOD & 1) != 0)
#define COMPACT_BY_ITEM
#define COMPACT_EMIT(p, to) samples[to] = item

#endif

#ifdef NAMES

// Whether sample i has another name than the one before. A text that ends comes before one that goes on.
inline uint new_name(__global const uchar *text, uint size, __global const uint *samples, ulong i)
{
    if (i == 0)
        return 1;
    const uint x = samples[i - 1], y = samples[i], left = size - max(x, y);
    uint k = 0;
    for (; k < min(left, (uint)COVER_PERIOD) && text[x + k] == text[y + k]; k++)
        ;
    return k < COVER_PERIOD || left == COVER_PERIOD;
}

#define T uint
#define OP OP_ADD
#define IDENTITY 0u
#define SCAN_PARAMS \
    , __global const uchar *text, uint size, __global const uint *samples, uint phase, uint before_block, uint number, \
        __global uint *names, __global uint *distinct, __global uint *count
#define SCAN_LOAD(i) new_name(text, size, samples, i)
#define SCAN_STORE(i, before, value) \
    { \
        names[COVER_NUMBER((ulong)samples[i] + phase) - before_block] = (value) - 1; \
        if ((value) != (before)) \
            distinct[before] = samples[i]; \
        if ((i) + 1 == number) \
            *count = (value); \
    }

#endif
