// sais.cl: the steps of induced sorting (Nong, Zhang & Chan, Two efficient algorithms for
// linear time suffix array construction, 2011), for CPUs: what depends on the entry before is
// done by one work-item, which asks for the memory that it will need ahead of time, as libsais
// does.
//
// text[at..at+n), of symbols below sigma, is the text of a level. It ends before every symbol. A
// suffix is of type S if it is less than the one that begins after it, else L; an LMS suffix is
// one of type S after one of type L. sa[0..n) gets its suffix array. Entries are positions, and
// 0 where there is none yet; MARK is set while the suffix before is of the type that is not being
// induced: S from the left to the right, L the other way.
//
// pointers: sigma into the buckets. Where these start stands after them, or, if symbols have 32 bits and all
// below sigma occur, in heads: a bit for each position, set where a bucket starts. So one array of words will
// do for all levels. Heads of a level begin at word `head`.
//
// marks: a bit for each position, set where an LMS suffix begins; ranks: how many do so before each word of
// marks. Those of a level begin at word `first`.
//
//   sais_count      of bytes: adds to the starts, which are 0 before
//   sais_heads      of 32 bits: heads of the starts that stand in the pointers
//   sais_types      marks: the suffixes of type S, of those that are decided within a word;
//                   the rest are like the first one of the next word; and empties sa
//   sais_marks      decides these, leaves the LMS suffixes, and counts them: ranks, *total
//   sais_sample     puts the LMS suffixes at the ends of their buckets, in any order
//   sais_left       from the LMS suffixes in order of their first characters (of the whole)
//                   those of type L, to the right, which are kept then, or else only those that
//                   sais_right needs
//   sais_right      from those the ones of type S, to the left; kept, or else only LMS suffixes,
//                   at sa[n-m..n); total[1]: where it is there
//   sais_differ     these to sa[0..m), and bit j of heads, 1 if the substring from LMS suffix sa[j] to the first
//                   character of the next is not that of sa[j - 1]: the heads of the next level; counts: of
//                   each word
//   sais_sum        sums of these counts
//   sais_name       from these the text of the next level, names in order of position:
//                   sa[n-m..n)
//   sais_positions  positions of the LMS suffixes to sa[n-m..n)
//   sais_order      LMS suffixes in the order of the next level
//   sais_spread     these from sa[0..m) to the ends of their buckets
//
// Launch: work-groups of one work-item. sais_count one for each TILE characters, sais_types and
// sais_positions one for each WORDS words of marks, sais_differ and sais_name one for each WORDS words of
// heads, sais_order one for each TILE substrings; else one. Local memory of sais_count: 4 KiB. T is the type
// of a symbol, T_BYTES its bytes, AHEAD how many entries ahead memory is asked for, where a level has more
// than NEAR.

#ifndef TILE
#error "TILE: elements of a work-item"
#endif
#ifndef WORDS
#error "WORDS: words of marks of a work-item"
#endif
#ifndef T
#error "T: type of a symbol"
#endif
#ifndef T_BYTES
#error "T_BYTES: bytes of T"
#endif
#ifndef AHEAD
#error "AHEAD: entries"
#endif
#ifndef NEAR
#error "NEAR: entries, at least 2 * AHEAD"
#endif

#define MARK 0x80000000u

#define LEVEL __global const T *whole, ulong at, uint n
#define TEXT __global const T *text = whole + at
#if T_BYTES == 4
#define BUCKETS __global uint *pointers, uint sigma, __global const ulong *heads, ulong head
#define POINT(ends) point(pointers, sigma, heads, head, n, ends)
#else
#define BUCKETS __global uint *pointers, uint sigma
#define POINT(ends) point(pointers, sigma, n, ends)
#endif

