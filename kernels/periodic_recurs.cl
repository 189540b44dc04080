// periodic_recurs.cl: where a text goes on as it begins, for periodic.cl and for kernels that read the text anyway. It
// follows text.cl in a program. It has no kernels: launch shape and local memory are those of the other files.

#ifndef EACH_BYTE
#error "EACH_BYTE: 1 in each byte, from text.cl"
#endif

// counts[at], which was 0, = size - i for the least i from 1 to `last`, if any, after which the text goes on as from
// its start on, for `alike` characters. A work-group looks at the places of `words` words from first_word on. found is
// of the work-group: here or before.
//
// Most places do not begin with the text's first two characters. All of a word are compared with these at once, and
// those that seem alike then looked at.
inline void note_recurrence(
    __global const uchar *text, ulong size, ulong last, uint alike, ulong first_word, uint words,
    __global uint *counts, uint at, __local uint *found)
{
    if (get_local_id(0) == 0)
        *found = load_relaxed(&counts[at]);
    barrier(CLK_LOCAL_MEM_FENCE);
    const bool done = *found > size - min(first_word * 8, size);
    barrier(CLK_LOCAL_MEM_FENCE);
    if (!done) {
        const ulong mask = alike < 8 ? (1ul << 8 * alike) - 1 : ~0ul, first = eight(text, size, 0);
        const ulong firsts = (first & 0xff) * EACH_BYTE, seconds = (first >> 8 & 0xff) * EACH_BYTE;
        const ulong end = last > 0 ? min(first_word + words, last / 8 + 1) : 0ul;
        uint mine = 0;
        for (ulong q = first_word + get_local_id(0); q < end; q += WG) {
            const ulong word = eight(text, size, q);
            ulong begin = zeros(word ^ firsts);
            if (alike > 1) // the second character after the last is in the next word
                begin &= zeros(word ^ seconds) >> 8 | 1ul << 63;
            if (q == 0)
                begin &= ~0xfful;
            for (; begin != 0 && mine == 0; begin &= begin - 1) {
                const uint before = bytes_below(begin), shift = 8 * before;
                const ulong i = 8 * q + before;
                const ulong window = word >> shift | (eight(text, size, q + 1) << 1) << (63 - shift);
                if (i <= last && ((window ^ first) & mask) == 0) {
                    uint k = 8;
                    while (k < alike && text[i + k] == text[k])
                        k++;
                    if (k >= alike)
                        mine = (uint)(size - i);
                }
            }
        }
        if (mine > 0)
            atomic_max(found, mine);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (!done && get_local_id(0) == 0 && *found > 0)
        atomic_max(&counts[at], *found);
}
