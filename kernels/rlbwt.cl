// rlbwt.cl: the run-length BWT of a collection of strings of DNA, and rank in it. Package rlbwt has the steps. Letters
// are 0 ($), 1 to 4 (A, C, G, T) and 5 (N).
//
//   blocks   16 words each. Word 0 has the row where the block begins (ROW_BITS) and the number of its widths; words 1
//            to 4 have the numbers of C, G, T and of other letters ($, N) before it. All are from the beginning of the
//            superblock on. Words 5 to 15 are slots
//   a word   Its lowest bits tell the width of its slots: 0 narrow, 01 wide, 11 LONG_WIDTH. Slots end at the highest
//            bit. The highest bits of a slot are the code of a letter: 2 bits in a narrow one, which has A, C, G or T,
//            else 3. The others are a length; a slot of length 0 is nothing. The lengths of a word have a sum less than
//            2^width
//   supers   8 words for each SUPER blocks, and one more: rows, C, G, T, other letters, $ and A before it
//   cells    2 words for each 2^shift rows: the block that has the first of them; how many blocks begin at later ones
//            (8 bits, MANY: as many or more), and at which one the first of these does (24 bits)
//   ends     the rows with $, ascending
//   before   for each letter how many lesser ones there are; then all rows
//
// A rank takes a cell, a block, and a superblock, which the caches hold.

#define ROW_BITS 29
#define ROW_MASK ((1u << ROW_BITS) - 1)
#define BLOCK 16         // words
#define SLOTS 5          // the first word of them
#define WORDS 11         // of slots
#define SUPER_LOG 9
#define SUPER (1u << SUPER_LOG)
#define SUPER_WORDS 8
#define SUPER_ENDS 5     // the word of $
#define SUPER_A 6        // that of A
#define LONGEST (1u << 16)
#define LONG_WIDTH 30
#define OFFSET_BITS 24
#define MANY 255u
#define LETTERS 6
#define LETTER_BITS 3
#define LETTER_LIMIT (1u << LETTER_BITS)

#define INDEX_PARAMS                                                                                        \
    __global const uint *blocks, __global const ulong *supers, __global const uint2 *cells, uint shift,     \
        __global const ulong *ends, __global const ulong *before, ulong rows, ulong nblocks
#define INDEX_ARGS blocks, supers, cells, shift, ends, before, rows, nblocks

// Widths of slots by the number that a block has, and how many are in a word. The product of the lengths of a word and
// of `ones` has the sums up to each slot: no sum is as great as 2^width.
#define PAIRS 8 // widths to choose from
#define NARROW_WIDTHS 0xa7765544u // 4 bits each
#define WIDE_WIDTHS 0xffaaa7a7u
#define WIDTH_IN(widths, pair) ((widths) >> 4 * (pair) & 15)
#define NARROW_LETTER 2 // bits
#define WIDE_LETTER 3
#define WIDE_WORD 1
#define LONG_WORD 3
#define CODE(letter) (((letter) + 7) & 7) // A, C, G, T, N are 0 to 4, $ is 7
#define LETTER_OF(code) (((code) + 1) & 7)

inline uint pair_of(__global const uint *block) { return block[0] >> ROW_BITS; }

// The slots of a word.
typedef struct {
    uint ones;    // the multiples of the width
    uint top;     // the lowest bit of the last slot
    uint letters; // the lowest bits of letters
} shape;

inline shape shape_of(uint width, uint letter_bits)
{
    shape s;
    s.ones = width == 4 ? 0x1111111 : width == 5 ? 0x2108421 : width == 6 ? 0x1041041 : width == 7 ? 0x204081
        : width == 10 ? 0x100401 : width == 15 ? 0x8001 : 1;
    s.top = 32 - width;
    s.letters = s.ones << ((width == 4 || width == 7 ? 4 : 2) + width - letter_bits);
    return s;
}

typedef struct {
    shape narrow, wide;
} shapes;

inline shapes shapes_of(uint pair)
{
    uint narrow = NARROW_WIDTHS, wide = WIDE_WIDTHS;
    OPAQUE(narrow); // or else they take registers that all lanes share
    OPAQUE(wide);
    const shapes both = {
        shape_of(WIDTH_IN(narrow, pair), NARROW_LETTER), shape_of(WIDTH_IN(wide, pair), WIDE_LETTER)};
    return both;
}

// A word and its slots.
typedef struct {
    uint word, narrow; // narrow: all bits, or none. Conditions would take registers of which there are few
    shape s;
    uint length_bits, lengths;
} opened;

