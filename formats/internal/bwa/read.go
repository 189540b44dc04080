package bwa

import (
	"bytes"
	"context"
	"encoding/binary"
	"strconv"
	"strings"

	"github.com/suffixcl/suffixcl/formats/internal/indexfiles"
	"github.com/suffixcl/suffixcl/formats/internal/strands"
	"github.com/suffixcl/suffixcl/internal/twobit"
)

// Index holds the contents of the files.
type Index struct {
	Reference *Reference
	Transform []byte // [2n] bases of both strands, without the row of the text
	Primary   int    // that row
	// Sample are the entries 32, 64, … of the suffix array, which begins with the empty suffix.
	Sample []uint64

	sums [5]uint64 // that the files tell: numbers of bases less than each
}

// Read reads the index of a prefix. Memory: 4.25 bytes a base. Errors: those of the file system; a *indexfiles.Error
// for files that are damaged, or do not belong together as far as their counts tell.
func Read(prefix string) (*Index, error) {
	r, err := ReadReference(prefix)
	if err != nil {
		return nil, err
	}
	x := &Index{Reference: r}
	return x, x.read(prefix, len(r.text))
}

// ReadSearched reads what is searched of an index: the files .ann, .bwt and .sa. Its reference has no bases. Errors as
// Read.
func ReadSearched(prefix string) (*Index, error) {
	x := &Index{Reference: &Reference{}}
	n, err := x.Reference.readSequences(prefix + ".ann")
	if err != nil {
		return nil, err
	}
	return x, x.read(prefix, 2*n)
}

// read reads transform and sample of a text of n bases.
func (x *Index) read(prefix string, n int) error {
	if err := x.readTransform(prefix+".bwt", n); err != nil {
		return err
	}
	return x.readSample(prefix + ".sa")
}

// Write writes the index as it was read.
func (x *Index) Write(ctx context.Context, files *indexfiles.Set) error {
	return x.Reference.write(ctx, files, x.Transform, x.Primary, func(k int) uint64 { return x.Sample[k] })
}

// ReadReference reads the files .ann, .amb and .pac of a prefix. Errors as Read.
func ReadReference(prefix string) (*Reference, error) {
	r := &Reference{}
	n, err := r.readSequences(prefix + ".ann")
	if err == nil {
		err = r.readHoles(prefix+".amb", n)
	}
	if err == nil {
		err = r.readPacked(prefix+".pac", n)
	}
	return r, err
}

// numbers reads a line of so many numbers.
func numbers(s *indexfiles.Source, count int) []int {
	all := make([]int, count)
	fields := strings.Fields(s.Line())
	if len(fields) != count {
		s.Fail("the line before has %d numbers instead of %d", len(fields), count)
		return all
	}
	for i, field := range fields {
		v, err := strconv.Atoi(field)
		if err != nil || v < 0 {
			s.Fail("the line before has %q, which is no number", field)
		}
		all[i] = v
	}
	return all
}

// readSequences reads the file .ann, and returns the number of bases.
func (r *Reference) readSequences(name string) (n int, err error) {
	s, err := indexfiles.OpenSource(name)
	if err != nil {
		return 0, err
	}
	head, at := numbers(s, 3), 0
	if s.Err() == nil && (head[0] > MaxBases || head[2] != strands.Seed) {
		s.Fail("is of %d bases and seed %d; at most %d and %d are taken", head[0], head[2], MaxBases, strands.Seed)
	}
	for k := 0; k < head[1] && s.Err() == nil; k++ {
		id, header, _ := strings.Cut(s.Line(), " ")
		name, comment := indexfiles.Header(header)
		if comment == noComment {
			comment = ""
		}
		place := numbers(s, 3)
		r.Sequences = append(r.Sequences, Sequence{indexfiles.Sequence{Name: name, Comment: comment,
			Offset: place[0], Length: place[1]}, place[2]})
		if s.Err() == nil && (id != "0" || place[0] != at) {
			s.Fail("has sequence %d at %d instead of %d", k+1, place[0], at)
		}
		at += place[1]
	}
	if s.Err() == nil && at != head[0] {
		s.Fail("has sequences of %d bases, not of %d", at, head[0])
	}
	return head[0], s.Close()
}

// readHoles reads the file .amb.
func (r *Reference) readHoles(name string, n int) error {
	s, err := indexfiles.OpenSource(name)
	if err != nil {
		return err
	}
	head := numbers(s, 3)
	if s.Err() == nil && (head[0] != n || head[1] != len(r.Sequences)) {
		s.Fail("is of %d bases and %d sequences, .ann of %d and %d", head[0], head[1], n, len(r.Sequences))
	}
	for k := 0; k < head[2] && s.Err() == nil; k++ {
		h := Hole{}
		fields := strings.Fields(s.Line())
		if len(fields) == 3 && len(fields[2]) == 1 {
			var wrong [2]error
			h.Offset, wrong[0] = strconv.Atoi(fields[0])
			h.Length, wrong[1] = strconv.Atoi(fields[1])
			h.Letter = fields[2][0]
			if wrong != [2]error{} || h.Offset < 0 || h.Length < 1 || h.Offset > n-h.Length {
				s.Fail("the line before has no hole in %d bases", n)
			}
		} else {
			s.Fail("the line before is not that of a hole")
		}
		r.Holes = append(r.Holes, h)
	}
	return s.Close()
}

