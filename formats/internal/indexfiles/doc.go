// Package indexfiles has what the indexes of other programs share: their files, which appear together, a Source to read
// one, and the sequences of a reference.
package indexfiles
