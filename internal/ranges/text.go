package ranges

import (
	"context"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"math"
	"sync"
	"sync/atomic"

	"github.com/suffixcl/suffixcl/internal/intmath"
	"github.com/suffixcl/suffixcl/internal/parallel"
)

// ErrGuess is matched by the error of a run whose text has more different characters than its guessed code. Its code is
// known then: a sorter of [Text.Width] sorts it.
var ErrGuess = errors.New("ranges: the text has more different characters than was guessed")

// ErrTextChanged is matched by the error for a text that was not the same when it was read again.
var ErrTextChanged = errors.New("the text changes while it is read")

// Text is a text that has been read once, for the codes of its bytes. Runs of a sorter read it once more, or twice.
type Text struct {
	memory []byte // all of it, or nil
	file   io.ReaderAt
	n      int
	last   byte
	spread float64 // entropy of the characters
	sum    uint64  // what read returns for all pieces, of a file

	mu      sync.Mutex
	code    code
	guessed bool // by some of the characters
}

// NewText takes a text in memory, which must not change.
func NewText(text []byte) *Text {
	t := &Text{memory: text, n: len(text)}
	t.survey(context.Background()) // which reads nothing
	return t
}

// Width is the width of the characters of a text in memory: see [Text].
func Width(text []byte) int { return NewText(text).Width() }

// guess is what a code is guessed by: so many stretches of so many bytes, of texts of no fewer than least. Tests have
// smaller ones.
var guess = struct{ least, stretches, of int }{1 << 28, 1 << 12, 1 << 12}

// Guess takes a text in memory, which must not change. Of a long one it reads some characters instead of all. A run
// finds out whether others occur.
func Guess(text []byte) *Text {
	if len(text) < guess.least {
		return NewText(text)
	}
	t := &Text{memory: text, n: len(text), last: text[len(text)-1], guessed: true}
	c := newCounter(guess.stretches * guess.of)
	parallel.Do(guess.stretches, 1<<5, func(lo, hi int) {
		for k := lo; k < hi; k++ {
			at := k * (t.n / guess.stretches)
			c.add(text[at:at+guess.of], k*guess.of)
		}
	})
	c.present[t.last] = true
	t.code, t.spread = codeOf(&c.present), entropy(&c.counts)
	return t
}

// coded is the code, and whether it is guessed.
func (t *Text) coded() (code, bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.code, t.guessed
}

// know replaces a guessed code.
func (t *Text) know() {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.guessed {
		t.survey(context.Background()) // in memory
		t.guessed = false
	}
}

// byCode has the text packed by its code, of most width bits, and once more where a guessed code turns out to lack
// characters: then the whole text tells. pack tells whether there are characters without a code. Errors: those of pack;
// ErrGuess; ErrTextChanged.
func (t *Text) byCode(width int, pack func(c *code) (strange bool, err error)) error {
	for {
		code, guessed := t.coded()
		if code.width > width {
			return ErrGuess
		}
		strange, err := pack(&code)
		switch {
		case err != nil || !strange:
			return err
		case !guessed:
			return ErrTextChanged
		}
		t.know()
	}
}

// ReadText takes a text of n bytes that is read piece by piece, by several goroutines at a time, and never wholly in
// memory. It reads it once. Errors: the reader's, and one for an end before n bytes, with the offset; the context's.
func ReadText(ctx context.Context, file io.ReaderAt, n int) (*Text, error) {
	t := &Text{file: file, n: n}
	return t, t.survey(ctx)
}

// Survey is what is found out about a text when it is read first, or about a part of it.
type Survey struct {
	Present [256]bool  // bytes that occur
	Counts  [256]int64 // how often each does, among some
	Last    byte       // of all
	Sum     uint64     // checksum; those of the parts of a text add up
}

// SurveyUnit is the unit that a text is divided into for a survey of parts.
const SurveyUnit = surveyed

// SurveyOf surveys a part of a text: bytes [from, to), from being a multiple of SurveyUnit.
func SurveyOf(text []byte, from, to int) (s Survey) {
	c := newCounter(len(text))
	parallel.Do(intmath.CeilDiv(to-from, surveyed), 1, func(lo, hi int) {
		for k := lo; k < hi; k++ {
			at := from + k*surveyed
			part := text[at:min(at+surveyed, to)]
			c.add(part, at)
			c.sum.Add(checksum(part, at))
		}
	})
	s.Present, s.Sum = c.present, c.sum.Load()
	for b, count := range c.counts {
		s.Counts[b] = int64(count)
	}
	if from < to && to == len(text) {
		s.Last = text[to-1]
	}
	return s
}

// Add adds the survey of another part.
func (s *Survey) Add(other *Survey) {
	for b := range s.Present {
		s.Present[b] = s.Present[b] || other.Present[b]
		s.Counts[b] += other.Counts[b]
	}
	s.Last |= other.Last
	s.Sum += other.Sum
}

// Surveyed takes a text in memory, which must not change, with the survey of all of it.
func Surveyed(text []byte, s *Survey) *Text {
	t := &Text{memory: text, n: len(text), code: codeOf(&s.Present), last: s.Last}
	var counts [256]int
	for b, count := range s.Counts {
		counts[b] = int(count)
	}
	t.spread = entropy(&counts)
	return t
}

