// suffixsort_groups.cl: a round of all small groups in one kernel. It sorts every group in its slots by a key of each
// suffix, and splits it. snapshot has the groups before. It follows suffixsort_keys.cl and suffixsort_tile.cl in a
// program; suffixsort.cl describes the arrays.
//
// Groups of up to COUNTED suffixes are sorted by counting: the place of a suffix in its group is the number of smaller
// words (key, place). Longer ones are sorted by all work-items, by a network (Batcher, Sorting networks and their
// applications, 1968). A group whose keys are all equal, as copies of text have, is not sorted.
//
//   ROUNDS 0  suffixsort_groups and, with DOUBLING, suffixsort_follow, which makes the keys of the next round
//   ROUNDS 1  suffixsort_rounds: all rounds that are left, in one launch; after globalbarrier.cl
//
// Launch: suffixsort_groups a work-group for each tile, as suffixsort_tile.cl has it, suffixsort_follow one of WG for
// WG elements or more, suffixsort_rounds as globalbarrier.cl has it.
//
// Local memory: 8.5 bytes for each of the WG*ITEMS suffixes, two more where groups are longer than COUNTED, 4 for each
// work-item, the table of the code, and what suffixsort_tile.cl has.

#ifndef COUNTED
#error "COUNTED: suffixes of a group that is sorted by counting, at most"
#endif
#ifndef ROUNDS
#error "ROUNDS: 1 for all rounds in one launch, 0 for one"
#endif
#ifndef TILE_PARAMS
#error "TILE_PARAMS: parameters, from suffixsort_tile.cl"
#endif
#ifndef KEY_PARAMS
#error "KEY_PARAMS: parameters, from suffixsort_keys.cl"
#endif

#if LIMIT > 1 << PLACE_BITS
#error "LIMIT: suffixes of a small group, more than places"
#endif

// A suffix's word: its key, and below it its place, which decides between equal ones.
#define SAME_KEY(a, b) (((a) ^ (b)) >> PLACE_BITS == 0)

#if DOUBLING
#define DEPTH_OF_KEY(key) 0u
#define WORD(key, at) ((key) | (at))
#define ENDS(suffix, depth) false
#else
#define DEPTH_OF_KEY(key) ((uint)(key) & 0xff)
#define WORD(key, at) ((key) & ~0xfful | (at))
#define ENDS(suffix, depth) REACHES_END(suffix, depth)
#endif

#if IS_CPU

KERNEL_WG(WG) suffixsort_groups(TILE_PARAMS, __global uint *groups, __global uint *sa, KEY_PARAMS)
{
    LOAD_TABLE
    ulong words[LIMIT];
    uint suffixes[LIMIT], depths_[LIMIT], at[LIMIT];
    bool last_of[LIMIT];
    const ulong begin = (ulong)get_group_id(0) * span, last = min(begin + span, m);
    for (ulong j = next_group(TILE_ARGS, begin, last); j < last; j = next_group(TILE_ARGS, j, last)) {
        const uint size_ = group_size(TILE_ARGS, j), slot = (uint)j, depth = DEPTH_AT(slot, true);
        for (uint p = 0; p < size_; p++) {
            suffixes[p] = sa[sa_at + slot + p];
            const ulong key = KEY_OF(suffixes[p], depth);
            depths_[p] = depth + DEPTH_OF_KEY(key);
            words[p] = WORD(key, p);
        }
        for (uint p = 0; p < size_; p++) {
            uint smaller = 0;
            for (uint q = 0; q < size_; q++)
                smaller += words[q] < words[p];
            at[smaller] = p;
        }
        // Which of them, in order, is the last of its group.
        for (uint r = 0; r < size_; r++) {
            const uint p = at[r];
            last_of[r] = r + 1 == size_ || !SAME_KEY(words[p], words[at[r + 1]]) ||
                         ENDS(suffixes[p], depths_[p]);
        }
        uint first = 0;
        for (uint r = 0; r < size_; r++) {
            const uint p = at[r];
            const bool starts = r == 0 || last_of[r - 1];
            first = starts ? r : first;
            sa[sa_at + slot + r] = suffixes[p];
#if DOUBLING
            if (first > 0)
                ranks[ranks_at + suffixes[p]] = slots[slots_at + slot] + first;
#endif
            NOTE_DEPTH(slot + r, depths_[p], starts);
            if (starts && r > 0)
                atomic_or(&groups[(slot + r) / 32], 1u << (slot + r) % 32);
        }
        j += size_;
    }
}

