// contexts.cl: steps of contexts.go, each chosen by a macro. Occurrences are numbered in the order of their words.
// Launch shape and local memory: the template's file; contexts_before, work-groups of WG, each for WG*ITEMS of them.

// Occurrence i begins with another word than the one before it.
#define STARTS(i) ((i) == 0 || words[i] != words[(i) - 1])

#if defined(CTX_WORDS) // radixsort.cl: occurrence i, which is at position i of the text, and its word

#define RADIX_PARAMS , __global const uchar *text
#define RADIX_LOAD_KEY(i) word_at(text, i)
#define RADIX_LOAD_VALUE(i) ((uint)(i))

inline uint word_at(__global const uchar *text, ulong i)
{
    return (uint)text[i] << 24 | (uint)text[i + 1] << 16 | (uint)text[i + 2] << 8 | text[i + 3];
}

#elif defined(CTX_NUMBER) // scan.cl: numbers the words, and marks where each begins

#define T uint
#define OP OP_ADD
#define IDENTITY 0u
#define SCAN_PARAMS , __global const uint *words, __global uint *numbers, __global uchar *heads
#define SCAN_LOAD(i) (STARTS(i) ? 1u : 0u)
#define SCAN_STORE(i, before, value) numbers[i] = (value) - 1, heads[i] = (value) != (before)

#elif defined(CTX_STARTS) // compact.cl: the first occurrence of each word

#define COMPACT_PARAMS , __global const uint *words, __global uint *starts
#define COMPACT_KEEP(i) STARTS(i)
#define COMPACT_EMIT(i, to) starts[to] = (uint)(i)

#elif defined(CTX_BEFORE)

#ifndef ITEMS
#error "ITEMS: occurrences of a work-item"
#endif

// before[i] = the character before occurrence i, 256 if there is none; order[i] = i, ones[i] = 1.
KERNEL_WG(WG) contexts_before(
    __global const uchar *text, __global const uint *positions, ulong n, __global uint *before, __global uint *order,
    __global uint *ones)
{
    FOR_TILE(i, WG * ITEMS, n) {
        before[i] = positions[i] == 0 ? 256 : text[positions[i] - 1];
        order[i] = (uint)i;
        ones[i] = 1;
    }
}

#endif
