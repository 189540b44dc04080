// lookback.cl: decoupled look-back (Merrill & Garland, Single-pass parallel prefix
// scan with decoupled look-back, 2016), for scan.cl and compact.cl: every tile
// publishes its total, combines what the tiles before it have published, from the
// nearest one back to one that knows its prefix, and publishes its own prefix.
//
// LOOK_BACK is 1 where a program may use it: a work-group only waits for work-groups
// that took a lower ticket, so the device has to run those on. Elsewhere the program
// makes two passes.
//
// Status: TICKET_WORDS words, of which the first is the counter of tickets, then the
// words of tile 0, of tile 1, ... Before the launch all of it is 0, and so is `run`; or
// `run` is the number of a launch that no word carries, below 2^22, and the counter of
// tickets is at `first_ticket`. With a single work-group it may be anything.
//
// A word of status is read and written as a whole and carries run, flag and payload, so
// it needs no order to other memory. What takes several words is complete when all
// of them carry the same flag of this run: each is written once for each flag, TOTAL
// before PREFIX, and never goes back.
//
// Launch: any number of work-groups, one for each tile. Local memory: a uint and an
// element.

#if FORWARD_PROGRESS && HAS_INT64_ATOMICS && !IS_CPU
#define LOOK_BACK 1
#else
#define LOOK_BACK 0
#endif

#if LOOK_BACK

#ifndef LOOK
#error "LOOK: predecessors that a work-item inspects at once"
#endif
#ifndef TICKETS
#error "TICKETS: 0 if work-groups start in the order of their numbers, else 1"
#endif

#define TICKET_WORDS 16

// Flags: what a tile has published.
#define NOTHING 0u
#define TOTAL 1u
#define PREFIX 2u

typedef struct {
    __global ulong *words;
    uint run;
} tile_status;

// The kernels' parameters of it.
#define STATUS_PARAMS __global ulong *status_words, uint first_ticket, uint status_run
#define NAME_STATUS const tile_status status = {status_words, status_run};

inline uint flag_of(uint run_and_flag, uint run)
{
    const uint flag = run_and_flag ^ run << 2;
    return flag <= PREFIX ? flag : NOTHING;
}

// The tile of this work-group: the number of those that asked before it, so that
// all of them are running or done.
inline uint take_tile(tile_status status, uint first_ticket, __local uint *ticket)
{
#if TICKETS
    if (get_local_id(0) == 0)
        *ticket = get_num_groups(0) > 1 ? atomic_inc((__global uint *)status.words) - first_ticket : 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    return *ticket;
#else
    return get_group_id(0);
#endif
}

// ---- What the words of a tile hold
//
// STATUS_write(status, tile, flag, x) and STATUS_read(status, tile, x), which returns
// the flag, and NOTHING where x is not complete. STATUS is
//   word_T   a word for each 32 bits of uint, ulong, uint2, or uint4 without its w
//   count_T  a word of 40 bits, of ulong

inline void write_word(__global ulong *word, uint run, uint flag, uint x)
{
    store_relaxed64(word, (ulong)(run << 2 | flag) << 32 | x);
}

inline void word_uint_write(tile_status status, ulong tile, uint flag, uint x)
{
    write_word(status.words + TICKET_WORDS + tile, status.run, flag, x);
}

inline uint word_uint_read(tile_status status, ulong tile, uint *x)
{
    const ulong word = load_relaxed64(status.words + TICKET_WORDS + tile);
    *x = (uint)word;
    return flag_of((uint)(word >> 32), status.run);
}

inline void word_uint2_write(tile_status status, ulong tile, uint flag, uint2 x)
{
    __global ulong *words = status.words + TICKET_WORDS + 2 * tile;
    write_word(words, status.run, flag, x.x);
    write_word(words + 1, status.run, flag, x.y);
}