#else

// pairs: the words, two at a time. Bitmaps: heads, where groups begin; mixed, where groups of several keys begin;
// starts, where new groups begin; ended, suffixes that are sorted up to the end of the text.
typedef struct {
    ulong2 pairs[ROOM / 2];
    uint heads[WORDS], mixed[WORDS], starts[WORDS], ended[WORDS], tmp[WG];
    tile_list list;
#if LIMIT > COUNTED
    uint longs, ranges[ROOM / COUNTED]; // longer groups: how many, their ranges
    ushort to[ROOM];                    // where the suffix of each place goes
#endif
} tile_local;

#if LIMIT > COUNTED

// Sorts words by a network that compares in one direction only, so that their number need not be a power of two.
inline void sort_words(__local ulong *words, uint count, uint lid)
{
    for (uint block = 1; 1u << (block - 1) < count; block++) { // blocks of 2^block
        const uint pairs = (((count - 1) >> block) + 1) << (block - 1);
        for (uint far = block; far > 0; far--) {
            // The first step of a block compares from both ends, the others at a distance of half as much each.
            const uint flip = far == block ? (1u << block) - 1 : 1u << (far - 1), below = (1u << (far - 1)) - 1;
            for (uint c = lid; c < pairs; c += WG) {
                const uint i = (c & ~below) << 1 | (c & below), j = i ^ flip;
                if (j < count && words[j] < words[i]) {
                    const ulong less = words[j];
                    words[j] = words[i];
                    words[i] = less;
                }
            }
            barrier(CLK_LOCAL_MEM_FENCE);
        }
    }
}

#endif

