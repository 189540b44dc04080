// suffixsort_tile.cl: which small groups of suffixes a work-group sorts, in their slots of sa. suffixsort.cl describes
// the arrays.
//
// Launch: one work-group of WG for each SLOTS slots, a tile. It sorts the small groups that start in the tile: it lists
// their slots, and takes WG*ITEMS of these at a time, or fewer, so that groups are whole. On CPU-shaped
// devices WG is 1.
//
// Local memory: 2 bytes for each of SLOTS + LIMIT, 1/4 more for bitmaps, 4 for each work-item.

#ifndef ITEMS
#error "ITEMS: elements of a work-item"
#endif
#ifndef LIMIT
#error "LIMIT: suffixes of a small group, at most 256"
#endif
#ifndef SLOTS
#error "SLOTS: slots of a work-group, a multiple of 32"
#endif

#define TILE_PARAMS ulong m, __global const uint *snapshot, __global const uint2 *classes

#if IS_CPU

// The first small group that begins from slot j on, and before `last`.
inline ulong next_group(TILE_PARAMS, ulong j, ulong last)
{
    while (j < last && !(IS_MEMBER(classes[j / 32].x, j) && IS_SET(snapshot, j)))
        j++;
    return j;
}

// How many suffixes the group has that begins at slot j.
inline uint group_size(TILE_PARAMS, ulong j)
{
    uint size_ = 1;
    while (size_ < LIMIT && j + size_ < m && !IS_SET(snapshot, j + size_))
        size_++;
    return size_;
}

#define TILE_ARGS m, snapshot, classes

#else

#define SPAN (WG * ITEMS)
#define WORDS (SPAN / 32)
#if WORDS > WG
#error "ITEMS: at most 32"
#endif
#define NONE 0u // no range: of another tile, or after the last

inline uint up_to(uint p) { return (2u << p % 32) - 1; }

// The last of the bits up to p; SPAN if there is none.
inline uint last_set(__local const uint *words, uint p)
{
    uint w = p / 32, word = words[w] & up_to(p);
    while (word == 0 && w > 0)
        word = words[--w];
    return word != 0 ? 32 * w + 31 - clz(word) : SPAN;
}

// The first of the bits after p; SPAN if there is none.
inline uint next_set(__local const uint *words, uint p)
{
    uint w = p / 32, word = words[w] & ~up_to(p);
    while (word == 0 && w + 1 < WORDS)
        word = words[++w];
    return word != 0 ? 32 * w + 31 - clz(word & (0u - word)) : SPAN;
}

inline void set_bit(__local uint *words, uint p) { atomic_or(&words[p / 32], 1u << p % 32); }
inline bool has_bit(__local const uint *words, uint p) { return words[p / 32] >> p % 32 & 1; }

// Tells heads, which were 0, whether element p begins a group.
inline void mark_head(__local uint *heads, uint p, bool head)
{
#if LANE_WORDS
    const ulong set = lane_ballot(head);
    if (p % 32 == 0)
        heads[p / 32] = (uint)(set >> p % SUBGROUP);
#else
    if (head)
        set_bit(heads, p);
#endif
}

DEFINE_WG_SCAN(wg_count, uint, OP_ADD, 0u)

// TILE_LOCALS declares the local memory of LIST_TILE and LOAD_GROUPS, but for heads (WORDS words) and tmp (WG words).
// LIST_TILE lists the slots of the tile and returns their number. LOAD_GROUPS takes whole groups from listed slot
// `done` on, and declares:
//   slot, range, suffix  of ITEMS listed slots of a work-item: the slot, the first and the end << 16 of its group among
//                        the slots taken, and the suffix, unless range is NONE
//   taken                the number of slots taken
// heads is 0 before a barrier; it gets the first slots of the groups.
#define TILE_WORDS ((SLOTS + LIMIT + 31) / 32)

#define TILE_LOCALS                                       \
    __local uint tile_small[TILE_WORDS], tile_heads[TILE_WORDS], tile_bounds[2]; \
    __local ushort tile_slots[32 * TILE_WORDS];
#define LIST_TILE(tmp) list_slots(snapshot, classes, m, tile_small, tile_heads, tile_bounds, tile_slots, tmp)

// Lists the slots, counted from the first of the tile, in small groups of several suffixes that begin in the tile. A
// group that begins before it belongs to another tile, one that goes on after it belongs to this one.
inline uint list_slots(
    __global const uint *snapshot, __global const uint2 *classes, ulong n, __local uint *small, __local uint *heads,
    __local uint *bounds, __local ushort *slots, __local uint *tmp)
{
    const uint lid = get_local_id(0);
    const ulong base = (ulong)get_group_id(0) * (SLOTS / 32);
    if (lid < 2)
        bounds[lid] = 32 * TILE_WORDS;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint w = lid; w < TILE_WORDS; w += WG) {
        const uint word = head_word(snapshot, base + w, n);
        small[w] = 32 * (base + w) < n ? classes[base + w].x : 0u;
        heads[w] = word;
        if (word != 0)
            atomic_min(&bounds[w < SLOTS / 32 ? 0 : 1], 32 * w + first_bit(word));
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    const uint begin = bounds[0], end = bounds[1];
    uint total = 0;
    for (uint from = 0; from < TILE_WORDS; from += WG) {
        const uint w = from + lid;
        uint mask = 0; // but the groups of one
        if (w < TILE_WORDS)
            mask = small[w] & ~(heads[w] & (heads[w] >> 1 | (w + 1 < TILE_WORDS ? heads[w + 1] << 31 : 0u)));
        if (32 * w < begin)
            mask &= begin - 32 * w < 32 ? ~0u << (begin - 32 * w) : 0u;
        if (32 * w + 32 > end)
            mask &= 32 * w < end ? (1u << (end - 32 * w)) - 1 : 0u;
        uint sum;
        uint to = total + wg_count(popcount(mask), tmp, &sum);
        for (; mask != 0; mask &= mask - 1)
            slots[to++] = (ushort)(32 * w + first_bit(mask));
        total += sum;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    return total;
}

#define LOAD_GROUPS(done, total, sa, heads)                                                                  \
    uint slot[ITEMS], range[ITEMS], suffix[ITEMS];                                                           \
    UNROLL for (uint k = 0; k < ITEMS; k++) {                                                                \
        const uint p = k * WG + get_local_id(0), s = (done) + p < (total) ? tile_slots[(done) + p] : 0u;     \
        slot[k] = (uint)((ulong)get_group_id(0) * SLOTS + s);                                                \
        mark_head(heads, p, (done) + p >= (total) || has_bit(tile_heads, s));                                \
    }                                                                                                        \
    barrier(CLK_LOCAL_MEM_FENCE);                                                                            \
    uint taken = (total) - (done);                                                                           \
    if (taken > SPAN)                                                                                        \
        taken = has_bit(tile_heads, tile_slots[(done) + SPAN]) ? SPAN : last_set(heads, SPAN - 1);           \
    UNROLL for (uint k = 0; k < ITEMS; k++) {                                                                \
        const uint p = k * WG + get_local_id(0);                                                             \
        range[k] = p < taken ? min(next_set(heads, p), taken) << 16 | last_set(heads, p) : NONE;             \
        if (range[k] != NONE)                                                                                \
            suffix[k] = (sa)[slot[k]];                                                                       \
    }

#endif
