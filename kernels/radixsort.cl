// radixsort.cl: stable LSD radix sort of (key, value) pairs, or of keys, by the
// bits that the host cuts into digits of at most 8. RADIX_STEP says which part of
// it the program is:
//
//   RADIX_HISTOGRAM  how often each digit occurs, for all passes at once
//   RADIX_ONESWEEP   one pass in one kernel: tiles find their places by decoupled
//                    look-back (Adinets & Merrill 2022), which needs a device where
//                    a work-group may wait for one with a lower ticket
//   RADIX_REDUCE     one pass by counting digits per tile and, after scan.cl has
//                    scanned the counts, writing (Satish, Harris & Garland 2009;
//                    Merrill & Grimshaw 2011)
//   RADIX_CHUNKS     the same for CPUs, with one work-item a chunk of pairs
//
// K, V       key and value types; HAS_VALUES 0 sorts keys alone
// DIGIT      bits [shift, shift + bits) of a key, bits <= 8
// n          number of pairs, below 2^32
//
// Template parameters, so that the first pass can compute the pairs that it sorts:
//   RADIX_PARAMS         kernel parameters, each preceded by a comma
//   RADIX_LOAD_KEY(i)    key of pair i (ulong); evaluated up to three times
//   RADIX_LOAD_VALUE(i)  value of pair i; evaluated once
//   RADIX_FIRST, RADIX_END, RADIX_COUNT_AT
//                        other tiles than all pairs in order: radixsegments.cl
//
// Launch: work-groups of WG; the kernels say how many.

#define RADIX_HISTOGRAM 0
#define RADIX_ONESWEEP 1
#define RADIX_REDUCE 2
#define RADIX_CHUNKS 3

#ifndef RADIX_STEP
#error "RADIX_STEP: part of the sort"
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
#define RADIX_BITS 8
#define DIGIT(key) ((uint)((key) >> shift) & mask)

// The kernels' values, and what the passes without a template read.
#if HAS_VALUES
#define VALUES_OUT , __global V *values_out
#define IF_VALUES(statement) statement
#else
#define VALUES_OUT
#define IF_VALUES(statement)
#endif
#ifndef RADIX_PARAMS
#define RADIX_LOAD_KEY(i) keys_in[i]
#define RADIX_LOAD_VALUE(i) values_in[i]
#if HAS_VALUES && RADIX_STEP != RADIX_HISTOGRAM
#define RADIX_PARAMS , __global const K *keys_in, __global const V *values_in
#else
#define RADIX_PARAMS , __global const K *keys_in
#endif
#endif

// The pairs [RADIX_FIRST, RADIX_END) of a tile of RADIX_REDUCE or RADIX_CHUNKS, and where
// its count of digit d is: all tiles' counts of a digit are neighbours.
#ifndef RADIX_FIRST
#if RADIX_STEP == RADIX_CHUNKS
#define RADIX_SPAN chunk
#else
#define RADIX_SPAN TILE
#endif
#define RADIX_FIRST(tile) ((tile) * RADIX_SPAN)
#define RADIX_END(tile) min((tile) * RADIX_SPAN + RADIX_SPAN, n)
#define RADIX_COUNT_AT(tile, d) ((d) * tiles + (tile))
#endif

#if RADIX_STEP == RADIX_HISTOGRAM

// control[place * RADIX + d] += number of keys with digit d in place p, the bits
// from lo + place * width on, which end at hi. The keys are dealt to the work-groups
// in pieces of `piece`.
//
// A work-group has COPIES counters of each digit, so that fewer lanes meet in one.
// Counting is by increments: hardware adds up those of a subgroup. The kernel also
// clears the `words` words from control[status_at] on, for the look-back of the first
// pass.
//
// Local memory: sizeof(K) * RADIX * COPIES * 4.
#ifndef ITEMS
#error "ITEMS: keys that a work-item has under way"
#endif
#ifndef COPIES
#error "COPIES: counters of a digit in a work-group"
#endif

