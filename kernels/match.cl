// match.cl: all occurrences of many patterns by binary search in a suffix array (Liao, Sun, Ma & Qin, GPU
// accelerated multiple deoxyribose nucleic acid sequence parallel matching).
//
//   match_pack      packs a text of four symbols and rare other characters
//   match_table     where the suffixes begin that start with each string of k symbols: table[x] is the
//                   first slot whose suffix is not less than string x, 0 <= x <= strings
//   match_order     for each pattern the first string that begins with its first symbols, and its number: sorted
//                   by the former they are an order in which neighbours read what is near
//   match_array     one search for both boundaries: it begins between two entries of the table, compares
//                   16 characters at a time, or 32 that are packed, and from those on that both ends of
//                   the interval share with the pattern (Manber & Myers 1993)
//   match_paper     Alg. 1 of the paper: two binary searches, from the first character
//   match_gather    positions of occurrences
//
// Symbols are what strings of the table are made of: codes[c] is the digit of character c, or OTHER and the
// number of symbols that are less. They are all characters of the text, or, where that is packed, the four
// bytes of `four`, the least in the low bits; four is 0 where it is not. packed has two bits for each
// character, 32 a word, the first in the high bits, and a word more than characters need; bit w of odd
// tells that word w has other characters than symbols, and so is not to be used. odd ends with a word of zeros.
//
// Texts of symbols of 16 or 32 bits are given as bytes, the high one of a symbol first, as are patterns: they compare
// as the numbers do. sa counts symbols.
//
// Whatever the arrays hold, nothing outside of the buffers is touched, and a search ends.
//
// Launch: work-groups of WG, one for each WG*ITEMS patterns, strings, slots, words or
// occurrences. No local memory.

#define OTHER 256u
#define HELD 128u // characters of a pattern that a work-item holds packed

#ifndef ITEMS
#error "ITEMS: elements of a work-item"
#endif

#ifndef SYMBOL_BYTES
#error "SYMBOL_BYTES: of a symbol of the text: 1, 2 or 4"
#endif

// Where the suffix of a slot begins in a text of n bytes.
inline ulong suffix_in(__global const uint *sa, ulong slot, ulong n)
{
    return min((ulong)sa[slot] * SYMBOL_BYTES, n);
}

// The codes of the 8 characters x in 16 bits, the first one's the highest. differ has a byte other than 0 for each
// character that is no symbol.
inline ulong code8(ulong x, uint four, ulong *differ)
{
    const ulong ones = 0x0101010101010101ul, over = x | ones << 7;
    const ulong a = four & 255, b = four >> 8 & 255, c = four >> 16 & 255, d = four >> 24;
    // Symbols are less than 128: no byte borrows from the next.
    const ulong is_b = (over - b * ones) >> 7 & ones, is_c = (over - c * ones) >> 7 & ones;
    const ulong is_d = (over - d * ones) >> 7 & ones;
    *differ = x ^ (a * ones + is_b * (b - a) + is_c * (c - b) + is_d * (d - c));
    ulong y = is_b + is_c + is_d;
    y = (y & 0x00ff00ff00ff00fful) << 2 | (y >> 8 & 0x00ff00ff00ff00fful);
    y = (y & 0x0000ffff0000fffful) << 4 | (y >> 16 & 0x0000ffff0000fffful);
    return (y & 0xfffffffful) << 8 | y >> 32;
}

KERNEL_WG(WG) match_pack(
    __global const uchar *text, ulong n, uint four, ulong words, __global ulong *packed, __global uint *odd)
{
    FOR_TILE(w, WG * ITEMS, words) {
        ulong all = 0, escapes = 0;
        for (ulong i = 32 * w; i < 32 * w + 32; i += 8) {
            ulong differ = 0;
            all = all << 16 | code8(eight(text, n, i / 8), four, &differ);
            if (i < n)
                escapes |= n - i < 8 ? differ << 8 * (8 - (n - i)) : differ;
        }
        packed[w] = all;
        if (escapes != 0)
            atomic_or(&odd[w / 32], 1u << w % 32);
    }
}

// Tells whether a word of [from, to), 1 to HELD characters, has characters that are no symbols.
inline bool has_odd(__global const uint *odd, ulong from, ulong to)
{
    const ulong first = from / 32;
    const uint shift = (uint)(first % 32), more = (uint)((to - 1) / 32 - first);
    return (odd[first / 32] >> shift | odd[first / 32 + 1] << 1 << (31 - shift)) << (31 - more) != 0;
}

