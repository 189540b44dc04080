package suffixcl

import (
	"io"

	"github.com/suffixcl/suffixcl/internal/input"
)

// Text is what jobs take: symbols of 8, 16 or 32 bits, in memory of the caller. The zero value is the empty text of
// bytes.
type Text struct{ in input.Text }

// Reader is a text of n bytes that is read piece by piece, by several goroutines at a time: it is never wholly in host
// memory. Ranges takes one; other jobs end with ErrUsage.
func Reader(from io.ReaderAt, n int) Text {
	return Text{input.Reader(from, n)}
}

// Bytes is a text of bytes.
func Bytes(text []byte) Text {
	return Text{input.Bytes(text)}
}

// Tokens16 is a text of symbols of 16 bits: token ids, UTF-16.
func Tokens16(text []uint16) Text {
	return Text{input.Tokens16(text)}
}

// Tokens32 is a text of symbols of 32 bits: token ids, code points.
func Tokens32(text []uint32) Text {
	return Text{input.Tokens32(text)}
}

// Length is a text of n symbols of so many bytes, 1, 2 or 4, without the symbols: jobs of it can be planned and
// prepared, and end with ErrUsage if they run.
func Length(symbolBytes, n int) Text {
	return Text{input.Length(symbolBytes, n)}
}

// Counts is a Length of a text of bytes of which it is known how often each occurs, on which the memory of an index
// depends. nil: the empty text.
func Counts(counts *[256]uint64) Text {
	return Text{input.Counts(counts)}
}

// Len is the number of symbols, with the terminators of a set.
func (t Text) Len() int {
	return t.in.Len()
}

// Bytes are the symbols of a text of bytes, nil of another.
func (t Text) Bytes() []byte {
	return t.in.Bytes()
}

// Tokens16 are the symbols of a text of 16-bit symbols, nil of another.
func (t Text) Tokens16() []uint16 {
	return t.in.Tokens16()
}

// Tokens32 are the symbols of a text of 32-bit symbols, nil of another.
func (t Text) Tokens32() []uint32 {
	return t.in.Tokens32()
}

func textOf(in input.Text) Text { return Text{in} }
