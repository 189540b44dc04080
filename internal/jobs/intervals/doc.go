// Package intervals lists intervals of LCP arrays: package internal/intervals has the method.
//
//	intervals.go   Find, and the longest common substrings of a set
//	plan.go        memory, arrays that are sorted or given, blocks of results
//	substrings.go  the most frequent substrings within limits
package intervals