// Sorts the groups of a tile. Returns whether a suffix of the work-item is not alone in its group afterwards.
__attribute__((always_inline)) inline bool sort_tile(
    ulong tile, TILE_PARAMS, __global uint *groups, __global uint *sa, KEY_PARAMS, __local tile_local *l TABLE_PARAM)
{
    __local uint *heads = l->heads, *mixed = l->mixed, *starts = l->starts, *ended = l->ended;
    __local ulong *words = (__local ulong *)l->pairs;
    uint lid = get_local_id(0);
    OPAQUE(lid);
    bool left = false;

    const uint elements = list_slots(tile, TILE_ARGS, &l->list, l->tmp);
    for (uint done = 0; done < elements;) {
        barrier(CLK_LOCAL_MEM_FENCE);
        for (uint w = lid; w < WORDS; w += WG) {
            heads[w] = 0;
            mixed[w] = 0;
            starts[w] = 0;
            ended[w] = 0;
        }
        barrier(CLK_LOCAL_MEM_FENCE);

        // Load as many groups as there is room for, with a word for each suffix.
        LOAD_GROUPS(tile, lid, &l->list, done, elements, sa + sa_at, heads)
        uint depth[ITEMS];
        ulong word[ITEMS];
        UNROLL for (uint k = 0; k < ITEMS; k++) {
            const uint p = k * WG + lid, first = range[k] & 0xffff;
            if (range[k] != NONE) {
                depth[k] = DEPTH_AT(slot[k], p == first);
                const ulong key = KEY_OF(suffix[k], depth[k]);
                word[k] = WORD(key, p - first);
                words[p] = word[k];
                slot[k] -= p - first; // of the first
                depth[k] += DEPTH_OF_KEY(key);
            }
        }
        barrier(CLK_LOCAL_MEM_FENCE);

        // Find the groups of several keys.
        UNROLL for (uint k = 0; k < ITEMS; k++) {
            const uint first = range[k] & 0xffff;
            if (range[k] != NONE && !SAME_KEY(words[first], word[k]))
                set_bit(mixed, first);
        }
        barrier(CLK_LOCAL_MEM_FENCE);

#if LIMIT > COUNTED
        // Sort the longer ones.
        __local uint *longs = &l->longs;
        if (lid == 0)
            *longs = 0;
        barrier(CLK_LOCAL_MEM_FENCE);
        UNROLL for (uint k = 0; k < ITEMS; k++) {
            const uint first = range[k] & 0xffff, end = range[k] >> 16;
            if (k * WG + lid == first && end > first + COUNTED && has_bit(mixed, first))
                l->ranges[atomic_inc(longs)] = range[k];
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        const uint count = *longs;
        for (uint g = 0; g < count; g++) {
            const uint first = l->ranges[g] & 0xffff, end = l->ranges[g] >> 16;
            sort_words(words + first, end - first, lid);
            for (uint r = first + lid; r < end; r += WG)
                l->to[first + ((uint)words[r] & ((1u << PLACE_BITS) - 1))] = (ushort)r;
            barrier(CLK_LOCAL_MEM_FENCE);
        }
#endif

        // Rank: count the smaller words of the group.
        uint to[ITEMS];
        UNROLL for (uint k = 0; k < ITEMS; k++) {
            const uint first = range[k] & 0xffff, end = range[k] >> 16;
            to[k] = k * WG + lid;
#if LIMIT > COUNTED
            if (range[k] != NONE && end - first > COUNTED && has_bit(mixed, first)) {
                to[k] = l->to[to[k]];
            } else
#endif
            if (range[k] != NONE && has_bit(mixed, first)) {
                to[k] = first;
                uint q = first;
                if (q % 2 == 1) {
                    to[k] += words[q] < word[k];
                    q++;
                }
                for (; q + 1 < end; q += 2) {
                    const ulong2 both = l->pairs[q / 2];
                    to[k] += (both.x < word[k] ? 1u : 0u) + (both.y < word[k] ? 1u : 0u);
                }
                if (q < end)
                    to[k] += words[q] < word[k];
            }
        }
        barrier(CLK_LOCAL_MEM_FENCE);

        // Scatter the words to local memory.
        UNROLL for (uint k = 0; k < ITEMS; k++) {
            if (range[k] != NONE) {
                words[to[k]] = word[k];
                if (ENDS(suffix[k], depth[k]))
                    set_bit(ended, to[k]);
            }
        }
        barrier(CLK_LOCAL_MEM_FENCE);

        // Find where the new groups start.
        UNROLL for (uint k = 0; k < ITEMS; k++) {
            if (range[k] != NONE) {
                const uint first = range[k] & 0xffff, r = to[k];
                if (r == first || !SAME_KEY(words[r - (r > first)], word[k]) || has_bit(ended, r - (r > first)))
                    set_bit(starts, r);
            }
        }
        barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE); // sa and depths have been read

        // Store the suffixes, their ranks and depths, and the new groups.
        UNROLL for (uint k = 0; k < ITEMS; k++) {
            if (range[k] != NONE) {
                const uint p = k * WG + lid, first = range[k] & 0xffff, r = to[k], to_slot = slot[k] + (r - first);
                if (r != p)
                    sa[sa_at + to_slot] = suffix[k];
                left |= !has_bit(starts, r);
#if DOUBLING
                const uint start = last_set(starts, r);
                if (start != first)
                    ranks[ranks_at + suffix[k]] = slots[slots_at + slot[k]] + (start - first);
#endif
                NOTE_DEPTH(to_slot, depth[k], has_bit(starts, r));
                if (r != first && has_bit(starts, r))
                    atomic_or(&groups[to_slot / 32], 1u << to_slot % 32);
            }
        }
        done += taken;
    }
    return left;
}

#if ROUNDS

#ifndef BARRIER_SHARED
#error "BARRIER_SHARED: words of local memory, from globalbarrier.cl"
#endif

