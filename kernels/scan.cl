// scan.cl: prefix combination of n values.
//
// In one pass where LOOK_BACK (lookback.cl): scan_tiles loads every element once and
// stores it once. Elsewhere reduce-then-scan (Sengupta et al. 2007; Merrill &
// Grimshaw 2009): scan_reduce reduces every tile, scan_partials scans the tile sums,
// scan_apply scans every tile starting from its sum.
//
// Launch: work-groups of WG, one for each tile of WG*ITEMS elements; scan_partials a
// single one.
//
// Template parameters, so that an algorithm can scan what it computes and use
// what it scans without an array between:
//   T, OP(a, b), IDENTITY   element type (uint, ulong, uint2, or uint4 whose w is 0) and
//                           operator: associative, commutative or not
//   SCAN_PARAMS             kernel parameters, each preceded by a comma
//   SCAN_LOAD(i)            value of element i; evaluated once or twice
//   SCAN_STORE(i, before, value)
//                           consumes element i: `before` combines the elements
//                           before i, `value` those up to and including it.
//                           It must not change what SCAN_LOAD of another element reads.
//
// Consecutive work-items load and store consecutive elements, or consecutive 16 bytes
// of plain arrays. Lanes scan rows of a subgroup by shuffles. Local memory: an element
// for each subgroup and one more; without lanes, WG*(ITEMS+1) elements.

#ifndef ITEMS
#error "ITEMS: elements of a work-item"
#endif
#ifndef LOOK_BACK
#error "LOOK_BACK: 1 or 0, from lookback.cl"
#endif
#ifndef T
#error "T: element type"
#endif
#ifndef OP
#error "OP(a, b): operator"
#endif
#ifndef IDENTITY
#error "IDENTITY: neutral element of OP"
#endif

// Without a template: in and out arrays, which may be the same, exclusive or
// inclusive.
#ifndef SCAN_PARAMS
#ifndef INCLUSIVE
#error "INCLUSIVE: 1 or 0"
#endif
#ifndef T_BYTES
#error "T_BYTES: sizeof(T)"
#endif
#define SCAN_PARAMS , __global const T *in, __global T *out
#define SCAN_LOAD(i) in[i]
#define SCAN_STORE(i, before, value) out[i] = INCLUSIVE ? (value) : (before)
#define STORED(results) ((results) + INCLUSIVE)
#if HAS_LANES && T_BYTES == 4 && ITEMS % 4 == 0
#define VEC 4
#define UNPACK(q, to)                                                  \
    {                                                                  \
        (to)[0] = q.x, (to)[1] = q.y, (to)[2] = q.z, (to)[3] = q.w;    \
    }
#define PACK(a, b, c, d) ((uint4)(a, b, c, d))
#elif HAS_LANES && T_BYTES == 8 && ITEMS % 2 == 0
#define VEC 2
#define UNPACK(q, to)                                              \
    {                                                              \
        (to)[0] = JOIN(as_, T)(q.lo), (to)[1] = JOIN(as_, T)(q.hi); \
    }
#define PACK(a, b, c, d) ((uint4)(as_uint2(a), as_uint2(b)))
#endif
#endif
#ifndef VEC
#define VEC 1
#endif

#define TILE (WG * ITEMS)
#define ROWS (ITEMS / VEC)
#define BATCH 8

// A tile in registers: work-item's element k is element FIRST + AT(k) of the tile.
// tile_scan makes each element the combination of its chunk up to it and returns that
// of the chunks before: a chunk is what a subgroup holds, or the tile. *total is that
// of the tile. previous(values, k, ...) is then the element before a work-item's k-th,
// a multiple of VEC.
#if HAS_LANES

#define CHUNKS (WG / SUBGROUP)
#define FIRST (sg_index() * (SUBGROUP * ITEMS) + sg_lane() * VEC)
#define AT(k) ((k) / VEC * VEC * SUBGROUP + (k) % VEC)
#define TILE_MEMORY CHUNKS

DEFINE_LANE_SCAN(scan_lanes, T, OP, IDENTITY)
DEFINE_SUBGROUP_SCAN(scan_subgroups, scan_lanes, T, OP, IDENTITY)

