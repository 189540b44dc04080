package jobs

import (
	"errors"
	"fmt"
	"io"
	"math"
)

// Text is what jobs take: symbols of 8, 16 or 32 bits, in memory of the caller. The zero value is the empty text of
// bytes.
type Text struct {
	symbols any // []byte, []uint16, []uint32, *Collection, tooLong, shape, readText, or nil
}

// shape is a text of which the symbols are not known: their bytes, and their number.
type shape struct {
	bytes, n int
	counts   *[256]uint64 // of each byte; nil where they are not known
}

// readText is a text of n bytes that is read piece by piece.
type readText struct {
	from io.ReaderAt
	n    int
}

// Reader is a text of n bytes that is read piece by piece, by several goroutines at a time: it is never wholly in host
// memory. Ranges takes one; other jobs end with ErrNotInMemory.
func Reader(from io.ReaderAt, n int) Text { return Text{readText{from, n}} }

// inMemory returns ErrNotInMemory for the text of a Reader.
func (t Text) inMemory() error {
	if _, read := t.symbols.(readText); read {
		return ErrNotInMemory
	}
	return nil
}

// symbol is the type of the symbols of a text.
type symbol interface{ uint8 | uint16 | uint32 }

// Bytes is a text of bytes.
func Bytes(text []byte) Text { return Text{text} }

// Tokens16 is a text of symbols of 16 bits: token ids, UTF-16.
func Tokens16(text []uint16) Text { return Text{text} }

// Tokens32 is a text of symbols of 32 bits: token ids, code points.
func Tokens32(text []uint32) Text { return Text{text} }

// Length is a text of n symbols of so many bytes, 1, 2 or 4, without the symbols: jobs of it can be planned and
// prepared, and end with ErrNoSymbols if they run.
func Length(symbolBytes, n int) Text { return Text{shape{bytes: symbolBytes, n: n}} }

// Counts is a Length of a text of bytes of which it is known how often each occurs, on which the memory of an index
// depends. nil: the empty text.
func Counts(counts *[256]uint64) Text {
	if counts == nil {
		counts = &[256]uint64{}
	}
	n := uint64(0)
	for _, count := range counts {
		n += min(count, math.MaxInt64-n)
	}
	return Text{shape{1, int(n), counts}}
}

// Len is the number of symbols, with the terminators of a set.
func (t Text) Len() int {
	switch set := t.symbols.(type) {
	case *Collection:
		return set.Len()
	case tooLong:
		return set.len()
	case shape:
		return set.n
	case readText:
		return set.n
	}
	return len(t.Bytes()) + len(t.Tokens16()) + len(t.Tokens32())
}

// isSet tells whether the text is a set.
func (t Text) isSet() bool {
	switch t.symbols.(type) {
	case *Collection, tooLong:
		return true
	}
	return false
}

// symbolBytes is the number of bytes of a symbol.
func (t Text) symbolBytes() int {
	switch symbols := t.symbols.(type) {
	case []uint16:
		return 2
	case []uint32:
		return 4
	case shape:
		return symbols.bytes
	}
	return 1
}

// ofSymbols calls the function for the width of the symbols of a text that is no set. They are nil where they are not
// known.
func ofSymbols[R any](t Text, of8 func([]uint8) R, of16 func([]uint16) R, of32 func([]uint32) R, no func(error) R) R {
	if err := t.inMemory(); err != nil {
		return no(err)
	}
	switch t.symbolBytes() {
	case 1:
		return of8(t.Bytes())
	case 2:
		return of16(t.Tokens16())
	case 4:
		return of32(t.Tokens32())
	}
	return no(fmt.Errorf("suffixcl: symbols of %d bytes, wants 1, 2 or 4", t.symbolBytes()))
}

// asSet is a set as it is, and a text of bytes as a set of one. Errors: a text of symbols, or of a length alone.
func (t Text) asSet() (*Collection, error) {
	switch set := t.symbols.(type) {
	case *Collection:
		return set, nil
	case tooLong:
		return nil, set.error
	case shape:
		return nil, ErrNoSymbols
	case readText:
		return nil, ErrNotInMemory
	case []uint16, []uint32:
		return nil, errors.New("suffixcl: texts of symbols of several bytes, want bytes")
	}
	return JoinTexts(0, t.Bytes())
}

// Bytes are the symbols of a text of bytes, nil of another.
func (t Text) Bytes() []byte { return symbolsOf[byte](t) }

// Tokens16 are the symbols of a text of 16-bit symbols, nil of another.
func (t Text) Tokens16() []uint16 { return symbolsOf[uint16](t) }

// Tokens32 are the symbols of a text of 32-bit symbols, nil of another.
func (t Text) Tokens32() []uint32 { return symbolsOf[uint32](t) }

// symbolsOf are the symbols of a text of Ts, nil of another.
func symbolsOf[T symbol](t Text) []T {
	symbols, _ := t.symbols.([]T)
	return symbols
}
