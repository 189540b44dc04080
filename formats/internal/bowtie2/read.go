package bowtie2

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"os"
	"slices"
	"strings"
	"sync/atomic"

	"github.com/suffixcl/suffixcl/formats/internal/indexfiles"
	"github.com/suffixcl/suffixcl/internal/twobit"
)

// Index holds the contents of the files.
type Index struct {
	Reference        *Reference
	Forward, Reverse Strand
}

// Strand is the text, or the reversed text, with its suffixes sorted. The end is larger than all bases.
type Strand struct {
	Transform []byte   // [n] bases without the row of the text
	Zero      int      // that row
	Sample    []uint64 // the entries 0, 16, 32, … of the suffix array, of whose n+1 entries the last is the empty suffix
}

// Read reads the index of a prefix, a small one or else a large one. Memory: 4 bytes a base. Errors: those of the file
// system; a *indexfiles.Error for files that are damaged, or do not belong together as far as sizes, counts and the
// table of words tell.
func Read(prefix string) (*Index, error) {
	r := &Reference{shape: small}
	if _, err := os.Stat(prefix + ".1" + small.extension); errors.Is(err, fs.ErrNotExist) {
		r.shape = large
	}
	n, err := r.readStretches(prefix + ".3" + r.shape.extension)
	if err != nil {
		return nil, err
	}
	if err := r.readBases(prefix+".4"+r.shape.extension, n); err != nil {
		return nil, err
	}
	x := &Index{Reference: r}
	if err := r.readStrand(&x.Forward, prefix, forward); err != nil {
		return nil, err
	}
	r.reverse()
	defer r.reverse()
	return x, r.readStrand(&x.Reverse, prefix, reverse)
}

// Write writes the index as it was read. The reference is reversed on the way.
func (x *Index) Write(ctx context.Context, files *indexfiles.Set) error {
	r := x.Reference
	if err := x.Forward.write(ctx, files, r, forward); err != nil {
		return err
	}
	r.reverse()
	defer r.reverse()
	return x.Reverse.write(ctx, files, r, reverse)
}

func (t *Strand) write(ctx context.Context, files *indexfiles.Set, r *Reference, of strand) error {
	c := column{r.shape, t.Transform, t.Zero, twobit.NewRanks(t.Transform)}
	return r.writeStrand(ctx, files, of, c, func(k int) uint64 { return t.Sample[k] })
}

// version reads the number that begins a file.
func version(s *indexfiles.Source) {
	if v := s.Uint32(); s.Err() == nil && v != 1 {
		s.Fail("begins with %d, not 1: it is no index of bowtie2 2 of this order of bytes", v)
	}
}

// number reads a number that is a length.
func (r *Reference) number(s *indexfiles.Source) int {
	if r.shape == large {
		return s.Count(MaxLargeBases)
	}
	return int(s.Uint32())
}

// readStretches reads the file .3, which has the lengths of the sequences, too, and returns the number of bases.
func (r *Reference) readStretches(name string) (n int, err error) {
	s, err := indexfiles.OpenSource(name)
	if err != nil {
		return 0, err
	}
	version(s)
	for range r.number(s) {
		stretch := Stretch{Gap: r.number(s), Length: r.number(s)}
		first := s.Bytes(1)
		if s.Err() != nil {
			break
		}
		if stretch.First = first[0] == 1; first[0] > 1 || !stretch.First && len(r.Sequences) == 0 ||
			stretch.Length > MaxLargeBases-n || r.shape == small && stretch.Length > MaxBases-n {
			s.Fail("has a stretch that is not possible")
			break
		}
		if stretch.First {
			r.Sequences = append(r.Sequences, Sequence{})
		}
		number := len(r.Sequences) - 1
		of := &r.Sequences[number]
		of.Length += stretch.Gap
		if stretch.Length > 0 {
			r.Fragments = append(r.Fragments, Fragment{number, of.Length, n, stretch.Length})
		}
		of.Length += stretch.Length
		n += stretch.Length
		r.Stretches = append(r.Stretches, stretch)
	}
	return n, s.Close()
}

