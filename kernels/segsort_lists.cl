// segsort_lists.cl: lists the segments longer than `limit`, and lays out the blocks in which they are merged.
// It follows heads.cl in a program.
//
// The list takes three steps: segsort_count counts; a scan adds up the counts, for which this is the template with
// SEGSORT_SCAN (scan.cl); segsort_list writes:
//   starts[k], ends[k]   the k-th long segment, in order
//   offsets[k]           items in those before it
//   counts[0]            their number
//   counts[1]            their items
// segsort_count also tells whether there is any, and whether some segment is longer than `shortest` and no longer than
// `limit`. If there is none, the other steps are left out.
// A listed segment is merged in blocks of `block` items, counted from its start, in as many rounds as their number
// demands. segsort_rounds and segsort_blocks lay the blocks out, those of many rounds first:
//   counts[BLOCKS_OF + r]  blocks of the segments that take r rounds
//   blocks[b]              start and length of block b's segment, the block's number in it, and the rounds
//
// Launch, in work-groups of WG: segsort_count and segsort_list one work-item for each of the n/32+1 words of
// the bitmap, segsort_rounds one for each listed segment; segsort_blocks one work-group for each listed
// segment. Local memory: a word.

#ifdef SEGSORT_SCAN

// The element of the scan: counts[0] in the high word, counts[1] in the low one. The
// items of segments that have ended are the ends less the starts, modulo 2^32; where a
// segment starts, all before it have ended.
#define T ulong
#define IDENTITY 0ul
#define OP(a, b) list_add(a, b)
#define SCAN_PARAMS , __global const ulong *words, __global ulong *before_words, ulong items, __global uint *counts
#define SCAN_LOAD(i) words[i]
#define SCAN_STORE(i, before, value)           \
    do {                                       \
        before_words[i] = before;              \
        if (i == items / 32) {                 \
            counts[0] = (uint)((value) >> 32); \
            counts[1] = (uint)(value);         \
        }                                      \
    } while (0)

inline ulong list_add(ulong a, ulong b)
{
    return (ulong)((uint)(a >> 32) + (uint)(b >> 32)) << 32 | ((uint)a + (uint)b);
}

#else

#define BLOCKS_OF 2 // see counts
#define BLOCKS_TAKEN (BLOCKS_OF + 32)
#define COUNTS (BLOCKS_TAKEN + 32)

// Whether the first head of word w ends a segment longer than limit.
inline bool ends_long(__global const uint *heads, ulong w, ulong e, ulong items, uint limit)
{
    return e > limit && e <= items && !head_before(heads, w, e - limit, items);
}

// words[w] = what word w adds to counts: see SEGSORT_SCAN. `mark` goes to the high half of found[found_at] if some
// segment is longer than `shortest` and no longer than `limit`, and to that of the next one if some is longer. It is in
// neither before.
KERNEL_WG(WG) segsort_count(
    __global const uint *heads, ulong items, uint shortest, uint limit, __global ulong *words, __global ulong *found,
    ulong found_at, uint mark)
{
    __local uint any;
    const ulong w = (ulong)get_group_id(0) * WG + get_local_id(0);
    if (get_local_id(0) == 0)
        any = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    uint word = w * 32 <= items ? head_word(heads, w, items) : 0u;
    uint sum = 0, count = 0, some = 0;
    if (word != 0) {
        const ulong e = w * 32 + first_bit(word);
        if (ends_long(heads, w, e, items, limit))
            sum += (uint)e;
        // Segments inside the word are too short to count, and that of its last head is,
        // if items end there.
        if (min(shortest, limit) >= 32)
            word = w * 32 + 32 <= items ? 1u << last_bit(word) : 0u;
    }
    while (word != 0) {
        const ulong h = w * 32 + first_bit(word);
        word &= word - 1;
        if (h >= items)
            break;
        const ulong e = word != 0 ? w * 32 + first_bit(word) : head_after(heads, w, h + limit, items);
        if (e - h > limit) {
            count++;
            sum -= (uint)h;
            if (word != 0)
                sum += (uint)e;
        } else if (e - h > shortest) {
            some = 1;
        }
    }
    if (w * 32 <= items)
        words[w] = (ulong)count << 32 | sum;
    if ((some | count) != 0)
        atomic_or(&any, some | (count > 0 ? 2u : 0u));
    barrier(CLK_LOCAL_MEM_FENCE);
    if (get_local_id(0) == 0 && any != 0) {
        __global uint *high = (__global uint *)(found + found_at) + 1;
        if (any & 1)
            atomic_xchg(high, mark);
        if (any & 2)
            atomic_xchg(high + 2, mark);
    }
}

