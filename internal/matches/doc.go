// Package matches finds exact matches between a reference and queries on the device: maximal ones, or those that are
// unique in the reference.
//
// Reference and queries are sorted together. A suffix of a query stands between two of the reference, and shares with
// the nearer of them its longest match: its matching statistic (Chang & Lawler, Sublinear approximate string matching
// and biological applications, 1994). All suffixes of the reference that share at least so many symbols are an
// interval (Abouelhoda, Kurtz & Ohlebusch, Replacing suffix trees with enhanced suffix arrays, 2004). Of these only
// the ones with another symbol before them begin a maximal match: sums of the classes of these symbols count them in
// constant time, and find the k-th in logarithmic time. So no work is spent on what is not listed, however repetitive
// the texts are, and each match is written by a work-item of its own, however many begin at one position.
//
// Seeds finds all maximal matches without sorting, in texts that do not repeat themselves much: by substrings of the
// reference at regular distances (Grabowski & Bieniecki, copMEM: finding maximal exact matches via sampling both
// genomes, 2019).
//
// # Passes
//
// n symbols, m of them of the reference, q = n - m of queries, r matches. Bytes of each; a random access counts as a
// sector of 32 bytes.
//
//	step                          kernels             of   reads      writes    launches
//	number the reference          package scan        n    4          4         2
//	minima, l levels              minima_level        n    4.3        0.3       l
//	unique matches                matches_unique      n    12
//	                                                  q    128        8         1
//	  list                        package scan        q    4                    2 a part
//	all matches: reference        matches_reference   m    68         5         1
//	  minima                      minima_level        m    4.3        0.3       l
//	  classes                     matches_classes     m    1          0.4       1
//	  sums                        package scan        m    0.4        0.4       2
//	  count                       matches_count       n    12
//	                                                  q    128        8         1
//	  positions, offsets          package scan        q    4          12        4 a part
//	  list                        matches_list        r    384        12        1 a window
//
// There are s seeds and p pairs:
//
//	step                          kernels             of   reads      writes    launches
//	seeds by key                  package radixsort   s    56         32        6 or 20
//	table                         seeds_first         s    8          4         1
//	pairs                         seeds_pairs         q    80         8         1 a part
//	matches                       seeds_matches       p    136        12        1 a part
//	by position                   package radixsort   r    68 to 104  60 to 96  a part
//
// # Memory
//
// Text, suffix array and LCP array, 9 bytes a symbol, and Plan.Workspace. With seeds the text and Seeds.Workspace.
package matches
