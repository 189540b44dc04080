// radixsort_reduce.cl: one pass of a radix sort on GPUs where no work-group may wait for another: radix_count counts
// the digits of every tile, scan.cl scans the counts, radix_scatter writes.
//
// counts     (1 << bits) * tiles words: the number of keys of the tile with the digit; after the scan, where the
//            first of them goes
//
// Launch: one work-group of WG for each tile of WG*ITEMS pairs.
// Local memory: radix_count 1024, radix_scatter TILE*(sizeof(K)+2) + 36*WG + 1024.

#ifndef ITEMS
#error "ITEMS: pairs of a work-item"
#endif

#define TILE (WG * ITEMS)

// The pairs [RADIX_FIRST, RADIX_END) of a tile, and where its count of digit d is: all tiles' counts of a digit are
// neighbours.
#ifndef RADIX_FIRST
#define RADIX_FIRST(tile) ((tile) * TILE)
#define RADIX_END(tile) min((tile) * TILE + TILE, n)
#define RADIX_COUNT_AT(tile, d) ((d) * tiles + (tile))
#endif

// Counts the digits of a tile.
KERNEL_WG(WG) radix_count(__global uint *counts, ulong n, ulong chunk, uint shift, uint bits RADIX_PARAMS)
{
    __local uint counters[RADIX];
    const ulong tiles = get_num_groups(0), tile = get_group_id(0);
    const uint mask = (1u << bits) - 1;
    for (uint d = get_local_id(0); d < RADIX; d += WG)
        counters[d] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    const ulong end = RADIX_END(tile);
    for (ulong i = RADIX_FIRST(tile) + get_local_id(0); i < end; i += WG)
        atomic_inc(&counters[DIGIT(RADIX_LOAD_KEY(i))]);
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint d = get_local_id(0); d <= mask; d += WG)
        counts[RADIX_COUNT_AT(tile, d)] = counters[d];
}

// A tile is sorted in local memory, so that the writes are runs of equal digits: by two half digits of at most 4 bits,
// each by counting. Work-item t counts its ITEMS consecutive keys in column t of counters[half digit][t]; the scan of
// the counters in (half digit, work-item) order gives stable places.
#define HALF 16

DEFINE_WG_SCAN(wg_scan, uint, OP_ADD, 0u)

// Writes the pairs of a tile to their places.
KERNEL_WG(WG) radix_scatter(
    __global const uint *counts, ulong n, ulong chunk, uint shift, uint bits,
    __global K *keys_out VALUES_OUT RADIX_PARAMS RADIX_LAST_PARAMS)
{
    __local K keys[TILE];
    __local ushort from[TILE]; // where the key stood in the tile
    __local ushort counters[HALF * WG];
    __local uint tmp[WG];
    __local uint starts[RADIX];
    const uint lid = get_local_id(0);
    const ulong tiles = get_num_groups(0), tile = get_group_id(0);
    const uint mask = (1u << bits) - 1;
    const ulong base = RADIX_FIRST(tile);
    const uint valid = (uint)(RADIX_END(tile) - base);

    // Load.
    for (uint q = lid; q < TILE; q += WG) {
        keys[q] = q < valid ? RADIX_LOAD_KEY(base + q) : (K)0;
        from[q] = (ushort)q;
    }
    barrier(CLK_LOCAL_MEM_FENCE);

    // Sort in local memory: count, scan the counts, and scatter, for either half digit.
    for (uint low = 0; low < bits; low += 4) {
        const uint half_mask = (1u << min(4u, bits - low)) - 1;
        K own_keys[ITEMS];
        ushort own_from[ITEMS], rank[ITEMS];
        uchar digit[ITEMS];
        for (uint c = lid; c < HALF * WG; c += WG)
            counters[c] = 0;
        barrier(CLK_LOCAL_MEM_FENCE);
        for (uint k = 0; k < ITEMS; k++) {
            const uint q = lid * ITEMS + k;
            own_keys[k] = keys[q];
            own_from[k] = from[q];
            // Padding takes the largest digit each time and so stays last.
            digit[k] = q < valid ? (uchar)((DIGIT(own_keys[k]) >> low) & half_mask) : (uchar)(HALF - 1);
            rank[k] = counters[digit[k] * WG + lid]++;
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        uint sum = 0;
        for (uint c = 0; c < HALF; c++)
            sum += counters[lid * HALF + c];
        uint total;
        uint before = wg_scan(sum, tmp, &total);
        for (uint c = 0; c < HALF; c++) {
            const uint count = counters[lid * HALF + c];
            counters[lid * HALF + c] = (ushort)before;
            before += count;
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        for (uint k = 0; k < ITEMS; k++) {
            const uint to = counters[digit[k] * WG + lid] + rank[k];
            keys[to] = own_keys[k];
            from[to] = own_from[k];
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }

    // Offsets: the first key of each digit tells where its run starts in the tile.
    for (uint q = lid; q < valid; q += WG) {
        const uint d = DIGIT(keys[q]);
        if (q == 0 || DIGIT(keys[q - 1]) != d)
            starts[d] = q;
    }
    barrier(CLK_LOCAL_MEM_FENCE);

    // Scatter.
    for (uint q = lid; q < valid; q += WG) {
        const K key = keys[q];
        const uint d = DIGIT(key);
        const ulong to = counts[RADIX_COUNT_AT(tile, d)] + (q - starts[d]);
        RADIX_STORE_KEY(to, key);
        IF_VALUES(RADIX_STORE_VALUE(to, RADIX_LOAD_VALUE(base + from[q]));)
    }
}
