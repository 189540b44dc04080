// heads.cl: bitmaps of where segments or groups of n elements start. Bit i%32 of word i/32 is
// set where one starts at element i; so does element 0 whatever its bit says, and every place
// from n on, so that the last one ends there.

// Word w of the bitmap. n > 0.
inline uint head_word(__global const uint *heads, ulong w, ulong n)
{
    if (w * 32 >= n)
        return 0xffffffffu;
    const ulong left = n - w * 32;
    return heads[w] | (w == 0 ? 1u : 0u) | (left < 32 ? 0xffffffffu << (uint)left : 0u);
}

inline uint first_bit(uint word) { return 31 - clz(word & (0u - word)); } // word != 0
inline uint last_bit(uint word) { return 31 - clz(word); }

// The first head after word w, if it is at most `last`; else something larger.
inline ulong head_after(__global const uint *heads, ulong w, ulong last, ulong n)
{
    for (w++; w * 32 <= last; w++) {
        const uint word = head_word(heads, w, n);
        if (word)
            return w * 32 + first_bit(word);
    }
    return last + 1;
}

// Whether a head lies before word w and not before `first`. 0 <= first.
inline bool head_before(__global const uint *heads, ulong w, ulong first, ulong n)
{
    while (w > 0 && w * 32 > first) {
        w--;
        const uint word = head_word(heads, w, n);
        if (word)
            return w * 32 + last_bit(word) >= first;
    }
    return false;
}
