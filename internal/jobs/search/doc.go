// Package search counts and locates patterns: in an FM-index (Index), or in a text and its suffix array (Matcher).
//
//	searcher.go      what both share: batches, Count, Locate (locate.go)
//	questions.go     batches of goroutines that wait, which are searched for together
//	index.go         Index; sorted in ranges: index_ranges.go
//	coded.go         a text as it is indexed, the header of its index; separators of records: separator.go
//	symbol_index.go  patterns for an index of symbols
//	matcher.go       Matcher; BuildMatcher chooses (matchers.go): bytes.go, symbols.go, sets.go
//	fold.go          DNA in upper case
package search