KERNEL_WG(WG) match_table(
    __global const uchar *text, ulong n, __global const ulong *packed, __global const uint *odd,
    __global const uint *sa, __global const uint *codes, uint four, uint k, uint sigma, ulong strings,
    __global uint *table)
{
    FOR_TILE(x, WG * ITEMS, strings + 1) {
        ulong low = 0, high = n / SYMBOL_BYTES;
        while (low < high) {
            const ulong middle = (low + high) / 2, i = suffix_in(sa, middle, n);
            // The string that the suffix begins with, or else the least of those that are greater than it.
            ulong y = 0;
            bool less = false;
            if (four > 0 && k > 0 && i + k <= n && !has_odd(odd, i, i + k)) {
                y = packed_window(packed, 2, i) >> (64 - 2 * k);
            } else {
                for (uint d = 0; d < k; d++) {
                    const uint code = less ? 0 : i + d < n ? codes[text[i + d]] : OTHER;
                    y = y * sigma + code % OTHER;
                    less |= code >= OTHER;
                }
            }
            if (y < x || (y == x && less))
                low = middle + 1;
            else
                high = middle;
        }
        table[x] = (uint)low;
    }
}

// compare, where the first `coded` characters of the pattern are held.
inline int compare_held(
    __global const uchar *text, ulong n, __global const ulong *packed, __global const uint *odd, ulong i,
    __global const uchar *patterns, ulong bytes, ulong at, uint m, const ulong *held, uint coded, uint *h)
{
    const uint end = (uint)min((ulong)coded, n - i), from = *h / 32 * 32;
    if (*h < end && !has_odd(odd, i + from, i + end)) {
        uint same = end;
        bool less = false;
        UNROLL for (uint k = 0; k < HELD; k += 32) {
            if (k >= from && k < same) {
                const ulong word = packed_window(packed, 2, i + k), differ = word ^ held[k / 32];
                if (differ != 0 && k + (uint)clz(differ) / 2 < same) {
                    same = k + (uint)clz(differ) / 2;
                    less = word < held[k / 32];
                }
            }
        }
        *h = same;
        if (same < end)
            return less ? -1 : 1;
    }
    if (*h == m)
        return 0;
    return compare(text, n, i, patterns, bytes, at, m, h);
}

// The first string that begins with the first symbols of a pattern of m characters; span is how many do, known
// tells whether any.
inline ulong first_string(
    __global const uint *codes, uint k, uint sigma, __global const uchar *pattern, uint m, ulong *span, bool *known)
{
    ulong x = 0;
    *span = 1;
    for (uint d = 0; d < k; d++) {
        const uint code = d < m ? codes[pattern[d]] : 0;
        *known = *known && code < OTHER;
        x = x * sigma + code % OTHER;
        *span *= d < m ? 1 : sigma;
    }
    return x;
}

KERNEL_WG(WG) match_order(
    __global const uint *codes, uint k, uint sigma, __global const uchar *patterns, ulong bytes,
    __global const uint *offsets, uint first, uint count, __global uint *strings, __global uint *order)
{
    FOR_TILE(t, WG * ITEMS, count) {
        const ulong q = first + t;
        const uint at = offsets[q], m = (uint)min((ulong)offsets[q + 1], bytes) - at;
        ulong span;
        bool known = true;
        strings[t] = (uint)first_string(codes, k, sigma, patterns + at, m, &span, &known);
        order[t] = (uint)q;
    }
}

