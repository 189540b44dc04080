package bwamem2

import (
	"bytes"
	"context"
	"encoding/binary"
	"math/bits"
	"slices"
	"sync/atomic"

	"github.com/suffixcl/suffixcl/formats/internal/bwa"
	"github.com/suffixcl/suffixcl/formats/internal/indexfiles"
	"github.com/suffixcl/suffixcl/internal/twobit"
)

// Index holds the contents of the files.
type Index struct {
	Reference *bwa.Reference
	Transform []byte   // [2n] bases of both strands, without the row of the text
	Primary   int      // that row
	Sample    []uint64 // the entries 0, 8, 16, … of the suffix array, which begins with the empty suffix
}

// Read reads the index of a prefix. Memory: 6 bytes a base. Errors: those of the file system; a *indexfiles.Error for
// files that are damaged, or do not belong together as far as their counts tell.
func Read(prefix string) (*Index, error) {
	r, err := bwa.ReadReference(prefix)
	if err != nil {
		return nil, err
	}
	x := &Index{Reference: r}
	if err := x.compareBases(prefix + ".0123"); err != nil {
		return nil, err
	}
	return x, x.readTransform(prefix + ".bwt.2bit.64")
}

// Write writes the index as it was read.
func (x *Index) Write(ctx context.Context, files *indexfiles.Set) error {
	r := &Reference{x.Reference}
	return r.write(ctx, files, x.Transform, x.Primary, func(k int) uint64 { return x.Sample[k] })
}

func (x *Index) compareBases(name string) error {
	s, err := indexfiles.OpenSource(name)
	if err != nil {
		return err
	}
	text := x.Reference.Text()
	var differ atomic.Bool
	s.Rows(len(text), 1, func(b []byte, lo, hi int) {
		if !bytes.Equal(b, text[lo:hi]) {
			differ.Store(true)
		}
	})
	if differ.Load() {
		s.Fail("has other bases than .pac")
	}
	return s.Close()
}

func (x *Index) readTransform(name string) error {
	s, err := indexfiles.OpenSource(name)
	if err != nil {
		return err
	}
	n := len(x.Reference.Text())
	if rows := s.Uint64(); s.Err() == nil && rows != uint64(n)+1 {
		s.Fail("is of %d rows, the reference has %d", rows, n+1)
	}
	var sums [5]uint64
	for base := range sums {
		sums[base] = s.Uint64()
	}
	before := make([]twobit.Counts, blocksOf(n))
	rows := make([]byte, n+1) // 4: not in the words of any base
	var twice atomic.Bool     // a row is in those of two, or is none
	s.Rows(len(before), rowBytes, func(b []byte, lo, hi int) {
		for k := lo; k < hi; k, b = k+1, b[rowBytes:] {
			for base := range before[k] {
				before[k][base] = binary.LittleEndian.Uint64(b[8*base:])
			}
			some := rows[min(k*block, n+1):min((k+1)*block, n+1)]
			for i := range some {
				some[i] = 4
			}
			for base := range 4 {
				word := binary.LittleEndian.Uint64(b[32+8*base:])
				for ; word != 0; word &= word - 1 {
					i := bits.LeadingZeros64(word & -word)
					if i >= len(some) || some[i] != 4 {
						twice.Store(true)
						continue
					}
					some[i] = byte(base)
				}
			}
		}
	})
	if twice.Load() {
		s.Fail("has rows with two bases, or more rows than the reference")
	}
	x.readSample(s, n)
	x.Primary = s.Count(n)
	if s.Err() == nil && (rows[x.Primary] != 4 || bytes.Count(rows, []byte{4}) != 1) {
		s.Fail("has rows without a base, or the row of the text in another place")
	}
	x.Transform = append(rows[:x.Primary], rows[x.Primary+1:]...)
	if s.Err() == nil {
		x.compareCounts(s, before, sums)
	}
	return s.Close()
}

func (x *Index) readSample(s *indexfiles.Source, n int) {
	x.Sample = make([]uint64, keptOf(n))
	s.Rows(len(x.Sample), 1, func(b []byte, lo, hi int) {
		for k := lo; k < hi; k++ {
			x.Sample[k] = uint64(b[k-lo]) << 32
		}
	})
	s.Rows(len(x.Sample), 4, func(b []byte, lo, hi int) {
		for k := lo; k < hi; k, b = k+1, b[4:] {
			x.Sample[k] |= uint64(binary.LittleEndian.Uint32(b))
		}
	})
	if at := slices.IndexFunc(x.Sample, func(v uint64) bool { return v > uint64(n) }); s.Err() == nil && at >= 0 {
		s.Fail("has a suffix at %d, beyond the text", x.Sample[at])
	}
}

// compareCounts compares the counts of the file with the bases.
func (x *Index) compareCounts(s *indexfiles.Source, before []twobit.Counts, sums [5]uint64) {
	var all twobit.Counts
	at := 0
	for k, counts := range before {
		if counts != all {
			s.Fail("has wrong counts before block %d", k)
			return
		}
		end := min((k+1)*block, len(x.Transform)+1)
		if end > x.Primary {
			end--
		}
		all.Add(twobit.Count(x.Transform[at:end]))
		at = end
	}
	if all.Sums() != sums {
		s.Fail("has wrong counts of all bases")
	}
}
