// rlbwt_pack.cl: runs become blocks of rlbwt.cl, and blocks an index. A run is a word: the letter in 3 bits, and its
// length, LONGEST at most.
//
//   rlbwt_pack_count   how many blocks each RUNS runs take
//   rlbwt_pack_cut     where the blocks begin
//   rlbwt_pack_write   the blocks, whose words 0 to 4 have what is in the block itself
//   rlbwt_supers       the sums of each superblock
//   rlbwt_headers      words 0 to 4 of the blocks, from the beginning of their superblocks on
//   rlbwt_cells        the directory
//   rlbwt_ends         the rows with $
//
// A block takes as many runs as fit with any two widths. A word is narrow until a run needs a wide slot.
//
// Launch: pack_count, pack_cut: a work-item for each RUNS runs; pack_write: one for each block; supers, headers, ends:
// a work-group for each superblock; cells: one for each WG*ITEMS blocks.

#ifndef RUNS
#error "RUNS: runs that a work-item packs"
#endif
#ifndef ITEMS
#error "ITEMS: elements of a work-item"
#endif

#define LENGTH(run) ((run) >> LETTER_BITS)
#define LETTER(run) ((run) & (LETTER_LIMIT - 1))

// What a block of two widths has, in a word: the sum of the lengths of the word that was begun, its slots, whether they
// are wide, and how many words are full.
#define ROOM_SUM(room) ((room) & 0xffff)
#define ROOM_SLOTS(room) ((room) >> 16 & 15)
#define ROOM_WIDE (1u << 20)
#define ROOM_FULL(room) ((room) >> 21)
#define ROOM_WORDS(room) (ROOM_FULL(room) + (ROOM_SLOTS(room) > 0))

// What becomes of a run: it is one or two narrow slots, a wide one, or a word; where the word that was begun has no
// place for it, that one is full.
#define NARROW_SLOTS(place) ((place) & 3)
#define PLACE_WIDE 4
#define PLACE_WORD 8
#define PLACE_NEXT 16

inline uint room_place(uint room, uint pair, uint letter, uint length)
{
    const uint narrow = WIDTH_IN(NARROW_WIDTHS, pair), wide = WIDTH_IN(WIDE_WIDTHS, pair);
    const uint most = (1u << (narrow - NARROW_LETTER)) - 1, count = length > most ? 2 : 1;
    const bool can_narrow = letter >= 1 && letter <= 4 && length <= 2 * most;
    const bool can_wide = length < 1u << (wide - WIDE_LETTER);
    if (can_narrow && !(room & ROOM_WIDE) && ROOM_SLOTS(room) + count <= LONG_WIDTH / narrow &&
        ROOM_SUM(room) + length < 1u << narrow)
        return count;
    if (can_wide && ROOM_SLOTS(room) < LONG_WIDTH / wide)
        return PLACE_WIDE;
    return PLACE_NEXT | (can_narrow ? count : can_wide ? PLACE_WIDE : PLACE_WORD);
}

inline uint room_take(uint room, uint place, uint length)
{
    const uint from = place & PLACE_NEXT ? ROOM_WORDS(room) << 21 : room;
    if (place & PLACE_WORD)
        return from + (1u << 21);
    const uint count = place & PLACE_WIDE ? 1 : NARROW_SLOTS(place);
    return (from + length + (count << 16)) | (place & PLACE_WIDE ? ROOM_WIDE : 0);
}

// Takes a run in. Returns whether it fits with any widths; where it does not, the room is that of the run alone.
inline bool rooms_take(uint *rooms, uint letter, uint length)
{
    bool fits = false;
    UNROLL for (uint p = 0; p < PAIRS; p++)
    {
        rooms[p] = room_take(rooms[p], room_place(rooms[p], p, letter, length), length);
        fits |= ROOM_WORDS(rooms[p]) <= WORDS;
    }
    UNROLL for (uint p = 0; p < PAIRS; p++)
        rooms[p] = fits ? rooms[p] : room_take(0, room_place(0, p, letter, length), length);
    return fits;
}

// The first widths with which what was taken in fits.
inline uint rooms_pair(const uint *rooms)
{
    uint pair = 0;
    UNROLL for (uint p = PAIRS; p > 0; p--)
        pair = ROOM_WORDS(rooms[p - 1]) <= WORDS ? p - 1 : pair;
    return pair;
}

KERNEL_WG(WG) rlbwt_pack_count(__global const uint *runs, ulong n, ulong pieces, __global uint *counts)
{
    const ulong piece = get_global_id(0);
    if (piece > pieces)
        return;
    uint count = 0;
    if (piece < pieces) {
        uint rooms[PAIRS];
        UNROLL for (uint p = 0; p < PAIRS; p++) rooms[p] = 0;
        const ulong end = min((piece + 1) * RUNS, n);
        count = 1;
        for (ulong i = piece * RUNS; i < end; i++)
            count += !rooms_take(rooms, LETTER(runs[i]), LENGTH(runs[i]));
    }
    counts[piece] = count;
}

