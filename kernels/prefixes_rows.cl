// prefixes_rows.cl: the index that STAR has before its suffix array: for each sequence of letters the first row of the
// suffixes that begin with it. It is made of counts: prefixes.cl, before it in a program, describes them. The rows
// themselves are not needed. Suffixes come in the order of the sequences, and those that end in a sequence after all
// that go on, so that a sequence is taken after all those that begin with it. A macro chooses:
//
//   PREFIXES_NUMBER   template for scan.cl: leaves get the number of the rows before them
//   PREFIXES_NEXT     template for scan.cl: groups get the state after them
//   neither            kernels:
//     prefixes_shorter   makes the bitmap of sequences that suffixes end in
//     prefixes_ends      finds the sequences of the first row and of the last ones
//     prefixes_longest   finds the most letters of a sequence that rows have
//     prefixes_groups    goes through groups of entries
//     prefixes_mark      makes the bitmap of entries with a mark
//     prefixes_pack      packs entries
//
//   passes     [MOST_CARRIES] the leaves at which the number of rows reaches the multiples of 2^32; ~0 after these
//   shorter    a bit for each place of counts before the leaves: some suffix that is marked ends in that sequence
//   states     of each group of 32 entries, and one more: see below
//
// Entries are those of the part, by the letters after the fixed ones, in the order of counts. An entry is the first row
// that begins with its sequence. An entry without rows is absent, and has the row of the next one of its length that is
// there. A mark is on the last entry that is there before suffixes with fewer letters.
//
// A state is what is known of the entries after a place: the row of the next one that is there, from bit 1 on, and in
// bit 0 whether a marked suffix ends before that. So entries are gone through from the last to the first.
//
// Launch: one work-group of WG for each WG*ITEMS words, places or groups; prefixes_ends one work-item. No local
// memory.

#define NO_ROW ((1ul << 40) - 1) // no entry is there, as far as one has looked
#define NO_MORE ((1ul << 40) - 2) // none is there up to the end of the level
#define OF_ROW(row) ((row) << 1)

#define SEQUENCES_PARAMS TABLE_PARAMS, __global const uint *counts, __global const uint *carries
#define SEQUENCES_ARGS TABLE_ARGS, counts, carries

// How many suffixes end in sequences with fewer letters than one, after all suffixes that begin with that.
inline ulong ended_after(SEQUENCES_PARAMS, uint length, ulong code)
{
    ulong many = 0;
    while ((code & 3) == 3 && length > 1) {
        length--;
        code >>= 2;
        many += count_at(counts, carries, place_in_table(TABLE_ARGS, length, code));
    }
    return many;
}

// The place of the first leaf.
inline ulong first_leaf(TABLE_PARAMS)
{
    return FEWER_LETTERS(fixed + 1) + FEWER_LETTERS(letters - fixed);
}

#ifdef PREFIXES_NUMBER

inline ulong rows_of_leaf(SEQUENCES_PARAMS, ulong leaf)
{
    const ulong code = part << 2 * (letters - fixed) | leaf;
    return count_at(counts, carries, first_leaf(TABLE_ARGS) + leaf) + ended_after(SEQUENCES_ARGS, letters, code);
}

inline void store_rows(
    TABLE_PARAMS, ulong leaves, __global uint *counts, __global ulong *passes, ulong leaf, ulong before, ulong after)
{
    const ulong at = first_leaf(TABLE_ARGS) + leaf;
    counts[at] = (uint)before;
    for (ulong pass = before >> 32; pass < min(after >> 32, (ulong)MOST_CARRIES); pass++)
        passes[pass] = leaf + 1;
    if (leaf + 1 == leaves)
        counts[at + 1] = (uint)after;
}

#define T ulong
#define OP OP_ADD
#define IDENTITY 0ul
#define SCAN_PARAMS \
    , TABLE_PARAMS, ulong leaves, __global uint *counts, __global const uint *carries, __global ulong *passes
#define SCAN_LOAD(i) rows_of_leaf(SEQUENCES_ARGS, i)
#define SCAN_STORE(i, before, value) store_rows(TABLE_ARGS, leaves, counts, passes, i, before, value)

