package genometools

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"sort"

	"github.com/suffixcl/suffixcl"
	"github.com/suffixcl/suffixcl/formats/internal/indexfiles"
	"github.com/suffixcl/suffixcl/internal/addressspace"
	"github.com/suffixcl/suffixcl/internal/parallel"
	"github.com/suffixcl/suffixcl/internal/regular"
	"github.com/suffixcl/suffixcl/internal/twobit"
	"github.com/suffixcl/suffixcl/seqio"
)

// Characters of the text but bases, which are 0 to 3.
const (
	Wildcard  = 254
	Separator = 255
)

// wrong is a letter that GenomeTools refuses.
const wrong = 253

// codes has the character of each letter.
var codes = func() (codes [256]byte) {
	for c := range codes {
		codes[c] = wrong
	}
	for code, letters := range []string{"Aa", "Cc", "Gg", "TtUu"} {
		for _, c := range []byte(letters) {
			codes[c] = byte(code)
		}
	}
	for _, c := range []byte("NSYWRKVBDHMnsywrkvbdhm") {
		codes[c] = Wildcard
	}
	return codes
}()

// Reference is a reference that GenomeTools indexes.
type Reference struct {
	text      []byte // [n] characters, with a separator between sequences
	sequences int
	specials  statistics
	ranges    counts // of specials and wildcards as the encoded sequence has them
	near      []bool // of stretches of the text: a special or the end is in it, or less than a prefix after it
}

// stretch is the number of characters of a stretch.
const stretch = 1 << 10

// statistics are GenomeTools' figures of characters that are no bases, and of wildcards among them.
type statistics struct{ special, wildcard extent }

type extent struct{ characters, ranges, prefix, suffix int }

type counts struct{ special, wildcard int }

// New returns the reference of these records: U is T, the codes of IUPAC are wildcards. Errors: a record without
// letters; another letter, with its place; more than suffixcl.MaxLen characters, as a *suffixcl.LengthError.
func New(b *seqio.Batch) (*Reference, error) {
	if len(b.Records) == 0 {
		return nil, errors.New("genometools: the reference has no sequences")
	}
	n := len(b.Text) + len(b.Records) - 1
	if n > suffixcl.MaxLen {
		return nil, &suffixcl.LengthError{What: "reference with its separators", Len: n, Max: suffixcl.MaxLen}
	}
	r := &Reference{text: addressspace.Make[byte](n), sequences: len(b.Records)}
	for k, record := range b.Records {
		if record.Length == 0 {
			return nil, fmt.Errorf("genometools: sequence %d (%s) is empty", k+1, record.Name)
		}
	}
	if err := r.code(b); err != nil {
		return nil, err
	}
	r.count()
	return r, nil
}

// code makes the text: the characters of the letters, and separators. Records follow one another without a gap.
func (r *Reference) code(b *seqio.Batch) error {
	return parallel.Try(len(b.Text), 1<<16, func(lo, hi int) error {
		for k := sort.Search(len(b.Records), func(k int) bool { return b.Records[k].End() > lo }); lo < hi; k++ {
			record := b.Records[k]
			end := min(record.End(), hi)
			to := r.text[lo+k : end+k]
			for i, letter := range b.Text[lo:end] {
				if to[i] = codes[letter]; to[i] == wrong {
					return fmt.Errorf("genometools: sequence %d (%s) has %q at place %d, which is no nucleotide", k+1,
						record.Name, letter, lo+i-record.Offset+1)
				}
			}
			if lo = end; end == record.End() && end+k < len(r.text) {
				r.text[end+k] = Separator
			}
		}
		return nil
	})
}

// count finds the specials.
func (r *Reference) count() {
	special, wildcard := &r.specials.special, &r.specials.wildcard
	n := len(r.text)
	r.near = make([]bool, n/stretch+1)
	mark := func(from, end int) {
		for k := max(from-prefixLength(n), 0) / stretch; k <= (end-1)/stretch; k++ {
			r.near[k] = true
		}
	}
	mark(n, n+1)
	for _, run := range twobit.Others(r.text) {
		special.add(run, n)
		mark(run.Offset, run.Offset+run.Length)
		from, end := run.Offset, run.Offset+run.Length
		for i := from; i <= end; i++ {
			if i < end && r.text[i] == Wildcard {
				continue
			}
			if i > from {
				wildcard.add(twobit.Run{Offset: from, Length: i - from}, n)
			}
			from = i + 1
		}
	}
	r.ranges = counts{special.ranges, wildcard.ranges}
}

// add adds a run in a text of n characters.
func (e *extent) add(run twobit.Run, n int) {
	e.characters += run.Length
	e.ranges++
	if run.Offset == 0 {
		e.prefix = run.Length
	}
	if run.Offset+run.Length == n {
		e.suffix = run.Length
	}
}

// Len is the number of characters with separators.
func (r *Reference) Len() int { return len(r.text) }

// encodedHeader are the numbers that begin an encoded sequence, 8 bytes each.
const encodedHeader = 17

// MatchEncoded compares the reference with the encoded sequence of a prefix. It takes over the number of ranges in
// which specials are stored there. Errors: one of the file system if there is no encoded sequence; a *indexfiles.Error
// if it is that of another reference.
func (r *Reference) MatchEncoded(prefix string) error {
	name := prefix + ".esq"
	file, err := regular.Open(name)
	if err != nil {
		return err
	}
	defer file.Close()
	b := make([]byte, 8*encodedHeader)
	if _, err := io.ReadFull(file, b); err != nil {
		return &indexfiles.Error{File: name, Offset: 0, Why: "is too short for an encoded sequence"}
	}
	at := func(i int) int { return int(binary.LittleEndian.Uint64(b[8*i:])) }
	if at(0) != 1 || at(1) != 3 {
		return &indexfiles.Error{File: name, Offset: 0, Why: "is no encoded sequence of GenomeTools 1.6, 64 bits"}
	}
	special, wildcard := r.specials.special, r.specials.wildcard
	for _, c := range []struct {
		what   string
		number int // in the file
		have   int
	}{
		{"characters", 3, len(r.text)},
		{"sequences", 4, r.sequences},
		{"special characters", 7, special.characters},
		{"ranges of special characters", 9, special.ranges},
		{"special characters at the start", 10, special.prefix},
		{"special characters at the end", 11, special.suffix},
		{"wildcards", 12, wildcard.characters},
		{"ranges of wildcards", 14, wildcard.ranges},
		{"wildcards at the start", 15, wildcard.prefix},
		{"wildcards at the end", 16, wildcard.suffix},
	} {
		if at(c.number) != c.have {
			return &indexfiles.Error{File: name, Offset: int64(8 * c.number),
				Why: fmt.Sprintf("is of another reference: %d %s instead of %d", at(c.number), c.what, c.have)}
		}
	}
	r.ranges = counts{at(8), at(13)}
	return nil
}
