// suffixsort_tile.cl: which small groups of suffixes a work-group sorts, in their slots of sa. suffixsort.cl describes
// the arrays.
//
// A tile is `span` slots, a multiple of 32. The work-group sorts the small groups that start in the tile: it lists
// their slots, and takes WG*ITEMS of these at a time, or fewer, so that groups are whole. On CPU-shaped devices WG is
// 1. classes is null where all groups are small.
//
// Launch: work-groups of WG.
//
// Local memory: 2 bytes for each of SLOTS + LIMIT, 1/4 more for bitmaps, 4 for each work-item.

#ifndef ITEMS
#error "ITEMS: elements of a work-item"
#endif
#ifndef LIMIT
#error "LIMIT: suffixes of a small group"
#endif
#ifndef SLOTS
#error "SLOTS: slots of a work-group, at most"
#endif

#define TILE_PARAMS ulong m, uint span, __global const uint *snapshot, __global const uint2 *classes
#define TILE_ARGS m, span, snapshot, classes

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

#else

#define ROOM (WG * ITEMS)
#define WORDS (ROOM / 32)
#if WORDS > WG
#error "ITEMS: at most 32"
#endif
#define NONE 0u // no range: of another tile, or after the last

inline uint up_to(uint p) { return (2u << p % 32) - 1; }

// The last of the bits up to p; ROOM if there is none.
inline uint last_set(__local const uint *words, uint p)
{
    uint w = p / 32, word = words[w] & up_to(p);
    while (word == 0 && w > 0)
        word = words[--w];
    return word != 0 ? 32 * w + 31 - clz(word) : ROOM;
}

// The first of the bits after p; ROOM if there is none.
inline uint next_set(__local const uint *words, uint p)
{
    uint w = p / 32, word = words[w] & ~up_to(p);
    while (word == 0 && w + 1 < WORDS)
        word = words[++w];
    return word != 0 ? 32 * w + 31 - clz(word & (0u - word)) : ROOM;
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

// list_slots lists the slots of a tile and returns their number. LOAD_GROUPS takes whole groups from listed slot `done`
// on, and declares:
//   slot, range, suffix  of ITEMS listed slots of a work-item: the slot, the first and the end << 16 of its group among
//                        the slots taken, and the suffix, unless range is NONE
//   taken                the number of slots taken
// heads is 0 before a barrier; it gets the first slots of the groups.
#define TILE_WORDS ((SLOTS + LIMIT + 31) / 32)

typedef struct {
    uint small[TILE_WORDS], heads[TILE_WORDS], bounds[2];
    ushort slots[32 * TILE_WORDS];
} tile_list;

// Lists the slots, counted from the first of the tile, in small groups of several suffixes that begin in the tile. A
// group that begins before it belongs to another tile, one that goes on after it belongs to this one.
inline uint list_slots(ulong tile, TILE_PARAMS, __local tile_list *list, __local uint *tmp)
{
    uint lid = get_local_id(0);
    OPAQUE(lid); // no conditions about it are kept from tile to tile
    const uint words = (span + LIMIT + 31) / 32;
    const ulong base = tile * (span / 32);
    if (lid < 2)
        list->bounds[lid] = 32 * words;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint w = lid; w < words; w += WG) {
        const uint word = head_word(snapshot, base + w, m);
        list->small[w] = 32 * (base + w) < m ? (classes != 0 ? classes[base + w].x : ~0u) : 0u;
        list->heads[w] = word;
        if (word != 0)
            atomic_min(&list->bounds[w < span / 32 ? 0 : 1], 32 * w + first_bit(word));
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    const uint begin = list->bounds[0], end = list->bounds[1];
    uint total = 0;
    for (uint from = 0; from < words; from += WG) {
        const uint w = from + lid;
        uint mask = 0; // but the groups of one
        if (w < words) {
            const uint next = w + 1 < words ? list->heads[w + 1] << 31 : 0u;
            mask = list->small[w] & ~(list->heads[w] & (list->heads[w] >> 1 | next));
        }
        if (32 * w < begin)
            mask &= begin - 32 * w < 32 ? ~0u << (begin - 32 * w) : 0u;
        if (32 * w + 32 > end)
            mask &= 32 * w < end ? (1u << (end - 32 * w)) - 1 : 0u;
        uint sum;
        uint to = total + wg_count(popcount(mask), tmp, &sum);
        for (; mask != 0; mask &= mask - 1)
            list->slots[to++] = (ushort)(32 * w + first_bit(mask));
        total += sum;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    return total;
}

#define LOAD_GROUPS(tile, lid, list, done, total, sa, heads)                                                      \
    uint slot[ITEMS], range[ITEMS], suffix[ITEMS];                                                           \
    UNROLL for (uint k = 0; k < ITEMS; k++) {                                                                \
        const uint p = k * WG + (lid), s = (done) + p < (total) ? (list)->slots[(done) + p] : 0u;  \
        slot[k] = (uint)((tile) * span + s);                                                                 \
        mark_head(heads, p, (done) + p >= (total) || has_bit((list)->heads, s));                             \
    }                                                                                                        \
    barrier(CLK_LOCAL_MEM_FENCE);                                                                            \
    uint taken = (total) - (done);                                                                           \
    if (taken > ROOM)                                                                                        \
        taken = has_bit((list)->heads, (list)->slots[(done) + ROOM]) ? ROOM : last_set(heads, ROOM - 1);     \
    UNROLL for (uint k = 0; k < ITEMS; k++) {                                                                \
        const uint p = k * WG + (lid);                                                             \
        range[k] = p < taken ? min(next_set(heads, p), taken) << 16 | last_set(heads, p) : NONE;             \
        if (range[k] != NONE)                                                                                \
            suffix[k] = (sa)[slot[k]];                                                                       \
    }

#endif
