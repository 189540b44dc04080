// text.cl: texts of bytes, 8 characters at a time, for the files behind it in a program.
//
// It has no kernels: launch shape and local memory are those of the other files.

// Characters 8*w to 8*w+7 as a word, zeros behind the end of the text.
inline ulong text_word(__global const uchar *text, ulong n, ulong w)
{
    if (w * 8 + 8 <= n)
        return ((__global const ulong *)text)[w];
    ulong word = 0;
    for (ulong i = w * 8; i < n; i++)
        word |= (ulong)text[i] << (i % 8 * 8);
    return word;
}

// The first h in [from, to) at which suffix i of text a and suffix p of text b differ, or
// to. Neither ends before.
inline ulong agree(__global const uchar *a, ulong na, ulong i, __global const uchar *b, ulong nb, ulong p, ulong from, ulong to)
{
    const uint si = (uint)((i + from) % 8 * 8), sp = (uint)((p + from) % 8 * 8);
    ulong wi = (i + from) / 8, wp = (p + from) / 8;
    ulong ai = text_word(a, na, wi), ap = text_word(b, nb, wp);
    for (ulong h = from; h < to; h += 16) {
        const ulong bi = text_word(a, na, wi + 1), bp = text_word(b, nb, wp + 1);
        const ulong ci = text_word(a, na, wi + 2), cp = text_word(b, nb, wp + 2);
        // By two shifts, as one by 64 would do nothing.
        const ulong x = (ai >> si | (bi << 1) << (63 - si)) ^ (ap >> sp | (bp << 1) << (63 - sp));
        const ulong y = (bi >> si | (ci << 1) << (63 - si)) ^ (bp >> sp | (cp << 1) << (63 - sp));
        const ulong differ = x != 0 ? x : y;
        if (differ != 0)
            return min(to, h + (x != 0 ? 0 : 8) + (63 - clz(differ & (0 - differ))) / 8);
        ai = ci;
        ap = cp;
        wi += 2;
        wp += 2;
    }
    return to;
}
