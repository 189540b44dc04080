// smem_search.cl: the kernels of smem.cl.
//
//   smem_table   the intervals of all strings of a length, from those of one less
//   smem_pack    letters of queries, in words of 16: two bits each, the first one highest (x), and a bit where it is
//                OTHER (y, 16 bits)
//   smem_search  the matches of all chunks, in any order
//   smem_order   the same in the order of chunks
//   smem_rows    rows of matches
//   smem_locate  positions of these
//
// A match [start, end) of a query occurs `hits` times or more, and no longer one with it does. `least` is the length
// that matters. A walker looks for the first match that begins at `from` or later: from the letter at from + least - 1
// to the left, until the string does not occur, and then anew from there; or if all of it occurs, to the right as far
// as it does. That is a match. The next one has the letter after it; to the left of that letter is where it begins.
//
// A chunk is a part of a query: matches that begin after `first`, and at `last` or before it. The first one of a query
// has those that begin at 0, too.
//
// Launch: search: as many work-items as one likes, which take chunks from a queue; TOGETHER at a time, so that a CPU
// waits for several. Others: a work-group for each WG*ITEMS elements.

#ifndef ITEMS
#error "ITEMS: elements of a work-item"
#endif
#ifndef INDEX_PARAMS
#error "INDEX_PARAMS: of an engine"
#endif
#ifndef INDEX_ARGS
#error "INDEX_ARGS: of an engine"
#endif
#ifndef LETTERS
#error "LETTERS: of an engine"
#endif
#ifndef TOGETHER
#error "TOGETHER: walkers of a work-item"
#endif

// ---- Table: 40 bits of each number

inline uint4 table_entry(interval v)
{
    return (uint4)((uint)v.row, (uint)v.other, (uint)v.size,
        (uint)(v.row >> 32) | (uint)(v.other >> 32) << 8 | (uint)(v.size >> 32) << 16);
}

inline interval table_interval(uint4 e)
{
    const interval v = {e.x | (ulong)(e.w & 255) << 32, e.y | (ulong)(e.w >> 8 & 255) << 32,
        e.z | (ulong)(e.w >> 16) << 32};
    return v;
}

// table[w] has the interval of string w, whose first letter is in the highest bits. A work-item reads the entry of a
// string of `length` letters, and writes those of all with a letter before it; one of these has its place.
KERNEL_WG(WG) smem_table(INDEX_PARAMS, uint length, __global uint4 *table)
{
    const ulong n = (ulong)1 << 2 * length;
    FOR_TILE(w, WG * ITEMS, n) {
        const interval v = length == 0 ? whole(INDEX_ARGS) : table_interval(table[w]);
        for (uint c = 0; c < 4; c++)
            table[c * n + w] = table_entry(extend(INDEX_ARGS, v, c, false));
    }
}

// ---- Letters

#define WORD 16

KERNEL_WG(WG) smem_pack(__global const uchar *text, ulong n, ulong words, __global uint2 *packed)
{
    FOR_TILE(w, WG * ITEMS, words) {
        const ulong from = w * WORD;
        uint letters = 0, others = 0;
        for (uint k = 0; k < WORD; k++) {
            const uint c = from + k < n ? text[from + k] | 32 : 0;
            const uint two = c >> 1 & 3, code = two ^ two >> 1;
            const bool is = c == (0x74676361u >> code * 8 & 255); // "acgt"
            letters = letters << 2 | (is ? code : 0);
            others = others << 1 | !is;
        }
        packed[w] = (uint2)(letters, others);
    }
}

inline uint letter_of(__global const uint2 *packed, uint place)
{
    const uint2 word = packed[place / WORD];
    const uint k = WORD - 1 - place % WORD;
    return word.y >> k & 1 ? OTHER : word.x >> 2 * k & 3;
}

#define NO_STRING 0xffffffffu

// The number of the string of k letters from `place` on, 0 < k <= WORD-1; NO_STRING with OTHER.
inline uint string_of(__global const uint2 *packed, uint place, uint k)
{
    const uint2 word = packed[place / WORD], next = packed[place / WORD + 1];
    const uint after = 2 * WORD - place % WORD - k;
    const uint others = (word.y << WORD | next.y) >> after & ((1u << k) - 1);
    const uint letters = (uint)(((ulong)word.x << 32 | next.x) >> 2 * after) & ((1u << 2 * k) - 1);
    return others ? NO_STRING : letters;
}