#define PICK(mask, if_ones, if_zeros) bitselect((uint)(if_zeros), (uint)(if_ones), mask)

inline opened open_word(uint word, const shapes *both)
{
    const shape other = shape_of(LONG_WIDTH, WIDE_LETTER);
    const uint narrow = (word & 1) - 1, wide = (word >> 1 & 1) - 1;
    opened o;
    o.word = word;
    o.narrow = narrow;
    o.s.ones = PICK(narrow, both->narrow.ones, PICK(wide, both->wide.ones, other.ones));
    o.s.top = PICK(narrow, both->narrow.top, PICK(wide, both->wide.top, other.top));
    o.s.letters = PICK(narrow, both->narrow.letters, PICK(wide, both->wide.letters, other.letters));
    o.length_bits = 32 - WIDE_LETTER - o.s.top + (narrow & (WIDE_LETTER - NARROW_LETTER));
    o.lengths = word & (o.s.letters - (o.s.letters >> o.length_bits));
    return o;
}

// The lowest bit of the first slot.
inline uint low_of(const opened *o) { return o->s.top == 32 - 4 || o->s.top == 32 - 7 ? 4 : 2; }

// The sums of lengths up to each slot, in their places.
inline uint sums_of(uint lengths, const opened *o) { return lengths * o->s.ones; }

inline uint sum_of(uint lengths, const opened *o) { return lengths * o->s.ones >> o->s.top; }

// The sums of lengths before each slot, in their places.
inline uint sums_before(const opened *o) { return sums_of(o->lengths, o) << (32 - o->s.top); }

// The lowest bit of the slot that has row `left` of the word, or that is the last one to begin there or before.
inline uint slot_of(const opened *o, uint left)
{
    const uint width = 32 - o->s.top, mask = 0xffffffffu >> o->s.top, sums = sums_before(o);
    uint at = low_of(o);
    UNROLL for (uint step = 4; step > 0; step /= 2)
    {
        const uint next = at + step * width;
        const uint there = (sums >> (next & 31) & mask) | (0 - (next >> 5)); // too many rows, if it is no slot
        at = there <= left ? next : at;
    }
    return at;
}

// A walk over the runs of a block, slot by slot.
typedef struct {
    __global const uint *block;
    shapes both;
    uint next, bits, width, length_bits; // the next word; the slots of the word that are left
    uint letter, length;                 // of the slot
} slots;

inline void slots_begin(slots *s, __global const uint *block)
{
    s->block = block;
    s->both = shapes_of(pair_of(block));
    s->next = SLOTS;
    s->bits = 0;
    s->width = 0;
    s->length_bits = 0;
    s->letter = 0;
    s->length = 0;
}

// Goes to the next slot; false after the last one.
inline bool slots_next(slots *s)
{
    do {
        while (s->bits == 0) {
            if (s->next == BLOCK)
                return false;
            const opened o = open_word(s->block[s->next++], &s->both);
            s->bits = o.word >> low_of(&o);
            s->width = 32 - o.s.top;
            s->length_bits = o.length_bits;
        }
        s->length = s->bits & ((1u << s->length_bits) - 1);
        s->letter = LETTER_OF(s->bits >> s->length_bits & ((1u << (s->width - s->length_bits)) - 1));
        s->bits >>= s->width;
    } while (s->length == 0);
    return true;
}

inline ulong block_row(__global const uint *blocks, __global const ulong *supers, ulong b)
{
    return supers[(b >> SUPER_LOG) * SUPER_WORDS] + (blocks[b * BLOCK] & ROW_MASK);
}

// The block that has row x, which is less than `rows`.
inline ulong block_of(INDEX_PARAMS, ulong x)
{
    const ulong cell = x >> shift;
    const uint2 at = cells[cell];
    const uint count = at.y >> OFFSET_BITS;
    if (count == 0 || (x & (((ulong)1 << shift) - 1)) < (at.y & ((1u << OFFSET_BITS) - 1)))
        return at.x;
    ulong low = (ulong)at.x + 1, high = (ulong)at.x + count;
    if (count == MANY)
        high = ((cell + 1) << shift) < rows ? cells[cell + 1].x : nblocks - 1;
    while (low < high) {
        const ulong middle = (low + high + 1) / 2;
        if (block_row(blocks, supers, middle) <= x)
            low = middle;
        else
            high = middle - 1;
    }
    return low;
}

// ---- Counting in a block
//
// A word is summed up whole, in a few operations, until the next one has the row where counting ends. So all lanes do
// the same, whatever the widths.

