// Package star makes and reads the genome folder of STAR 2.7.10b (Dobin et al. 2013; version of the folder 2.7.4a).
// docs/formats.md has the bytes.
//
// STAR sorts the suffixes of the genome and its reverse complement that begin with a base. N is a letter after the
// bases. What is between sequences compares with nothing: suffixes that are equal up to there are in the order of their
// places.
package star
