// lrq.cl: the longest repeats that cover each position of a text (Tian & Xu, On longest
// repeat queries using GPU, 2015).
//
// raw[i] is the length of the longest repeat that starts at position i: the larger of the
// two LCP values next to its rank (Lemma 1). i + raw[i] never falls (Lemma 2). A repeat is
// useful if it is no part of the one that starts before it; useful ones are numbered from
// left to right, number c starts at starts[c], and upto[i] of them start at or before i.
// Every longest repeat is a useful one, and those that cover a position have consecutive
// numbers.
//
//   lrq_raw        raw, from suffix array and LCP array
//   LRQ_USEFUL     template of the compaction (compact.cl): starts, upto
//   lrq_maxima     the longest of blocks of 2^FANOUT_LOG useful repeats, or of blocks, and
//                  how many of them are that long
//   lrq_leftmost   start of the leftmost longest repeat of positions, or NONE
//   lrq_lengths    their lengths; NONE becomes 0 with length 0
//   lrq_count      number of longest repeats of positions
//   lrq_emit       their starts, ascending; with METHOD 2, those of positions that have up
//                  to PIECE
//   lrq_pieces     METHOD 2: those of the others, up to 2 * PIECE - 1 by a work-item
//
// METHOD says how the longest of those that cover position k is found:
//   0  a walk to the left from k over raw (Algorithms 1 and 3)
//   1  binary search and a walk to the right over the useful ones (Algorithms 2 and 4)
//   2  a walk to the left from number upto[k] - 1, of at most WALK steps, and then by the
//      blocks' maxima: O(log n). They are counted by blocks, too, and any of them is found
//      from its place in the order: O(log n)
//
// Launch: work-groups of WG, one for each tile of WG*ITEMS elements; lrq_pieces one for
// each WG*PIECE starts. No local memory.

#ifdef LRQ_USEFUL

// shortest, at least 1, is the length from which on repeats count.
#define COMPACT_PARAMS , __global const uint *raw, uint shortest, __global uint *starts, __global uint *upto
#define COMPACT_KEEP(i) (raw[i] >= max((i) > 0 ? raw[(i) - 1] : 0u, shortest))
#define COMPACT_EMIT(i, to) starts[to] = (uint)(i), upto[i] = (uint)(to) + 1
#define COMPACT_DROP(i, to) upto[i] = (uint)((i) - (to))

#else

#ifndef ITEMS
#error "ITEMS: elements of a work-item"
#endif
#ifndef METHOD
#error "METHOD: 0 to 2, how longest repeats are found"
#endif
#ifndef WALK
#error "WALK: steps before the maxima of blocks are used"
#endif
#ifndef PIECE
#error "PIECE: starts that a work-item lists"
#endif
#ifndef FANOUT_LOG
#error "FANOUT_LOG: logarithm of the number of children of a block"
#endif

#define NONE 0xffffffffu
#define FANOUT (1u << FANOUT_LOG)

// ---- Lemma 1

// length, or less if the record of position i ends before: ends[r] is the end of record r,
// the position after its last, ascending.
inline uint clip(uint length, ulong i, __global const uint *ends, uint records)
{
    uint from = 0, to = records;
    while (from < to) {
        const uint middle = from + (to - from) / 2;
        if (ends[middle] < i)
            from = middle + 1;
        else
            to = middle;
    }
    return from < records ? (uint)min((ulong)length, ends[from] - i) : length;
}

KERNEL_WG(WG) lrq_raw(
    __global const uint *sa, __global const uint *lcp, ulong n, __global const uint *ends, uint records,
    __global uint *raw)
{
    FOR_TILE(j, WG * ITEMS, n) {
        const ulong i = sa[j];
        const uint length = max(lcp[j], j + 1 < n ? lcp[j + 1] : 0u);
        if (i < n)
            raw[i] = clip(length, i, ends, records);
    }
}

// ---- Useful repeats and blocks of them

// The index of a text of n characters.
typedef struct {
    __global const uint *raw, *starts, *upto;
    __global const uint2 *maxima; // length, and how many are that long
    ulong n;
} useful;

