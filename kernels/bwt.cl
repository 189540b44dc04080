// bwt.cl: the Burrows-Wheeler transform from text and suffix array, in the
// convention of libdivsufsort and libsais: the rows of text$ sorted, without the
// row of the whole text, whose number is the primary index.
//
// Launch: one work-group of WG for each tile of WG*ITEMS entries.

#ifndef ITEMS
#error "ITEMS: elements of a work-item"
#endif

// primary[0] = row of the whole text = 1 + the slot of suffix 0.
KERNEL_WG(WG) bwt_primary(__global const uint *sa, ulong n, __global ulong *primary)
{
    FOR_TILE(j, WG * ITEMS, n) {
        if (sa[j] == 0)
            primary[0] = j + 1;
    }
}

// Row 0 is $text, whose last character ends the text; slot j of the suffix array
// is row j + 1.
KERNEL_WG(WG) bwt_emit(__global const uchar *text, __global const uint *sa, ulong n, __global const ulong *primary, __global uchar *bwt)
{
    const ulong skip = primary[0];
    FOR_TILE(j, WG * ITEMS, n) {
        const uint i = sa[j];
        if (j == 0)
            bwt[0] = text[n - 1];
        if (i != 0)
            bwt[j + 1 < skip ? j + 1 : j] = text[i - 1];
    }
}
