// sets.cl: texts with separators, coded for sorters of plain texts, and the arrays of such texts. Package sets has the
// steps. Separators are all different: separator k of m, in the order of the text, is smaller than all letters (`least`
// is 1), or larger (0), and smaller than separator k + 1. A macro chooses:
//
//   SETS_MAP    the kernels that treat every element on its own
//   SETS_CODE   the kernel that makes symbols of type T
//
//   text    n characters; at a separator it may have anything, or end
//   ends    [m]uint, the places of the separators in the text, which ascend
//   coded   the text, in which each separator is one symbol, followed by the `digits` digits of its number. So
//           separator k is at ends[k] + digits * k. The symbols are less than all letters, or greater, and digits are
//           greater than both
//   blocks  for each 2^block_bits places of coded, 256 at most, how many separators are before, and the places in the
//           block of up to 4 separators, ascending, a byte each. One more tells how many separators there are
//
// So how many separators are before a place takes one access to memory that the caches hold, unless they are close to
// each other.
//
// Launch: one work-group of WG for each WG*ITEMS elements.

typedef uint2 Block;

#define NO_PLACE 255u        // before nothing in the block, as the last place is
#define MANY_PLACES 0xffu    // 255 first: there are more than 4 places

#define SEPARATORS_PARAMS \
    __global const uint *ends, uint m, uint digits, __global const Block *blocks, uint block_bits
#define SEPARATORS_ARGS ends, m, digits, blocks, block_bits

// The first of separators [k, end) of coded that is not before place q, or end.
inline uint separator_from(__global const uint *ends, uint digits, uint k, uint end, ulong q)
{
    while (k < end) {
        const uint middle = k + (end - k) / 2;
        if (ends[middle] + (ulong)digits * middle < q)
            k = middle + 1;
        else
            end = middle;
    }
    return k;
}

// The number of separators before place q of coded, or of the text, without digits.
inline uint separators_before(SEPARATORS_PARAMS, ulong q)
{
    const ulong at = q >> block_bits;
    const Block block = blocks[at];
    if (block.y == MANY_PLACES)
        return separator_from(ends, digits, block.x, blocks[at + 1].x, q);
    const uint place = (uint)q & ((1u << block_bits) - 1);
    return block.x + ((block.y & 0xff) < place) + ((block.y >> 8 & 0xff) < place) + ((block.y >> 16 & 0xff) < place) +
        (block.y >> 24 < place);
}

#if defined(SETS_MAP) || defined(SETS_CODE)

#ifndef ITEMS
#error "ITEMS: elements of a work-item"
#endif

#define TILE (WG * ITEMS)

#endif

#ifdef SETS_MAP

KERNEL_WG(WG) sets_blocks(
    __global const uint *ends, uint m, uint digits, uint block_bits, ulong count, __global Block *blocks)
{
    FOR_TILE(b, TILE, count) {
        const ulong from = (ulong)b << block_bits;
        uint k = separator_from(ends, digits, 0, m, from), places = 0xffffffffu;
        const uint before = k;
        for (; k < m; k++) {
            const ulong place = ends[k] + (ulong)digits * k - from;
            if (place >> block_bits > 0 || place == NO_PLACE)
                break;
            if (k - before == 4) {
                places = MANY_PLACES;
                break;
            }
            const uint shift = 8 * (k - before);
            places = (places & ~(0xffu << shift)) | (uint)place << shift;
        }
        blocks[b] = (Block)(before, places);
    }
}

// wide = the text in symbols of which no two separators are the same: separator k is separators_from + k, letter c is
// letters_from + c. There are no digits.
KERNEL_WG(WG) sets_widen(
    __global const uchar *text, ulong n, SEPARATORS_PARAMS, uint letters_from, uint separators_from,
    __global uint *wide)
{
    FOR_TILE(p, TILE, n) {
        const uint k = separators_before(SEPARATORS_ARGS, p);
        if (k < m && ends[k] == p)
            wide[p] = separators_from + k;
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
    __global uint *sa, ulong n, SEPARATORS_PARAMS, __global const uchar *text, ulong last, __global uint *documents,
    __global uchar *bwt, __global uint *whole, __global uint *lcp)
{
    FOR_TILE(r, TILE, n) {
        const ulong q = sa[r];
        const uint k = separators_before(SEPARATORS_ARGS, q);
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
    __global const uchar *text, __global const uint *symbols, SEPARATORS_PARAMS, ulong size, uint base, uint zero,
    uint separator, __global T *coded)
{
    __local uint table[256];
    for (uint c = get_local_id(0); c < 256; c += WG)
        table[c] = symbols[c];
    barrier(CLK_LOCAL_MEM_FENCE);
#if IS_CPU
    ulong q = (ulong)get_group_id(0) * TILE;
    const ulong end = min(q + TILE, size);
    for (uint k = separators_before(SEPARATORS_ARGS, q); q < end; k++) {
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
        const uint k = separators_before(SEPARATORS_ARGS, q);
        // How many places after the separator before; without one, more than there are digits.
        const ulong after = k > 0 ? q - (ends[k - 1] + (ulong)digits * (k - 1)) : digits + 1ul;
        uint symbol;
        if (after <= digits) {
            symbol = zero + digit_of(k - 1, (uint)after - 1, digits, base);
        } else if (k < m && ends[k] + (ulong)digits * k == q) {
            symbol = separator;
        } else {
            symbol = table[text[q - (ulong)digits * k]];
        }
        coded[q] = (T)symbol;
    }
#endif
}

#endif