// Writes the list, and clears the counts of blocks.
KERNEL_WG(WG) segsort_list(
    __global const uint *heads, ulong items, uint limit, __global const ulong *words,
    __global const ulong *before_words, __global uint *counts, __global uint *starts, __global uint *ends,
    __global uint *offsets)
{
    const ulong w = (ulong)get_group_id(0) * WG + get_local_id(0);
    if (get_group_id(0) == 0)
        for (uint r = get_local_id(0); r < COUNTS - BLOCKS_OF; r += WG)
            counts[BLOCKS_OF + r] = 0;
    // Where nothing is counted, no such segment starts or ends: an end is above 0.
    const bool have = w * 32 <= items && words[w] != 0;
    uint word = have ? head_word(heads, w, items) : 0u;
    uint k = 0, sum = 0, left = 0; // of those that start here
    if (have) {
        k = (uint)(before_words[w] >> 32);
        sum = (uint)before_words[w];
        left = (uint)(words[w] >> 32);
    }
    if (word != 0) {
        const ulong e = w * 32 + first_bit(word);
        if (ends_long(heads, w, e, items, limit)) {
            ends[k - 1] = (uint)e;
            sum += (uint)e;
        }
    }
    while (left > 0 && word != 0) {
        const ulong h = w * 32 + first_bit(word);
        word &= word - 1;
        if (h >= items)
            break;
        const ulong e = word != 0 ? w * 32 + first_bit(word) : head_after(heads, w, h + limit, items);
        if (e - h > limit) {
            starts[k] = (uint)h;
            offsets[k] = sum;
            sum -= (uint)h;
            if (word != 0) {
                ends[k] = (uint)e;
                sum += (uint)e;
            }
            k++;
            left--;
        }
    }
}

inline uint blocks_of(uint length, uint block) { return (length - 1) / block + 1; }

inline uint rounds_of(uint blocks) { return blocks > 1 ? 32u - clz(blocks - 1) : 0u; }

KERNEL_WG(WG) segsort_rounds(__global const uint *starts, __global const uint *ends, uint block, __global uint *counts)
{
    const ulong k = (ulong)get_group_id(0) * WG + get_local_id(0);
    if (k < counts[0]) {
        const uint blocks = blocks_of(ends[k] - starts[k], block);
        atomic_add(&counts[BLOCKS_OF + rounds_of(blocks)], blocks);
    }
}

KERNEL_WG(WG) segsort_blocks(
    __global const uint *starts, __global const uint *ends, uint block, __global uint *counts, __global uint4 *blocks)
{
    __local uint place;
    const uint k = get_group_id(0), start = starts[k], length = ends[k] - start;
    const uint count = blocks_of(length, block), rounds = rounds_of(count);
    if (get_local_id(0) == 0) {
        uint before = atomic_add(&counts[BLOCKS_TAKEN + rounds], count);
        for (uint r = rounds + 1; r < 32; r++)
            before += counts[BLOCKS_OF + r];
        place = before;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    const uint first = place;
    for (uint b = get_local_id(0); b < count; b += WG)
        blocks[first + b] = (uint4)(start, length, b, rounds);
}

#endif
