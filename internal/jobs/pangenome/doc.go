// Package pangenome makes run-length transforms of collections of DNA that grow, as files of ropebwt3.
//
//	grow.go     the job: what is loaded, appended and written
//	index.go    the index that grows
//	strands.go  strings of letters, of both strands
//	walk.go     strings of an index by their rows; samples
//
// An index grows on the device, and strings are read from it there, by package rlbwt.
package pangenome
