package sdsl

import (
	"encoding/binary"
	"io"
)

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

// ParseText takes the bytes of such a file, of which its letters are a part. Errors: an *Error.
func ParseText(data []byte) ([]byte, error) {
	v, err := parseWhole(data, 8)
	return v.data[:v.n], err
}

func parseWhole(data []byte, width uint) (stored, error) {
	p := &parts{data: data}
	v := p.vector(width)
	if p.err == nil && p.at != len(data) {
		p.fail("%d bytes follow", len(data)-p.at)
	}
	if p.err != nil {
		return stored{}, &Error{p.err.Error()}
	}
	return v, nil
}

// EntryBytes is the number of bytes of an entry of sa_*.sdsl, for a text of n letters: those of n-1, and 1 for one
// letter.
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

// Array is a suffix array in a file's bytes, with entries of any width.
type Array struct{ stored }

// ParseArray takes the bytes of sa_*.sdsl. Errors: an *Error.
func ParseArray(data []byte) (Array, error) {
	v, err := parseWhole(data, 0)
	return Array{v}, err
}

// Len is the number of entries.
func (a Array) Len() uint64 { return a.n }

// At is entry i.
func (a Array) At(i uint64) uint64 { return a.at(i) }
