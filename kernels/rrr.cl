// rrr.cl: bits in blocks of 127, each coded by its ones and its number among the blocks of as many ones (Raman, Raman,
// Rao 2002). 32 blocks are a superblock.
//
//   rrr_classes   ones and bits of numbers: of each block and of each superblock
//   rrr_numbers   the numbers, in the bits that they need
//
// A block of k ones has its number in the order of the words that are read from the first bit on: each one at d, with r
// ones from there on, has C(126-d, r) smaller words. No block has more than 63 ones or zeros, whichever are fewer: the
// number of the other ones is C(127, k) - 1 less that of the inverted block.
//
// Launch: work-groups of WG, one for each tile of WG*ITEMS superblocks or blocks. No local memory.

#ifndef ITEMS
#error "ITEMS: superblocks or blocks of a work-item"
#endif

#define BLOCK_BITS 127
#define SUPERBLOCK 32
#define CLASS_BITS 7

// Block b of bits in `words` words: 0 after their end.
inline ulong2 block_of(__global const ulong *bits, ulong words, ulong b)
{
    const ulong at = b * BLOCK_BITS, w = at / 64;
    const uint used = (uint)(at % 64);
    const ulong x = w < words ? bits[w] : 0, y = w + 1 < words ? bits[w + 1] : 0, z = w + 2 < words ? bits[w + 2] : 0;
    // By two shifts, as one by 64 would do nothing.
    const ulong low = x >> used | y << 1 << (63 - used), high = y >> used | z << 1 << (63 - used);
    return (ulong2)(low, high & ~0ul >> 1);
}

inline uint ones_of(ulong2 block) { return (uint)(popcount(block.x) + popcount(block.y)); }

// n bits in `words` words. space [128] are the bits of a number by the ones of its block.
//
// Of superblock s < supers, sums has the bits of numbers, and in the high half the ones; sums[supers] = 0. before
// [32*supers] are the bits of numbers of blocks before it in its superblock. classes [7*supers] has the ones of blocks,
// 7 bits each. An inverted superblock has the zeros: most of its 32 blocks have more ones than zeros, and the first is
// whole.
KERNEL_WG(WG) rrr_classes(
    __global const ulong *bits, ulong words, ulong n, ulong supers, __global const uchar *space, __global ulong *sums,
    __global ushort *before, __global uchar *inverted, __global uint *classes)
{
    FOR_TILE(s, WG * ITEMS, supers + 1) {
        ulong sum = 0;
        if (s < supers) {
            uint many = 0, have = 0, filled = 0;
            ulong packed = 0;
            __global uint *to = classes + s * CLASS_BITS;
            for (uint b = 0; b < SUPERBLOCK; b++) {
                const uint k = ones_of(block_of(bits, words, s * SUPERBLOCK + b));
                before[s * SUPERBLOCK + b] = (ushort)sum;
                sum += (ulong)k << 32 | space[k];
                many += k > BLOCK_BITS / 2 ? 1 : 0;
                packed |= (ulong)k << have;
                have += CLASS_BITS;
                if (have >= 32) {
                    to[filled++] = (uint)packed;
                    packed >>= 32;
                    have -= 32;
                }
            }
            const ulong first = s * (SUPERBLOCK * BLOCK_BITS);
            const bool whole = first + BLOCK_BITS <= n && (s + 1) * SUPERBLOCK <= (n + BLOCK_BITS) / BLOCK_BITS;
            const bool invert = whole && many > SUPERBLOCK / 2;
            inverted[s] = invert ? 1 : 0;
            if (invert) {
                for (uint w = 0; w < CLASS_BITS; w++)
                    to[w] = ~to[w];
            }
        }
        sums[s] = sum;
    }
}

// choose [64*128] has C(n, k) at 128 * k + n, the low half first.
inline ulong2 number_of(__global const ulong2 *choose, ulong2 block)
{
    ulong low = 0, high = 0;
    uint r = 0;
    while ((block.x | block.y) != 0) { // from the last one on
        const bool upper = block.y != 0;
        const ulong half_block = upper ? block.y : block.x;
        const uint d = 63 - (uint)clz(half_block);
        const ulong without = half_block ^ 1ul << d;
        block.x = upper ? block.x : without;
        block.y = upper ? without : block.y;
        r++;
        const ulong2 c = choose[128 * r + (BLOCK_BITS - 1) - (upper ? 64 + d : d)];
        low += c.x;
        high += c.y + (low < c.x ? 1 : 0);
    }
    return (ulong2)(low, high);
}

inline void or_word(__global uint *numbers, ulong at, uint word)
{
    if (word != 0)
        atomic_or(&numbers[at], word);
}

// Sets the numbers of blocks, from bit `shift` on, in words that are 0. sums is that of rrr_classes, scanned: of the
// superblocks before.
KERNEL_WG(WG) rrr_numbers(
    __global const ulong *bits, ulong words, ulong blocks, __global const uchar *space, __global const ulong2 *choose,
    __global const ulong *sums, __global const ushort *before, uint shift, __global uint *numbers)
{
    FOR_TILE(b, WG * ITEMS, blocks) {
        const ulong2 block = block_of(bits, words, b);
        const uint k = ones_of(block);
        if (space[k] > 0) {
            const bool flip = k > BLOCK_BITS / 2;
            const ulong2 few = flip ? (ulong2)(~block.x, ~block.y & ~0ul >> 1) : block;
            ulong2 number = number_of(choose, few);
            if (flip) { // C(127, k) - 1 less it
                const ulong2 all = choose[128 * (BLOCK_BITS - k) + BLOCK_BITS];
                const ulong low = ~number.x;
                number.y = all.y + ~number.y + (all.x + low < low ? 1 : 0);
                number.x = all.x + low;
            }
            const ulong place = (sums[b / SUPERBLOCK] & 0xffffffff) + before[b] + shift, at = place / 32;
            const uint used = (uint)(place % 32);
            const ulong first = number.x << used;
            const ulong second = number.x >> 1 >> (63 - used) | number.y << used;
            or_word(numbers, at, (uint)first);
            or_word(numbers, at + 1, (uint)(first >> 32));
            or_word(numbers, at + 2, (uint)second);
            or_word(numbers, at + 3, (uint)(second >> 32));
            or_word(numbers, at + 4, (uint)(number.y >> 1 >> (63 - used)));
        }
    }
}