inline uint length_of(const useful *u, ulong c) { return u->raw[u->starts[c]]; }

inline bool covers(const useful *u, ulong c, ulong k)
{
    const ulong start = u->starts[c];
    return start + u->raw[start] > k;
}

// The first of numbers [0, to) that ends after position k, or to. It is near to `to`, so
// the search doubles its steps from there.
inline ulong first_covering(const useful *u, ulong to, ulong k)
{
    ulong from = 0;
    for (ulong step = 1; step <= to && from == 0; step *= 2) {
        if (covers(u, to - step, k))
            to -= step;
        else
            from = to - step + 1;
    }
    while (from < to) {
        const ulong middle = (from + to) / 2;
        if (covers(u, middle, k))
            to = middle;
        else
            from = middle + 1;
    }
    return from;
}

// Block x of a level: FANOUT of the level below. Level 0 are the useful repeats; maxima
// holds the others, the lowest first, each with room for as many as n positions make.
typedef struct {
    ulong x, base;
    uint shift;
} block;

inline ulong blocks_at(ulong n, uint shift) { return (n + ((ulong)1 << shift) - 1) >> shift; }

inline void block_up(const useful *u, block *b)
{
    b->base += b->shift > 0 ? blocks_at(u->n, b->shift) : 0;
    b->shift += FANOUT_LOG;
    b->x >>= FANOUT_LOG;
}

inline void block_down(const useful *u, block *b)
{
    b->x <<= FANOUT_LOG;
    b->shift -= FANOUT_LOG;
    b->base -= b->shift > 0 ? blocks_at(u->n, b->shift) : 0;
}

inline uint2 block_max(const useful *u, const block *b)
{
    uint2 longest = (uint2)(0, 1);
    if (b->shift > 0)
        longest = u->maxima[b->base + b->x];
    else
        longest.x = length_of(u, b->x);
    return longest;
}

// The next block, as large as may begin there. x is 0 in lanes that are off only, for which
// llvmpipe waits.
inline void block_next(const useful *u, block *b)
{
    b->x++;
    while (b->x != 0 && (b->x & (FANOUT - 1)) == 0 && blocks_at(u->n, b->shift) > FANOUT)
        block_up(u, b);
}

// Down until no number of the block is `end` or more.
inline void block_inside(const useful *u, block *b, ulong end)
{
    while (b->shift > 0 && ((b->x + 1) << b->shift) > end)
        block_down(u, b);
}

// The first of the longest of numbers [c, end).
inline ulong first_longest(const useful *u, ulong c, ulong end)
{
    block b = {c, 0, 0}, best = b;
    uint longest = 0;
    while ((b.x << b.shift) < end) {
        block_inside(u, &b, end);
        const uint length = block_max(u, &b).x;
        if (length > longest) {
            longest = length;
            best = b;
        }
        block_next(u, &b);
    }
    while (best.shift > 0) {
        block_down(u, &best);
        while (block_max(u, &best).x != longest)
            best.x++;
    }
    return best.x;
}

// How many of block b are of that length, which none of them exceeds.
inline uint block_ties(const useful *u, const block *b, uint length)
{
    const uint2 longest = block_max(u, b);
    return longest.x == length ? longest.y : 0;
}

// How many of numbers [c, end) are of that length, which none of them exceeds.
inline ulong ties_of(const useful *u, ulong c, ulong end, uint length)
{
    block b = {c, 0, 0};
    ulong found = 0;
    while ((b.x << b.shift) < end) {
        block_inside(u, &b, end);
        found += block_ties(u, &b, length);
        block_next(u, &b);
    }
    return found;
}

// Which of numbers [c, end) is of that length, which none of them exceeds, and has
// `before` such before it; end if there are no more.
inline ulong tie_of(const useful *u, ulong c, ulong end, uint length, ulong before)
{
    block b = {c, 0, 0};
    ulong tie = end;
    while (tie == end && (b.x << b.shift) < end) {
        block_inside(u, &b, end);
        const uint found = block_ties(u, &b, length);
        if (found <= before) {
            before -= found;
            block_next(u, &b);
        } else if (b.shift > 0) {
            block_down(u, &b);
        } else {
            tie = b.x;
        }
    }
    return tie;
}

