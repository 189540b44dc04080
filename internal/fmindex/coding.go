package fmindex

import (
	"errors"
	"fmt"
	"math"
	"math/bits"
	"slices"

	"github.com/suffixcl/suffixcl/internal/hooks"
	"github.com/suffixcl/suffixcl/internal/limits"
	"github.com/suffixcl/suffixcl/internal/parallel"
)

// Coding makes bytes of the symbols of a text, so that an index of bytes is one of them. The rank of a symbol among
// those that occur is written in so many digits, the most significant one first. First digits are other bytes than the
// digits after them. So what occurs of a pattern in digits begins where a symbol does.
type Coding struct {
	SymbolBytes int      // of a symbol: 2 or 4
	Values      []uint32 // that occur, ascending
}

// digits tell how ranks are written: 1 digit below 255, or several. A first digit is below first; those after it are
// from first on, below first + base.
type digits struct{ count, first, base int }

// oneDigit is up to how many symbols are one byte: the last byte is for what does not occur.
const oneDigit = 255

// digitsOf are the digits of so many symbols: as few as possible, with the least bytes together, and of these with the
// least base.
func digitsOf(symbols int) digits {
	if symbols <= oneDigit {
		return digits{1, max(symbols, 1), 0}
	}
	for count := 2; ; count++ {
		best := digits{count, 257, 0}
		for base := 2; base < 256; base++ {
			power := 1
			for range count - 1 {
				power = min(power*base, 1<<33)
			}
			if first := (symbols + power - 1) / power; first+base < best.first+best.base {
				best = digits{count, first, base}
			}
		}
		if best.first+best.base <= 256 {
			return best
		}
	}
}

// put writes a rank.
func (d digits) put(to []byte, rank int) {
	for i := d.count - 1; i > 0; i-- {
		to[i] = byte(d.first + rank%d.base)
		rank /= d.base
	}
	to[0] = byte(rank)
}

// putUnknown writes what occurs in no text: a first digit is after a first digit, or the byte is no digit.
func (d digits) putUnknown(to []byte) {
	for i := range to {
		if to[i] = 0; d.count == 1 {
			to[i] = oneDigit
		}
	}
}

// Width is the number of bytes of a symbol in the index: 1 without a coding.
func (c *Coding) Width() int {
	if c == nil {
		return 1
	}
	return digitsOf(len(c.Values)).count
}

// Most is the coding of a text of n symbols of so many bytes, 2 or 4, of which as many differ as can, and the counts of
// its bytes. Errors: those of Code; another number of bytes.
func Most(symbolBytes, n int) (*Coding, *[256]uint64, error) {
	if symbolBytes != 2 && symbolBytes != 4 {
		return nil, nil, fmt.Errorf("suffixcl: symbols of %d bytes, wants 1, 2 or 4", symbolBytes)
	}
	if err := limits.CheckLen("text", n, limits.MaxLen); err != nil {
		return nil, nil, err
	}
	c := &Coding{SymbolBytes: symbolBytes, Values: make([]uint32, min(n, 1<<(8*symbolBytes)))}
	for i := range c.Values {
		c.Values[i] = uint32(i)
	}
	d := digitsOf(len(c.Values))
	if err := limits.CheckLen(d.what(), n, limits.MaxLen/d.count); err != nil {
		return nil, nil, err
	}
	var counts [256]uint64
	spread := func(from, letters, total int) {
		for i := range letters {
			counts[from+i] += uint64(total*(i+1)/letters - total*i/letters)
		}
	}
	spread(0, d.first, n)
	if d.count > 1 {
		spread(d.first, d.base, n*(d.count-1))
	}
	return c, &counts, nil
}

// what names a text in these digits.
func (d digits) what() string { return fmt.Sprintf("text in %d bytes a symbol", d.count) }

// Code codes a text. Errors: *device.LengthError, where it is longer than an index in its digits.
func Code[T uint16 | uint32](text []T) (*Coding, []byte, error) {
	defer hooks.Begin("code symbols")()
	ranks := ranksOf(text)
	c := &Coding{SymbolBytes: bits.Len64(uint64(^T(0))) / 8, Values: ranks.values}
	d := digitsOf(len(c.Values))
	if err := limits.CheckLen(d.what(), len(text), limits.MaxLen/d.count); err != nil {
		return nil, nil, err
	}
	coded := make([]byte, d.count*len(text))
	parallel.Do(len(text), 1<<16, func(lo, hi int) {
		for i, symbol := range text[lo:hi] {
			at := d.count * (lo + i)
			d.put(coded[at:at+d.count], ranks.of(uint32(symbol)))
		}
	})
	return c, coded, nil
}

