package input

import (
	"errors"
	"fmt"
	"io"
	"math"
	"unsafe"
)

// Text is suffixcl.Text.
type Text struct {
	Symbols any
}

// Shape is a text of which the symbols are not known: their bytes, and their number.
type Shape struct {
	Bytes, N int
	Counts   *[256]uint64 // of each byte; nil where they are not known
}

// ReadText is a text of n bytes that is read piece by piece.
type ReadText struct {
	From io.ReaderAt
	N    int
}

// Reader is suffixcl.Reader.
func Reader(from io.ReaderAt, n int) Text { return Text{ReadText{from, n}} }

// InMemory returns ErrNotInMemory for the text of a Reader.
func (t Text) InMemory() error {
	if _, read := t.Symbols.(ReadText); read {
		return ErrNotInMemory
	}
	return nil
}

// Symbol is the type of the symbols of a text.
type Symbol interface{ uint8 | uint16 | uint32 }

// Bytes is suffixcl.Bytes.
func Bytes(text []byte) Text { return Text{text} }

// Tokens16 is suffixcl.Tokens16.
func Tokens16(text []uint16) Text { return Text{text} }

// Tokens32 is suffixcl.Tokens32.
func Tokens32(text []uint32) Text { return Text{text} }

// Length is suffixcl.Length.
func Length(symbolBytes, n int) Text { return Text{Shape{Bytes: symbolBytes, N: n}} }

// Counts is suffixcl.Counts.
func Counts(counts *[256]uint64) Text {
	if counts == nil {
		counts = &[256]uint64{}
	}
	n := uint64(0)
	for _, count := range counts {
		n += min(count, math.MaxInt64-n)
	}
	return Text{Shape{1, int(n), counts}}
}

// Len is the number of symbols, with the terminators of a set.
func (t Text) Len() int {
	switch set := t.Symbols.(type) {
	case *Collection:
		return set.Len()
	case TooLong:
		return set.len()
	case Shape:
		return set.N
	case ReadText:
		return set.N
	}
	return len(t.Bytes()) + len(t.Tokens16()) + len(t.Tokens32())
}

// IsSet tells whether the text is a set.
func (t Text) IsSet() bool {
	switch t.Symbols.(type) {
	case *Collection, TooLong:
		return true
	}
	return false
}

// SymbolBytes is the number of bytes of a symbol.
func (t Text) SymbolBytes() int {
	switch symbols := t.Symbols.(type) {
	case []uint16:
		return 2
	case []uint32:
		return 4
	case Shape:
		return symbols.Bytes
	}
	return 1
}

// Width is the number of bytes of a T.
func Width[T Symbol]() int { return int(unsafe.Sizeof(*new(T))) }

// OfSymbols calls the function for the width of the symbols of a text that is no set. They are nil where they are not
// known.
func OfSymbols[R any](t Text, of8 func([]uint8) R, of16 func([]uint16) R, of32 func([]uint32) R, no func(error) R) R {
	if err := t.InMemory(); err != nil {
		return no(err)
	}
	switch t.SymbolBytes() {
	case 1:
		return of8(t.Bytes())
	case 2:
		return of16(t.Tokens16())
	case 4:
		return of32(t.Tokens32())
	}
	return no(fmt.Errorf("suffixcl: symbols of %d bytes, wants 1, 2 or 4", t.SymbolBytes()))
}

// AsSet is a set as it is, and a text of bytes as a set of one. Errors: a text of symbols, or of a length alone.
func (t Text) AsSet() (*Collection, error) {
	switch set := t.Symbols.(type) {
	case *Collection:
		return set, nil
	case TooLong:
		return nil, set.Err
	case Shape:
		return nil, ErrNoSymbols
	case ReadText:
		return nil, ErrNotInMemory
	case []uint16, []uint32:
		return nil, errors.New("suffixcl: texts of symbols of several bytes, want bytes")
	}
	return JoinTexts(0, t.Bytes())
}

// Bytes are the symbols of a text of bytes, nil of another.
func (t Text) Bytes() []byte { return SymbolsOf[byte](t) }

// Tokens16 are the symbols of a text of 16-bit symbols, nil of another.
func (t Text) Tokens16() []uint16 { return SymbolsOf[uint16](t) }

// Tokens32 are the symbols of a text of 32-bit symbols, nil of another.
func (t Text) Tokens32() []uint32 { return SymbolsOf[uint32](t) }

// SymbolsOf are the symbols of a text of Ts, nil of another.
func SymbolsOf[T Symbol](t Text) []T {
	symbols, _ := t.Symbols.([]T)
	return symbols
}
