package jobsuites

import (
	"context"

	"github.com/suffixcl/suffixcl/internal/testkit/suitekit"
)

// PrefixQuery asks for suffixes by what they begin with: of those at characters [From, End) of a text and of its
// reverse complement, those whose distance from Last in both is a multiple of Every. They are told apart by Letters
// letters.
type PrefixQuery struct {
	Letters     int
	From, End   int
	Every, Last int
}

// PrefixCode is the code of a byte in texts of this suite, as if it were one of four letters; 4: it is none.
func PrefixCode(c byte) uint8 { return c % 5 }

// Prefixes is the suite for counts of suffixes by what they begin with, on the texts of [conformance.SuffixArray].
// count returns how many begin with each sequence of 1 to Letters letters, and with no further one where these are
// fewer: see [ReferencePrefixes]. It must not write to text.
func Prefixes(count func(ctx context.Context, text []byte, of PrefixQuery) ([]uint32, error), cfg Config) []Case {
	queryOf := func(text []byte) PrefixQuery {
		n, sum := len(text), 0
		for i, c := range text {
			sum += int(c) * (i%7 + 1)
		}
		of := PrefixQuery{Letters: 1 + (n+sum)%6, End: n, Every: 1, Last: n}
		if sum%3 > 0 {
			of.From, of.Every, of.Last = sum%(n+1), 1+sum%4, n+sum%5
			of.End = of.From + sum/7%(n-of.From+1)
		}
		return of
	}
	suite := textSuite[[]uint32]{
		run: func(ctx context.Context, text []byte) ([]uint32, error) {
			return suitekit.Unchanged("text", text, func() ([]uint32, error) { return count(ctx, text, queryOf(text)) })
		},
		judge: func(text []byte, got []uint32) error {
			return suitekit.Compare("count", got, ReferencePrefixes(text, queryOf(text)))
		},
	}
	return suite.cases(cfg.WithDefaults())
}

// ReferencePrefixes counts suffixes one by one, letter by letter. The sequences of one letter come first, then those of
// two, and so on, those of a length by their codes.
func ReferencePrefixes(text []byte, of PrefixQuery) []uint32 {
	start := make([]int, of.Letters+2) // of the sequences of so many letters
	for letters := 1; letters <= of.Letters; letters++ {
		start[letters+1] = start[letters] + 1<<(2*letters)
	}
	counts := make([]uint32, start[of.Letters+1])
	add := func(from, step int, flip uint8) {
		letters, sequence := 0, 0
		for i := from; letters < of.Letters && i >= 0 && i < len(text) && PrefixCode(text[i]) < 4; i += step {
			sequence = 4*sequence + int(PrefixCode(text[i])^flip)
			letters++
		}
		if letters > 0 {
			counts[start[letters]+sequence]++
		}
	}
	for i := of.From; i < of.End; i++ {
		if (of.Last-i)%of.Every == 0 {
			add(i, 1, 0)
		}
		if i%of.Every == 0 {
			add(i, -1, 3)
		}
	}
	return counts
}
