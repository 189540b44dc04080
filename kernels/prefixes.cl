// prefixes.cl: tables of the sequences that suffixes begin with, for programs that count them or number their rows.
//
// A table is of sequences of up to `letters` letters. Those of up to `fixed` letters are all in it. Of longer ones it
// has a part: those that begin with the sequence `part` of `fixed` letters. So with 0 fixed letters it has all.
//
//   counts    first all sequences of up to `fixed` letters, those of one letter first, each length in the order of the
//             codes, the first letter in the high bits; then the longer ones of the part, in the same way, by the
//             letters after the fixed ones. Those of `letters` letters are the leaves. A word more follows
//   carries   how often a count has passed 2^32, and the low and the high half of the place in counts for each time

#ifndef MOST_CARRIES
#error "MOST_CARRIES: how often counts may pass 2^32"
#endif

#define TABLE_PARAMS uint letters, uint fixed, ulong part
#define TABLE_ARGS letters, fixed, part
#define NO_PLACE_IN_TABLE (~0ul)

// How many sequences have fewer letters.
#define FEWER_LETTERS(n) (((1ul << 2 * (n)) - 4) / 3)

// Where a sequence is in counts. NO_PLACE_IN_TABLE: it is not of the part.
inline ulong place_in_table(TABLE_PARAMS, uint length, ulong code)
{
    if (length <= fixed)
        return FEWER_LETTERS(length) + code;
    const uint more = length - fixed;
    if (code >> 2 * more != part)
        return NO_PLACE_IN_TABLE;
    return FEWER_LETTERS(fixed + 1) + FEWER_LETTERS(more) + (code & ((1ul << 2 * more) - 1));
}

// The count at a place.
inline ulong count_at(__global const uint *counts, __global const uint *carries, ulong at)
{
    ulong count = counts[at];
    ROLLED for (uint slot = 0; slot < min(carries[0], (uint)MOST_CARRIES); slot++)
        count += (carries[1 + 2 * slot] | (ulong)carries[2 + 2 * slot] << 32) == at ? 1ul << 32 : 0;
    return count;
}
