// kmers.cl: how often the k-mer at each position of a text of up to four letters occurs in it, by sorting hashes. Where
// both strands count, a k-mer and its reverse complement are one.
//
// packed has two bits a letter, 32 letters a word, the first in the high bits, and a word more. The codes of a letter
// and of its complement have the sum 3. gaps is a bitmap of the characters that are no letters.
//
//   kmers_pack      packs a piece of the text
//   kmers_collect   hashes and positions of the k-mers whose second hash is in a range
//   kmers_counts    of sorted hashes: how many are equal, and whether their k-mers are
//
// Launch: work-groups of WG, one for each tile of WG*ITEMS words, positions or hashes. Local memory: kmers_collect 12
// bytes an element of the tile. text.cl precedes this file.

#ifndef ITEMS
#error "ITEMS: elements of a work-item"
#endif
#define NO_LETTER 4

// Packs `count` characters, which begin the word `at` of the packed text. codes has that of each byte, or NO_LETTER.
KERNEL_WG(WG) kmers_pack(
    __global const uchar *piece, ulong count, __global const uchar *codes, ulong at, __global ulong *packed,
    __global uint *gaps)
{
    FOR_TILE(w, WG * ITEMS, (count + 31) / 32) {
        ulong all = 0;
        uint none = 0;
        for (uint c = 0; c < 32; c++) {
            const uint code = 32 * w + c < count ? codes[piece[32 * w + c]] : NO_LETTER;
            all |= (ulong)(code & 3) << (62 - 2 * c);
            none |= (code >> 2) << c;
        }
        packed[at + w] = all;
        gaps[at + w] = none;
    }
}

// Whether the k characters from i on are letters of the text.
inline bool letters_only(__global const uint *gaps, ulong n, ulong i, uint k)
{
    const ulong end = i + k;
    if (end > n)
        return false;
    const ulong first = i / 32, last = (end - 1) / 32;
    uint none = 0;
    for (ulong w = first; w <= last; w++) {
        uint of = gaps[w];
        if (w == first)
            of &= ~0u << i % 32;
        if (w == last)
            of &= ~0u >> (31 - (end - 1) % 32);
        none |= of;
    }
    return none == 0;
}

// The reverse complement of 32 letters.
inline ulong reversed(ulong x)
{
    x = (x >> 2 & 0x3333333333333333ul) | (x & 0x3333333333333333ul) << 2;
    x = (x >> 4 & 0x0f0f0f0f0f0f0f0ful) | (x & 0x0f0f0f0f0f0f0f0ful) << 4;
    return ~as_ulong(as_uchar8(x).s76543210);
}

// 32 letters of the k-mer at i, or of its reverse complement, from letter 32 * j on; zeros after the last one.
inline ulong kmer_word(__global const ulong *packed, ulong i, uint k, bool reverse, uint j)
{
    const uint rest = k - 32 * j, count = min(rest, 32u);
    ulong x = packed_window(packed, 2, reverse ? i + rest - count : i + 32 * j);
    if (reverse)
        x = reversed(x) << (64 - 2 * count);
    return x & ~0ul << (64 - 2 * count);
}

// Whether the reverse complement of the k-mer at i comes before it.
inline bool comes_reversed(__global const ulong *packed, ulong i, uint k)
{
    ulong a = 0, b = 0;
    for (uint j = 0; 32 * j < k && a == b; j++) {
        a = kmer_word(packed, i, k, false, j);
        b = kmer_word(packed, i, k, true, j);
    }
    return b < a;
}

// A permutation of words (after S. Vigna's SplitMix64).
inline ulong mixed(ulong x)
{
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9ul;
    x = (x ^ x >> 27) * 0x94d049bb133111ebul;
    return x ^ x >> 31;
}

typedef struct {
    ulong hash; // of up to 32 letters those of different k-mers differ
    uint part;
} kmer_hash;

