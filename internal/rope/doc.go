// Package rope has the Burrows-Wheeler transform of a collection of DNA as runs in memory of the host, and lengthens it
// letter by letter: each string is inserted from its end on (Bauer, Cox and Rosone 2013; Li 2014). It needs no device
// and no suffix array. It answers for small collections, and is the definition that tests compare other indexes with.
//
// The strings are ordered as they came, so that $ of string i is smaller than $ of string j for i < j. Letters are
// those of package fmd: 0 ($) to 5 (N). Row i, less than the number of strings, is the suffix $ of string i.
//
// With samples of the places of suffixes it tells those of any rows (places.go).
//
// An operation on a row takes the depth of a tree. Memory: about 12 bytes a run after loading, up to 20 when it has
// grown.
package rope