#define PLACES sizeof(K) // as many as bytes

KERNEL_WG(WG) radix_clear(__global uint *words, uint n)
{
    FOR_TILE(i, WG * 4, n)
        words[i] = 0;
}

inline void count(__local uint *counters, K key, uint place, uint lo, uint hi, uint width)
{
    const uint shift = lo + place * width, mask = (1u << min(width, hi - shift)) - 1;
    atomic_inc(&counters[(place * RADIX + DIGIT(key)) * COPIES]);
}

KERNEL_WG(WG) radix_histogram(
    __global uint *control, ulong status_at, ulong words, ulong n, ulong piece, uint lo, uint hi, uint width,
    uint places RADIX_PARAMS)
{
    __local uint counters[PLACES * RADIX * COPIES];
    const uint lid = get_local_id(0), copy = lid % COPIES;
    const ulong all = (ulong)get_num_groups(0) * WG;
    for (ulong i = (ulong)get_group_id(0) * WG + lid; i < words; i += all)
        control[status_at + i] = 0;
    for (uint c = lid; c < PLACES * RADIX * COPIES; c += WG)
        counters[c] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);

    const ulong first = get_group_id(0) * piece, end = min(first + piece, n);
    for (ulong base = first + lid; base < end; base += WG * ITEMS) {
        if (base + WG * (ITEMS - 1) < end) {
            K keys[ITEMS];
            UNROLL for (uint k = 0; k < ITEMS; k++)
                keys[k] = RADIX_LOAD_KEY(base + k * WG);
            for (uint place = 0; place < places; place++) {
                UNROLL for (uint k = 0; k < ITEMS; k++)
                    count(counters + copy, keys[k], place, lo, hi, width);
            }
        } else {
            for (ulong i = base; i < end; i += WG) {
                const K key = RADIX_LOAD_KEY(i);
                for (uint place = 0; place < places; place++)
                    count(counters + copy, key, place, lo, hi, width);
            }
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE);

    for (uint d = lid; d < places * RADIX; d += WG) {
        uint sum = 0;
        for (uint c = 0; c < COPIES; c++)
            sum += counters[d * COPIES + (c + lid) % COPIES]; // not all in one bank
        if (sum > 0)
            atomic_add(&control[d], sum);
    }
}

#elif RADIX_STEP == RADIX_ONESWEEP

// One pass over `count` pairs from pair `start` on: a portion of at most 2^30.
//
// control    histogram of all passes, then a row of ROW words for each launch of the
//            sort: places already taken by the portions before, and the ticket
// launch     row of this launch; the next row gets the places if `more` portions of
//            this pass follow
// status_at  where in control are RADIX words for each tile, 0 at first: 2 bits what,
//            30 bits how many keys with the digit are in the tile (SOME), or up to
//            its end (ALL)
// next_at    the same of the next launch, of next_tiles tiles: is cleared
//
// One work-group for each tile of WG*ITEMS pairs. A tile, numbered by ticket: counts
// its digits and publishes that; ranks its keys, each subgroup by ballots; sorts
// them in local memory, so that the writes are runs of equal digits; adds up what
// its predecessors have published; writes keys and then values.
//
// Local memory: the larger of WG*ITEMS keys or values and 1024 * WG / SUBGROUP, and
// 8 * WG or 1024.
#ifndef ITEMS
#error "ITEMS: pairs of a work-item"
#endif

#define TILE (WG * ITEMS)
#define ROW (RADIX + 32)
#define SUBGROUPS_OF_TILE (WG / SUBGROUP)
#define DIGITS ((RADIX + WG - 1) / WG) // of a work-item, in look-back

#define SOME (1u << 30)
#define ALL (2u << 30)
#define HOW_MANY (SOME - 1)