inline kmer_hash hash_of(__global const ulong *packed, ulong i, uint k, bool both, ulong seed)
{
    const bool reverse = both && comes_reversed(packed, i, k);
    ulong hash = seed, part = ~seed;
    for (uint j = 0; 32 * j < k; j++) {
        const ulong word = kmer_word(packed, i, k, reverse, j);
        hash = mixed(hash ^ word);
        part = (part ^ part >> 32 ^ word) * 0x9e3779b97f4a7c15ul;
    }
    const kmer_hash both_hashes = {hash, (uint)(part >> 32)};
    return both_hashes;
}

// Lists the hashes and positions of the k-mers whose part is in [low, high], in any order. counters[0] is their number;
// `room` of them are written.
KERNEL_WG(WG) kmers_collect(
    __global const ulong *packed, __global const uint *gaps, ulong n, uint k, uint both, ulong seed, uint low,
    uint high, uint room, __global uint *counters, __global ulong *hashes, __global uint *positions)
{
    __local ulong tile_hashes[WG * ITEMS];
    __local uint tile_positions[WG * ITEMS];
    __local uint count, start;
    if (get_local_id(0) == 0)
        count = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    FOR_TILE(i, WG * ITEMS, n) {
        if (letters_only(gaps, n, i, k)) {
            const kmer_hash h = hash_of(packed, i, k, both != 0, seed);
            if (h.part >= low && h.part <= high) {
                const uint at = atomic_inc(&count);
                tile_hashes[at] = h.hash;
                tile_positions[at] = (uint)i;
            }
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (get_local_id(0) == 0)
        start = atomic_add(&counters[0], count);
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint x = get_local_id(0); x < count; x += WG) {
        const ulong to = (ulong)start + x;
        if (to < room) {
            hashes[to] = tile_hashes[x];
            positions[to] = tile_positions[x];
        }
    }
}

// The first element, or the one after the last, of those equal to the sorted element x: steps that double, then halve.
inline ulong first_equal(__global const ulong *hashes, ulong x)
{
    const ulong hash = hashes[x];
    ulong step = 1;
    while (step <= x && hashes[x - step] == hash)
        step *= 2;
    ulong equal = x - step / 2; // that is, and step before x is not
    for (step /= 4; step > 0; step /= 2)
        equal -= step <= equal && hashes[equal - step] == hash ? step : 0;
    return equal;
}

// The element after the last of those equal to element x of n.
inline ulong after_equal(__global const ulong *hashes, ulong n, ulong x)
{
    const ulong hash = hashes[x];
    ulong step = 1;
    while (step < n - x && hashes[x + step] == hash)
        step *= 2;
    ulong equal = x + step / 2;
    for (step /= 4; step > 0; step /= 2)
        equal += step < n - equal && hashes[equal + step] == hash ? step : 0;
    return equal + 1;
}

// Of n sorted hashes; counts are 1 where a hash is alone. counters[1] is not 0 if k-mers with the same hash differ.
KERNEL_WG(WG) kmers_counts(
    __global const ulong *packed, uint k, uint both, __global const ulong *hashes, __global const uint *positions,
    ulong n, __global uint *counters, __global uint *counts)
{
    FOR_TILE(x, WG * ITEMS, n) {
        const ulong hash = hashes[x];
        if ((x > 0 && hashes[x - 1] == hash) || (x + 1 < n && hashes[x + 1] == hash)) {
            const ulong from = first_equal(hashes, x), i = positions[x], other = positions[from];
            counts[i] = (uint)(after_equal(hashes, n, x) - from);
            if (k > 32 && x > from) {
                const bool ri = both != 0 && comes_reversed(packed, i, k);
                const bool ro = both != 0 && comes_reversed(packed, other, k);
                bool same = true;
                for (uint j = 0; 32 * j < k && same; j++)
                    same = kmer_word(packed, i, k, ri, j) == kmer_word(packed, other, k, ro, j);
                if (!same)
                    atomic_inc(&counters[1]);
            }
        }
    }
}
