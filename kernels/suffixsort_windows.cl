// suffixsort_windows.cl: windows of the text, and the kernels before and after the first sort. suffixsort.cl describes
// the arrays. Programs for small groups and for lists use the windows only.
//
// Launch: one work-group of WG for each WG*ITEMS elements; those that make windows have WG*RUN.
//
// Local memory: suffixsort_windows 8.5 bytes for each of its elements, 4 for each of WINDOWS + 64 symbols and 1028 for
// the table; suffixsort_heads 4 for each 32 elements, 4 for each 8, and 3076 for tables.

#if defined(SUFFIXSORT_MAP) || defined(SUFFIXSORT_FIRST) || defined(SUFFIXSORT_GROUPS)

#define SYMBOLS 257
#define MAX_SYMBOLS 56 // of a window

// The entry of the character at i, which may be after the end.
#define ENTRY(i) codes[(i) < size ? text[i] : 256u]

// The window of suffix i: `bits` bits of code from bit 8 on, and below them the number of whole symbols in these.
inline ulong window(
    __global const uchar *text, __global const ulong *packed, __local const uint *codes, ulong size, uint width,
    uint bits, ulong i)
{
    ulong code = 0;
    uint count = 0;
    if (width > 0) {
        code = packed_window(packed, width, i);
        count = bits / width;
    } else {
        uint used = 0;
#if !IS_CPU
        // 16 symbols at a time, as many as most windows have: their loads do not wait for the lengths of codes. All
        // are looked up, in one loop without branches but for the last: CONTRIBUTING.md says what NVIDIA's compiler
        // made of two.
        if (i + 2 * MAX_SYMBOLS <= size) {
            __global const uint *words = (__global const uint *)text + i / 4;
            const uint shift = (uint)(i % 4) * 8;
            for (uint q = 0; q < MAX_SYMBOLS / 4 && used < bits; q += 4) {
                uint five[5];
                UNROLL for (uint w = 0; w < 5; w++)
                    five[w] = words[q + w];
                UNROLL for (uint w = 0; w < 4; w++) {
                    if (w < 2 || used < bits) {
                        const uint symbols = (uint)(((ulong)five[w + 1] << 32 | five[w]) >> shift);
                        UNROLL for (uint k = 0; k < 32; k += 8) {
                            const uint entry = codes[symbols >> k & 0xff];
                            const bool wanted = used < bits;
                            code |= wanted ? (ulong)(entry >> 16) << 48 >> used % 64 : 0ul;
                            count += wanted;
                            used += wanted ? entry & 0xff : 0u;
                        }
                    }
                }
            }
            count -= used > bits;
        }
#endif
        // Bounded for llvmpipe, whose lanes without a work-item read zeros and go round, too.
        for (uint rounds = bits; used < bits && rounds > 0; i++, rounds--) {
            const uint entry = ENTRY(i);
            code |= (ulong)(entry >> 16) << 48 >> used;
            used += entry & 0xff;
            count += used <= bits;
        }
    }
    return code >> (64 - bits) << 8 | count;
}

// A window of a suffix before whose end the text has `left` symbols: in the low bits 1 + their number, or that of the
// text. So a suffix that ends in the window differs from those that agree, and is smaller.
inline ulong until_end(ulong window_, ulong left) { return (window_ & ~0xfful) | min((window_ & 0xff) + 1, left); }

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

#ifdef SUFFIXSORT_FIRST

#ifndef RUN
#error "RUN: windows that a work-item makes in a row"
#endif

#define WINDOWS (WG * RUN)

// Places in local memory without bank conflicts, for work-items that walk ITEMS in a row.
#define PADDED(z) ((z) + (z) / 32)
#define PADDED64(z) ((z) + (z) / 16)

// Entries of a tile's symbols, and of those after it that windows reach, with up to 3 before it.
#define ENTRIES (WINDOWS + 64)

// entries = those of the symbols from `from` on, a multiple of 4, which may be before the text.
inline void load_entries(
    __global const uchar *text, ulong size, __local const uint *codes, ulong from, __local uint *entries)
{
    for (uint z = 4 * get_local_id(0); z < ENTRIES; z += 4 * WG) {
        const ulong i = from + z; // wraps before the text
        const bool whole = i < size && i + 4 <= size;
        const uint four = whole ? *(__global const uint *)(text + i) : 0u;
        UNROLL for (uint k = 0; k < 4; k++)
            entries[PADDED(z + k)] = whole ? codes[four >> 8 * k & 0xff] : ENTRY(i + k);
    }
}

// The code from entry y on, `bits` bits or more. Bounded for llvmpipe, as window() is.
inline ulong code_from(__local const uint *entries, uint y, uint bits)
{
    ulong code = 0;
    for (uint filled = 0; filled < bits && y < ENTRIES; y++) {
        const uint entry = entries[PADDED(y)];
        code |= (ulong)(entry >> 16) << 48 >> filled;
        filled += entry & 0xff;
    }
    return code;
}

