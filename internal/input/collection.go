package input

import (
	"bytes"
	"fmt"
	"math"
	"slices"
	"sort"

	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/internal/bytesize"
	"github.com/suffixcl/suffixcl/internal/limits"
	"github.com/suffixcl/suffixcl/internal/nucleotide"
	"github.com/suffixcl/suffixcl/internal/parallel"
	"github.com/suffixcl/suffixcl/seqio"
)

// Collection is a set of texts in one buffer, each followed by a byte, its terminator. Positions count the letters and
// terminators of the texts one after the other. Terminators are told by their places: a text may hold any bytes.
// A nil *Collection is the set of no texts.
type Collection struct {
	Buffer []byte
	Ends   []uint32 // [m] places of the terminators, which ascend; the last is that of the last byte
}

// NewCollection is suffixcl.NewCollection.
func NewCollection(text []byte, ends []uint32) (*Collection, error) {
	if len(text) > limits.MaxLen {
		return nil, &device.LengthError{What: "collection", Len: len(text), Max: limits.MaxLen}
	}
	next := uint64(0)
	for k, end := range ends {
		switch {
		case uint64(end) < next:
			return nil, &TextError{k, -1, fmt.Sprintf("ends at %d, before it begins at %d: ends must ascend", end, next)}
		case int(end) >= len(text):
			return nil, &TextError{k, -1, fmt.Sprintf("ends at %d, and the buffer at %d", end, len(text))}
		}
		next = uint64(end) + 1
	}
	if int(next) != len(text) {
		why := fmt.Sprintf("has no terminator: the last is before %d, and the buffer ends at %d", next, len(text))
		return nil, &TextError{len(ends), -1, why}
	}
	return &Collection{text, ends}, nil
}

// JoinTexts is suffixcl.JoinTexts.
func JoinTexts(terminator byte, texts ...[]byte) (*Collection, error) {
	n := len(texts)
	for _, text := range texts {
		n += len(text)
	}
	if n > limits.MaxLen {
		return nil, &device.LengthError{What: "collection", Len: n, Max: limits.MaxLen}
	}
	c := &Collection{make([]byte, 0, n), make([]uint32, 0, len(texts))}
	for _, text := range texts {
		c.add(text, terminator)
	}
	return c, nil
}

// add adds a text to a buffer that has room for it.
func (c *Collection) add(text []byte, terminator byte) {
	c.Buffer = append(c.Buffer, text...)
	c.Ends = append(c.Ends, uint32(len(c.Buffer)))
	c.Buffer = append(c.Buffer, terminator)
}

// SplitText is suffixcl.SplitText.
func SplitText(text []byte, terminator byte) (*Collection, error) {
	if n := len(text); n > 0 && text[n-1] != terminator {
		text = append(slices.Clone(text), terminator)
	}
	if len(text) > limits.MaxLen {
		return nil, &device.LengthError{What: "collection", Len: len(text), Max: limits.MaxLen}
	}
	c := &Collection{text, make([]uint32, 0, bytes.Count(text, []byte{terminator}))}
	for at := 0; at < len(text); at = int(c.Ends[len(c.Ends)-1]) + 1 {
		c.Ends = append(c.Ends, uint32(at+bytes.IndexByte(text[at:], terminator)))
	}
	return c, nil
}

// CollectRecords is suffixcl.CollectRecords.
func CollectRecords(text []byte, records seqio.Table) (*Collection, error) {
	ends := make([]uint32, len(records))
	next := 0
	for k, r := range records {
		if r.Offset != next || r.Length < 0 || r.End() >= len(text) {
			return nil, &TextError{k, -1, fmt.Sprintf("is from %d to %d of %s, and should begin at %d",
				r.Offset, r.End(), bytesize.Count(len(text), "byte"), next)}
		}
		if r.End() > math.MaxUint32 {
			return nil, &device.LengthError{What: "collection", Len: len(text), Max: limits.MaxLen}
		}
		ends[k], next = uint32(r.End()), r.End()+1
	}
	return NewCollection(text, ends)
}

// Len is the number of letters and terminators.
func (c *Collection) Len() int { return len(c.orNone().Buffer) }

// Count is the number of texts.
func (c *Collection) Count() int { return len(c.orNone().Ends) }