inline uint word_uint2_read(tile_status status, ulong tile, uint2 *x)
{
    __global ulong *words = status.words + TICKET_WORDS + 2 * tile;
    const ulong low = load_relaxed64(words), high = load_relaxed64(words + 1);
    *x = (uint2)((uint)low, (uint)high);
    return low >> 32 == high >> 32 ? flag_of((uint)(low >> 32), status.run) : NOTHING;
}

inline void word_ulong_write(tile_status status, ulong tile, uint flag, ulong x)
{
    word_uint2_write(status, tile, flag, as_uint2(x));
}

inline uint word_ulong_read(tile_status status, ulong tile, ulong *x)
{
    uint2 halves;
    const uint flag = word_uint2_read(status, tile, &halves);
    *x = as_ulong(halves);
    return flag;
}

inline void word_uint4_write(tile_status status, ulong tile, uint flag, uint4 x)
{
    __global ulong *words = status.words + TICKET_WORDS + 3 * tile;
    write_word(words, status.run, flag, x.x);
    write_word(words + 1, status.run, flag, x.y);
    write_word(words + 2, status.run, flag, x.z);
}

inline uint word_uint4_read(tile_status status, ulong tile, uint4 *x)
{
    __global ulong *words = status.words + TICKET_WORDS + 3 * tile;
    const ulong a = load_relaxed64(words), b = load_relaxed64(words + 1), c = load_relaxed64(words + 2);
    *x = (uint4)((uint)a, (uint)b, (uint)c, 0u);
    return a >> 32 == b >> 32 && b >> 32 == c >> 32 ? flag_of((uint)(a >> 32), status.run) : NOTHING;
}

#define COUNT_BITS 40
#define COUNT_MASK ((1ul << COUNT_BITS) - 1)

inline void count_ulong_write(tile_status status, ulong tile, uint flag, ulong x)
{
    store_relaxed64(status.words + TICKET_WORDS + tile, (ulong)(status.run << 2 | flag) << COUNT_BITS | x);
}

inline uint count_ulong_read(tile_status status, ulong tile, ulong *x)
{
    const ulong word = load_relaxed64(status.words + TICKET_WORDS + tile);
    *x = word & COUNT_MASK;
    return flag_of((uint)(word >> COUNT_BITS), status.run);
}

// ---- Looking back

// Tests delay every third tile, so that the others have to wait for it.
#ifdef STALL
inline void stall(tile_status status, ulong tile)
{
    ulong seen = 0;
    if (tile % 3 == 1)
        for (uint i = 0; i < STALL; i++)
            seen |= load_relaxed64(status.words + TICKET_WORDS);
    if (seen == ~0ul) // never: keeps the loop
        store_relaxed64(status.words + 1, seen);
}
#else
#define stall(status, tile)
#endif

// DEFINE_LOOK_BACK(name, walk, T, OP, IDENTITY, STATUS) defines
//   void name_publish(tile_status status, ulong tile, T total)
//   T name(tile_status status, ulong tile, T total, __local T *slot)
// First a tile publishes its own total; between the two calls it can do what needs no
// other tile. The second returns the combination of the totals of all tiles before this
// one, to all work-items. slot is one element; walk is a helper.
//
// Tile 0 knows its prefix from the start, so that the walk ends there at the latest.
// One subgroup inspects LOOK * SUBGROUP predecessors at a time, the nearest ones in
// lane 0; without lanes, one work-item inspects LOOK.
#if HAS_LANES