// Walks over the bits of x, upwards.
#define FOR_BITS(i, x)                                                                               \
    for (ulong i##_left = x, i; i##_left != 0 && (i = 63 - clz(i##_left & (0 - i##_left)), true); \
         i##_left &= i##_left - 1)

#if T_BYTES == 1
KERNEL_WG(1) sais_count(LEVEL, BUCKETS)
{
    TEXT;
    // Four of each: equal symbols in a row would wait for each other.
    __local uint four[4][256];
    for (uint c = 0; c < 256; c++)
        four[0][c] = four[1][c] = four[2][c] = four[3][c] = 0;
    const ulong begin = (ulong)get_group_id(0) * TILE, end = min(begin + TILE, (ulong)n);
    const ulong fours = begin + (end - begin) / 4 * 4;
    for (ulong i = begin; i < fours; i += 4) {
        four[0][text[i]]++;
        four[1][text[i + 1]]++;
        four[2][text[i + 2]]++;
        four[3][text[i + 3]]++;
    }
    for (ulong i = fours; i < end; i++)
        four[0][text[i]]++;
    // The sum of what is before in each tile is what is before in all.
    volatile __global uint *starts = pointers + sigma;
    uint sum = 0;
    for (uint c = 0; c < sigma; c++) {
        if (sum > 0)
            atomic_add(&starts[c], sum);
        sum += four[0][c] + four[1][c] + four[2][c] + four[3][c];
    }
}
#endif

#if T_BYTES == 4
KERNEL_WG(1) sais_heads(__global const uint *pointers, uint sigma, __global ulong *heads, uint n)
{
    uint c = 0;
    for (ulong w = 0; w < ((ulong)n + 63) / 64; w++) {
        ulong bits = 0;
        for (; c < sigma && pointers[c] / 64 == w; c++)
            bits |= 1ul << pointers[c] % 64;
        heads[w] = bits;
    }
}
#endif

// Lets the pointers point to the buckets' ends, or else to their beginnings.
inline void point(BUCKETS, uint n, bool ends)
{
#if T_BYTES == 4
    uint c = 0;
    for (ulong w = 0; w < ((ulong)n + 63) / 64; w++) {
        const ulong bits = heads[head + w];
        FOR_BITS(i, ends && w == 0 ? bits & ~1ul : bits) // a bucket ends where the next one starts
            pointers[c++] = (uint)(w * 64 + i);
    }
    if (ends)
        pointers[c] = n;
#else
    __global const uint *starts = pointers + sigma;
    for (uint c = 0; c + ends < sigma; c++)
        pointers[c] = starts[c + ends];
    if (ends)
        pointers[sigma - 1] = n;
#endif
}

KERNEL_WG(1) sais_types(LEVEL, ulong first, __global ulong *marks, __global uint *sa)
{
    TEXT;
    FOR_TILE(w, WORDS, ((ulong)n + 63) / 64) {
        const ulong begin = w * 64, end = min(begin + 64, (ulong)n - 1); // the last one is of type L
        ulong less = 0, same = 0;
        if (begin + 64 == end) { // of constant length: compilers make vectors of it
            for (uint i = 0; i < 64; i++) {
                less |= (ulong)(text[begin + i] < text[begin + i + 1]) << i;
                same |= (ulong)(text[begin + i] == text[begin + i + 1]) << i;
            }
        } else {
            for (ulong i = begin; i < end; i++) {
                less |= (ulong)(text[i] < text[i + 1]) << (i - begin);
                same |= (ulong)(text[i] == text[i + 1]) << (i - begin);
            }
        }
        // A suffix whose first two characters are the same is of the type of the next one:
        // after each step, of the one d further on, if the first d + 1 are the same.
        for (uint d = 1; d < 64; d *= 2) {
            less |= same & less >> d;
            same &= same >> d;
        }
        marks[first + w] = less;
        for (ulong i = begin; i < min(begin + 64, (ulong)n); i++)
            sa[i] = 0;
    }
}

KERNEL_WG(1) sais_marks(LEVEL, ulong first, __global ulong *marks, __global uint *ranks, __global uint *total)
{
    TEXT;
    const ulong words = ((ulong)n + 63) / 64;
    bool s = false;
    for (ulong w = words; w-- > 0;) {
        ulong types = marks[first + w];
        for (uint i = 64; s && i-- > 0;) {
            s = text[w * 64 + i] == text[w * 64 + i + 1];
            types |= (ulong)s << i;
        }
        s = types & 1;
        marks[first + w] = types;
    }
    uint m = 0;
    ulong before = 1; // no suffix is before the first
    for (ulong w = first; w < first + words; w++) {
        const ulong types = marks[w], lms = types & ~(types << 1 | before);
        before = types >> 63;
        marks[w] = lms;
        ranks[w] = m;
        m += (uint)popcount(lms);
    }
    *total = m;
}

KERNEL_WG(1) sais_sample(LEVEL, ulong first, __global const ulong *marks, __global uint *sa, BUCKETS)
{
    TEXT;
    POINT(true);
    for (ulong w = 0; w < ((ulong)n + 63) / 64; w++) {
        FOR_BITS(i, marks[first + w]) {
            const uint p = (uint)(w * 64 + i);
            sa[--pointers[text[p]]] = p;
        }
    }
}

// The suffix before sa[i], if that is of type L.
inline void induce_left(__global const T *text, __global uint *sa, __global uint *pointers, uint i, uint keep)
{
    const uint v = sa[i];
    if (v != 0 && v < MARK) {
        const uint p = v - 1;
        const T c = text[p];
        const uint mark = text[p - (p > 0)] < c ? MARK : 0;
        if (!keep)
            sa[i] = 0;
        sa[pointers[c]++] = p | mark;
    }
}

KERNEL_WG(1) sais_left(LEVEL, __global uint *sa, BUCKETS, uint from, uint to, uint keep)
{
    TEXT;
    if (from == 0) { // the end of the text induces
        POINT(false);
        const uint p = n - 1;
        sa[pointers[text[p]]++] = p > 0 && text[p - 1] < text[p] ? p | MARK : p;
    }
    uint i = from;
    for (const uint ask_end = n > NEAR ? min(to, n - 2 * AHEAD) : 0; i < ask_end; i++) {
        PREFETCH(text + (sa[i + 2 * AHEAD] & ~MARK));
#if T_BYTES > 1
        const uint next = sa[i + AHEAD] & ~MARK;
        PREFETCH(pointers + text[next - (next > 0)]);
#endif
        induce_left(text, sa, pointers, i, keep);
    }
    for (; i < to; i++)
        induce_left(text, sa, pointers, i, keep);
}

// The suffix before sa[i], if that is of type S; else an LMS suffix goes to sa[out - 1].
inline uint induce_right(
    __global const T *text, __global uint *sa, __global uint *pointers, uint i, uint keep, uint out)
{
    const uint v = sa[i];
    if (v >= MARK) {
        const uint p = (v & ~MARK) - 1;
        const T c = text[p];
        const uint mark = ((p > 0) & (text[p - (p > 0)] <= c)) ? MARK : 0;
        if (keep)
            sa[i] = v & ~MARK;
        sa[--pointers[c]] = p | mark;
    } else if (!keep) { // without a branch where there is none
        sa[out - 1] = v;
        out -= v != 0;
    }
    return out;
}

KERNEL_WG(1) sais_right(LEVEL, __global uint *sa, BUCKETS, uint from, uint to, uint keep, __global uint *total)
{
    TEXT;
    if (to == n)
        POINT(true);
    uint out = to == n ? n : total[1], i = to;
    for (const uint ask_end = n > NEAR ? max(from, (uint)(2 * AHEAD)) : n; i > ask_end;) {
        i--;
        PREFETCH(text + (sa[i - 2 * AHEAD] & ~MARK));
#if T_BYTES > 1
        const uint next = sa[i - AHEAD] & ~MARK;
        PREFETCH(pointers + text[next - (next > 0)]);
#endif
        out = induce_right(text, sa, pointers, i, keep, out);
    }
    while (i-- > from)
        out = induce_right(text, sa, pointers, i, keep, out);
    total[1] = out;
}

// The LMS suffix after p, n if there is none; marks are those of the level.
inline uint next_lms(__global const ulong *marks, uint n, uint p)
{
    const ulong words = ((ulong)n + 63) / 64;
    ulong w = p / 64, x = marks[w] & ~1ul << p % 64;
    while (x == 0 && ++w < words)
        x = marks[w];
    return x == 0 ? n : (uint)(w * 64 + (63 - clz(x & (0 - x))));
}

KERNEL_WG(1) sais_differ(
    LEVEL, ulong first, __global const ulong *marks, __global uint *sa, uint m, ulong next_head,
    __global ulong *next_heads, __global uint *counts)
{
    TEXT;
    __global const uint *sorted = sa + (n - m);
    uint q = n, length = 0; // of the substring before
    FOR_TILE(w, WORDS, ((ulong)m + 63) / 64) {
        ulong bits = 0;
        for (ulong j = w * 64; j < min(w * 64 + 64, (ulong)m); j++) {
            const uint next = sorted[min(j + AHEAD, (ulong)m - 1)];
            PREFETCH(text + next);
            PREFETCH(marks + first + next / 64);
            if (q == n && j > 0) { // of another tile
                q = sorted[j - 1];
                length = next_lms(marks + first, n, q) - q;
            }
            const uint p = sorted[j], end = next_lms(marks + first, n, p);
            bool same = j > 0 && end - p == length && end < n && q + length < n;
            for (uint h = 0; h <= length && same; h++)
                same = text[p + h] == text[q + h];
            sa[j] = p;
            bits |= (ulong)!same << j % 64;
            q = p;
            length = end - p;
        }
        next_heads[next_head + w] = bits;
        counts[w] = (uint)popcount(bits);
    }
}

#if T_BYTES == 4 // serves all levels
KERNEL_WG(1) sais_sum(__global uint *counts, uint words)
{
    uint sum = 0;
    for (uint w = 0; w < words; w++)
        counts[w] = sum += counts[w];
}

// counts have been summed up.
KERNEL_WG(1) sais_name(
    ulong first, __global const ulong *marks, __global const uint *ranks, __global uint *sa, uint n, uint m,
    ulong next_head, __global const ulong *next_heads, __global const uint *counts)
{
    FOR_TILE(w, WORDS, ((ulong)m + 63) / 64) {
        const ulong bits = next_heads[next_head + w];
        uint name = counts[w] - (uint)popcount(bits) - 1; // that of the substring before, -1 before the first
        for (ulong j = w * 64; j < min(w * 64 + 64, (ulong)m); j++) {
            const uint next = sa[min(j + AHEAD, (ulong)m - 1)];
            PREFETCH(marks + first + next / 64);
            const uint p = sa[j];
            const ulong word = first + p / 64, before = marks[word] & ((1ul << p % 64) - 1);
            name += (uint)(bits >> j % 64 & 1);
            sa[n - m + ranks[word] + (uint)popcount(before)] = name;
        }
    }
}

KERNEL_WG(1) sais_positions(
    ulong first, __global const ulong *marks, __global const uint *ranks, __global uint *sa, uint n, uint m)
{
    FOR_TILE(w, WORDS, ((ulong)n + 63) / 64) {
        uint to = n - m + ranks[first + w];
        FOR_BITS(i, marks[first + w])
            sa[to++] = (uint)(w * 64 + i);
    }
}

KERNEL_WG(1) sais_order(__global uint *sa, uint n, uint m)
{
    __global const uint *positions = sa + (n - m);
    FOR_TILE(j, TILE, m) {
        PREFETCH(positions + sa[min(j + AHEAD, j_end - 1)]);
        sa[j] = positions[sa[j]];
    }
}
#endif

KERNEL_WG(1) sais_spread(LEVEL, __global uint *sa, BUCKETS, uint m)
{
    TEXT;
    POINT(true);
    for (uint j = m; j-- > 0;) {
        PREFETCH(text + sa[max(j, (uint)AHEAD) - AHEAD]);
        const uint p = sa[j];
        sa[j] = 0;
        sa[--pointers[text[p]]] = p;
    }
}
