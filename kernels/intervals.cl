// intervals.cl: the intervals of an LCP array (Abouelhoda, Kurtz & Ohlebusch, Replacing suffix trees with enhanced
// suffix arrays, 2004): the inner nodes of the suffix tree.
//
// An interval of depth d is [l, r], l < r: lcp is less than d at l (or l is 0) and at r + 1 (or r + 1 is n), at least d
// in between, and d somewhere there. The first such slot j stands for the interval: no other interval has it. So slot j
// > 0 stands for one unless the last slot before it whose lcp is not greater is another than slot 0 and has the same
// lcp. lcp[0] counts as less than all.
//
// Nearest lesser values are found by a tree of minima (minima.cl, which precedes this file where no template is
// chosen).
//
//   intervals_bounds      (l, r) of the intervals that slots stand for and filters accept; (0, 0) for others
//   INTERVALS_KEPT        template of the compaction (compact.cl): those, one after the other
//   INTERVALS_COLOURS     template of the radix sort: slots by colour
//   intervals_pairs       each slot and the one `distance` before of the same colour: where the least lcp between them
//                         is, the count goes up by one (Hui 1992). An interval holds both slots if it holds that one
//   INTERVALS_CHANGES     template of the scan: the last slot up to each one before which another symbol stands
//   INTERVALS_ALONE       template of the scan: the last slot up to each one at which an interval cannot be
//                         supermaximal
//   INTERVALS_SCORES      template of the radix sort: intervals, those of high scores first
//   intervals_gather      moves intervals
//   intervals_deepest     the greatest depth by number of documents
//   intervals_first       and which interval it is, the first of equal ones
//   intervals_settle      keeps it, unless an earlier part has one of that depth
//   intervals_before      the symbol before each suffix
//   intervals_documents   the document of each suffix
//   intervals_counts      numbers of documents of given intervals
//   INTERVALS_OFFSETS     template of the scan: the number of suffixes in the intervals before each one
//   intervals_occurrences the suffixes of intervals, one interval after the other
//   intervals_limit       takes intervals away whose prefix is longer than its first symbols allow, or cuts them
//
// On GPUs a work-item searches for each slot. On CPUs it goes through a tile with a stack, and searches where the tile
// does not tell.
//
// Launch: work-groups of WG, one for each tile of WG*ITEMS elements. Local memory: 16 bytes an element of
// intervals_bounds where IS_CPU, else none.

#if defined(INTERVALS_CHANGES)

#define T uint
#define OP OP_MAX
#define IDENTITY 0u
#define SCAN_PARAMS , __global const uint *symbols, __global const uint *sa, __global uint *changes
#define SCAN_LOAD(i)                                                                                      \
    ((i) > 0 && (symbols[i] != symbols[(i) - 1] || sa[i] == 0 || sa[(i) - 1] == 0) ? (uint)(i) : 0u)
#define SCAN_STORE(i, last, value) changes[i] = value

#elif defined(INTERVALS_ALONE)

// Where the same symbol stands before two slots of [l, r], marks has one in [l + 1, r]. Where an interval is inside of
// another, lcp changes in [l + 2, r].
#define T uint
#define OP OP_MAX
#define IDENTITY 0u
#define SCAN_PARAMS , __global const uint *lcp, __global uint *marks
#define SCAN_LOAD(i) \
    (marks[i] != 0 ? (uint)(i) + 1 : (i) > 0 && ((i) == 1 || lcp[i] != lcp[(i) - 1]) ? (uint)(i) : 0u)
#define SCAN_STORE(i, last, value) marks[i] = value

#elif defined(INTERVALS_COLOURS)

#define RADIX_PARAMS , __global const uint *colours
#define RADIX_LOAD_KEY(i) colours[i]
#define RADIX_LOAD_VALUE(i) ((uint)(i))

#else

// The score of an interval of `slots` suffixes.
#define BY_COUNT 0u
#define BY_DEPTH 1u
#define BY_AREA 2u

inline ulong score_of(ulong slots, ulong depth, uint by)
{
    return by == BY_COUNT ? slots : by == BY_DEPTH ? depth : slots * depth;
}

#if defined(INTERVALS_SCORES)

#define RADIX_PARAMS \
    , __global const uint *lefts, __global const uint *rights, __global const uint *depths, uint by, ulong highest