#define LOOKERS (sg_index() == 0)
#define LOOKER (sg_index() == 0 && sg_lane() == 0)
#define DEFINE_WALK(name, T, OP, IDENTITY, STATUS)                                          \
    inline T name(tile_status status, ulong tile)                                           \
    {                                                                                       \
        const uint lane = sg_lane();                                                        \
        T prefix = IDENTITY;                                                                \
        ulong end = tile; /* the tiles from here on are in prefix */                        \
        while (end > 0) {                                                                   \
            T sum;                                                                          \
            ulong known, missing;                                                           \
            do {                                                                            \
                T x[LOOK];                                                                  \
                uint flags[LOOK];                                                           \
                for (uint j = 0; j < LOOK; j++) {                                           \
                    const uint back = lane * LOOK + j;                                      \
                    x[j] = IDENTITY;                                                        \
                    flags[j] = PREFIX;                                                      \
                    if (back < end)                                                         \
                        flags[j] = JOIN(STATUS, _read)(status, end - 1 - back, &x[j]);      \
                }                                                                           \
                uint flag = TOTAL;                                                          \
                sum = IDENTITY;                                                             \
                for (uint j = 0; j < LOOK; j++) {                                           \
                    if (flag == TOTAL) {                                                    \
                        sum = OP(x[j], sum);                                                \
                        flag = flags[j];                                                    \
                    }                                                                       \
                }                                                                           \
                known = lane_ballot(flag == PREFIX);                                        \
                missing = lane_ballot(flag == NOTHING);                                     \
                missing &= (known & (0ul - known)) - 1; /* before the first known prefix */ \
                WAIT_IF(missing != 0)                                                       \
            } while (missing != 0);                                                         \
            sum = (known & ((1ul << lane) - 1)) == 0 ? sum : IDENTITY;                      \
            FOLD_LANES(T, OP, IDENTITY, sum, lane)                                          \
            prefix = OP(sum, prefix); /* right in lane 0 */                                 \
            end = known != 0 ? 0 : end - LOOK * SUBGROUP;                                   \
        }                                                                                   \
        return prefix;                                                                      \
    }

#else

#define LOOKERS (get_local_id(0) == 0)
#define LOOKER LOOKERS
#define DEFINE_WALK(name, T, OP, IDENTITY, STATUS)                              \
    inline T name(tile_status status, ulong tile)                               \
    {                                                                           \
        T prefix = IDENTITY;                                                    \
        ulong end = tile; /* the tiles from here on are in prefix */            \
        while (end > 0) {                                                       \
            T x[LOOK];                                                          \
            uint flags[LOOK];                                                   \
            for (uint j = 0; j < LOOK; j++) {                                   \
                x[j] = IDENTITY;                                                \
                flags[j] = PREFIX;                                              \
                if (j < end)                                                    \
                    flags[j] = JOIN(STATUS, _read)(status, end - 1 - j, &x[j]); \
            }                                                                   \
            uint flag = TOTAL, used = 0;                                        \
            for (uint j = 0; j < LOOK; j++) {                                   \
                if (flag == TOTAL && flags[j] != NOTHING) {                     \
                    prefix = OP(x[j], prefix);                                  \
                    used++;                                                     \
                }                                                               \
                flag = flag == TOTAL ? flags[j] : flag;                         \
            }                                                                   \
            end = flag == PREFIX ? 0 : end - used;                                  \
        }                                                                       \
        return prefix;                                                          \
    }

#endif

#define DEFINE_LOOK_BACK(name, walk, T, OP, IDENTITY, STATUS)                         \
    DEFINE_WALK(walk, T, OP, IDENTITY, STATUS)                                        \
    inline void JOIN(name, _publish)(tile_status status, ulong tile, T total)         \
    {                                                                                 \
        if (LOOKER) {                                                                 \
            stall(status, tile);                                                      \
            JOIN(STATUS, _write)(status, tile, tile > 0 ? TOTAL : PREFIX, total);     \
        }                                                                             \
    }                                                                                 \
    inline T name(tile_status status, ulong tile, T total, __local T *slot)           \
    {                                                                                 \
        if (LOOKERS) {                                                                \
            const T prefix = walk(status, tile);                                      \
            if (LOOKER) {                                                             \
                if (tile > 0)                                                         \
                    JOIN(STATUS, _write)(status, tile, PREFIX, OP(prefix, total));    \
                *slot = prefix;                                                       \
            }                                                                         \
        }                                                                             \
        barrier(CLK_LOCAL_MEM_FENCE);                                                 \
        return *slot;                                                                 \
    }

#endif