// Letters to count: those whose codes have the bits low, high and above where low_care and high_care say so; `above` is
// whether the code is 4 or more. Each is all bits, or none.
typedef struct {
    uint low, low_care, high, high_care, above;
} letter_set;

#define MOST_SETS 3

#define ALL_IF(condition) ((condition) ? 0xffffffffu : 0)

// A letter from 1 on; with N, $ as well.
inline letter_set set_of(uint letter)
{
    const uint code = CODE(letter), care = ALL_IF(letter < 5);
    const letter_set s = {ALL_IF(code & 1), care, ALL_IF(code & 2), care, ALL_IF(code & 4)};
    return s;
}

// The lengths of the slots of a set, in their places.
inline uint lengths_of(const opened *o, const letter_set *set)
{
    const uint low = (o->word ^ set->low) & set->low_care, high = (o->word >> 1 ^ set->high) & set->high_care;
    const uint above = (o->word >> 2 & ~o->narrow) ^ set->above;
    const uint same = o->s.letters & ~(low | high | above);
    return o->lengths & (same - (same >> o->length_bits));
}

// counts[set * nends + end] = how many of the first upto[end] rows of a block are of a set; upto ascends. Returns how
// many rows of the last one are not in the block. nsets and nends are constants.
__attribute__((always_inline)) inline uint count_in(
    __global const uint *block, const letter_set *sets, uint nsets, const uint *upto, uint nends, uint *counts)
{
    const shapes both = shapes_of(pair_of(block));
    uint rows = 0, found[MOST_SETS]; // in the words that are done
    uint before[2], part[2];         // rows before the word that has the end of counting, and that word
    UNROLL for (uint k = 0; k < nsets; k++) found[k] = 0;
    // The rounds are no single piece of code: it would take many registers. A round has four words; the first is none.
    uint4 now = vload4(1, block), next = vload4(2, block), last = vload4(3, block);
    now.x = 0;
    ROLLED for (uint four = 1; four < BLOCK / 4 && (!IS_CPU || rows <= upto[nends - 1]); four++)
    {
        const uint words[4] = {now.x, now.y, now.z, now.w};
        now = next;
        next = last;
        UNROLL for (uint i = 0; i < 4; i++)
        {
            UNROLL for (uint e = 0; e < nends; e++)
                if (rows <= upto[e]) {
                    before[e] = rows;
                    part[e] = words[i];
                    UNROLL for (uint k = 0; k < nsets; k++) counts[k * nends + e] = found[k];
                }
            const opened o = open_word(words[i], &both);
            rows += sum_of(o.lengths, &o);
            UNROLL for (uint k = 0; k < nsets; k++) found[k] += sum_of(lengths_of(&o, &sets[k]), &o);
        }
    }
    UNROLL for (uint e = 0; e < nends; e++)
    {
        if (rows <= upto[e]) { // all of the block
            before[e] = rows;
            part[e] = 0;
            UNROLL for (uint k = 0; k < nsets; k++) counts[k * nends + e] = found[k];
        }
        const opened o = open_word(part[e], &both);
        const uint left = upto[e] - before[e], width = 32 - o.s.top, mask = 0xffffffffu >> o.s.top;
        const uint sums = sums_before(&o), at = slot_of(&o, left);
        const uint within = left - (sums >> at & mask);
        UNROLL for (uint k = 0; k < nsets; k++)
        {
            const uint own = lengths_of(&o, &sets[k]);
            counts[k * nends + e] += (sums_of(own, &o) << width >> at & mask) + min(within, own >> at & mask);
        }
    }
    return upto[nends - 1] - min(rows, upto[nends - 1]);
}

// How many of the first `upto` rows of a block have the letter; with 5, $ counts as well.
inline uint rank_in(__global const uint *block, uint letter, uint upto)
{
    const letter_set set = set_of(letter);
    uint count;
    count_in(block, &set, 1, &upto, 1, &count);
    return count;
}