// Len is the length.
func (t *Text) Len() int { return t.n }

// Width is the number of bits that the characters take on the device: 1 for up to 2 different bytes, 2 for up to 4, 8
// for more than 128.
func (t *Text) Width() int {
	c, _ := t.coded()
	return c.width
}

// surveyed is how much of a text a goroutine surveys at a time, and what checksums are made of.
const surveyed = 1 << 18

// mostCounted is about how many characters the entropy is made of.
const mostCounted = 1 << 18

// counter surveys stretches of a text.
type counter struct {
	mu      sync.Mutex
	step    int
	present [256]bool
	counts  [256]int
	sum     atomic.Uint64
}

// newCounter surveys a text of n bytes.
func newCounter(n int) *counter { return &counter{step: max(n/mostCounted, 1)} }

func (c *counter) add(stretch []byte, at int) {
	found := bytesOf(stretch)
	var counts [256]int
	for i := intmath.RoundUp(at, c.step) - at; i < len(stretch); i += c.step {
		counts[stretch[i]]++
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	for b := range found {
		c.present[b] = c.present[b] || found[b]
		c.counts[b] += counts[b]
	}
}

// survey finds which bytes occur, and how often.
func (t *Text) survey(ctx context.Context) error {
	c := newCounter(t.n)
	if t.file == nil {
		parallel.Do(t.n, 1<<20, func(lo, hi int) { c.add(t.memory[lo:hi], lo) })
		if t.n > 0 {
			t.last = t.memory[t.n-1]
		}
	} else {
		piece := make([]byte, min(pieceOf(t.n), t.n))
		for at := 0; at < t.n; at += len(piece) {
			if err := context.Cause(ctx); err != nil {
				return err
			}
			part := piece[:min(len(piece), t.n-at)]
			sum, err := t.read(part, at)
			if err != nil {
				return err
			}
			t.sum += sum
			t.last = part[len(part)-1]
			parallel.Do(len(part), surveyed, func(lo, hi int) { c.add(part[lo:hi], at+lo) })
		}
	}
	t.code = codeOf(&c.present)
	t.spread = entropy(&c.counts)
	return nil
}

// read reads the piece of the text from a byte on, and returns its sum.
func (t *Text) read(piece []byte, from int) (sum uint64, err error) {
	if t.file == nil {
		parallel.Copy(piece, t.memory[from:from+len(piece)])
		return 0, nil
	}
	var all atomic.Uint64
	err = parallel.Try(intmath.CeilDiv(len(piece), surveyed), 1, func(lo, hi int) error {
		for k := lo; k < hi; k++ {
			part := piece[k*surveyed : min((k+1)*surveyed, len(piece))]
			sum, err := t.readAt(part, from+k*surveyed)
			if err != nil {
				return err
			}
			all.Add(sum)
		}
		return nil
	})
	return all.Load(), err
}

// stretch returns a part of the text, which may be in scratch, and its sum.
func (t *Text) stretch(scratch []byte, from, to int) (part []byte, sum uint64, err error) {
	if t.file == nil {
		return t.memory[from:to], 0, nil
	}
	part = scratch[:to-from]
	sum, err = t.readAt(part, from)
	return part, sum, err
}

// readAt reads a part of a file, and returns its sum.
func (t *Text) readAt(part []byte, at int) (sum uint64, err error) {
	got, err := t.file.ReadAt(part, int64(at))
	switch {
	case got == len(part):
		return checksum(part, at), nil
	case err == io.EOF:
		return 0, fmt.Errorf("the text ends after %d bytes of %d", at+got, t.n)
	}
	return 0, fmt.Errorf("reading the text at %d: %w", at+got, err)
}

// checksum of what is read from a byte on; those of a text add up.
func checksum(part []byte, at int) uint64 {
	return uint64(crc32.Checksum(part, castagnoli)) * (2*uint64(at) + 1)
}

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// same returns an error if the pieces that were read now are not those of before.
func (t *Text) same(sum uint64) error {
	if sum != t.sum {
		return fmt.Errorf("ranges: %w: its checksum is another one than before", ErrTextChanged)
	}
	return nil
}

// entropy is that of characters, in bits, by how often each occurs.
func entropy(counts *[256]int) (h float64) {
	of := 0
	for _, count := range counts {
		of += count
	}
	for _, count := range counts {
		if count > 0 {
			p := float64(count) / float64(of)
			h -= p * math.Log2(p)
		}
	}
	return h
}

// pairs counts how often each byte follows another one, in stretches from all over the text.
func (t *Text) pairs() (*[256][256]uint32, error) {
	const stretches, of = 1 << 8, 1 << 12
	counts := new([256][256]uint32)
	stretch := make([]byte, min(t.n, of))
	for k := range stretches {
		if _, err := t.read(stretch, int(float64(t.n-len(stretch))*float64(k)/stretches)); err != nil {
			return nil, err
		}
		for i := 1; i < len(stretch); i++ {
			counts[stretch[i-1]][stretch[i]]++
		}
		if t.n <= of {
			break
		}
	}
	return counts, nil
}
