// matches.cl: exact matches between a reference and queries, from the suffix array and the LCP array of both together:
// the reference first, then the queries. Byte 0 separates sequences, and no common prefix reaches beyond one.
//
// A suffix of a query stands between two of the reference. The longest match at its position is the greater of the two
// lengths that it shares with them (matching statistics: Chang & Lawler 1994). All suffixes of the reference with at
// least `least` symbols in common with it are an interval of consecutive ones (Abouelhoda, Kurtz & Ohlebusch 2004). A
// match is left-maximal where different symbols stand before it, or a sequence begins.
//
//   MATCHES_RANKS         template of the scan: the suffixes of the reference among all, numbered
//   matches_unique        the longest match at each position of the queries, if it is unique in the reference and
//                         left-maximal
//   MATCHES_UNIQUE        template of the compaction: those, one after the other
//   matches_reference     what neighbouring suffixes of the reference share, and the class of the symbol before each
//   matches_classes       how many of BLOCK suffixes of the reference have each class
//   matches_count         how many matches begin at each position of the queries
//   MATCHES_QUERIES       template of the compaction: positions with matches
//   MATCHES_OFFSETS       template of the scan: the number of matches before each of these
//   matches_list          matches by number: each is found on its own, however many begin at one position
//
// Classes number the symbols; class 0 is that of separators, and of what is before the first symbol. Tables of classes
// hold inclusive sums over blocks and classes: only differences within one class mean something.
//
// Launch: work-groups of WG, one for each tile of WG*ITEMS elements. No local memory. minima.cl precedes this file
// where no template is chosen.

#if defined(MATCHES_RANKS)

#define T uint
#define OP OP_ADD
#define IDENTITY 0u
#define SCAN_PARAMS , __global const uint *sa, ulong references, __global uint *ranks, __global uint *slots
#define SCAN_LOAD(i) (sa[i] < references ? 1u : 0u)
#define SCAN_STORE(i, before, value)   \
    {                                  \
        ranks[i] = before;             \
        if ((value) != (before))       \
            slots[before] = (uint)(i); \
    }

#elif defined(MATCHES_UNIQUE)

#define COMPACT_PARAMS                                                                         \
    , __global const uint *lengths, __global const uint *places, ulong from, __global uint *references, \
        __global uint *queries, __global uint *matched
#define COMPACT_ITEM uint
#define COMPACT_LOAD(i) lengths[from + (i)]
#define COMPACT_KEEP(i) (item != 0)
#define COMPACT_EMIT(i, to)                                                                                   \
    {                                                                                                         \
        references[to] = places[from + (i)], queries[to] = (uint)(from + (i)), matched[to] = item; \
    }

#elif defined(MATCHES_QUERIES)

#define COMPACT_PARAMS , __global const uint *amounts, ulong from, __global uint *queries
#define COMPACT_KEEP(i) (amounts[from + (i)] != 0)
#define COMPACT_EMIT(i, to) queries[to] = (uint)(from + (i))

#elif defined(MATCHES_OFFSETS)

#define T ulong
#define OP OP_ADD
#define IDENTITY 0ul
#define SCAN_PARAMS , __global const uint *amounts, __global const uint *queries, __global ulong *offsets
#define SCAN_LOAD(i) ((ulong)amounts[queries[i]])
#define SCAN_STORE(i, before, value)    \
    {                                   \
        if ((i) == 0)                   \
            offsets[0] = 0;             \
        offsets[(i) + 1] = value;       \
    }

#else

#ifndef ITEMS
#error "ITEMS: elements of a work-item"
#endif
#ifndef BLOCK
#error "BLOCK: suffixes of the reference whose classes are counted together"
#endif

// Where a suffix of a query stands: `next` suffixes of the reference are less. It shares so many symbols with the last
// of these and with the one after it, or 0 if it is less than is asked for.
typedef struct {
    ulong next;
    uint before, after;
} place;

