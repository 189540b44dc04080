package genomes_test

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/suffixcl/suffixcl"
	"github.com/suffixcl/suffixcl/internal/testkit/enginetest"
)

// Matches found by seeds are those found by sorting, in the same order, also where sorting goes on after seeds.
func TestMatchesBySeeds(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 1))
	text := func(n int) string {
		letters := make([]byte, n)
		for i := range letters {
			letters[i] = "acgt"[random.IntN(4)]
		}
		return string(letters)
	}
	mutant := func(of string, rate float64) string {
		letters := []byte(of)
		for i := range letters {
			if random.Float64() < rate {
				letters[i] = "acgt"[random.IntN(4)]
			}
		}
		return string(letters)
	}
	base, part := text(60_000), text(300)
	copies := base + mutant(base[1000:9000], 0.05) + base[3000:7000] + mutant(base[2000:8000], 0.1)
	type example struct {
		name               string
		reference, queries []string
		sorted             bool // sorting goes on
	}
	for _, x := range []example{
		{"mutants", []string{copies[:30_000], copies[30_000:], "", "acgt"}, []string{mutant(copies, 0.01), text(100)}, false},
		{"copies", []string{base, base[:20_000], base[100:], part}, []string{mutant(base, 0.02), base[50:700], part}, false},
		{"the same", []string{base}, []string{base, base[5:]}, false},
		{"other letters", []string{strings.ReplaceAll(base, "aca", "nNn")}, []string{mutant(base, 0.03)}, false},
		{"one letter", []string{strings.Repeat("a", 5000)}, []string{strings.Repeat("a", 4000) + part}, true},
		{"repeats at the end", []string{base + strings.Repeat(part[:7], 400)},
			[]string{mutant(base, 0.05), strings.Repeat(part[:7], 500) + part}, true},
		{"short", []string{part}, []string{part[:25], part[40:61]}, false},
		{"nothing", []string{part}, []string{text(3000)}, false},
	} {
		t.Run(x.name, func(t *testing.T) {
			reference, queries := genome(t, x.reference...), genome(t, x.queries...)
			for _, size := range []int{0, 500} {
				if size > 0 {
					smallMatchParts(t, size)
				}
				e := enginetest.Opened(t, suffixcl.Options{})
				if !seedsServe(e) {
					t.Skip("texts are sorted on this device")
				}
				for _, o := range []suffixcl.MatchOptions{{}, {MinLength: 13, Strands: suffixcl.BothStrands, Letters: "acgt"},
					{MinLength: 40, Strands: suffixcl.ReverseStrand}} {
					o.Kind = suffixcl.MaximalExact
					find := func() (found []suffixcl.Matches, st suffixcl.Stats) {
						err := enginetest.Run(suffixcl.WithStats(t.Context(), &st), e.Matches(suffixcl.Set(reference),
							suffixcl.Set(queries), o), func(m *suffixcl.Matches) error {
							for _, match := range m.Matches {
								found = append(found, suffixcl.Matches{Text: m.Text, Reverse: m.Reverse, Matches: []suffixcl.Match{match}})
							}
							return nil
						})
						require.NoError(t, err)
						return found, st
					}
					var want []suffixcl.Matches
					withoutSeeds(func() { want, _ = find() })
					got, st := find()
					require.Equal(t, want, got, "%+v", o)
					if size == 0 && o.MinLength == 0 {
						require.Equal(t, x.sorted, st.Algorithm != "", "sorted")
						require.NotEmpty(t, append(got, suffixcl.Matches{}))
					}
				}
			}
		})
	}
}
