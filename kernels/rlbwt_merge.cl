// rlbwt_merge.cl: the rows of new strings enter an index.
//
//   ranks   [n]ulong, ascending: how many rows of the index are before each new row, times 8, and the letter of the row
//
// Work-items take parts of what is merged. A part begins where every PART_BLOCKS-th block does, or at every
// PART_ROWS-th new row: at row x of the index, and new row t. Parts are small: those of a work-group are next to each
// other in memory. A run may go through several parts.
//
//   rlbwt_gather       ranks of rows, from those of places
//   rlbwt_cuts         where the parts begin
//   rlbwt_merge_count  what runs each part makes alone
//   rlbwt_merge_join   how many runs begin in each part, with how long the last one becomes
//   rlbwt_merge_write  the runs
//
// Launch: gather: a work-group for each WG*ITEMS rows; else a work-item for each part.

#ifndef ITEMS
#error "ITEMS: elements of a work-item"
#endif
#ifndef PART_BLOCKS
#error "PART_BLOCKS: blocks of a part"
#endif
#ifndef PART_ROWS
#error "PART_ROWS: new rows of a part"
#endif
#if PART_BLOCKS > 512
#error "PART_BLOCKS: the rows of a part are fewer than 2^32"
#endif

#define PARTS_PARAMS __global const ulong *ranks, ulong first_block, ulong end_block, ulong first_new, ulong end_new
#define PARTS_ARGS ranks, first_block, end_block, first_new, end_new

KERNEL_WG(WG) rlbwt_gather(
    __global const uint *sa, __global const ulong *places, ulong n, __global ulong *ranks)
{
    FOR_TILE(t, WG * ITEMS, n) ranks[t] = places[sa[t]];
}

// The first of new rows [t, end) with x or more rows of the index before it.
inline ulong first_from(__global const ulong *ranks, ulong t, ulong end, ulong x)
{
    while (t < end) {
        const ulong middle = t + (end - t) / 2;
        if (ranks[middle] >> LETTER_BITS < x)
            t = middle + 1;
        else
            end = middle;
    }
    return t;
}

