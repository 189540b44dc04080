package fmindex

import (
	"io"

	"github.com/suffixcl/suffixcl/internal/limits"
	"github.com/suffixcl/suffixcl/internal/parallel"
	"github.com/suffixcl/suffixcl/internal/twobit"
	"github.com/suffixcl/suffixcl/seqio"
)

// Strands is the index of a text that is its own reverse complement: sequences one after the other, and then the other
// strand of all of them. SMEMs are found in it.
type Strands struct {
	Records   seqio.Table // of the first strand
	Transform []byte      // [2n] bases 0 to 3, without the row of the text
	Primary   int         // that row
	// Samples [2n/Every] are the places of rows Every, 2*Every and so on. Every is 0 without.
	Samples []uint32
	Every   int
}

// StrandsHeader is that of an index of so many bases on both strands together, of which so many are A, and so many C.
func StrandsHeader(n int, as, cs uint64, records seqio.Table, every int) Header {
	h := Header{Length: n, Alphabet: BothStrands, Rate: every, Separator: NoSeparator, Records: records}
	h.Counts['A'], h.Counts['C'], h.Counts['G'], h.Counts['T'] = as, cs, cs, as
	return h
}

// strandWords are the words of a block of 64 bases: four counts, and two planes of bits.
const strandWords = 8

// Write stores the index. Errors: what does not belong together; those of w.
func (x *Strands) Write(w io.Writer) error {
	n := len(x.Transform)
	if err := limits.CheckLen("text of both strands", n, limits.MaxLen); err != nil {
		return err
	}
	kept := twobit.NewRanks(x.Transform)
	counts := kept.Before(n)
	if counts[0] != counts[3] || counts[1] != counts[2] {
		return errOtherCounts
	}
	h := StrandsHeader(n, counts[0], counts[1], x.Records, x.Every)
	h.Primary = x.Primary
	blocks := make([]uint32, strandWords*(n/sector+1))
	parallel.Do(n/sector+1, 1<<10, func(lo, hi int) {
		before := kept.Before(lo * sector)
		for b := lo; b < hi; b++ {
			bases, to := x.Transform[b*sector:min((b+1)*sector, n)], blocks[strandWords*b:]
			for base, count := range before {
				to[base] = uint32(count)
			}
			low, high := twobit.Planes(bases)
			to[4], to[5], to[6], to[7] = uint32(low), uint32(low>>32), uint32(high), uint32(high>>32)
			before.Add(twobit.Count(bases))
		}
	})
	return (&File{Header: h, blocks: blocks, samples: x.Samples}).Write(w)
}

// ReadStrands reads an index that Strands.Write has stored, to the end of the input. Errors: those of Read;
// ErrOneStrand.
func ReadStrands(r io.Reader) (*Strands, error) {
	f, err := read(r)
	switch {
	case err != nil:
		return nil, err
	case f.Alphabet != BothStrands:
		return nil, ErrOneStrand
	}
	n := f.Length
	for k, place := range f.samples {
		if int(place) >= n {
			return nil, wrong("sample %d is %d, beyond the text", k, place)
		}
	}
	x := &Strands{Records: f.Records, Transform: make([]byte, n), Primary: f.Primary, Samples: f.samples, Every: f.Rate}
	parallel.Do(n/sector+1, 1<<10, func(lo, hi int) {
		for b := lo; b < hi; b++ {
			from := f.blocks[strandWords*b:]
			low, high := uint64(from[4])|uint64(from[5])<<32, uint64(from[6])|uint64(from[7])<<32
			twobit.FromPlanes(x.Transform[b*sector:min((b+1)*sector, n)], low, high)
		}
	})
	if counts := twobit.CountAll(x.Transform); counts != (twobit.Counts{f.Counts['A'], f.Counts['C'], f.Counts['G'],
		f.Counts['T']}) {
		return nil, wrong("its transform has other letters than the header counts")
	}
	return x, nil
}