#define RADIX_LOAD_KEY(i) (highest - score_of((ulong)rights[i] - lefts[i] + 1, depths[i], by))
#define RADIX_LOAD_VALUE(i) ((uint)(i))

#elif defined(INTERVALS_KEPT)

// Slots from `from` on; intervals become entries from `have` on. sums are of pairs of slots in one document: their
// difference is how many of the slots are no first ones of a document.
#define COMPACT_PARAMS                                                                                         \
    , __global const uint2 *bounds, ulong from, ulong have, __global const uint *sa, __global const uint *lcp, \
        __global const uint *sums, __global uint *lefts, __global uint *rights, __global uint *depths,         \
        __global uint *positions, __global uint *documents
#define COMPACT_ITEM uint2
#define COMPACT_LOAD(i) bounds[i]
#define COMPACT_KEEP(i) (item.y != 0)
#define COMPACT_EMIT(i, to)                                                                   \
    {                                                                                         \
        lefts[have + (to)] = item.x, rights[have + (to)] = item.y;                            \
        depths[have + (to)] = lcp[from + (i)], positions[have + (to)] = sa[item.x];           \
        if (sums != 0)                                                                        \
            documents[have + (to)] = item.y - item.x + 1 - (sums[item.y] - sums[item.x]);     \
    }

#elif defined(INTERVALS_OFFSETS)

#define T ulong
#define OP OP_ADD
#define IDENTITY 0ul
#define SCAN_PARAMS , __global const uint *lefts, __global const uint *rights, __global ulong *offsets
#define SCAN_LOAD(i) ((ulong)rights[i] - lefts[i] + 1)
#define SCAN_STORE(i, before, value) \
    {                                \
        if ((i) == 0)                \
            offsets[0] = 0;          \
        offsets[(i) + 1] = value;    \
    }

#elif defined(SYMBOL)

#ifndef ITEMS
#error "ITEMS: elements of a work-item"
#endif

// 0 before the first suffix. Where symbols 0 are separators, what stands for them and for what is before the first
// suffix differs from slot to slot.
KERNEL_WG(WG) intervals_before(
    __global const SYMBOL *text, ulong n, __global const uint *sa, uint separators, __global uint *before)
{
    FOR_TILE(j, WG * ITEMS, n) {
        const ulong i = sa[j];
        const uint symbol = i > 0 && i < n ? text[i - 1] : 0;
        before[j] = separators && symbol == 0 ? 0x100 + (uint)(j & 1) : symbol;
    }
}

#else

#ifndef ITEMS
#error "ITEMS: elements of a work-item"
#endif
// ---- Intervals

// What intervals must have; an array that is null demands nothing. sums, most, least and fewer are inclusive sums of
// pairs of slots in one document: at distance 1, of more than the most occurrences, of the least ones less 1, and of
// the least ones.
typedef struct {
    uint min_depth, max_depth, min_count, max_count, min_documents, max_documents;
    __global const uint *changes, *alone, *sums, *most, *least, *fewer;
    __global const ulong *scores; // the score at worst - 1 has to be exceeded, if worst is not 0
    ulong worst;
    uint by;
} filter;

// How many of the pairs are in slots l to r.
inline uint pairs_in(__global const uint *sums, ulong l, ulong r) { return sums[r] - sums[l]; }

inline bool accepts(const filter *f, ulong l, ulong r, uint depth)
{
    const uint slots = (uint)(r - l + 1);
    bool good = depth >= f->min_depth && depth <= f->max_depth && slots >= f->min_count && slots <= f->max_count;
    if (good && f->worst > 0)
        good = score_of(slots, depth, f->by) > f->scores[f->worst - 1];
    if (good && f->changes != 0)
        good = f->changes[r] > l;
    if (good && f->alone != 0)
        good = f->alone[r] <= l + 1;
    if (good && f->most != 0)
        good = pairs_in(f->most, l, r) == 0;
    if (good && f->sums != 0) {
        const uint documents = slots - pairs_in(f->sums, l, r);
        good = documents >= f->min_documents && documents <= f->max_documents;
        if (good && f->fewer != 0) // as many documents have the least number
            good = pairs_in(f->least, l, r) - pairs_in(f->fewer, l, r) == documents;
    }
    return good;
}