// Cuts [parts + 1]: by blocks first, then by new rows, each written to its place among all. rows_at, new_at and
// block_at tell where a part begins, and in which block.
KERNEL_WG(WG) rlbwt_cuts(
    INDEX_PARAMS, PARTS_PARAMS, __global ulong *rows_at, __global ulong *new_at, __global uint *block_at)
{
    const ulong by_blocks = (end_block - first_block + PART_BLOCKS - 1) / PART_BLOCKS;
    const ulong by_rows = (end_new - first_new + PART_ROWS - 1) / PART_ROWS;
    const ulong i = get_global_id(0);
    ulong low = first_new, high = end_new;
#if WG > 1
    // The blocks of a work-group are neighbours, so that most find their rows in few.
    __local ulong bounds[2];
    const ulong group_first = i - get_local_id(0);
    const bool has_blocks = group_first < by_blocks;
    if (has_blocks && get_local_id(0) == 0) {
        const ulong b = first_block + group_first * PART_BLOCKS;
        bounds[0] = first_from(ranks, first_new, end_new, block_row(blocks, supers, b));
    }
    if (has_blocks && get_local_id(0) == WG - 1) {
        const ulong b = first_block + min(group_first + WG, by_blocks) * PART_BLOCKS;
        bounds[1] = b < end_block ? first_from(ranks, first_new, end_new, block_row(blocks, supers, b)) : end_new;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (has_blocks) {
        low = bounds[0];
        high = bounds[1];
    }
#endif
    if (i > by_blocks + by_rows)
        return;
    ulong x, t, b, at;
    if (i == by_blocks + by_rows) { // the end
        x = end_block < nblocks ? block_row(blocks, supers, end_block) : rows;
        t = end_new;
        b = end_block;
        at = i;
    } else if (i < by_blocks) {
        b = first_block + i * PART_BLOCKS;
        x = block_row(blocks, supers, b);
        t = first_from(ranks, low, high, x);
        at = i + (t - first_new + PART_ROWS - 1) / PART_ROWS;
    } else {
        const ulong j = i - by_blocks;
        t = first_new + j * PART_ROWS;
        x = ranks[t] >> LETTER_BITS;
        b = x < rows ? block_of(INDEX_ARGS, x) : nblocks;
        // Of blocks that begin at x or before it.
        at = j + (b < end_block ? (b - first_block) / PART_BLOCKS + 1 : by_blocks);
    }
    rows_at[at] = x;
    new_at[at] = t;
    block_at[at] = (uint)b;
}

// Runs on their way out. The first run of a part may be the end of one that began before: then it is `skipped`. The
// last one is not yet flushed.
typedef struct {
    __global uint *to; // null to count
    bool skipped;
    uint letter, length; // of the run that may grow
    uint first, leading; // length and letter of the first run
    uint flushed;        // maximal runs
    uint count;          // of runs of LONGEST at most, without the first where they are counted
} sink;

inline uint pieces_of(ulong length) { return (uint)((length + LONGEST - 1) / LONGEST); }

inline void sink_write(sink *s, ulong length)
{
    for (; length > 0; length -= min(length, (ulong)LONGEST))
        s->to[s->count++] = s->letter | (uint)min(length, (ulong)LONGEST) << LETTER_BITS;
}

inline void sink_put(sink *s, uint letter, uint length)
{
    if (letter == s->letter) {
        s->length += length;
        return;
    }
    if (s->length > 0) {
        if (s->flushed == 0) {
            s->first = s->length;
            s->leading = s->letter;
        }
        if (s->to == 0)
            s->count += s->flushed > 0 ? pieces_of(s->length) : 0;
        else if (s->flushed > 0 || !s->skipped)
            sink_write(s, s->length);
        s->flushed++;
    }
    s->letter = letter;
    s->length = length;
}

// Merges rows [x, x_end) of the index, of which block b has the first, and new rows [t, t_end). Rows of the index are
// counted from x on: a part has less than 2^32.
inline void merge_part(
    INDEX_PARAMS, __global const ulong *ranks, ulong x, ulong x_end, ulong t, ulong t_end, ulong b, sink *out)
{
    const uint size = (uint)(x_end - x);
    uint at = 0, left = 0; // rows of the slot that are left
    slots s;
    if (size > 0) {
        uint skip = (uint)(x - block_row(blocks, supers, b));
        slots_begin(&s, blocks + b * BLOCK);
        while (slots_next(&s)) {
            if (s.length > skip) {
                left = s.length - skip;
                break;
            }
            skip -= s.length;
        }
    }
    for (;;) {
        const ulong row = t < t_end ? ranks[t] : 0;
        const uint to = t < t_end ? (uint)((row >> LETTER_BITS) - x) : size;
        while (at < to) {
            if (left == 0) {
                while (!slots_next(&s))
                    slots_begin(&s, blocks + ++b * BLOCK);
                left = s.length;
            }
            const uint take = min(left, to - at);
            sink_put(out, s.letter, take);
            left -= take;
            at += take;
        }
        if (t >= t_end)
            break;
        sink_put(out, (uint)row & (LETTER_LIMIT - 1), 1);
        t++;
    }
}

// infos[part] = the number of runs between the first and the last, of LONGEST at most; the lengths of the first and of
// the last run, which may be the same; their letters, and SINGLE if there is one run; or NOTHING.
#define FIRST_LETTER(info) ((info).w & (LETTER_LIMIT - 1))
#define LAST_LETTER(info) ((info).w >> LETTER_BITS & (LETTER_LIMIT - 1))
#define SINGLE (1u << 2 * LETTER_BITS)
#define NOTHING (2u << 2 * LETTER_BITS)

KERNEL_WG(WG) rlbwt_merge_count(
    INDEX_PARAMS, PARTS_PARAMS, ulong parts, __global const ulong *rows_at, __global const ulong *new_at,
    __global const uint *block_at, __global uint4 *infos)
{
    const ulong part = get_global_id(0);
    if (part >= parts)
        return;
    const ulong x = rows_at[part], x_end = rows_at[part + 1], t = new_at[part], t_end = new_at[part + 1];
    if (x == x_end && t == t_end) {
        infos[part] = (uint4)(0, 0, 0, NOTHING);
        return;
    }
    sink out = {0, false, LETTER_LIMIT, 0, 0, 0, 0, 0};
    merge_part(INDEX_ARGS, ranks, x, x_end, t, t_end, block_at[part], &out);
    const bool single = out.flushed == 0;
    infos[part] = (uint4)(out.count, single ? out.length : out.first, out.length,
                          (single ? out.letter : out.leading) | out.letter << LETTER_BITS | (single ? SINGLE : 0));
}

// counts[part] = how many runs it writes, of LONGEST at most, and 0 after the last. totals[part] = twice the length of
// its last run with what follows in other parts, 0 if that run began before; and 1 if its first run did.
KERNEL_WG(WG) rlbwt_merge_join(
    __global const uint4 *infos, ulong parts, __global uint *counts, __global ulong *totals)
{
    const ulong part = get_global_id(0);
    if (part > parts)
        return;
    uint count = 0;
    const uint4 info = part < parts ? infos[part] : (uint4)(0, 0, 0, NOTHING);
    if (!(info.w & NOTHING)) {
        ulong q = part;
        while (q > 0 && infos[q - 1].w & NOTHING)
            q--;
        const bool skipped = q > 0 && LAST_LETTER(infos[q - 1]) == FIRST_LETTER(info);
        const bool single = info.w & SINGLE;
        ulong total = 0;
        if (!single || !skipped) {
            total = info.z;
            for (q = part + 1; q < parts; q++) {
                const uint4 other = infos[q];
                if (other.w & NOTHING)
                    continue;
                if (FIRST_LETTER(other) != LAST_LETTER(info))
                    break;
                total += other.y;
                if (!(other.w & SINGLE))
                    break;
            }
        }
        count = info.x + (single || skipped ? 0 : pieces_of(info.y)) + pieces_of(total);
        totals[part] = total << 1 | (skipped ? 1 : 0);
    } else if (part < parts) {
        totals[part] = 0;
    }
    counts[part] = count;
}

KERNEL_WG(WG) rlbwt_merge_write(
    INDEX_PARAMS, PARTS_PARAMS, ulong parts, __global const ulong *rows_at, __global const ulong *new_at,
    __global const uint *block_at, __global const ulong *totals, __global const uint *first, __global uint *runs)
{
    const ulong part = get_global_id(0);
    if (part >= parts || first[part] == first[part + 1])
        return;
    sink out = {runs + first[part], totals[part] & 1, LETTER_LIMIT, 0, 0, 0, 0, 0};
    merge_part(INDEX_ARGS, ranks, rows_at[part], rows_at[part + 1], new_at[part], new_at[part + 1], block_at[part],
               &out);
    sink_write(&out, totals[part] >> 1);
}
