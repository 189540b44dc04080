// rlbwt_strings.cl: the strings of an index of rlbwt.cl. What stands before a row is read to the left, letter by
// letter, and each step needs the one before it. So strings are cut into pieces by splitters, and many walkers follow
// them at the same time (list ranking: Helman, JaJa 1999). Every 2^every rows have a splitter, at a hashed place, so
// that no regular text has them all in a row.
//
//   rlbwt_survey   follows all pieces: how long each is, and what follows it
//   rlbwt_letters  the letters of some pieces, or of parts of them
//   rlbwt_places   where the suffixes of sampled rows of some pieces begin
//
// Pieces from 0 on begin at `firsts`, the rows that are asked for, and go to the left; piece nfirsts + b begins at the
// splitter of block b. A piece ends before the next splitter, or where its string begins.
//
//   nodes [2 * pieces]ulong: the piece that follows, or WHOLE and the row of the whole string, or NO_PIECE, which no
//   transform of strings has; the number of letters
//
// Walker w has the pieces w, w + walkers, and so on. It takes `steps` steps in a launch, and writes down where it is:
// walks has the piece, the row there, and the number of steps of the piece, for each walker. left counts the walkers
// that are not at their ends. A walk begins at piece w, at BEGIN steps.
//
// Launch: a work-item for each walker.

#define WHOLE ((ulong)1 << 63)
#define BEGIN (~(ulong)0)
#define NO_PIECE (~(ulong)0)

#define PIECES_PARAMS __global const ulong *firsts, ulong nfirsts, uint every, ulong pieces
#define PIECES_ARGS firsts, nfirsts, every, pieces
#define WALKS_PARAMS __global ulong *walks, ulong walkers, uint steps, __global uint *left

// The splitter of a block.
inline ulong splitter_of(uint every, ulong b)
{
    uint hash = (uint)b * 2654435761u;
    hash = (hash ^ hash >> 15) * 2246822519u;
    return (b << every) + ((hash ^ hash >> 13) & ((1u << every) - 1));
}

inline ulong first_row(PIECES_PARAMS, ulong piece)
{
    return piece < nfirsts ? firsts[piece] : splitter_of(every, piece - nfirsts);
}

// The piece that begins at a row; NO_PIECE if none does.
inline ulong piece_at(PIECES_PARAMS, ulong x)
{
    return pieces > nfirsts && x == splitter_of(every, x >> every) ? nfirsts + (x >> every) : NO_PIECE;
}

// Where a walker is.
typedef struct {
    ulong at, row, count; // the number of its piece; BEGIN there: the row is not known yet
} walk;

inline walk walk_of(__global const ulong *walks, ulong w)
{
    const walk on = {walks[3 * w], walks[3 * w + 1], walks[3 * w + 2]};
    return on;
}

inline void leave_walk(__global ulong *walks, ulong w, walk on, ulong all, __global uint *left)
{
    walks[3 * w] = on.at;
    walks[3 * w + 1] = on.row;
    walks[3 * w + 2] = on.count;
    if (on.at < all)
        atomic_inc(left);
}

KERNEL_WG(WG) rlbwt_survey(INDEX_PARAMS, PIECES_PARAMS, __global ulong *nodes, WALKS_PARAMS)
{
    const ulong w = get_global_id(0);
    if (w >= walkers)
        return;
    walk on = walk_of(walks, w);
    for (uint step = 0; step < steps && on.at < pieces; step++) {
        if (on.count == BEGIN) {
            on.row = first_row(PIECES_ARGS, on.at);
            on.count = 0;
        }
        const stepped to = step_own(INDEX_ARGS, on.row);
        const bool whole = to.letter == 0;
        const ulong next = whole ? WHOLE | on.row : piece_at(PIECES_ARGS, to.row);
        if (!whole) {
            on.row = to.row;
            on.count++;
        }
        if (whole || next != NO_PIECE || on.count > rows) {
            nodes[2 * on.at] = next;
            nodes[2 * on.at + 1] = on.count;
            on.at += walkers;
            on.count = BEGIN;
        }
    }
    leave_walk(walks, w, on, pieces, left);
}

// parts [4 * nparts]ulong: a piece, letters to skip, letters to write, and the place after them: the last letter of a
// part is the first one that is reached.
KERNEL_WG(WG) rlbwt_letters(
    INDEX_PARAMS, PIECES_PARAMS, __global const ulong *parts, ulong nparts, __global uchar *text, WALKS_PARAMS)
{
    const ulong w = get_global_id(0);
    if (w >= walkers)
        return;
    walk on = walk_of(walks, w);
    ulong skip = 0, all = 0, end = 0;
    bool known = false;
    for (uint step = 0; step < steps && on.at < nparts; step++) {
        if (on.count == BEGIN || !known) {
            __global const ulong *part = parts + 4 * on.at;
            skip = part[1];
            all = skip + part[2];
            end = part[3];
            known = true;
            if (on.count == BEGIN) {
                on.row = first_row(PIECES_ARGS, part[0]);
                on.count = 0;
            }
        }
        if (on.count < all) {
            const stepped to = step_own(INDEX_ARGS, on.row);
            if (on.count >= skip)
                text[end - 1 - (on.count - skip)] = (uchar)to.letter;
            on.row = to.row;
            on.count++;
        }
        if (on.count == all) {
            on.at += walkers;
            on.count = BEGIN;
        }
    }
    leave_walk(walks, w, on, nparts, left);
}

// parts [2 * nparts]ulong: a piece; the place of its first row: the offset in the string << shift, and a number of
// the string. Rows least + k << rate are sampled; places has those of k in [from, from + room).
KERNEL_WG(WG) rlbwt_places(
    INDEX_PARAMS, PIECES_PARAMS, __global const ulong *parts, ulong nparts, __global ulong *places, ulong from,
    ulong room, ulong least, uint rate, uint offset_shift, WALKS_PARAMS)
{
    const ulong w = get_global_id(0);
    if (w >= walkers)
        return;
    walk on = walk_of(walks, w);
    for (uint step = 0; step < steps && on.at < nparts; step++) {
        if (on.count == BEGIN) {
            on.row = first_row(PIECES_ARGS, parts[2 * on.at]);
            on.count = 0;
        }
        const ulong sample = (on.row - least) >> rate;
        if (on.row >= least && least + (sample << rate) == on.row && sample >= from && sample - from < room)
            places[sample - from] = parts[2 * on.at + 1] - (on.count << offset_shift);
        const stepped to = step_own(INDEX_ARGS, on.row);
        on.row = to.row;
        on.count++;
        if (to.letter == 0 || piece_at(PIECES_ARGS, to.row) != NO_PIECE) {
            on.at += walkers;
            on.count = BEGIN;
        }
    }
    leave_walk(walks, w, on, nparts, left);
}
