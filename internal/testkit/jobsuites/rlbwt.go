package jobsuites

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/suffixcl/suffixcl/internal/testkit/suitekit"
)

// LetterRun is Length rows of a transform that have the same letter.
type LetterRun struct {
	Letter byte // one of RLBWTLetters
	Length uint64
}

// RLBWTLetters are the letters of run-length transforms, ascending: the end of a string, and those of strings.
const RLBWTLetters = "$ACGTN"

// RunLengthBWT is the transform of a collection of strings, and what an index of it tells.
type RunLengthBWT struct {
	Runs    []LetterRun
	Ranks   [][len(RLBWTLetters)]uint64 // how many of each letter are before each row, and before the end
	Strings [][]byte
	Rows    []uint64 // of the whole strings
}

// RLBWT is the suite for run-length transforms of strings of A, C, G, T and N, some of them empty, and for the indexes
// of these. build returns all that [ReferenceRLBWT] does. It must not write to the strings.
func RLBWT(build func(ctx context.Context, strings [][]byte) (RunLengthBWT, error), cfg Config) []Case {
	return collectionSuite[RunLengthBWT]{
		run: func(ctx context.Context, all [][]byte, _ *rand.Rand) (RunLengthBWT, error) { return build(ctx, all) },
		judge: func(all [][]byte, got RunLengthBWT) error {
			want := ReferenceRLBWT(all)
			if err := suitekit.Compare("run", got.Runs, want.Runs); err != nil {
				return err
			}
			if err := suitekit.Compare("rank", got.Ranks, want.Ranks); err != nil {
				return err
			}
			if err := suitekit.Compare("row", got.Rows, want.Rows); err != nil {
				return err
			}
			return suitekit.Compare("string", texts(got.Strings), texts(all))
		},
	}.cases(cfg)
}

// RLBWTMerge is the suite for transforms of strings that come in batches, on the collections of [RLBWT]. build returns
// the runs of the transform of the strings of all batches, in order, of which some have none. It must not write to the
// strings.
func RLBWTMerge(build func(ctx context.Context, batches [][][]byte) ([]LetterRun, error), cfg Config) []Case {
	type answer struct {
		sizes []int // of batches
		runs  []LetterRun
	}
	return collectionSuite[[]answer]{
		run: func(ctx context.Context, all [][]byte, rng *rand.Rand) (answers []answer, err error) {
			for _, batches := range groupings(all, rng) {
				var a answer
				for _, b := range batches {
					a.sizes = append(a.sizes, len(b))
				}
				if a.runs, err = build(ctx, batches); err != nil {
					return nil, fmt.Errorf("batches of %v strings: %w", a.sizes, err)
				}
				answers = append(answers, a)
			}
			return answers, nil
		},
		judge: func(all [][]byte, answers []answer) error {
			want := ReferenceRLBWT(all).Runs
			for _, a := range answers {
				if err := suitekit.Compare("run", a.runs, want); err != nil {
					return fmt.Errorf("batches of %v strings: %w", a.sizes, err)
				}
			}
			return nil
		},
	}.cases(cfg)
}

// groupings are ways to put strings into batches: the first one alone, the last one alone, at random.
func groupings(all [][]byte, rng *rand.Rand) [][][][]byte {
	if len(all) < 2 {
		return [][][][]byte{{all}, {nil, all, nil}}
	}
	var parts [][][]byte
	for at := 0; at < len(all); {
		end := min(at+rng.IntN(2+len(all)/3), len(all)) // some are empty
		parts = append(parts, all[at:end])
		at = end
	}
	return [][][][]byte{{all[:1], all[1:]}, {all[:len(all)-1], all[len(all)-1:]}, parts}
}

// maxCollection bounds the letters of a collection, since the oracle sorts by comparison.
const maxCollection = 3000

// A collectionSuite is what the suites of collections share. run gets what random choices it makes.
type collectionSuite[R any] struct {
	run   func(ctx context.Context, all [][]byte, rng *rand.Rand) (R, error)
	judge func(all [][]byte, got R) error
}

