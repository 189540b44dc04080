// Package inranges sorts suffixes in ranges, one after the other, on one device or several: package internal/ranges
// has the method. Other jobs do so where no sorter in one piece fits: Array, Transform, Or.
//
//	ranges.go    Sort
//	write.go     blocks that are written
//	estimate.go  the time of a text, by a sample
package inranges
