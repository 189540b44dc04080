// smem_dna.cl: an engine of smem.cl: the Burrows-Wheeler transform of a text of A, C, G, T that is its own reverse
// complement, without the row of its end.
//
//   blocks  4 uint4 each, of 192 rows: how often each letter was before, from the beginning of the superblock on; then
//           three times 64 letters, the low bits (xy) and the high bits (zw)
//   supers  4 ulong2 for each 2^SUPER_LOG blocks: for each letter the row that its first suffix from here on leads to,
//           and how often greater letters were before
//   before  [5] rows that begin with a lesser letter or are the end
//   rows    all, that of the end included; primary: the row whose letter is the end
//
// A rank takes one block, and a superblock, which the caches hold. It has no kernels: launch shape and local memory are
// those of smem_search.cl.

#define SUPER_LOG 24
#define LETTERS 4u

#define INDEX_PARAMS                                                                            \
    __global const uint4 *blocks, __global const ulong2 *supers, __global const ulong *before, \
        ulong rows, ulong primary
#define INDEX_ARGS blocks, supers, before, rows, primary

inline interval whole(INDEX_PARAMS)
{
    const interval v = {0, 0, rows};
    return v;
}

inline interval single(INDEX_PARAMS, uint letter)
{
    const interval v = {before[letter], before[3 - letter], before[letter + 1] - before[letter]};
    return v;
}

// Of the first `upto` of 64 letters: how many are the letter, and how many are greater. low and high are all ones where
// the letter has that bit.
inline uint2 count_in(uint4 word, ulong low, ulong high, uint upto)
{
    const ulong first = upto < 64 ? ~(~0ul << upto) : ~0ul;
    const ulong same_high = ~(as_ulong(word.zw) ^ high);
    const ulong same = same_high & ~(as_ulong(word.xy) ^ low);
    const ulong greater = (as_ulong(word.zw) & ~high) | (same_high & as_ulong(word.xy) & ~low);
    return (uint2)((uint)popcount(same & first), (uint)popcount(greater & first));
}

// x: the row that the letter before row `row` leads to; y: how often greater letters are before it.
inline ulong2 ranks(INDEX_PARAMS, uint letter, ulong row)
{
    const ulong place = row - (row > primary);
    const uint words = (uint)(place >> 6), b = words / 3, word = words - 3 * b, within = (uint)place & 63;
    __global const uint4 *block = blocks + (ulong)b * 4;
    const uint4 counts = block[0];
    const ulong low = letter & 1 ? ~0ul : 0, high = letter & 2 ? ~0ul : 0;
    const uint2 in = count_in(block[1], low, high, word > 0 ? 64 : within) +
                     count_in(block[2], low, high, word > 1 ? 64 : word < 1 ? 0 : within) +
                     count_in(block[3], low, high, word < 2 ? 0 : within);
    const uint same = letter & 2 ? (letter & 1 ? counts.w : counts.z) : (letter & 1 ? counts.y : counts.x);
    const uint greater = (letter < 1 ? counts.y : 0) + (letter < 2 ? counts.z : 0) + (letter < 3 ? counts.w : 0);
    return supers[(b >> SUPER_LOG) * 4 + letter] + (ulong2)(same + in.x, (ulong)greater + in.y);
}

// The interval of a string with a letter more: after it, or before it.
inline interval extend(INDEX_PARAMS, interval v, uint letter, bool after)
{
    const ulong row = after ? v.other : v.row;
    const uint c = after ? 3 - letter : letter;
    const ulong2 low = ranks(INDEX_ARGS, c, row), high = ranks(INDEX_ARGS, c, row + v.size);
    const ulong other = (after ? v.row : v.other) + (high.y - low.y) + (row <= primary && primary < row + v.size);
    const interval longer = {after ? other : low.x, after ? low.x : other, high.x - low.x};
    return longer;
}

// Asks for what the next step reads.
inline void expect(INDEX_PARAMS, interval v, bool after)
{
    const ulong row = after ? v.other : v.row;
    PREFETCH(blocks + (row >> 6) / 3 * 4);
    PREFETCH(blocks + ((row + v.size) >> 6) / 3 * 4);
}

// ---- Positions

#define LOCATES 1

inline void expect_row(INDEX_PARAMS, ulong row) { PREFETCH(blocks + (row >> 6) / 3 * 4); }

// The row of the suffix that is longer by the letter before that of `row`, which is not primary.
inline ulong longer(INDEX_PARAMS, ulong row)
{
    const ulong place = row - (row > primary);
    const uint words = (uint)(place >> 6), within = (uint)place & 63;
    const uint4 word = blocks[(ulong)(words / 3) * 4 + 1 + words % 3];
    const uint letter = (uint)(as_ulong(word.xy) >> within & 1) | (uint)(as_ulong(word.zw) >> within & 1) << 1;
    return ranks(INDEX_ARGS, letter, row).x;
}
