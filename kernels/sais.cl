// sais.cl: the steps of induced sorting (Nong, Zhang & Chan, Two efficient algorithms for
// linear time suffix array construction, 2011), for CPUs: what depends on the step before is
// done by one work-item, which asks for the memory that it will need ahead of time (as libsais
// does), and does not branch on what it finds.
//
// text[at..at+n), of symbols below K, is the text of a level. It ends before every symbol. A
// suffix is of type S if it is less than the one that begins behind it, else L; an LMS suffix is
// one of type S behind one of type L. sa[0..n) gets its suffix array. Entries are positions, and
// 0 where there is none yet; MARK is set while the suffix before is of the type that is not being
// induced: S from the left to the right, L the other way.
//
// work: a word that may be written in vain, K pointers into the buckets, K counts.
//
//   sais_count      the counts
//   sais_pointers   to the buckets' ends, or else to their beginnings
//   sais_sample     puts the LMS suffixes at the ends of their buckets, in any order; *total
//                   is how many there are
//   sais_left       from the LMS suffixes in order of their first characters (of the whole)
//                   those of type L, to the right, which are kept then, or else only those that
//                   sais_right needs
//   sais_right      from those the ones of type S, to the left; kept, or else only LMS suffixes
//   sais_gather     the LMS suffixes to sa[0..m)
//   sais_lengths    sa[m + p/2]: length of the substring from LMS suffix p to the next, that one's
//                   first character included
//   sais_differ     work[j], 1 if substring j is not the one before
//   sais_name       sa[m + p/2]: number of the substring, from 1 on
//   sais_reduce     these, in order of position and from 0 on, to sa[n-m..n): the text of the
//                   next level
//   sais_positions  positions of the LMS suffixes to sa[n-m..n)
//   sais_order      LMS suffixes in the order of the next level
//   sais_spread     these from sa[0..m) to the ends of their buckets
//
// Launch: one work-item; sais_differ, sais_name and sais_order work-groups of WG, one for each
// WG*ITEMS substrings. No local memory. T is the type of a symbol, AHEAD how many entries ahead
// memory is asked for.

#ifndef ITEMS
#error "ITEMS: elements of a work-item"
#endif
#ifndef T
#error "T: type of a symbol"
#endif
#ifndef AHEAD
#error "AHEAD: entries"
#endif

#define MARK 0x80000000u

#define LEVEL __global const T *whole, ulong at, uint n
#define TEXT __global const T *text = whole + at

KERNEL_WG(1) sais_count(LEVEL, uint K, __global uint *work)
{
    TEXT;
    __global uint *counts = work + 1 + K;
#ifdef BYTES
    // Four of each: equal symbols in a row would wait for each other.
    uint four[4][256];
    for (uint c = 0; c < 256; c++)
        four[0][c] = four[1][c] = four[2][c] = four[3][c] = 0;
    for (uint i = 0; i < n / 4 * 4; i += 4) {
        four[0][text[i]]++;
        four[1][text[i + 1]]++;
        four[2][text[i + 2]]++;
        four[3][text[i + 3]]++;
    }
    for (uint i = n / 4 * 4; i < n; i++)
        four[0][text[i]]++;
    for (uint c = 0; c < K; c++)
        counts[c] = four[0][c] + four[1][c] + four[2][c] + four[3][c];
#else
    for (uint c = 0; c < K; c++)
        counts[c] = 0;
    for (uint i = 0; i < n; i++)
        counts[text[i]]++;
#endif
}

KERNEL_WG(1) sais_pointers(__global uint *work, uint K, uint ends)
{
    __global uint *pointers = work + 1, *counts = pointers + K;
    uint sum = 0;
    for (uint c = 0; c < K; c++) {
        const uint before = sum;
        sum += counts[c];
        pointers[c] = ends ? sum : before;
    }
}

// Walks over the text from the right to the left; is[i] tells that i + 1 is an LMS suffix.
#define FOR_LMS(i, is)                                                             \
    T behind = text[n - 1];                                                        \
    uint s = 0, is;                                                                \
    for (uint i = n - 1; i-- > 0 && (is = s & (text[i] > behind), true);           \
         s = (text[i] < behind) | ((text[i] == behind) & s), behind = text[i])

KERNEL_WG(1) sais_sample(LEVEL, __global uint *sa, __global uint *work, __global uint *total)
{
    TEXT;
    __global uint *pointers = work + 1;
    uint m = 0;
    FOR_LMS(i, is) {
        const uint end = pointers[behind] - is;
        pointers[behind] = end;
        *(is ? sa + end : work) = i + 1;
        m += is;
    }
    *total = m;
}