#elif defined(PREFIXES_NEXT)

// The state of entries of which `a` are after `b`.
inline ulong state_of(ulong a, ulong b) { return b >> 1 != NO_ROW ? b : a | (b & 1); }

inline void store_state(__global ulong *states, ulong groups, ulong i, ulong before, ulong value)
{
    states[groups - 1 - i] = before;
    if (i + 1 == groups)
        states[groups] = value;
}

#define T ulong
#define OP state_of
#define IDENTITY OF_ROW(NO_ROW)
#define SCAN_PARAMS , __global ulong *states, ulong groups
#define SCAN_LOAD(i) states[groups - 1 - (i)]
#define SCAN_STORE(i, before, value) store_state(states, groups, i, before, value)

#else

#ifndef ITEMS
#error "ITEMS: elements of a work-item"
#endif

#define ROWS_PARAMS SEQUENCES_PARAMS, __global const ulong *passes, ulong rows_before
#define ROWS_ARGS SEQUENCES_ARGS, passes, rows_before

// A row that counts, and is not seen: it has no entry. skip_length is 0 where there is none.
#define SKIP_PARAMS uint skip_length, ulong skip_code, ulong skip_row
#define SKIP_ARGS skip_length, skip_code, skip_row

// The number of rows before a leaf of the part, of which rows_before are before the part.
inline ulong row_at(ROWS_PARAMS, ulong leaf)
{
    ulong row = rows_before + counts[first_leaf(TABLE_ARGS) + leaf];
    ROLLED for (uint pass = 0; pass < MOST_CARRIES && passes[pass] <= leaf; pass++)
        row += 1ul << 32;
    return row;
}

// The letters after the fixed ones of an entry.
inline uint entry_letters(ulong entry) { return (63 - (uint)clz(3 * entry + 4)) / 2; }

// An entry on the way from the last to the first.
typedef struct {
    uint more;     // letters after the fixed ones
    ulong code;    // of these
    ulong end;     // the row after all that come before the next entry of the level
    ulong state;   // after the entry, and once it is looked at before it
    bool is_there;
    bool marked;
} entry_walk;

inline entry_walk walk_from(ROWS_PARAMS, ulong entry, ulong state)
{
    entry_walk w;
    w.more = entry_letters(entry);
    w.code = entry - FEWER_LETTERS(w.more);
    w.end = row_at(ROWS_ARGS, (w.code + 1) << 2 * (letters - fixed - w.more));
    w.state = state;
    w.is_there = w.marked = false;
    return w;
}

inline void look_at(ROWS_PARAMS, SKIP_PARAMS, __global const uint *shorter, entry_walk *w)
{
    const uint length = fixed + w->more, deeper = 2 * (letters - length);
    ulong code = part << 2 * w->more | w->code;
    if (deeper > 0 && w->code == (1ul << 2 * w->more) - 1) // another level ends
        w->state = OF_ROW(NO_MORE);
    const ulong row = row_at(ROWS_ARGS, w->code << deeper);
    const bool skips = length <= skip_length && skip_code >> 2 * (skip_length - length) == code;
    ulong many = w->end - row - (skips ? 1 : 0);
    w->end = row;
    for (uint above = length; (code & 3) == 3 && above > 1;) {
        above--;
        code >>= 2;
        const ulong at = place_in_table(TABLE_ARGS, above, code);
        many -= count_at(counts, carries, at);
        w->state |= shorter[at / 32] >> at % 32 & 1;
    }
    w->is_there = many > 0;
    w->marked = w->is_there && (w->state & 1) != 0;
    if (w->is_there)
        w->state = OF_ROW(row + (skips && row == skip_row ? 1 : 0));
}

inline void step_back(ROWS_PARAMS, entry_walk *w)
{
    if (w->code > 0) {
        w->code--;
    } else if (w->more > 1) {
        w->more--;
        w->code = (1ul << 2 * w->more) - 1;
        w->end = row_at(ROWS_ARGS, 1ul << 2 * (letters - fixed));
    }
}

