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

// How often a letter (x), greater ones up to T (y), and $ and N (z) are before row x of an index. For N, x has $, too.
inline ulong4 ranks(INDEX_PARAMS, uint letter, ulong x)
{
    const ulong b = x < rows ? block_of(INDEX_ARGS, x) : nblocks - 1;
    __global const ulong *super = supers + (b >> SUPER_LOG) * SUPER_WORDS;
    __global const uint *block = blocks + b * BLOCK;
    const uint4 head = vload4(0, block);
    const ulong from = super[0] + (head.x & ROW_MASK);
    const ulong c = super[1] + head.y, g = super[2] + head.z, t = super[3] + head.w, others = super[4] + block[4];
    const uint upto = (uint)(x - from);
    uint row = 0, same = 0, greater = 0, other = 0;
    slots s;
    slots_begin(&s, block);
    while (row < upto && slots_next(&s)) {
        const uint take = min(s.length, upto - row);
        row += take;
        same += s.letter == letter ? take : 0;
        greater += s.letter > letter && s.letter < 5 ? take : 0;
        other += s.letter == 0 || s.letter == 5 ? take : 0;
    }
    const ulong a = from - c - g - t - others;
    ulong4 found = (ulong4)(same, greater, others + other, 0);
    if (letter == 5)
        found.x = found.z;
    else
        found.x += letter == 1 ? a : letter == 2 ? c : letter == 3 ? g : t;
    found.y += (letter < 2 ? c : 0) + (letter < 3 ? g : 0) + (letter < 4 ? t : 0);
    return found;
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
    ulong4 low = ranks(INDEX_ARGS, c, row), high = ranks(INDEX_ARGS, c, row + v.size);
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
