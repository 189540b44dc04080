// rlbwt.cl: the run-length BWT of a collection of strings of DNA, and rank in it. Package rlbwt has the steps. Letters
// are 0 ($), 1 to 4 (A, C, G, T) and 5 (N).
//
//   blocks   16 words each. Word 0 has the row where the block begins (ROW_BITS) and the width of its slots; words 1 to
//            4 have the numbers of C, G, T and of other letters ($, N) before it. All are from the beginning of the
//            superblock on. Words 5 to 15 are slots of 4 + 2*width bits, the lowest bits first: the letter in 3 bits,
//            the length of the run less 1 in the others. A slot of MORE has the next higher bits of the length of the
//            run before it, and PADDING is nothing
//   supers   8 words for each SUPER blocks, and one more: rows, C, G, T, other letters and $ before it
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
#define SLOT_BITS 352
#define SUPER_LOG 9
#define SUPER (1u << SUPER_LOG)
#define SUPER_WORDS 8
#define SUPER_ENDS 5     // the word of $
#define LONGEST (1u << 16)
#define MORE 6
#define PADDING 7
#define OFFSET_BITS 24
#define MANY 255u
#define LETTERS 6
#define LETTER_BITS 3
#define LETTER_LIMIT (1u << LETTER_BITS)

#define INDEX_PARAMS                                                                                        \
    __global const uint *blocks, __global const ulong *supers, __global const uint2 *cells, uint shift,     \
        __global const ulong *ends, __global const ulong *before, ulong rows, ulong nblocks
#define INDEX_ARGS blocks, supers, cells, shift, ends, before, rows, nblocks

inline uint slot_width(__global const uint *block) { return 4 + 2 * (block[0] >> ROW_BITS); }

// A walk over the runs of a block.
typedef struct {
    __global const uint *block;
    ulong bits;              // of the words that were read
    uint held, next, width;  // bits held, next word, width of a slot
    uint left;               // slots
    uint letter, length, up; // of the slot: `length` more of the letter; `up` is by how many bits a slot of MORE counts
} slots;

inline void slots_begin(slots *s, __global const uint *block)
{
    s->block = block;
    s->bits = 0;
    s->held = 0;
    s->next = SLOTS;
    s->width = slot_width(block);
    s->left = SLOT_BITS / s->width;
    s->letter = PADDING;
    s->length = 0;
    s->up = 0;
}

