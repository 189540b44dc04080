// fmindex_compact.cl: lists of an FM-index, as template parameters for compact.cl:
//
//   FM_ESCAPES    the escapes: place and character
//   FM_SAMPLES    the sampled positions
//   FM_PARTITION  the symbols by a bit, for the next level of the wavelet matrix
//
// Launch and local memory: compact.cl.

#if defined(FM_ESCAPES)

#define COMPACT_PARAMS , __global const uchar *bwt, __global const uint *codes, __global uint2 *escapes
#define COMPACT_ITEM uchar
#define COMPACT_LOAD(i) bwt[i]
#define COMPACT_KEEP(i) (codes[item] == NONE)
#define COMPACT_EMIT(i, to) escapes[to] = (uint2)((uint)(i), item)

#elif defined(FM_SAMPLES)

#define COMPACT_PARAMS , __global const uint *sa, uint rate, __global uint *samples
#define COMPACT_ITEM uint
#define COMPACT_LOAD(i) sa[i]
#define COMPACT_KEEP(i) (item % rate == 0)
#define COMPACT_EMIT(i, to) samples[to] = item / rate

#elif defined(FM_PARTITION)

#define COMPACT_PARAMS , __global const uchar *in, __global const uint *codes, uint shift, __global uchar *out
#define COMPACT_ITEM uchar
#define COMPACT_LOAD(i) in[i]
#define COMPACT_KEEP(i) ((codes[item] >> shift & 1) == 0)
#define COMPACT_EMIT(i, to) out[to] = item
#define COMPACT_DROP(i, to) out[kept + (to)] = item

#else
#error "FM_ESCAPES, FM_SAMPLES or FM_PARTITION: which list"
#endif
