// rlbwt_merge.cl: the rows of new strings enter an index.
//
//   ranks   [n]ulong, ascending: how many rows of the index are before each new row
//   letters [n]uchar, those of the new rows
//
// Work-items take parts of what is merged. A part begins where every PART_BLOCKS-th block does, or at every
// PART_ROWS-th new row: at row x of the index, and new row t.
//
//   rlbwt_gather       ranks of rows, from those of places
//   rlbwt_cuts         where the parts begin
//   rlbwt_merge_count  how many runs each part makes
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

#define PARTS_PARAMS                                                                                        \
    __global const ulong *ranks, __global const uchar *letters, ulong first_block, ulong end_block,         \
        ulong first_new, ulong end_new
#define PARTS_ARGS ranks, letters, first_block, end_block, first_new, end_new

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
        if (ranks[middle] < x)
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
        t = first_from(ranks, first_new, end_new, x);
        at = i + (t - first_new + PART_ROWS - 1) / PART_ROWS;
    } else {
        const ulong j = i - by_blocks;
        t = first_new + j * PART_ROWS;
        x = ranks[t];
        b = x < rows ? block_of(INDEX_ARGS, x) : nblocks;
        // Of blocks that begin at x or before it.
        at = j + (b < end_block ? (b - first_block) / PART_BLOCKS + 1 : by_blocks);
    }
    rows_at[at] = x;
    new_at[at] = t;
    block_at[at] = (uint)b;
}

// Runs on their way out.
typedef struct {
    __global uint *to; // null to count
    ulong count;
    ulong length;
    uint letter;
} sink;

inline void sink_flush(sink *s)
{
    while (s->length > 0) {
        const uint length = (uint)min(s->length, (ulong)LONGEST);
        if (s->to != 0)
            s->to[s->count] = s->letter | length << 3;
        s->count++;
        s->length -= length;
    }
}

inline void sink_put(sink *s, uint letter, ulong length)
{
    if (letter != s->letter) {
        sink_flush(s);
        s->letter = letter;
    }
    s->length += length;
}

inline void merge_part(
    INDEX_PARAMS, __global const ulong *ranks, __global const uchar *letters, ulong x, ulong x_end, ulong t,
    ulong t_end, ulong b, sink *out)
{
    slots s;
    ulong left = 0; // rows of the slot
    if (x < x_end) {
        slots_begin(&s, blocks + b * BLOCK);
        ulong skip = x - block_row(blocks, supers, b);
        for (;;) {
            if (!slots_next(&s))
                break;
            if (s.length > skip) {
                left = s.length - skip;
                break;
            }
            skip -= s.length;
        }
    }
    for (;;) {
        const ulong to = t < t_end ? ranks[t] : x_end;
        while (x < to) {
            if (left == 0) {
                while (!slots_next(&s))
                    slots_begin(&s, blocks + ++b * BLOCK);
                left = s.length;
            }
            const ulong take = min(left, to - x);
            sink_put(out, s.letter, take);
            left -= take;
            x += take;
        }
        if (t >= t_end)
            break;
        sink_put(out, letters[t++], 1);
    }
    sink_flush(out);
}

KERNEL_WG(WG) rlbwt_merge_count(
    INDEX_PARAMS, PARTS_PARAMS, ulong parts, __global const ulong *rows_at, __global const ulong *new_at,
    __global const uint *block_at, __global uint *counts)
{
    const ulong part = get_global_id(0);
    if (part > parts)
        return;
    sink out = {0, 0, 0, 0};
    if (part < parts)
        merge_part(INDEX_ARGS, ranks, letters, rows_at[part], rows_at[part + 1], new_at[part], new_at[part + 1],
                   block_at[part], &out);
    counts[part] = (uint)out.count;
}

KERNEL_WG(WG) rlbwt_merge_write(
    INDEX_PARAMS, PARTS_PARAMS, ulong parts, __global const ulong *rows_at, __global const ulong *new_at,
    __global const uint *block_at, __global const uint *first, __global uint *runs)
{
    const ulong part = get_global_id(0);
    if (part >= parts)
        return;
    sink out = {runs + first[part], 0, 0, 0};
    merge_part(INDEX_ARGS, ranks, letters, rows_at[part], rows_at[part + 1], new_at[part], new_at[part + 1],
               block_at[part], &out);
}
