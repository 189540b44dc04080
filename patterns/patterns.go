// Package patterns holds batches of patterns to search for.
package patterns

import (
	"encoding/binary"
	"fmt"
	"math"
)

// Batch is any number of patterns, one after the other. The zero value is empty, and of bytes. A nil *Batch that is
// searched for is empty, too.
type Batch struct {
	Text    []byte   // of all patterns
	Offsets []uint32 // pattern q is Text[Offsets[q]:Offsets[q+1]]; nil or one more than patterns
	// SymbolBytes is the width of a symbol: 2 or 4, in Text with the high byte first; 0 and 1 are bytes.
	SymbolBytes int
}

// Of makes a batch of patterns of bytes.
func Of(patterns ...[]byte) (*Batch, error) {
	var b Batch
	for _, p := range patterns {
		if err := b.Add(p); err != nil {
			return nil, err
		}
	}
	return &b, nil
}

// OfTokens16 makes a batch for texts of symbols of 16 bits.
func OfTokens16(patterns ...[]uint16) (*Batch, error) {
	return ofSymbols(2, binary.BigEndian.AppendUint16, patterns)
}

// OfTokens32 makes a batch for texts of symbols of 32 bits.
func OfTokens32(patterns ...[]uint32) (*Batch, error) {
	return ofSymbols(4, binary.BigEndian.AppendUint32, patterns)
}

func ofSymbols[T any](symbolBytes int, put func([]byte, T) []byte, patterns [][]T) (*Batch, error) {
	b := Batch{SymbolBytes: symbolBytes}
	var pattern []byte
	for _, p := range patterns {
		pattern = pattern[:0]
		for _, symbol := range p {
			pattern = put(pattern, symbol)
		}
		if err := b.Add(pattern); err != nil {
			return nil, err
		}
	}
	return &b, nil
}

// Add appends a pattern, of whole symbols. A batch holds less than 4 GiB.
func (b *Batch) Add(pattern []byte) error {
	if uint64(len(b.Text))+uint64(len(pattern)) > math.MaxUint32 {
		return errTooLong()
	}
	if width := max(b.SymbolBytes, 1); len(pattern)%width != 0 {
		return fmt.Errorf("patterns: pattern %d has %d bytes, and symbols of %d", b.Len(), len(pattern), width)
	}
	if len(b.Offsets) == 0 {
		b.Offsets = append(b.Offsets, 0)
	}
	b.Text = append(b.Text, pattern...)
	b.Offsets = append(b.Offsets, uint32(len(b.Text)))
	return nil
}

// errTooLong is the error if a batch would hold 4 GiB of patterns or more.
func errTooLong() error {
	return fmt.Errorf("patterns: a batch of more than %d bytes", uint32(math.MaxUint32))
}

// Reset empties the batch and keeps its memory.
func (b *Batch) Reset() { b.Text, b.Offsets = b.Text[:0], b.Offsets[:0] }

// Len is the number of patterns.
func (b *Batch) Len() int {
	if b == nil {
		return 0
	}
	return max(len(b.Offsets)-1, 0)
}

// Pattern returns pattern number q. It shares the batch's memory.
func (b *Batch) Pattern(q int) []byte { return b.Text[b.Offsets[q]:b.Offsets[q+1]] }