// Goes to the next slot; false after the last one.
inline bool slots_next(slots *s)
{
    if (s->left == 0)
        return false;
    s->left--;
    if (s->held < s->width) {
        s->bits |= (ulong)s->block[s->next++] << s->held;
        s->held += 32;
    }
    const uint slot = (uint)s->bits & ((1u << s->width) - 1), letter = slot & 7, value = slot >> 3;
    s->bits >>= s->width;
    s->held -= s->width;
    if (letter == PADDING)
        return false;
    if (letter == MORE) {
        s->up += s->width - 3;
        s->length = value << s->up;
    } else {
        s->letter = letter;
        s->up = 0;
        s->length = value + 1;
    }
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

// How many of the first `upto` rows of a block have the letter; with 5, $ counts as well.
inline uint rank_in(__global const uint *block, uint letter, uint upto)
{
    uint row = 0, count = 0;
    slots s;
    slots_begin(&s, block);
    while (row < upto && slots_next(&s)) {
        const uint take = min(s.length, upto - row);
        row += take;
        if (s.letter == letter || (letter == 5 && s.letter == 0))
            count += take;
    }
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

// How many of the rows before x in block b have the letter. x is in the block, or one row after it.
inline ulong rank_at(INDEX_PARAMS, ulong b, uint letter, ulong x)
{
    if (letter == 0)
        return ends_before(supers, ends, b, x);
    __global const ulong *super = supers + (b >> SUPER_LOG) * SUPER_WORDS;
    __global const uint *block = blocks + b * BLOCK;
    const ulong row = super[0] + (block[0] & ROW_MASK);
    const uint within = rank_in(block, letter, (uint)(x - row));
    if (letter == 1) {
        const ulong others = super[1] + super[2] + super[3] + super[4] + block[1] + block[2] + block[3] + block[4];
        return row - others + within;
    }
    const uint word = letter - 1;
    const ulong count = super[word] + block[word] + within;
    return letter == 5 ? count - ends_before(supers, ends, b, x) : count;
}

// The row of the suffix that has the letter before the suffix of row x: how many suffixes are less than it.
inline ulong step_left(INDEX_PARAMS, uint letter, ulong x)
{
    if (x >= rows)
        return before[letter + 1];
    const ulong b = block_of(INDEX_ARGS, x);
    return before[letter] + rank_at(INDEX_ARGS, b, letter, x);
}

// ---- Both ends of an interval

// The letters that one counts for, as bits: with N, $ as well.
#define COUNTED(letter) ((letter) == 5 ? 1u << 5 | 1 : 1u << (letter))

// What rank_in_both counts.
typedef struct {
    uint count, above; // how many of the first low, and of the first high rows of a block have the letter
    uint left;         // how many of `high` rows are not in the block
} ranks_in;

// Counts for a block; low is not greater than high. All lanes go through the slots half a word after the other. So they
// are at the same one, and 32 bits are enough. Padding is after all rows: it is of no letter.
inline ranks_in rank_in_both(__global const uint *block, uint letter, uint low, uint high)
{
    const uint width = slot_width(block), mask = (1u << width) - 1, counted = COUNTED(letter);
    const uint4 a = vload4(1, block), b = vload4(2, block), c = vload4(3, block);
    const uint words[BLOCK - SLOTS] = {a.y, a.z, a.w, b.x, b.y, b.z, b.w, c.x, c.y, c.z, c.w};
    uint held = 0, bits = 0, up = 0, at = PADDING;
    ranks_in found = {0, 0, 0};
    UNROLL for (uint half_word = 0; half_word < SLOT_BITS / 16; half_word++)
    {
        bits |= (words[half_word / 2] >> half_word % 2 * 16 & 0xffff) << held;
        held += 16;
        while (held >= width) {
            const uint value = (bits & mask) >> 3;
            const bool more = (bits & 7) == MORE;
            up = more ? up + width - 3 : 0;
            at = more ? at : bits & 7;
            const uint length = at == PADDING ? 0 : more ? value << up : value + 1;
            const uint of_low = min(length, low), of_high = min(length, high);
            const bool is = counted >> at & 1;
            low -= of_low;
            high -= of_high;
            found.count += is ? of_low : 0;
            found.above += is ? of_high : 0;
            bits >>= width;
            held -= width;
        }
        if (IS_CPU && high == 0)
            break;
    }
    found.left = high;
    return found;
}

// step_left for both ends of an interval, which are in one block as a rule: then one pass over it counts for both.
inline ulong2 step_both(INDEX_PARAMS, uint letter, ulong low, ulong high)
{
    ulong2 found = 0;
    if (rows == 0)
        return found;
    ulong x = low;
    for (bool second = false;; second = true) {
        const ulong b = x < rows ? block_of(INDEX_ARGS, x) : nblocks - 1;
        __global const ulong *super = supers + (b >> SUPER_LOG) * SUPER_WORDS;
        __global const uint *block = blocks + b * BLOCK;
        const uint4 head = vload4(0, block);
        const uint others = block[4];
        const ulong from = super[0] + (head.x & ROW_MASK);
        const uint upto = (uint)(x - from);
        const ranks_in within = rank_in_both(block, letter, upto, (uint)min(high - from, (ulong)0xffffffffu));
        ulong count;
        if (letter == 1)
            count = from - (super[1] + super[2] + super[3] + super[4] + head.y + head.z + head.w + others);
        else
            count = super[letter - 1] + (letter == 2 ? head.y : letter == 3 ? head.z : letter == 4 ? head.w : others);
        count += before[letter];
        if (!second)
            found.x = count + within.count;
        found.y = count + within.above;
        if (second || within.left == 0)
            break;
        x = high;
    }
    if (letter == 5) {
        found.x -= ends_before(supers, ends, low < rows ? block_of(INDEX_ARGS, low) : nblocks - 1, low);
        found.y -= ends_before(supers, ends, high < rows ? block_of(INDEX_ARGS, high) : nblocks - 1, high);
    }
    return found;
}

// The letter of row x, which block b has.
inline uint letter_at(__global const uint *blocks, __global const ulong *supers, ulong b, ulong x)
{
    const uint upto = (uint)(x - block_row(blocks, supers, b));
    uint row = 0;
    slots s;
    slots_begin(&s, blocks + b * BLOCK);
    while (slots_next(&s)) {
        row += s.length;
        if (row > upto)
            break;
    }
    return s.letter;
}
