// lcp.cl: longest common prefixes of neighbours in the suffix array.
//
// lcp[j] is how many characters the suffixes sa[j-1] and sa[j] share, lcp[0] = 0;
// plcp[i] is the same in text order: plcp[sa[j]] = lcp[j]. Where the characters before
// both suffixes agree, plcp[i] = plcp[i-1] - 1; the others, the irreducible values, sum
// up to at most n log2(n) (Karkkainen, Kempa & Piatkowski 2016), and i + plcp[i] never
// falls (Karkkainen, Manzini & Puglisi, Permuted longest-common-prefix array, CPM 2009).
// So irreducible values are compared, the rest is a maximum scan:
//
//   lcp_irreducible  compares up to LIMIT characters; lists the slots that need more
//   lcp_pieces       a round: characters [from, to) of all listed, in pieces of PIECE
//   lcp_next         lists those that agreed in all of them
//   LCP_SCAN         template of the maximum scan (scan.cl): plcp
//   lcp_gather       lcp
//   lcp_bound        lowers lcp to where a separator comes
//
// In between plcp[i] is i + the irreducible value, or what it is at most; else 0. Entries
// of sa that are no positions are passed over.
//
// Launch: work-groups of WG. lcp_irreducible, lcp_gather and lcp_bound: one for each tile of
// WG*ITEMS slots; the others any number, which share the work.

// SYMBOL is the type of a symbol of the text: uchar, or what the program says.

#ifndef SYMBOL
#define SYMBOL uchar
#endif

#ifdef LCP_SCAN

#define T uint
#define OP OP_MAX
#define IDENTITY 0u
#define SCAN_PARAMS , __global uint *plcp
#define SCAN_LOAD(i) plcp[i]
#define SCAN_STORE(i, before, value) plcp[i] = max(value, (uint)(i)) - (uint)(i)

#else

#ifndef ITEMS
#error "ITEMS: slots of a work-item"
#endif
#ifndef LIMIT
#error "LIMIT: characters that a work-item compares by itself"
#endif
#ifndef PIECE
#error "PIECE: characters of a piece of the others"
#endif

// The first h in [from, to) at which suffixes i and p differ, or to: by bytes, of which the symbols are whole.
inline ulong shared_symbols(__global const SYMBOL *text, ulong n, ulong i, ulong p, ulong from, ulong to)
{
    const ulong width = sizeof(SYMBOL);
    __global const uchar *bytes = (__global const uchar *)text;
    return agree(bytes, width * n, width * i, bytes, width * n, width * p, width * from, width * to) / width;
}

// plcp is all 0. The slots listed are longs[0..counts[0]), as far as there is room.
KERNEL_WG(WG) lcp_irreducible(
    __global const SYMBOL *text, __global const uint *sa, ulong n, __global uint *plcp, __global uint *longs,
    ulong room, __global uint *counts)
{
    FOR_TILE(j, WG * ITEMS, n) {
        const ulong i = sa[j], p = j > 0 ? sa[j - 1] : n;
        if (i < n && p < n && (i == 0 || p == 0 || text[i - 1] != text[p - 1])) {
            const ulong end = n - max(i, p), limit = min(end, (ulong)LIMIT);
            const ulong h = shared_symbols(text, n, i, p, 0, limit);
            if (h < LIMIT || end == LIMIT) {
                plcp[i] = (uint)(i + h);
            } else {
                plcp[i] = (uint)(i + end);
                const uint at = atomic_inc(&counts[0]);
                if (at < room)
                    longs[at] = (uint)j;
            }
        }
    }
}

// Lowers plcp[i] of the listed slots, from longs[list] on, to what they agree in before
// `to`. ROW consecutive pieces of a slot go to consecutive work-items, then come the
// other slots: a slot that has been decided costs its later rows no comparison.
KERNEL_WG(WG) lcp_pieces(
    __global const SYMBOL *text, __global const uint *sa, ulong n, __global uint *plcp, __global const uint *longs,
    ulong list, ulong room, __global const uint *counts, uint round, ulong from, ulong to, uint row)
{
    const ulong m = min((ulong)counts[round], room), rows = (to - from + row * PIECE - 1) / (row * PIECE);
    const ulong all = m * rows * row, step = (ulong)get_num_groups(0) * WG;
    for (ulong t = (ulong)get_group_id(0) * WG + get_local_id(0); t < all; t += step) {
        const ulong u = t / row, r = u / m;
        const uint j = longs[list + (u - r * m)];
        const ulong h = from + (r * row + (t - u * row)) * PIECE, i = sa[j], p = sa[j - 1];
        if (h < to) {
            const ulong known = load_relaxed(&plcp[i]) - i;
            if (h < known) {
                const ulong end = min(min(h + PIECE, to), known), found = shared_symbols(text, n, i, p, h, end);
                if (found < end)
                    atomic_min(&plcp[i], (uint)(i + found));
            }
        }
    }
}

// Lists in longs, from next on, the slots listed from `list` on that have not been decided
// before `to`.
KERNEL_WG(WG) lcp_next(
    __global const uint *sa, __global const uint *plcp, __global uint *longs, ulong list, ulong next, ulong room,
    __global uint *counts, uint round, ulong to)
{
    const ulong m = min((ulong)counts[round], room), step = (ulong)get_num_groups(0) * WG;
    for (ulong k = (ulong)get_group_id(0) * WG + get_local_id(0); k < m; k += step) {
        const uint j = longs[list + k];
        if (plcp[sa[j]] - sa[j] > to) {
            const uint at = atomic_inc(&counts[round + 1]);
            if (at < room)
                longs[next + at] = j;
        }
    }
}

KERNEL_WG(WG) lcp_gather(__global const uint *sa, ulong n, __global const uint *plcp, __global uint *lcp)
{
    FOR_TILE(j, WG * ITEMS, n) {
        const uint i = sa[j];
        lcp[j] = i < n ? plcp[i] : 0;
    }
}

// ends [m] are the places of separators, ascending; the last is n - 1.
KERNEL_WG(WG) lcp_bound(
    __global const uint *sa, ulong n, __global const uint *ends, ulong m, uint least, __global uint *lcp)
{
    FOR_TILE(j, WG * ITEMS, n) {
        if (lcp[j] >= least) {
            const uint i = sa[j];
            ulong from = 0, to = m - 1;
            while (from < to) {
                const ulong middle = (from + to) / 2;
                if (ends[middle] < i)
                    from = middle + 1;
                else
                    to = middle;
            }
            lcp[j] = min(lcp[j], ends[from] - min(i, ends[from]));
        }
    }
}

#endif
