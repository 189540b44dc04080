package minibwa

import (
	"bytes"
	"context"
	"sync/atomic"

	"github.com/suffixcl/suffixcl/formats/internal/indexfiles"
	"github.com/suffixcl/suffixcl/formats/internal/strands"
	"github.com/suffixcl/suffixcl/internal/twobit"
)

// Index holds the contents of the files.
type Index struct {
	Reference *Reference
	Transform []byte // [2n] bases of both strands, without the row of the text
	Primary   int    // that row
	// Sample are the entries 16, 32, … of the suffix array, which begins with the empty suffix.
	Sample []uint64
}

// Read reads the index of a prefix. Memory: 5 bytes a base. Errors: those of the file system; a *indexfiles.Error for
// files that are damaged, or do not belong together as far as their counts tell.
func Read(prefix string) (*Index, error) {
	r, err := readReference(prefix + ".l2b")
	if err != nil {
		return nil, err
	}
	x := &Index{Reference: r}
	return x, x.readTransform(prefix + ".mbw")
}

// Write writes the index as it was read.
func (x *Index) Write(ctx context.Context, files *indexfiles.Set) error {
	return x.Reference.write(ctx, files, x.Transform, x.Primary, func(k int) uint64 { return x.Sample[k-1] })
}

// magic reads the bytes that a file begins with, and the number after them.
func magic(s *indexfiles.Source, want string, number uint32) {
	if b := s.Bytes(4); b != nil && string(b) != want {
		s.Fail("does not begin with %q", want)
	}
	if got := s.Uint32(); s.Err() == nil && got != number {
		s.Fail("has %d after its magic, not %d", got, number)
	}
}

func readReference(name string) (*Reference, error) {
	s, err := indexfiles.OpenSource(name)
	if err != nil {
		return nil, err
	}
	magic(s, basesMagic, 0)
	most := int(min(s.Rest(), MaxBases))
	sequences, n := s.Count(most), s.Count(MaxBases)
	spans := [2]int{s.Count(most), s.Count(most)}
	names, comments := s.Count(most), s.Count(most)
	if words := s.Uint64(); s.Err() == nil && words != uint64(wordsOf(n)) {
		s.Fail("has %d words of bases, %d bases take %d", words, n, wordsOf(n))
	}
	r := &Reference{}
	at := 0
	for range sequences {
		length := s.Count(n - at)
		r.Sequences = append(r.Sequences, indexfiles.Sequence{Offset: at, Length: length})
		if at += length; s.Err() != nil {
			break
		}
	}
	if s.Err() == nil && at != n {
		s.Fail("has sequences of %d bases, not of %d", at, n)
	}
	for i, to := range []*[]Span{&r.Ambiguous, &r.Masked} {
		last := 0
		for k := 0; k < spans[i] && s.Err() == nil; k++ {
			span := Span{s.Count(n), s.Count(n)}
			if s.Err() == nil && (span.Start < last || span.End <= span.Start) {
				s.Fail("has a stretch from %d to %d after %d", span.Start, span.End, last)
			}
			*to, last = append(*to, span), span.End
		}
	}
	var padded atomic.Bool
	if s.Err() == nil && s.Holds(8*int64(wordsOf(n))) {
		r.text = make([]byte, 2*n)
		s.Rows(wordsOf(n), 8, func(b []byte, lo, hi int) {
			twobit.UnpackLow(r.text[lo*wordBases:min(hi*wordBases, n)], b)
			if padding(b, n-lo*wordBases) {
				padded.Store(true)
			}
		})
		r.text.Complement()
	}
	if padded.Load() {
		s.Fail("has bases after the last one")
	}
	r.readNames(s, s.Bytes(names), s.Bytes(comments))
	return r, s.Close()
}

// padding says whether there are bases after the first n.
func padding(packed []byte, n int) bool {
	for i := n; i < 4*len(packed); i++ {
		if twobit.LowAt(packed, i) != 0 {
			return true
		}
	}
	return false
}

// readNames takes names and comments, each with a byte 0 after it.
func (r *Reference) readNames(s *indexfiles.Source, names, comments []byte) {
	if s.Err() != nil {
		return
	}
	if bytes.Count(names, []byte{0}) != len(r.Sequences) || bytes.Count(comments, []byte{0}) != len(r.Sequences) {
		s.Fail("has not as many names or comments as sequences")
		return
	}
	for k := range r.Sequences {
		var name, comment []byte
		name, names, _ = bytes.Cut(names, []byte{0})
		comment, comments, _ = bytes.Cut(comments, []byte{0})
		r.Sequences[k].Name, r.Sequences[k].Comment = string(name), string(comment)
	}
}

func (x *Index) readTransform(name string) error {
	s, err := indexfiles.OpenSource(name)
	if err != nil {
		return err
	}
	n := len(x.Reference.text)
	magic(s, transformMagic, 4)
	x.Primary = s.Count(n)
	var sums [5]uint64
	for base := range 4 {
		sums[base+1] = s.Uint64()
	}
	if s.Err() == nil && sums[4] != uint64(n) {
		s.Fail("is of %d bases, the reference has %d on both strands", sums[4], n)
	}
	x.Transform = make([]byte, n)
	counts := make([][2]twobit.Counts, blocksOf(n)+1) // before a block, and of its first half
	var padded atomic.Bool
	s.Rows(blocksOf(n), rowBytes, func(b []byte, lo, hi int) {
		for k := lo; k < hi; k, b = k+1, b[rowBytes:] {
			for base := range 4 {
				v := little.Uint64(b[8*base:])
				counts[k][0][base], counts[k][1][base] = v&(1<<halfShift-1), v>>halfShift
			}
			some := x.Transform[k*block : min((k+1)*block, n)]
			twobit.UnpackLow(some, b[32:])
			if padding(b[32:rowBytes], len(some)) {
				padded.Store(true)
			}
		}
	})
	if padded.Load() {
		s.Fail("has bases after the last one")
	}
	for base := range 4 {
		counts[blocksOf(n)][0][base] = s.Uint64()
	}
	x.compareCounts(s, counts, sums)
	kept := s.Count(keptOf(n))
	empty := s.Uint64()
	if s.Err() == nil && (kept != keptOf(n) || empty != emptySuffix) {
		s.Fail("has not every %dth entry of the suffix array", interval)
	}
	x.Sample = strands.ReadSample(s, keptOf(n)-1, n)
	return s.Close()
}

// compareCounts compares the counts of the file with the bases.
func (x *Index) compareCounts(s *indexfiles.Source, counts [][2]twobit.Counts, sums [5]uint64) {
	var all twobit.Counts
	for k, c := range counts {
		var half twobit.Counts
		some := x.Transform[min(k*block, len(x.Transform)):min((k+1)*block, len(x.Transform))]
		if len(some) > block/2 {
			half = twobit.Count(some[:block/2])
		}
		if s.Err() == nil && (c[0] != all || c[1] != half) {
			s.Fail("has wrong counts before block %d", k)
		}
		all.Add(twobit.Count(some))
	}
	if s.Err() == nil && all.Sums() != sums {
		s.Fail("has wrong counts of all bases")
	}
}
