// words.cl: reads of 8 bytes at any place of a text of bytes, for programs that compare or hash several at once. The
// text has whole words of 8, and at least a word after the last byte that is asked for.

// The 8 bytes from byte i on.
inline ulong word_at(__global const uchar *text, ulong i)
{
#if IS_CPU
    return as_ulong(vload8(0, text + i));
#else
    __global const ulong *words = (__global const ulong *)text + i / 8;
    const uint shift = (uint)(i % 8 * 8);
    return words[0] >> shift | (words[1] << 1) << (63 - shift);
#endif
}