#if HAS_VALUES
#define ITEM_BYTES (sizeof(K) > sizeof(V) ? sizeof(K) : sizeof(V))
#else
#define ITEM_BYTES sizeof(K)
#endif
#define COUNTER_BYTES (SUBGROUPS_OF_TILE * RADIX * 4)
#define STAGE_BYTES (TILE * ITEM_BYTES > COUNTER_BYTES ? TILE * ITEM_BYTES : COUNTER_BYTES)
#define SCRATCH_WORDS (2 * WG > RADIX ? 2 * WG : RADIX)

#define ADD2(a, b) ((a) + (b))
DEFINE_WG_SCAN(wg_scan2, uint2, ADD2, ((uint2)(0u, 0u)))

// The number of keys with a digit in the tiles before: `mine` is the word of the
// tile for the digit. Two tiles at a time, so that their latencies overlap.
inline uint look_back(__global uint *mine, uint tile)
{
    uint sum = 0;
    while (tile > 0) {
        const uint near = load_relaxed(mine - RADIX);
        const uint far = tile > 1 ? load_relaxed(mine - 2 * RADIX) : 0;
        if (near >= SOME) {
            sum += near & HOW_MANY;
            mine -= RADIX;
            tile--;
            if (near >= ALL) {
                tile = 0;
            } else if (far >= SOME) {
                sum += far & HOW_MANY;
                mine -= RADIX;
                tile = far >= ALL ? 0 : tile - 1;
            }
        }
    }
    return sum;
}

