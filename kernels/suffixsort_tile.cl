// suffixsort_tile.cl: how work-groups share out small groups of suffixes, and where these are:
// LISTS 1, by a list of places; 0, by sa itself, of whose slots some are in small groups.
// suffixsort.cl describes the arrays.
//
// Launch: one work-group of WG for each STRIDE = WG*ITEMS - LIMIT elements, places or slots; it treats
// the groups that start among them, of at most LIMIT suffixes. On CPU-shaped devices WG is 1
// and STRIDE is ITEMS.

#ifndef LISTS
#error "LISTS: 1 if small groups are listed"
#endif
#ifndef ITEMS
#error "ITEMS: elements of a work-item"
#endif
#ifndef LIMIT
#error "LIMIT: suffixes of a small group, at most 256"
#endif

// Of element j: whether it is in a small group, begins one, its slot and depth.
#if LISTS
#define TILE_PARAMS __global const ulong *places, ulong places_at, ulong m, uint from, __global const uint *counts
#define ELEMENTS LISTED(m, counts, from)
#define IS_SMALL(j) true
#define IS_FIRST(j) HEAD_OF(places[places_at + (j)])
#define SLOT_AT(j) SLOT_OF(places[places_at + (j)])
#define DEPTH_AT(j) DEPTH_OF(places[places_at + (j)])
#else
#define TILE_PARAMS ulong m, __global const uint *snapshot, __global const uint2 *classes
#define ELEMENTS m
#define IS_SMALL(j) IN_CLASS(classes[(j) / 32].x, j)
#define IS_FIRST(j) IS_SET(snapshot, j)
#define SLOT_AT(j) ((uint)(j))
#define DEPTH_AT(j) depths[depths_at + DEPTH_INDEX(j, IS_FIRST(j))]
#endif

#if IS_CPU

// The first group that begins from element j on, and before `last`.
inline ulong next_group(TILE_PARAMS, ulong j, ulong last)
{
    while (j < last && !(IS_SMALL(j) && IS_FIRST(j)))
        j++;
    return j;
}

// How many suffixes the group has that begins at element j of `all`.
inline uint group_size(TILE_PARAMS, ulong j, ulong all)
{
    uint size_ = 1;
    while (size_ < LIMIT && j + size_ < all && !IS_FIRST(j + size_))
        size_++;
    return size_;
}

#if LISTS
#define TILE_ARGS places, places_at, m, from, counts
#else
#define TILE_ARGS m, snapshot, classes
#endif

#else

#define SPAN (WG * ITEMS)
#define STRIDE (SPAN - LIMIT)
#define WORDS (SPAN / 32)
#if WORDS > WG
#error "ITEMS: at most 32"
#endif
#define NONE 0u // no range: of another tile, or behind the last

inline uint up_to(uint p) { return (2u << p % 32) - 1; }

// The last of the bits up to p; SPAN if there is none.
inline uint last_set(__local const uint *words, uint p)
{
    uint w = p / 32, word = words[w] & up_to(p);
    while (word == 0 && w > 0)
        word = words[--w];
    return word != 0 ? 32 * w + 31 - clz(word) : SPAN;
}

// The first of the bits behind p; SPAN if there is none.
inline uint next_set(__local const uint *words, uint p)
{
    uint w = p / 32, word = words[w] & ~up_to(p);
    while (word == 0 && w + 1 < WORDS)
        word = words[++w];
    return word != 0 ? 32 * w + 31 - clz(word & (0u - word)) : SPAN;
}

inline void set_bit(__local uint *words, uint p) { atomic_or(&words[p / 32], 1u << p % 32); }
inline bool has_bit(__local const uint *words, uint p) { return words[p / 32] >> p % 32 & 1; }

// The group of element p of the tile: its first, and the end << 16.
inline uint range_of(__local const uint *heads, uint p, bool listed)
{
    const uint first = last_set(heads, p);
    return listed && first < STRIDE ? next_set(heads, p) << 16 | first : NONE;
}

// Declares, for the ITEMS elements of a work-item from `base` on: the slot, the range of its
// group, and the suffix if there is one. heads, WORDS words, is filled; it was 0 before a barrier.
#if LISTS

// Tells heads whether element p of the tile begins a group.
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

#define LOAD_GROUPS(base, all, sa, heads)                                                                    \
    uint slot[ITEMS], depth[ITEMS], range[ITEMS], suffix[ITEMS];                                             \
    UNROLL for (uint k = 0; k < ITEMS; k++) {                                                                \
        const uint p = k * WG + get_local_id(0);                                                             \
        /* the last group ends behind the last place */                                                      \
        const ulong place = (base) + p < (all) ? places[places_at + (base) + p] : PLACE(0, 0, 1);            \
        slot[k] = SLOT_OF(place);                                                                            \
        depth[k] = DEPTH_OF(place);                                                                          \
        mark_head(heads, p, HEAD_OF(place));                                                                 \
    }                                                                                                        \
    barrier(CLK_LOCAL_MEM_FENCE);                                                                            \
    UNROLL for (uint k = 0; k < ITEMS; k++) {                                                                \
        const uint p = k * WG + get_local_id(0);                                                             \
        range[k] = range_of(heads, p, (base) + p < (all));                                                   \
        if (range[k] != NONE)                                                                                \
            suffix[k] = (sa)[slot[k]];                                                                       \
    }

#else

#define LOAD_GROUPS(base, all, sa, heads)                                                                    \
    uint slot[ITEMS], range[ITEMS], suffix[ITEMS];                                                           \
    for (uint w = get_local_id(0); w < WORDS; w += WG)                                                       \
        heads[w] = head_word(snapshot, (base) / 32 + w, all);                                                \
    barrier(CLK_LOCAL_MEM_FENCE);                                                                            \
    UNROLL for (uint k = 0; k < ITEMS; k++) {                                                                \
        const uint p = k * WG + get_local_id(0);                                                             \
        const ulong j = (base) + p;                                                                          \
        slot[k] = (uint)j;                                                                                   \
        range[k] = j < (all) && IS_SMALL(j) ? range_of(heads, p, true) : NONE;                               \
        if (range[k] != NONE)                                                                                \
            suffix[k] = (sa)[j];                                                                             \
    }

#endif

#endif
