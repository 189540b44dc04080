package star

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/suffixcl/suffixcl/formats/internal/indexfiles"
	"github.com/suffixcl/suffixcl/seqio"
)

// NewPlain is New without options.
func NewPlain(b *seqio.Batch) (*Reference, error) { return New(b, Options{}) }

// Folder is what the files of a folder have.
type Folder struct {
	Contigs    []Contig
	Genome     []byte // codes, and the text of junctions after those of the sequences
	Plain      int    // positions without junctions
	StrandBit  int
	Levels     int // of the index before the suffix array
	Parameters map[string]string
	rows       packed
	entries    packed
	count      int
}

// Rows is the number of rows of the suffix array.
func (f *Folder) Rows() int { return f.count }

// Row is a place of the genome, and whether it is one of the reverse complement.
func (f *Folder) Row(i int) (place int, reverse bool) {
	v := f.rows.at(i)
	return int(v &^ (1 << f.StrandBit)), v>>f.StrandBit&1 != 0
}

// Read reads a folder. Memory: that of its files. Errors: those of the file system; an *indexfiles.Error for files that
// are damaged, or do not belong together as far as their sizes and the parameters tell.
func Read(prefix string) (*Folder, error) {
	f := &Folder{Parameters: map[string]string{}}
	for _, read := range []func(prefix string) error{f.readParameters, f.readContigs, f.readGenome, f.readRows, f.readIndex} {
		if err := read(prefix); err != nil {
			return nil, err
		}
	}
	return f, nil
}

// lines calls use with each line of a file.
func lines(name string, use func(s *indexfiles.Source, line string)) error {
	s, err := indexfiles.OpenSource(name)
	if err != nil {
		return err
	}
	for s.Err() == nil && s.Rest() > 0 {
		use(s, s.Line())
	}
	return s.Close()
}

// least and most of the bit of the strand.
const (
	leastStrandBit = 32
	mostStrandBit  = 56
)

func (f *Folder) readParameters(prefix string) error {
	name := prefix + parametersFile
	err := lines(name, func(s *indexfiles.Source, line string) {
		if bit, ok := strings.CutPrefix(line, "### GstrandBit "); ok {
			f.StrandBit, _ = strconv.Atoi(bit)
		}
		if key, value, ok := strings.Cut(line, "\t"); ok && !strings.HasPrefix(line, "#") {
			f.Parameters[key] = value
		}
	})
	switch {
	case err != nil:
		return err
	case f.Parameters["versionGenome"] != version:
		return &indexfiles.Error{File: name, Offset: -1,
			Why: fmt.Sprintf("is of version %q, not %q", f.Parameters["versionGenome"], version)}
	case f.StrandBit < leastStrandBit || f.StrandBit > mostStrandBit:
		return &indexfiles.Error{File: name, Offset: -1, Why: "has no line ### GstrandBit, or a wrong one"}
	}
	return nil
}

func (f *Folder) readContigs(prefix string) error {
	err := lines(prefix+"chrName.txt", func(_ *indexfiles.Source, line string) {
		f.Contigs = append(f.Contigs, Contig{Name: line})
	})
	if err != nil {
		return err
	}
	number := func(s *indexfiles.Source, line string) int {
		n, err := strconv.Atoi(line)
		if err != nil || n < 0 {
			s.Fail("the line before is no number")
		}
		return n
	}
	at := 0
	err = lines(prefix+"chrLength.txt", func(s *indexfiles.Source, line string) {
		if n := number(s, line); at < len(f.Contigs) {
			f.Contigs[at].Length = n
		}
		at++
	})
	if err == nil && at != len(f.Contigs) {
		err = &indexfiles.Error{File: prefix + "chrLength.txt", Offset: -1,
			Why: fmt.Sprintf("has %d lines, and chrName.txt %d", at, len(f.Contigs))}
	}
	if err != nil {
		return err
	}
	at = 0
	end := 0
	err = lines(prefix+"chrStart.txt", func(s *indexfiles.Source, line string) {
		n := number(s, line)
		if n < end {
			s.Fail("a sequence begins at %d, before the end of the one before", n)
		}
		if at < len(f.Contigs) {
			f.Contigs[at].Start = n
			end = n + f.Contigs[at].Length
		} else {
			f.Plain = n
		}
		at++
	})
	if err == nil && at != len(f.Contigs)+1 {
		err = &indexfiles.Error{File: prefix + "chrStart.txt", Offset: -1,
			Why: fmt.Sprintf("has %d lines for %d sequences and their end", at, len(f.Contigs))}
	}
	return err
}

