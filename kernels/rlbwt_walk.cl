// rlbwt_walk.cl: where the suffixes of new strings would stand among those of an index: R of a suffix is how many
// suffixes of the index are less. A new $ is greater than all of the index. R of $ is the number of strings; that of cX
// follows from R of X by a step to the left.
//
// Strings are walked in pieces, all at once. What follows a piece is not known: it begins with the interval of all
// rows. R is low + d, where the interval is [low, high], and d is the R of what follows: a step that keeps the size
// keeps d, too. So R gets low, and the places of other steps, the events, are listed. An interval that has become empty
// leaves d = 0. Then the pieces are gone through from right to left, by their events alone.
//
//   text   n letters, each string with a 0 after it
//   from   [pieces + 1]uint, where pieces begin. A piece has letters of one string
//   ranks  [n]ulong, R times 8, and the letter before the suffix
//   events [pieces * EVENTS]uint, places, descending; shifts, the d after each
//   state  [pieces]: CLOSED: the interval is empty at the left end of the piece; OPEN; or LOST, more than EVENTS events
//   opened [pieces]: R is without d from here on, to the end of the piece
//
// Launch: walk, resolve: a work-item for each piece; apply: work-groups that take one piece after another.

#ifndef EVENTS
#error "EVENTS: events of a piece"
#endif

#define CLOSED 0
#define OPEN 1
#define LOST 2

#define PIECES_PARAMS                                                                                       \
    __global const uchar *text, __global const uint *from, ulong pieces, ulong strings, __global ulong *ranks, \
        __global uint *events, __global uint *counts, __global uint *state, __global uint *opened

// Ranks that are written together, two at a time: a work-item goes down in memory of its own, and single words would
// be written to the device one by one, each with the line that it is in.
typedef struct {
    ulong first, second, third, fourth; // of the last places, the lowest first
    uint held;
} rank_line;

inline void write_held(rank_line *line, __global ulong *ranks, uint i)
{
    if (line->held > 0)
        ranks[i] = line->first;
    if (line->held > 1)
        ranks[i + 1] = line->second;
    if (line->held > 2)
        ranks[i + 2] = line->third;
    if (line->held > 3)
        ranks[i + 3] = line->fourth;
    line->held = 0;
}

// Holds the rank of i, the place before the one that it held last.
inline void hold_rank(rank_line *line, __global ulong *ranks, uint i, ulong rank)
{
    line->fourth = line->third;
    line->third = line->second;
    line->second = line->first;
    line->first = rank;
    line->held++;
    if (i % 4 != 0)
        return;
    if (line->held == 4) {
        ((__global ulong2 *)ranks)[i / 2] = (ulong2)(line->first, line->second);
        ((__global ulong2 *)ranks)[i / 2 + 1] = (ulong2)(line->third, line->fourth);
        line->held = 0;
    } else {
        write_held(line, ranks, i);
    }
}

inline uint letter_before(__global const uchar *text, uint i) { return i > 0 ? text[i - 1] : 0; }

KERNEL_WG(WG) rlbwt_walk(INDEX_PARAMS, PIECES_PARAMS)
{
    const ulong piece = get_global_id(0);
    if (piece >= pieces)
        return;
    const uint first = from[piece], end = from[piece + 1];
    __global uint *own = events + piece * EVENTS;
    uint i = end, count = 0, open = rows > 0 ? first : end, found = rows > 0 ? OPEN : CLOSED;
    uint letter = text[end - 1];
    ulong low = 0, high = rows;
    rank_line line = {0, 0, 0, 0, 0};
    if (letter == 0) {
        i--;
        low = high = strings;
        letter = letter_before(text, i);
        hold_rank(&line, ranks, i, strings << LETTER_BITS | letter);
        open = end;
        found = CLOSED;
    }
    while (i > first) {
        i--;
        const uint next_letter = letter_before(text, i);
        const ulong2 both = step_both(INDEX_ARGS, letter, low, high);
        const ulong next = both.x, above = both.y;
        if (low != high) {
            if (above == next) {
                open = i + 1;
                found = CLOSED;
            } else if (above - next != high - low) {
                if (count == EVENTS) {
                    found = LOST;
                    i++; // which has no rank
                    break;
                }
                own[count++] = i;
            }
        }
        hold_rank(&line, ranks, i, next << LETTER_BITS | next_letter);
        letter = next_letter;
        low = next;
        high = above;
    }
    write_held(&line, ranks, i);
    counts[piece] = count;
    state[piece] = found;
    opened[piece] = open;
}

// The d of events: a work-item begins at a piece whose right neighbour is closed, and goes on while pieces are open.
// start[piece] is the d at its right end. Pieces that are lost are walked again.
KERNEL_WG(WG) rlbwt_resolve(INDEX_PARAMS, PIECES_PARAMS, __global ulong *start, __global ulong *shifts)
{
    ulong piece = get_global_id(0);
    if (piece >= pieces || text[from[piece + 1] - 1] == 0 || state[piece + 1] != CLOSED)
        return;
    ulong rank = ranks[from[piece + 1]] >> LETTER_BITS;
    for (;;) {
        const uint first = from[piece], end = from[piece + 1];
        ulong d = rank;
        if (state[piece] == LOST) {
            for (uint i = end; i > first;) {
                rank = step_left(INDEX_ARGS, text[--i], rank);
                ranks[i] = rank << LETTER_BITS | letter_before(text, i);
            }
            counts[piece] = 0;
            opened[piece] = end;
        } else {
            start[piece] = d;
            for (uint e = 0; e < counts[piece]; e++) {
                const uint i = events[piece * EVENTS + e];
                const ulong low = i + 1 < end ? ranks[i + 1] >> LETTER_BITS : 0;
                d = step_left(INDEX_ARGS, text[i], low + d) - (ranks[i] >> LETTER_BITS);
                shifts[piece * EVENTS + e] = d;
            }
            rank = (ranks[first] >> LETTER_BITS) + d;
        }
        if (state[piece] == CLOSED || piece == 0 || text[first - 1] == 0)
            return;
        piece--;
    }
}

// Adds d.
KERNEL_WG(WG) rlbwt_apply(
    __global const uint *from, ulong pieces, __global ulong *ranks, __global const uint *events,
    __global const uint *counts, __global const uint *opened, __global const ulong *start, __global const ulong *shifts)
{
    for (ulong piece = get_group_id(0); piece < pieces; piece += get_num_groups(0)) {
        const uint end = from[piece + 1], open = opened[piece], count = counts[piece];
        if (open >= end)
            continue;
        uint high = end;
        ulong d = start[piece];
        for (uint e = 0; e <= count; e++) {
            const uint low = e < count ? events[piece * EVENTS + e] + 1 : open;
            if (d > 0)
                for (uint i = low + get_local_id(0); i < high; i += WG)
                    ranks[i] += d << LETTER_BITS;
            high = low;
            if (e < count)
                d = shifts[piece * EVENTS + e];
        }
    }
}