// The code of one more symbol, and what has room of the code after it.
inline ulong prepend(uint entry, ulong code) { return (ulong)(entry >> 16) << 48 | code >> (entry & 0xff); }

// The window of a pair of words.
inline ulong code_of(uint hi, uint lo, uint bits)
{
    return (ulong)(hi << (32 - min(bits, 32u))) << 32 | (bits > 32 ? (ulong)(lo >> (64 - bits)) << (64 - bits) : 0ul);
}

#ifndef SUFFIXSORT_SAMPLES

// The pair of words p: the code of suffix size-1-p, and where the suffix is.
inline void put_window(
    __global uint *hi, __global uint *lo, ulong p, ulong code, uint bits, uint suffix)
{
    hi[p] = hi_of(code, bits);
    lo[p] = lo_of(code, bits) | suffix;
}

// hi[p], lo[p] = the window of suffix size-1-p. Codes differ in length. A work-group makes WINDOWS of them; a work-item
// makes RUN from the last to the first: each is the code of one more symbol, and the bits of the window before it that
// have room.
KERNEL_WG(WG) suffixsort_windows(
    __global const uchar *text, __global const uint *table, ulong size, uint bits, __global uint *hi, __global uint *lo,
    __global uint *cleared, uint cleared_words)
{
    __local uint codes[SYMBOLS];
    load_table(table, codes);
    clear_words(cleared, cleared_words);
    barrier(CLK_LOCAL_MEM_FENCE);
    const ulong base = (ulong)get_group_id(0) * WINDOWS;
#if IS_CPU
    ulong code = window(text, 0, codes, size, 0, 56, size - base) & ~0xfful;
    FOR_TILE(p, WINDOWS, size) {
        const ulong i = size - 1 - p;
        code = prepend(ENTRY(i), code);
        put_window(hi, lo, p, code, bits, (uint)i);
    }
#else
    // Load the codes. Entry `begin` is of character size - base - WINDOWS; window p of the tile starts at entry
    // begin + WINDOWS - 1 - p.
    __local uint entries[PADDED(ENTRIES)];
    __local ulong windows[PADDED64(WINDOWS)];
    const ulong from = size - base - WINDOWS;
    const uint begin = (uint)(from % 4);
    load_entries(text, size, codes, from - begin, entries);
    barrier(CLK_LOCAL_MEM_FENCE);

    // Make the windows: the code after the run, then one symbol more at a time.
    uint z = begin + WINDOWS - get_local_id(0) * RUN;
    ulong code = code_from(entries, z, bits);
    for (uint k = 0; k < RUN; k++) {
        z--;
        code = prepend(entries[PADDED(z)], code);
        windows[PADDED64(get_local_id(0) * RUN + k)] = code;
    }
    barrier(CLK_LOCAL_MEM_FENCE);

    // Store.
    FOR_TILE(p, WINDOWS, size)
        put_window(hi, lo, p, windows[PADDED64((uint)(p - base))], bits, (uint)(size - 1 - p));
#endif
}

// The same of packed text, and if `preceded` the symbol before the suffix.
KERNEL_WG(WG) suffixsort_packed_windows(
    __global const ulong *packed, ulong size, uint width, uint bits, uint index_bits, uint preceded, __global uint *hi,
    __global uint *lo, __global uint *cleared, uint cleared_words)
{
    clear_words(cleared, cleared_words);
    const ulong end = min((ulong)(get_group_id(0) + 1) * WINDOWS, size);
    for (ulong start = (ulong)get_group_id(0) * WINDOWS + get_local_id(0); start < end; start += UNDER_WAY * WG) {
        ulong code[UNDER_WAY];
        UNROLL for (uint u = 0; u < UNDER_WAY; u++)
            code[u] = packed_window(packed, width, size - 1 - min(start + u * WG, end - 1));
        UNROLL for (uint u = 0; u < UNDER_WAY; u++) {
            const ulong p = start + u * WG, i = size - 1 - p;
            if (p < end)
                put_window(hi, lo, p, code[u], bits,
                    (preceded ? symbol_before(packed, width, i) << index_bits : 0u) | (uint)i);
        }
    }
}

#endif

// How many whole symbols are in the first bits of a window, 10 bits at a time. The entry of 10 bits has the number of
// whole symbols from bit 8 on, the bits that these take in bits 4 to 7, and those of the first symbol in the low 4; it
// is 0 where the first symbol takes more than 10.
#define DECODED 1024
#define DECODE_BITS 10