// A level of maxima: those of the level below are at maxima[below], or it is the useful
// repeats and shift is FANOUT_LOG. kept[0] is the number of these.
KERNEL_WG(WG) lrq_maxima(
    __global const uint *raw, __global const uint *starts, __global const ulong *kept, ulong blocks, uint shift,
    ulong below, ulong base, __global uint2 *maxima)
{
    const ulong m = kept[0], there = blocks_at(m, shift), children = blocks_at(m, shift - FANOUT_LOG);
    FOR_TILE(x, WG * ITEMS, min(blocks, there)) {
        const ulong end = min((x + 1) << FANOUT_LOG, children);
        uint2 longest = (uint2)(0, 0);
        for (ulong c = x << FANOUT_LOG; c < end; c++) {
            uint2 child = (uint2)(0, 1);
            if (shift > FANOUT_LOG)
                child = maxima[below + c];
            else
                child.x = raw[starts[c]];
            longest.y = child.x > longest.x ? child.y : child.x == longest.x ? longest.y + child.y : longest.y;
            longest.x = max(longest.x, child.x);
        }
        maxima[base + x] = longest;
    }
}

// ---- Queries

// No function returns it: Oclgrind does not know what clang makes of that.
#define USEFUL {raw, starts, upto, maxima, n}

inline uint leftmost(const useful *u, ulong k, uint shortest)
{
    uint best = 0, start = NONE;
#if METHOD == 0
    for (ulong i = k + 1; i-- > 0;) {
        const uint length = u->raw[i];
        if (i + length <= k)
            break;
        if (length >= max(best, shortest)) {
            best = length;
            start = (uint)i;
        }
    }
#elif METHOD == 1
    const ulong end = u->upto[k];
    for (ulong c = first_covering(u, end, k); c < end; c++) {
        const uint from = u->starts[c], length = u->raw[from];
        if (length > best) {
            best = length;
            start = from;
        }
    }
#else
    const ulong end = u->upto[k];
    ulong c = end;
    uint steps = 0;
    while (c > 0 && steps < WALK) {
        const uint from = u->starts[c - 1], length = u->raw[from];
        if (from + (ulong)length <= k)
            break;
        if (length >= best) {
            best = length;
            start = from;
        }
        c--;
        steps++;
    }
    if (steps == WALK && c > 0 && covers(u, c - 1, k))
        start = u->starts[first_longest(u, first_covering(u, c, k), end)];
#endif
    return start;
}

// out[i] is that of position positions[i], or of first + i if there are no positions. out
// may be upto then, first being 0.
KERNEL_WG(WG) lrq_leftmost(
    __global const uint *raw, __global const uint *starts, __global const uint2 *maxima, ulong n, __global uint *upto,
    uint shortest, __global const uint *positions, ulong first, ulong count, __global uint *out)
{
    const useful u = USEFUL;
    FOR_TILE(i, WG * ITEMS, count) {
        const ulong k = positions != 0 ? positions[i] : first + i;
        out[i] = k < n ? leftmost(&u, k, shortest) : NONE;
    }
}

KERNEL_WG(WG) lrq_lengths(__global const uint *raw, ulong count, __global uint *start, __global uint *lengths)
{
    FOR_TILE(i, WG * ITEMS, count) {
        const uint s = start[i];
        lengths[i] = s != NONE ? raw[s] : 0;
        if (s == NONE)
            start[i] = 0;
    }
}

// ties(u, k, s) is the number of the longest repeats of position k, the leftmost of which
// starts at s; list(u, k, s, first, last, out) writes where those of numbers first to
// last - 1 start. In lanes that are off, where loads give 0, the loops must end: llvmpipe
// waits for those, too.
#if METHOD == 2

inline ulong ties(const useful *u, ulong k, uint s) { return 1 + ties_of(u, u->upto[s], u->upto[k], u->raw[s]); }

