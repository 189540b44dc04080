// Package distributed builds suffix arrays of texts that are spread over ranks: processes under MPI, or goroutines of
// one process. Every rank has a block of the text and gets the block of the suffix array at the same places; it sorts
// on an OpenCL device of its own. Places have 64 bits.
//
//	ranks, err := distributed.InitMPI()
//	builder := distributed.New(ranks, session, distributed.Options{})
//	sa, err := builder.SuffixArray(ctx, block) // sa [len(block)]uint64
//
// Two algorithms of pSFFX (Nahar & Tseng, Parallelized suffix array construction), right on every text:
//
//   - pCSS: each rank sorts the suffixes of its block by the best sorter of its device. Lists are exchanged by
//     splitters that are suffixes, and merged on the device by 8 characters at a time. The text is there once a
//     node, and once on each device. Steps are bounded: a text that repeats is sorted on one device where it fits,
//     else as by pDC3.
//   - pDC3: the suffixes at the positions of a difference cover are sorted first, by names and a recursion, then all,
//     by characters and ranks of these (Kärkkäinen, Sanders & Burkhardt, J. ACM 2006; Kulla & Sanders 2007). The cover
//     has period 31 instead of 3, so a fifth of the text is in the recursion, which is gathered on one rank, or
//     distributed. Where rank 0 may sort the whole text, it is gathered there instead.
//
// Where all ranks share one device, both have it sort the whole text: ranks of one GPU, or of the same processors.
//
// A failure of a rank is an error of all, with its reason and number. A rank that ends is the launcher's to notice.
package distributed
