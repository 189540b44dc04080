package sentencepiece

import (
	"context"
	"fmt"
	"sync"
	"unicode"
)

// Rules say which substrings may be pieces. The zero value has the defaults of spm_train.
type Rules struct {
	MaxLength   int  // in characters, up to 127; 0: 16
	MixScripts  bool // letters of several scripts in a piece: --split_by_unicode_script=false
	MixNumbers  bool // digits and letters: --split_by_number=false
	SplitDigits bool // a digit is a piece of its own: --split_digits
	// Fixed: all ends of sentences differ. spm_train takes the boundary for a character like others, and so does not find
	// substrings that end sentences only, unless another character follows them elsewhere.
	Fixed bool
}

// DefaultMaxLength is the most characters of a piece.
const DefaultMaxLength = 16

// The limits of IntervalOptions.Longest.
const (
	maxLimit = 1<<7 - 1
	cut      = 1 << 7
)

// Limits returns longest [n]uint8: how long a piece may be that begins at each place of the corpus, as
// IntervalOptions.Longest has it. Every beginning of a piece is one. Errors: a MaxLength above 127; the context's.
func (c *Corpus) Limits(ctx context.Context, r Rules) (longest []uint8, err error) {
	if r.MaxLength == 0 {
		r.MaxLength = DefaultMaxLength
	}
	if r.MaxLength < 1 || r.MaxLength > maxLimit {
		return nil, fmt.Errorf("sentencepiece: pieces of up to %d characters, wants 1 to %d", r.MaxLength, maxLimit)
	}
	longest = make([]uint8, len(c.Symbols))
	table := scripts()
	err = workers(ctx, len(c.starts)-1, func(next func() (int, bool)) {
		for k, ok := next(); ok; k, ok = next() {
			from, to := c.starts[k], c.starts[k+1]
			r.limits(longest[from:to], c.Symbols[from:to], table)
		}
	})
	return longest, err
}

// limits are those of whole sentences. A piece that begins at i may reach up to `end`, which only falls as i does:
//
//	▁                   ends pieces that begin before it
//	U+2585, boundary    ends pieces, and begins none
//	letter              ends pieces that begin up to the last letter before it, if that is of another script
//
// Inherited characters, which combine with any, are no letters.
func (r Rules) limits(longest []uint8, symbols []uint32, scripts []uint8) {
	end, boundary := len(symbols), false // boundary: there is one at end
	letter, script := -1, anyScript      // the next letter
	for i := len(symbols) - 1; i >= 0; i-- {
		c := symbols[i]
		before := i + 1 // the end for pieces that begin before i, if less than end
		switch {
		case c == Boundary, c == Unknown:
			longest[i], end, boundary = 0, i, c == Boundary
			letter = -1
			continue
		case c == Mark:
			before = i
		default:
			digit := c >= '0' && c <= '9' || c >= '０' && c <= '９'
			of := scripts[c]
			if digit && r.MixNumbers {
				of = anyScript
			}
			if of != inherited {
				differ := of != script && of != anyScript && script != anyScript
				if letter >= 0 && letter < end && differ && !r.MixScripts {
					end, boundary = letter, false
				}
				letter, script = i, of
			}
			if digit && r.SplitDigits {
				end, boundary = min(end, i+1), boundary && end <= i+1
				before = i
			}
		}
		length := end - i
		switch {
		case length > r.MaxLength:
			longest[i] = uint8(r.MaxLength)
		case boundary && r.Fixed:
			longest[i] = uint8(length) + cut
		default:
			longest[i] = uint8(length)
		}
		if before <= i {
			end, boundary = i, false
		}
	}
}

// Scripts that are none of Unicode's.
const (
	common    = uint8(iota) // and characters without one
	inherited               // characters that combine with any
	anyScript               // goes with every other
	firstScript
)

// scripts has that of each code point, numbers from firstScript on; Hiragana and Katakana are Han.
var scripts = sync.OnceValue(func() []uint8 {
	table := make([]uint8, unicode.MaxRune+1)
	numbers := map[string]uint8{"Common": common, "Inherited": inherited}
	number := func(name string) uint8 {
		switch name {
		case "Hiragana", "Katakana":
			name = "Han"
		}
		if _, ok := numbers[name]; !ok {
			numbers[name] = firstScript + uint8(len(numbers)) - 2
		}
		return numbers[name]
	}
	for name, ranges := range unicode.Scripts {
		n := number(name)
		for _, r := range ranges.R16 {
			for c := uint32(r.Lo); c <= uint32(r.Hi); c += uint32(r.Stride) {
				table[c] = n
			}
		}
		for _, r := range ranges.R32 {
			for c := r.Lo; c <= r.Hi; c += r.Stride {
				table[c] = n
			}
		}
	}
	table['ー'] = number("Han") // the long vowel of Katakana
	return table
})
