// Package repeats finds the longest repeats that cover each position of a text: package lrq has the method.
//
//	repeats.go  Find
//	plan.go     memory, and what is made before the queries
//	queries.go  the leftmost repeat, or all, of a block of positions
//	records.go  texts of records and of both strands
//	text.go     texts of symbols and sets
package repeats
