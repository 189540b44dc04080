// suffixsort.cl: steps of package suffixsort, which sorts suffixes by windows of coded
// text, extends them while that helps, and doubles what remains. suffixsort_groups.cl has
// the rounds of small groups.
//
// A step is chosen by a macro. SUFFIXSORT_MAP makes the kernels that treat every element
// on its own: one work-group of WG for each WG*ITEMS elements, whose number is a multiple
// of 32. The others are template parameters of radixsort.cl, compact.cl and scan.cl:
//   SUFFIXSORT_SELECT    compaction: the suffixes of a part, by their prefixes
//   SUFFIXSORT_FIRST     first pass of the radix sort
//   SUFFIXSORT_PARTITION first pass of the radix sort: suffixes with their ranks
//   SUFFIXSORT_STARTS    scan: where the suffixes of each word of the bitmap go
//   SUFFIXSORT_LASTS     scan: the last head before each word of the bitmap
//   SUFFIXSORT_REFINE    scan: ranks of large groups after a round of doubling
//
// A window is a ulong: the next `bits` (at most 56) bits of coded text, from bit 8 on, and
// in the low 8 the number of whole symbols in them, which the bits above determine. Zeros
// are behind the end of the text. Of suffixes that agree the later one is smaller if its
// window reaches the end; all sorts are stable and start from the last suffix, so it is
// in front, and final.
//
//   table     for each byte its code in the top 16 bits and the code's length; entry 256
//             is that of the least symbol, of which zeros consist
//   packed    text of symbols of `width` (1, 2 or 4) bits, the first in the top bits of a
//             word; a word of zeros behind it. width is 0 where codes differ in length.
//   prefixes  the first 16 bits of each window, in the order of the windows
//   sa        the suffixes in order; those of large groups may be missing
//   groups    where groups begin in sa, as a bitmap like heads; of suffixes that are listed it
//             tells nothing
//   depths    how many symbols groups are sorted by: of a group of several suffixes in slots
//             s, s + 1 ... under s/2, (s + 1)/2 ..., but for the last one, so that no other has them
//   places    of m unsorted suffixes, those of a group in a row: their slots in sa, in
//             the low word; in the high word how many symbols their group is sorted by,
//             its depth; the top bit tells the first one of a group
//   suffixes  the suffixes themselves, of large groups
//   heads     the top bits of a list of large groups as a bitmap: element j is bit j%32 of word j/32
//   classes   for each word of heads the elements in small and in large groups, as bits
//   starts    and how many of either are before the word
//   counts    how often each byte occurs; two words of package periodic; how many windows
//             of the sample are ALONE, how many in small groups, a FEW; behind that, for
//             each round, how many suffixes it leaves in small and in large
//             groups, and whether one of these is longer than `longest`; then how often each
//             prefix of 10 bits occurs
//   isa       the slot of the first suffix of the group of each suffix: its rank
//   preceding for each slot 4 bits: the code of the symbol before its suffix, or UNSETTLED where the
//             first sort has left more than one suffix that it may be. For the Burrows-Wheeler
//             transform of packed text of at most 2 bits a symbol; the codes come in the top bits
//             of windows, of which at most 48 are sorted by then.
//
// There are two lists of places: small groups have at most LIMIT suffixes, and come in any
// order; large groups are in order.
//
// Local memory of the maps: 8.5 bytes for each of WINDOWS elements and 4 for each of WINDOWS + 64
// symbols; else 4 bytes for 32 elements, those that precede symbols 4 more for 8, and 1028 for the table. Names that macros declare
// end in _, so that they hide none of the kernel's.

#define DEPTH_MASK 0x7fffffffu
#define PLACE(slot, depth, head) ((ulong)(head) << 63 | (ulong)min((uint)(depth), DEPTH_MASK) << 32 | (slot))
#define SLOT_OF(place) ((uint)(place))
#define DEPTH_OF(place) ((uint)((place) >> 32) & DEPTH_MASK)
#define HEAD_OF(place) (((place) >> 63) != 0)

#define UNSETTLED 15u
#define PRECEDED(window, symbol) ((window) | (ulong)(symbol) << 60)
#define WINDOW_OF(key, preceded) ((preceded) ? (key) & ~0ul >> 4 : (key))

#define ALONE 258
#define FEW 259

// The length of a list: m, or what an earlier round has counted.
#define GIVEN 0xffffffffu
#define LISTED(m, counts, count) ((count) == GIVEN ? (m) : (ulong)(counts)[count])

#if defined(SUFFIXSORT_MAP) || defined(SUFFIXSORT_PARTITION) || defined(SUFFIXSORT_COVER)

// The slot of the first suffix of the group that has slot r.
inline uint rank_of(__global const uint *groups, __global const uint *lasts, ulong r)
{
    const uint word = groups[r / 32] & ((2u << r % 32) - 1);
    return word != 0 ? (uint)(r - r % 32) + 31 - clz(word) : lasts[r / 32] - 1;
}