func (f *Folder) readGenome(prefix string) error {
	s, err := indexfiles.OpenSource(prefix + genomeFile)
	if err != nil {
		return err
	}
	if s.Rest() < int64(f.Plain) {
		s.Fail("has %d positions, and chrStart.txt %d", s.Rest(), f.Plain)
	}
	f.Genome = s.Bytes(int(s.Rest()))
	for i, c := range f.Genome {
		if c > Spacer {
			return &indexfiles.Error{File: prefix + genomeFile, Offset: int64(i), Why: fmt.Sprintf("has a code of %d", c)}
		}
	}
	return s.Close()
}

func (f *Folder) readRows(prefix string) error {
	s, err := indexfiles.OpenSource(prefix + rowsFile)
	if err != nil {
		return err
	}
	size, width := s.Rest(), f.StrandBit+1
	f.count = int(size * 8 / int64(width))
	if f.count < 1 || packedSize(f.count, width) != size {
		s.Fail("has %d bytes, which are no rows of %d bits", size, width)
	}
	if want := fmt.Sprintf("%d %d", len(f.Genome), size); f.Parameters["genomeFileSizes"] != want {
		s.Fail("is not of the size that the parameters have: %s", f.Parameters["genomeFileSizes"])
	}
	f.rows = packed{s.Bytes(int(size)), width}
	if err := s.Close(); err != nil {
		return err
	}
	for i := range f.count {
		place, reverse := f.Row(i)
		if place >= len(f.Genome) {
			return &indexfiles.Error{File: prefix + rowsFile, Offset: int64(i) * int64(width) / 8,
				Why: fmt.Sprintf("has a place of %d in row %d, beyond the genome", place, i)}
		}
		if reverse {
			place = len(f.Genome) - 1 - place
		}
		if f.Genome[place] >= Other {
			return &indexfiles.Error{File: prefix + rowsFile, Offset: int64(i) * int64(width) / 8,
				Why: fmt.Sprintf("has a suffix in row %d that begins with no base", i)}
		}
	}
	return nil
}

func (f *Folder) readIndex(prefix string) error {
	s, err := indexfiles.OpenSource(prefix + indexFile)
	if err != nil {
		return err
	}
	f.Levels = s.Count(mostIndexBases)
	if f.Levels < 1 && s.Err() == nil {
		s.Fail("has no level")
	}
	end := 0
	for level := range f.Levels + 1 {
		if s.Count(1<<(2*mostIndexBases+1)) != end {
			s.Fail("level %d does not begin at %d", level+1, end)
		}
		if level < f.Levels {
			end += 1 << (2 * (level + 1))
		}
	}
	width := f.StrandBit + 3
	if s.Err() == nil && s.Rest() != packedSize(end, width) {
		s.Fail("has %d bytes for %d entries of %d bits", s.Rest(), end, width)
	}
	f.entries = packed{s.Bytes(int(s.Rest())), width}
	if err := s.Close(); err != nil {
		return err
	}
	for i := range end {
		if row := f.entries.at(i) &^ (3 << (f.StrandBit + 1)); row > uint64(f.count) {
			return &indexfiles.Error{File: prefix + indexFile, Offset: int64(8*(f.Levels+2)) + int64(i)*int64(width)/8,
				Why: fmt.Sprintf("has row %d in entry %d of %d rows", row, i, f.count)}
		}
	}
	return nil
}
