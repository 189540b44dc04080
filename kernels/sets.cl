// sets.cl: texts with separators, coded for sorters of plain texts, and the arrays of such texts. Package sets has the
// steps. Separators are all different: separator k of m, in the order of the text, is smaller than all letters (`least`
// is 1), or larger (0), and smaller than separator k + 1. A macro chooses:
//
//   SETS_MAP    the kernels that treat every element on its own
//   SETS_CODE   the kernel that makes symbols of type T
//   SETS_COUNT  scan: how many separators are before each word of marks
//
//   text    n characters; at a separator it may have anything, or end
//   ends    [m]uint, the places of the separators in the text, which ascend
//   coded   the text, in which each separator is one symbol, followed by the `digits` digits of its number. So
//           separator k is at ends[k] + digits * k. The symbols are less than all letters, or greater, and digits are
//           greater than both
//   marks   for each 32 places of coded the bits of those where separators are, and how many are before
//
// In coded, or without digits in the text: the number of separators before place q.
//
// Launch: one work-group of WG for each WG*ITEMS elements.

typedef uint2 Marks;

#define SEPARATORS_BEFORE(marks, q) ((marks)[(q) / 32].y + popcount((marks)[(q) / 32].x & ((1u << (q) % 32) - 1)))
#define IS_SEPARATOR(marks, q) ((marks)[(q) / 32].x >> (q) % 32 & 1)

#if defined(SETS_MAP) || defined(SETS_CODE)

#ifndef ITEMS
#error "ITEMS: elements of a work-item"
#endif

#define TILE (WG * ITEMS)

#endif

#ifdef SETS_MAP

// Sets the bits of marks, which are words of bits and counts in turn, 0 before.
KERNEL_WG(WG) sets_mark(__global const uint *ends, ulong m, uint digits, __global uint *marks)
{
    FOR_TILE(k, TILE, m) {
        const ulong q = ends[k] + digits * k;
        atomic_or(&marks[q / 32 * 2], 1u << q % 32);
    }
}

// wide = the text in symbols of which no two separators are the same: separator k is separators_from + k, letter c is
// letters_from + c. marks are without digits.
KERNEL_WG(WG) sets_widen(
    __global const uchar *text, ulong n, __global const Marks *marks, uint letters_from, uint separators_from,
    __global uint *wide)
{
    FOR_TILE(p, TILE, n) {
        if (IS_SEPARATOR(marks, p))
            wide[p] = separators_from + SEPARATORS_BEFORE(marks, p);
        else
            wide[p] = letters_from + text[p];
    }
}

// What is made of the suffix array of coded, whose last suffixes start at digits. sa becomes that of the text; without
// digits it is that already, and only read. The numbers of the separators after the suffixes become documents, and the
// characters before them bwt, as far as they are not null. The character before the text is that of place `last`, and
// the slot of place 0 becomes *whole. lcp is that of coded, and becomes that of the text: a common prefix ends at a
// separator at the latest.
KERNEL_WG(WG) sets_decode(
    __global uint *sa, ulong n, uint digits, __global const Marks *marks, __global const uchar *text, ulong last,
    __global const uint *ends, __global uint *documents, __global uchar *bwt, __global uint *whole,
    __global uint *lcp)
{
    FOR_TILE(r, TILE, n) {
        const ulong q = sa[r];
        const uint k = SEPARATORS_BEFORE(marks, q);
        const ulong p = q - (ulong)digits * k;
        if (digits > 0)
            sa[r] = (uint)p;
        if (documents != 0)
            documents[r] = k;
        if (bwt != 0)
            bwt[r] = text[p > 0 ? p - 1 : last];
        if (whole != 0 && p == 0)
            *whole = (uint)r;
        if (lcp != 0)
            lcp[r] = min(lcp[r], (uint)(ends[k] - p));
    }
}

#endif

#ifdef SETS_CODE

#ifndef T
#error "T: type of a symbol"
#endif

// Digit `place` of `digits` of a number, the highest first.
inline uint digit_of(uint number, uint place, uint digits, uint base)
{
    for (uint d = digits - place; d > 1; d--)
        number /= base;
    return number % base;
}

// coded = `size` symbols. symbols has that of each byte. Digits are of base `base` and counted from `zero`; separators
// are the symbol `separator`. On CPUs a work-item goes from one separator to the next.
KERNEL_WG(WG) sets_code(
    __global const uchar *text, __global const uint *symbols, __global const uint *ends, ulong m,
    __global const Marks *marks, ulong size, uint digits, uint base, uint zero, uint separator, __global T *coded)
{
    __local uint table[256];
    for (uint c = get_local_id(0); c < 256; c += WG)
        table[c] = symbols[c];
    barrier(CLK_LOCAL_MEM_FENCE);
#if IS_CPU
    ulong q = (ulong)get_group_id(0) * TILE;
    const ulong end = min(q + TILE, size);
    for (uint k = SEPARATORS_BEFORE(marks, q); q < end; k++) {
        const ulong shift = (ulong)digits * k, from = k > 0 ? ends[k - 1] + shift + 1 : 0; // of the letters
        const ulong to = k < m ? min(ends[k] + shift, end) : end;
        for (; q < min(from, end); q++)
            coded[q] = (T)(zero + digit_of(k - 1, (uint)(q + digits - from), digits, base));
        for (; q < to; q++)
            coded[q] = (T)table[text[q - shift]];
        if (q < end)
            coded[q++] = (T)separator;
    }
#else
    FOR_TILE(q, TILE, size) {
        const uint k = SEPARATORS_BEFORE(marks, q);
        // How many places after the separator before; without one, more than there are digits.
        const ulong after = k > 0 ? q - (ends[k - 1] + (ulong)digits * (k - 1)) : digits + 1ul;
        uint symbol;
        if (after <= digits) {
            symbol = zero + digit_of(k - 1, (uint)after - 1, digits, base);
        } else if (IS_SEPARATOR(marks, q)) {
            symbol = separator;
        } else {
            symbol = table[text[q - (ulong)digits * k]];
        }
        coded[q] = (T)symbol;
    }
#endif
}

#endif

#ifdef SETS_COUNT

#define T uint
#define OP OP_ADD
#define IDENTITY 0u
#define SCAN_PARAMS , __global uint *marks
#define SCAN_LOAD(w) popcount(marks[2 * (w)])
#define SCAN_STORE(w, before, value) marks[2 * (w) + 1] = before

#endif
