// wavelet.cl: the bits of a wavelet tree, level by level.
//
// A level has letters in the order of its nodes, from left to right, and in a node in the order of the text. The bit of
// a letter is the next step of its path. The letters of a node that go left become a node of the next level, unless
// their path ends, and so do those that go right. A letter's place in the next level is the sum of two numbers: what
// `places` has for it, and how many letters of the level before it have the same bit. The sum wraps around.
//
//   wavelet_bits   the bits of a level
//   compact.cl     the letters of the next level: the macros are here
//
// Launch: wavelet_bits in work-groups of WG, one for each tile of WG*ITEMS words of 32 bits. No local memory. text.cl
// precedes this file.

#ifndef ITEMS
#error "ITEMS: elements of a work-item"
#endif

// steps has the bits of the letters of each level, in 8 words.
inline uint step_of(__global const uint *steps, uint level, uint letter)
{
    return steps[8 * level + letter / 32] >> letter % 32 & 1;
}

// The place of letters whose path ends.
#define NOWHERE (1ul << 63)

inline void place_letter(__global const ulong *places, uint level, uchar letter, ulong before, __global uchar *next)
{
    const ulong place = places[256 * level + letter];
    if (place != NOWHERE)
        next[place + before] = letter;
}

#define COMPACT_PARAMS                                                                                               \
    , __global const uchar *letters, uint level, __global const uint *steps, __global const ulong *places,           \
        __global uchar *next
#define COMPACT_ITEM uchar
#define COMPACT_LOAD(i) letters[i]
#define COMPACT_KEEP(i) (step_of(steps, level, item) != 0)
#define COMPACT_EMIT(i, to) place_letter(places, level, item, to, next)
#define COMPACT_DROP(i, to) place_letter(places, level, item, to, next)

// bits [ceil(n/32)] of letters [n], the first in the least bit. Bits after the last are 0.
KERNEL_WG(WG) wavelet_bits(
    __global const uchar *letters, ulong n, uint level, __global const uint *steps, __global uint *bits)
{
    FOR_TILE(w, WG * ITEMS, (n + 31) / 32) {
        uint word = 0;
        for (uint q = 0; q < 4; q++) {
            const ulong of = eight(letters, n, 4 * w + q);
            for (uint k = 0; k < 8; k++)
                word |= step_of(steps, level, (uint)(of >> 8 * k) & 255) << (8 * q + k);
        }
        bits[w] = 32 * w + 32 > n ? word & ((1u << (uint)(n % 32)) - 1) : word;
    }
}
