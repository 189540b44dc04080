// Package pangenome makes run-length transforms of collections of DNA that grow, as files of ropebwt3.
//
//	grow.go     the job: what is loaded, appended and written
//	index.go    the index that grows
//	strands.go  strings of letters, of both strands
//	walk.go     strings of an index by their rows; samples
//
// An index grows on the device, by package rlbwt. Strings are read by their rows on the host, by package rope.
package pangenome
