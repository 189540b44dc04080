// periodic.cl: steps of package periodic: finds the period of a text that has one but for a
// short tail, and makes its suffix array from that of its end.
//
//   PERIODIC_CHAINS  template of a sum (scan.cl): where the suffixes of a chain begin
//   otherwise        the kernels
//
// It follows text.cl and periodic_recurs.cl in a program, but for the template.
//
// Launch: that of the scan; work-groups of WG for the kernels, one for each WG*ITEMS characters
// or suffixes, or as it says there. Local memory: a word.

#ifdef PERIODIC_CHAINS

#define T uint
#define OP OP_ADD
#define IDENTITY 0u
#define SCAN_PARAMS \
    , __global const uint *short_sa, uint short_from, uint period, __global uint *starts, ulong starts_at
#define SCAN_LOAD(r) (short_sa[r] < period ? (short_from + short_sa[r]) / period + 1 : 1u)
#define SCAN_STORE(r, before, value) starts[starts_at + (r)] = before

#else

#ifndef ITEMS
#error "ITEMS: elements of a work-item"
#endif

#ifndef RECURS_WORDS
#error "RECURS_WORDS: words of a work-group"
#endif

#define TILE (WG * ITEMS)

// counts[at] as note_recurrence has it. A work-group for each RECURS_WORDS words of 8 characters.
KERNEL_WG(WG) periodic_recurs(
    __global const uchar *text, ulong size, ulong last, uint alike, __global uint *counts, uint at)
{
    __local uint found;
    note_recurrence(text, size, last, alike, (ulong)get_group_id(0) * RECURS_WORDS, RECURS_WORDS, counts, at, &found);
}

// counts[at + 1] = size - i for the least i whose character is not that at i + period, if any. A work-group
// after one that is known has nothing to do.
KERNEL_WG(WG) periodic_differs(__global const uchar *text, ulong size, uint period, __global uint *counts, uint at)
{
    __local uint found;
    if (get_local_id(0) == 0)
        found = load_relaxed(&counts[at + 1]);
    barrier(CLK_LOCAL_MEM_FENCE);
    const bool done = found > size - (ulong)get_group_id(0) * TILE;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (!done) {
        uint first = 0;
        FOR_TILE(i, TILE, size - period)
            if (first == 0 && text[i] != text[i + period])
                first = (uint)(size - i);
        if (first > 0)
            atomic_max(&found, first);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (!done && get_local_id(0) == 0 && found > 0)
        atomic_max(&counts[at + 1], found);
}

// The suffixes of a periodic text: those of its end, from short_from on, in the order of
// `short_sa`, and after each of the first `period` of these, or before it, those that are
// longer by whole periods. starts tells where each begins in sa.
KERNEL_WG(WG) periodic_expand(
    __global const uchar *text, ulong size, ulong until, uint short_from, uint period, __global const uint *short_sa,
    __global const uint *starts_from, ulong starts_at, uint count, __global uint *sa)
{
    __global const uint *starts = starts_from + starts_at;
    const bool shorter_first = until == size || text[until] < text[until - period];
#if IS_CPU
    uint chain = 0; // of the entry before
#endif
    FOR_TILE(to, TILE, size) {
        uint lo = 0, hi = count; // starts[lo] <= to < starts[hi]
#if IS_CPU
        lo = chain;
        for (uint step = 1; lo + step < hi; step *= 2) { // it is the same, or one soon after
            if (starts[lo + step] <= to)
                lo += step;
            else
                hi = lo + step;
        }
#endif
        while (hi - lo > 1) {
            const uint middle = lo + (hi - lo) / 2;
            if (starts[middle] <= to)
                lo = middle;
            else
                hi = middle;
        }
#if IS_CPU
        chain = lo;
#endif
        const uint j = short_sa[lo], k = (uint)to - starts[lo], i = short_from + j;
        if (j < period)
            sa[to] = shorter_first ? i - k * period : i % period + k * period;
        else
            sa[to] = i;
    }
}

#endif