// The places of counts before the leaves at which there is a count, but `without`.
KERNEL_WG(WG) prefixes_shorter(
    __global const uint *counts, __global const uint *carries, ulong places, ulong without, __global uint *shorter)
{
    FOR_TILE(w, WG * ITEMS, (places + 31) / 32) {
        uint all = 0;
        for (uint c = 0; c < 32; c++) {
            const ulong at = 32 * w + c;
            all |= (uint)(at < places && at != without && count_at(counts, carries, at) > 0) << c;
        }
        shorter[w] = all;
    }
}

// The first leaf of the part with which the rows up to it are `rows` or more.
inline ulong leaf_of(ROWS_PARAMS, ulong rows)
{
    ulong low = 0, high = (1ul << 2 * (letters - fixed)) - 1;
    while (low < high) {
        const ulong middle = low + (high - low) / 2;
        if (row_at(ROWS_ARGS, middle + 1) < rows)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

// How many suffixes begin with the letters of a leaf.
inline ulong suffixes_of(ROWS_PARAMS, ulong leaf)
{
    const ulong code = part << 2 * (letters - fixed) | leaf;
    return row_at(ROWS_ARGS, leaf + 1) - row_at(ROWS_ARGS, leaf) - ended_after(SEQUENCES_ARGS, letters, code);
}

// found: the number of rows; the letters of the sequence of the first row; letters and code of that of the last row,
// how many suffixes it has, and how many the last one before it has. A sequence here is what suffixes end in, or a
// leaf. There are no rows before the part.
KERNEL_WG(WG) prefixes_ends(ROWS_PARAMS, __global ulong *found)
{
    if (get_global_id(0) > 0)
        return;
    const ulong total = row_at(ROWS_ARGS, 1ul << 2 * (letters - fixed));
    for (uint i = 0; i < 6; i++)
        found[i] = 0;
    found[0] = total;
    if (total == 0)
        return;
    ulong leaf = leaf_of(ROWS_ARGS, 1);
    ulong code = part << 2 * (letters - fixed) | leaf, many = suffixes_of(ROWS_ARGS, leaf);
    uint length = letters;
    while (many == 0 && length > 1) {
        length--;
        code >>= 2;
        many = count_at(counts, carries, place_in_table(TABLE_ARGS, length, code));
    }
    found[1] = length;
    leaf = leaf_of(ROWS_ARGS, total);
    for (uint looked = 0; looked < 2; looked++) { // the leaf of the last row, and if need be the one before it
        code = part << 2 * (letters - fixed) | leaf;
        many = suffixes_of(ROWS_ARGS, leaf);
        for (length = letters;; length--) {
            if (many > 0 && looked == 0) {
                found[5] = found[4];
                found[2] = length;
                found[3] = code;
                found[4] = many;
            } else if (many > 0) {
                found[5] = many;
            }
            if ((code & 3) != 3 || length == 1)
                break;
            code >>= 2;
            many = count_at(counts, carries, place_in_table(TABLE_ARGS, length - 1, code));
        }
        const ulong before = row_at(ROWS_ARGS, leaf);
        if (found[5] > 0 || before == 0)
            return;
        leaf = leaf_of(ROWS_ARGS, before);
    }
}

// *longest, 0 before: the most letters of a sequence that has suffixes besides the row that is skipped.
KERNEL_WG(WG) prefixes_longest(ROWS_PARAMS, SKIP_PARAMS, __global uint *longest)
{
    const ulong leaf = first_leaf(TABLE_ARGS), of_fixed = FEWER_LETTERS(fixed + 1);
    const ulong skipped = skip_length > 0 ? place_in_table(TABLE_ARGS, skip_length, skip_code) : NO_PLACE_IN_TABLE;
    uint most = 0;
    FOR_TILE(at, WG * ITEMS, leaf + (1ul << 2 * (letters - fixed))) {
        const ulong many = at < leaf ? count_at(counts, carries, at) : suffixes_of(ROWS_ARGS, at - leaf);
        if (many > (at == skipped ? 1u : 0u))
            most = max(most, at < of_fixed ? entry_letters(at) : fixed + entry_letters(at - of_fixed));
    }
    if (most > 0)
        atomic_max(longest, most);
}

// Entries [first, end) in groups of 32.
#define GROUPS_PARAMS ROWS_PARAMS, SKIP_PARAMS, __global const uint *shorter, ulong first, ulong end
#define GROUPS_ARGS ROWS_ARGS, SKIP_ARGS, shorter, first, end

// states = what the entries of each group tell.
KERNEL_WG(WG) prefixes_groups(GROUPS_PARAMS, __global ulong *states)
{
    FOR_TILE(g, WG * ITEMS, (end - first + 31) / 32) {
        const ulong low = first + 32 * g, high = min(low + 32, end);
        entry_walk w = walk_from(ROWS_ARGS, high - 1, OF_ROW(NO_ROW));
        for (ulong entry = high; entry > low; entry--) {
            look_at(ROWS_ARGS, SKIP_ARGS, shorter, &w);
            step_back(ROWS_ARGS, &w);
        }
        states[g] = w.state;
    }
}

// The state after a group: `after` is that after all.
inline ulong state_after(__global const ulong *states, ulong g, ulong after)
{
    const ulong state = states[g];
    return state >> 1 != NO_ROW ? state : after | (state & 1);
}

// marks = a bit for each entry that has a mark. `below` has one if it is there.
KERNEL_WG(WG) prefixes_mark(
    GROUPS_PARAMS, __global const ulong *states, ulong after, ulong below, __global uint *marks)
{
    FOR_TILE(g, WG * ITEMS, (end - first + 31) / 32) {
        const ulong low = first + 32 * g, high = min(low + 32, end);
        entry_walk w = walk_from(ROWS_ARGS, high - 1, state_after(states, g, after));
        uint all = 0;
        for (ulong entry = high; entry > low; entry--) {
            look_at(ROWS_ARGS, SKIP_ARGS, shorter, &w);
            all = all << 1 | (w.marked || (entry - 1 == below && w.is_there) ? 1u : 0u);
            step_back(ROWS_ARGS, &w);
        }
        marks[g] = all;
    }
}

// Bits that are packed from the last word to the first.
typedef struct {
    __global uint *to;
    ulong held;
    uint bits; // how many of these are not written, less than 32
} packed_back;

inline void pack_bits(packed_back *p, ulong value, uint bits)
{
    p->held = p->held << bits | value;
    p->bits += bits;
    if (p->bits >= 32) {
        p->bits -= 32;
        *--p->to = (uint)(p->held >> p->bits);
    }
}

// packed = the entries of `many` groups from `group` on, of `width` bits, 33 to 63, each: the row; a bit for a mark; a
// bit for one that is absent. After the last one that is there they have row `none`. marks, unless it is null, has more
// marks.
KERNEL_WG(WG) prefixes_pack(
    GROUPS_PARAMS, __global const ulong *states, ulong after, ulong below, __global const uint *marks, ulong none,
    ulong group, ulong many, uint width, __global uint *packed)
{
    FOR_TILE(x, WG * ITEMS, many) {
        const ulong g = group + x, low = first + 32 * g, high = min(low + 32, end);
        packed_back p = {packed + (x + 1) * width, 0, 0};
        for (ulong entry = low + 32; entry > high; entry--) {
            pack_bits(&p, 0, width - 32);
            pack_bits(&p, 0, 32);
        }
        const uint marked = marks != 0 ? marks[g] : 0;
        entry_walk w = walk_from(ROWS_ARGS, high - 1, state_after(states, g, after));
        for (ulong entry = high; entry > low; entry--) {
            look_at(ROWS_ARGS, SKIP_ARGS, shorter, &w);
            ulong value = w.state >> 1 == NO_MORE ? none : w.state >> 1;
            if (!w.is_there)
                value |= 1ul << (width - 1);
            if (w.marked || (entry - 1 == below && w.is_there) || (marked >> (entry - 1 - low) & 1) != 0)
                value |= 1ul << (width - 2);
            pack_bits(&p, value >> 32, width - 32);
            pack_bits(&p, value & 0xffffffff, 32);
            step_back(ROWS_ARGS, &w);
        }
    }
}

#endif
