// Package distributed builds suffix arrays of texts that are spread over ranks: processes under MPI, or goroutines of
// one process. Every rank has a block of the text and gets the block of the suffix array at the same places; it sorts
// on an OpenCL device of its own. Places have 64 bits.
//
//	builder := distributed.New(distributed.OverMPI(mpi.World()), session, distributed.Options{})
//	sa, err := builder.SuffixArray(ctx, block) // sa [len(block)]uint64
//
// Two algorithms of pSFFX (Nahar & Tseng, Parallelized suffix array construction), right on every text:
//
//   - pCSS: each rank sorts the suffixes of its block by the best sorter of its device. Lists are exchanged by
//     splitters that are suffixes, and merged on the device by 8 characters at a time. The text is there once a
//     node, and once on each device. Steps are bounded: a text that repeats is sorted on one device where it fits,
//     else by windows and then by ranks whose depth doubles, so that no text is quadratic.
//   - pDC3: the suffixes at positions not divisible by 3 are sorted first, then all by a sample sort that compares
//     ranks of these (Kärkkäinen, Sanders & Burkhardt, J. ACM 2006; Kulla & Sanders 2007). Names are of a window of 7
//     to 58 characters instead of 3, and the recursion is distributed: prefix doubling among the sampled suffixes. No
//     rank needs the text. Where rank 0 can sort the whole text, it is gathered there instead.
//
// Windows are sorted by a sample sort: runs sorted on the device, splitters by regular sampling, one exchange, and a
// merge of what came. Equal keys are told apart by where they come from, so that shares are even on any text.
//
// A failure of a rank is an error of all, with its reason and number. A rank that ends is the launcher's to notice.
package distributed
