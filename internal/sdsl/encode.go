package sdsl

import (
	"encoding/binary"
	"fmt"
	"io"
)

// Distances of samples: of rows of the suffix array, and of places in the text.
const (
	RowsBetween   = 32
	PlacesBetween = 64
)

// Parts are what an index is made of.
type Parts struct {
	// Transform [n] has for each suffix, the smallest first, the letter before it; before the whole text, the last one.
	Transform []byte
	// Rows [ceil(n/32)] are the places of every 32nd suffix, from the first on.
	Rows func(k int) uint64
	// Places [ceil(n/64)] are the rows of the suffixes at every 64th place, from 0 on.
	Places func(k int) uint64
}

// Index is an index that can be written.
type Index struct {
	n            int
	tree         *tree
	bits         *rrr
	rows, places *vector
	many         [letters]uint64
}

// Encode makes an index. Memory of the host: the bits of the tree, at most a byte a letter as a rule, and the result.
// Errors: a text without letters, or one whose rarest letter has a code of more than 56 bits.
func Encode(p Parts) (*Index, error) {
	n := len(p.Transform)
	x := &Index{n: n}
	for at := 0; at < n; at += lettersAtOnce {
		for c, many := range Count(p.Transform[at:min(at+lettersAtOnce, n)]) {
			x.many[c] += many
		}
	}
	var err error
	if x.tree, err = newTree(&x.many); err != nil {
		return nil, err
	}
	x.bits = newRRR(x.tree.fill(p.Transform), x.tree.bits)
	x.rows = newVector((n+RowsBetween-1)/RowsBetween, widthFor(uint64(n)))
	x.rows.fill(p.Rows)
	x.places = newVector((n-1)/PlacesBetween+1, widthFor(uint64(n)))
	x.places.fill(p.Places)
	return x, nil
}

// Size is the number of bytes of the file.
func (x *Index) Size() int64 {
	return 16 + x.bits.size() + x.tree.size() + x.rows.size(true) + x.places.size(true) + x.alphabetSize()
}

func (x *Index) alphabetSize() int64 {
	sigma := int64(x.tree.sigma)
	return 8 + letters + 8 + (sigma+7)/8*8 + 8 + 8*(sigma+1) + 2
}

// Write writes the index.
func (x *Index) Write(w io.Writer) error {
	head := binary.LittleEndian.AppendUint64(nil, uint64(x.n))
	head = binary.LittleEndian.AppendUint64(head, uint64(x.tree.sigma))
	if _, err := w.Write(head); err != nil {
		return err
	}
	for _, write := range []func(io.Writer) error{x.bits.write, x.tree.write,
		func(w io.Writer) error { return x.rows.write(w, true) },
		func(w io.Writer) error { return x.places.write(w, true) },
		x.writeAlphabet} {
		if err := write(w); err != nil {
			return err
		}
	}
	return nil
}

func (x *Index) writeAlphabet(w io.Writer) error {
	var rank [letters]byte
	var there []byte
	before, sum := []uint64{0}, uint64(0)
	for c, many := range x.many {
		if many > 0 {
			rank[c] = byte(len(there))
			there = append(there, byte(c))
			sum += many
			before = append(before, sum)
		}
	}
	b := binary.LittleEndian.AppendUint64(nil, 8*letters)
	b = append(b, rank[:]...)
	b = binary.LittleEndian.AppendUint64(b, 8*uint64(len(there)))
	b = append(b, there...)
	for len(b)%8 != 0 {
		b = append(b, 0)
	}
	b = binary.LittleEndian.AppendUint64(b, 64*uint64(len(before)))
	for _, n := range before {
		b = binary.LittleEndian.AppendUint64(b, n)
	}
	b = binary.LittleEndian.AppendUint16(b, uint16(len(there)))
	_, err := w.Write(b)
	return err
}

// WriteText writes letters as int_vector<8>: text_*.sdsl, bwt_*.sdsl.
func WriteText(w io.Writer, text []byte) error {
	if _, err := w.Write(binary.LittleEndian.AppendUint64(nil, 8*uint64(len(text)))); err != nil {
		return err
	}
	if _, err := w.Write(text); err != nil {
		return err
	}
	_, err := w.Write(make([]byte, -len(text)&7))
	return err
}

// TextSize is the number of bytes that WriteText writes for n letters.
func TextSize(n int) int64 { return 8 + (int64(n)+7)/8*8 }

// EntryBytes is the number of bytes of an entry of sa_*.sdsl, for a text of n letters: those of n-1. Of one letter it
// is 1.
func EntryBytes(n int) int {
	bytes := 1
	for most := uint64(max(n, 1) - 1); most > 0xff; most >>= 8 {
		bytes++
	}
	return bytes
}

// ArraySize is the number of bytes of sa_*.sdsl.
func ArraySize(n int) int64 { return 9 + (int64(n)*int64(EntryBytes(n))+7)/8*8 }

// ArrayHeader begins sa_*.sdsl, whose entries are EntryBytes little-endian bytes each, and zeros up to ArraySize.
func ArrayHeader(n int) []byte {
	width := 8 * uint64(EntryBytes(n))
	return append(binary.LittleEndian.AppendUint64(nil, uint64(n)*width), byte(width))
}

// Error says what is wrong with an index.
type Error struct{ Why string }

func (e *Error) Error() string { return fmt.Sprintf("not an index of infini-gram mini: %s", e.Why) }