inline place place_of(
    const lengths *a, __global const uint *ranks, __global const uint *slots, ulong references, ulong j, uint least)
{
    place p = {ranks[j], 0, 0};
    if (p.next > 0 && a->lcp[j] >= least) {
        const uint shared = least_between(a, (ulong)slots[p.next - 1] + 1, j + 1, least);
        p.before = shared >= least ? shared : 0;
    }
    if (p.next < references && j + 1 < a->n && a->lcp[j + 1] >= least) {
        const uint shared = least_between(a, j + 1, (ulong)slots[p.next] + 1, least);
        p.after = shared >= least ? shared : 0;
    }
    return p;
}

// ---- Unique matches

// lengths is all 0. text[references - 1] is a separator.
KERNEL_WG(WG) matches_unique(
    __global const uchar *text, __global const uint *sa, __global const uint *lcp, __global const uint *minima, ulong n,
    ulong references, __global const uint *ranks, __global const uint *slots, uint least, __global uint *matched,
    __global uint *places)
{
    const lengths a = {lcp, minima, n};
    FOR_TILE(j, WG * ITEMS, n) {
        const ulong i = sa[j];
        if (i >= references) {
            const place p = place_of(&a, ranks, slots, references, j, least);
            const uint length = max(p.before, p.after);
            if (p.before != p.after) {
                // The other neighbour of the one suffix that shares so much.
                const ulong r = p.before > p.after ? p.next - 1 : p.next;
                const ulong from = p.before > p.after ? r : r + 1;
                uint other = 0;
                if (from > 0 && from < references)
                    other = least_between(&a, (ulong)slots[from - 1] + 1, (ulong)slots[from] + 1, length);
                const ulong at = sa[slots[r]];
                const uchar left = text[i - 1];
                if (other < length && (at == 0 || left == 0 || text[at - 1] != left)) {
                    matched[i - references] = length;
                    places[i - references] = (uint)at;
                }
            }
        }
    }
}

// ---- All matches

KERNEL_WG(WG) matches_reference(
    __global const uchar *text, __global const uint *sa, __global const uint *lcp, __global const uint *minima, ulong n,
    ulong references, __global const uint *slots, uint least, __global const uchar *classes, __global uint *shared,
    __global uchar *lefts)
{
    const lengths a = {lcp, minima, n};
    FOR_TILE(r, WG * ITEMS, references) {
        const ulong j = slots[r], i = sa[j];
        shared[r] = r > 0 ? least_between(&a, (ulong)slots[r - 1] + 1, j + 1, least) : 0;
        lefts[r] = i > 0 ? classes[text[i - 1]] : 0;
    }
}

// table [classes * blocks] is all 0: class c of block b is entry c * blocks + b.
KERNEL_WG(WG) matches_classes(__global const uchar *lefts, ulong references, ulong blocks, __global uint *table)
{
    FOR_TILE(b, WG * ITEMS, blocks) {
        for (ulong r = b * BLOCK; r < min((b + 1) * BLOCK, references); r++)
            table[lefts[r] * blocks + b]++;
    }
}

// The suffixes of the reference with a class of the symbol before them.
typedef struct {
    __global const uchar *lefts;
    __global const uint *table; // exclusive sums
    ulong blocks;
} before;

// How many of the first x have class c; within one class only differences mean something.
inline uint in_class(const before *b, uint c, ulong x)
{
    uint count = b->table[c * b->blocks + x / BLOCK];
    for (ulong r = x / BLOCK * BLOCK; r < x; r++)
        count += b->lefts[r] == c;
    return count;
}

// How many of [from, to) have another class than c, or class 0.
inline uint others(const before *b, uint c, ulong from, ulong to)
{
    uint count = (uint)(to - from);
    if (c != 0 && to - from <= BLOCK) {
        for (ulong r = from; r < to; r++)
            count -= b->lefts[r] == c;
    } else if (c != 0) {
        count -= in_class(b, c, to) - in_class(b, c, from);
    }
    return count;
}