func (r *Reference) readBases(name string, n int) error {
	s, err := indexfiles.OpenSource(name)
	if err != nil {
		return err
	}
	if !s.Holds(int64(twobit.Bytes(n))) {
		return s.Close()
	}
	r.text = make([]byte, n)
	var padded atomic.Bool
	s.Rows(twobit.Bytes(n), 1, func(b []byte, lo, hi int) {
		twobit.UnpackLow(r.text[4*lo:min(4*hi, n)], b)
		if padding(b, n-4*lo) {
			padded.Store(true)
		}
	})
	if padded.Load() {
		s.Fail("has bases after the last one")
	}
	return s.Close()
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

// readStrand reads the files .1 and .2 of the strand that the text is. All parts but transform and names are made anew
// from the text, and compared.
func (r *Reference) readStrand(to *Strand, prefix string, of strand) error {
	s, err := indexfiles.OpenSource(prefix + of.suffix + ".1" + r.shape.extension)
	if err != nil {
		return err
	}
	n := r.Len()
	head := r.head(of.flag)
	if b := s.Bytes(len(head)); b != nil && !bytes.Equal(b, head) {
		s.Fail("begins otherwise than the index of the stretches of .3, in the shape of bowtie2-build without options")
	}
	column := make([]byte, n+1)
	var padded atomic.Bool
	sideBases, sideBytes := r.shape.sideBases(), r.shape.sideBytes()
	before := make([]twobit.Counts, r.shape.sides(n))
	s.Rows(len(before), sideBytes, func(b []byte, lo, hi int) {
		for k := lo; k < hi; k, b = k+1, b[sideBytes:] {
			some := column[k*sideBases : min((k+1)*sideBases, n+1)]
			twobit.UnpackLow(some, b)
			if padding(b[:sideBases/4], len(some)) {
				padded.Store(true)
			}
			for base := range before[k] {
				before[k][base] = r.shape.number(b[sideBases/4+r.shape.word*base:])
			}
		}
	})
	if padded.Load() {
		s.Fail("has bases after the last one")
	}
	zero := r.number(s)
	if s.Err() == nil && (zero > n || column[zero] != 0) {
		s.Fail("has the text in row %d of %d", zero, n+1)
	}
	if s.Err() != nil {
		return s.Close()
	}
	to.Zero = zero
	to.Transform = slices.Delete(column, to.Zero, to.Zero+1)
	r.compare(s, to, before, of)
	if err := s.Close(); err != nil {
		return err
	}
	return to.readSample(prefix+of.suffix+".2"+r.shape.extension, r.shape, n)
}

// compare compares counts, and the parts after the transform.
func (r *Reference) compare(s *indexfiles.Source, of *Strand, before []twobit.Counts, which strand) {
	c := column{r.shape, of.Transform, of.Zero, twobit.NewRanks(of.Transform)}
	var all twobit.Counts
	at := 0 // in the transform
	for k, counts := range before {
		if counts != all {
			s.Fail("has wrong counts before side %d", k)
			return
		}
		end := min((k+1)*r.shape.sideBases(), len(of.Transform)+1)
		if end > of.Zero {
			end--
		}
		all.Add(twobit.Count(of.Transform[at:end]))
		at = end
	}
	names := r.Sequences
	r.Sequences = nil // so that the tail has no names
	tail := c.tail(r)
	r.Sequences = names
	tail = tail[r.shape.word : len(tail)-1] // without the row, which was read, and the end of the names
	if b := s.Bytes(len(tail)); b != nil && !bytes.Equal(b, tail) {
		s.Fail("has other counts, or another table of words, than the text")
	}
	list := string(s.Bytes(int(s.Rest())))
	lines := strings.Split(strings.TrimSuffix(list, "\n\x00"), "\n")
	if s.Err() == nil && (!strings.HasSuffix(list, "\n\x00") || len(lines) != len(names)) {
		s.Fail("has not as many names as sequences")
	}
	for i := range names {
		if s.Err() != nil {
			return
		}
		if which == reverse && names[i].Name != lines[i] {
			s.Fail("has other names than .1")
		}
		names[i].Name = lines[i]
	}
}

func (t *Strand) readSample(name string, shape shape, n int) error {
	s, err := indexfiles.OpenSource(name)
	if err != nil {
		return err
	}
	version(s)
	t.Sample = make([]uint64, keptOf(n))
	s.Rows(len(t.Sample), shape.word, func(b []byte, lo, hi int) {
		for k := lo; k < hi; k, b = k+1, b[shape.word:] {
			t.Sample[k] = shape.number(b)
		}
	})
	if at := slices.IndexFunc(t.Sample, func(v uint64) bool { return v > uint64(n) }); s.Err() == nil && at >= 0 {
		s.Fail("has a suffix at %d, beyond the text", t.Sample[at])
	}
	return s.Close()
}
