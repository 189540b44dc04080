// text.cl: comparing texts 16 characters at a time, for the files behind it in a program.
//
// It has no kernels: launch shape and local memory are those of the other files.

// The first h in [from, to) at which suffix i of text a and suffix p of text b differ, or
// to. Neither ends before. By aligned words while they are whole in the texts, then by
// bytes.
inline ulong agree(__global const uchar *a, ulong na, ulong i, __global const uchar *b, ulong nb, ulong p, ulong from, ulong to)
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
            found = min(to, h + (x != 0 ? 0 : 8) + (63 - clz(differ & (0 - differ))) / 8);
    }
    for (; h < found; h++) {
        if (a[i + h] != b[p + h])
            found = h;
    }
    return found;
}