// ---- Search

#define OVER 0  // there are no more chunks
#define NEXT 1  // a chunk is to be taken
#define START 2 // a string that ends at `end` is to be begun
#define LEFT 3
#define RIGHT 4

typedef struct {
    uint chunk, begin, length, first, last;
    uint from, at, end; // [at, end) occurs
    uint phase, found;
    interval v;
} walker;

// table: of strings of k letters; none if k is 0. chunks: place of the query among all letters, length, first, last.
#define SEARCH_PARAMS                                                                                       \
    __global const uint4 *table, uint k, __global const uint2 *packed, __global const uint4 *chunks,        \
        uint count, uint least, ulong hits, __global uint *counters, __global uint *counts, uint room,      \
        __global uint4 *spans, __global ulong2 *places
#define SEARCH_ARGS table, k, packed, chunks, count, least, hits, counters, counts, room, spans, places

#define QUEUE 0 // counters: chunks that are taken
#define TOTAL 1 // matches, of which the first `room` are listed

// Lanes that are off may load from the rows of a walker, too: these are always rows.
inline walker walk_begin(void)
{
    const walker w = {0, 0, 0, 0, 0, 0, 0, 0, NEXT, 0, {0, 0, 0}};
    return w;
}

inline void walk_end(walker *w, __global uint *counts)
{
    counts[w->chunk] = w->found;
    w->phase = NEXT;
}

// Looks for a match that begins at `from`, if there is room for one.
inline void walk_from(walker *w, uint from, uint least, __global uint *counts)
{
    w->from = from;
    if (from > w->last || w->length < least || from > w->length - least) {
        walk_end(w, counts);
        return;
    }
    w->end = from + least;
    w->phase = START;
}

// Goes on by a letter.
inline void walk(INDEX_PARAMS, SEARCH_PARAMS, walker *w)
{
    if (w->phase == NEXT) {
        w->chunk = atomic_inc(counters + QUEUE);
        if (w->chunk >= count) {
            w->phase = OVER;
        } else {
            const uint4 chunk = chunks[w->chunk];
            w->begin = chunk.x;
            w->length = chunk.y;
            w->first = chunk.z;
            w->last = chunk.w;
            w->found = 0;
            walk_from(w, chunk.z, least, counts);
        }
    }
    bool occurs = true;
    if (w->phase == START) {
        w->phase = LEFT;
        w->at = w->end - k;
        w->v.size = 0;
        if (k > 0) {
            const uint string = string_of(packed, w->begin + w->at, k);
            if (string != NO_STRING)
                w->v = table_interval(table[string]);
        }
        if (w->v.size < hits) {
            const uint c = letter_of(packed, w->begin + w->end - 1);
            w->at = w->end - 1;
            if (c < LETTERS)
                w->v = single(INDEX_ARGS, c);
            occurs = c < LETTERS && w->v.size >= hits;
            w->at += !occurs;
        }
    }
    if (w->phase == LEFT && occurs && w->at == w->from)
        w->phase = RIGHT;
    const bool after = w->phase == RIGHT;
    const bool moves = after || w->phase == LEFT;
    const bool inside = moves && occurs && (!after || w->end < w->length);
    const uint c = inside ? letter_of(packed, w->begin + (after ? w->end : w->at - 1)) : LETTERS;
    interval next = {0, 0, 0};
    if (!IS_CPU || c < LETTERS) // on GPUs in no branch, as an engine may have loops
        next = extend(INDEX_ARGS, w->v, min(c, LETTERS - 1), after);
    next.size = c < LETTERS ? next.size : 0;
    if (moves) {
        if (next.size >= hits) {
            w->v = next;
            w->at -= !after;
            w->end += after;
        } else if (after) {
            if (w->from > w->first || w->from == 0) {
                const uint i = atomic_inc(counters + TOTAL);
                if (i < room) {
                    spans[i] = (uint4)(w->chunk, w->found, w->from, w->end);
                    places[i] = (ulong2)(w->v.row, w->v.size);
                }
                w->found++;
            }
            w->end++;
            w->phase = START;
            if (w->end > w->length)
                walk_end(w, counts);
        } else if (w->end - w->at >= least && w->at <= w->last) {
            w->from = w->at;
            w->phase = RIGHT;
        } else {
            walk_from(w, w->at, least, counts);
        }
    }
}