#endif

#if defined(SUFFIXSORT_MAP) || defined(SUFFIXSORT_GROUPS)

#define SYMBOLS 257

// The 8 characters from 8*q on, the first in the low bits, zeros behind the end.
inline ulong eight(__global const uchar *text, ulong size, ulong q)
{
    if (8 * q + 8 <= size)
        return ((__global const ulong *)text)[q];
    ulong word = 0;
    for (uint k = 0; k < 8 && 8 * q + k < size; k++)
        word |= (ulong)text[8 * q + k] << 8 * k;
    return word;
}

// The entry of the character at i, which may be behind the end.
#define ENTRY(i) codes[(i) < size ? text[i] : 256u]

inline ulong window(__global const uchar *text, __global const ulong *packed, __local const uint *codes, ulong size, uint width, uint bits, ulong i)
{
    ulong code = 0;
    uint count = 0;
    if (width > 0) {
        const ulong at = i * width;
        const uint shift = (uint)(at % 64);
        code = packed[at / 64] << shift | packed[at / 64 + 1] >> 1 >> (63 - shift);
        count = bits / width;
    } else {
#if IS_CPU
        // Bounded for llvmpipe, where lanes that are off read zeros and go round, too.
        for (uint used = 0, most = bits; used < bits && most > 0; i++, most--) {
            const uint entry = ENTRY(i);
            code |= (ulong)(entry >> 16) << 48 >> used;
            used += entry & 0xff;
            count += used <= bits;
        }
#else
        // A request for 8 bytes costs as much as for one, and two at once as much time.
        ulong word = eight(text, size, i / 8) >> i % 8 * 8, ahead = eight(text, size, i / 8 + 1);
        bool first = true;
        for (uint used = 0; used < bits;) {
            const uint entry = codes[i < size ? (uint)word & 0xff : 256u];
            code |= (ulong)(entry >> 16) << 48 >> used;
            used += entry & 0xff;
            count += used <= bits;
            i++;
            word >>= 8;
            if (i % 8 == 0) {
                word = first ? ahead : eight(text, size, i / 8);
                first = false;
            }
        }
#endif
    }
    return code >> (64 - bits) << 8 | count;
}

// The code of the symbol before i in packed text; 0 before the first.
inline uint symbol_before(__global const ulong *packed, uint width, ulong i)
{
    const ulong at = (i - (i > 0)) * width;
    return (uint)(packed[at / 64] << at % 64 >> (64 - width));
}

inline void load_table(__global const uint *table, __local uint *codes)
{
    for (uint c = get_local_id(0); c < SYMBOLS; c += WG)
        codes[c] = table[c];
}

#endif

#ifdef SUFFIXSORT_MAP

#ifndef ITEMS
#error "ITEMS: elements of a work-item"
#endif

#ifndef RUN
#error "RUN: windows that a work-item makes in a row"
#endif
#ifndef LIMIT
#error "LIMIT: suffixes of a small group, at least 32"
#endif
#ifndef BINS
#error "BINS: of the first bits of a prefix, a power of two"
#endif
#ifndef BIN_TILES
#error "BIN_TILES: tiles of a work-group that counts them"
#endif

#define TILE (WG * ITEMS)
#define WINDOWS (WG * RUN)
#define BINS_TILE (BIN_TILES * TILE)

// Counters of a byte: neighbours have their own, so that they wait less for each other where
// the text has few bytes.
#if IS_CPU
#define COPIES 1
#else
#define COPIES 4
#endif

// counts[c] += how often byte c occurs; 8 characters an element.
KERNEL_WG(WG) suffixsort_count(__global const uchar *text, ulong size, __global uint *counts)
{
    __local uint mine[256 * COPIES];
    for (uint c = get_local_id(0); c < 256 * COPIES; c += WG)
        mine[c] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    const uint copy = get_local_id(0) % COPIES;
    FOR_TILE(q, TILE, (size + 7) / 8) {
        const ulong word = eight(text, size, q);
        const uint have = (uint)min(size - 8 * q, 8ul);
        for (uint k = 0; k < have; k++)
            atomic_inc(&mine[(uint)(word >> 8 * k & 0xff) * COPIES + copy]);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint c = get_local_id(0); c < 256; c += WG) {
        uint sum = 0;
        for (uint k = 0; k < COPIES; k++)
            sum += mine[c * COPIES + k];
        if (sum > 0)
            atomic_add(&counts[c], sum);
    }
}