func (s collectionSuite[R]) cases(cfg Config) []Case {
	cfg = cfg.WithDefaults()
	cfg.Large = min(cfg.Large, maxCollection)
	list := textSuite[R]{
		run: func(ctx context.Context, text []byte) (R, error) {
			return s.unchanged(ctx, collectionOf(text), suitekit.Rand(cfg.Seed, "batches", len(text)))
		},
		judge: func(text []byte, got R) error {
			if err := s.judge(collectionOf(text), got); err != nil {
				return fmt.Errorf("%s: %w", shown(collectionOf(text)), err)
			}
			return nil
		},
	}.cases(cfg)
	if cfg.Large < 0 {
		return list
	}
	for _, kind := range collectionKinds {
		list = append(list, Case{Name: "collections/" + kind.name, Run: func(ctx context.Context) error {
			rng := suitekit.Rand(cfg.Seed, kind.name, cfg.Large)
			all := kind.make(rng, max(cfg.Large/10, 12))
			got, err := s.unchanged(ctx, all, rng)
			if err == nil {
				err = s.judge(all, got)
			}
			if err != nil {
				return fmt.Errorf("collection %s, large %d, seed %d: %s: %w", kind.name, cfg.Large, cfg.Seed, shown(all), err)
			}
			return nil
		}})
	}
	return list
}

// unchanged runs, and finds out whether the strings were written to.
func (s collectionSuite[R]) unchanged(ctx context.Context, all [][]byte, rng *rand.Rand) (R, error) {
	before := texts(all)
	got, err := s.run(ctx, all, rng)
	if err == nil && !slices.Equal(before, texts(all)) {
		err = errors.New("the strings were written to")
	}
	return got, err
}

// shown are the strings, if they are short.
func shown(all [][]byte) string {
	const most = 200
	if n := len(bytes.Join(all, nil)) + len(all); n > most {
		return fmt.Sprintf("%d strings, %d letters and ends", len(all), n)
	}
	return fmt.Sprintf("%q", all)
}

func texts(all [][]byte) (list []string) {
	for _, text := range all {
		list = append(list, string(text))
	}
	return list
}

// collectionOf makes strings of a text. Its greatest letter ends strings in every other text: all small collections
// come of all short texts. The others are cut somewhere.
func collectionOf(text []byte) (all [][]byte) {
	turn := len(text)
	for _, c := range text {
		turn += int(c)
	}
	if turn%2 == 0 && len(text) > 0 {
		all = bytes.Split(text, []byte{slices.Max(text)})
	} else {
		all = cut(text, turn/2)
	}
	for i, part := range all {
		all[i] = make([]byte, len(part))
		for k, c := range part {
			all[i][k] = RLBWTLetters[1+c%5]
		}
	}
	return all
}

// collectionKinds are collections of about ten times n letters.
var collectionKinds = []struct {
	name string
	make func(rng *rand.Rand, n int) [][]byte
}{
	{"none", func(*rand.Rand, int) [][]byte { return nil }},
	{"empty string", func(*rand.Rand, int) [][]byte { return [][]byte{{}} }},
	{"empty strings", func(_ *rand.Rand, n int) [][]byte { return make([][]byte, n) }},
	{"one letter", func(*rand.Rand, int) [][]byte { return [][]byte{[]byte("A")} }},
	{"copies", func(*rand.Rand, int) [][]byte { return slices.Repeat([][]byte{[]byte("ACGT")}, 20) }},
	{"random", func(rng *rand.Rand, n int) [][]byte {
		return [][]byte{suitekit.Pick(4*n, rng, "ACGT"), suitekit.Pick(n, rng, "ACGTN"), suitekit.Pick(3, rng, "AC"),
			suitekit.Pick(4*n, rng, "ACGT")}
	}},
	{"haplotypes", func(rng *rand.Rand, n int) (all [][]byte) {
		genome := suitekit.Pick(n, rng, "ACGT")
		for range 10 {
			all = append(all, mutated(rng, genome, 0.01))
		}
		return all
	}},
	{"identical", func(rng *rand.Rand, n int) [][]byte {
		return slices.Repeat([][]byte{suitekit.Pick(2*n, rng, "ACGT")}, 5)
	}},
	{"identical stretches", func(rng *rand.Rand, n int) (all [][]byte) {
		stretch := suitekit.Pick(n, rng, "ACGT")
		for range 4 {
			all = append(all, slices.Concat(suitekit.Pick(n/2, rng, "ACGT"), stretch, suitekit.Pick(n/2, rng, "ACGT")))
		}
		return all
	}},
	{"prefixes", func(rng *rand.Rand, n int) (all [][]byte) {
		text := suitekit.Pick(min(n, 60), rng, "ACGT")
		for i := range text {
			all = append(all, text[:i])
		}
		return all
	}},
	{"suffixes", func(rng *rand.Rand, n int) (all [][]byte) {
		text := suitekit.Pick(min(n, 60), rng, "ACGT")
		for i := range text {
			all = append(all, text[i:])
		}
		return all
	}},
	{"some empty", func(rng *rand.Rand, n int) [][]byte {
		genome := suitekit.Pick(2*n, rng, "ACGT")
		return [][]byte{{}, []byte("A"), {}, {}, genome, {}, genome[n:], {}}
	}},
	{"poly-A", func(_ *rand.Rand, n int) [][]byte {
		a := bytes.Repeat([]byte("A"), 4*n)
		return [][]byte{a[n:], a[2*n:], append(a[2*n:len(a):len(a)], 'C'), a}
	}},
	{"N", func(rng *rand.Rand, n int) [][]byte {
		genome, unknown := suitekit.Pick(2*n, rng, "ACGT"), bytes.Repeat([]byte("N"), n)
		return [][]byte{slices.Concat(unknown[n/2:], genome), slices.Concat(genome, unknown), []byte("N"), unknown}
	}},
	{"tandem repeats", func(_ *rand.Rand, n int) [][]byte {
		unit := []byte("ACG")
		return [][]byte{bytes.Repeat(unit, n), bytes.Repeat(unit, n/2), append([]byte("T"), bytes.Repeat(unit, n)...)}
	}},
	{"two letters", func(rng *rand.Rand, n int) [][]byte {
		return [][]byte{suitekit.Pick(3*n, rng, "AT"), suitekit.Pick(3*n, rng, "AT")}
	}},
	{"tiny", func(rng *rand.Rand, n int) (all [][]byte) {
		for range 3 * n {
			all = append(all, suitekit.Pick(rng.IntN(4), rng, "ACGTN"))
		}
		return all
	}},
	{"reads", func(rng *rand.Rand, n int) (all [][]byte) {
		genome := suitekit.Pick(4*n, rng, "ACGT")
		for range 40 {
			at := rng.IntN(len(genome) - n/4)
			all = append(all, genome[at:at+n/4])
		}
		return all
	}},
	{"both strands", func(rng *rand.Rand, n int) (all [][]byte) {
		for range 4 {
			all = append(all, reversedStrands(suitekit.Pick(n, rng, "ACGTN"))...)
		}
		return all
	}},
}

