package suffixcl

// Text is what Build and its kin take: symbols of 8, 16 or 32 bits, in memory of the caller. The zero value is the
// empty text of bytes.
type Text struct {
	symbols any // []byte, []uint16, []uint32, *Collection, tooLong, or nil
}

// symbol is the type of the symbols of a text.
type symbol interface{ uint8 | uint16 | uint32 }

// Bytes is a text of bytes.
func Bytes(text []byte) Text { return Text{text} }

// Tokens16 is a text of symbols of 16 bits: token ids, UTF-16.
func Tokens16(text []uint16) Text { return Text{text} }

// Tokens32 is a text of symbols of 32 bits: token ids, code points.
func Tokens32(text []uint32) Text { return Text{text} }

// Len is the number of symbols, with the terminators of a set.
func (t Text) Len() int {
	switch set := t.symbols.(type) {
	case *Collection:
		return set.Len()
	case tooLong:
		return set.len()
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
	switch t.symbols.(type) {
	case []uint16:
		return 2
	case []uint32:
		return 4
	}
	return 1
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
