package movi

import (
	"context"

	"github.com/suffixcl/suffixcl/formats/internal/indexfiles"
)

// Index holds the contents of the files.
type Index struct {
	Heads               []byte
	Lengths, Thresholds []uint64
}

// maxRows is how many rows there are at most: a threshold is less than that.
const maxRows = 1<<(8*width) - 1

// Read reads the files of a prefix. Memory: 17 bytes a run. Errors: those of the file system; a *indexfiles.Error for
// files that are damaged, or do not belong together: runs of no rows or of the letter before, no end or several, more
// than 2^40-1 rows, thresholds after the first row of the run, or before the run of that letter before it.
func Read(prefix string) (*Index, error) {
	x := &Index{}
	heads, err := indexfiles.OpenSource(prefix + headsSuffix)
	if err != nil {
		return nil, err
	}
	x.Heads = heads.Bytes(int(heads.Rest()))
	x.checkHeads(heads)
	if err := heads.Close(); err != nil {
		return nil, err
	}
	if x.Lengths, err = readNumbers(prefix+lengthsSuffix, len(x.Heads), x.checkLengths); err != nil {
		return nil, err
	}
	x.Thresholds, err = readNumbers(prefix+thresholdsSuffix, len(x.Heads), x.checkThresholds)
	return x, err
}

// readNumbers reads a file of n numbers, and checks them.
func readNumbers(name string, n int, check func(s *indexfiles.Source, all []uint64)) ([]uint64, error) {
	s, err := indexfiles.OpenSource(name)
	if err != nil {
		return nil, err
	}
	if !s.Holds(int64(n) * width) {
		return nil, s.Close()
	}
	all := make([]uint64, n)
	s.Rows(n, width, func(b []byte, lo, hi int) {
		for k := lo; k < hi; k, b = k+1, b[width:] {
			all[k] = uint64(b[0]) | uint64(b[1])<<8 | uint64(b[2])<<16 | uint64(b[3])<<24 | uint64(b[4])<<32
		}
	})
	if s.Err() == nil {
		check(s, all)
	}
	return all, s.Close()
}

func (x *Index) checkHeads(s *indexfiles.Source) {
	ends := 0
	for k, head := range x.Heads {
		if k > 0 && head == x.Heads[k-1] {
			s.Fail("has the letter %q in runs %d and %d", head, k-1, k)
			return
		}
		if head == 0 {
			ends++
		}
	}
	if ends != 1 {
		s.Fail("has %d ends of the text, not 1", ends)
	}
}

func (x *Index) checkLengths(s *indexfiles.Source, all []uint64) {
	rows := uint64(0)
	for k, length := range all {
		rows += length
		switch {
		case length == 0:
			s.Fail("has no rows in run %d", k)
		case x.Heads[k] == 0 && length != 1:
			s.Fail("has %d rows in run %d, the end", length, k)
		case rows > maxRows:
			s.Fail("has more than %d rows", uint64(maxRows))
		default:
			continue
		}
		return
	}
}

func (x *Index) checkThresholds(s *indexfiles.Source, all []uint64) {
	start := uint64(0)
	var after [256]uint64 // the row after the last run of each letter; 0: there is none
	for k, threshold := range all {
		least, most := after[x.Heads[k]], start
		if least == 0 {
			most = 0
		}
		if threshold < least || threshold > most {
			s.Fail("has threshold %d for run %d, which has %d to %d", threshold, k, least, most)
			return
		}
		start += x.Lengths[k]
		after[x.Heads[k]] = start
	}
}

// Write writes the index as it was read.
func (x *Index) Write(ctx context.Context, files *indexfiles.Set) error {
	n := len(x.Heads)
	return create(ctx, files, int64(n), func(to *writer) error {
		if _, err := to.heads.Write(x.Heads); err != nil {
			return err
		}
		if err := numbers(to.lengths, n, func(k int) uint64 { return x.Lengths[k] }); err != nil {
			return err
		}
		return numbers(to.thresholds, n, func(k int) uint64 { return x.Thresholds[k] })
	})
}
