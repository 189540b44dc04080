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
// A block takes as many runs as fit with slots of any one width.
//
// Launch: pack_count, pack_cut: a work-item for each RUNS runs; pack_write: one for each block; supers, headers, ends:
// a work-group for each superblock; cells: one for each WG*ITEMS blocks.

#ifndef RUNS
#error "RUNS: runs that a work-item packs"
#endif
#ifndef ITEMS
#error "ITEMS: elements of a work-item"
#endif

#define WIDTHS 7
#define LENGTH(run) ((run) >> 3)
#define LETTER(run) ((run) & 7)

// Slots of 4 + 2*width bits that are full, by the width.
typedef struct {
    uint full[WIDTHS];
} room;

inline uint slots_of(uint length, uint width)
{
    const uint bits = 32 - (uint)clz((length - 1) | 1), per = 1 + 2 * width;
    return (bits + per - 1) / per;
}

// Takes a run in. Returns whether it fits with any width; where it does not, the room is that of the run alone.
inline bool room_take(room *r, uint length)
{
    bool fits = false;
    UNROLL for (uint w = 0; w < WIDTHS; w++)
        fits |= r->full[w] + slots_of(length, w) <= SLOT_BITS / (4 + 2 * w);
    UNROLL for (uint w = 0; w < WIDTHS; w++)
        r->full[w] = (fits ? r->full[w] : 0) + slots_of(length, w);
    return fits;
}

// The least width with which what was taken in fits.
inline uint room_width(const room *r)
{
    uint width = WIDTHS;
    UNROLL for (uint w = WIDTHS; w > 0; w--)
        width = r->full[w - 1] <= SLOT_BITS / (4 + 2 * (w - 1)) ? w - 1 : width;
    return width;
}

KERNEL_WG(WG) rlbwt_pack_count(__global const uint *runs, ulong n, ulong pieces, __global uint *counts)
{
    const ulong piece = get_global_id(0);
    if (piece > pieces)
        return;
    uint count = 0;
    if (piece < pieces) {
        room r;
        UNROLL for (uint w = 0; w < WIDTHS; w++) r.full[w] = 0;
        const ulong end = min((piece + 1) * RUNS, n);
        count = 1;
        for (ulong i = piece * RUNS; i < end; i++)
            count += !room_take(&r, LENGTH(runs[i]));
    }
    counts[piece] = count;
}

// Writes runs [from, to) to a block, in slots of this width.
inline void block_write(__global const uint *runs, ulong from, ulong to, uint width, __global uint *block)
{
    const uint bits = 4 + 2 * width, per = bits - 3;
    uint sums[LETTERS] = {0, 0, 0, 0, 0, 0};
    ulong held = 0;
    uint count = 0, word = SLOTS;
    for (ulong i = from; i < to; i++) {
        const uint run = runs[i];
        uint letter = LETTER(run), rest = LENGTH(run) - 1;
        UNROLL for (uint c = 0; c < LETTERS; c++) sums[c] += c == letter ? LENGTH(run) : 0;
        do {
            held |= (ulong)(letter | (rest & ((1u << per) - 1)) << 3) << count;
            count += bits;
            if (count >= 32) {
                block[word++] = (uint)held;
                held >>= 32;
                count -= 32;
            }
            rest >>= per;
            letter = MORE;
        } while (rest > 0);
    }
    for (; word < BLOCK; word++) {
        block[word] = (uint)(held | ~(ulong)0 << count);
        held = ~(ulong)0;
        count = 0;
    }
    block[0] = width << ROW_BITS | (sums[0] + sums[1] + sums[2] + sums[3] + sums[4] + sums[5]);
    block[1] = sums[2];
    block[2] = sums[3];
    block[3] = sums[4];
    block[4] = sums[0] + sums[5];
}

// cuts[block] = its first run, and the width of its slots; first[piece] is the block where those of a piece begin.
KERNEL_WG(WG) rlbwt_pack_cut(
    __global const uint *runs, ulong n, ulong pieces, __global const uint *first, __global uint2 *cuts)
{
    const ulong piece = get_global_id(0);
    if (piece >= pieces)
        return;
    room r;
    UNROLL for (uint w = 0; w < WIDTHS; w++) r.full[w] = 0;
    const ulong end = min((piece + 1) * RUNS, n);
    ulong from = piece * RUNS;
    uint block = first[piece];
    for (ulong i = from; i < end; i++) {
        const uint width = room_width(&r);
        if (!room_take(&r, LENGTH(runs[i]))) {
            cuts[block++] = (uint2)((uint)from, width);
            from = i;
        }
    }
    cuts[block] = (uint2)((uint)from, room_width(&r));
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

// sums[8*superblock] = rows, C, G, T, others and $ of it.
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
        to[6] = 0;
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
