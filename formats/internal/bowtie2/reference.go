package bowtie2

import (
	"bytes"
	"errors"
	"fmt"
	"strconv"

	"github.com/suffixcl/suffixcl"
	"github.com/suffixcl/suffixcl/internal/parallel"
	"github.com/suffixcl/suffixcl/internal/twobit"
	"github.com/suffixcl/suffixcl/seqio"
)

// MaxBases is the longest reference, without letters that are no bases, of a small index; MaxLargeBases is that of a
// large index.
const (
	MaxBases      = suffixcl.MaxLen
	MaxLargeBases = suffixcl.MaxRangesLen
)

// Sequence is a sequence of a reference.
type Sequence struct {
	Name   string // header line
	Length int    // letters, with those that are no bases
}

// Fragment is a stretch of bases in a sequence.
type Fragment struct {
	Sequence int // its number
	Offset   int // in the sequence
	Start    int // in the text of all fragments
	Length   int
}

// Stretch is a run of letters that are no bases, and the fragment after it: either may be empty.
type Stretch struct {
	Gap, Length int
	First       bool // of its sequence
}

// Reference is a reference that bowtie2 indexes.
type Reference struct {
	Sequences []Sequence
	Fragments []Fragment
	Stretches []Stretch
	text      []byte   // [n] bases 0 to 3
	words     []uint64 // how often each word is in the text; nil before they are counted
	shape     shape
}

// Kinds of letters.
const (
	gap  = 4 // no base, and counted
	none = 5 // as if not there
)

// codes has the base of each letter, or gap or none.
var codes = func() (codes [256]byte) {
	for c := range codes {
		codes[c] = none
	}
	for code, letters := range []string{"Aa", "Cc", "Gg", "Tt", "BbDdHhKkMmNnRrSsVvWwXxYy-"} {
		for _, c := range []byte(letters) {
			codes[c] = byte(code)
		}
	}
	return codes
}()

// New returns the reference of these records, whose headers are whole (indexfiles.Sequences). It takes over their text.
// The codes of IUPAC, X and "-" end a fragment. All other letters, as U, are left out, as bowtie2 does it. Errors: a
// record without letters; no bases, or more than MaxBases, as a *suffixcl.LengthError.
func New(b *seqio.Batch) (*Reference, error) { return newReference(b, small, MaxBases) }

// NewLarge returns the reference of a large index (.bt2l), as "bowtie2-build --large-index" makes it: numbers have 64
// bits, and suffixes are sorted in ranges.
func NewLarge(b *seqio.Batch) (*Reference, error) { return newReference(b, large, MaxLargeBases) }

func newReference(b *seqio.Batch, shape shape, most int) (*Reference, error) {
	codes := codes
	parallel.Do(len(b.Text), 1<<16, func(lo, hi int) {
		for i, letter := range b.Text[lo:hi] {
			b.Text[lo+i] = codes[letter]
		}
	})
	r := &Reference{shape: shape}
	s := splitter{to: r}
	runs := twobit.Others(b.Text)
	for k, record := range b.Records {
		s.begin(k)
		at, end := record.Offset, record.End()
		for at < end {
			for len(runs) > 0 && runs[0].Offset+runs[0].Length <= at {
				runs = runs[1:]
			}
			stop := end // of the bases
			if len(runs) > 0 {
				stop = min(end, max(runs[0].Offset, at))
			}
			s.bases(b.Text, at, stop)
			at = stop
			if len(runs) > 0 && runs[0].Offset <= at {
				at = min(end, runs[0].Offset+runs[0].Length)
				s.gap(bytes.Count(b.Text[stop:at], []byte{gap}))
			}
		}
		if err := s.end(record.Name); err != nil {
			return nil, err
		}
	}
	if r.text = b.Text[:s.size]; len(r.text) == 0 {
		return nil, errors.New("bowtie2: the reference has no bases")
	}
	if len(r.text) > most {
		return nil, &suffixcl.LengthError{What: "reference", Len: len(r.text), Max: most}
	}
	return r, nil
}

// splitter cuts sequences into fragments.
type splitter struct {
	to      *Reference
	size    int // of all fragments so far
	mover   parallel.Mover[byte]
	stretch Stretch
	length  int // of the sequence so far
	number  int // of the sequence
}

func (s *splitter) begin(number int) {
	s.number, s.length, s.stretch = number, 0, Stretch{First: true}
}

// bases goes on with a fragment: with the bases of a part of the text of the records, whose fragments move together.
func (s *splitter) bases(text []byte, from, end int) {
	n := end - from
	if n == 0 {
		return
	}
	if s.stretch.Length == 0 {
		f := Fragment{Sequence: s.number, Offset: s.length, Start: s.size}
		s.to.Fragments = append(s.to.Fragments, f)
	}
	s.stretch.Length += n
	s.to.Fragments[len(s.to.Fragments)-1].Length += n
	s.length += n
	s.mover.Move(text, s.size, from, n)
	s.size += n
}

// gap goes on with a run of letters that are no bases.
func (s *splitter) gap(n int) {
	if n > 0 && s.stretch.Length > 0 {
		s.flush()
	}
	s.stretch.Gap += n
	s.length += n
}

func (s *splitter) flush() {
	s.to.Stretches = append(s.to.Stretches, s.stretch)
	s.stretch = Stretch{}
}

// end ends a sequence.
func (s *splitter) end(name string) error {
	if s.length == 0 {
		return fmt.Errorf("bowtie2: sequence %d (%s) is empty, or has no letter that bowtie2 takes", s.number+1, name)
	}
	if s.stretch.Length+s.stretch.Gap > 0 {
		s.flush()
	}
	s.to.Sequences = append(s.to.Sequences, Sequence{name, s.length})
	return nil
}

// nameOf is the name in the files: a number if the sequence has none.
func (r *Reference) nameOf(i int, s Sequence) string {
	if s.Name == "" {
		return strconv.Itoa(i)
	}
	return s.Name
}
