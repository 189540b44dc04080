// radixsort_onesweep.cl: one pass of a radix sort in one kernel, over `count` pairs from pair `start` on: a portion of
// at most 2^30 (Adinets & Merrill, Onesweep, 2022).
//
// control    histogram of all passes, then a row of ROW words for each launch of the sort: places already taken by
//            the portions before, and the ticket
// row_at     where the row of this launch is; the next row gets the places if `more` portions of this pass follow
// status_at  where in control are RADIX words for each tile, 0 at first: 2 bits what, 30 bits how many keys with the
//            digit are in the tile (SOME), or up to its end (ALL)
// next_at    the same of the next launch, of next_tiles tiles: is cleared
//
// Launch: one work-group of WG for each tile of WG*ITEMS pairs; tiles are numbered by ticket.
// Local memory: the larger of WG*ITEMS keys or values and 1024 * WG / SUBGROUP, and 8 * WG or 1024.

#ifndef ITEMS
#error "ITEMS: pairs of a work-item"
#endif

#define TILE (WG * ITEMS)
#define ROW (RADIX + 32)
#define SUBGROUPS_OF_TILE (WG / SUBGROUP)

// Work-item t has the digits t * DIGITS and on in what is done for each digit.
#define DIGITS ((RADIX + WG - 1) / WG)

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

// Counters of digits: RADIX for each subgroup.
#define SUBGROUP_COUNTERS(counters) ((counters) + sg_index() * RADIX)

#define ADD2(a, b) ((a) + (b))
DEFINE_WG_SCAN(wg_scan2, uint2, ADD2, ((uint2)(0u, 0u)))

// LOAD_ITEMS loads the keys or the values of the tile: item k of a work-item is SUBGROUP places after item k-1. A
// macro, since RADIX_PARAMS are the kernel's.
#define LOAD_ITEMS(items, LOAD, padding)                                                                      \
    if (valid == TILE) {                                                                                      \
        UNROLL for (uint k = 0; k < ITEMS; k++)                                                               \
            items[k] = LOAD(first + k * SUBGROUP);                                                            \
    } else {                                                                                                  \
        UNROLL for (uint k = 0; k < ITEMS; k++)                                                               \
            items[k] = first_of_tile + k * SUBGROUP < valid ? LOAD(first + k * SUBGROUP) : padding;           \
    }

// Clears the status of the next launch: the part of this tile.
inline void clear_status(__global uint *next, uint tile, uint next_tiles)
{
    for (ulong t = tile; t < next_tiles; t += get_num_groups(0))
        for (uint d = get_local_id(0); d < RADIX; d += WG)
            next[t * RADIX + d] = 0;
}

// Adds the digits of the work-item's keys to the counters of its subgroup.
inline void count_digits(const K *keys, uint shift, uint mask, __local uint *counters)
{
    __local uint *of_subgroup = SUBGROUP_COUNTERS(counters);
    UNROLL for (uint k = 0; k < ITEMS; k++)
        atomic_inc(&of_subgroup[DIGIT(keys[k])]);
}

// Publishes how often each digit is in the tile. counts has that, and padded the same with the padding of the tile,
// which has digit `mask`. Returns the sums of padded and of the histogram.
inline uint2 publish_counts(
    __local const uint *counters, __global const uint *histogram, __global uint *status, uint tile, uint padding,
    uint mask, uint *counts, uint *padded)
{
    uint2 sum = (uint2)(0u, 0u);
    UNROLL for (uint j = 0; j < DIGITS; j++) {
        const uint d = get_local_id(0) * DIGITS + j;
        padded[j] = 0;
        counts[j] = 0;
        if (d < RADIX) {
            for (uint s = 0; s < SUBGROUPS_OF_TILE; s++)
                padded[j] += counters[s * RADIX + d];
            sum += (uint2)(padded[j], histogram[d]);
            counts[j] = padded[j] - (d == mask ? padding : 0);
            store_relaxed(&status[d], (tile == 0 ? ALL : SOME) | counts[j]);
        }
    }
    return sum;
}

