// radixsort.cl: one pass of a stable LSD radix sort of (key, value) pairs by the
// digit of `bits` <= 8 bits at `shift`: count digits per tile, scan the counts in
// (digit, tile) order with scan.cl, write every pair to its place (Satish, Harris &
// Garland 2009; Merrill & Grimshaw 2011).
//
// K, V       key and value types; HAS_VALUES 0 sorts keys alone
// counts     (1 << bits) * tiles words: the number of keys of the tile with the
//            digit; after the scan, where the first of them goes. n < 2^32.
//
// GPU shape: one work-group of WG for each tile of WG*ITEMS pairs. The tile is
// sorted in local memory, so that the writes are runs of equal digits.
// CPU shape: one work-item for each chunk of `chunk` pairs.
//
// Local memory of radix_scatter, GPU shape: TILE*(sizeof(K)+2) + 36*WG + 1024.

#ifndef ITEMS
#error "ITEMS: pairs of a work-item"
#endif
#ifndef K
#error "K: key type"
#endif
#ifndef HAS_VALUES
#error "HAS_VALUES: 1 or 0"
#endif
#if HAS_VALUES && !defined(V)
#error "V: value type"
#endif

#define RADIX 256
#define DIGIT(key) ((uint)((key) >> shift) & mask)

#if HAS_VALUES
#define VALUE_PARAMS , __global const V *values_in, __global V *values_out
#define COPY_VALUE(to, from) values_out[to] = values_in[from]
#else
#define VALUE_PARAMS
#define COPY_VALUE(to, from)
#endif

#if IS_CPU

// tiles = number of chunks = number of work-items.
KERNEL_WG(1) radix_count(__global const K *keys, __global uint *counts, ulong n, ulong chunk, uint shift, uint bits)
{
    const ulong tiles = get_num_groups(0), tile = get_group_id(0);
    const uint mask = (1u << bits) - 1;
    uint mine[RADIX]; // a chunk is below 2^32
    for (uint d = 0; d < RADIX; d++)
        mine[d] = 0;
    const ulong end = min((tile + 1) * chunk, n);
    for (ulong i = tile * chunk; i < end; i++)
        mine[DIGIT(keys[i])]++;
    for (uint d = 0; d <= mask; d++)
        counts[d * tiles + tile] = mine[d];
}

KERNEL_WG(1) radix_scatter(__global const K *keys_in, __global K *keys_out, __global const uint *counts, ulong n, ulong chunk, uint shift, uint bits VALUE_PARAMS)
{
    const ulong tiles = get_num_groups(0), tile = get_group_id(0);
    const uint mask = (1u << bits) - 1;
    uint next[RADIX];
    for (uint d = 0; d <= mask; d++)
        next[d] = counts[d * tiles + tile];
    const ulong end = min((tile + 1) * chunk, n);
    for (ulong i = tile * chunk; i < end; i++) {
        const K key = keys_in[i];
        const uint to = next[DIGIT(key)]++;
        keys_out[to] = key;
        COPY_VALUE(to, i);
    }
}

#else // GPU shape

#define TILE (WG * ITEMS)

KERNEL_WG(WG) radix_count(__global const K *keys, __global uint *counts, ulong n, ulong chunk, uint shift, uint bits)
{
    __local uint mine[RADIX];
    const ulong tiles = get_num_groups(0), tile = get_group_id(0);
    const uint mask = (1u << bits) - 1;
    for (uint d = get_local_id(0); d < RADIX; d += WG)
        mine[d] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    FOR_TILE(i, TILE, n)
        atomic_inc(&mine[DIGIT(keys[i])]);
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint d = get_local_id(0); d <= mask; d += WG)
        counts[d * tiles + tile] = mine[d];
}

// Local sort by two half digits of at most 4 bits, each by counting: work-item t
// counts its ITEMS consecutive keys in column t of counters[half digit][t]; the
// scan of the counters in (half digit, work-item) order gives stable places.
#define HALF 16

DEFINE_WG_SCAN(wg_scan, uint, OP_ADD, 0u)

KERNEL_WG(WG) radix_scatter(__global const K *keys_in, __global K *keys_out, __global const uint *counts, ulong n, ulong chunk, uint shift, uint bits VALUE_PARAMS)
{
    __local K keys[TILE];
    __local ushort from[TILE]; // where the key stood in the tile
    __local ushort counters[HALF * WG];
    __local uint tmp[WG];
    __local uint starts[RADIX];
    const uint lid = get_local_id(0);
    const ulong tiles = get_num_groups(0), tile = get_group_id(0);
    const uint mask = (1u << bits) - 1;
    const ulong base = tile * TILE;
    const uint valid = (uint)min((ulong)TILE, n - base);

    for (uint q = lid; q < TILE; q += WG) {
        keys[q] = q < valid ? keys_in[base + q] : (K)0;
        from[q] = (ushort)q;
    }
    barrier(CLK_LOCAL_MEM_FENCE);

    for (uint low = 0; low < bits; low += 4) {
        const uint half_mask = (1u << min(4u, bits - low)) - 1;
        K mine[ITEMS];
        ushort mine_from[ITEMS], rank[ITEMS];
        uchar digit[ITEMS];
        for (uint c = lid; c < HALF * WG; c += WG)
            counters[c] = 0;
        barrier(CLK_LOCAL_MEM_FENCE);
        for (uint k = 0; k < ITEMS; k++) {
            const uint q = lid * ITEMS + k;
            mine[k] = keys[q];
            mine_from[k] = from[q];
            // Padding takes the largest digit each time and so stays behind.
            digit[k] = q < valid ? (uchar)((DIGIT(mine[k]) >> low) & half_mask) : (uchar)(HALF - 1);
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
            keys[to] = mine[k];
            from[to] = mine_from[k];
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }

    // The first key of each digit tells where its run starts in the tile.
    for (uint q = lid; q < valid; q += WG) {
        const uint d = DIGIT(keys[q]);
        if (q == 0 || DIGIT(keys[q - 1]) != d)
            starts[d] = q;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint q = lid; q < valid; q += WG) {
        const K key = keys[q];
        const uint d = DIGIT(key);
        const ulong to = counts[d * tiles + tile] + (q - starts[d]);
        keys_out[to] = key;
        COPY_VALUE(to, base + from[q]);
    }
}

#endif
