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
		n, sum := len(text), textSum(text)
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

// textSum is a number that what is asked of a text depends on.
func textSum(text []byte) (sum int) {
	for i, c := range text {
		sum += int(c) * (i%7 + 1)
	}
	return sum
}

// ReferencePrefixes counts suffixes one by one, letter by letter. The sequences of one letter come first, then those of
// two, and so on, those of a length by their codes.
func ReferencePrefixes(text []byte, of PrefixQuery) []uint32 {
	start := sequenceStarts(of.Letters)
	counts := make([]uint32, start[of.Letters+1])
	eachPrefix(text, of, func(letters []uint8, _ int) { counts[start[len(letters)]+codeOf(letters)]++ })
	return counts
}

// sequenceStarts are where the sequences of so many letters begin, and at the end how many there are.
func sequenceStarts(most int) []int {
	start := make([]int, most+2)
	for letters := 1; letters <= most; letters++ {
		start[letters+1] = start[letters] + 1<<(2*letters)
	}
	return start
}

// eachPrefix calls use with the letters that each suffix begins with, up to Letters, which are valid until it returns,
// and with its place. That of the text at character i is i. That of the complement that begins there is at the same
// distance from the end of both.
func eachPrefix(text []byte, of PrefixQuery, use func(letters []uint8, place int)) {
	letters := make([]uint8, 0, of.Letters)
	add := func(from, step int, flip uint8, place int) {
		letters = letters[:0]
		for i := from; len(letters) < of.Letters && i >= 0 && i < len(text) && PrefixCode(text[i]) < 4; i += step {
			letters = append(letters, PrefixCode(text[i])^flip)
		}
		if len(letters) > 0 {
			use(letters, place)
		}
	}
	for i := of.From; i < of.End; i++ {
		if (of.Last-i)%of.Every == 0 {
			add(i, 1, 0, i)
		}
		if i%of.Every == 0 {
			add(i, -1, 3, 2*len(text)-1-i)
		}
	}
}

// codeOf is the code of a sequence, the first letter in the high bits.
func codeOf(letters []uint8) (code int) {
	for _, c := range letters {
		code = 4*code + int(c)
	}
	return code
}