// Turns the counters into where in the sorted tile the subgroup's next key with the digit goes. places gets where key
// 0 of the tile would go if it had the digit and no tile were before. `before` are the sums of publish_counts in the
// work-items before.
inline void offset_counters(
    __local uint *counters, __global const uint *histogram, __global const uint *row, uint2 before, const uint *padded,
    uint *places)
{
    UNROLL for (uint j = 0; j < DIGITS; j++) {
        const uint d = get_local_id(0) * DIGITS + j;
        places[j] = 0;
        if (d < RADIX) {
            uint to = before.x;
            for (uint s = 0; s < SUBGROUPS_OF_TILE; s++) {
                const uint c = counters[s * RADIX + d];
                counters[s * RADIX + d] = to;
                to += c;
            }
            places[j] = before.y + row[d] - before.x;
            before += (uint2)(padded[j], histogram[d]);
        }
    }
}

// Ranks of a work-item's keys in the sorted tile, two in a word.
#define RANK_WORDS ((ITEMS + 1) / 2)

inline void put_rank(uint *ranks, uint k, uint rank) { ranks[k / 2] = k % 2 ? ranks[k / 2] | rank << 16 : rank; }
inline uint get_rank(const uint *ranks, uint k) { return ranks[k / 2] >> k % 2 * 16 & 0xffff; }

// Ranks the keys: a subgroup takes an item of each lane at a time, and finds by ballots the lanes with the same digit,
// the last of which takes places from the digit's counter for all of them. tmp has WG words.
inline void rank_keys(
    const K *keys, uint shift, uint mask, __local uint *counters, __local uint *tmp, uint *ranks)
{
    __local uint *of_subgroup = SUBGROUP_COUNTERS(counters);
    // The counter's answer is shuffled when the next item has been matched: no waiting.
    uint start = 0, last = 0, below = 0;
    UNROLL_LANES for (uint k = 0; k < ITEMS; k++) {
        const uint digit = DIGIT(keys[k]);
        const ulong peers = sg_match(digit, RADIX_BITS, tmp);
        if (k > 0)
            put_rank(ranks, k - 1, sg_shuffle(start, last, tmp) + below);
        below = sg_prefix(peers);
        last = sg_last(peers);
        if (sg_lane() == last)
            start = atomic_add(&of_subgroup[digit], below + 1);
    }
    put_rank(ranks, ITEMS - 1, sg_shuffle(start, last, tmp) + below);
}

// The number of keys with a digit in the tiles before: `word` is the status of the tile for the digit. Two tiles at a
// time, so that their latencies overlap.
inline uint look_back(__global uint *word, uint tile)
{
    uint sum = 0;
    while (tile > 0) {
        const uint near = load_relaxed(word - RADIX);
        const uint far = tile > 1 ? load_relaxed(word - 2 * RADIX) : 0;
        if (near >= SOME) {
            sum += near & HOW_MANY;
            word -= RADIX;
            tile--;
            if (near >= ALL) {
                tile = 0;
            } else if (far >= SOME) {
                sum += far & HOW_MANY;
                word -= RADIX;
                tile = far >= ALL ? 0 : tile - 1;
            }
        }
        WAIT_IF(near < SOME)
    }
    return sum;
}

// Adds up what the tiles before have published, publishes the sums with the tile's own counts, and leaves in offsets
// where key 0 of the tile would go if it had the digit. `hands_on`: the next row gets the places taken so far.
inline void find_offsets(
    __global uint *status, uint tile, __global uint *row, bool hands_on, const uint *counts, const uint *places,
    __local uint *offsets)
{
    UNROLL for (uint j = 0; j < DIGITS; j++) {
        const uint d = get_local_id(0) * DIGITS + j;
        if (d < RADIX) {
            const uint before = look_back(status + d, tile);
            if (tile > 0)
                store_relaxed(&status[d], ALL | (before + counts[j]));
            if (hands_on)
                row[ROW + d] = row[d] + before + counts[j];
            offsets[d] = places[j] + before;
        }
    }
}

// Digits of the work-item's keys of the sorted tile, four in a word.
#define DIGIT_WORDS ((ITEMS + 3) / 4)

inline void put_digit(uint *digits, uint k, uint d) { digits[k / 4] = k % 4 ? digits[k / 4] | d << k % 4 * 8 : d; }
inline uint get_digit(const uint *digits, uint k) { return digits[k / 4] >> k % 4 * 8 & 0xff; }

