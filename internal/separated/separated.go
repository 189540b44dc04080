// Package separated codes texts with separators piece by piece, on the host, so that what sorts plain texts sorts them,
// also where the text is never wholly in memory. A separator is equal to nothing, larger than all letters, and smaller
// than the separators after it. The end of the text is the last of them.
//
//	text      letters, numbered from 0   a stretch of separators and what else is left out   letters ...
//	code      the same numbers           one symbol and the digits of its number             ...
//
// Suffixes that agree up to a separator differ in its digits. So the order of suffixes of the code is that of the text.
// Digits are symbols of their own, greater than all others: suffixes that begin at letters come first.
//
// Package sets has a code of the same kind for devices, of texts whose places have 32 bits.
package separated

import (
	"fmt"
	"io"
	"iter"
	"math/bits"
	"sort"

	"github.com/suffixcl/suffixcl/internal/addressspace"
	"github.com/suffixcl/suffixcl/internal/parallel"
)

// MostLetters is the most letters that a code has.
const MostLetters = 253

// Span is a stretch of letters: the place of the first in the text, and how many there are.
type Span struct{ Place, Length int }

// coded is a span, and where it is in the code.
type coded struct {
	at int
	Span
}

// Text is a text with a separator after each span.
type Text struct {
	letters int
	read    func(to []byte, place int) error
	spans   []coded
	n       int
	base    int // of the digits
	digits  int // of a separator
	shift   int // of the code, parts of 2 to this have entries of first
	first   []int
}

// New is the text of these spans, in their order; places need not ascend. read has the numbers of letters from a place
// on, below letters, never beyond the end of a span, for several goroutines at a time. Memory: 24 to 60 bytes a span.
// Errors: more than MostLetters.
func New(letters int, spans []Span, read func(to []byte, place int) error) (*Text, error) {
	if letters > MostLetters {
		return nil, fmt.Errorf("a text with separators has %d different letters: %d are possible", letters, MostLetters)
	}
	t := &Text{letters: letters, read: read, spans: make([]coded, len(spans))}
	t.base = 1<<bits.Len(uint(letters+2)) - letters - 1 // more would take another bit
	for reach := 1; reach < len(spans); reach *= t.base {
		t.digits++
	}
	for k, span := range spans {
		t.spans[k] = coded{t.n, span}
		t.n += span.Length + 1 + t.digits
	}
	for t.n>>t.shift > max(4*len(spans), 1<<10) {
		t.shift++
	}
	t.first = make([]int, t.n>>t.shift+2)
	for i := range t.first {
		t.first[i] = sort.Search(len(t.spans), func(k int) bool { return t.end(k) > i<<t.shift })
	}
	return t, nil
}

// end is that of a span in the code, with its separator.
func (t *Text) end(k int) int { return t.spans[k].at + t.spans[k].Length + 1 + t.digits }

// span is that of a place of the code.
func (t *Text) span(at int) int {
	k, end := t.first[at>>t.shift], t.first[at>>t.shift+1]
	for k < end {
		if middle := (k + end) / 2; t.end(middle) > at {
			end = middle
		} else {
			k = middle + 1
		}
	}
	return k
}

// Len is the length of the code.
func (t *Text) Len() int { return t.n }

// Letters is how many of its suffixes begin at letters: they come first in the suffix array.
func (t *Text) Letters() int { return t.n - len(t.spans)*(1+t.digits) }

// Symbols is the number of different symbols that the code may have.
func (t *Text) Symbols() int { return t.letters + 1 + t.base }

// Counts are the code's of how often each byte occurs, as far as they are known: the first one stands for all letters,
// and others for 1.
func (t *Text) Counts() *[256]uint64 {
	var counts [256]uint64
	for symbol := 1; symbol < t.Symbols() && symbol < t.n; symbol++ {
		counts[symbol] = 1
	}
	counts[0] = uint64(max(t.n-t.Symbols()+1, min(t.n, 1)))
	return &counts
}

// Place is where a letter of the code is in the text.
func (t *Text) Place(at int) int {
	s := &t.spans[t.span(at)]
	return s.Place + at - s.at
}

// Places has each stretch of letters: where it is in the code, and where in the text. Stretches ascend in the code,
// from 0 on, and what is between them is of separators.
func (t *Text) Places() iter.Seq2[int, int] {
	return func(yield func(at, place int) bool) {
		for _, s := range t.spans {
			if !yield(s.at, s.Place) {
				return
			}
		}
	}
}

// ReadAt reads the code, as io.ReaderAt says. Errors: those of read.
func (t *Text) ReadAt(p []byte, off int64) (n int, err error) {
	at := int(off)
	if at >= t.n {
		return 0, io.EOF
	}
	for k := t.span(at); n < len(p) && k < len(t.spans); k++ {
		s := &t.spans[k]
		if in := at + n - s.at; in < s.Length {
			m := min(s.Length-in, len(p)-n)
			if err := t.read(p[n:n+m], s.Place+in); err != nil {
				return n, err
			}
			n += m
		}
		for in := at + n - s.at - s.Length; in >= 0 && in <= t.digits && n < len(p); in++ {
			p[n] = t.separator(k, in)
			n++
		}
	}
	if n < len(p) {
		err = io.EOF
	}
	return n, err
}

// separator is a symbol of a separator: the first, or that of a digit.
func (t *Text) separator(k, in int) byte {
	if in == 0 {
		return byte(t.letters)
	}
	for range t.digits - in {
		k /= t.base
	}
	return byte(t.letters + 1 + k%t.base)
}

// Bytes is the code in memory. Errors: those of read.
func (t *Text) Bytes() ([]byte, error) {
	b := addressspace.Make[byte](t.n)
	return b, parallel.Try(t.n, 1<<18, func(lo, hi int) error {
		if lo == hi {
			return nil
		}
		_, err := t.ReadAt(b[lo:hi], int64(lo))
		return err
	})
}
