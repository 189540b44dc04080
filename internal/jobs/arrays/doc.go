// Package arrays makes suffix arrays, LCP arrays and transforms of any text, inverts transforms, verifies arrays, and
// sorts streams of texts.
//
//	arrays.go         Make chooses: one array of bytes (simple.go), symbols (symbols.go), separators (separated.go)
//	want.go           Want, Result
//	source.go         a text of bytes and its suffix array on the device; what is made of both (derived.go)
//	symbols.go        texts without separators: Building; suffix arrays in blocks (blocks.go)
//	separated.go      sets, and texts with specials: Gathering, whose suffixes are sorted as codes (codes.go)
//	compared.go       suffix array and LCP array that stay on the device, for other jobs
//	invert.go         texts of transforms
//	packed.go         suffix arrays as entries of files, which the device packs
//	results.go        comparison of arrays; blocks that are read: verify_blocks.go
//	stream.go         many texts: one by one (singles.go), or in batches (batches.go)
//	gathered.go       small texts of goroutines that wait: a batch
package arrays
