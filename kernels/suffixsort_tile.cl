// suffixsort_tile.cl: how work-groups share out small groups of suffixes.
//
// Launch: one work-group of WG for each STRIDE = WG*ITEMS - LIMIT places; it treats the
// groups that start among them, of at most LIMIT suffixes. On CPU-shaped devices WG is 1
// and STRIDE is ITEMS.

#ifndef ITEMS
#error "ITEMS: suffixes of a work-item"
#endif
#ifndef LIMIT
#error "LIMIT: suffixes of a small group, at most 256"
#endif

#if IS_CPU

// The first group that begins from place j on, and before `last`; 0 begins one.
inline ulong first_group(__global const ulong *places, ulong j, ulong last)
{
    while (j < last && j > 0 && !HEAD_OF(places[j]))
        j++;
    return j;
}

// How many suffixes the group has that begins at place j of m.
inline uint group_size(__global const ulong *places, ulong j, ulong m)
{
    uint size_ = 1;
    while (size_ < LIMIT && j + size_ < m && !HEAD_OF(places[j + size_]))
        size_++;
    return size_;
}

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
inline uint last_bit(__local const uint *words, uint p)
{
    uint w = p / 32, word = words[w] & up_to(p);
    while (word == 0 && w > 0)
        word = words[--w];
    return word != 0 ? 32 * w + 31 - clz(word) : SPAN;
}

// The first of the bits behind p; SPAN if there is none.
inline uint next_bit(__local const uint *words, uint p)
{
    uint w = p / 32, word = words[w] & ~up_to(p);
    while (word == 0 && w + 1 < WORDS)
        word = words[++w];
    return word != 0 ? 32 * w + 31 - clz(word & (0u - word)) : SPAN;
}

inline void set_bit(__local uint *words, uint p) { atomic_or(&words[p / 32], 1u << p % 32); }
inline bool has_bit(__local const uint *words, uint p) { return words[p / 32] >> p % 32 & 1; }

// Tells heads, which were 0, whether place p of the tile begins a group.
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

// The group of place p of the tile: its first, and the end << 16.
inline uint range_of(__local const uint *heads, uint p, bool listed)
{
    const uint first = last_bit(heads, p);
    return listed && first < STRIDE ? next_bit(heads, p) << 16 | first : NONE;
}

// Declares, for the ITEMS places of a work-item from `base` on, of m: the place, the range of its
// group, and the suffix if there is one. heads was 0 for all before a barrier.
#define LOAD_GROUPS(places, base, m, sa, heads)                                                             \
    ulong place[ITEMS];                                                                                     \
    UNROLL for (uint k = 0; k < ITEMS; k++) {                                                               \
        const uint p = k * WG + get_local_id(0);                                                            \
        place[k] = (base) + p < (m) ? (places)[(base) + p] : PLACE(0, 0, 1); /* the last group ends */      \
    }                                                                                                       \
    UNROLL for (uint k = 0; k < ITEMS; k++)                                                                 \
        mark_head(heads, k * WG + get_local_id(0), HEAD_OF(place[k]));                                      \
    barrier(CLK_LOCAL_MEM_FENCE);                                                                           \
    uint range[ITEMS], suffix[ITEMS];                                                                       \
    UNROLL for (uint k = 0; k < ITEMS; k++) {                                                               \
        const uint p = k * WG + get_local_id(0);                                                            \
        range[k] = range_of(heads, p, (base) + p < (m));                                                    \
        if (range[k] != NONE)                                                                               \
            suffix[k] = (sa)[SLOT_OF(place[k])];                                                            \
    }

#endif
