// bwt.cl: the Burrows-Wheeler transform from text and suffix array, in the
// convention of libdivsufsort and libsais: the rows of text$ sorted, without the
// row of the whole text, whose number is the primary index.
//
// Launch: one work-group of WG for each tile of WG*ITEMS entries.

#ifndef ITEMS
#error "ITEMS: elements of a work-item"
#endif

// rows[k] = the row of suffix k * 2^log = 1 + its slot; rows[0] is the primary index.
KERNEL_WG(WG) bwt_rows(__global const uint *sa, ulong n, uint log, __global uint *rows)
{
    const ulong rest = (1ul << log) - 1;
    FOR_TILE(j, WG * ITEMS, n) {
        const ulong i = sa[j];
        if ((i & rest) == 0 && i < n)
            rows[i >> log] = (uint)(j + 1);
    }
}

// Row 0 is $text, whose last character ends the text; slot j of the suffix array
// is row j + 1.
KERNEL_WG(WG) bwt_emit(
    __global const uchar *text, __global const uint *sa, ulong n, __global const uint *rows, __global uchar *bwt)
{
    const ulong skip = rows[0];
    FOR_TILE(j, WG * ITEMS, n) {
        const uint i = sa[j];
        if (j == 0)
            bwt[0] = text[n - 1];
        if (i != 0)
            bwt[j + 1 < skip ? j + 1 : j] = text[i - 1];
    }
}