// readPacked reads the file .pac.
func (r *Reference) readPacked(name string, n int) error {
	s, err := indexfiles.OpenSource(name)
	if err != nil {
		return err
	}
	if !s.Holds(packedSize(n)) {
		return s.Close()
	}
	r.text = make([]byte, 2*n)
	s.Rows(n/4, 1, func(b []byte, lo, hi int) { twobit.UnpackHigh(r.text[4*lo:4*hi], b) })
	if last := s.Bytes(2); last != nil {
		twobit.UnpackHigh(r.text[n/4*4:n], last)
		for i := n % 4; i < 4; i++ {
			if twobit.HighAt(last, i) != 0 {
				s.Fail("has bases after the last one")
			}
		}
		if int(last[1]) != n%4 {
			s.Fail("is of another number of bases than .ann")
		}
	}
	r.text.Complement()
	return s.Close()
}

// readHeader reads the header of .bwt and .sa, for n bases, and returns the primary index and the counts.
func readHeader(s *indexfiles.Source, n int) (primary int, sums [5]uint64) {
	primary = s.Count(n)
	for base := range 4 {
		sums[base+1] = s.Uint64()
		if s.Err() == nil && sums[base+1] < sums[base] {
			s.Fail("has counts that fall")
		}
	}
	if s.Err() == nil && sums[4] != uint64(n) {
		s.Fail("is of %d bases, the reference has %d on both strands", sums[4], n)
	}
	return primary, sums
}

func (x *Index) readTransform(name string, n int) error {
	s, err := indexfiles.OpenSource(name)
	if err != nil {
		return err
	}
	x.Transform = make([]byte, n)
	x.Primary, x.sums = readHeader(s, n)
	whole, blocks := n/block, (n+block-1)/block
	const row = 32 + block/4
	counts := newCounts(blocks)
	s.Rows(whole, row, func(b []byte, lo, hi int) {
		counts.part(lo, hi, func(k int) (before, of twobit.Counts) {
			b := b[(k-lo)*row:][:row]
			unpackWords(x.Transform[k*block:(k+1)*block], b[32:])
			return readCounts(b), twobit.CountPacked(b[32:])
		})
	})
	if rest := x.Transform[whole*block:]; len(rest) > 0 {
		if b := s.Bytes(32 + (len(rest)+15)/16*4); b != nil {
			all := make([]byte, (len(rest)+15)/16*16)
			unpackWords(all, b[32:])
			if bytes.Count(all[len(rest):], []byte{0}) != len(all)-len(rest) {
				s.Fail("has bases after the last one")
			}
			copy(rest, all)
			counts.part(whole, blocks, func(int) (before, of twobit.Counts) { return readCounts(b), twobit.Count(rest) })
		}
	}
	var all twobit.Counts
	if b := s.Bytes(32); b != nil {
		all = readCounts(b)
	}
	if s.Err() == nil {
		if k := counts.wrong(all); k < blocks {
			s.Fail("has wrong counts before block %d", k)
		} else if k == blocks || all.Sums() != x.sums {
			s.Fail("has wrong counts of all bases")
		}
	}
	return s.Close()
}

func readCounts(b []byte) (c twobit.Counts) {
	for base := range c {
		c[base] = binary.LittleEndian.Uint64(b[8*base:])
	}
	return c
}

// unpackWords unpacks words of packWords: of each the bytes are in reverse.
func unpackWords(bases, words []byte) {
	var packed [block / 4]byte
	for len(bases) > 0 {
		n := min(len(words), len(packed))
		for i := 0; i < n; i += 4 {
			binary.BigEndian.PutUint32(packed[i:], binary.LittleEndian.Uint32(words[i:]))
		}
		some := min(len(bases), 4*n)
		twobit.UnpackHigh(bases[:some], packed[:])
		bases, words = bases[some:], words[n:]
	}
}

func (x *Index) readSample(name string) error {
	s, err := indexfiles.OpenSource(name)
	if err != nil {
		return err
	}
	n := len(x.Transform)
	primary, sums := readHeader(s, n)
	every, length := s.Uint64(), s.Uint64()
	if s.Err() == nil && (primary != x.Primary || sums != x.sums || every != Interval ||
		length != uint64(n)) {
		s.Fail("is of another index, or has not every %dth entry", Interval)
	}
	x.Sample = strands.ReadSample(s, n/Interval, n)
	return s.Close()
}