KERNEL_WG(WG) smem_search(INDEX_PARAMS, SEARCH_PARAMS)
{
#if TOGETHER == 1
    walker w = walk_begin();
    while (w.phase != OVER)
        walk(INDEX_ARGS, SEARCH_ARGS, &w);
#else
    walker w[TOGETHER];
    for (uint i = 0; i < TOGETHER; i++)
        w[i] = walk_begin();
    bool goes_on = true;
    while (goes_on) {
        goes_on = false;
        for (uint i = 0; i < TOGETHER; i++) {
            walk(INDEX_ARGS, SEARCH_ARGS, w + i);
            if (w[i].phase == LEFT || w[i].phase == RIGHT)
                expect(INDEX_ARGS, w[i].v, w[i].phase == RIGHT);
            goes_on |= w[i].phase != OVER;
        }
    }
#endif
}

// firsts[chunk]: how many matches chunks before it have. Of the n matches, spans and places get their order; a span is
// the query, start, end, and 0.
KERNEL_WG(WG) smem_order(
    __global const uint4 *spans, __global const ulong2 *places, __global const uint *firsts,
    __global const uint *queries, ulong n, __global uint4 *spans_out, __global ulong2 *places_out)
{
    FOR_TILE(i, WG * ITEMS, n) {
        const uint4 s = spans[i];
        const uint to = firsts[s.x] + s.y;
        if (to < n) { // else a driver has stopped a work-item
            spans_out[to] = (uint4)(queries[s.x], s.z, s.w, 0);
            places_out[to] = places[i];
        }
    }
}

// ---- Positions

#ifdef LOCATES

// The row of each position: firsts[m] tells how many positions the listed matches before m have, whose rows begin at
// starts[m].
KERNEL_WG(WG) smem_rows(
    __global const ulong *starts, __global const ulong *firsts, uint count, ulong n, __global ulong *positions)
{
    FOR_TILE(t, WG * ITEMS, n) {
        uint low = 0, high = count;
        while (high - low > 1) {
            const uint middle = low + (high - low) / 2;
            if (firsts[middle] <= t)
                low = middle;
            else
                high = middle;
        }
        positions[t] = starts[low] + (t - firsts[low]);
    }
}

// The place in the text of each row: how many letters are before it. Row k * every has samples[k]; that of row 0 is
// -1, since the text's own row leads to it. A work-item has TOGETHER rows at a time, and takes the next one for each
// that is done.
KERNEL_WG(WG) smem_locate(
    INDEX_PARAMS, __global const ulong *samples, uint every, ulong n, __global ulong *positions)
{
    ulong next = (ulong)get_group_id(0) * (WG * ITEMS) + get_local_id(0);
    const ulong end = min((ulong)get_group_id(0) * (WG * ITEMS) + WG * ITEMS, n);
    ulong at[TOGETHER], row[TOGETHER], steps[TOGETHER];
    UNROLL for (uint i = 0; i < TOGETHER; i++)
    {
        at[i] = next;
        row[i] = next < end ? positions[next] : 0;
        steps[i] = 0;
        next += WG;
    }
    bool goes_on = at[0] < end;
    while (goes_on) {
        goes_on = false;
        UNROLL for (uint i = 0; i < TOGETHER; i++)
        {
            if (at[i] < end) {
                if (row[i] % every == 0 || steps[i] >= rows) {
                    positions[at[i]] = samples[row[i] / every] + steps[i];
                    at[i] = next;
                    row[i] = next < end ? positions[next] : 0;
                    steps[i] = 0;
                    next += WG;
                } else {
                    row[i] = row[i] == primary ? 0 : longer(INDEX_ARGS, row[i]);
                    steps[i]++;
                }
                if (TOGETHER > 1)
                    expect_row(INDEX_ARGS, row[i]);
                goes_on |= at[i] < end;
            }
        }
    }
}

#endif
