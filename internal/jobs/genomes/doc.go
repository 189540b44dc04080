// Package genomes compares genomes: exact matches of a reference and queries, or of several genomes, and mappability.
// Texts are sorted together, cut into stretches of the letters that match (delimited.go).
//
//	matches.go             FindMatches: pieces of the queries, results strand by strand
//	matches_sorted.go      matches of one piece by sorted suffixes
//	matches_seeds.go       long ones by seeds, where those take less
//	multimatches.go        FindMultiMatches
//	mappability.go         CountMappability, by sorted suffixes
//	mappability_kmers.go   by hashes of k-mers
//	mappability_groups.go  by groups of texts, where not all fit at once
//	firstrows.go           FirstRows: the index that STAR has before its suffix array
package genomes