// Packs 64/width symbols into each of `words` words.
KERNEL_WG(WG) suffixsort_pack(__global const uchar *text, ulong size, __global const uint *table, uint width, ulong words, __global ulong *packed)
{
    __local uint codes[SYMBOLS];
    load_table(table, codes);
    barrier(CLK_LOCAL_MEM_FENCE);
    const uint symbols = 64 / width;
    FOR_TILE(w, TILE, words) {
        ulong all = 0;
        for (uint k = 0; k < symbols; k += 8) {
            const ulong i = w * symbols + k;
            const ulong word = i < size ? eight(text, size, i / 8) : 0ul;
            for (uint j = 0; j < 8; j++)
                all = all << width | (i + j < size ? codes[word >> 8 * j & 0xff] >> (32 - width) : 0u);
        }
        packed[w] = all;
    }
}

// Places in local memory without bank conflicts, for work-items that walk ITEMS in a row.
#define PADDED(z) ((z) + (z) / 32)
#define PADDED64(z) ((z) + (z) / 16)

// Counts a window if it belongs to the sample: one different window of 256, wherever it occurs,
// so that the sample has groups as long as the text's. sampled has two words for each of `slots`
// slots, a power of two: a fingerprint, 0 where there is none, and how often it was seen, up
// to about LIMIT.
inline void sample(ulong key, __global uint *sampled, uint slots)
{
    const ulong hash = (key >> 8) * 0x9e3779b97f4a7c15ul;
    const uint print = (uint)(hash >> 32 ^ hash) | 1;
    for (uint k = 0; k < 8 && hash >> 56 == 0; k++) {
        __global uint *slot = sampled + 2 * (((uint)(hash >> 28) + k) & (slots - 1));
        uint other = load_relaxed(slot);
        if (other == 0)
            other = atomic_cmpxchg(slot, 0u, print);
        if (other == 0 || other == print) {
            if (load_relaxed(slot + 1) <= LIMIT)
                atomic_inc(slot + 1);
            break;
        }
    }
}

// counts[ALONE] and [FEW] of the sample.
KERNEL_WG(WG) suffixsort_sample(__global const uint *sampled, uint slots, __global uint *counts)
{
    __local uint alone, few;
    if (get_local_id(0) == 0)
        alone = few = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    uint one = 0, some = 0;
    FOR_TILE(k, TILE, slots) {
        const uint times = sampled[2 * k + 1];
        one += times == 1;
        some += times > 1 && times <= LIMIT ? times : 0u;
    }
    atomic_add(&alone, one);
    atomic_add(&few, some);
    barrier(CLK_LOCAL_MEM_FENCE);
    if (get_local_id(0) == 0) {
        atomic_add(&counts[ALONE], alone);
        atomic_add(&counts[FEW], few);
    }
}

