// fmindex_sum.cl: sums of the counts of blocks of an FM-index, as template parameters for scan.cl: of a block's first
// word (FM_WORDS 1), or of the half that `which` tells (2). fmindex.cl describes the blocks.
//
// Launch and local memory: scan.cl.

#ifndef FM_WORDS
#error "FM_WORDS: 1 or 2"
#endif
#define OP OP_ADD
#if FM_WORDS == 1
#define T uint
#define IDENTITY 0u
#define SCAN_PARAMS , __global uint *blocks, ulong from_block
#define SCAN_LOAD(i) blocks[(from_block + (i)) * 4]
#define SCAN_STORE(i, before, value) blocks[(from_block + (i)) * 4] = before
#else
#define T uint2
#define IDENTITY ((uint2)(0))
#define SCAN_PARAMS , __global uint2 *blocks, ulong which
#define SCAN_LOAD(i) blocks[(i) * 4 + which]
#define SCAN_STORE(i, before, value) blocks[(i) * 4 + which] = before
#endif
