package rope_test

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/suffixcl/suffixcl/internal/fmd"
	"github.com/suffixcl/suffixcl/internal/rope"
)

// transform is the transform by its definition: the letters before the suffixes of all strings, sorted, with $ of
// string i before that of string j for i < j.
func transform(strings [][]byte) (letters []byte) {
	type suffix struct{ of, at int }
	var all []suffix
	for i, s := range strings {
		for at := range len(s) + 1 {
			all = append(all, suffix{i, at})
		}
	}
	slices.SortFunc(all, func(a, b suffix) int {
		return cmp.Or(bytes.Compare(strings[a.of][a.at:], strings[b.of][b.at:]), cmp.Compare(a.of, b.of))
	})
	for _, s := range all {
		if s.at == 0 {
			letters = append(letters, 0)
		} else {
			letters = append(letters, strings[s.of][s.at-1])
		}
	}
	return letters
}

func letters(t *testing.T, x *rope.Index) (all []byte) {
	require.NoError(t, x.Runs(context.Background(), func(r fmd.Run) error {
		all = append(all, bytes.Repeat([]byte{r.Letter}, int(r.Len))...)
		return nil
	}))
	return all
}

func random(rng *rand.Rand, most, letters int) []byte {
	s := make([]byte, rng.IntN(most+1))
	for i := range s {
		s[i] = 1 + byte(rng.IntN(letters))
	}
	return s
}

// Collections of all kinds grow to their transform, in one call or several, and lead back to their strings.
func TestGrown(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	ctx := context.Background()
	for round := range 60 {
		var strings [][]byte
		for range rng.IntN(12) {
			s := random(rng, []int{0, 3, 40, 600}[round%4], 1+rng.IntN(5))
			strings = append(strings, s)
			if rng.IntN(3) == 0 {
				strings = append(strings, s)
			}
		}
		x := rope.New()
		for i := 0; i < len(strings); {
			n := 1 + rng.IntN(len(strings)-i)
			require.NoError(t, x.Append(ctx, append(bytes.Join(strings[i:i+n], []byte{0}), 0)))
			if i += n; rng.IntN(2) == 0 {
				loaded, err := rope.Load(func(yield func(fmd.Run) error) error { return x.Runs(ctx, yield) })
				require.NoError(t, err)
				require.Equal(t, x.Counts(), loaded.Counts())
				x = loaded
			}
		}
		want := transform(strings)
		require.Equal(t, want, letters(t, x))
		require.EqualValues(t, len(strings), x.Strings())
		require.EqualValues(t, len(want), x.Len())
		numbers := make([]uint64, len(strings))
		for i := range numbers {
			numbers[i] = uint64(i)
		}
		require.NoError(t, x.Extract(ctx, numbers, func(i int, got []byte) error {
			require.True(t, bytes.Equal(strings[i], got))
			return nil
		}))
		for range 50 {
			row, letter := rng.Uint64N(x.Len()+1), byte(rng.IntN(fmd.Letters))
			ranks, err := x.Rank(ctx, []byte{letter}, []uint64{row})
			require.NoError(t, err)
			require.EqualValues(t, bytes.Count(want[:row], []byte{letter}), ranks[0])
		}
	}
}

// A large one has several levels, loaded or grown.
func TestLevels(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	ctx := context.Background()
	s := make([]byte, 60000)
	for i := range s {
		s[i] = 1 + byte(rng.IntN(5))
	}
	x := rope.New()
	require.NoError(t, x.Append(ctx, append(slices.Clone(s), 0)))
	loaded, err := rope.Load(func(yield func(fmd.Run) error) error { return x.Runs(ctx, yield) })
	require.NoError(t, err)
	require.Equal(t, letters(t, x), letters(t, loaded))
	for _, of := range []*rope.Index{x, loaded} {
		require.NoError(t, of.Extract(ctx, []uint64{0}, func(_ int, got []byte) error {
			require.True(t, bytes.Equal(s, got))
			return nil
		}))
	}
}

