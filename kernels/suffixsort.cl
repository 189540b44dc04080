// suffixsort.cl: steps of package suffixsort, which sorts suffixes by windows of coded
// text, extends them while that helps, and doubles what remains. suffixsort_groups.cl has
// the rounds of small groups.
//
// A step is chosen by a macro. SUFFIXSORT_MAP makes the kernels that treat every element
// on its own: one work-group of WG for each WG*ITEMS elements, whose number is a multiple
// of 32. The others are template parameters of radixsort.cl, compact.cl and scan.cl:
//   SUFFIXSORT_FIRST     first pass of the radix sort
//   SUFFIXSORT_PARTITION first pass of the radix sort: suffixes with their ranks
//   SUFFIXSORT_SORTED    compaction of the sorted windows: small and large groups
//   SUFFIXSORT_LARGE     compaction of large groups after a round: what has become small
//   SUFFIXSORT_RANKS     scan: ranks of large groups
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
//   suffixes  m unsorted suffixes; the members of a group are neighbours, in order
//   places    their slots in sa, in the low word; in the high word how many symbols their
//             group is sorted by, its depth; the top bit tells the first one of a group
//   heads     the top bits as a bitmap: element j is bit j%32 of word j/32
//   isa       the slot of the first suffix of the group of each suffix: its rank
//   depths    of unsorted groups, by the slot of their first suffix
//
// There are two such lists: small groups have at most LIMIT suffixes, and come in any
// order; large groups are in order.
//
// Local memory of the maps: 8.5 bytes for each element and 4 for each of TILE + 64
// symbols; else 4 bytes for 32 elements, and 1028 for the table. Names that macros declare
// end in _, so that they hide none of the kernel's.

#define DEPTH_MASK 0x7fffffffu
#define PLACE(slot, depth, head) ((ulong)(head) << 63 | (ulong)min((uint)(depth), DEPTH_MASK) << 32 | (slot))
#define SLOT_OF(place) ((uint)(place))
#define DEPTH_OF(place) ((uint)((place) >> 32) & DEPTH_MASK)
#define HEAD_OF(place) (((place) >> 63) != 0)

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

#endif

#ifdef SUFFIXSORT_MAP

#ifndef ITEMS
#error "ITEMS: elements of a work-item"
#endif

#define TILE (WG * ITEMS)

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

// Places in local memory without bank conflicts, for work-items that walk ITEMS in a row.
#define PADDED(z) ((z) + (z) / 32)
#define PADDED64(z) ((z) + (z) / 16)