// keys[p] = window of suffix behind-1-p, for `count` of them. Where codes differ in length, it
// slides to the left; `end` is behind its last whole symbol, and these have `used` bits.
// WINDOWS of them a work-group. They are sampled if there are slots for that, and preceded by a
// symbol if that is wanted.
KERNEL_WG(WG) suffixsort_windows(__global const uchar *text, __global const ulong *packed, __global const uint *table, ulong size, uint width, uint bits, ulong behind, ulong count, __global ulong *keys, __global uint *sampled, uint slots, uint preceded)
{
    __local uint codes[SYMBOLS];
    load_table(table, codes);
    barrier(CLK_LOCAL_MEM_FENCE);
#if IS_CPU
    ulong end = behind - (ulong)get_group_id(0) * WINDOWS;
    const ulong last = width == 0 ? window(text, packed, codes, size, width, bits, end) : 0ul;
    ulong code = last >> 8 << (64 - bits);
    uint used = 0;
    if (width == 0)
        for (uint symbols = last & 0xff; symbols > 0; symbols--, end++)
            used += ENTRY(end) & 0xff;
    FOR_TILE(p, WINDOWS, count) {
        const ulong i = behind - 1 - p;
        if (width == 0) {
            const uint entry = ENTRY(i);
            code = (ulong)(entry >> 16) << 48 | code >> (entry & 0xff);
            for (used += entry & 0xff; used > bits && end > i; used -= ENTRY(end) & 0xff)
                end--;
            keys[p] = code >> (64 - bits) << 8 | (end - i);
        } else {
            const ulong key = window(text, packed, codes, size, width, bits, i);
            keys[p] = preceded ? PRECEDED(key, symbol_before(packed, width, i)) : key;
        }
        if (slots > 0)
            sample(WINDOW_OF(keys[p], preceded), sampled, slots);
    }
#else
    // Symbol z is that of character behind - base - WINDOWS + z; that of element p of the tile
    // is WINDOWS - 1 - p.
    __local uint entries[PADDED(WINDOWS + 64)];
    __local ulong sorted_by[PADDED64(WINDOWS)];
    const ulong base = (ulong)get_group_id(0) * WINDOWS;
    if (width == 0) {
        for (uint z = get_local_id(0); z < WINDOWS + 64; z += WG) {
            const ulong i = behind - base - WINDOWS + z; // wraps before the start
            entries[PADDED(z)] = codes[i < size ? text[i] : 256u];
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (width == 0) {
        uint z = WINDOWS - get_local_id(0) * RUN, end = z, used = 0;
        ulong code = 0;
        for (uint most = 64; most > 0; most--) {
            const uint entry = entries[PADDED(end)];
            code |= (ulong)(entry >> 16) << 48 >> used;
            if (used + (entry & 0xff) > bits)
                break;
            used += entry & 0xff;
            end++;
        }
        for (uint k = 0; k < RUN; k++) {
            z--;
            const uint entry = entries[PADDED(z)];
            code = (ulong)(entry >> 16) << 48 | code >> (entry & 0xff);
            for (used += entry & 0xff; used > bits && end > z; used -= entries[PADDED(end)] & 0xff)
                end--;
            sorted_by[PADDED64(get_local_id(0) * RUN + k)] = code >> (64 - bits) << 8 | (end - z);
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    FOR_TILE(p, WINDOWS, count) {
        const ulong key = width == 0 ? sorted_by[PADDED64((uint)(p - base))] : window(text, packed, codes, size, width, bits, behind - 1 - p);
        keys[p] = preceded ? PRECEDED(key, symbol_before(packed, width, behind - 1 - p)) : key;
        if (slots > 0)
            sample(key, sampled, slots);
    }
#endif
}


// prefixes[at + p] = first 16 bits of keys[p], which has `bits` of them; histogram counts their bins.
KERNEL_WG(WG) suffixsort_prefixes(__global const ulong *keys, ulong count, uint bits, __global ushort *prefixes, ulong at, __global uint *counts, uint histogram)
{
    __local uint mine[BINS];
    for (uint b = get_local_id(0); b < BINS; b += WG)
        mine[b] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    FOR_TILE(p, BINS_TILE, count) {
        const uint prefix = (uint)(keys[p] >> (bits - 8)) & 0xffff;
        prefixes[at + p] = (ushort)prefix;
        atomic_inc(&mine[prefix / (0x10000 / BINS)]);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint b = get_local_id(0); b < BINS; b += WG)
        if (mine[b] > 0)
            atomic_add(&counts[histogram + b], mine[b]);
}

// keys[j] = window of suffixes[j], preceded by a symbol if that is wanted.
KERNEL_WG(WG) suffixsort_gather(__global const uchar *text, __global const ulong *packed, __global const uint *table, ulong size, uint width, uint bits, __global const uint *suffixes, ulong m, __global ulong *keys, uint preceded)
{
    __local uint codes[SYMBOLS];
    load_table(table, codes);
    barrier(CLK_LOCAL_MEM_FENCE);
    FOR_TILE(j, TILE, m) {
        const ulong i = suffixes[j], key = window(text, packed, codes, size, width, bits, i);
        keys[j] = preceded ? PRECEDED(key, symbol_before(packed, width, i)) : key;
    }
}

// sa[p] = size-1-p: the suffixes of a text of one symbol.
KERNEL_WG(WG) suffixsort_descend(__global uint *sa, ulong size)
{
    FOR_TILE(p, TILE, size)
        sa[p] = (uint)(size - 1 - p);
}

// The bitmap of a tile.
inline void clear_heads(__local uint *words)
{
    for (uint w = get_local_id(0); w < TILE / 32; w += WG)
        words[w] = 0;
}

inline void set_head(__local uint *words, ulong j, ulong place)
{
    if (HEAD_OF(place))
        atomic_or(&words[j % TILE / 32], 1u << j % 32);
}

inline void write_heads(__local const uint *words, ulong m, __global uint *heads)
{
    for (uint w = get_local_id(0); w < TILE / 32; w += WG) {
        const ulong to = (ulong)get_group_id(0) * (TILE / 32) + w;
        if (to * 32 < m)
            heads[to] = words[w];
    }
}

// A part of sa are slots from lo to before hi. Kernels go over it by whole words of the bitmap:
// from here on.
#define PART_FROM(lo) ((lo) - (lo) % 32)

inline void write_groups(__local const uint *words, ulong lo, ulong hi, __global uint *groups)
{
    for (uint w = get_local_id(0); w < TILE / 32; w += WG) {
        const ulong first = PART_FROM(lo) + (ulong)get_group_id(0) * TILE + 32 * w;
        if (first < hi) // the part before may have some of its bits
            groups[first / 32] = words[w] | (first < lo ? groups[first / 32] : 0u);
    }
}

// Whether slot r of a part, whose windows are keys from slot lo on, begins a group.
inline bool begins_group(__global const ulong *keys, __global const uint *sa, ulong lo, ulong r, ulong size, bool preceded)
{
    if (r == lo)
        return true;
    const ulong key = WINDOW_OF(keys[r - lo], preceded);
    return WINDOW_OF(keys[r - lo - 1], preceded) != key || (ulong)sa[r - 1] + (key & 0xff) >= size;
}

// groups = where a new window begins in a part, which has these keys; also the depths, and what
// precedes the suffixes if the keys have it.
KERNEL_WG(WG) suffixsort_heads(__global const ulong *keys, __global const uint *sa, ulong lo, ulong hi, ulong size, __global uint *groups, __global uint *depths, __global uint *preceding)
{
    __local uint words[TILE / 32], symbols[TILE / 8];
    clear_heads(words);
    for (uint w = get_local_id(0); w < TILE / 8; w += WG)
        symbols[w] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    const ulong from = PART_FROM(lo);
    const bool preceded = preceding != 0;
    FOR_TILE(e, TILE, hi - from) {
        const ulong r = from + e;
        if (r < lo)
            continue;
        const ulong key = keys[r - lo];
        const bool head = begins_group(keys, sa, lo, r, size, preceded);
        if (head)
            set_head(words, e, PLACE(0, 0, 1));
        else
            depths[(r - 1) / 2] = (uint)(key & 0xff);
        if (preceded) {
            const bool alone = head && (r + 1 == hi || begins_group(keys, sa, lo, r + 1, size, preceded));
            atomic_or(&symbols[e % TILE / 8], (alone ? (uint)(key >> 60) : UNSETTLED) << 4 * (e % 8));
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    write_groups(words, lo, hi, groups);
    for (uint w = get_local_id(0); preceded && w < TILE / 8; w += WG) {
        const ulong first = from + (ulong)get_group_id(0) * TILE + 8 * w;
        if (first < hi && first + 8 > lo)
            preceding[first / 8] = symbols[w] | (first < lo ? preceding[first / 8] : 0u);
    }
}

#define UNDER_WAY 4 // elements at once, which wait for several reads, one behind the other

// The Burrows-Wheeler transform as bwt.cl has it, from packed text; symbols has the bytes of the
// codes. Row 0 is $text, whose last character ends the text.
KERNEL_WG(WG) suffixsort_transform(__global const uint *preceding, __global const uint *sa, __global const ulong *packed, uint width, uint symbols, ulong size, __global const uint *rows, __global uchar *bwt)
{
    const ulong skip = rows[0], end = min((ulong)(get_group_id(0) + 1) * TILE, size);
    if (get_global_id(0) == 0)
        bwt[0] = (uchar)(symbols >> 8 * symbol_before(packed, width, size));
    for (ulong start = (ulong)get_group_id(0) * TILE + get_local_id(0); start < end; start += UNDER_WAY * WG) {
        uint code[UNDER_WAY];
        ulong suffix[UNDER_WAY];
        UNROLL for (uint u = 0; u < UNDER_WAY; u++) {
            const ulong r = min(start + u * WG, end - 1);
            code[u] = preceding[r / 8] >> 4 * (r % 8) & 15;
        }
        UNROLL for (uint u = 0; u < UNDER_WAY; u++)
            suffix[u] = code[u] == UNSETTLED ? sa[min(start + u * WG, end - 1)] : 0u;
        UNROLL for (uint u = 0; u < UNDER_WAY; u++)
            if (code[u] == UNSETTLED)
                code[u] = symbol_before(packed, width, suffix[u]);
        UNROLL for (uint u = 0; u < UNDER_WAY; u++) {
            const ulong r = start + u * WG;
            if (r < end && r + 1 != skip)
                bwt[r + 1 < skip ? r + 1 : r] = (uchar)(symbols >> 8 * code[u]);
        }
    }
}

// classes = the elements of each word of a part in small and in large groups. An element for each
// of its `words` words. A group within a word is small. Tells whether one is longer than `longest`,
// which is at least LIMIT.
KERNEL_WG(WG) suffixsort_classes(__global const uint *heads, ulong lo, ulong n, ulong words, uint longest, __global uint2 *classes, __global uint *counts, uint into)
{
    __local uint any;
    if (get_local_id(0) == 0)
        any = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    FOR_TILE(k, TILE, words) {
        const ulong w = lo / 32 + k;
        const uint word = head_word(heads, w, n), next = head_word(heads, w + 1, n);
        uint alone = word & word >> 1;
        if (next % 2 == 1) // Oclgrind has no funnel shifts
            alone |= word & 0x80000000u;
        uint valid = n - 32 * w >= 32 ? ~0u : (1u << n % 32) - 1;
        if (k == 0)
            valid &= ~0u << lo % 32;
        // From its last head on the word is of a group that ends `behind` elements after
        // it, and up to its first head of one that starts `before` elements ahead.
        uint before = 0, behind = 0;
        uint other = word << 31;
        for (ulong v = w; other == 0 && v > 0 && before < LIMIT;) {
            other = heads[--v];
            before += other != 0 ? clz(other) + 1 : 32u;
        }
        other = 0;
        for (ulong v = w + 1; other == 0 && behind < (word != 0 ? longest : LIMIT); v++) {
            other = head_word(heads, v, n);
            behind += other != 0 ? first_bit(other) : 32u;
        }
        uint large;
        if (word == 0) {
            large = before + 32 + behind > LIMIT ? ~0u : 0u;
        } else {
            const uint first = first_bit(word), last = last_bit(word);
            large = before + first > LIMIT ? (1u << first) - 1 : 0u;
            large |= 32 - last + behind > LIMIT ? ~0u << last : 0u;
            if (32 - last + behind > longest)
                atomic_or(&any, 1u);
        }
        large &= valid & ~alone;
        classes[k] = (uint2)(valid & ~alone & ~large, large);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (get_local_id(0) == 0 && any != 0)
        atomic_or(&counts[into + 2], 1u);
}

// Where element j goes among those of its class: CLASS 0 small, 1 large.
#define IN_CLASS(classes, j) ((classes) >> (j) % 32 & 1)
#define AMONG(start, classes, j) ((start) + popcount((classes) & ((1u << (j) % 32) - 1)))

// Lists the unsorted suffixes of a part: those in small groups, if wanted, from places[small_at]
// on; of those in large groups those from `first` to before `behind`, from large_at on.
KERNEL_WG(WG) suffixsort_list(__global const uint *depths, __global const uint *sa, ulong lo, ulong hi, __global const uint *groups, __global const uint2 *classes, __global const uint2 *starts, uint small, __global ulong *places, ulong small_at, ulong first, ulong behind, __global uint *large, __global ulong *large_places, ulong large_at)
{
    const ulong from = PART_FROM(lo);
    FOR_TILE(e, TILE, hi - from) {
        const uint2 class = classes[e / 32];
        if (!IN_CLASS(class.x | class.y, e))
            continue;
        const ulong r = from + e;
        const uint2 start = starts[e / 32];
        const bool head = IN_CLASS(groups[r / 32], r);
        const ulong place = PLACE((uint)r, depths[(r - !head) / 2], head);
        const uint to = AMONG(start.y, class.y, e);
        if (IN_CLASS(class.x, e)) {
            if (small)
                places[small_at + AMONG(start.x, class.x, e)] = place;
        } else if (to >= first && to < behind) {
            large[large_at + to - first] = sa[r];
            large_places[large_at + to - first] = place;
        }
    }
}

// groups: the listed suffixes begin groups, until suffixsort_note tells which do not. An element
// for each of `words` words, from word `at` on.
KERNEL_WG(WG) suffixsort_take(__global const uint2 *classes, __global const uint2 *starts, ulong words, uint small, ulong first, ulong behind, __global uint *groups, ulong at)
{
    FOR_TILE(k, TILE, words) {
        const uint2 class = classes[k];
        uint taken = class.y;
        ulong number = starts[k].y;
        if (number < first || number + popcount(class.y) > behind) {
            for (uint rest = class.y; rest != 0; rest &= rest - 1, number++)
                if (number < first || number >= behind)
                    taken &= ~(rest & (0u - rest));
        }
        if (small)
            taken |= class.x;
        if (taken != 0)
            groups[at + k] |= taken;
    }
}

// groups and depths of the places that are left of those listed.
KERNEL_WG(WG) suffixsort_note(__global const ulong *places, ulong m, __global uint *groups, __global uint *depths)
{
    FOR_TILE(j, TILE, m) {
        const ulong place = places[j];
        const uint slot = SLOT_OF(place);
        if (!HEAD_OF(place)) {
            atomic_and(&groups[slot / 32], ~(1u << slot % 32));
            depths[(slot - 1) / 2] = DEPTH_OF(place);
        }
    }
}

// counts[into] = the last of the suffixes in large groups of a part that begins one, and is not
// behind number `last` of them; it was 0. An element for each of `words` words, from word `at` on.
KERNEL_WG(WG) suffixsort_cut(__global const uint *groups, ulong at, __global const uint2 *classes, __global const uint2 *starts, ulong words, uint last, __global uint *counts, uint into)
{
    __local uint cut;
    if (get_local_id(0) == 0)
        cut = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    FOR_TILE(k, TILE, words) {
        const uint class = classes[k].y;
        uint rest = class & groups[at + k];
        while (rest != 0 && AMONG(starts[k].y, class, last_bit(rest)) > last)
            rest &= ~(1u << last_bit(rest));
        if (rest != 0)
            atomic_max(&cut, AMONG(starts[k].y, class, last_bit(rest)));
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (get_local_id(0) == 0 && cut > 0)
        atomic_max(&counts[into], cut);
}

// Lists those of large groups that have been split: those that are small or alone return
// to sa.
KERNEL_WG(WG) suffixsort_relist(__global const uint *suffixes, __global const ulong *all, ulong m, __global const uint2 *classes, __global const uint2 *starts, __global ulong *places, __global uint *large, __global ulong *large_places, __global uint *sa)
{
    FOR_TILE(j, TILE, m) {
        const uint2 class = classes[j / 32], start = starts[j / 32];
        const uint suffix = suffixes[j];
        const ulong place = all[j];
        if (IN_CLASS(class.y, j)) {
            const uint to = AMONG(start.y, class.y, j);
            large[to] = suffix;
            large_places[to] = place;
        } else {
            sa[SLOT_OF(place)] = suffix;
            if (IN_CLASS(class.x, j))
                places[AMONG(start.x, class.x, j)] = place;
        }
    }
}

// keys[j] = window behind what suffix j is sorted by. For large groups.
KERNEL_WG(WG) suffixsort_extend(__global const uchar *text, __global const ulong *packed, __global const uint *table, ulong size, uint width, uint bits, __global const uint *suffixes, __global const ulong *places, ulong m, __global uint *heads, __global ulong *keys)
{
    __local uint codes[SYMBOLS], words[TILE / 32];
    load_table(table, codes);
    clear_heads(words);
    barrier(CLK_LOCAL_MEM_FENCE);
    FOR_TILE(j, TILE, m) {
        const ulong place = places[j];
        keys[j] = window(text, packed, codes, size, width, bits, (ulong)suffixes[j] + DEPTH_OF(place));
        set_head(words, j, place);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    write_heads(words, m, heads);
}

// Splits large groups that are sorted by windows: their places get depth and head.
KERNEL_WG(WG) suffixsort_split(__global const ulong *keys, __global const uint *suffixes, ulong size, ulong m, __global ulong *places, __global uint *heads)
{
    __local uint words[TILE / 32];
    clear_heads(words);
    barrier(CLK_LOCAL_MEM_FENCE);
    FOR_TILE(j, TILE, m) {
        const ulong key = keys[j], place = places[j];
        const uint before = suffixes[j - (j > 0)], depth = DEPTH_OF(place) + (uint)(key & 0xff);
        const bool head = HEAD_OF(place) || keys[j - (j > 0)] != key || (ulong)before + depth >= size;
        places[j] = PLACE(SLOT_OF(place), depth, head);
        set_head(words, j, PLACE(0, 0, head));
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    write_heads(words, m, heads);
}

// keys[j] = rank of what is behind; the depths are noted. For small groups, whose number
// may be one of the counts.
KERNEL_WG(WG) suffixsort_follow(__global const uint *isa, __global const uint *sa, __global const ulong *places, ulong m, __global const uint *counts, uint count, __global uint *keys, __global uint *depths)
{
    const ulong all = LISTED(m, counts, count), end = min((ulong)(get_group_id(0) + 1) * TILE, all);
    for (ulong start = (ulong)get_group_id(0) * TILE + get_local_id(0); start < end; start += UNDER_WAY * WG) {
        ulong place[UNDER_WAY], behind[UNDER_WAY];
        UNROLL for (uint u = 0; u < UNDER_WAY; u++)
            place[u] = places[min(start + u * WG, end - 1)];
        UNROLL for (uint u = 0; u < UNDER_WAY; u++)
            behind[u] = (ulong)sa[SLOT_OF(place[u])] + DEPTH_OF(place[u]);
        uint rank[UNDER_WAY];
        UNROLL for (uint u = 0; u < UNDER_WAY; u++)
            rank[u] = isa[behind[u]];
        UNROLL for (uint u = 0; u < UNDER_WAY; u++) {
            if (start + u * WG < end) {
                keys[start + u * WG] = rank[u];
                if (HEAD_OF(place[u]))
                    depths[SLOT_OF(place[u]) / 2] = DEPTH_OF(place[u]);
            }
        }
    }
}

// The same for large groups; heads is their bitmap.
KERNEL_WG(WG) suffixsort_follow_large(__global const uint *isa, __global const uint *suffixes, __global const ulong *places, ulong m, __global uint *heads, __global uint *keys, __global uint *depths)
{
    __local uint words[TILE / 32];
    clear_heads(words);
    barrier(CLK_LOCAL_MEM_FENCE);
    FOR_TILE(j, TILE, m) {
        const ulong place = places[j];
        keys[j] = isa[(ulong)suffixes[j] + DEPTH_OF(place)];
        set_head(words, j, place);
        if (HEAD_OF(place))
            depths[SLOT_OF(place) / 2] = DEPTH_OF(place);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    write_heads(words, m, heads);
}

// heads = where large groups that are sorted by ranks begin.
KERNEL_WG(WG) suffixsort_differ(__global const uint *keys, __global const ulong *places, ulong m, __global uint *heads)
{
    __local uint words[TILE / 32];
    clear_heads(words);
    barrier(CLK_LOCAL_MEM_FENCE);
    FOR_TILE(j, TILE, m)
        set_head(words, j, keys[j] != keys[j - (j > 0)] ? PLACE(0, 0, 1) : places[j]);
    barrier(CLK_LOCAL_MEM_FENCE);
    write_heads(words, m, heads);
}

// sa gets large groups back.
KERNEL_WG(WG) suffixsort_settle(__global const uint *suffixes, __global const ulong *places, ulong m, __global uint *sa)
{
    FOR_TILE(j, TILE, m)
        sa[SLOT_OF(places[j])] = suffixes[j];
}

// isa of suffixes that are partitioned.
KERNEL_WG(WG) suffixsort_scatter(__global const uint *suffixes, __global const uint *ranks, ulong m, __global uint *isa)
{
    FOR_TILE(q, TILE, m)
        isa[suffixes[q]] = ranks[q];
}

KERNEL_WG(WG) suffixsort_invert(__global const uint *sa, __global const uint *groups, __global const uint *lasts, ulong n, __global uint *isa)
{
    FOR_TILE(r, TILE, n)
        isa[sa[r]] = rank_of(groups, lasts, r);
}

#endif

#ifdef SUFFIXSORT_SELECT

#define COMPACT_PARAMS , __global const ushort *prefixes, ulong at, ulong size, uint first, uint behind, __global uint *suffixes
#define COMPACT_ITEM uint
#define COMPACT_LOAD(p) prefixes[at + (p)]
#define COMPACT_KEEP(p) (item >= first && item < behind)
#define COMPACT_EMIT(p, to) suffixes[to] = (uint)(size - 1 - (p))

#endif

#ifdef SUFFIXSORT_FIRST

// All suffixes, or those selected.
#define RADIX_PARAMS , __global const ulong *windows, ulong size, __global const uint *selected
#define RADIX_LOAD_KEY(p) windows[p]
#define RADIX_LOAD_VALUE(p) (selected != 0 ? selected[p] : (uint)(size - 1 - (p)))

#endif

#ifdef SUFFIXSORT_PARTITION

#define RADIX_PARAMS , __global const uint *sa, __global const uint *groups, __global const uint *lasts, ulong part
#define RADIX_LOAD_KEY(p) sa[part + (p)]
#define RADIX_LOAD_VALUE(p) rank_of(groups, lasts, part + (p))

#endif

#ifdef SUFFIXSORT_STARTS

#define T uint2
#define OP OP_ADD
#define IDENTITY ((uint2)(0u, 0u))
#define SCAN_PARAMS , __global const uint2 *classes, __global uint2 *starts, __global uint *counts, uint into
#define SCAN_LOAD(w) popcount(classes[w])
#define SCAN_STORE(w, before, value)     \
    {                                    \
        starts[w] = before;              \
        if ((w) + 1 == n) {              \
            counts[into] = (value).x;    \
            counts[into + 1] = (value).y; \
        }                                \
    }

#endif

#ifdef SUFFIXSORT_LASTS

// One more than the slot, 0 if there is none.
#define T uint
#define OP OP_MAX
#define IDENTITY 0u
#define SCAN_PARAMS , __global const uint *groups, __global uint *lasts
#define SCAN_LOAD(w) (groups[w] != 0 ? (uint)(32 * (w) + 32 - clz(groups[w])) : 0u)
#define SCAN_STORE(w, before, value) lasts[w] = before

#endif

#ifdef SUFFIXSORT_REFINE

// The slots of the first suffixes of the old and of the new group. The first new one
// keeps the rank. Suffixes that still agree do so in their own depth and that of the group
// that follows, which is unsorted too; what others get for a depth does not matter.
#define IS_HEAD(heads, j) ((heads)[(j) / 32] >> (j) % 32 & 1)
#define T uint2
#define OP OP_MAX
#define IDENTITY ((uint2)(0u, 0u))
#define SCAN_PARAMS , __global const uint *keys, __global const uint *suffixes, __global ulong *places, __global const uint *heads, __global const uint *depths, __global uint *isa
#define SCAN_LOAD(j) ((uint2)(HEAD_OF(places[j]) ? SLOT_OF(places[j]) : 0u, IS_HEAD(heads, j) ? SLOT_OF(places[j]) : 0u))
#define SCAN_STORE(j, before, value)                                                                          \
    {                                                                                                         \
        if ((value).x != (value).y)                                                                           \
            isa[suffixes[j]] = (value).y;                                                                     \
        if (!IS_HEAD(heads, j) || (j) + 1 < n && !IS_HEAD(heads, (j) + 1))                                      \
            places[j] = PLACE(SLOT_OF(places[j]), DEPTH_OF(places[j]) + depths[keys[j] / 2], IS_HEAD(heads, j));  \
    }

#endif
