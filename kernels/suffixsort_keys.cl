// suffixsort_keys.cl: what a round sorts groups by. suffixsort.cl describes the arrays.
//
//   DOUBLING 0  the key is the next window of text; the new groups get depths
//   DOUBLING 1  the key is the rank at the end of the chain, as in suffixsort_chains.cl; the suffixes get new ranks
//
// A key of windows has the number of whole symbols in its low 8 bits; of ranks the low PLACE_BITS bits are 0.

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
#define KEY_ARGS sa_at, keys, keys_at, key_words, slots, slots_at, ranks, ranks_at
#define TABLE_PARAM
#define TABLE_ARG
#define LOAD_TABLE
#define PLACE_BITS 10
#define KEY_OF(suffix, depth) (key_at(keys, keys_at, key_words, suffix) << PLACE_BITS)
#define DEPTH_AT(slot, head) 0u
#define NOTE_DEPTH(slot, depth, head)
#else
#define KEY_PARAMS                                                                                                 \
    ulong sa_at, __global const uchar *text, __global const ulong *packed, __global const uint *table, ulong size, \
    uint width, uint bits, ulong n, __global const uint *places, ulong places_at, uint uniform,                    \
        __global uchar *depths, ulong depths_at
#define KEY_ARGS \
    sa_at, text, packed, table, size, width, bits, n, places, places_at, uniform, depths, depths_at
#define TABLE_PARAM , __local const uint *codes
#define TABLE_ARG , codes
#define PLACE_BITS 8
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

#if DOUBLING

// Sets keys of numbers begin to end of m, which are below 2^31, to the ranks at the ends of their chains and, if
// `twice`, one chain further; `later`, the next of the next round, is where these end. snapshot = groups.
inline void follow_chains(
    uint begin, uint end, __global const uint *ranks, uint m, __global const uint *next, uint twice,
    __global ulong *keys, __global uint *later, __global const uint *groups, __global uint *snapshot)
{
    const uint words = (m + 31) / 32;
    for (uint start = begin + get_local_id(0); start < end; start += UNDER_WAY * WG) {
        uint to[UNDER_WAY], next_to[UNDER_WAY], last[UNDER_WAY], rank[UNDER_WAY], next_rank[UNDER_WAY];
        UNROLL for (uint u = 0; u < UNDER_WAY; u++)
            to[u] = next[min(start + u * WG, end - 1)];
        UNROLL for (uint u = 0; u < UNDER_WAY; u++) {
            next_to[u] = next[to[u]];
            rank[u] = ranks[to[u]];
        }
        UNROLL for (uint u = 0; u < UNDER_WAY; u++) {
            last[u] = twice ? next[next_to[u]] : next_to[u];
            next_rank[u] = twice ? ranks[next_to[u]] : 0u;
        }
        UNROLL for (uint u = 0; u < UNDER_WAY; u++) {
            const uint x = start + u * WG;
            if (x < end) {
                keys[x] = twice ? (ulong)rank[u] << 27 | next_rank[u] : rank[u];
                later[x] = last[u];
                if (x < words)
                    snapshot[x] = groups[x];
            }
        }
    }
}

#endif
