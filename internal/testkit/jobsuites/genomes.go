package jobsuites

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/suffixcl/suffixcl/internal/testkit/suitekit"
)

// SequenceMatch is an exact match between text Reference of a reference and text Query of queries, or its reverse
// complement: Length symbols from ReferenceAt and QueryAt on. QueryAt counts on the strand.
type SequenceMatch struct {
	Reference, Query     int
	Reverse              bool
	ReferenceAt, QueryAt uint32
	Length               uint32
}

func compareMatches(a, b SequenceMatch) int {
	reverse := func(m SequenceMatch) int {
		if m.Reverse {
			return 1
		}
		return 0
	}
	return cmp.Or(cmp.Compare(a.Query, b.Query), cmp.Compare(reverse(a), reverse(b)), cmp.Compare(a.QueryAt, b.QueryAt),
		cmp.Compare(a.Reference, b.Reference), cmp.Compare(a.ReferenceAt, b.ReferenceAt), cmp.Compare(a.Length, b.Length))
}

// MatchQuery asks for exact matches of at least Least symbols that cannot be longer on either side.
type MatchQuery struct {
	Kind  string // "reference": unique in the reference; "mum": in the query, too, strand by strand; "mem": all
	Least int
	Both  bool // strands of the queries
}

// maxGenome bounds the texts, since the oracles compare all pairs of positions: of longer ones the end is taken.
const maxGenome = 220

func shortened(text []byte) []byte { return text[max(len(text)-maxGenome, 0):] }

// genomesOf cuts a text, in letters of DNA, into some texts; every third has an N.
func genomesOf(text []byte, turn int) (texts [][]byte) {
	for k, part := range cut(text, turn) {
		genome := make([]byte, len(part))
		for i, c := range part {
			genome[i] = "acgt"[c&3]
		}
		if k%3 == 2 && len(genome) > 0 {
			genome[len(genome)/2] = 'n'
		}
		texts = append(texts, genome)
	}
	return texts
}

// strands are the strands of a text.
func strands(text []byte, both bool) [][]byte {
	if !both {
		return [][]byte{text}
	}
	other := make([]byte, len(text))
	for i, c := range text {
		other[len(text)-1-i] = map[byte]byte{'a': 't', 'c': 'g', 'g': 'c', 't': 'a', 'n': 'n'}[c]
	}
	return [][]byte{text, other}
}

// Matches is the suite for exact matches of texts of a, c, g, t and n, of which n matches nothing. find returns those
// of a query in any order.
func Matches(
	find func(ctx context.Context, reference, queries [][]byte, q MatchQuery) ([]SequenceMatch, error), cfg Config,
) []Case {
	type answer struct {
		q                  MatchQuery
		reference, queries [][]byte
		got                []SequenceMatch
	}
	cfg = cfg.WithDefaults()
	cfg.Large = min(cfg.Large, maxGenome)
	turn, leasts := 0, []int{1, 2, 3, 4, 5, 7, 12}
	return textSuite[answer]{
		run: func(ctx context.Context, text []byte) (a answer, err error) {
			turn++
			text = shortened(text)
			a.q = MatchQuery{[]string{"reference", "mum", "mem"}[turn%3], leasts[turn%len(leasts)], turn%2 == 0}
			a.reference = genomesOf(text[:len(text)/2], turn)
			a.queries = genomesOf(text[len(text)/3:], turn/2)
			a.got, err = find(ctx, a.reference, a.queries, a.q)
			return a, err
		},
		judge: func(_ []byte, a answer) error {
			slices.SortFunc(a.got, compareMatches)
			if err := suitekit.Compare("match", a.got, ReferenceMatches(a.reference, a.queries, a.q)); err != nil {
				return fmt.Errorf("%+v of %q and %q: %w", a.q, a.reference, a.queries, err)
			}
			return nil
		},
	}.cases(cfg)
}

