// suffixsort.cl: the steps of package suffixsort, which sorts suffixes by windows of coded
// text, extends them while that helps, and doubles what remains.
//
// A step is chosen by a macro. SUFFIXSORT_MAP makes the kernels that treat every element
// on its own: one work-group of WG for each WG*ITEMS elements, whose number is a multiple
// of 32. The others are template parameters of radixsort.cl, compact.cl and scan.cl:
//   SUFFIXSORT_FIRST     first pass of the radix sort
//   SUFFIXSORT_PARTITION first pass of the radix sort: suffixes with their ranks
//   SUFFIXSORT_UNSORTED  compaction of the sorted windows
//   SUFFIXSORT_EXTENDED  compaction after a round of extension
//   SUFFIXSORT_RANKS     scan: ranks of the unsorted
//   SUFFIXSORT_REFINE    scan: ranks after a round of doubling
//   SUFFIXSORT_DOUBLED   compaction after a round of doubling
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
//   suffixes  the m unsorted suffixes, in order
//   places    their slots in sa, in the low word; in the high word how many symbols their
//             group is sorted by, its depth; the top bit tells the first one of a group
//   heads     the top bits as a bitmap, for segsort
//   isa       the slot of the first suffix of the group of each suffix: its rank
//   sa        the sorted suffixes; while doubling, an unsorted group keeps its depth where
//             its first suffix belongs
//
// Local memory: 4 bytes for 32 elements, and 1028 for the table. Names that macros declare
// end in _, so that they hide none of the kernel's.

#define DEPTH_MASK 0x7fffffffu
#define PLACE(slot, depth, head) ((ulong)(head) << 63 | (ulong)min((uint)(depth), DEPTH_MASK) << 32 | (slot))
#define SLOT_OF(place) ((uint)(place))
#define DEPTH_OF(place) ((uint)((place) >> 32) & DEPTH_MASK)
#define HEAD_OF(place) (((place) >> 63) != 0)

#ifdef SUFFIXSORT_MAP

#ifndef ITEMS
#error "ITEMS: elements of a work-item"
#endif

#define TILE (WG * ITEMS)
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
        // A request for 8 bytes costs as much as for one.
        ulong word = eight(text, size, i / 8) >> i % 8 * 8;
        for (uint used = 0; used < bits;) {
            const uint entry = codes[i < size ? (uint)word & 0xff : 256u];
            code |= (ulong)(entry >> 16) << 48 >> used;
            used += entry & 0xff;
            count += used <= bits;
            i++;
            word >>= 8;
            if (i % 8 == 0)
                word = eight(text, size, i / 8);
        }
#endif
    }
    return code >> (64 - bits) << 8 | count;
}

inline void load_table(__global const uint *table, __local uint *codes)
{
    for (uint c = get_local_id(0); c < SYMBOLS; c += WG)
        codes[c] = table[c];
}