inline uint symbols_in(ulong code, uint bits, __local const ushort *decoded, bool *whole)
{
    uint count = 0, used = 0;
    *whole = true;
    for (uint rounds = bits; rounds > 0; rounds--) { // bounded, as window() is
        const uint entry = decoded[code << used >> (64 - DECODE_BITS)], left = bits - used;
        if (entry == 0) {
            *whole = left <= DECODE_BITS; // the next one has more bits than are left
            break;
        }
        if ((entry >> 4 & 15) <= left) {
            used += entry >> 4 & 15;
            count += entry >> 8;
        } else if ((entry & 15) <= left) {
            used += entry & 15;
            count++;
        } else {
            break;
        }
        if (used == bits)
            break;
    }
    return count;
}

// Whether the windows of two pairs of words are the same.
inline bool same_window(uint hi, uint lo, uint other_hi, uint other_lo, uint bits)
{
    return hi == other_hi && (bits <= 32 || (lo ^ other_lo) >> (64 - bits) == 0);
}

// Pairs of slots at once.
#if KEEPS_CONDITIONS
#define PAIRS 2
#else
#define PAIRS 1
#endif

// sa = the suffixes of the sorted windows; groups = where the windows differ; depths, where codes differ in length; and
// preceding, if not null. Where samples are sorted codes differ in length, and preceding is null.
KERNEL_WG(WG) suffixsort_heads(
    __global const uchar *text, __global const ulong *packed, __global const uint *table, ulong size, uint width,
    uint bits, ulong n, __global const uint *places, ulong places_at, uint index_bits, __global const uint *hi,
    __global const uint *lo, __global uint *sa, __global uint *groups, __global uchar *depths, ulong depths_at,
    __global uint *preceding, ulong preceding_at)
{
    __local uint words[TILE / 32], symbols[TILE / 8];
    __local uint codes[SYMBOLS];
    __local ushort decoded[DECODED];
#ifdef SUFFIXSORT_SAMPLES
    width = 0;
    preceding = 0;
#endif
    if (width == 0) {
        load_table(table, codes);
        for (uint e = get_local_id(0); e < DECODED; e += WG)
            decoded[e] = ((__global const ushort *)(table + SYMBOLS))[e];
    }
    clear_heads(words);
    for (uint w = get_local_id(0); w < TILE / 8; w += WG)
        symbols[w] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    const uint index = index_bits < 32 ? (1u << index_bits) - 1 : ~0u;
    const bool preceded = preceding != 0;
    const ulong end = min((ulong)(get_group_id(0) + 1) * TILE, n);
    for (ulong start = (ulong)get_group_id(0) * TILE + 2 * get_local_id(0); start < end; start += 2 * PAIRS * WG) {
        // Load pairs of slots, and the slots before them.
        uint high[PAIRS][3], low[PAIRS][3];
        UNROLL for (uint u = 0; u < PAIRS; u++) {
            UNROLL for (uint k = 0; k < 3; k++) {
                const ulong r = min(start + 2 * u * WG + k, end);
                high[u][k] = hi[r - (r > 0)];
                low[u][k] = lo[r - (r > 0)];
            }
        }
        UNROLL for (uint u = 0; u < PAIRS; u++) {
            // Two slots that do not begin a group have the same window, or one of them begins one: one depth does.
            const ulong first = start + 2 * u * WG;
            if (first >= end)
                continue;
            bool same[2];
            UNROLL for (uint k = 0; k < 2; k++)
                same[k] = first + k > 0 && first + k < end &&
                          same_window(high[u][k], low[u][k], high[u][k + 1], low[u][k + 1], bits);
            uint depth = width > 0 ? bits / width : 0u;
            if (width == 0 && (same[0] || same[1])) {
                bool whole;
                depth = symbols_in(code_of(high[u][1], low[u][1], bits), bits, decoded, &whole);
                if (!whole)
                    depth = (uint)window(
                                text, packed, codes, size, width, bits, PLACE_OF(low[u][1] & index)) & 0xff;
            }
            UNROLL for (uint k = 0; k < 2; k++) {
                const ulong r = first + k;
                if (r >= end)
                    continue;
                const uint suffix = low[u][k + 1] & index;
                const bool head = !same[k] || REACHES_END(low[u][k] & index, depth);
                sa[r] = suffix;
                if (head)
                    set_head(words, r, true);
                else if (width == 0)
                    depths[depths_at + (r - 1) / 2] = (uchar)depth;
                if (preceded) {
                    const uint h = high[u][k + 1], l = low[u][k + 1];
                    const bool alone = head && (r + 1 == n || !same_window(h, l, hi[r + 1], lo[r + 1], bits) ||
                                                (ulong)suffix + depth >= size);
                    atomic_or(&symbols[r % TILE / 8], (alone ? l >> index_bits & 3 : UNSETTLED) << 4 * (r % 8));
                }
            }
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    write_heads(words, TILE, n, groups);
    for (uint w = get_local_id(0); preceded && w < TILE / 8; w += WG) {
        const ulong to = (ulong)get_group_id(0) * (TILE / 8) + w;
        if (to * 8 < n)
            preceding[preceding_at + to] = symbols[w];
    }
}

#endif
