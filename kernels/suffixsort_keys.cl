// suffixsort_keys.cl: what a round sorts groups by. suffixsort.cl describes the arrays.
//
//   DOUBLING 0  the key is the next window of text; the new groups get depths
//   DOUBLING 1  the key is the rank at the end of the chain, as in suffixsort_chains.cl; the suffixes get new ranks
//
// A key has 0 in its low byte, or there the number of whole symbols in the window. It has no kernels.

#ifndef DOUBLING
#error "DOUBLING: 1 if keys are ranks, 0 if they are windows of text"
#endif
#ifndef SYMBOLS
#error "SYMBOLS: entries of the table, from suffixsort_windows.cl"
#endif

#if DOUBLING
#define KEY_PARAMS                                                                                     \
    ulong sa_at, __global const uint *keys, ulong keys_at, uint key_words, __global const uint *slots, \
    ulong slots_at, __global uint *ranks, ulong ranks_at
#define LOAD_TABLE
#define KEY_OF(suffix, depth) (key_at(keys, keys_at, key_words, suffix) << 8)
#define DEPTH_AT(slot, head) 0u
#define NOTE_DEPTH(slot, depth, head)
#else
#define KEY_PARAMS                                                                                                 \
    ulong sa_at, __global const uchar *text, __global const ulong *packed, __global const uint *table, ulong size, \
    uint width, uint bits, ulong n, __global const uint *places, ulong places_at, uint uniform,                    \
        __global uchar *depths, ulong depths_at
#define LOAD_TABLE            \
    __local uint codes[SYMBOLS]; \
    if (width == 0)              \
        load_table(table, codes);
#define KEY_OF(suffix, depth) window(text, packed, codes, size, width, bits, PLACE_OF(suffix) + (depth))
#define DEPTH_AT(slot, head) DEPTH_OF(slot, head)
#define NOTE_DEPTH(slot, depth, head)                                 \
    {                                                                 \
        if (uniform == 0 && !(head))                                  \
            depths[depths_at + ((slot) - 1) / 2] = DEPTH_BYTE(depth); \
    }
#endif