// counts[c] += how often byte c occurs; 8 characters an element.
KERNEL_WG(WG) suffixsort_count(__global const uchar *text, ulong size, __global uint *counts)
{
    __local uint mine[256];
    for (uint c = get_local_id(0); c < 256; c += WG)
        mine[c] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    FOR_TILE(q, TILE, (size + 7) / 8) {
        const ulong word = eight(text, size, q);
        const uint have = (uint)min(size - 8 * q, 8ul);
        for (uint k = 0; k < have; k++)
            atomic_inc(&mine[word >> 8 * k & 0xff]);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint c = get_local_id(0); c < 256; c += WG)
        if (mine[c] > 0)
            atomic_add(&counts[c], mine[c]);
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

// keys[p] = window of suffix size-1-p.
KERNEL_WG(WG) suffixsort_windows(__global const uchar *text, __global const ulong *packed, __global const uint *table, ulong size, uint width, uint bits, __global ulong *keys)
{
    __local uint codes[SYMBOLS];
    load_table(table, codes);
    barrier(CLK_LOCAL_MEM_FENCE);
#if IS_CPU
    // The window slides to the left. It holds the symbols up to `end`, of `used` bits.
    ulong end = size - (ulong)get_group_id(0) * TILE;
    const ulong last = width == 0 ? window(text, packed, codes, size, width, bits, end) : 0ul;
    ulong code = last >> 8 << (64 - bits);
    uint used = 0;
    if (width == 0)
        for (uint count = last & 0xff; count > 0; count--, end++)
            used += ENTRY(end) & 0xff;
    FOR_TILE(p, TILE, size) {
        const ulong i = size - 1 - p;
        if (width == 0) {
            const uint entry = ENTRY(i);
            code = (ulong)(entry >> 16) << 48 | code >> (entry & 0xff);
            for (used += entry & 0xff; used > bits && end > i; used -= ENTRY(end) & 0xff)
                end--;
            keys[p] = code >> (64 - bits) << 8 | (end - i);
        } else {
            keys[p] = window(text, packed, codes, size, width, bits, i);
        }
    }
#else
    FOR_TILE(p, TILE, size)
        keys[p] = window(text, packed, codes, size, width, bits, size - 1 - p);
#endif
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

// keys[j] = window behind what suffix j is sorted by.
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

// keys[j] = rank of what is behind; sa gets the depths of the unsorted groups.
KERNEL_WG(WG) suffixsort_follow(__global const uint *isa, __global const uint *suffixes, __global const ulong *places, ulong m, __global uint *heads, __global uint *keys, __global uint *sa)
{
    __local uint words[TILE / 32];
    clear_heads(words);
    barrier(CLK_LOCAL_MEM_FENCE);
    FOR_TILE(j, TILE, m) {
        const ulong place = places[j];
        keys[j] = isa[(ulong)suffixes[j] + DEPTH_OF(place)];
        set_head(words, j, place);
        if (HEAD_OF(place))
            sa[SLOT_OF(place)] = DEPTH_OF(place);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    write_heads(words, m, heads);
}

// sa gets the unsorted suffixes back.
KERNEL_WG(WG) suffixsort_settle(__global const uint *suffixes, __global const ulong *places, ulong m, __global uint *sa)
{
    FOR_TILE(j, TILE, m)
        sa[SLOT_OF(places[j])] = suffixes[j];
}

KERNEL_WG(WG) suffixsort_invert(__global const uint *sa, ulong size, __global uint *isa)
{
    FOR_TILE(r, TILE, size)
        isa[sa[r]] = (uint)r;
}

// The same for pairs (suffixes[q], ranks[q]) in any order.
KERNEL_WG(WG) suffixsort_scatter(__global const uint *suffixes, __global const uint *ranks, ulong size, __global uint *isa)
{
    FOR_TILE(q, TILE, size)
        isa[suffixes[q]] = ranks[q];
}

#endif

#ifdef SUFFIXSORT_FIRST

#define RADIX_PARAMS , __global const ulong *windows, ulong size
#define RADIX_LOAD_KEY(p) windows[p]
#define RADIX_LOAD_VALUE(p) ((uint)(size - 1 - (p)))

#endif

#ifdef SUFFIXSORT_PARTITION

#define RADIX_PARAMS , __global const uint *sa
#define RADIX_LOAD_KEY(r) sa[r]
#define RADIX_LOAD_VALUE(r) ((uint)(r))

#endif

// Neighbours, or where there is none the element itself: the loads are unconditional, so
// that those of several elements are under way.
#define BEFORE(j) ((j) - ((j) > 0))
#define AFTER(j) ((j) + ((j) + 1 < n))

#ifdef SUFFIXSORT_UNSORTED

#define HEAD(r) (((r) == 0) | (keys[r] != keys[BEFORE(r)]) | ((ulong)sa[BEFORE(r)] + (keys[r] & 0xff) >= size))
#define ALONE(r) (HEAD(r) & (((r) + 1 == n) | HEAD(AFTER(r))))
#define COMPACT_PARAMS , __global const ulong *keys, __global const uint *sa, ulong size, __global uint *suffixes_out, __global ulong *places_out
#define COMPACT_KEEP(r) (!ALONE(r))
#define COMPACT_EMIT(r, to)                                       \
    {                                                             \
        suffixes_out[to] = sa[r];                                 \
        places_out[to] = PLACE((uint)(r), keys[r] & 0xff, HEAD(r)); \
    }

#endif

#ifdef SUFFIXSORT_EXTENDED

#define DEPTH(j) (DEPTH_OF(places[j]) + (uint)(keys[j] & 0xff))
#define HEAD(j) (HEAD_OF(places[j]) | (keys[j] != keys[BEFORE(j)]) | ((ulong)suffixes[BEFORE(j)] + DEPTH(BEFORE(j)) >= size))
#define ALONE(j) (HEAD(j) & (((j) + 1 == n) | HEAD(AFTER(j))))
#define COMPACT_PARAMS , __global const ulong *keys, __global const uint *suffixes, __global const ulong *places, ulong size, __global uint *suffixes_out, __global ulong *places_out, __global uint *sa
#define COMPACT_KEEP(j) (!ALONE(j))
#define COMPACT_EMIT(j, to)                                                 \
    {                                                                       \
        suffixes_out[to] = suffixes[j];                                     \
        places_out[to] = PLACE(SLOT_OF(places[j]), DEPTH(j), HEAD(j));      \
    }
#define COMPACT_DROP(j, to) sa[SLOT_OF(places[j])] = suffixes[j]

#endif

#ifdef SUFFIXSORT_RANKS

#define T uint
#define OP OP_MAX
#define IDENTITY 0u
#define SCAN_PARAMS , __global const uint *suffixes, __global const ulong *places, __global uint *isa
#define SCAN_LOAD(j) (HEAD_OF(places[j]) ? SLOT_OF(places[j]) : 0u)
#define SCAN_STORE(j, before, value) isa[suffixes[j]] = value

#endif

#define HEAD_DOUBLED(j) (HEAD_OF(places[j]) | (keys[j] != keys[BEFORE(j)]))
#define ALONE_DOUBLED(j) (HEAD_DOUBLED(j) & (((j) + 1 == n) | HEAD_DOUBLED(AFTER(j))))

#ifdef SUFFIXSORT_REFINE

// The slots of the first suffixes of the old and of the new group. The first new one
// keeps the rank. Suffixes that still agree do so in their own depth and that of the group
// that follows, which is unsorted too; what others get for a depth does not matter.
#define T uint2
#define OP OP_MAX
#define IDENTITY ((uint2)(0u, 0u))
#define SCAN_PARAMS , __global const uint *keys, __global const uint *suffixes, __global ulong *places, __global const uint *sa, __global uint *isa
#define SCAN_LOAD(j) ((uint2)(HEAD_OF(places[j]) ? SLOT_OF(places[j]) : 0u, HEAD_DOUBLED(j) ? SLOT_OF(places[j]) : 0u))
#define SCAN_STORE(j, before, value)                                                                       \
    {                                                                                                      \
        if ((value).x != (value).y)                                                                        \
            isa[suffixes[j]] = (value).y;                                                                  \
        if ((((j) > 0) & (keys[j] == keys[BEFORE(j)])) | (((j) + 1 < n) & (keys[j] == keys[AFTER(j)])))                \
            places[j] = PLACE(SLOT_OF(places[j]), DEPTH_OF(places[j]) + sa[keys[j]], HEAD_OF(places[j]));  \
    }

#endif

#ifdef SUFFIXSORT_DOUBLED

#define COMPACT_PARAMS , __global const uint *keys, __global const uint *suffixes, __global const ulong *places, __global uint *suffixes_out, __global ulong *places_out, __global uint *sa
#define COMPACT_KEEP(j) (!ALONE_DOUBLED(j))
#define COMPACT_EMIT(j, to)                                                          \
    {                                                                                \
        suffixes_out[to] = suffixes[j];                                              \
        places_out[to] = PLACE(SLOT_OF(places[j]), DEPTH_OF(places[j]), HEAD_DOUBLED(j)); \
    }
#define COMPACT_DROP(j, to) sa[SLOT_OF(places[j])] = suffixes[j]

#endif
