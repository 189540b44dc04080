// Package suffixsort sorts suffixes by windows of coded text, and groups of equal windows by chains.
//
// The parts are known: an optimal alphabetic code (A. Garsia & M. Wachs, A new algorithm for minimum cost binary trees,
// SIAM J. Comput. 6(4), 1977); radix and segmented sorts; prefix doubling inside groups that keep depths of their own
// (N. Larsson & K. Sadakane, Faster suffix sorting, 1999/2007); groups treated by their size (GPU-LS). Representatives,
// the groups at the ends of chains, are the analogue, for suffixes, of irreducible LCP values (J. Karkkainen, G.
// Manzini & S. Puglisi, Permuted longest-common-prefix array, CPM 2009).
//
// # Steps
//
// In execution order, with the bytes that each reads and writes: of each of n characters, of each of m suffixes that
// are unsorted, or of each of r suffixes of representatives. A random access counts as a sector of 32 bytes.
//
//	step                      does                                         of   reads    writes  launches
//	countBytes                counts bytes, looks for a period             n    1 + 1/3          2
//	  sortPeriodic            a periodic text: sorts its tail, expands it  n    1        4       8
//	makeCode                  order-preserving code; packs the text        n    1        w/8     1
//	sortFirst                 windows of the code                          n    1        8       1
//	                          histogram of all passes                      n    8                1
//	                          5 passes of a radix sort by 40 bits          n    40       40      5
//	                          heads of groups, and depths                  n    8        4.5     2
//	extend                    where that pays: sorts each group by the
//	                          next 56 bits, small groups                   m    44       8       2
//	                          large groups                                 m    72       40      6
//	invert                    ISA[i] = first slot of the group of i:
//	                          partition                                    n    8        8       3
//	                          scatter                                      n    8        4       1
//	                          if few are unsorted, what is asked for       n    36               1
//	                                                                       m    5        96      2
//	findRepresentatives       groups whose order follows from no other's   m    36               4
//	  extend                  again, if these exceed the capacity; after
//	                          4 times sortBySkew
//	sortRepresentatives       numbers them, makes their first keys         r    64       80      6
//	                          a round of doubling: next keys               r    16       12      1
//	                          small groups                                 r    40       36      1
//	                          settles all groups                           m    104      8       2
//
// Launches are those with look-back and Onesweep: packages scan and radixsort tell the others. sortPeriodic sorts the
// tail by launches of its own. makeCode packs texts of some codes only. Large groups also take the launches of package
// segsort; where they exceed a list, each further list takes 5 launches. A round of doubling counts what is left by
// one launch, and sorts large groups by 8 and those of segsort. On GPUs groups of representatives of up to 1,024
// suffixes take all rounds in one launch. Up to 2^23 characters there is no partition, nor where less than an eighth of
// more than 2^22 suffixes is unsorted. Where groups are long, inversion looks for their heads by two launches.
//
// A pass is a kernel that goes through all n characters or suffixes once. There are 9: count and period, windows,
// histogram, 5 passes of the sort, and heads. Where groups are left, inversion adds one, or, with a partition, three.
// Texts of symbols of w = 1, 2 or 4 bits are packed, one pass more, and sorted by 8 bits more than their length, fewer
// passes for short texts. So a text whose first windows all differ moves 112 bytes a character, and one with an
// inversion 140. All else is of m or r.
//
// # Groups
//
// Suffixes with equal windows are a group. A window has up to 56 bits of code, which determine how many whole symbols
// are in it. So the depth of a group, the number of symbols that it is sorted by, is known.
//
// There is no symbol for the end of the text; zeros follow it. All sorts are stable, and the first one starts from the
// last suffix. So of suffixes that agree the shorter one is in front, as it should be, and a suffix whose depth reaches
// the end is a group of its own.
//
// Only groups of several suffixes are sorted on. Small groups, of up to tune.Groups.Limit suffixes, take a round in one
// kernel: it finds them in the bitmap of heads, gathers the keys, sorts by counting in local memory, and writes the
// suffixes to their slots. Large groups are listed, as many at a time as the capacity allows, and sorted by package
// segsort.
//
// If the suffixes one character after those of a group are a whole group, the two have the same order: the first leads
// to the second. A chain of groups ends in a representative, which leads to no single group. Only representatives are
// sorted, by the rank of the suffix at their depth; of equal ones, the chains there have the same end, whose rank is
// the next key, and so on. All other groups take over the order of the end of their chain.
//
// # Example
//
// The text is banana. Its code is a = 0, b = 10, n = 11. With windows of 40 bits all six suffixes differ. So let
// windows be one symbol, and let groups not be extended.
//
//	suffix         0 banana   1 anana   2 nana   3 ana   4 na   5 a
//
//	sortFirst      slot       0    1    2    3    4    5
//	               window     a    a    a    b    n    n       sorted, the last suffix first
//	               suffix     5    3    1    0    4    2
//	               head       1    1    0    1    1    0       depth 1
//
// Suffix 5 with depth 1 reaches the end of the text, so that slot 1 has a head, too. The groups {3, 1} and {4, 2} are
// unsorted. They happen to be in order, which no step knows yet.
//
//	invert         suffix     0    1    2    3    4    5
//	               ISA        3    1    4    1    4    0       first slots of groups
//
// The suffixes after 3 and 1 are 4 and 2: a whole group, so {3, 1} leads to {4, 2}. The suffixes after 4 and 2 are 5
// and 3, of two groups. So {4, 2} ends the chain: it is the only representative. Its suffixes are numbered in the order
// of the text.
//
//	number         suffix     2    4
//	               number     0    1
//	               key        1    0       ISA[suffix + depth]: of 3, and of 5
//	double         number     1    0       sorted by key: suffix 4, then suffix 2
//	               number     0    1
//	               rank       5    4       slots, which are 1 and 0 from the first one of the group
//
// The chain of a suffix ends at the first numbered place that is not before it: that of 3 at 4, that of 1 at 2. A
// suffix goes as far from the first slot of its group as the end of its chain is from that of its own.
//
//	settle         suffix     3        1        4        2
//	               slot       1 + 0    1 + 1    4 + 0    4 + 1
//
//	suffix array   5    3    1    0    4    2
//
// # Transform
//
// RunBWT makes the Burrows-Wheeler transform. Where samples are sorted first, their order is all that it needs of the
// suffixes: docs/design/suffixsort.md. Of packed text the first sort brings the symbol before each suffix along, so
// that most suffixes are not looked up again.
//
// # Memory
//
// In bytes a character, on devices of GPU shape:
//
//	result                                                                                  4
//	text                                                                                    1
//	three buffers that the first sort needs besides the result; later tenants are lists,
//	the ISA and representatives (arena.go)                                                 12
//	packed text, or depths                                                                  0.5
//	bitmaps of groups, of all suffixes and of representatives                               0.9
//	tail of a periodic text                                                                 0.1
//	workspaces of scans and sorts                                                           0.3
//	together                                                                               18.9
//
// Skew gets that memory when it sorts.
//
// testdata/arena.txt charts the tenants by step. docs/design/suffixsort.md has a figure of the data flow, reasons, and
// measurements.
package suffixsort