// bounds[t] is of slot first + t, for t < count.
KERNEL_WG(WG) intervals_bounds(
    __global const uint *lcp, __global const uint *minima, ulong n, ulong first, ulong count, uint min_depth,
    uint max_depth, uint min_count, uint max_count, uint min_documents, uint max_documents,
    __global const uint *changes, __global const uint *alone, __global const uint *sums, __global const uint *most,
    __global const uint *least, __global const uint *fewer, __global const ulong *scores, ulong worst, uint by,
    __global uint2 *bounds)
{
    const lengths a = {lcp, minima, n};
    const filter f = {min_depth, max_depth, min_count, max_count, min_documents, max_documents, changes, alone,
                      sums, most, least, fewer, scores, worst, by};
#if IS_CPU
    // Slots whose interval has no end yet: the slot, or 0 if it stands for none, l, the last slot of that lcp, lcp.
    __local uint4 open[ITEMS];
    uint opened = 0;
    const ulong begin = first + (ulong)get_group_id(0) * ITEMS, end = min(begin + ITEMS, first + count);
    ulong known = max(begin, 1ul); // no slot from here on to the tile is a left bound of an open interval
    for (ulong j = begin; j < end; j++) {
        const uint depth = lcp[j];
        bounds[j - first] = (uint2)(0, 0);
        if (j == 0)
            continue;
        while (opened > 0 && open[opened - 1].w > depth) {
            const uint4 top = open[--opened];
            if (top.x > 0 && accepts(&f, top.y, j - 1, top.w))
                bounds[top.x - first] = (uint2)(top.y, (uint)(j - 1));
        }
        if (opened > 0 && open[opened - 1].w == depth) {
            open[opened - 1].z = (uint)j;
        } else {
            uint4 next = (uint4)((uint)j, 0, (uint)j, depth);
            if (opened > 0) {
                next.y = open[opened - 1].z;
            } else {
                const ulong l = last_at_most(&a, known, depth);
                known = l + 1;
                next.y = (uint)l;
                next.x = l == 0 || lcp[l] < depth ? next.x : 0;
            }
            open[opened++] = next;
        }
    }
    ulong after = end;
    while (opened > 0) {
        const uint4 top = open[--opened];
        if (top.x > 0 && top.w >= min_depth && top.w <= max_depth) {
            after = next_less(&a, after, top.w);
            if (accepts(&f, top.y, after - 1, top.w))
                bounds[top.x - first] = (uint2)(top.y, (uint)(after - 1));
        }
    }
#else
    FOR_TILE(t, WG * ITEMS, count) {
        const ulong j = first + t;
        const uint depth = lcp[j];
        uint2 found = (uint2)(0, 0);
        if (j > 0 && depth >= min_depth && depth <= max_depth) {
            const ulong l = last_at_most(&a, j, depth);
            if (l == 0 || lcp[l] < depth) {
                const ulong r = next_less(&a, j + 1, depth) - 1;
                if (accepts(&f, l, r, depth))
                    found = (uint2)((uint)l, (uint)r);
            }
        }
        bounds[t] = found;
    }
#endif
}

// slots are sorted by colour, and ascend in each. With sa, colours are symbols before suffixes: there is none before
// suffix 0, which is left out; distance is 1 then.
KERNEL_WG(WG) intervals_pairs(
    __global const uint *colours, __global const uint *slots, ulong n, ulong distance, __global const uint *sa,
    __global const uint *lcp, __global const uint *minima, __global uint *pairs)
{
    const lengths a = {lcp, minima, n};
    FOR_TILE(t, WG * ITEMS, n) {
        ulong back = distance;
        bool both = t >= back;
        if (both && sa != 0) {
            both = sa[slots[t]] != 0;
            back += sa[slots[t - 1]] == 0;
            both = both && t >= back;
        }
        if (both && colours[t] == colours[t - back])
            atomic_inc(&pairs[least_slot(&a, (ulong)slots[t - back] + 1, (ulong)slots[t] + 1)]);
    }
}

// ---- The best

// to[i] is from[order[i]], or from[i] if order is null, for i < m; scores are those that keys were made of.
KERNEL_WG(WG) intervals_gather(
    __global const uint *order, __global const ulong *keys, ulong highest, ulong m, __global const uint *left,
    __global const uint *right, __global const uint *depth, __global const uint *position,
    __global const uint *documents, __global uint *to_left, __global uint *to_right, __global uint *to_depth,
    __global uint *to_position, __global uint *to_documents, __global ulong *scores)
{
    FOR_TILE(i, WG * ITEMS, m) {
        const ulong from = order != 0 ? order[i] : i;
        to_left[i] = left[from];
        to_right[i] = right[from];
        to_depth[i] = depth[from];
        to_position[i] = position[from];
        if (documents != 0)
            to_documents[i] = documents[from];
        if (keys != 0)
            scores[i] = highest - keys[i];
    }
}