// mutated is a text with some letters chosen anew, some left out and some put in.
func mutated(rng *rand.Rand, text []byte, rate float64) (changed []byte) {
	for _, c := range text {
		switch x := rng.Float64() / rate; {
		case x < 0.5:
			changed = append(changed, suitekit.Pick(1, rng, "ACGT")...)
		case x < 0.75:
		case x < 1:
			changed = append(changed, c, c)
		default:
			changed = append(changed, c)
		}
	}
	return changed
}

// reversedStrands are a text and its reverse complement.
func reversedStrands(text []byte) [][]byte {
	other := make([]byte, len(text))
	for i, c := range text {
		other[len(text)-1-i] = "$TGCAN"[strings.IndexByte(RLBWTLetters, c)]
	}
	return [][]byte{text, other}
}

// ReferenceRLBWT sorts all suffixes of the strings, each with an end that is less than all letters, and less than those
// of later strings. The letter of a row is that before the suffix, and the end before a whole string.
func ReferenceRLBWT(all [][]byte) RunLengthBWT {
	type suffix struct{ number, at int }
	var suffixes []suffix
	for k, text := range all {
		for at := range len(text) + 1 {
			suffixes = append(suffixes, suffix{k, at})
		}
	}
	ranked := make([][]byte, len(all)) // letters by their order
	for k, text := range all {
		for _, c := range text {
			ranked[k] = append(ranked[k], byte(strings.IndexByte(RLBWTLetters, c)))
		}
	}
	slices.SortFunc(suffixes, func(a, b suffix) int {
		return cmp.Or(bytes.Compare(ranked[a.number][a.at:], ranked[b.number][b.at:]), cmp.Compare(a.number, b.number))
	})
	r := RunLengthBWT{Strings: all, Rows: make([]uint64, len(all))}
	var counts [len(RLBWTLetters)]uint64
	for row, s := range suffixes {
		r.Ranks = append(r.Ranks, counts)
		letter := byte(0)
		if s.at == 0 {
			r.Rows[s.number] = uint64(row)
		} else {
			letter = ranked[s.number][s.at-1]
		}
		counts[letter]++
		if k := len(r.Runs) - 1; k >= 0 && r.Runs[k].Letter == RLBWTLetters[letter] {
			r.Runs[k].Length++
		} else {
			r.Runs = append(r.Runs, LetterRun{RLBWTLetters[letter], 1})
		}
	}
	r.Ranks = append(r.Ranks, counts)
	return r
}