// Bytes are the texts with their terminators, [Len]byte.
func (c *Collection) Bytes() []byte { return c.orNone().Buffer }

// orNone is a set that is not nil.
func (c *Collection) orNone() *Collection {
	if c == nil {
		return &Collection{}
	}
	return c
}

// Start is where text k begins, also for k = Count.
func (c *Collection) Start(k int) int {
	if k == 0 {
		return 0
	}
	return int(c.Ends[k-1]) + 1
}

// Starts are where the texts begin; 0 for a set of none.
func (c *Collection) Starts() []uint32 {
	starts := make([]uint32, max(c.Count(), 1))
	for k := range starts {
		starts[k] = uint32(c.Start(k))
	}
	return starts
}

// Text is text k, without terminator.
func (c *Collection) Text(k int) []byte { return c.Buffer[c.Start(k):c.Ends[k]] }

// Find is that of suffixcl.Collection.
func (c *Collection) Find(position int) (text, offset int, ok bool) {
	if position < 0 || position >= c.Len() {
		return 0, 0, false
	}
	text = sort.Search(len(c.Ends), func(k int) bool { return int(c.Ends[k]) >= position })
	return text, position - c.Start(text), true
}

// CheckTerminator returns a *TextError where a text holds that byte.
func (c *Collection) CheckTerminator(terminator byte) error {
	for k := range c.Count() {
		if at := bytes.IndexByte(c.Text(k), terminator); at >= 0 {
			return &TextError{k, at, fmt.Sprintf("holds the terminator %#02x", terminator)}
		}
	}
	return nil
}

// BothStrands is that of suffixcl.Collection.
func (c *Collection) BothStrands(terminator byte) (*Collection, error) {
	c = c.orNone()
	if 2*len(c.Buffer) > limits.MaxLen {
		return nil, &device.LengthError{What: "collection of both strands", Len: 2 * len(c.Buffer), Max: limits.MaxLen}
	}
	both := &Collection{make([]byte, 2*len(c.Buffer)), make([]uint32, 2*len(c.Ends))}
	perText := max(len(c.Buffer)/max(len(c.Ends), 1), 1)
	err := parallel.Try(len(c.Ends), strandBytes/perText+1, func(lo, hi int) error {
		for k := lo; k < hi; k++ {
			text := c.Text(k)
			start := 2 * (int(c.Ends[k]) - len(text))
			strand := both.Buffer[start+len(text)+1:][:len(text)]
			copy(both.Buffer[start:], text)
			for i, base := range text {
				other, ok := nucleotide.Complement(base)
				if !ok {
					return &TextError{k, i, fmt.Sprintf("holds %q, which is no nucleotide,", base)}
				}
				strand[len(text)-1-i] = other
			}
			for i, end := range []int{start + len(text), start + 2*len(text) + 1} {
				both.Buffer[end], both.Ends[2*k+i] = terminator, uint32(end)
			}
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return both, nil
}

// strandBytes are worth a processor that makes strands of them.
const strandBytes = 1 << 18

// Set is suffixcl.Set.
func Set(c *Collection) Text { return Text{c.orNone()} }

// Documents is suffixcl.Documents.
func Documents(texts ...[]byte) Text {
	c, err := JoinTexts(0, texts...)
	if err != nil {
		return Text{TooLong{err, texts}}
	}
	return Set(c)
}

// TooLong are texts that no collection has room for.
type TooLong struct {
	Err   error
	texts [][]byte
}

// len is the number of letters and terminators.
func (t TooLong) len() int {
	n := len(t.texts)
	for _, text := range t.texts {
		n += len(text)
	}
	return n
}

// Separated is the set in plain order: its terminators are the least.
func (c *Collection) Separated() *Separated { return &Separated{c.Buffer, c.Ends, true, true} }

// Wide are the symbols of a text in which no two terminators are the same: terminator k is k, letters are more.
func (c *Collection) Wide() []uint32 {
	symbols := make([]uint32, len(c.Buffer))
	for i, letter := range c.Buffer {
		symbols[i] = uint32(len(c.Ends)) + uint32(letter)
	}
	for k, end := range c.Ends {
		symbols[end] = uint32(k)
	}
	return symbols
}