// The k-th of these, k from 0 on.
inline ulong other_at(const before *b, uint c, ulong from, ulong to, uint k)
{
    ulong r = from;
    uint seen = 0;
    if (c != 0 && to - from > BLOCK) {
        // The last block that begins with no more than k of them before it.
        const uint skipped = in_class(b, c, from);
        ulong low = from / BLOCK, high = (to - 1) / BLOCK;
        while (low < high) {
            const ulong middle = (low + high + 1) / 2;
            const uint before_it = (uint)(middle * BLOCK - from) - (b->table[c * b->blocks + middle] - skipped);
            if (before_it <= k)
                low = middle;
            else
                high = middle - 1;
        }
        if (low > from / BLOCK) {
            r = low * BLOCK;
            seen = (uint)(r - from) - (b->table[c * b->blocks + low] - skipped);
        }
    }
    if (c == 0) {
        r = from + k;
    } else {
        bool found = false;
        while (!found && r < to) {
            const bool counts = b->lefts[r] != c;
            found = counts && seen == k;
            seen += counts;
            r += !found;
        }
    }
    return min(r, to - 1);
}

// The suffixes of the reference that share `least` symbols or more with the suffix at a place: from, and to after it.
inline ulong2 interval_of(const lengths *r, const place *p, uint least)
{
    return (ulong2)(p->before > 0 ? last_at_most(r, p->next, least - 1) : p->next,
                    p->after > 0 ? next_less(r, p->next + 1, least) : p->next);
}

// counts is all 0.
KERNEL_WG(WG) matches_count(
    __global const uchar *text, __global const uint *sa, __global const uint *lcp, __global const uint *minima, ulong n,
    ulong references, __global const uint *ranks, __global const uint *slots, uint least, __global const uint *shared,
    __global const uint *least_shared, __global const uchar *classes, __global const uchar *lefts,
    __global const uint *table, ulong blocks, __global uint *counts, __global uint *places)
{
    const lengths a = {lcp, minima, n}, r = {shared, least_shared, references};
    const before b = {lefts, table, blocks};
    FOR_TILE(j, WG * ITEMS, n) {
        const ulong i = sa[j];
        if (i >= references) {
            const place p = place_of(&a, ranks, slots, references, j, least);
            const ulong2 found = interval_of(&r, &p, least);
            const uint count = found.x < found.y ? others(&b, classes[text[i - 1]], found.x, found.y) : 0;
            if (count > 0) {
                counts[i - references] = count;
                places[i - references] = (uint)j;
            }
        }
    }
}

// Matches first to first + count - 1 of those at queries [m], which have offsets [m + 1].
KERNEL_WG(WG) matches_list(
    __global const uchar *text, __global const uint *sa, __global const uint *lcp, __global const uint *minima, ulong n,
    ulong references, __global const uint *ranks, __global const uint *slots, uint least, __global const uint *shared,
    __global const uint *least_shared, __global const uchar *classes, __global const uchar *lefts,
    __global const uint *table, ulong blocks, __global const uint *places, __global const uint *queries,
    __global const ulong *offsets, ulong m, ulong first, ulong count, __global uint *to_reference,
    __global uint *to_query, __global uint *to_length)
{
    const lengths a = {lcp, minima, n}, r = {shared, least_shared, references};
    const before b = {lefts, table, blocks};
    FOR_TILE(t, WG * ITEMS, count) {
        ulong low = 0, high = m - 1; // the last query with no more than first + t matches before it
        while (low < high) {
            const ulong middle = (low + high + 1) / 2;
            if (offsets[middle] <= first + t)
                low = middle;
            else
                high = middle - 1;
        }
        const uint query = queries[low], j = places[query];
        const place p = place_of(&a, ranks, slots, references, j, least);
        const ulong2 all = interval_of(&r, &p, least);
        const uint left = classes[text[references + query - 1]];
        const ulong at = other_at(&b, left, all.x, all.y, (uint)(first + t - offsets[low]));
        const bool earlier = at < p.next;
        const uint between = least_between(&r, earlier ? at + 1 : p.next + 1, earlier ? p.next : at + 1, 0);
        to_reference[t] = sa[slots[at]];
        to_query[t] = query;
        to_length[t] = min(earlier ? p.before : p.after, between);
    }
}

#endif