// Tests delay some tiles, so that others have to wait for them.
#ifdef RADIX_STALL
inline void stall(uint tile, __global uint *ticket)
{
    for (uint spin = 0; tile % 3 == 0 && spin < RADIX_STALL; spin++)
        load_relaxed(ticket);
}
#else
#define stall(tile, ticket)
#endif

// One pass.
KERNEL_WG(WG) radix_pass(
    __global uint *control, uint row_at, uint more, uint place, uint shift, uint bits, ulong status_at, ulong next_at,
    uint next_tiles, ulong start, uint count, __global K *keys_out VALUES_OUT RADIX_PARAMS RADIX_LAST_PARAMS)
{
    __local ulong stage[(STAGE_BYTES + 7) / 8];
    __local uint2 scratch[SCRATCH_WORDS / 2];
    __local uint *counters = (__local uint *)stage; // then:
    __local K *keys = (__local K *)stage;           // the sorted tile's keys, then:
    IF_VALUES(__local V *values = (__local V *)stage;)
    __local uint *words = (__local uint *)scratch; // ticket, then for the lanes, then offsets
    __local uint shift_again;
    const uint lid = get_local_id(0), mask = (1u << bits) - 1;
    __global uint *row = control + row_at, *histogram = control + place * RADIX;

    // Take a ticket.
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

    // Load the keys. Padding has the largest digit, and stays last.
    const uint first_of_tile = sg_index() * (SUBGROUP * ITEMS) + sg_lane();
    const ulong first = start + base + first_of_tile;
    K own_keys[ITEMS];
    LOAD_ITEMS(own_keys, RADIX_LOAD_KEY, ~(K)0)
    clear_status(control + next_at, tile, next_tiles);

    // Count their digits, and publish the counts.
    count_digits(own_keys, shift, mask, counters);
    barrier(CLK_LOCAL_MEM_FENCE);
    uint counts[DIGITS], padded[DIGITS], places[DIGITS];
    const uint2 sum = publish_counts(counters, histogram, status, tile, TILE - valid, mask, counts, padded);

    // Rank them. By a shift that the compiler does not know: else it keeps all digits from the count, in registers
    // that decide how many work-groups there are.
    uint2 total;
    const uint2 before = wg_scan2(sum, scratch, &total);
    offset_counters(counters, histogram, row, before, padded, places);
    barrier(CLK_LOCAL_MEM_FENCE);
    uint ranks[RANK_WORDS];
    rank_keys(own_keys, shift_again, mask, counters, words, ranks);
    barrier(CLK_LOCAL_MEM_FENCE);

    // Scatter them to local memory.
    UNROLL for (uint k = 0; k < ITEMS; k++)
        keys[get_rank(ranks, k)] = own_keys[k];

    // Load the values. Under way while the work-group waits for the tiles before, but not before the keys have left
    // their registers.
    barrier(CLK_LOCAL_MEM_FENCE);
#if HAS_VALUES
    V own_values[ITEMS];
    LOAD_ITEMS(own_values, RADIX_LOAD_VALUE, (V)0)
#endif

    // Look back for the offsets: key q of the sorted tile, with digit d, goes to offsets[d] + q.
    stall(tile, &row[RADIX]);
    __local uint *offsets = words;
    find_offsets(status, tile, row, more && base + TILE >= count, counts, places, offsets);
    barrier(CLK_LOCAL_MEM_FENCE);

    // Scatter the keys, and keep their digits; then the values by way of local memory.
    uint digits[DIGIT_WORDS];
    UNROLL for (uint k = 0; k < ITEMS; k++) {
        const uint q = lid + k * WG;
        const K key = keys[q];
        const uint d = DIGIT(key);
        if (q < valid) {
            RADIX_STORE_KEY(offsets[d] + q, key);
        }
        put_digit(digits, k, d);
    }
#if HAS_VALUES
    barrier(CLK_LOCAL_MEM_FENCE);
    UNROLL for (uint k = 0; k < ITEMS; k++)
        values[get_rank(ranks, k)] = own_values[k];
    barrier(CLK_LOCAL_MEM_FENCE);
    UNROLL for (uint k = 0; k < ITEMS; k++) {
        const uint q = lid + k * WG;
        if (q < valid)
            RADIX_STORE_VALUE(offsets[get_digit(digits, k)] + q, values[q]);
    }
#endif
}
