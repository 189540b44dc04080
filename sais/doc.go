// Package sais sorts suffixes by induced sorting, for CPUs with few cores: G. Nong, S. Zhang &
// W. H. Chan, Two efficient algorithms for linear time suffix array construction, IEEE
// Transactions on Computers 60(10), 2011.
package sais