KERNEL_WG(1) sais_left(LEVEL, __global uint *sa, __global uint *work, uint from, uint to, uint keep)
{
    TEXT;
    __global uint *pointers = work + 1;
    if (from == 0) { // what the end of the text induces
        const uint p = n - 1;
        sa[pointers[text[p]]++] = p > 0 && text[p - 1] < text[p] ? p | MARK : p;
    }
    for (uint i = from; i < to; i++) {
        const uint soon = sa[min(i + 2 * AHEAD, n - 1)] & ~MARK;
        PREFETCH(text + soon);
#ifndef BYTES
        const uint next = sa[min(i + AHEAD, n - 1)] & ~MARK;
        PREFETCH(pointers + text[next - (next > 0)]);
#endif
        const uint v = sa[i], on = (v != 0) & (v < MARK), p = on ? v - 1 : 0;
        const T c = text[p];
        const uint mark = text[p - (p > 0)] < c ? MARK : 0, place = pointers[c];
        sa[i] = on & !keep ? 0 : v;
        pointers[c] = place + on;
        *(on ? sa + place : work) = p | mark;
    }
}

KERNEL_WG(1) sais_right(LEVEL, __global uint *sa, __global uint *work, uint from, uint to, uint keep)
{
    TEXT;
    __global uint *pointers = work + 1;
    for (uint i = to; i-- > from;) {
        const uint soon = sa[max(i, (uint)(2 * AHEAD)) - 2 * AHEAD] & ~MARK;
        PREFETCH(text + soon);
#ifndef BYTES
        const uint next = sa[max(i, (uint)AHEAD) - AHEAD] & ~MARK;
        PREFETCH(pointers + text[next - (next > 0)]);
#endif
        const uint v = sa[i], on = v >> 31, p = on ? (v & ~MARK) - 1 : 0;
        const T c = text[p];
        const uint mark = (p > 0) & (text[p - (p > 0)] <= c) ? MARK : 0, place = pointers[c] - on;
        sa[i] = on & !keep ? 0 : v & ~MARK;
        pointers[c] = place;
        *(on ? sa + place : work) = p | mark;
    }
}

KERNEL_WG(1) sais_gather(__global uint *sa, uint n, uint m)
{
    uint to = 0;
    for (uint i = 0; i < n && to < m; i++) {
        const uint v = sa[i];
        sa[to] = v;
        to += v != 0;
    }
}

KERNEL_WG(1) sais_lengths(LEVEL, __global uint *sa, __global uint *work, uint m)
{
    TEXT;
    uint end = n; // the last one goes on behind the text
    FOR_LMS(i, is) {
        *(is ? sa + m + (i + 1) / 2 : work) = end - i;
        end = is ? i + 1 : end;
    }
}

KERNEL_WG(WG) sais_differ(LEVEL, __global const uint *sa, uint m, __global uint *work)
{
    TEXT;
    FOR_TILE(j, WG * ITEMS, m) {
        const uint ahead = sa[min(j + AHEAD, (ulong)m - 1)];
        PREFETCH(sa + m + ahead / 2);
        PREFETCH(text + ahead);
        const uint p = sa[j], q = sa[j - (j > 0)], length = sa[m + p / 2];
        bool same = j > 0 && sa[m + q / 2] == length && max(p, q) <= n - length;
        for (uint h = 0; h < length && same; h++)
            same = text[p + h] == text[q + h];
        work[j] = !same;
    }
}

KERNEL_WG(WG) sais_name(__global uint *sa, uint m, __global const uint *work)
{
    FOR_TILE(j, WG * ITEMS, m) {
        PREFETCH(sa + m + sa[min(j + AHEAD, (ulong)m - 1)] / 2);
        sa[m + sa[j] / 2] = work[j];
    }
}

KERNEL_WG(1) sais_reduce(__global uint *sa, uint n, uint m)
{
    uint to = n;
    for (uint i = n; i-- > m && to > n - m;) {
        const uint name = sa[i];
        sa[to - 1] = name - 1;
        to -= name != 0;
    }
}

KERNEL_WG(1) sais_positions(LEVEL, __global uint *sa, __global uint *work)
{
    TEXT;
    uint to = n;
    FOR_LMS(i, is) {
        to -= is;
        *(is ? sa + to : work) = i + 1;
    }
}

KERNEL_WG(WG) sais_order(__global uint *sa, uint n, uint m)
{
    __global const uint *positions = sa + (n - m);
    FOR_TILE(j, WG * ITEMS, m) {
        PREFETCH(positions + sa[min(j + AHEAD, j_end - 1)]);
        sa[j] = positions[sa[j]];
    }
}

KERNEL_WG(1) sais_spread(LEVEL, __global uint *sa, __global uint *work, uint m)
{
    TEXT;
    __global uint *pointers = work + 1;
    for (uint j = m; j-- > 0;) {
        PREFETCH(text + sa[max(j, (uint)AHEAD) - AHEAD]);
        const uint p = sa[j];
        sa[j] = 0;
        sa[--pointers[text[p]]] = p;
    }
}