#define MOST_ROUNDS 64 // chains become three times as long in each

// Sorts all groups, which are small, by keys of one word if `first`, then by the ranks along chains, until no two
// suffixes are in a group. keys and long_keys are scratch afterwards, and next is; ranks are right, groups are not.
KERNEL_WG(WG) suffixsort_rounds(
    uint m, uint span, __global uint *snapshot, __global uint *groups, __global uint *sa, ulong sa_at,
    __global uint *keys, ulong keys_at, __global uint *long_keys, ulong long_keys_at, __global uint *next,
    ulong next_at, __global const uint *slots, ulong slots_at, __global uint *ranks, ulong ranks_at, uint first,
    uint twice, __global uint *counts, uint at)
{
    __local tile_local local_;
    __local uint shared[BARRIER_SHARED];
    __global uint *state = counts + at, *later = keys + keys_at;
    uint party, calls = 0, barriers = 0;
    const uint number = join_barriers(state, shared, &party), share = m / max(party, 1u) + 1;
    uint begin = (uint)min((ulong)number * share, (ulong)m), end = min(begin + share, m);
    sa += sa_at;
    long_keys += long_keys_at;
    next += next_at;
    slots += slots_at;
    ranks += ranks_at;
    bool follow = !first, more = party > 0;
    // AMD has too few registers for what lanes share.
    OPAQUE(m);
    OPAQUE(span);
    OPAQUE(begin);
    OPAQUE(end);
    OPAQUE(state);
    OPAQUE(snapshot);
    OPAQUE(groups);
    OPAQUE(sa);
    OPAQUE(later);
    OPAQUE(long_keys);
    OPAQUE(next);
    OPAQUE(slots);
    OPAQUE(ranks);
    while (more && barriers < 2 * MOST_ROUNDS) {
        if (follow) {
            follow_chains(begin, end, ranks, m, next, twice, (__global ulong *)long_keys, later, groups, snapshot);
            __global uint *swapped = next;
            next = later;
            later = swapped;
        } else {
            for (uint x = begin + get_local_id(0); x < end; x += WG) {
                ((__global ulong *)long_keys)[x] = later[x];
                if (x < (m + 31) / 32)
                    snapshot[x] = groups[x];
            }
        }
        follow = true;
        global_barrier(state, shared, party, ++barriers);

        bool left = false;
        for (uint tile = number; tile * span < m; tile += party) {
            left |= sort_tile(
                tile, m, span, snapshot, 0, groups, sa, 0, long_keys, 0, 2, slots, 0, ranks, 0, &local_);
            barrier(CLK_LOCAL_MEM_FENCE); // PoCL 3.1 compiles the loop wrongly without
        }
        if (left)
            atomic_or(&shared[BARRIER_CALL], 1u);
        const uint called = global_barrier(state, shared, party, ++barriers);
        more = called != calls;
        calls = called;
    }
}

#else

KERNEL_WG(WG) suffixsort_groups(TILE_PARAMS, __global uint *groups, __global uint *sa, KEY_PARAMS)
{
    __local tile_local local_;
    LOAD_TABLE
    sort_tile(get_group_id(0), TILE_ARGS, groups, sa, KEY_ARGS, &local_ TABLE_ARG);
}

#endif

#endif

#if DOUBLING && !ROUNDS

// Makes the keys of the next round; an element is a number.
KERNEL_WG(WG) suffixsort_follow(
    __global const uint *ranks, ulong ranks_at, ulong m, __global const uint *next, ulong next_at, uint twice,
    __global uint *keys, ulong keys_at, __global uint *later, ulong later_at, __global const uint *groups,
    __global uint *snapshot)
{
    const ulong share = SHARE(m), begin = min(get_group_id(0) * share, m), end = min(begin + share, m);
    follow_chains(
        (uint)begin, (uint)end, ranks + ranks_at, (uint)m, next + next_at, twice, (__global ulong *)(keys + keys_at),
        later + later_at, groups, snapshot);
}

#endif
