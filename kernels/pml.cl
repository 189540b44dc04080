// pml.cl: pseudo-matching lengths of queries (Ahmed, Rossi, Kovaka, Schatz, Gagie, Boucher & Langmead 2021, Pan-genomic
// matching statistics for targeted nanopore sequencing), in a transform of rlbwt.cl with thresholds (thresholds.cl).
// There A, C, G, T are letters 1 to 4, and all others are 5.
//
// A query is walked from its last letter to its first one, with a row, which is the last one at first. If the letter of
// the row is that of the query, the length is one more. Else it is 0, and the row becomes the last one of the run of
// the query's letter before it, or the first one of the run after it: the latter if it is the threshold of that run or
// a row after it. Then the row becomes the one that it leads to (LF).
//
// The last row of a run leads to the row before the one that the first row of the next run of the letter leads to. So
// both follow from one rank. That row is the key of a run, by which its threshold is found.
//
//   letters     [256] for each byte: the first row that begins with it, and the row after the last one. They are equal
//               if there is none: then the row becomes that one, and the length 0
//   thresholds  of each run of A, C, G, T, by key: its threshold, and KEY_BITS of the key
//   key_cells   for each 2^key_shift keys, and one more: the number of thresholds with lesser keys
//   queries     of each query: its first letter in the text, and how many it has, at least 1
//
// Launch: as many work-items as one likes, which take queries from a queue; TOGETHER at a time, so that a CPU waits
// for several.

#ifndef INDEX_PARAMS
#error "INDEX_PARAMS: of rlbwt.cl"
#endif
#ifndef INDEX_ARGS
#error "INDEX_ARGS: of rlbwt.cl"
#endif
#ifndef TOGETHER
#error "TOGETHER: walkers of a work-item"
#endif

#define KEY_BITS 24
#define KEY_MASK ((1u << KEY_BITS) - 1)

#define PML_PARAMS                                                                                      \
    __global const ulong2 *letters, __global const ulong *thresholds, __global const uint *key_cells,   \
        uint key_shift, __global const uchar *text, __global const uint2 *queries, uint count,          \
        __global uint *queue, __global uint *lengths
#define PML_ARGS letters, thresholds, key_cells, key_shift, text, queries, count, queue, lengths

// The threshold of the run of a key, which there is.
inline ulong threshold_of(PML_PARAMS, ulong key)
{
    __global const uint *cell = key_cells + (key >> key_shift);
    uint low = cell[0], high = cell[1];
    while (high - low > 1) { // keys of a cell differ in the lowest bits alone
        const uint middle = low + (high - low) / 2;
        if (((uint)thresholds[middle] & KEY_MASK) <= ((uint)key & KEY_MASK))
            low = middle;
        else
            high = middle;
    }
    return thresholds[low] >> KEY_BITS;
}

typedef struct {
    ulong row;
    uint begin, left, length; // of the query: its place, letters that are left; of the match
    bool over;                // there are no more queries
} walker;

// Goes on by a letter.
inline void walk(INDEX_PARAMS, PML_PARAMS, walker *w)
{
    if (w->left == 0) {
        const uint q = atomic_inc(queue);
        w->over = q >= count;
        if (w->over)
            return;
        const uint2 query = queries[q];
        w->begin = query.x;
        w->left = query.y;
        w->length = 0;
        w->row = rows - 1;
    }
    w->left--;
    const uint c = text[w->begin + w->left];
    const ulong2 own = letters[c];
    const uint two = c >> 1 & 3, letter = 1 + (two ^ two >> 1); // right for A, C, G, T; others do not occur
    const ulong2 both = step_both(INDEX_ARGS, letter, w->row, min(w->row + 1, rows));
    const ulong key = own.x + both.x - before[letter];
    if (own.x == own.y) {
        w->row = own.x;
        w->length = 0;
    } else if (both.x != both.y) {
        w->row = key;
        w->length++;
    } else {
        const bool up = key == own.y || threshold_of(PML_ARGS, key) > w->row;
        w->row = key - up;
        w->length = 0;
    }
    lengths[w->begin + w->left] = w->length;
}

KERNEL_WG(WG) pml(INDEX_PARAMS, PML_PARAMS)
{
#if TOGETHER == 1
    walker w = {0, 0, 0, 0, false};
    while (!w.over)
        walk(INDEX_ARGS, PML_ARGS, &w);
#else
    walker w[TOGETHER];
    for (uint i = 0; i < TOGETHER; i++) {
        const walker none = {0, 0, 0, 0, false};
        w[i] = none;
    }
    bool goes_on = true;
    while (goes_on) {
        goes_on = false;
        for (uint i = 0; i < TOGETHER; i++) {
            if (w[i].over)
                continue;
            walk(INDEX_ARGS, PML_ARGS, w + i);
            PREFETCH(cells + (w[i].row >> shift));
            goes_on |= !w[i].over;
        }
    }
#endif
}
