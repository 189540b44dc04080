// Package sdsl writes and reads the FM-indexes of the Succinct Data Structure Library (Gog et al. 2014) as infini-gram
// mini (Xu et al. 2025) has them: csa_wt<wt_huff<rrr_vector<127>>, 32, 64>, byte for byte what the library serialises.
//
//	vector.go   vectors of integers of 1 to 64 bits
//	rrr.go      vectors of bits in blocks of 127, each coded by its ones and its number among those of as many
//	            (Raman, Raman, Rao 2002)
//	blocks.go   blocks of bits, coded on the host
//	huffman.go  the shape of a wavelet tree after the code of Huffman
//	levels.go   the bits of its nodes: made on the host, or taken level by level
//	encode.go   an index from a transform and samples of the suffix array
//	index.go    an index read: count, locate, the text itself
//
// A text ends with a letter that occurs nowhere else. Sizes: entropy of the text, about a quarter more for the tree,
// and 1.6 to 2 bits a letter for samples.
package sdsl