// ranks are the ranks of the symbols of a text. They are counted in a bitmap, or, where the text is too short for one
// of all values, looked up.
type ranks struct {
	values []uint32
	bitmap []uint64
	before []uint32 // ones before each of its words
}

func ranksOf[T uint16 | uint32](text []T) *ranks {
	greatest := 0
	for _, symbol := range text {
		greatest = max(greatest, int(symbol))
	}
	var r ranks
	if words := greatest/64 + 1; words > max(len(text), 1<<10) {
		r.values = make([]uint32, len(text))
		for i, symbol := range text {
			r.values[i] = uint32(symbol)
		}
		slices.Sort(r.values)
		r.values = slices.Clip(slices.Compact(r.values))
		return &r
	} else {
		r.bitmap, r.before = make([]uint64, words), make([]uint32, words)
	}
	for _, symbol := range text {
		r.bitmap[symbol/64] |= 1 << (symbol % 64)
	}
	for i, word := range r.bitmap {
		r.before[i] = uint32(len(r.values))
		for ; word != 0; word &= word - 1 {
			r.values = append(r.values, uint32(64*i+bits.TrailingZeros64(word)))
		}
	}
	return &r
}

func (r *ranks) of(symbol uint32) int {
	if r.bitmap == nil {
		rank, _ := slices.BinarySearch(r.values, symbol)
		return rank
	}
	return int(r.before[symbol/64]) + bits.OnesCount64(r.bitmap[symbol/64]&(1<<(symbol%64)-1))
}

// Patterns are patterns of symbols, the high byte first, in digits: their bytes, and where each begins.
func (c *Coding) Patterns(text []byte, offsets []uint32) ([]byte, []uint32, error) {
	d, width := digitsOf(len(c.Values)), c.SymbolBytes
	if size := int64(len(text)) / int64(width) * int64(d.count); size > math.MaxUint32 {
		return nil, nil, fmt.Errorf("fmindex: patterns of %d bytes, coded %d, at most %d", len(text), size,
			uint32(math.MaxUint32))
	}
	for _, offset := range offsets {
		if int(offset)%width != 0 {
			return nil, nil, fmt.Errorf("fmindex: a pattern ends at byte %d, within a symbol of %d", offset, width)
		}
	}
	count := len(text) / width
	coded := make([]byte, count*d.count)
	parallel.Do(count, 1<<14, func(lo, hi int) {
		for i := lo; i < hi; i++ {
			symbol := uint32(0)
			for _, high := range text[i*width : (i+1)*width] {
				symbol = symbol<<8 | uint32(high)
			}
			to := coded[i*d.count : (i+1)*d.count]
			if rank, found := slices.BinarySearch(c.Values, symbol); found {
				d.put(to, rank)
			} else {
				d.putUnknown(to)
			}
		}
	})
	ends := make([]uint32, len(offsets))
	for q, offset := range offsets {
		ends[q] = offset / uint32(width) * uint32(d.count)
	}
	return coded, ends, nil
}

// check compares a coding with the header of its index.
func (c *Coding) check(h *Header) error {
	if c == nil {
		return nil
	}
	d := digitsOf(len(c.Values))
	switch {
	case c.SymbolBytes != 2 && c.SymbolBytes != 4:
		return fmt.Errorf("symbols of %d bytes", c.SymbolBytes)
	case h.Alphabet != Auto || h.Separator != NoSeparator || len(h.Records) > 0:
		return errors.New("symbols have no alphabet, separator and records")
	case h.Length%d.count != 0:
		return fmt.Errorf("%d bytes for symbols of %d digits", h.Length, d.count)
	case len(c.Values) > h.Length/d.count || len(c.Values) == 0 && h.Length > 0:
		return fmt.Errorf("%d distinct symbols in a text of %d", len(c.Values), h.Length/d.count)
	}
	for i, value := range c.Values {
		if i > 0 && value <= c.Values[i-1] || uint64(value)>>(8*c.SymbolBytes) != 0 {
			return fmt.Errorf("symbol %d, %d, is not above the one before, or has more than %d bytes", i, value, c.SymbolBytes)
		}
	}
	firsts := uint64(0)
	for digit, count := range h.Counts {
		if digit < d.first {
			firsts += count
		} else if digit >= d.first+d.base && count > 0 {
			return fmt.Errorf("%d of byte %#02x, which is no digit", count, digit)
		}
	}
	if firsts != uint64(h.Length/d.count) {
		return fmt.Errorf("%d first digits of %d symbols", firsts, h.Length/d.count)
	}
	return nil
}