inline void list(const useful *u, ulong k, uint s, ulong first, ulong last, __global uint *out)
{
    if (first == 0)
        out[0] = s;
    if (last > 1) { // few positions have others
        const ulong end = u->upto[k];
        const uint length = u->raw[s];
        ulong next = u->upto[s], before = first > 0 ? first - 1 : 0;
        for (ulong t = max(first, 1ul); t < last; t++) {
            const ulong c = tie_of(u, next, end, length, before);
            out[t - first] = u->starts[c];
            next = c + 1;
            before = 0;
        }
    }
}

#else

#if METHOD == 0
#define FOR_TIES(c)                   \
    for (ulong c = s; c < k + 1; c++) \
        if (u->raw[c] == length)
#define TIE_START(c) (uint)(c)
#else
#define FOR_TIES(c)                                                                       \
    for (ulong c##_end = u->upto[k], c = first_covering(u, c##_end, k); c < c##_end; c++) \
        if (length_of(u, c) == length)
#define TIE_START(c) u->starts[c]
#endif

inline ulong ties(const useful *u, ulong k, uint s)
{
    const uint length = u->raw[s];
    ulong found = 0;
    FOR_TIES(c) found++;
    return found;
}

inline void list(const useful *u, ulong k, uint s, ulong first, ulong last, __global uint *out)
{
    const uint length = u->raw[s];
    ulong i = 0;
    FOR_TIES(c) {
        if (i >= first && i < last)
            out[i - first] = TIE_START(c);
        i++;
    }
}

#endif

// counts[i] is that of position first + i; start[i] the leftmost of them.
KERNEL_WG(WG) lrq_count(
    __global const uint *raw, __global const uint *starts, __global const uint2 *maxima, ulong n,
    __global const uint *upto, __global const uint *start, ulong first, ulong count, __global ulong *counts)
{
    const useful u = USEFUL;
    FOR_TILE(i, WG * ITEMS, count) {
        const uint s = start[i];
        counts[i] = s != NONE ? ties(&u, first + i, s) : 0;
    }
}

// out[j - from] is number j of the starts of all of these positions, for j in [from, to);
// offsets[i] is the number of those of positions before first + i.
#if METHOD == 2
#define LONGEST_ROW PIECE
#else
#define LONGEST_ROW 0xfffffffful
#endif
KERNEL_WG(WG) lrq_emit(
    __global const uint *raw, __global const uint *starts, __global const uint2 *maxima, ulong n,
    __global const uint *upto, __global const uint *start, ulong first, ulong count, __global const ulong *offsets,
    ulong from, ulong to, __global uint *out)
{
    const useful u = USEFUL;
    FOR_TILE(i, WG * ITEMS, count) {
        const ulong a = max(offsets[i], from), b = min(offsets[i + 1], to);
        if (a < b && b - a <= LONGEST_ROW)
            list(&u, first + i, start[i], a - offsets[i], b - offsets[i], out + (a - from));
    }
}

#if METHOD == 2

// A work-item looks at out[p * PIECE]. If that is of a position with more than PIECE, it
// lists from there on, and what is before if nobody else looks at that.
KERNEL_WG(WG) lrq_pieces(
    __global const uint *raw, __global const uint *starts, __global const uint2 *maxima, ulong n,
    __global const uint *upto, __global const uint *start, ulong first, ulong count, __global const ulong *offsets,
    ulong from, ulong to, __global uint *out)
{
    const useful u = USEFUL;
    FOR_TILE(p, WG, (to - from + PIECE - 1) / PIECE) {
        const ulong j = from + p * PIECE;
        ulong i = 0, end = count;
        while (i < end) { // the first with offsets[i + 1] > j
            const ulong middle = (i + end) / 2;
            if (offsets[middle + 1] > j)
                end = middle;
            else
                i = middle + 1;
        }
        if (i < count) {
            const ulong a = max(offsets[i], from), b = min(offsets[i + 1], to);
            if (b > a + PIECE) {
                const ulong begin = a + PIECE > j ? a : j;
                list(&u, first + i, start[i], begin - offsets[i], min(b, j + PIECE) - offsets[i], out + (begin - from));
            }
        }
    }
}

#endif

#endif
