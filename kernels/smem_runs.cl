// smem_runs.cl: an engine of smem.cl: a run-length transform of rlbwt.cl, whose strings come with their reverse
// complements. Its letter is one more than that of a query; OTHER is N.
//
// The other strand's row grows by how often $, T, G, C, A, N are before the turn of the complement. It has no kernels:
// launch shape and local memory are those of smem_search.cl.

#ifndef INDEX_PARAMS
#error "INDEX_PARAMS: of rlbwt.cl"
#endif
#ifndef INDEX_ARGS
#error "INDEX_ARGS: of rlbwt.cl"
#endif
#ifndef SUPER_LOG
#error "SUPER_LOG: of rlbwt.cl"
#endif
#ifndef SUPER_WORDS
#error "SUPER_WORDS: of rlbwt.cl"
#endif
#ifndef BLOCK
#error "BLOCK: of rlbwt.cl"
#endif
#ifndef ROW_MASK
#error "ROW_MASK: of rlbwt.cl"
#endif

#ifndef ALL_IF
#error "ALL_IF: of rlbwt.cl"
#endif
#ifndef MOST_SETS
#error "MOST_SETS: of rlbwt.cl"
#endif

// rlbwt.cl has LETTERS for all of them.
#undef LETTERS
#define LETTERS 5u

inline interval whole(INDEX_PARAMS)
{
    const interval v = {0, 0, rows};
    return v;
}

inline interval single(INDEX_PARAMS, uint letter)
{
    const interval v = {before[letter + 1], before[complement(letter) + 1], before[letter + 2] - before[letter + 1]};
    return v;
}

// How often a letter (x), greater ones up to T (y), and $ and N (z) are among the first low, and among the first high
// rows of a block; low is not greater. Of N, x has $, too. Returns how many of high rows are not in the block.
inline uint count_both(__global const uint *block, uint letter, uint low, uint high, uint4 *below, uint4 *above)
{
    const uint is_a = ALL_IF(letter == 1), is_t = ALL_IF(letter >= 4);
    // Greater than C: G and T; than G: T; than T: code 5, which no slot has. Than A: all that is left.
    const letter_set greater = {0xffffffffu, ALL_IF(letter != 2), ~is_t, 0xffffffffu, is_t};
    const letter_set sets[MOST_SETS] = {set_of(letter), greater, set_of(5)};
    const uint upto[2] = {low, high};
    uint counts[2 * MOST_SETS];
    const uint left = count_in(block, sets, 3, upto, 2, counts);
    *below = (uint4)(counts[0], bitselect(counts[2], low - counts[0] - counts[4], is_a), counts[4], 0);
    *above = (uint4)(counts[1], bitselect(counts[3], high - counts[1] - counts[5], is_a), counts[5], 0);
    return left;
}

// The same among all rows before a block, from the beginning on. For N, x has $, too.
inline ulong4 count_before(__global const ulong *super, uint4 head, uint others, ulong from, uint letter)
{
    const ulong c = super[1] + head.y, g = super[2] + head.z, t = super[3] + head.w, rest = super[4] + others;
    const ulong a = from - c - g - t - rest;
    const ulong same = letter == 1 ? a : letter == 2 ? c : letter == 3 ? g : letter == 4 ? t : rest;
    return (ulong4)(same, (letter < 2 ? c : 0) + (letter < 3 ? g : 0) + (letter < 4 ? t : 0), rest, 0);
}

// The same before the rows low and high, which are in one block as a rule.
inline void ranks_both(INDEX_PARAMS, uint letter, ulong low, ulong high, ulong4 *below, ulong4 *above)
{
    ulong x = low;
    for (uint ends_left = 2; ends_left > 0; x = high) {
        const ulong b = x < rows ? block_of(INDEX_ARGS, x) : nblocks - 1;
        __global const ulong *super = supers + (b >> SUPER_LOG) * SUPER_WORDS;
        __global const uint *block = blocks + b * BLOCK;
        const uint4 head = vload4(0, block);
        const ulong from = super[0] + (head.x & ROW_MASK);
        uint4 first, all;
        const uint upto = (uint)min(high - from, (ulong)0xffffffffu);
        const uint left = count_both(block, letter, (uint)(x - from), upto, &first, &all);
        const ulong4 count = count_before(super, head, block[4], from, letter);
        if (ends_left == 2)
            *below = count + convert_ulong4(first);
        *above = count + convert_ulong4(all);
        ends_left -= left == 0 ? ends_left : 1;
    }
}

inline ulong ends_at(INDEX_PARAMS, ulong x)
{
    return ends_before(supers, ends, x < rows ? block_of(INDEX_ARGS, x) : nblocks - 1, x);
}

// The interval of a string with a letter more: after it, or before it.
inline interval extend(INDEX_PARAMS, interval v, uint letter, bool after)
{
    const interval none = {0, 0, 0};
    if (rows == 0) // else all rows have a block, those of empty intervals as well
        return none;
    const ulong row = after ? v.other : v.row;
    const uint c = (after ? complement(letter) : letter) + 1;
    ulong4 low, high;
    ranks_both(INDEX_ARGS, c, row, row + v.size, &low, &high);
    ulong first = 0, lesser = high.y - low.y;
    if (c == 5 || low.z != high.z) {
        first = ends_at(INDEX_ARGS, row);
        lesser += ends_at(INDEX_ARGS, row + v.size) - first;
    }
    ulong size = high.x - low.x;
    if (c == 5) {
        low.x -= first;
        size -= lesser;
        lesser = v.size - size;
    }
    const ulong next = before[c] + low.x, other = (after ? v.row : v.other) + lesser;
    const interval longer = {after ? other : next, after ? next : other, size};
    return longer;
}

inline void expect(INDEX_PARAMS, interval v, bool after)
{
    const ulong row = after ? v.other : v.row;
    PREFETCH(cells + (row >> shift));
    PREFETCH(cells + ((row + v.size) >> shift));
}
