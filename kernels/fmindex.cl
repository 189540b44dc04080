// fmindex.cl: an FM-index (Ferragina & Manzini, Opportunistic data structures with applications, FOCS 2000; Wang,
// Baxter & Owens, section 3.3). This is the first part of its programs:
//
//   fmindex_build.cl    blocks whose counts are those of the block itself
//   fmindex_sum.cl      template of the sums of counts (scan.cl)
//   fmindex_compact.cl  templates of lists: escapes, samples, the next level (compact.cl)
//   fmindex_search.cl   counts and locates patterns
//
// The transform of a text of n characters is stored without its row of the end marker, as bwt.cl writes it: row r of
// the n + 1 rows of text$ is place r, or r - 1 after row `primary`. Occ(c, r), how often c is in the rows before r, is
// rank(c, place(r)).
//
//   FM_LAYOUT 4    for up to 4 symbols. A block of 64 places is two uint4, one sector: how often each symbol was
//                  before, and two planes of 64 bits. Places of other characters, the escapes, have the bits of symbol
//                  0 and are not counted, so that the counts of two blocks tell how many are between. Runs of them,
//                  for which LF leads to rows in a row, are listed: three words each, the first place, the row that LF
//                  leads to from there, and the escapes before.
//   FM_LAYOUT 256  a wavelet matrix (Claude, Navarro & Ordonez 2015) of `levels` bit vectors, the highest bit of the
//                  symbols first. A block of 96 places is a uint4: the ones before, and 96 bits.
//
// It has no kernels: launch shape and local memory are those of the other parts.

#define NONE 256u // no symbol
