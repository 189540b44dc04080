package suffixcl

import "github.com/suffixcl/suffixcl/internal/input"

// Order of suffixes. The zero value is OrderPlain. Orders are comparable.
type Order struct{ in input.Order }

// The orders; SpecialsLargest has another.
var (
	// OrderPlain: of suffixes that agree the shorter one is smaller. In a set the terminators of texts are smaller than
	// all letters, and ordered by text.
	OrderPlain = Order{}
	// OrderEndLargest: of suffixes that agree the shorter one is larger, as if a byte above all others followed the
	// text. For texts of bytes.
	OrderEndLargest = Order{input.OrderEndLargest}
	// OrderMemory: symbols of 16 and 32 bits compare byte by byte as they are in little-endian memory.
	OrderMemory = Order{input.OrderMemory}
)

// SpecialsLargest is the order in which all bytes but these letters, and the terminators of a set, are special: each is
// equal to nothing, larger than all letters, and smaller than the specials after it. The end of the text is the last of
// them. So no common prefix reaches a special. For texts of bytes and sets.
func SpecialsLargest(letters string) Order {
	return Order{input.SpecialsLargest(letters)}
}

// String is plain, end-largest, specials-largest or memory.
func (o Order) String() string {
	return o.in.String()
}

// Letters are those of SpecialsLargest, sorted.
func (o Order) Letters() string {
	return o.in.Letters()
}