// What is wrong is an error, and no walk is endless.
func TestWrong(t *testing.T) {
	ctx := context.Background()
	x := rope.New()
	require.ErrorContains(t, x.Append(ctx, []byte{1, 6, 0}), "code 6")
	require.ErrorContains(t, x.Append(ctx, []byte{1}), "no end")
	// Rows of A alone lead to themselves.
	circle, err := rope.Load(func(yield func(fmd.Run) error) error {
		return errors.Join(yield(fmd.Run{Letter: 0, Len: 1}), yield(fmd.Run{Letter: 1, Len: 3}))
	})
	require.NoError(t, err)
	require.ErrorContains(t, circle.Walk(ctx, 2, func(uint64, byte) error { return nil }), "no beginning")
	require.ErrorContains(t, circle.Extract(ctx, []uint64{1}, nil), "string 1 of 1")
	_, err = circle.Rank(ctx, []byte{1}, []uint64{5})
	require.ErrorContains(t, err, "row 5 of 4")
	ended, cancel := context.WithCancel(ctx)
	cancel()
	require.ErrorIs(t, circle.Runs(ended, nil), context.Canceled)
	require.ErrorIs(t, circle.Walk(ended, 0, nil), context.Canceled)
	require.ErrorIs(t, x.Append(ended, []byte{1, 0}), context.Canceled)
	stop := errors.New("enough")
	_, err = rope.Load(func(func(fmd.Run) error) error { return stop })
	require.ErrorIs(t, err, stop)
}

// places are where the suffixes of each row begin, by the definition.
func places(strings [][]byte) (rows []rope.Place) {
	for i, s := range strings {
		for at := range len(s) + 1 {
			rows = append(rows, rope.Place{String: uint64(i), Offset: uint64(at)})
		}
	}
	slices.SortFunc(rows, func(a, b rope.Place) int {
		return cmp.Or(bytes.Compare(strings[a.String][a.Offset:], strings[b.String][b.Offset:]),
			cmp.Compare(a.String, b.String))
	})
	return rows
}

// Places of ranges of rows are those of the definition, with samples of any rate. Fewer are some of them. With a sample
// for each row they are in the order of rows.
func TestPlaces(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 63))
	ctx := context.Background()
	for round := range 30 {
		var strings [][]byte
		for range 1 + rng.IntN(9) {
			s := random(rng, []int{3, 20, 100}[round%3], 1+rng.IntN(5))
			for range 1 + rng.IntN(3) {
				strings = append(strings, s)
			}
		}
		x := rope.New()
		require.NoError(t, x.Append(ctx, append(bytes.Join(strings, []byte{0}), 0)))
		rows, m := places(strings), uint64(len(strings))
		samples := &fmd.Samples{Rate: rng.IntN(6), Strings: make([]uint64, m)}
		samples.Places = make([]uint64, (x.Len()-m+1<<samples.Rate-1)>>samples.Rate)
		require.NoError(t, x.CheckSamples(samples))
		whole := 0
		for row, p := range rows {
			if p.Offset == 0 {
				samples.Strings[whole] = p.String
				whole++
			}
			if at := uint64(row) - m; uint64(row) >= m && at%(1<<samples.Rate) == 0 {
				samples.Places[at>>samples.Rate] = p.Offset<<fmd.Shift(m) | p.String
			}
		}
		for range 8 {
			if x.Len() == m {
				break
			}
			low := m + rng.Uint64N(x.Len()-m)
			high := low + rng.Uint64N(x.Len()-low+1)
			want := rows[low:high]
			got, err := x.Places(ctx, samples, low, high, 1<<30, nil)
			require.NoError(t, err)
			require.ElementsMatch(t, want, got)
			if samples.Rate == 0 {
				require.True(t, slices.Equal(want, got))
			}
			most := rng.IntN(4)
			few, err := x.Places(ctx, samples, low, high, most, nil)
			require.NoError(t, err)
			require.True(t, slices.Equal(got[:min(most, len(got))], few))
		}
		if samples.Places = samples.Places[:len(samples.Places)/2]; x.Len() > m {
			require.ErrorIs(t, x.CheckSamples(samples), rope.ErrSamples)
		}
	}
}
