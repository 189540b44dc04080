// verify.cl: linear-time check of a suffix array (Burkhardt & Karkkainen 2003,
// section 4; Dementiev et al. 2008): it is a permutation, and neighbours are
// ordered by first character and then by the ranks of the suffixes that follow.
//
// Launch: one work-group of WG for each tile of WG*ITEMS entries.
// faults: the least slot with an entry out of range, a duplicate, a wrong order;
// 0xffffffff where there is none.

// SYMBOL is the type of a symbol of the text: uchar, or what the program says.

#ifndef SYMBOL
#define SYMBOL uchar
#endif
#ifndef ITEMS
#error "ITEMS: elements of a work-item"
#endif

// isa[sa[j]] = j for entries in range, the least j where entries are equal. isa must hold 0xffffffff before.
KERNEL_WG(WG) verify_invert(__global const uint *sa, ulong n, __global uint *isa, __global uint *faults)
{
    FOR_TILE(j, WG * ITEMS, n) {
        if (sa[j] < n)
            atomic_min(&isa[sa[j]], (uint)j);
        else
            atomic_min(&faults[0], (uint)j);
    }
}

// isa must hold 0xffffffff where verify_invert wrote nothing.
KERNEL_WG(WG) verify_order(
    __global const SYMBOL *text, __global const uint *sa, ulong n, __global const uint *isa, __global uint *faults)
{
    FOR_TILE(j, WG * ITEMS, n) {
        const ulong v = sa[j];
        if (v < n) {
            if (isa[v] != j)
                atomic_min(&faults[1], (uint)j);
            const ulong u = j > 0 ? sa[j - 1] : n;
            if (u < n) {
                const SYMBOL cu = text[u], cv = text[v];
                bool less = cu < cv;
                if (cu == cv) // the empty suffix is the smallest
                    less = v + 1 < n && (u + 1 == n || isa[u + 1] < isa[v + 1]);
                if (!less)
                    atomic_min(&faults[2], (uint)j);
            }
        }
    }
}