// Writes runs [from, to) to a block of these widths.
inline void block_write(__global const uint *runs, ulong from, ulong to, uint pair, __global uint *block)
{
    const uint narrow_width = WIDTH_IN(NARROW_WIDTHS, pair), narrow_bits = narrow_width - NARROW_LETTER;
    const uint wide_width = WIDTH_IN(WIDE_WIDTHS, pair), wide_bits = wide_width - WIDE_LETTER;
    const uint most = (1u << narrow_bits) - 1;
    uint sums[LETTERS] = {0, 0, 0, 0, 0, 0};
    uint room = 0, narrow = 0, wide = WIDE_WORD; // the word as either of them
    for (ulong i = from; i < to; i++) {
        const uint run = runs[i], letter = LETTER(run), code = CODE(letter);
        uint length = LENGTH(run);
        UNROLL for (uint c = 0; c < LETTERS; c++) sums[c] += c == letter ? length : 0;
        const uint place = room_place(room, pair, letter, length);
        if ((place & PLACE_NEXT) && ROOM_SLOTS(room) > 0)
            block[SLOTS + ROOM_FULL(room)] = room & ROOM_WIDE ? wide : narrow;
        if (place & PLACE_NEXT) {
            narrow = 0;
            wide = WIDE_WORD;
        }
        uint slot = place & PLACE_NEXT ? 0 : ROOM_SLOTS(room);
        room = room_take(room, place, length);
        if (place & PLACE_WORD) {
            block[SLOTS + ROOM_FULL(room) - 1] = code << (32 - WIDE_LETTER) | length << (32 - LONG_WIDTH) | LONG_WORD;
            continue;
        }
        for (; length > 0; slot++) {
            const uint own = NARROW_SLOTS(place) > 0 ? min(length, most) : length;
            const uint narrow_at = 32 - LONG_WIDTH / narrow_width * narrow_width + slot * narrow_width;
            const uint wide_at = 32 - LONG_WIDTH / wide_width * wide_width + slot * wide_width;
            narrow |= narrow_at < 32 ? (code << narrow_bits | own) << narrow_at : 0;
            wide |= wide_at < 32 ? (code << wide_bits | own) << wide_at : 0;
            length -= own;
        }
    }
    uint word = ROOM_FULL(room);
    if (ROOM_SLOTS(room) > 0)
        block[SLOTS + word++] = room & ROOM_WIDE ? wide : narrow;
    for (; word < WORDS; word++)
        block[SLOTS + word] = 0;
    block[0] = pair << ROW_BITS | (sums[0] + sums[1] + sums[2] + sums[3] + sums[4] + sums[5]);
    block[1] = sums[2];
    block[2] = sums[3];
    block[3] = sums[4];
    block[4] = sums[0] + sums[5];
}

// cuts[block] = its first run, and the number of its widths; first[piece] is the block where those of a piece begin.
KERNEL_WG(WG) rlbwt_pack_cut(
    __global const uint *runs, ulong n, ulong pieces, __global const uint *first, __global uint2 *cuts)
{
    const ulong piece = get_global_id(0);
    if (piece >= pieces)
        return;
    uint rooms[PAIRS];
    UNROLL for (uint p = 0; p < PAIRS; p++) rooms[p] = 0;
    const ulong end = min((piece + 1) * RUNS, n);
    ulong from = piece * RUNS;
    uint block = first[piece];
    for (ulong i = from; i < end; i++) {
        const uint pair = rooms_pair(rooms);
        if (!rooms_take(rooms, LETTER(runs[i]), LENGTH(runs[i]))) {
            cuts[block++] = (uint2)((uint)from, pair);
            from = i;
        }
    }
    cuts[block] = (uint2)((uint)from, rooms_pair(rooms));
}

// Writes blocks from block `base` on.
KERNEL_WG(WG) rlbwt_pack_write(
    __global const uint *runs, ulong n, __global const uint2 *cuts, ulong count, ulong base, __global uint *blocks)
{
    const ulong b = get_global_id(0);
    if (b < count)
        block_write(runs, cuts[b].x, b + 1 < count ? cuts[b + 1].x : n, cuts[b].y, blocks + (base + b) * BLOCK);
}

// The number of $ in a block.
inline uint ends_in(__global const uint *block) {
    uint count = 0;
    if (block[4] > 0) {
        slots s;
        slots_begin(&s, block);
        while (slots_next(&s))
            count += s.letter == 0 ? s.length : 0;
    }
    return count;
}

DEFINE_WG_SCAN(scan_words, uint4, OP_ADD, (uint4)(0))
DEFINE_WG_SCAN(scan_word, uint, OP_ADD, 0)