inline T tile_scan(T *values, __local T *tmp, T *total)
{
    // Some rows step by step together: the shuffles of one wait for each other.
    T carry = IDENTITY;
    UNROLL for (uint first = 0; first < ROWS; first += BATCH) {
        T sums[BATCH];
        UNROLL for (uint r = 0; r < BATCH; r++) {
            T *row = values + (first + r) * VEC;
            if (first + r < ROWS) {
                UNROLL for (uint k = 1; k < VEC; k++)
                    row[k] = OP(row[k - 1], row[k]);
                sums[r] = row[VEC - 1];
            }
        }
        UNROLL for (uint d = 1; d < SUBGROUP; d *= 2) {
            UNROLL for (uint r = 0; r < BATCH; r++) {
                if (first + r < ROWS) {
                    SCAN_STEP(T, OP, IDENTITY, sums[r], sg_lane(), d,
                              JOIN(lane_shuffle_, T)(sums[r], (sg_lane() - d) % SUBGROUP))
                }
            }
        }
        UNROLL for (uint r = 0; r < BATCH; r++) {
            T *row = values + (first + r) * VEC;
            if (first + r < ROWS) {
#if VEC == 1
                row[0] = OP(carry, sums[r]);
#else
                T left = LANE_BELOW(T, sums[r], JOIN(lane_shuffle_, T)(sums[r], (sg_lane() - 1) % SUBGROUP));
                left = sg_lane() > 0 ? OP(carry, left) : carry;
                UNROLL for (uint k = 0; k < VEC; k++)
                    row[k] = OP(left, row[k]);
#endif
                carry = OP(carry, LANE_LAST(T, sums[r]));
            }
        }
    }
    const T before = scan_subgroups(carry, tmp, total);
    return before;
}

// The last lane hands on its element of the row before.
inline T previous(const T *values, uint k, __local T *tmp)
{
    T last = values[k + VEC - 1];
    if (sg_lane() == SUBGROUP - 1)
        last = k > 0 ? values[k - 1] : IDENTITY;
    return LANE_BELOW(T, last, JOIN(lane_shuffle_, T)(last, (sg_lane() - 1) % SUBGROUP));
}

#else

#define FIRST get_local_id(0)
#define AT(k) ((k) * WG)
#define TILE_MEMORY (WG + TILE)

DEFINE_WG_SCAN(wg_scan, T, OP, IDENTITY)

inline T tile_scan(T *values, __local T *tmp, T *total)
{
    __local T *tile = tmp + WG, *mine = tile + get_local_id(0) * ITEMS;
    for (uint k = 0; k < ITEMS; k++)
        tile[FIRST + AT(k)] = values[k];
    barrier(CLK_LOCAL_MEM_FENCE);
    T sum = IDENTITY;
    for (uint k = 0; k < ITEMS; k++)
        sum = OP(sum, mine[k]);
    sum = wg_scan(sum, tmp, total);
    for (uint k = 0; k < ITEMS; k++) {
        sum = OP(sum, mine[k]);
        mine[k] = sum;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint k = 0; k < ITEMS; k++)
        values[k] = tile[FIRST + AT(k)];
    return IDENTITY;
}

inline T previous(const T *values, uint k, __local T *tmp)
{
    const uint at = FIRST + AT(k);
    return at > 0 ? tmp[WG + at - 1] : IDENTITY;
}

#endif

#if !LOOK_BACK

#if HAS_LANES
DEFINE_WG_SCAN(wg_scan, T, OP, IDENTITY)
#endif

// partials[tile] = combination of the tile's elements. n > 0.
KERNEL_WG(WG) scan_reduce(__global T *partials, ulong n SCAN_PARAMS)
{
    const ulong base = (ulong)get_group_id(0) * TILE;
    T total = IDENTITY;
#if IS_CPU
    for (ulong i = base; i < min(base + TILE, n); i++)
        total = OP(total, SCAN_LOAD(i));
#else
    __local T tmp[TILE_MEMORY];
    const uint left = (uint)min(n - base, (ulong)TILE), first = FIRST;
    T values[ITEMS];
    UNROLL for (uint k = 0; k < ITEMS; k++) {
        const uint at = first + AT(k);
        const ulong i = base + at;
        values[k] = IDENTITY;
        if (at < left)
            values[k] = SCAN_LOAD(i);
    }
    tile_scan(values, tmp, &total);
#endif
    if (get_local_id(0) == 0)
        partials[get_group_id(0)] = total;
}