// intervals[q] = the slots of the suffixes that begin with pattern q; x = y where there are none. The patterns are
// searched in `order`, if that is not null.
KERNEL_WG(WG) match_array(
    __global const uchar *text, ulong n, __global const ulong *packed, __global const uint *odd,
    __global const uint *sa, __global const uint *codes, uint four, uint k, uint sigma, __global const uint *table,
    __global const uint *order, __global const uchar *patterns, ulong bytes, __global const uint *offsets, uint first,
    uint count, __global uint2 *intervals)
{
#if IS_CPU
    // In order the patterns are anywhere: of several at a time the first lines of the cache, for which
    // searches would wait one by one.
    if (order != 0) {
        FOR_TILE(t, WG * ITEMS, count) {
            const ulong at = offsets[order[t]];
            for (ulong i = at; i < min(at + HELD, bytes); i += 64)
                (void)((volatile __global const uchar *)patterns)[i];
        }
    }
#endif
    FOR_TILE(t, WG * ITEMS, count) {
        const ulong q = order != 0 ? order[t] : first + t;
        const uint at = offsets[q], m = (uint)min((ulong)offsets[q + 1], bytes) - at;
        // Look up the first symbols: x is the first string that begins with them, span the number of these.
        ulong held[HELD / 32], x = 0, span = 1;
        uint coded = 0;
        bool known = m > 0;
        if (four > 0) {
            __global const ulong *words = (__global const ulong *)patterns + at / 8;
            const uint shift = at % 8 * 8, last = (uint)(bytes / 8) - at / 8;
            coded = min(min(m, HELD), max(last * 8, at % 8) - at % 8); // what whole words of memory have
            ulong next_word = coded > 0 ? words[0] : 0;
            UNROLL for (uint w = 0; w < HELD; w += 32) {
                ulong all = 0;
                UNROLL for (uint h = w; h < w + 32; h += 8) {
                    ulong differ = 0, code = 0;
                    if (h < coded) {
                        const ulong word = next_word;
                        next_word = words[min(h / 8 + 1, last - 1)];
                        code = code8(word >> shift | next_word << 1 << (63 - shift), four, &differ);
                    }
                    all = all << 16 | code;
                    if (differ != 0)
                        coded = min(coded, h + bytes_below(differ));
                }
                held[w / 32] = all;
            }
            const uint digits = min(coded, k);
            x = held[0] >> 1 >> (63 - 2 * digits) << 2 * (k - digits);
            span = 1ul << 2 * (k - digits);
        } else {
            x = first_string(codes, k, sigma, patterns + at, m, &span, &known);
        }

        // Bound the interval by the table.
        uint low = 0, high = 0;
        if (known) {
            // Suffixes that begin with the pattern may stand before string x if that has more symbols.
            low = span == 1 ? table[x] : x > 0 ? table[x - 1] : 0;
            low = min(low, (uint)(n / SYMBOL_BYTES));
            high = max(low, min(table[x + span], (uint)(n / SYMBOL_BYTES)));
        }

        // Search. Phase 0 looks for any slot of the interval, 1 for the first one, 2 for the first one after
        // it. below and above is what the pattern shares with the suffixes before low and from high on.
        uint below = 0, above = 0, phase = 0, begin = 0, next = 0, end = 0, end_above = 0;
        while (low < high) {
            const uint middle = low + (high - low) / 2;
            uint h = min(below, above);
            const ulong suffix = suffix_in(sa, middle, n);
            const int order = compare_held(text, n, packed, odd, suffix, patterns, bytes, at, m, held, coded, &h);
            if (phase == 0 && order == 0) {
                phase = 1;
                next = middle + 1;
                end = high;
                end_above = above;
            }
            if (order < 0 || (order == 0 && phase == 2)) {
                low = middle + 1;
                below = h;
            } else {
                high = middle;
                above = h;
            }
            if (low == high && phase == 1) {
                phase = 2;
                begin = low;
                low = next;
                high = end;
                below = m;
                above = end_above;
            }
        }
        intervals[q] = phase > 0 ? (uint2)(begin, low) : (uint2)(0);
    }
}

KERNEL_WG(WG) match_paper(
    __global const uchar *text, ulong n, __global const uint *sa, __global const uchar *patterns, ulong bytes,
    __global const uint *offsets, uint first, uint count, __global uint2 *intervals)
{
    FOR_TILE(t, WG * ITEMS, count) {
        const ulong q = first + t;
        const uint at = offsets[q], m = (uint)min((ulong)offsets[q + 1], bytes) - at;
        uint bounds[2];
        for (int side = 0; side < 2; side++) {
            uint low = 0, high = m > 0 ? (uint)(n / SYMBOL_BYTES) : 0;
            while (low < high) {
                const uint middle = low + (high - low) / 2;
                const ulong i = suffix_in(sa, middle, n), end = min((ulong)m, n - i);
                ulong h = 0;
                while (h < end && text[i + h] == patterns[at + h])
                    h++;
                int order = 0;
                if (h < m)
                    order = h == n - i || text[i + h] < patterns[at + h] ? -1 : 1;
                if (order < side)
                    low = middle + 1;
                else
                    high = middle;
            }
            bounds[side] = low;
        }
        intervals[q] = bounds[0] < bounds[1] ? (uint2)(bounds[0], bounds[1]) : (uint2)(0);
    }
}

KERNEL_WG(WG) match_gather(
    __global const uint *sa, ulong slots, __global const uint2 *intervals, __global const ulong *firsts, uint count,
    ulong first, ulong m, __global uint *positions)
{
    FOR_TILE(t, WG * ITEMS, m) {
        const uint q = pattern_of(firsts, count, first + t);
        const ulong j = intervals[q].x + (first + t - firsts[q]);
        positions[t] = j < slots ? sa[j] : (uint)slots;
    }
}