// sums[8*superblock] = rows, C, G, T, others, $ and A of it.
KERNEL_WG(WG) rlbwt_supers(__global const uint *blocks, ulong nblocks, __global ulong *sums)
{
    __local uint4 words[WG];
    __local uint singles[WG];
    const ulong first = (ulong)get_group_id(0) * SUPER;
    uint4 sum = 0;
    uint rows = 0, dollars = 0;
    for (uint i = get_local_id(0); i < SUPER && first + i < nblocks; i += WG) {
        __global const uint *block = blocks + (first + i) * BLOCK;
        rows += block[0] & ROW_MASK;
        sum += (uint4)(block[1], block[2], block[3], block[4]);
        dollars += ends_in(block);
    }
    uint4 all;
    uint all_rows, all_dollars;
    scan_words(sum, words, &all);
    scan_word(rows, singles, &all_rows);
    scan_word(dollars, singles, &all_dollars);
    if (get_local_id(0) == 0) {
        __global ulong *to = sums + (ulong)get_group_id(0) * SUPER_WORDS;
        to[0] = all_rows;
        to[1] = all.x;
        to[2] = all.y;
        to[3] = all.z;
        to[4] = all.w;
        to[SUPER_ENDS] = all_dollars;
        to[SUPER_A] = all_rows - (all.x + all.y + all.z + all.w);
        to[7] = 0;
    }
}

// The $ of superblocks, from ends[supers[...]] on. The headers are not yet written.
KERNEL_WG(WG) rlbwt_ends(
    __global const uint *blocks, ulong nblocks, __global const ulong *supers, __global ulong *ends)
{
    __local uint singles[WG];
    const ulong first = (ulong)get_group_id(0) * SUPER;
    __global const ulong *super = supers + (ulong)get_group_id(0) * SUPER_WORDS;
    ulong row = super[0], end = super[SUPER_ENDS];
    for (uint i = 0; i < SUPER && first + i < nblocks; i += WG) {
        const ulong b = first + i + get_local_id(0);
        const bool there = i + get_local_id(0) < SUPER && b < nblocks;
        __global const uint *block = blocks + b * BLOCK;
        uint all_rows, all_ends;
        const uint rows = scan_word(there ? block[0] & ROW_MASK : 0, singles, &all_rows);
        const uint dollars = scan_word(there ? ends_in(block) : 0, singles, &all_ends);
        if (there && block[4] > 0) {
            ulong x = row + rows, e = end + dollars;
            slots s;
            slots_begin(&s, block);
            while (slots_next(&s)) {
                if (s.letter == 0)
                    for (uint k = 0; k < s.length; k++)
                        ends[e++] = x + k;
                x += s.length;
            }
        }
        row += all_rows;
        end += all_ends;
    }
}

KERNEL_WG(WG) rlbwt_headers(__global uint *blocks, ulong nblocks)
{
    __local uint4 words[WG];
    __local uint singles[WG];
    const ulong first = (ulong)get_group_id(0) * SUPER;
    uint row = 0;
    uint4 sum = 0;
    for (uint i = 0; i < SUPER && first + i < nblocks; i += WG) {
        const ulong b = first + i + get_local_id(0);
        const bool there = i + get_local_id(0) < SUPER && b < nblocks;
        __global uint *block = blocks + b * BLOCK;
        uint head = 0, all_rows;
        uint4 own = 0, all;
        if (there) {
            head = block[0];
            own = (uint4)(block[1], block[2], block[3], block[4]);
        }
        const uint4 counts = sum + scan_words(own, words, &all);
        const uint rows = row + scan_word(head & ROW_MASK, singles, &all_rows);
        if (there) {
            block[0] = (head & ~ROW_MASK) | rows;
            block[1] = counts.x;
            block[2] = counts.y;
            block[3] = counts.z;
            block[4] = counts.w;
        }
        row += all_rows;
        sum += all;
    }
}

// A block writes the cells whose first row it has.
KERNEL_WG(WG) rlbwt_cells(
    __global const uint *blocks, __global const ulong *supers, ulong nblocks, ulong rows, uint shift,
    __global uint2 *cells)
{
    FOR_TILE(b, WG * ITEMS, nblocks) {
        const ulong size = (ulong)1 << shift;
        const ulong start = block_row(blocks, supers, b);
        const ulong next = b + 1 < nblocks ? block_row(blocks, supers, b + 1) : rows;
        const ulong end = (next + size - 1) >> shift;
        for (ulong c = (start + size - 1) >> shift; c < end; c++) {
            const ulong last = min((c + 1) << shift, rows);
            uint count = 0, offset = 0;
            if (next < last) {
                offset = (uint)(next - (c << shift));
                for (ulong k = b + 1; k < nblocks && count < MANY && block_row(blocks, supers, k) < last; k++)
                    count++;
            }
            cells[c] = (uint2)((uint)b, count << OFFSET_BITS | offset);
        }
    }
}
