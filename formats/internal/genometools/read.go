package genometools

import (
	"context"
	"encoding/binary"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"

	"github.com/suffixcl/suffixcl"
	"github.com/suffixcl/suffixcl/formats/internal/indexfiles"
)

// Index holds the contents of the files. The text is not in them: it is in the encoded sequence next to them.
type Index struct {
	SA        []uint32 // [n]; the row of the end, which is the last one, is left out
	LCP       []uint32 // [n]
	Transform []byte   // [n] characters without the row of the text: bases, Wildcard and Separator
	Primary   int      // that row
	Project   []Entry  // lines of the project file
}

// Entry is a line of a project file.
type Entry struct{ Key, Value string }

// Read reads the index of a prefix. Memory: 9 bytes a character. Errors: those of the file system; a *indexfiles.Error
// for files that are damaged, or do not belong together as far as sizes and the project file tell.
func Read(prefix string) (*Index, error) {
	x := &Index{}
	n, longest, err := x.readProject(prefix + ".prj")
	if err != nil {
		return nil, err
	}
	for _, read := range []func() error{
		func() error { return x.readSuffixes(prefix+".suf", n) },
		func() error { return x.readLengths(prefix+".lcp", n) },
		func() error { return x.readLarge(prefix + ".llv") },
		func() error { return x.readTransform(prefix+".bwt", n) },
	} {
		if err := read(); err != nil {
			return nil, err
		}
	}
	if x.Primary != longest || n > 0 && x.SA[longest] != 0 {
		return nil, &indexfiles.Error{File: prefix + ".prj", Offset: -1,
			Why: fmt.Sprintf("has the text in row %d, .bwt in row %d", longest, x.Primary)}
	}
	return x, nil
}

// readProject reads the project file, and returns the number of characters and the row of the text.
func (x *Index) readProject(name string) (n, longest int, err error) {
	s, err := indexfiles.OpenSource(name)
	if err != nil {
		return 0, 0, err
	}
	for s.Err() == nil && s.Rest() > 0 {
		key, value, found := strings.Cut(s.Line(), "=")
		if !found {
			s.Fail("the line before has no value")
		}
		x.Project = append(x.Project, Entry{key, value})
	}
	number := func(key string, most int) int {
		i := slices.IndexFunc(x.Project, func(e Entry) bool { return e.Key == key })
		if i < 0 {
			s.Fail("has no line %s", key)
			return 0
		}
		v, err := strconv.Atoi(x.Project[i].Value)
		if err != nil || v < 0 || v > most {
			s.Fail("has %s=%s; at most %d is taken", key, x.Project[i].Value, most)
		}
		return v
	}
	n = number("totallength", suffixcl.MaxLen)
	longest = number("longest", max(n-1, 0))
	number("littleendian", 1)
	if bits := number("integersize", 64); s.Err() == nil && bits != 64 {
		s.Fail("is of integers of %d bits", bits)
	}
	return n, longest, s.Close()
}

func (x *Index) readSuffixes(name string, n int) error {
	s, err := indexfiles.OpenSource(name)
	if err != nil {
		return err
	}
	if !s.Holds(8 * int64(n+1)) {
		return s.Close()
	}
	x.SA = make([]uint32, n)
	var beyond atomic.Bool
	s.Rows(n, 8, func(b []byte, lo, hi int) {
		for k := lo; k < hi; k, b = k+1, b[8:] {
			v := binary.LittleEndian.Uint64(b)
			if v >= uint64(n) {
				beyond.Store(true)
			}
			x.SA[k] = uint32(v)
		}
	})
	if last := s.Uint64(); s.Err() == nil && (last != uint64(n) || beyond.Load()) {
		s.Fail("has suffixes beyond the text, or does not end with that of its end")
	}
	return s.Close()
}

func (x *Index) readLengths(name string, n int) error {
	s, err := indexfiles.OpenSource(name)
	if err != nil {
		return err
	}
	x.LCP = make([]uint32, n)
	s.Rows(n, 1, func(b []byte, lo, hi int) {
		for i, v := range b {
			x.LCP[lo+i] = uint32(v)
		}
	})
	if last := s.Bytes(1); last != nil && last[0] != 0 {
		s.Fail("has a common prefix with the end of the text")
	}
	return s.Close()
}

// readLarge reads the lengths that are not in .lcp.
func (x *Index) readLarge(name string) error {
	s, err := indexfiles.OpenSource(name)
	if err != nil {
		return err
	}
	next := 0
	for s.Err() == nil && s.Rest() > 0 {
		rank, length := s.Uint64(), s.Uint64()
		for next < len(x.LCP) && x.LCP[next] != leastLarge {
			next++
		}
		if s.Err() == nil && (rank != uint64(next) || next == len(x.LCP) || length < leastLarge ||
			length > uint64(len(x.SA))) {
			s.Fail("has a length of %d at rank %d, .lcp has one at rank %d", length, rank, next)
		}
		if s.Err() == nil {
			x.LCP[next] = uint32(length)
			next++
		}
	}
	if s.Err() == nil && slices.Contains(x.LCP[next:], leastLarge) {
		s.Fail("ends before the lengths that .lcp leaves out")
	}
	return s.Close()
}

func (x *Index) readTransform(name string, n int) error {
	s, err := indexfiles.OpenSource(name)
	if err != nil {
		return err
	}
	x.Transform = make([]byte, n+1)
	s.Rows(n+1, 1, func(b []byte, lo, _ int) { copy(x.Transform[lo:], b) })
	x.Primary = max(slices.Index(x.SA, 0), 0)
	if s.Err() == nil && x.Transform[x.Primary] != Wildcard {
		s.Fail("has a base before the text")
	}
	x.Transform = slices.Delete(x.Transform, x.Primary, x.Primary+1)
	return s.Close()
}

// Write writes the index as it was read.
func (x *Index) Write(ctx context.Context, files *indexfiles.Set) error {
	err := files.Write(ctx, ".prj", -1, func(w io.Writer) error {
		for _, e := range x.Project {
			if _, err := fmt.Fprintf(w, "%s=%s\n", e.Key, e.Value); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	count := 0
	for _, length := range x.LCP {
		if length >= leastLarge {
			count++
		}
	}
	return write(ctx, files, x.SA, x.LCP, x.Transform, x.Primary, count)
}
