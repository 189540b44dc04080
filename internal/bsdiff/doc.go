// Package bsdiff makes and applies patches between binary files (Percival, Naive differences of executable code, 2003),
// in the format BSDIFF40, which bspatch takes.
//
// The new file consists of stretches of the old one with few bytes changed, and of bytes between that are not in the
// old one. To find them, the suffix array of the old file is searched for the longest match at places of the new one. A
// patch is three streams in bzip2: lengths, differences of bytes, and new bytes. Files may be as long as suffix arrays,
// 2^32 - 2 bytes for the old one.
package bsdiff
