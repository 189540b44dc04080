// radixsort_chunks.cl: one pass of a radix sort on CPUs, with one work-item a chunk of pairs: radix_count counts the
// digits of every chunk, scan.cl scans the counts, radix_scatter writes.
//
// counts     (1 << bits) * tiles words: the number of keys of the chunk with the digit; after the scan, where the
//            first of them goes
//
// Launch: one work-group of one work-item for each chunk, of which there are `tiles`. A chunk has `chunk` pairs, fewer
// than 2^32. No local memory.

// The pairs [RADIX_FIRST, RADIX_END) of a chunk, and where its count of digit d is: all chunks' counts of a digit are
// neighbours.
#ifndef RADIX_FIRST
#define RADIX_FIRST(tile) ((tile) * chunk)
#define RADIX_END(tile) min((tile) * chunk + chunk, n)
#define RADIX_COUNT_AT(tile, d) ((d) * tiles + (tile))
#endif

KERNEL_WG(1) radix_count(__global uint *counts, ulong n, ulong chunk, uint shift, uint bits RADIX_PARAMS)
{
    const ulong tiles = get_num_groups(0), tile = get_group_id(0);
    const uint mask = (1u << bits) - 1;
    uint mine[RADIX];
    for (uint d = 0; d < RADIX; d++)
        mine[d] = 0;
    const ulong end = RADIX_END(tile);
    for (ulong i = RADIX_FIRST(tile); i < end; i++)
        mine[DIGIT(RADIX_LOAD_KEY(i))]++;
    for (uint d = 0; d <= mask; d++)
        counts[RADIX_COUNT_AT(tile, d)] = mine[d];
}

// Pairs are gathered in a line of LINE for each digit, which stands for an aligned
// line of the output, and written a line at a time: 256 streams of single words
// would miss the TLB and fetch every line that they are about to overwrite.
#define LINE 16

KERNEL_WG(1) radix_scatter(
    __global const uint *counts, ulong n, ulong chunk, uint shift, uint bits,
    __global K *keys_out VALUES_OUT RADIX_PARAMS RADIX_LAST_PARAMS)
{
    const ulong tiles = get_num_groups(0), tile = get_group_id(0);
    const uint mask = (1u << bits) - 1;
#ifdef RADIX_STORES_PAIRS
    K keys[RADIX * LINE] __attribute__((aligned(64)));
    IF_VALUES(V values[RADIX * LINE] __attribute__((aligned(64)));)
    uint start[RADIX], next[RADIX];
    for (uint d = 0; d <= mask; d++)
        start[d] = next[d] = counts[RADIX_COUNT_AT(tile, d)];
    const ulong end = RADIX_END(tile);
    for (ulong i = RADIX_FIRST(tile); i < end; i++) {
        const K key = RADIX_LOAD_KEY(i);
        const uint d = DIGIT(key), to = next[d]++, slot = to % LINE;
        keys[d * LINE + slot] = key;
        IF_VALUES(values[d * LINE + slot] = RADIX_LOAD_VALUE(i);)
        if (slot == LINE - 1) {
            const uint line = to - (LINE - 1);
            if (line >= start[d]) {
                JOIN(stream_line_, K)(keys_out + line, keys + d * LINE);
                IF_VALUES(JOIN(stream_line_, V)(values_out + line, values + d * LINE);)
            } else {
                for (uint q = start[d] % LINE; q < LINE; q++) {
                    keys_out[line + q] = keys[d * LINE + q];
                    IF_VALUES(values_out[line + q] = values[d * LINE + q];)
                }
            }
        }
    }
    for (uint d = 0; d <= mask; d++) {
        for (uint q = max(start[d], next[d] & ~(LINE - 1u)); q < next[d]; q++) {
            keys_out[q] = keys[d * LINE + q % LINE];
            IF_VALUES(values_out[q] = values[d * LINE + q % LINE];)
        }
    }
#else
    uint next[RADIX];
    for (uint d = 0; d <= mask; d++)
        next[d] = counts[RADIX_COUNT_AT(tile, d)];
    const ulong end = RADIX_END(tile);
    for (ulong i = RADIX_FIRST(tile); i < end; i++) {
        const K key = RADIX_LOAD_KEY(i);
        const uint to = next[DIGIT(key)]++;
        RADIX_STORE_KEY(to, key);
        IF_VALUES(RADIX_STORE_VALUE(to, RADIX_LOAD_VALUE(i));)
    }
#endif
}
