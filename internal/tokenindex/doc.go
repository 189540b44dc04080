// Package tokenindex has the suffix array indexes of tokenised text that other programs write and read, as files: it
// reads tokens, writes tables and answers questions about n-grams. Files are memory-mapped: they may be larger than
// memory. It needs no device. Engine.Arrays sorts what ReadTokens returns.
//
// # infini-gram
//
// A directory of shards (Liu et al., Infini-gram: scaling unbounded n-gram language models to a trillion tokens, 2024):
//
//	tokenized.S   for each document a separator, all of whose bits are 1, and its tokens; 1, 2 or 4 bytes each,
//	              little-endian
//	offset.S      where the separators of the documents are, in bytes: 8 bytes each, little-endian
//	table.S       where the suffixes begin, in bytes: EntryBytes each, little-endian
//
// Suffixes compare as bytes do, so that tokens compare as big-endian numbers. Suffixes that agree: the shorter one is
// smaller.
//
// # tokengrams
//
// Tokens of 2 or 4 bytes, little-endian, without separators; and a table of 8 bytes an entry: the numbers of the tokens
// at which suffixes begin. Tokens compare as numbers.
package tokenindex