KERNEL_WG(WG) radix_pass(
    __global uint *control, uint launch, uint more, uint place, uint shift, uint bits, ulong status_at, ulong next_at,
    uint next_tiles, ulong start, uint count, __global K *keys_out VALUES_OUT RADIX_PARAMS)
{
    __local ulong stage[(STAGE_BYTES + 7) / 8];
    __local uint2 scratch[SCRATCH_WORDS / 2];
    __local uint *counters = (__local uint *)stage; // RADIX for each subgroup, then:
    __local K *keys = (__local K *)stage;           // the tile's keys, then:
    IF_VALUES(__local V *values = (__local V *)stage;)
    __local uint *words = (__local uint *)scratch;
    const uint lid = get_local_id(0);
    const uint mask = (1u << bits) - 1;
    __global uint *row = control + sizeof(K) * RADIX + launch * ROW, *next = control + next_at;
    __local uint shift_again;

    if (lid == 0) {
        words[0] = atomic_inc(&row[RADIX]);
        shift_again = shift;
    }
    for (uint c = lid; c < SUBGROUPS_OF_TILE * RADIX; c += WG)
        counters[c] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    const uint tile = words[0];
    const uint base = tile * TILE, valid = min((uint)TILE, count - base);
    __global uint *status = control + status_at + (ulong)tile * RADIX;

    // Item k of a work-item is SUBGROUP places behind item k-1. Padding has the
    // largest digit, and stays behind.
    const uint within = sg_index() * (SUBGROUP * ITEMS) + sg_lane();
    const ulong from = start + base + within;
    K mine[ITEMS];
    if (valid == TILE) {
        UNROLL for (uint k = 0; k < ITEMS; k++)
            mine[k] = RADIX_LOAD_KEY(from + k * SUBGROUP);
    } else {
        UNROLL for (uint k = 0; k < ITEMS; k++)
            mine[k] = within + k * SUBGROUP < valid ? RADIX_LOAD_KEY(from + k * SUBGROUP) : ~(K)0;
    }
    for (ulong t = tile; t < next_tiles; t += get_num_groups(0))
        for (uint d = lid; d < RADIX; d += WG)
            next[t * RADIX + d] = 0;

    __local uint *own = counters + sg_index() * RADIX;
    UNROLL for (uint k = 0; k < ITEMS; k++)
        atomic_inc(&own[DIGIT(mine[k])]);
    barrier(CLK_LOCAL_MEM_FENCE);

    // Publish the counts, then scan them, and the histogram too.
    uint counts[DIGITS], places[DIGITS];
    uint2 sum = (uint2)(0u, 0u);
    UNROLL for (uint j = 0; j < DIGITS; j++)
    {
        const uint d = lid * DIGITS + j;
        counts[j] = 0;
        places[j] = 0;
        if (d < RADIX) {
            for (uint s = 0; s < SUBGROUPS_OF_TILE; s++)
                counts[j] += counters[s * RADIX + d];
            sum += (uint2)(counts[j], control[place * RADIX + d]);
            places[j] = counts[j] - (d == mask ? TILE - valid : 0); // without padding
            store_relaxed(&status[d], (tile == 0 ? ALL : SOME) | places[j]);
        }
    }
    uint2 total;
    uint2 before = wg_scan2(sum, scratch, &total);
    // Counters: where in the tile the subgroup's next key with the digit goes.
    UNROLL for (uint j = 0; j < DIGITS; j++)
    {
        const uint d = lid * DIGITS + j;
        if (d < RADIX) {
            uint to = before.x;
            for (uint s = 0; s < SUBGROUPS_OF_TILE; s++) {
                const uint c = counters[s * RADIX + d];
                counters[s * RADIX + d] = to;
                to += c;
            }
            const uint real = places[j];
            places[j] = before.y + row[d] - before.x; // for the tile's key 0, if it had the digit
            before += (uint2)(counts[j], control[place * RADIX + d]);
            counts[j] = real;
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE);

    // By a shift that the compiler does not know: else it keeps all digits from the
    // count above, in registers that decide how many work-groups there are.
    const uint shift_now = shift_again;
    uint ranks[(ITEMS + 1) / 2]; // two in a word
    // The counter's answer is shuffled when the next item has been matched: no waiting.
    uint first = 0, last = 0, below = 0;
#define SHUFFLE_RANK(k)                                                     \
    {                                                                       \
        const uint rank = sg_shuffle(first, last, words) + below;           \
        ranks[(k) / 2] = (k) % 2 ? ranks[(k) / 2] | rank << 16 : rank;      \
    }
    UNROLL_LANES for (uint k = 0; k < ITEMS; k++)
    {
        const uint digit = (uint)(mine[k] >> shift_now) & mask;
        const ulong peers = sg_match(digit, RADIX_BITS, words);
        if (k > 0)
            SHUFFLE_RANK(k - 1)
        below = sg_prefix(peers);
        last = sg_last(peers);
        if (sg_lane() == last)
            first = atomic_add(&own[digit], below + 1);
    }
    SHUFFLE_RANK(ITEMS - 1)
#define RANK(k) (ranks[(k) / 2] >> (k) % 2 * 16 & 0xffff)
    barrier(CLK_LOCAL_MEM_FENCE);
    UNROLL for (uint k = 0; k < ITEMS; k++)
        keys[RANK(k)] = mine[k];

    // Under way while the work-group waits for its predecessors, but not before the
    // keys have left their registers.
    barrier(CLK_LOCAL_MEM_FENCE);
#if HAS_VALUES
    V held[ITEMS];
    if (valid == TILE) {
        UNROLL for (uint k = 0; k < ITEMS; k++)
            held[k] = RADIX_LOAD_VALUE(from + k * SUBGROUP);
    } else {
        UNROLL for (uint k = 0; k < ITEMS; k++)
            held[k] = within + k * SUBGROUP < valid ? RADIX_LOAD_VALUE(from + k * SUBGROUP) : (V)0;
    }
#endif
#ifdef RADIX_STALL // tests: some tiles are late
    for (uint spin = 0; tile % 3 == 0 && spin < RADIX_STALL; spin++)
        load_relaxed(&row[RADIX]);
#endif
    UNROLL for (uint j = 0; j < DIGITS; j++)
    {
        const uint d = lid * DIGITS + j;
        if (d < RADIX) {
            const uint earlier = look_back(status + d, tile);
            if (tile > 0)
                store_relaxed(&status[d], ALL | (earlier + counts[j]));
            if (more && base + TILE >= count)
                row[ROW + d] = row[d] + earlier + counts[j];
            words[d] = places[j] + earlier;
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE);

    // words[d] + q is the place of the tile's key q with digit d.
#if HAS_VALUES
    uint digits[(ITEMS + 3) / 4]; // four in a word
#endif
    UNROLL for (uint k = 0; k < ITEMS; k++)
    {
        const uint q = lid + k * WG;
        const K key = keys[q];
        const uint d = DIGIT(key);
        if (q < valid)
            keys_out[words[d] + q] = key;
#if HAS_VALUES
        digits[k / 4] = k % 4 ? digits[k / 4] | d << k % 4 * 8 : d;
#endif
    }
#if HAS_VALUES
    barrier(CLK_LOCAL_MEM_FENCE);
    UNROLL for (uint k = 0; k < ITEMS; k++)
        values[RANK(k)] = held[k];
    barrier(CLK_LOCAL_MEM_FENCE);
    UNROLL for (uint k = 0; k < ITEMS; k++)
    {
        const uint q = lid + k * WG;
        if (q < valid)
            values_out[words[digits[k / 4] >> k % 4 * 8 & 0xff] + q] = values[q];
    }
#endif
}

#elif RADIX_STEP == RADIX_REDUCE

// counts     (1 << bits) * tiles words: the number of keys of the tile with the
//            digit; after the scan, where the first of them goes
//
// One work-group for each tile of WG*ITEMS pairs, which is sorted in local memory,
// so that the writes are runs of equal digits.
//
// Local memory of radix_scatter: TILE*(sizeof(K)+2) + 36*WG + 1024.
#ifndef ITEMS
#error "ITEMS: pairs of a work-item"
#endif

#define TILE (WG * ITEMS)

KERNEL_WG(WG) radix_count(__global uint *counts, ulong n, ulong chunk, uint shift, uint bits RADIX_PARAMS)
{
    __local uint mine[RADIX];
    const ulong tiles = get_num_groups(0), tile = get_group_id(0);
    const uint mask = (1u << bits) - 1;
    for (uint d = get_local_id(0); d < RADIX; d += WG)
        mine[d] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    const ulong end = RADIX_END(tile);
    for (ulong i = RADIX_FIRST(tile) + get_local_id(0); i < end; i += WG)
        atomic_inc(&mine[DIGIT(RADIX_LOAD_KEY(i))]);
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint d = get_local_id(0); d <= mask; d += WG)
        counts[RADIX_COUNT_AT(tile, d)] = mine[d];
}

// Local sort by two half digits of at most 4 bits, each by counting: work-item t
// counts its ITEMS consecutive keys in column t of counters[half digit][t]; the
// scan of the counters in (half digit, work-item) order gives stable places.
#define HALF 16

DEFINE_WG_SCAN(wg_scan, uint, OP_ADD, 0u)

KERNEL_WG(WG) radix_scatter(
    __global const uint *counts, ulong n, ulong chunk, uint shift, uint bits,
    __global K *keys_out VALUES_OUT RADIX_PARAMS)
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

    for (uint q = lid; q < TILE; q += WG) {
        keys[q] = q < valid ? RADIX_LOAD_KEY(base + q) : (K)0;
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
        const ulong to = counts[RADIX_COUNT_AT(tile, d)] + (q - starts[d]);
        keys_out[to] = key;
        IF_VALUES(values_out[to] = RADIX_LOAD_VALUE(base + from[q]);)
    }
}

#elif RADIX_STEP == RADIX_CHUNKS

// counts     (1 << bits) * tiles words: the number of keys of the chunk with the
//            digit; after the scan, where the first of them goes
//
// tiles = number of chunks = number of work-items, each a work-group; a chunk has
// `chunk` pairs, fewer than 2^32.

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
    __global K *keys_out VALUES_OUT RADIX_PARAMS)
{
    const ulong tiles = get_num_groups(0), tile = get_group_id(0);
    const uint mask = (1u << bits) - 1;
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
}

#endif
