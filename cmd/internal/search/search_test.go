package search

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/suffixcl/suffixcl/cmd/internal/source"
	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/patterns"
)

// textSearcher searches by looking everywhere, in memory for a few patterns.
type textSearcher struct {
	text    string
	limit   int // patterns of a batch that fit, and not more positions than that; 0: any
	batches int // that fitted
}

func (s *textSearcher) fits(n int) error {
	if s.limit > 0 && n > s.limit {
		return fmt.Errorf("searching: %w", &device.MemoryError{What: "the batch", Need: int64(n), Have: int64(s.limit)})
	}
	return nil
}

func (s *textSearcher) Count(_ context.Context, b *patterns.Batch) ([]uint32, error) {
	counts := make([]uint32, b.Len())
	for i := range counts {
		counts[i] = uint32(len(places(s.text, string(b.Pattern(i)))))
	}
	return counts, s.fits(b.Len())
}

func (s *textSearcher) Locate(_ context.Context, b *patterns.Batch, emit func(int, []uint32) error) error {
	if err := s.fits(b.Len()); err != nil {
		return err
	}
	s.batches++
	for i := range b.Len() {
		var positions []uint32
		for _, p := range places(s.text, string(b.Pattern(i))) {
			positions = append(positions, uint32(p))
		}
		if len(positions) == 0 {
			continue
		}
		if err := emit(i, positions); err != nil {
			return err
		}
		clear(positions) // they are emit's only during the call
	}
	return nil
}

func randomBases(rng *rand.Rand, n int) string {
	b := make([]byte, n)
	for i := range b {
		b[i] = "ACGT"[rng.IntN(4)]
	}
	return string(b)
}

func reverseStrand(t *testing.T, p string) string {
	b, err := patterns.Of([]byte(p))
	require.NoError(t, err)
	var other patterns.Batch
	b.ReverseComplement(&other)
	return string(other.Text)
}

// answers are the lines that a search should give.
func answers(t *testing.T, text string, list []string, s *Search) (lines []string) {
	for i, p := range list {
		at := [2][]int{Forward: places(text, p)}
		if s.both {
			at[Reverse] = places(text, reverseStrand(t, p))
		}
		n := len(at[Forward]) + len(at[Reverse])
		switch {
		case !s.Places:
			lines = append(lines, fmt.Sprint(i, len(at[Forward]), len(at[Reverse])))
		case s.maxHits > 0 && n > s.maxHits:
			lines = append(lines, fmt.Sprint(i, " of ", n))
		default:
			for position := range text {
				for strand := range at {
					if slices.Contains(at[strand], position) {
						lines = append(lines, fmt.Sprint(i, position, strandNames[strand]))
					}
				}
			}
		}
	}
	return lines
}

// Whatever the batches are, results come in the order of queries, of both strands together
// and by position, and what is too much for the device is halved.
func TestSearch(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 3))
	for round := range 200 {
		text := randomBases(rng, 200)
		q := &source.Queries{Size: 1000, Start: 100, End: 700}
		var list []string
		for range rng.IntN(40) {
			list = append(list, randomBases(rng, rng.IntN(5)))
			require.NoError(t, q.Add([]byte(list[len(list)-1])))
		}
		fake := &textSearcher{text: text, limit: []int{0, 2, 3, 7}[round%4]}
		s := New(fake)
		s.both, s.Places, s.maxHits = rng.IntN(2) == 0, rng.IntN(4) > 0, rng.IntN(3)*4
		var got []string
		last, limit := int64(0), int64(0)
		err := s.run(t.Context(), q, func(done int) {
			last, limit = q.Place(done)
			assert.GreaterOrEqual(t, last, q.Start)
		}, func(f *Found) error {
			switch {
			case !s.Places:
				got = append(got, fmt.Sprint(f.Query, f.Counts[Forward], f.Counts[Reverse]))
			case f.tooMany:
				got = append(got, fmt.Sprint(f.Query, " of ", f.all()))
			}
			for position, strand := range f.hits() {
				got = append(got, fmt.Sprint(f.Query, position, strandNames[strand]))
			}
			return nil
		})
		require.NoError(t, err)
		require.Equal(t, answers(t, text, list, s), got, "%+v of %q", s, list)
		if len(list) > 0 {
			assert.Equal(t, []int64{700, 1000}, []int64{last, limit})
		}
		if fake.limit == 7 && s.Places && !s.both && len(list) == 39 {
			assert.LessOrEqual(t, fake.batches, 39/3)
		}
	}
}

// What does not fit alone is an error, and so is what emit says.
func TestSearchFails(t *testing.T) {
	q := &source.Queries{Size: -1}
	for range 5 {
		require.NoError(t, q.Add([]byte("A")))
	}
	nothing := func(int) {}
	s := New(&textSearcher{text: "A", limit: 1})
	s.both, s.Places = true, true
	var memory *device.MemoryError
	require.ErrorAs(t, s.run(t.Context(), q, nothing, func(*Found) error { return nil }), &memory)
	stop := errors.New("stop")
	for _, locate := range []bool{true, false} {
		s = New(&textSearcher{text: "A"})
		s.Places = locate
		require.ErrorIs(t, s.run(t.Context(), q, nothing, func(*Found) error { return stop }), stop)
	}
}

// places are those of a pattern in a text.
func places(text, pattern string) (list []int) {
	for i := 0; pattern != "" && i+len(pattern) <= len(text); i++ {
		if text[i:i+len(pattern)] == pattern {
			list = append(list, i)
		}
	}
	return list
}
