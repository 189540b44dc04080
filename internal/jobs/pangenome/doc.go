// Package pangenome makes run-length transforms of collections of DNA that grow, as files of ropebwt3.
//
//	grow.go     the job: what is loaded, appended and written
//	index.go    the index that grows
//	strands.go  strings of letters, of both strands
//	walk.go     strings of an index by their rows; samples
//
// The strings of the first batch of an empty index are sorted on the device, as a set. What comes later is inserted on
// the host, by package rope.
package pangenome