// ReferenceMatches returns the matches that a query asks for, sorted by query, strand, and position in it. It compares
// all pairs of positions.
func ReferenceMatches(reference, queries [][]byte, q MatchQuery) []SequenceMatch {
	found := []SequenceMatch{}
	for k, query := range queries {
		for s, strand := range strands(query, q.Both) {
			for r, text := range reference {
				for i := range text {
					for j := range strand {
						length := matchAt(text, strand, i, j)
						if length < q.Least || i > 0 && j > 0 && text[i-1] == strand[j-1] && text[i-1] != 'n' {
							continue
						}
						w := string(text[i : i+length])
						if q.Kind != "mem" && occurrences(w, reference...) != 1 ||
							q.Kind == "mum" && occurrences(w, strand) != 1 {
							continue
						}
						found = append(found, SequenceMatch{r, k, s == 1, uint32(i), uint32(j), uint32(length)})
					}
				}
			}
		}
	}
	slices.SortFunc(found, compareMatches)
	return found
}

// matchAt is how many letters two texts share from i and j on.
func matchAt(a, b []byte, i, j int) (length int) {
	for i+length < len(a) && j+length < len(b) && a[i+length] == b[j+length] && a[i+length] != 'n' {
		length++
	}
	return length
}

// occurrences counts those of w, which may overlap.
func occurrences(w string, texts ...[]byte) (count int) {
	for _, text := range texts {
		for i := 0; i+len(w) <= len(text); i++ {
			if string(text[i:i+len(w)]) == w {
				count++
			}
		}
	}
	return count
}

// MappabilityQuery asks for the frequencies of k-mers, or for K = 0 for the lengths of shortest unique substrings.
type MappabilityQuery struct {
	K    []int
	Both bool // strands count
}

// Mappability is the suite for frequencies of the k-mers of texts of a, c, g, t and n, of which k-mers with n have
// none. count returns a value for each position of each text, for each k.
func Mappability(
	count func(ctx context.Context, texts [][]byte, q MappabilityQuery) ([][][]uint32, error), cfg Config,
) []Case {
	type answer struct {
		q     MappabilityQuery
		texts [][]byte
		got   [][][]uint32
	}
	cfg = cfg.WithDefaults()
	cfg.Large = min(cfg.Large, maxGenome)
	turn := 0
	return textSuite[answer]{
		run: func(ctx context.Context, text []byte) (a answer, err error) {
			turn++
			text = shortened(text)
			a.q = MappabilityQuery{[]int{1 + turn%3, 4, 5 + turn*7%61, 0}[turn%2:], turn%4 < 2}
			a.texts = genomesOf(text, turn)
			a.got, err = count(ctx, a.texts, a.q)
			return a, err
		},
		judge: func(_ []byte, a answer) error {
			for i, k := range a.q.K {
				want := ReferenceMappability(a.texts, k, a.q.Both)
				for t := range a.texts {
					if err := suitekit.Compare("value", a.got[i][t], want[t]); err != nil {
						return fmt.Errorf("k %d, both %v, text %d of %q: %w", k, a.q.Both, t, a.texts, err)
					}
				}
			}
			return nil
		},
	}.cases(cfg)
}

// ReferenceMappability returns the values of one k. It counts the substrings of both strands; one that is its own
// reverse complement counts once at each place for k > 0.
func ReferenceMappability(texts [][]byte, k int, both bool) [][]uint32 {
	counts := func(k int) map[string]uint32 {
		all := map[string]uint32{}
		for _, text := range texts {
			for _, strand := range strands(text, both) {
				for i := 0; i+k <= len(strand); i++ {
					all[string(strand[i:i+k])]++
				}
			}
		}
		return all
	}
	values := make([][]uint32, len(texts))
	longest := 0
	for t, text := range texts {
		values[t] = make([]uint32, len(text))
		longest = max(longest, len(text))
	}
	first, last := k, k
	if k == 0 {
		first, last = 1, longest
	}
	for length := first; length <= last; length++ {
		all := counts(length)
		for t, text := range texts {
			for i := 0; i+length <= len(text); i++ {
				w := string(text[i : i+length])
				switch {
				case strings.Contains(w, "n"):
				case k == 0:
					if values[t][i] == 0 && all[w] == 1 {
						values[t][i] = uint32(length)
					}
				case both && string(strands([]byte(w), true)[1]) == w:
					values[t][i] = all[w] / 2
				default:
					values[t][i] = all[w]
				}
			}
		}
	}
	return values
}

