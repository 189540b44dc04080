// text.cl: reading texts by words, and comparing them 16 characters at a time, for the files after it
// in a program.
//
// It has no kernels: launch shape and local memory are those of the other files.

// The 8 characters from 8*q on, the first in the low bits, zeros after the end.
inline ulong eight(__global const uchar *text, ulong size, ulong q)
{
    if (8 * q + 8 <= size)
        return ((__global const ulong *)text)[q];
    ulong word = 0;
    for (uint k = 0; k < 8 && 8 * q + k < size; k++)
        word |= (ulong)text[8 * q + k] << 8 * k;
    return word;
}

#define EACH_BYTE 0x0101010101010101ul

// The high bit of the first byte that is 0, and maybe of bytes after it; 0 if none is.
inline ulong zeros(ulong word) { return (word - EACH_BYTE) & ~word & EACH_BYTE << 7; }

// How many bytes are before that of the lowest bit; 8 if there is none.
inline uint bytes_below(ulong bits) { return bits != 0 ? (63 - (uint)clz(bits & -bits)) / 8 : 8; }

// 64 bits of a text packed into `width` bits a character, the first in the high bits, from character i on; the
// word after them is read, too.
inline ulong packed_window(__global const ulong *packed, uint width, ulong i)
{
    const ulong at = i * width;
    const uint shift = (uint)(at % 64);
    return packed[at / 64] << shift | packed[at / 64 + 1] >> 1 >> (63 - shift);
}

// The first h in [from, to) at which suffix i of text a and suffix p of text b differ, or
// to. Neither ends before. By aligned words while they are whole in the texts, then by
// bytes.
inline ulong agree(
    __global const uchar *a, ulong na, ulong i, __global const uchar *b, ulong nb, ulong p, ulong from, ulong to)
{
    __global const ulong *as = (__global const ulong *)a, *bs = (__global const ulong *)b;
    const uint si = (uint)((i + from) % 8 * 8), sp = (uint)((p + from) % 8 * 8);
    // The last h from which 24 bytes of both are there, and 1.
    const ulong room = min(na - min(na, i + 23), nb - min(nb, p + 23));
    ulong found = to, h = from;
    for (; h < min(found, room); h += 16) {
        const ulong wi = (i + h) / 8, wp = (p + h) / 8;
        const ulong ai = as[wi], bi = as[wi + 1], ci = as[wi + 2];
        const ulong ap = bs[wp], bp = bs[wp + 1], cp = bs[wp + 2];
        // By two shifts, as one by 64 would do nothing.
        const ulong x = (ai >> si | (bi << 1) << (63 - si)) ^ (ap >> sp | (bp << 1) << (63 - sp));
        const ulong y = (bi >> si | (ci << 1) << (63 - si)) ^ (bp >> sp | (cp << 1) << (63 - sp));
        const ulong differ = x != 0 ? x : y;
        if (differ != 0) // which ends both loops
            found = min(to, h + (x != 0 ? 0 : 8) + bytes_below(differ));
    }
    for (; h < found; h++) {
        if (a[i + h] != b[p + h])
            found = h;
    }
    return found;
}

// Compares the suffix at i with a pattern of m characters from `at` on, which agree in the
// first *h: -1, 0 where the pattern is a prefix, 1. *h becomes what they share.
inline int compare(
    __global const uchar *text, ulong n, ulong i, __global const uchar *patterns, ulong bytes, ulong at, uint m,
    uint *h)
{
    const ulong end = min((ulong)m, n - i), same = agree(text, n, i, patterns, bytes, at, min((ulong)*h, end), end);
    *h = (uint)same;
    int order = 0;
    if (same < m)
        order = same == n - i || text[i + same] < patterns[at + same] ? -1 : 1;
    return order;
}
