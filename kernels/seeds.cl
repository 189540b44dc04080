// seeds.cl: all maximal exact matches between a reference and queries, from seeds: substrings of `length` symbols of
// the reference at multiples of `step` (Grabowski & Bieniecki, copMEM: finding maximal exact matches via sampling both
// genomes, 2019; here only the reference is sampled). A match of length + step - 1 symbols or more holds a seed. The
// first one in it stands for it: less than `step` symbols of the match are before that.
//
// The text is the reference, then the queries, a byte 0 after each sequence. At least 24 bytes after it are 0, and its
// buffer has whole words of 8 bytes.
//
//   SEEDS_KEYS       template of the radix sort: the seeds by key
//   seeds_first      the first seed whose key has these high bits
//   seeds_pairs      pairs of a seed and a position of the queries with the same key
//   seeds_matches    the matches of those pairs that hold one, and in which the seed is the first
//
// Pairs and matches come in any order. A pair is the position of the seed in the high half of a word, and that of the
// query in the low one; a match is a key, of its positions in the queries and in the reference, and its length.
//
// Launch: work-groups of WG, one for each tile of WG*ITEMS elements. No local memory.

#define NO_SEED 0xffffffffu

typedef struct {
    uint key;   // not 0
    bool whole; // no separator is in it
} seed;

// The `length` symbols from i on, 1 to 16.
inline seed seed_at(__global const uchar *text, ulong i, uint length)
{
    const uint few = min(length, 8u);
    const ulong mask = ~0ul >> (64 - 8 * few);
    const ulong a = word_at(text, i) & mask, b = word_at(text, i + length - few) & mask;
    ulong x = a * 0x9e3779b97f4a7c15ul;
    x = (x ^ x >> 32 ^ b) * 0xff51afd7ed558ccdul;
    x = (x ^ x >> 32) * 0xc4ceb9fe1a85ec53ul;
    seed s = {max((uint)(x >> 32), 1u), (zeros(a | ~mask) | zeros(b | ~mask)) == 0};
    return s;
}

#if defined(SEEDS_KEYS)

#define RADIX_PARAMS , __global const uchar *text, uint length, uint step
#define RADIX_LOAD_KEY(t) (seed_at(text, (ulong)(t) * step, length).key)
#define RADIX_LOAD_VALUE(t) ((uint)(t) * step)

#else

#ifndef ITEMS
#error "ITEMS: elements of a work-item"
#endif

// first is all 0; its entries are 1 more than the number of a seed.
KERNEL_WG(WG) seeds_first(__global const uint *keys, ulong seeds, uint shift, __global uint *first)
{
    FOR_TILE(t, WG * ITEMS, seeds) {
        const uint here = keys[t] >> shift;
        if (t == 0 || keys[t - 1] >> shift != here)
            first[here] = (uint)t + 1;
    }
}

// The pairs of text position q, whose key is given, with the seeds from e on. A key of 0 ends it: llvmpipe's lanes
// without a work-item load zeros, and would go through all seeds.
inline void list_pairs(
    __global const uint *keys, __global const uint *positions, ulong seeds, uint wanted, ulong e, ulong q, uint room,
    __global uint *found, __global ulong *pairs)
{
    bool more = e < seeds;
    while (more) {
        const uint key = keys[e];
        more = key - 1 < wanted;
        if (key == wanted) {
            const uint at = atomic_inc(found);
            more = at < room;
            if (more)
                pairs[at] = (ulong)positions[e] << 32 | q;
            else
                atomic_dec(found);
        }
        e++;
        more = more && e < seeds;
    }
}

// Of `count` positions of the queries from text position `from` on. found[0] is the number of pairs; where there
// are `room` or more it is `room`, and only some are written. On CPUs what a tile needs is asked for before it is used.
KERNEL_WG(WG) seeds_pairs(
    __global const uchar *text, uint length, __global const uint *keys, __global const uint *positions, ulong seeds,
    uint shift, __global const uint *first, ulong from, ulong count, uint room, __global uint *found,
    __global ulong *pairs)
{
#if IS_CPU
    uint wanted[ITEMS], e[ITEMS];
    const ulong tile = (ulong)get_group_id(0) * ITEMS;
    FOR_TILE(t, ITEMS, count) {
        const seed s = seed_at(text, from + t, length);
        wanted[t - tile] = s.key;
        e[t - tile] = s.whole ? 0 : NO_SEED;
        PREFETCH(&first[s.key >> shift]);
    }
    FOR_TILE(t, ITEMS, count) {
        const uint at = (first[wanted[t - tile] >> shift] - 1) | e[t - tile];
        e[t - tile] = at;
        PREFETCH(&keys[at < seeds ? at : 0]);
    }
    FOR_TILE(t, ITEMS, count)
        list_pairs(keys, positions, seeds, wanted[t - tile], e[t - tile], from + t, room, found, pairs);
#else
    FOR_TILE(t, WG * ITEMS, count) {
        const seed s = seed_at(text, from + t, length);
        const uint e = s.whole ? first[s.key >> shift] - 1 : NO_SEED;
        list_pairs(keys, positions, seeds, s.key, e, from + t, room, found, pairs);
    }
#endif
}

// Of matches that begin at text positions [from, to), `least` symbols or more. found[0] is their number. A key has how
// far after `from` that is, above `bits` bits, which are the position in the reference. A length of `most` or more may
// be less than that of the match.
KERNEL_WG(WG) seeds_matches(
    __global const uchar *text, uint length, uint step, uint least, uint most, __global const ulong *pairs, ulong count,
    ulong from, ulong to, uint bits, __global uint *found, __global ulong *begins, __global uint *lengths)
{
#if IS_CPU
    FOR_TILE(t, WG * ITEMS, count)
        PREFETCH(&text[pairs[t] >> 32]);
#endif
    FOR_TILE(t, WG * ITEMS, count) {
        const ulong pair = pairs[t], r = pair >> 32, q = (uint)pair;
        ulong same = 0;
        for (bool more = true; more;) {
            const ulong a = word_at(text, r + same), b = word_at(text, q + same);
            const uint bytes = bytes_below((a ^ b) | zeros(a));
            same += bytes;
            more = bytes == 8 && same < most;
        }
        uint before = 0;
        for (bool more = same >= length && r > 0; more;) {
            const uchar left = text[r - 1 - before];
            more = left != 0 && left == text[q - 1 - before];
            before += more;
            more = more && before < step && before < r;
        }
        same += before;
        if (same >= least && before < step && q - before >= from && q - before < to) {
            const uint at = atomic_inc(found);
            begins[at] = (q - before - from) << bits | (r - before);
            lengths[at] = (uint)same;
        }
    }
}

#endif
