// Package pml finds pseudo-matching lengths of queries on the device (Ahmed et al. 2021; Zakeri et al. 2023), in a
// transform of DNA with thresholds, whose files Movi and SPUMONI read, too. kernels/pml.cl has the steps.
//
// The transform is one of package rlbwt. So a letter takes a rank, and where it is not that of the row, a look at the
// thresholds. These are listed in the order of the rows that the first rows of runs lead to.
//
//	index.go   Survey, Index: the files, brought to the device
//	search.go  Search: batches of queries
package pml