// ---- The deepest by number of documents

KERNEL_WG(WG) intervals_deepest(
    __global const uint *depth, __global const uint *documents, ulong m, __global uint *deepest)
{
    FOR_TILE(i, WG * ITEMS, m) {
        const uint of = documents[i], here = depth[i];
        if (load_relaxed(&deepest[of]) < here)
            atomic_max(&deepest[of], here);
    }
}

KERNEL_WG(WG) intervals_first(
    __global const uint *depth, __global const uint *documents, ulong m, __global const uint *deepest,
    __global uint *where)
{
    FOR_TILE(i, WG * ITEMS, m) {
        if (deepest[documents[i]] == depth[i])
            atomic_min(&where[documents[i]], (uint)i);
    }
}

// where becomes what it was before the part: all bits are set.
KERNEL_WG(WG) intervals_settle(
    ulong m, __global const uint *deepest, __global uint *where, __global const uint *left,
    __global const uint *right, __global const uint *position, __global uint *to_left, __global uint *to_right,
    __global uint *to_depth, __global uint *to_position)
{
    FOR_TILE(d, WG * ITEMS, m) {
        if (deepest[d] > to_depth[d]) {
            const uint i = where[d];
            to_left[d] = left[i];
            to_right[d] = right[i];
            to_position[d] = position[i];
            to_depth[d] = deepest[d];
        }
        where[d] = 0xffffffffu;
    }
}

// ---- Documents

// starts [m] of the documents, ascending; the first is 0.
KERNEL_WG(WG) intervals_documents(
    __global const uint *sa, ulong n, __global const uint *starts, ulong m, __global uint *documents)
{
    FOR_TILE(j, WG * ITEMS, n) {
        const uint i = sa[j];
        ulong from = 0, to = m;
        while (to - from > 1) {
            const ulong middle = from + (to - from) / 2;
            if (starts[middle] <= i)
                from = middle;
            else
                to = middle;
        }
        documents[j] = (uint)from;
    }
}

// given[q] are slots x to y - 1 of n, or none. sums are of pairs of slots in one document.
KERNEL_WG(WG) intervals_counts(
    __global const uint *sums, ulong n, __global const uint2 *given, ulong m, __global uint *counts)
{
    FOR_TILE(q, WG * ITEMS, m) {
        const uint2 slots = given[q];
        uint count = 0;
        if (slots.x < slots.y && slots.y <= n)
            count = slots.y - slots.x - pairs_in(sums, slots.x, slots.y - 1);
        counts[q] = count;
    }
}

// ---- Occurrences

// Suffixes first to first + count - 1 of those in m intervals, which have offsets [m + 1].
KERNEL_WG(WG) intervals_occurrences(
    __global const uint *sa, __global const uint *left, __global const ulong *offsets, ulong m, ulong first,
    ulong count, __global uint *positions)
{
    FOR_TILE(t, WG * ITEMS, count) {
        ulong low = 0, high = m - 1; // the last interval with no more than first + t suffixes before it
        while (low < high) {
            const ulong middle = (low + high + 1) / 2;
            if (offsets[middle] <= first + t)
                low = middle;
            else
                high = middle - 1;
        }
        positions[t] = sa[left[low] + (first + t - offsets[low])];
    }
}

// ---- Limits

// longest [n] by place in the text: the low 7 bits are how long a prefix there may be; with CUT set, longer common
// prefixes end there, else their depth becomes the greatest number. Every prefix of one that is too long must be
// allowed at all of its places or at none. Then what is taken away bounds nothing that stays.
#define CUT 0x80u

KERNEL_WG(WG) intervals_limit(__global const uint *sa, ulong n, __global const uchar *longest, __global uint *lcp)
{
    FOR_TILE(j, WG * ITEMS, n) {
        const uint limit = longest[sa[j]], most = limit & (CUT - 1);
        if (lcp[j] > most)
            lcp[j] = limit & CUT ? most : 0xffffffffu;
    }
}

#endif
#endif