// MultiMatch is a substring of several genomes, and how often they have it.
type MultiMatch struct {
	Substring string
	Count     int
}

// MultiMatchQuery asks for substrings of at least Least letters that at least Genomes genomes have, each at most
// MostEach times (0: any number), and that cannot be longer on either side at all occurrences.
type MultiMatchQuery struct {
	Least, Genomes, MostEach int
	Both                     bool
}

// MultiMatches is the suite for matches of several genomes, each of some texts of a, c, g, t and n, of which n matches
// nothing. find returns the matches in any order.
func MultiMatches(
	find func(ctx context.Context, genomes [][][]byte, q MultiMatchQuery) ([]MultiMatch, error), cfg Config,
) []Case {
	type answer struct {
		q       MultiMatchQuery
		genomes [][][]byte
		got     []MultiMatch
	}
	cfg = cfg.WithDefaults()
	cfg.Large = min(cfg.Large, maxGenome/2)
	turn := 0
	return textSuite[answer]{
		run: func(ctx context.Context, text []byte) (a answer, err error) {
			turn++
			text = shortened(text)
			n := len(text)
			a.genomes = [][][]byte{genomesOf(text[:n/2], turn), genomesOf(text[n/3:], turn/2), genomesOf(text[n/4:n/2], 3)}
			a.q = MultiMatchQuery{1 + turn%4, 1 + turn%3, turn / 3 % 3, turn%2 == 0}
			a.got, err = find(ctx, a.genomes, a.q)
			return a, err
		},
		judge: func(_ []byte, a answer) error {
			slices.SortFunc(a.got, compareMultiMatches)
			if err := suitekit.Compare("match", a.got, ReferenceMultiMatches(a.genomes, a.q)); err != nil {
				return fmt.Errorf("%+v of %q: %w", a.q, a.genomes, err)
			}
			return nil
		},
	}.cases(cfg)
}

func compareMultiMatches(a, b MultiMatch) int { return cmp.Compare(a.Substring, b.Substring) }

// ReferenceMultiMatches returns the matches that a query asks for, sorted. It looks at every substring.
func ReferenceMultiMatches(genomes [][][]byte, q MultiMatchQuery) []MultiMatch {
	type seen struct {
		each          map[int]int
		count         int
		before, after map[string]bool
	}
	all := map[string]*seen{}
	for g, texts := range genomes {
		for t, text := range texts {
			for s, strand := range strands(text, q.Both) {
				neighbour := func(i int) string { // what is there; nothing is equal to an end or an n
					if i < 0 || i >= len(strand) || strand[i] == 'n' {
						return fmt.Sprint(g, t, s, i)
					}
					return string(strand[i : i+1])
				}
				for i := range strand {
					for to := i + 1; to <= len(strand) && strand[to-1] != 'n'; to++ {
						w := string(strand[i:to])
						if all[w] == nil {
							all[w] = &seen{map[int]int{}, 0, map[string]bool{}, map[string]bool{}}
						}
						of := all[w]
						of.each[g]++
						of.count++
						of.before[neighbour(i-1)], of.after[neighbour(to)] = true, true
					}
				}
			}
		}
	}
	found := []MultiMatch{}
	for w, of := range all {
		good := len(w) >= q.Least && len(of.each) >= q.Genomes && len(of.before) > 1 && len(of.after) > 1
		for _, n := range of.each {
			good = good && (q.MostEach == 0 || n <= q.MostEach)
		}
		if good {
			found = append(found, MultiMatch{w, of.count})
		}
	}
	slices.SortFunc(found, compareMultiMatches)
	return found
}
