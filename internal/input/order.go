package input

import (
	"fmt"
	"math/bits"
	"slices"
	"sync"

	"github.com/suffixcl/suffixcl/internal/parallel"
	"github.com/suffixcl/suffixcl/internal/sets"
	"github.com/suffixcl/suffixcl/internal/usage"
)

// Order of suffixes. The zero value is OrderPlain. Orders are comparable.
type Order struct {
	Kind    orderKind
	letters string // of specials
}

type orderKind int

const (
	plainOrder orderKind = iota
	EndLargestKind
	SpecialsLargestKind
	memoryOrder
)

// The orders; SpecialsLargest has another.
var (
	// OrderPlain: of suffixes that agree the shorter one is smaller. In a set the terminators of texts are smaller than
	// all letters, and ordered by text.
	OrderPlain = Order{}
	// OrderEndLargest: of suffixes that agree the shorter one is larger, as if a byte above all others followed the
	// text. For texts of bytes.
	OrderEndLargest = Order{Kind: EndLargestKind}
	// OrderMemory: symbols of 16 and 32 bits compare byte by byte as they are in little-endian memory.
	OrderMemory = Order{Kind: memoryOrder}
)

// SpecialsLargest is suffixcl.SpecialsLargest.
func SpecialsLargest(letters string) Order {
	set := []byte(letters)
	slices.Sort(set)
	return Order{SpecialsLargestKind, string(slices.Compact(set))}
}

// String is plain, end-largest, specials-largest or memory.
func (o Order) String() string {
	return [...]string{"plain", "end-largest", "specials-largest", "memory"}[o.Kind]
}

// Letters are those of SpecialsLargest, sorted.
func (o Order) Letters() string { return o.letters }

// NoOrder is the error of a text, or an array of it, that does not have an order. It matches suffixcl.ErrUsage.
func NoOrder(order Order, what string) error {
	return &usage.Error{Why: fmt.Errorf("suffixcl: a %s has no order %v", what, order)}
}

// Turn is the text whose symbols compare as numbers as those of t do in this order. Turning twice changes nothing.
func (o Order) Turn(t Text) Text {
	if o.Kind != memoryOrder {
		return t
	}
	switch symbols := t.Symbols.(type) {
	case []uint16:
		return Text{turned(symbols, bits.ReverseBytes16)}
	case []uint32:
		return Text{turned(symbols, bits.ReverseBytes32)}
	}
	return t
}

// TurnBack makes the transform of a turned text that of the text, in its place.
func (o Order) TurnBack(transform Text) {
	if o.Kind != memoryOrder {
		return
	}
	switch symbols := transform.Symbols.(type) {
	case []uint16:
		turnIn(symbols, symbols, bits.ReverseBytes16)
	case []uint32:
		turnIn(symbols, symbols, bits.ReverseBytes32)
	}
}

func turned[T Symbol](symbols []T, turn func(T) T) []T {
	turned := make([]T, len(symbols))
	turnIn(turned, symbols, turn)
	return turned
}

func turnIn[T Symbol](to, symbols []T, turn func(T) T) {
	for i, symbol := range symbols {
		to[i] = turn(symbol)
	}
}

// Separated is a text with separators: those of internal/sets.
type Separated struct {
	Text  []byte
	Ends  []uint32
	least bool
	Set   bool
}

// Check returns an error if the text does not have the order.
func (o Order) Check(t Text) error {
	no := func(what string) error { return NoOrder(o, what) }
	switch set := t.Symbols.(type) {
	case TooLong:
		return set.Err
	case ReadText:
		return ErrNotInMemory
	case *Collection:
		if o != OrderPlain && o.Kind != SpecialsLargestKind {
			return no("set")
		}
		return nil
	}
	switch bytes := t.SymbolBytes(); {
	case bytes > 1 && o != OrderPlain && o != OrderMemory:
		return no("text of symbols")
	case bytes == 1 && o == OrderMemory:
		return no("text of bytes")
	}
	return nil
}

// Separates tells whether a text that has the order has separators in it.
func (o Order) Separates(t Text) bool {
	return t.IsSet() || o.Kind == EndLargestKind || o.Kind == SpecialsLargestKind
}

// Separate is a text with the separators of an order that it has. Errors: ErrNoSymbols.
func (o Order) Separate(t Text) (*Separated, error) {
	switch set := t.Symbols.(type) {
	case Shape:
		return nil, ErrNoSymbols
	case *Collection:
		if o == OrderPlain {
			return set.Separated(), nil
		}
		return &Separated{set.Buffer, specials(set.Buffer, set.Ends, o.letters), false, true}, nil
	}
	text := t.Bytes()
	if o.Kind == EndLargestKind {
		return &Separated{text, []uint32{uint32(len(text))}, false, false}, nil
	}
	return &Separated{text, specials(text, nil, o.letters), false, false}, nil
}

// specials are the places of all bytes but letters, those of the terminators of a set, and the end of the text.
func specials(text []byte, ends []uint32, letters string) []uint32 {
	var special [256]bool
	for c := range special {
		special[c] = true
	}
	for _, c := range []byte(letters) {
		special[c] = false
	}
	found := parallel.Collect(len(text), textPart, func(lo, hi int) (places []uint32) {
		ends := endsFrom(ends, lo)
		for i, c := range text[lo:hi] {
			if len(ends) > 0 && int(ends[0]) == lo+i {
				ends = ends[1:]
			} else if !special[c] {
				continue
			}
			places = append(places, uint32(lo+i))
		}
		return places
	})
	return slices.Concat(append(found, []uint32{uint32(len(text))})...)
}

// textPart is the part of a text that a processor looks through.
const textPart = 1 << 20

// endsFrom are the ends at a place of the text and after it.
func endsFrom(ends []uint32, at int) []uint32 {
	first, _ := slices.BinarySearch(ends, uint32(at))
	return ends[first:]
}

// Shape of the text: the end counts where it is a separator.
func (s *Separated) Shape() sets.Shape {
	n := len(s.Text)
	if !s.least {
		n++
	}
	return sets.Shape{N: n, M: len(s.Ends), Least: s.least}
}

// Letters tells which bytes occur that are no separators, and how many there are.
func (s *Separated) Letters() (occurs *[256]bool, count int) {
	occurs = new([256]bool)
	var mutex sync.Mutex
	parallel.Do(len(s.Text), textPart, func(lo, hi int) {
		var here [256]bool
		ends := endsFrom(s.Ends, lo)
		for at := lo; at < hi; at++ { // past the separator
			end := hi
			if len(ends) > 0 {
				end = min(end, int(ends[0]))
				ends = ends[1:]
			}
			for _, c := range s.Text[at:end] {
				here[c] = true
			}
			at = end
		}
		mutex.Lock()
		defer mutex.Unlock()
		for c, there := range here {
			occurs[c] = occurs[c] || there
		}
	})
	for _, there := range occurs {
		if there {
			count++
		}
	}
	return occurs, count
}
