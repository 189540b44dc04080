// ranges_coded.cl: windows by a code of variable length, which have more characters of most texts. ranges.cl, before it
// in a program, describes texts, windows and lists.
//
// The code keeps the order, and no code word begins with another one: an alphabetic code (A. Garsia & M. Wachs, A new
// algorithm for minimum cost binary trees, 1977). There is one for each context: the first character of a suffix has
// context 0, another one the class of the character before it: that character plus 1 if there are as many contexts as
// symbols. Symbols are the end of the text, 0, and characters plus
// 1. codes has, for each context and symbol, a code word in the high 12 bits and its length less 1 in the low 4.
//
// So the code words of a suffix, one after the other, compare as suffixes do, and so do the first bits of them.
// Suffixes that agree in these agree in the characters whose code words they have.
//
// Launch: one work-group of WG for each TILE elements. Local memory: 2 MOST_CODES + 256 bytes, none where IS_CPU.

#ifndef TILE
#error "TILE: elements of a work-group"
#endif
#ifndef MOST_CODES
#error "MOST_CODES: code words of all contexts"
#endif
#ifndef WIDTH
#error "WIDTH: width, so that all shifts by it are known"
#endif
#ifndef WHOLE_SHIFT
#error "WHOLE_SHIFT: the bits of a window below the number of characters"
#endif

#if IS_CPU
#define CODES_IN __global
#else
#define CODES_IN __local
#endif
#define CODE_ARGS codes, classes, symbols, contexts
#define CODE_PARAMS CODES_IN const ushort *codes, CODES_IN const uchar *classes, uint symbols, uint contexts

// The code words of the suffix at i, from the top bit on, of which the first `bits` bits count. *whole = the characters
// whose code words are among these bits.
inline ulong coded_at(TEXT_PARAMS, CODE_PARAMS, ulong i, uint bits, uint *whole)
{
    const uint left = (uint)min(size - i, 64ul);
    ulong coded = 0, characters = 0;
    uint used = 0, row = 0, count = 0, have = 0;
    while (used < bits) {
        if (have == 0) {
            characters = count < left ? packed_window(packed, width, i + count) : 0ul;
            have = 64 / WIDTH;
        }
        const uint character = (uint)(characters >> 32) >> (32 - WIDTH), symbol = count < left ? character + 1 : 0u;
        const uint word = codes[row + symbol];
        coded |= (ulong)((word & 0xfff0) << 16) << 32 >> used;
        used += (word & 15) + 1;
        count += used <= bits ? 1 : 0;
        used = symbol == 0 ? 64u : used; // nothing follows
        row = symbols * (contexts == symbols ? character + 1 : classes[character]);
        characters <<= WIDTH;
        have--;
    }
    *whole = count;
    return coded;
}

#if IS_CPU
#define CODE_LOAD                                       \
    __global const ushort *codes = all_codes;           \
    __global const uchar *classes = all_classes;
#else
#define CODE_LOAD                                                              \
    __local ushort codes[MOST_CODES];                                          \
    __local uchar classes[256];                                                \
    for (uint k = get_local_id(0); k < symbols * contexts; k += WG)            \
        codes[k] = all_codes[k];                                               \
    for (uint k = get_local_id(0); k < 256; k += WG)                           \
        classes[k] = all_classes[k];                                           \
    barrier(CLK_LOCAL_MEM_FENCE);
#endif
#define ALL_CODES_PARAMS \
    __global const ushort *all_codes, __global const uchar *all_classes, uint symbols, uint contexts

// windows[x] = the first `bits` bits of the coded listed suffix x, less `base`; from bit WHOLE_SHIFT on, how many
// characters have their code words there.
KERNEL_WG(WG) ranges_coded(
    TEXT_PARAMS, ALL_CODES_PARAMS, __global const POS *suffixes, ulong listed, uint bits, ulong base,
    __global ulong *windows)
{
    CODE_LOAD
    FOR_TILE(x, TILE, listed) {
        uint whole;
        const ulong coded = coded_at(TEXT_ARGS, CODE_ARGS, POSITION(suffixes[x]), bits, &whole) >> (64 - bits);
        windows[x] = (coded - base) | (ulong)whole << WHOLE_SHIFT;
    }
}

// windows[x] = that of listed suffix x, `more` characters after those whose code words are among the first `bits` bits.
KERNEL_WG(WG) ranges_after_coded(
    TEXT_PARAMS, ALL_CODES_PARAMS, __global const POS *suffixes, ulong listed, uint bits, uint more,
    __global ulong *windows)
{
    CODE_LOAD
    FOR_TILE(x, TILE, listed) {
        const ulong i = POSITION(suffixes[x]);
        uint whole;
        coded_at(TEXT_ARGS, CODE_ARGS, i, bits, &whole);
        windows[x] = window_at(TEXT_ARGS, i + whole + more);
    }
}