// Exclusive scan of tiles partials in place; the combination of all goes to
// partials[tiles]. One work-group.
KERNEL_WG(WG) scan_partials(__global T *partials, ulong tiles)
{
    __local T tmp[WG];
    T carry = IDENTITY;
    for (ulong first = 0; first < tiles; first += WG) {
        const ulong i = first + get_local_id(0);
        T total;
        T before = wg_scan(i < tiles ? partials[i] : IDENTITY, tmp, &total);
        if (i < tiles)
            partials[i] = OP(carry, before);
        carry = OP(carry, total);
    }
    if (get_local_id(0) == 0)
        partials[tiles] = carry;
}

#endif

#if IS_CPU

// Scans every tile from its scanned partial.
KERNEL_WG(WG) scan_apply(__global const T *partials, ulong n SCAN_PARAMS)
{
    const ulong base = (ulong)get_group_id(0) * TILE;
    T before = partials[get_group_id(0)];
    for (ulong i = base; i < min(base + TILE, n); i++) {
        const T value = OP(before, SCAN_LOAD(i));
        SCAN_STORE(i, before, value);
        before = value;
    }
}

#else

#if LOOK_BACK
#ifndef DEFINE_LOOK_BACK
#error "DEFINE_LOOK_BACK: from lookback.cl"
#endif
DEFINE_LOOK_BACK(look_back, look_walk, T, OP, IDENTITY, JOIN(word_, T))
#define SCAN_TILES scan_tiles
#define SCAN_STATE STATUS_PARAMS
#else
#define SCAN_TILES scan_apply
#define SCAN_STATE __global const T *partials
#endif

// Scans every tile from the combination of the tiles before it: looked back for, or
// its scanned partial.
KERNEL_WG(WG) SCAN_TILES(SCAN_STATE, ulong n SCAN_PARAMS)
{
    __local T tmp[TILE_MEMORY];
#if LOOK_BACK
    __local uint ticket;
    __local T slot;
    NAME_STATUS
    const uint tile = take_tile(status, first_ticket, &ticket);
#else
    const uint tile = get_group_id(0);
#endif
    const ulong base = (ulong)tile * TILE;
    const uint left = (uint)min(n - base, (ulong)TILE), first = FIRST;

    // Load.
    T values[ITEMS];
#if VEC > 1
    if (left == TILE) {
        UNROLL for (uint k = 0; k < ITEMS; k += VEC) {
            const uint4 q = *(__global const uint4 *)(in + base + first + AT(k));
            UNPACK(q, values + k)
        }
    } else
#endif
    {
        UNROLL for (uint k = 0; k < ITEMS; k++) {
            const uint at = first + AT(k);
            const ulong i = base + at;
            values[k] = IDENTITY;
            if (at < left)
                values[k] = SCAN_LOAD(i);
        }
    }

    // Scan the tile, and look back for what the tiles before it are combined to.
    T total;
    T start = tile_scan(values, tmp, &total);
#if LOOK_BACK
    look_back_publish(status, tile, total);
    start = OP(look_back(status, tile, total, &slot), start);
#else
    start = OP(partials[tile], start);
#endif

    // Store.
    UNROLL for (uint row = 0; row < ITEMS; row += VEC) {
        T results[VEC + 1];
        results[0] = OP(start, previous(values, row, tmp));
        UNROLL for (uint k = 0; k < VEC; k++)
            results[k + 1] = OP(start, values[row + k]);
#if VEC > 1
        if (left == TILE) {
            const T *kept = STORED(results);
            *(__global uint4 *)(out + base + first + AT(row)) = PACK(kept[0], kept[1], kept[2], kept[3]);
        } else
#endif
        {
            UNROLL for (uint k = 0; k < VEC; k++) {
                const uint at = first + AT(row + k);
                if (at < left) {
                    const ulong i = base + at;
                    SCAN_STORE(i, results[k], results[k + 1]);
                }
            }
        }
    }
}

#endif
