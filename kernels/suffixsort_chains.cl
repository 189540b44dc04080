// suffixsort_chains.cl: chains of groups. If the suffixes behind those of a group, one character each, are all of another
// group, and nothing else is in it, then they are in the same order: a group is not sorted that leads to another so. A chain
// ends in a group that has to be sorted, for those that lead to it, too: a representative.
// suffixsort.cl describes the arrays.
//
// It is read behind suffixsort.cl, and as there a macro chooses:
//   SUFFIXSORT_MAP     the kernels that treat every element on its own
//   SUFFIXSORT_SELECT  compaction: the suffixes of representatives, in order
//   SUFFIXSORT_MARKED  scan: how many of them start before each word of the text
//
// The suffixes of representatives are numbered in the order of the text, so that the number of those before a place is that of
// the next one, where the chain of that place ends. They are sorted as all are, with slots, groups and ranks
// of their own:
//
//   marks    where suffixes of representatives start in the text, 32 places a word, and how many do before
//   order    their numbers in order: what sa is of all
//   slots    their slots in sa
//   ranks    of each, by its number: the first slot of its group in order
//   next     of each, by its number: where the chain of the place ends that its group is sorted up to
//   keys     of each, by its slot in order: the rank of that place
//
// Launch: one work-group of WG for each WG*ITEMS elements.

typedef uint2 Marks;

// How many marks are before place i.
#define MARKED_BEFORE(marks, i) ((marks)[(i) / 32].y + popcount((marks)[(i) / 32].x & ((1u << (i) % 32) - 1)))

#ifdef SUFFIXSORT_MAP

#ifndef TILE
#error "TILE: elements of a work-group, from suffixsort.cl"
#endif

#define IS_UNSORTED(classes, r) IS_MEMBER((classes)[(r) / 32].x | (classes)[(r) / 32].y, r)

// Sets ends, by their first slots, of groups that do not lead to another: their suffixes lead to several, or to one that has
// others. isa are the ranks of all suffixes; none that is unsorted is the last of the text.
KERNEL_WG(WG) suffixsort_link(__global const uint *isa, __global const uint *sa, ulong n, __global const uint *groups, __global const uint *lasts, __global const uint2 *classes, __global uint *ends)
{
    const ulong end = min((ulong)(get_group_id(0) + 1) * TILE, n);
    for (ulong start = (ulong)get_group_id(0) * TILE + get_local_id(0); start < end; start += UNDER_WAY * WG) {
        bool unsorted[UNDER_WAY], head[UNDER_WAY];
        ulong here[UNDER_WAY], before[UNDER_WAY];
        UNROLL for (uint u = 0; u < UNDER_WAY; u++) {
            const ulong r = start + u * WG;
            unsorted[u] = r < end && IS_UNSORTED(classes, min(r, end - 1));
            head[u] = unsorted[u] && IS_SET(groups, r);
            here[u] = unsorted[u] ? sa[r] + 1ul : 0ul;
            before[u] = unsorted[u] && !head[u] ? sa[r - 1] + 1ul : here[u];
        }
        uint to[UNDER_WAY], others[UNDER_WAY];
        UNROLL for (uint u = 0; u < UNDER_WAY; u++) {
            to[u] = unsorted[u] ? isa[here[u]] : 0u;
            others[u] = unsorted[u] ? isa[before[u]] : 0u;
        }
        UNROLL for (uint u = 0; u < UNDER_WAY; u++) {
            if (!unsorted[u])
                continue;
            const ulong r = start + u * WG;
            const uint first = rank_of(groups, lasts, r);
            const ulong there = to[u] + (r - first); // the slot that corresponds to r
            bool leads = to[u] == others[u] && there < n && (head[u] || !IS_SET(groups, there));
            if (r + 1 == n || IS_SET(groups, r + 1))
                leads = leads && (there + 1 == n || IS_SET(groups, there + 1));
            if (!leads)
                atomic_or(&ends[first / 32], 1u << first % 32);
        }
    }
}

