package jobsuites

import (
	"bytes"
	"context"
	"fmt"
	"index/suffixarray"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/suffixcl/suffixcl/internal/testkit/suitekit"
)

// SMEMSearch is where super-maximal exact matches of queries are looked for.
type SMEMSearch struct {
	// Texts are those of the index, which has their reverse complements, too. In a pangenome each strand is a string. Else
	// all texts are one, which its reverse complement follows, and have no N.
	Texts     [][]byte
	Pangenome bool

	Queries            [][]byte
	MinLength, MinHits int
	MaxLocated         int  // positions of matches with up to so many hits; none in a pangenome
	Long               bool // queries may have more than some dozens of letters
}

// SMEM is a match: [Start, End) of a query is in Hits rows from Row on, which begin at Positions.
type SMEM struct {
	Query, Start, End int
	Row, Hits         uint64
	Positions         string // with blanks between them
}

// SMEMs is the suite for super-maximal exact matches of queries of A, C, G, T, N, in the collections of [RLBWT]. find
// returns what [ReferenceSMEMs] does. It must not write to texts and queries.
func SMEMs(find func(ctx context.Context, s SMEMSearch) ([]SMEM, error), cfg Config) []Case {
	type answer struct {
		of    SMEMSearch
		found []SMEM
	}
	long := cfg.WithDefaults().MaxPattern > longQuery
	return collectionSuite[[]answer]{
		run: func(ctx context.Context, all [][]byte, rng *rand.Rand) (answers []answer, err error) {
			for _, s := range smemSearches(all, rng, long) {
				before := texts(s.Queries)
				found, err := find(ctx, s)
				if err != nil {
					return nil, err
				}
				if !slices.Equal(before, texts(s.Queries)) {
					return nil, fmt.Errorf("the queries were written to")
				}
				answers = append(answers, answer{s, found})
			}
			return answers, nil
		},
		judge: func(_ [][]byte, answers []answer) error {
			for _, a := range answers {
				if err := suitekit.Compare("match", a.found, ReferenceSMEMs(a.of)); err != nil {
					return fmt.Errorf("pangenome %v, %d letters, %d hits, queries %s: %w", a.of.Pangenome, a.of.MinLength,
						a.of.MinHits, shown(a.of.Queries), err)
				}
			}
			return nil
		},
	}.cases(cfg)
}

// longQuery is longer than queries may be where work-items cannot loop for long.
const longQuery = 1 << 16

// smemSearches are what is looked for in some texts.
func smemSearches(all [][]byte, rng *rand.Rand, long bool) []SMEMSearch {
	const queries = 6
	base := func(of []byte) []byte {
		return bytes.Map(func(r rune) rune {
			if r == 'N' {
				return 'G'
			}
			return r
		}, of)
	}
	most := 24
	if long {
		most = 300
	}
	pool := append(bytes.Join(all, nil), 'A')
	list := [][]byte{nil, suitekit.Pick(1, rng, "ACGTN"), suitekit.Pick(most/2, rng, "ACGTN"),
		bytes.Repeat(suitekit.Pick(1, rng, "ACGTN"), most/2)}
	for range queries {
		at := rng.IntN(len(pool))
		q := mutated(rng, pool[at:min(at+1+rng.IntN(most), len(pool))], []float64{0.001, 0.03, 0.3}[rng.IntN(3)])
		if rng.IntN(2) == 0 {
			q = reversedStrands(q)[1]
		}
		list = append(list, slices.Clone(q[:min(len(q), most)]))
	}
	lower := bytes.ToLower(list[len(list)-1])
	s := SMEMSearch{Texts: all, Pangenome: true, Queries: append(list, lower), MinLength: 1 + rng.IntN(4),
		MinHits: 1 + rng.IntN(3), Long: long}
	d := s
	d.Pangenome, d.Texts, d.MaxLocated = false, nil, rng.IntN(9)
	for _, text := range all {
		d.Texts = append(d.Texts, base(text))
	}
	if len(bytes.Join(all, nil)) == 0 {
		return []SMEMSearch{s}
	}
	d.MinLength = []int{1, 3, 15}[rng.IntN(3)]
	return []SMEMSearch{s, d}
}

// letters are those that match, and text is that of the index.
func (s *SMEMSearch) text() (letters string, text []byte) {
	letters = "ACGT"
	if s.Pangenome {
		letters += "N"
		for _, forward := range s.Texts {
			for _, strand := range reversedStrands(forward) {
				text = append(append(text, strand...), '$')
			}
		}
	} else {
		forward := bytes.Join(s.Texts, nil)
		text = bytes.Join(reversedStrands(forward), nil)
	}
	return letters, text
}

// prefix is where the longest string ends that begins at a place of a query and occurs MinHits times or more.
func (s *SMEMSearch) prefix(index *suffixarray.Index, letters string, query []byte, start int) (end int) {
	end = start
	for end < len(query) && strings.IndexByte(letters, query[end]) >= 0 &&
		len(index.Lookup(query[start:end+1], s.MinHits)) == s.MinHits {
		end++
	}
	return end
}

// ReferenceMatchingStatistics are for each place of each query how many letters the longest string has that begins
// there and occurs MinHits times or more.
func ReferenceMatchingStatistics(s SMEMSearch) (all [][]int) {
	letters, text := s.text()
	index := suffixarray.New(text)
	for _, query := range s.Queries {
		query = bytes.ToUpper(query)
		lengths := make([]int, len(query))
		for at := range query {
			lengths[at] = s.prefix(index, letters, query, at) - at
		}
		all = append(all, lengths)
	}
	return all
}

// ReferenceSMEMs are the matches by definition: what occurs MinHits times or more and has MinLength letters or more,
// where no longer part of the query with it occurs as often.
func ReferenceSMEMs(s SMEMSearch) []SMEM {
	letters, text := s.text()
	code := func(of []byte) (codes []byte) {
		for _, c := range of {
			codes = append(codes, byte(strings.IndexByte(RLBWTLetters, c)))
		}
		return codes
	}
	order := code(text) // so that it is ordered as letters are
	index := suffixarray.New(text)
	row := func(of []byte) (less uint64) {
		if !s.Pangenome {
			less = 1 // the end
		}
		for at := range order {
			if bytes.Compare(order[at:], of) < 0 {
				less++
			}
		}
		return less
	}
	found := []SMEM{}
	for q, query := range s.Queries {
		query, before := bytes.ToUpper(query), 0
		for start := range query {
			end := s.prefix(index, letters, query, start)
			if end <= before {
				continue
			}
			if before = end; end-start < s.MinLength {
				continue
			}
			places := index.Lookup(query[start:end], -1)
			m := SMEM{Query: q, Start: start, End: end, Row: row(code(query[start:end])), Hits: uint64(len(places))}
			if !s.Pangenome && len(places) <= s.MaxLocated {
				slices.SortFunc(places, func(a, b int) int { return bytes.Compare(order[a:], order[b:]) })
				m.Positions = strings.Trim(fmt.Sprint(places), "[]")
			}
			found = append(found, m)
		}
	}
	return found
}