// keys[p] = window of suffix size-1-p. Where codes differ in length, it slides to the
// left; `end` is behind its last whole symbol, and these have `used` bits.
KERNEL_WG(WG) suffixsort_windows(__global const uchar *text, __global const ulong *packed, __global const uint *table, ulong size, uint width, uint bits, __global ulong *keys)
{
    __local uint codes[SYMBOLS];
    load_table(table, codes);
    barrier(CLK_LOCAL_MEM_FENCE);
#if IS_CPU
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
    // Symbol z is that of character size - base - TILE + z; that of element p of the tile
    // is TILE - 1 - p.
    __local uint entries[PADDED(TILE + 64)];
    __local ulong sorted_by[PADDED64(TILE)];
    const ulong base = (ulong)get_group_id(0) * TILE;
    if (width == 0) {
        for (uint z = get_local_id(0); z < TILE + 64; z += WG) {
            const ulong i = size - base - TILE + z; // wraps before the start
            entries[PADDED(z)] = codes[i < size ? text[i] : 256u];
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (width == 0) {
        uint z = TILE - get_local_id(0) * ITEMS, end = z, used = 0;
        ulong code = 0;
        for (uint most = 64; most > 0; most--) {
            const uint entry = entries[PADDED(end)];
            code |= (ulong)(entry >> 16) << 48 >> used;
            if (used + (entry & 0xff) > bits)
                break;
            used += entry & 0xff;
            end++;
        }
        for (uint k = 0; k < ITEMS; k++) {
            z--;
            const uint entry = entries[PADDED(z)];
            code = (ulong)(entry >> 16) << 48 | code >> (entry & 0xff);
            for (used += entry & 0xff; used > bits && end > z; used -= entries[PADDED(end)] & 0xff)
                end--;
            sorted_by[PADDED64(get_local_id(0) * ITEMS + k)] = code >> (64 - bits) << 8 | (end - z);
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    FOR_TILE(p, TILE, size)
        keys[p] = width == 0 ? sorted_by[PADDED64((uint)(p - base))] : window(text, packed, codes, size, width, bits, size - 1 - p);
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

// heads = where a new window begins; sa[p] has the windows' suffixes.
KERNEL_WG(WG) suffixsort_heads(__global const ulong *keys, __global const uint *sa, ulong size, __global uint *heads)
{
    __local uint words[TILE / 32];
    clear_heads(words);
    barrier(CLK_LOCAL_MEM_FENCE);
    FOR_TILE(r, TILE, size) {
        const ulong key = keys[r];
        const uint before = sa[r - (r > 0)];
        if (r == 0 || keys[r - (r > 0)] != key || (ulong)before + (key & 0xff) >= size)
            atomic_or(&words[r % TILE / 32], 1u << r % 32);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    write_heads(words, size, heads);
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

// Splits groups that are sorted by windows: their places get depth and head.
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

// keys[j] = rank of what is behind; depths are noted, and heads.
KERNEL_WG(WG) suffixsort_follow(__global const uint *isa, __global const uint *suffixes, __global const ulong *places, ulong m, __global uint *heads, __global uint *keys, __global uint *depths)
{
    __local uint words[TILE / 32];
    clear_heads(words);
    barrier(CLK_LOCAL_MEM_FENCE);
    FOR_TILE(j, TILE, m) {
        const ulong place = places[j];
        keys[j] = isa[(ulong)suffixes[j] + DEPTH_OF(place)];
        set_head(words, j, place);
        if (HEAD_OF(place))
            depths[SLOT_OF(place)] = DEPTH_OF(place);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    write_heads(words, m, heads);
}

// heads = where groups sorted by ranks begin.
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

// isa of the suffixes in small groups.
KERNEL_WG(WG) suffixsort_rank(__global const uint *suffixes, __global const ulong *places, ulong m, __global uint *isa)
{
    FOR_TILE(j, TILE, m) {
        ulong first = j;
        while (first > 0 && !HEAD_OF(places[first]))
            first--;
        isa[suffixes[j]] = SLOT_OF(places[first]);
    }
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

#if defined(SUFFIXSORT_SORTED) || defined(SUFFIXSORT_LARGE)

#ifndef LIMIT
#error "LIMIT: suffixes of a small group"
#endif

#define IS_HEAD(heads, j) ((heads)[(j) / 32] >> (j) % 32 & 1)

// The class of element j of n: 0 if its group is small, 1 if it is large, 2 if it is alone.
inline uint group_class(__global const uint *heads, ulong j, ulong n)
{
    const uint b = (uint)(j % 32);
    const ulong w = j / 32;
    const uint word = heads[w];
    const uint up_to = word & ((2u << b) - 1), behind = word & ~((2u << b) - 1);
    // How far it is to the group's first element, and to the next group.
    uint back = up_to != 0 ? b - 31 + clz(up_to) + 0u : b + 1;
    bool found = up_to != 0;
    for (ulong v = w; !found && v > 0 && back <= LIMIT;) {
        const uint other = heads[--v];
        found = other != 0;
        back += found ? clz(other) : 32u;
    }
    uint ahead = behind != 0 ? 31 - clz(behind & (0u - behind)) - b : 32 - b;
    found = behind != 0;
    for (ulong v = w + 1; !found && v * 32 < n && ahead <= LIMIT; v++) {
        const uint other = heads[v];
        found = other != 0;
        ahead += found ? 31u - clz(other & (0u - other)) : 32u;
    }
    const ulong size = back + min((ulong)ahead, n - j);
    return size == 1 ? 2u : size <= LIMIT ? 0u : 1u;
}

// Large groups are written as far as there is room for them.
#define COMPACT_CLASS(j) group_class(heads, j, n)
#define COMPACT_EMIT(j, to) MOVE(j, to, suffixes_out, places_out)
#define COMPACT_SECOND(j, to)                           \
    if ((to) < room) {                                  \
        MOVE(j, to, large_suffixes_out, large_places_out) \
    }
#define OUTPUTS , __global uint *suffixes_out, __global ulong *places_out, ulong room, __global uint *large_suffixes_out, __global ulong *large_places_out

#endif

#ifdef SUFFIXSORT_SORTED

#define COMPACT_PARAMS , __global const uint *heads, __global const ulong *keys, __global const uint *sa OUTPUTS
#define MOVE(r, to, suffixes_to, places_to)                                         \
    {                                                                              \
        suffixes_to[to] = sa[r];                                                   \
        places_to[to] = PLACE((uint)(r), keys[r] & 0xff, IS_HEAD(heads, r));         \
    }

#endif

#ifdef SUFFIXSORT_LARGE

#define COMPACT_PARAMS , __global const uint *heads, __global const uint *suffixes, __global const ulong *places OUTPUTS, __global uint *sa
#define MOVE(j, to, suffixes_to, places_to) \
    {                                      \
        suffixes_to[to] = suffixes[j];     \
        places_to[to] = places[j];         \
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
            places[j] = PLACE(SLOT_OF(places[j]), DEPTH_OF(places[j]) + depths[keys[j]], IS_HEAD(heads, j));  \
    }

#endif