// Begins the sort of m suffixes of representatives: order has their places in the text before, and their numbers then.
KERNEL_WG(WG) suffixsort_represent(__global const uint *isa, ulong n, __global const uint *depths, ulong depths_at, __global const Marks *marks, ulong m, __global const uint *slots, ulong slots_at, __global uint *order, ulong order_at, __global uint *heads, __global uint *keys, ulong keys_at, __global uint *ranks, ulong ranks_at, __global uint *next, ulong next_at)
{
    __local uint words[TILE / 32];
    clear_heads(words);
    barrier(CLK_LOCAL_MEM_FENCE);
    FOR_TILE(j, TILE, m) {
        const uint place = order[order_at + j], slot = slots[slots_at + j], first = isa[place], number = MARKED_BEFORE(marks, place);
        const ulong behind = min((ulong)place + depths[depths_at + DEPTH_INDEX(slot, slot == first)], n - 1);
        const uint to = (uint)min((ulong)MARKED_BEFORE(marks, behind), m - 1); // none is behind it if it is alone
        set_head(words, j, slot == first);
        order[order_at + j] = number;
        keys[keys_at + j] = isa[behind];
        ranks[ranks_at + number] = (uint)j - (slot - first);
        next[next_at + number] = to;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    write_heads(words, m, heads);
}

// keys[j] = rank of where the chain of suffix j ends, which goes on from there to the next. For those that are unsorted.
KERNEL_WG(WG) suffixsort_follow(__global const uint *ranks, ulong ranks_at, __global const uint *order, ulong order_at, ulong m, __global const uint2 *classes, __global const uint *next, ulong next_at, __global uint *keys, ulong keys_at, __global uint *later, ulong later_at)
{
    const ulong end = min((ulong)(get_group_id(0) + 1) * TILE, m);
    for (ulong start = (ulong)get_group_id(0) * TILE + get_local_id(0); start < end; start += UNDER_WAY * WG) {
        bool unsorted[UNDER_WAY];
        uint number[UNDER_WAY], to[UNDER_WAY], rank[UNDER_WAY], then[UNDER_WAY];
        UNROLL for (uint u = 0; u < UNDER_WAY; u++) {
            const ulong j = start + u * WG;
            unsorted[u] = j < end && IS_UNSORTED(classes, min(j, end - 1));
            number[u] = unsorted[u] ? order[order_at + j] : 0u;
        }
        UNROLL for (uint u = 0; u < UNDER_WAY; u++)
            to[u] = unsorted[u] ? next[next_at + number[u]] : 0u;
        UNROLL for (uint u = 0; u < UNDER_WAY; u++) {
            rank[u] = unsorted[u] ? ranks[ranks_at + to[u]] : 0u;
            then[u] = unsorted[u] ? next[next_at + to[u]] : 0u;
        }
        UNROLL for (uint u = 0; u < UNDER_WAY; u++) {
            if (unsorted[u]) {
                keys[keys_at + start + u * WG] = rank[u];
                later[later_at + number[u]] = then[u];
            }
        }
    }
}

// shifts = by how much the sorted suffixes of representatives, by their numbers, are behind the first of the group that they had in sa.
KERNEL_WG(WG) suffixsort_shift(__global const uint *order, ulong order_at, __global const uint *slots, ulong slots_at, ulong m, __global const uint *groups, __global const uint *lasts, __global uint *shifts, ulong shifts_at)
{
    FOR_TILE(j, TILE, m) {
        const uint slot = slots[slots_at + j];
        shifts[shifts_at + order[order_at + j]] = slot - rank_of(groups, lasts, slot);
    }
}

// sorted = sa, the groups in the order of the representatives that their chains end in.
KERNEL_WG(WG) suffixsort_settle(__global const uint *sa, ulong n, __global const uint *groups, __global const uint *lasts, __global const uint2 *classes, __global const Marks *marks, __global const uint *shifts, ulong shifts_at, __global uint *sorted)
{
    const ulong end = min((ulong)(get_group_id(0) + 1) * TILE, n);
    for (ulong start = (ulong)get_group_id(0) * TILE + get_local_id(0); start < end; start += UNDER_WAY * WG) {
        uint suffix[UNDER_WAY], to[UNDER_WAY];
        bool unsorted[UNDER_WAY];
        UNROLL for (uint u = 0; u < UNDER_WAY; u++) {
            const ulong r = min(start + u * WG, end - 1);
            suffix[u] = sa[r];
            to[u] = (uint)r;
            unsorted[u] = IS_UNSORTED(classes, r);
        }
        UNROLL for (uint u = 0; u < UNDER_WAY; u++)
            if (unsorted[u])
                to[u] = rank_of(groups, lasts, to[u]) + shifts[shifts_at + MARKED_BEFORE(marks, suffix[u])];
        UNROLL for (uint u = 0; u < UNDER_WAY; u++)
            if (start + u * WG < end)
                sorted[to[u]] = suffix[u];
    }
}

#endif

#ifdef SUFFIXSORT_SELECT

#define COMPACT_PARAMS , __global const uint *sa, __global const uint *groups, __global const uint *lasts, __global const uint2 *classes, __global const uint *ends, uint room, __global uint *places, ulong places_at, __global uint *slots, ulong slots_at, __global uint *marked
#define COMPACT_KEEP(r) selected(groups, lasts, classes, ends, r)
#define COMPACT_EMIT(r, to)                                          \
    {                                                                \
        if ((to) < room) {                                           \
            const uint place = sa[r];                                \
            places[places_at + (to)] = place;                                 \
            slots[slots_at + (to)] = (uint)(r);                                 \
            atomic_or(&marked[place / 32], 1u << place % 32);        \
        }                                                            \
    }

inline bool selected(__global const uint *groups, __global const uint *lasts, __global const uint2 *classes, __global const uint *ends, ulong r)
{
    const uint2 class = classes[r / 32];
    if (!IS_MEMBER(class.x | class.y, r))
        return false;
    const uint first = rank_of(groups, lasts, r);
    return IS_SET(ends, first);
}

#endif

#ifdef SUFFIXSORT_MARKED

#define T uint
#define OP OP_ADD
#define IDENTITY 0u
#define SCAN_PARAMS , __global const uint *marked, __global Marks *marks
#define SCAN_LOAD(w) popcount(marked[w])
#define SCAN_STORE(w, before, value) marks[w] = (Marks)(marked[w], before)

#endif