// How many $ are before row x, of which block b has this one or one before it.
inline ulong ends_before(__global const ulong *supers, __global const ulong *ends, ulong b, ulong x)
{
    const ulong super = b >> SUPER_LOG;
    ulong low = supers[super * SUPER_WORDS + SUPER_ENDS], high = supers[(super + 1) * SUPER_WORDS + SUPER_ENDS];
    while (low < high) {
        const ulong middle = (low + high) / 2;
        if (ends[middle] < x)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

// How many of the rows from the beginning of the superblock up to a block have the letter: words 0 to 3, and 4.
inline uint head_count(uint4 head, uint others, uint letter)
{
    const uint a = (head.x & ROW_MASK) - head.y - head.z - head.w - others;
    return letter == 1 ? a : letter == 2 ? head.y : letter == 3 ? head.z : letter == 4 ? head.w : others;
}

// How many of the rows before x in block b have the letter. x is in the block, or one row after it.
inline ulong rank_at(INDEX_PARAMS, ulong b, uint letter, ulong x)
{
    if (letter == 0)
        return ends_before(supers, ends, b, x);
    __global const ulong *super = supers + (b >> SUPER_LOG) * SUPER_WORDS;
    __global const uint *block = blocks + b * BLOCK;
    const uint4 head = vload4(0, block);
    const ulong row = super[0] + (head.x & ROW_MASK);
    const uint within = rank_in(block, letter, (uint)(x - row));
    const ulong count = super[letter == 1 ? SUPER_A : letter - 1] + head_count(head, block[4], letter) + within;
    return letter == 5 ? count - ends_before(supers, ends, b, x) : count;
}

// The row of the suffix that has the letter before the suffix of row x: how many suffixes are less than it.
__attribute__((always_inline)) inline ulong step_left(INDEX_PARAMS, uint letter, ulong x)
{
    if (x >= rows)
        return before[letter + 1];
    const ulong b = block_of(INDEX_ARGS, x);
    return before[letter] + rank_at(INDEX_ARGS, b, letter, x);
}

// ---- Both ends of an interval

// step_left for both ends of an interval, which are in one block as a rule: then one pass over it counts for both.
__attribute__((always_inline)) inline ulong2 step_both(INDEX_PARAMS, uint letter, ulong low, ulong high)
{
    ulong2 found = 0;
    if (rows == 0)
        return found;
    const letter_set set = set_of(letter);
    ulong x = low;
    for (bool second = false;; second = true) {
        const ulong b = x < rows ? block_of(INDEX_ARGS, x) : nblocks - 1;
        __global const ulong *super = supers + (b >> SUPER_LOG) * SUPER_WORDS;
        __global const uint *block = blocks + b * BLOCK;
        const uint4 head = vload4(0, block);
        const ulong from = super[0] + (head.x & ROW_MASK);
        const uint upto = (uint)(x - from);
        const uint ends_at[2] = {upto, (uint)min(high - from, (ulong)0xffffffffu)};
        uint counts[2];
        const uint left = count_in(block, &set, 1, ends_at, 2, counts);
        const ulong count =
            before[letter] + super[letter == 1 ? SUPER_A : letter - 1] + head_count(head, block[4], letter);
        if (!second)
            found.x = count + counts[0];
        found.y = count + counts[1];
        if (second || left == 0)
            break;
        x = high;
    }
    if (letter == 5) {
        found.x -= ends_before(supers, ends, low < rows ? block_of(INDEX_ARGS, low) : nblocks - 1, low);
        found.y -= ends_before(supers, ends, high < rows ? block_of(INDEX_ARGS, high) : nblocks - 1, high);
    }
    return found;
}

// ---- The letter of a row

// The letter of row `upto` of a block, which has it.
inline uint letter_in(__global const uint *block, uint upto)
{
    const shapes both = shapes_of(pair_of(block));
    uint rows = 0, before = 0, part = 0; // rows before the word that has the row, and that word
    for (uint w = SLOTS; w < BLOCK && (!IS_CPU || rows <= upto); w++) {
        const uint word = block[w];
        const opened o = open_word(word, &both);
        if (rows <= upto) {
            before = rows;
            part = word;
        }
        rows += sum_of(o.lengths, &o);
    }
    const opened o = open_word(part, &both);
    const uint at = slot_of(&o, upto - before), width = 32 - o.s.top;
    return LETTER_OF(o.word >> (at + o.length_bits) & ((1u << (width - o.length_bits)) - 1));
}

// What stands before the suffix of a row: its letter, and the row of the suffix that begins with it, if it is no $.
typedef struct {
    uint letter;
    ulong row;
} stepped;

__attribute__((always_inline)) inline stepped step_own(INDEX_PARAMS, ulong x)
{
    const ulong b = block_of(INDEX_ARGS, x);
    stepped to = {letter_in(blocks + b * BLOCK, (uint)(x - block_row(blocks, supers, b))), x};
    if (to.letter != 0)
        to.row = before[to.letter] + rank_at(INDEX_ARGS, b, to.letter, x);
    return to;
}
