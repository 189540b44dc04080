// thresholds.cl: the runs of equal letters of a transform, and their thresholds (Rossi, Oliva, Langmead, Gagie &
// Boucher, MONI: a pangenomic index for finding maximal exact matches, 2022).
//
// The rows are those of text$, sorted, with the row of the end: row 0 is the end alone, row j + 1 is the suffix of slot
// j. The letter of a row is the one before its suffix, and 0 before the whole text, which holds no 0. So the common
// prefix of rows j and j + 1 has lcp[j] letters.
//
// A run of c begins at row i, and e is the last row of c before i. The threshold of the run is the first row from e + 1
// to i that has the least common prefix with the row before it; 0 if there is no such e. The least one is found by a
// tree of minima (minima.cl, which precedes this file where no template is chosen).
//
// Runs are listed for one part of the rows after the other. What a part has to know of those before is the last row of
// each letter:
//
//   thresholds_letters    the letters of the rows of a part, after that of the row before it
//   THRESHOLDS_RUNS       template of the compaction (compact.cl): runs that begin in the part
//   THRESHOLDS_LETTERS    template of the radix sort: runs by letter
//   thresholds_close      the run that is open where the part begins ends before the first run of the part
//   thresholds_find       thresholds: the run before one in the order of letters has the same letter, or is in a part
//                         before
//   thresholds_last       the last run of each letter
//
// Launch: work-groups of WG, one for each tile of WG*ITEMS elements; thresholds_close one. No local memory.

#if defined(THRESHOLDS_RUNS)

// letters as thresholds_letters writes them for a part that begins at row `first`.
#define COMPACT_PARAMS \
    , __global const uchar *letters, ulong first, __global uint *heads, __global uint *starts
#define COMPACT_KEEP(i) (first + (i) == 0 || letters[i] != letters[(i) + 1])
#define COMPACT_EMIT(i, to) (heads[to] = letters[(i) + 1], starts[to] = (uint)(first + (i)))

#elif defined(THRESHOLDS_LETTERS)

#define RADIX_PARAMS , __global const uint *heads
#define RADIX_LOAD_KEY(i) heads[i]
#define RADIX_LOAD_VALUE(i) ((uint)(i))

#else

#ifndef ITEMS
#error "ITEMS: elements of a work-item"
#endif

#define NO_ROW 0xffffffffu

// letters[t] is that of row first + t - 1, for t < count; of row -1 it is 0. n > 0.
KERNEL_WG(WG) thresholds_letters(
    __global const uchar *text, __global const uint *sa, ulong n, ulong first, ulong count, __global uchar *letters)
{
    FOR_TILE(t, WG * ITEMS, count) {
        const ulong row = first + t;                          // the row after it
        ulong i = row == 1 ? n : row > 1 ? sa[row - 2] : 0ul; // where its suffix begins
        i--;
        letters[t] = i < n ? text[i] : 0;
    }
}

// Of runs that have a row before them.
KERNEL_WG(WG) thresholds_close(__global const uchar *letters, __global const uint *starts, __global uint *last)
{
    if (get_local_id(0) == 0)
        last[letters[0]] = starts[0] - 1;
}

// runs [m] are numbers of runs, in the order of their letters, which are keys [m]. n slots.
KERNEL_WG(WG) thresholds_find(
    __global const uint *keys, __global const uint *runs, ulong m, __global const uint *starts,
    __global const uint *last, __global const uint *lcp, __global const uint *minima, ulong n,
    __global uint *thresholds)
{
    const lengths a = {lcp, minima, n};
    FOR_TILE(t, WG * ITEMS, m) {
        const uint run = runs[t], letter = keys[t];
        uint before = last[letter], row = 0;
        if (t > 0 && keys[t - 1] == letter)
            before = starts[runs[t - 1] + 1] - 1;
        if (before != NO_ROW) // the slot of a row is one less
            row = (uint)least_slot(&a, before, starts[run]) + 1;
        thresholds[run] = row;
    }
}

// The last run of the part is still open: thresholds_close tells where it ends.
KERNEL_WG(WG) thresholds_last(
    __global const uint *keys, __global const uint *runs, ulong m, __global const uint *starts, __global uint *last)
{
    FOR_TILE(t, WG * ITEMS, m) {
        if (t + 1 == m || keys[t + 1] != keys[t]) {
            const ulong run = runs[t];
            last[keys[t]] = run + 1 < m ? starts[run + 1] - 1 : starts[run];
        }
    }
}

#endif
