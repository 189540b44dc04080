package repeats_test

import (
	"context"
	"errors"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/suffixcl/suffixcl"
	"github.com/suffixcl/suffixcl/conformance"
	"github.com/suffixcl/suffixcl/internal/testkit/devicetest"
	"github.com/suffixcl/suffixcl/internal/testkit/enginetest"
	"github.com/suffixcl/suffixcl/internal/testkit/jobsuites"
	"github.com/suffixcl/suffixcl/seqio"
)

func TestMain(m *testing.M) { devicetest.Main(m) }

func TestLongestRepeats(t *testing.T) {
	enginetest.Each(t, suffixcl.Options{}, func(t *testing.T, e *suffixcl.Engine, suite conformance.Config) {
		suite.MaxExhaustive2, suite.MaxExhaustive3, suite.PerSize = 4, 2, 1
		conformance.Run(t,
			jobsuites.Repeats(func(ctx context.Context, text []byte, _, _ []uint32) (jobsuites.AllRepeats, error) {
				left, err := e.Repeats(suffixcl.Bytes(text), suffixcl.RepeatOptions{}).All(ctx)
				if err != nil {
					return jobsuites.AllRepeats{}, err
				}
				all, err := e.Repeats(suffixcl.Bytes(text), suffixcl.RepeatOptions{All: true}).All(ctx)
				if err != nil {
					return jobsuites.AllRepeats{}, err
				}
				if !slices.Equal(left.Length, all.Length) || !slices.Equal(left.Start, all.Start) {
					return jobsuites.AllRepeats{}, errors.New("leftmost alone and leftmost of all differ")
				}
				return jobsuites.AllRepeats{
					Leftmost: left.Start, Length: left.Length, Offsets: all.Offsets, Starts: all.Starts,
				}, nil
			}, suite))
	})
}

// bruteRepeats finds the longest repeats of records by comparing every substring with
// every other place, and with both strands.
func bruteRepeats(text []byte, records seqio.Table, shortest int, both bool) [][]suffixcl.Repeat {
	occurs := make(map[string]int)
	substrings := func(f func(at int, word string)) {
		for _, r := range records {
			for i := r.Offset; i < r.End(); i++ {
				for j := i + 1; j <= r.End(); j++ {
					f(i, string(text[i:j]))
				}
			}
		}
	}
	substrings(func(_ int, word string) {
		occurs[word]++
		if both {
			other := []byte(word)
			slices.Reverse(other)
			for i, c := range other {
				other[i] = map[byte]byte{'A': 'T', 'C': 'G', 'G': 'C', 'T': 'A', 'N': 'N'}[c]
			}
			occurs[string(other)]++
		}
	})
	all := make([][]suffixcl.Repeat, len(text))
	substrings(func(at int, word string) {
		if occurs[word] < 2 || len(word) < shortest {
			return
		}
		for k := at; k < at+len(word); k++ {
			r := suffixcl.Repeat{Start: uint32(at), Length: uint32(len(word))}
			if len(all[k]) > 0 && all[k][0].Length < r.Length {
				all[k] = nil
			}
			if len(all[k]) == 0 || all[k][0].Length == r.Length {
				all[k] = append(all[k], r)
			}
		}
	})
	return all
}

func TestRepeatOptions(t *testing.T) {
	enginetest.SmallBlocks(t, 17)
	enginetest.Each(t, suffixcl.Options{}, func(t *testing.T, e *suffixcl.Engine, _ conformance.Config) {
		ctx, rng := context.Background(), rand.New(rand.NewPCG(1, 2))
		for round := range 12 {
			n := 20 + rng.IntN(60)
			text := make([]byte, n)
			for i := range text {
				text[i] = "ACGTN"[rng.IntN(3+round%3)]
			}
			copy(text[n/2:], text[:n/3])
			var o suffixcl.RepeatOptions
			whole := seqio.Table{{Length: n}}
			if round%2 == 1 {
				whole = seqio.Table{
					{Offset: 1, Length: 5}, {Offset: 6, Length: 0}, {Offset: 6, Length: n/2 - 8},
					{Offset: n / 2, Length: n - n/2 - 1},
				}
				o.Records = whole
			}
			o.MinLength = []int{0, 1, 4, n + 1}[round%4]
			o.ReverseComplement = round%3 == 0
			want := bruteRepeats(text, whole, o.MinLength, o.ReverseComplement)

			var first, second suffixcl.Stats
			left, err := e.Repeats(suffixcl.Bytes(text), o).All(suffixcl.WithStats(ctx, &first))
			require.NoError(t, err)
			plan, err := e.Repeats(suffixcl.Length(1, n), o).Plan(ctx)
			require.NoError(t, err)
			require.Equal(t, plan.Device(), first.PeakBytes)
			withAll := o
			withAll.All = true
			all, err := e.Repeats(suffixcl.Bytes(text), withAll).All(suffixcl.WithStats(ctx, &second))
			require.NoError(t, err)
			plan, err = e.Repeats(suffixcl.Length(1, n), withAll).Plan(ctx)
			require.NoError(t, err)
			require.Equal(t, plan.Device(), second.PeakBytes)

			got := make([][]suffixcl.Repeat, n)
			for k, r := range all.All() {
				got[k] = append(got[k], r)
			}
			require.Equal(t, want, got, "round %d, %q, %+v", round, text, o)
			leftmost := make([]suffixcl.Repeat, n)
			for k := range want {
				if len(want[k]) > 0 {
					leftmost[k] = want[k][0]
				}
			}
			got1 := make([]suffixcl.Repeat, n)
			for k, r := range left.All() {
				got1[k] = r
			}
			require.Equal(t, leftmost, got1, "round %d", round)
			parts := make([][]suffixcl.Repeat, n)
			err = enginetest.Run(ctx, e.Repeats(suffixcl.Bytes(text), withAll), func(part *suffixcl.Repeats) error {
				for k, r := range part.All() {
					parts[k] = append(parts[k], r)
				}
				return nil
			})
			require.NoError(t, err)
			require.Equal(t, want, parts, "round %d", round)
		}
	})
}

// wordRepeats are the longest repeats by comparing every substring with every other place of the same symbols. Those
// that hold a symbol of `none` do not count.
func wordRepeats[T comparable](text []T, none func(i int) bool, shortest int) (left, length []uint32) {
	left, length = make([]uint32, len(text)), make([]uint32, len(text))
	for i := range text {
		for j := range text {
			n := 0
			for i != j && max(i, j)+n < len(text) && !none(i+n) && !none(j+n) && text[i+n] == text[j+n] {
				n++
			}
			for k := i; n >= shortest && k < i+n; k++ {
				if m := length[k]; uint32(n) > m || uint32(n) == m && uint32(i) < left[k] {
					left[k], length[k] = uint32(i), uint32(n)
				}
			}
		}
	}
	return left, length
}

func TestRepeatsOf(t *testing.T) {
	enginetest.Each(t, suffixcl.Options{}, func(t *testing.T, e *suffixcl.Engine, _ conformance.Config) {
		rng := rand.New(rand.NewPCG(3, 4))
		for round := range 8 {
			n := []int{0, 1, 2, 300}[round%4] + round/4
			bytes, tokens, wide := make([]byte, n), make([]uint16, n), make([]uint32, n)
			for i := range n {
				x := rng.IntN(2 + 3*(round%2))
				bytes[i], tokens[i], wide[i] = "\x00ab\nz"[x], uint16(x)<<8|1, uint32(x)*1_000_000_007
			}
			copies := n / 3
			copy(bytes[n/2:], bytes[:copies])
			copy(tokens[n/2:], tokens[:copies])
			copy(wide[n/2:], wide[:copies])
			var ends []uint32
			for i := range n {
				if i == n-1 || rng.IntN(40) == 0 {
					ends = append(ends, uint32(i))
				}
			}
			set, err := suffixcl.NewCollection(bytes, ends)
			require.NoError(t, err)
			shortest := 1 + round/2
			anywhere := func(int) bool { return false }
			terminator := func(i int) bool { return slices.Contains(ends, uint32(i)) }
			for name, c := range map[string]struct {
				text  suffixcl.Text
				brute func() ([]uint32, []uint32)
			}{
				"u8":  {suffixcl.Bytes(bytes), func() ([]uint32, []uint32) { return wordRepeats(bytes, anywhere, shortest) }},
				"u16": {suffixcl.Tokens16(tokens), func() ([]uint32, []uint32) { return wordRepeats(tokens, anywhere, shortest) }},
				"u32": {suffixcl.Tokens32(wide), func() ([]uint32, []uint32) { return wordRepeats(wide, anywhere, shortest) }},
				"set": {suffixcl.Set(set), func() ([]uint32, []uint32) { return wordRepeats(bytes, terminator, shortest) }},
			} {
				left, length := c.brute()
				for _, all := range []bool{false, true} {
					o := suffixcl.RepeatOptions{MinLength: shortest, All: all}
					var stats suffixcl.Stats
					got, err := e.Repeats(c.text, o).All(suffixcl.WithStats(t.Context(), &stats))
					require.NoError(t, err, name)
					require.Equal(t, left, got.Start, "%s of %d", name, n)
					require.Equal(t, length, got.Length, "%s of %d", name, n)
					plan, err := e.Repeats(c.text, o).Plan(t.Context())
					require.NoError(t, err)
					require.Equal(t, plan.Device(), stats.PeakBytes, "%s of %d", name, n)
				}
			}
		}
		for _, o := range []suffixcl.RepeatOptions{
			{ReverseComplement: true}, {Records: seqio.Table{{Length: 1}}}, {MinLength: -1},
		} {
			_, err := e.Repeats(suffixcl.Tokens16([]uint16{1}), o).All(t.Context())
			require.ErrorContains(t, err, "suffixcl: ")
			_, err = e.Repeats(suffixcl.Tokens16([]uint16{1}), o).Plan(t.Context())
			require.ErrorContains(t, err, "suffixcl: ")
		}
	})
}

func TestRepeatErrors(t *testing.T) {
	enginetest.Each(t, suffixcl.Options{}, func(t *testing.T, e *suffixcl.Engine, _ conformance.Config) {
		ctx := context.Background()
		every := make([]byte, 256)
		for i := range every {
			every[i] = byte(i)
		}
		for name, c := range map[string]struct {
			text string
			o    suffixcl.RepeatOptions
			want string
		}{
			"negative":  {"abc", suffixcl.RepeatOptions{MinLength: -1}, "shortest repeat of -1"},
			"overlap":   {"abc", suffixcl.RepeatOptions{Records: seqio.Table{{Length: 2}, {Offset: 1, Length: 1}}}, "record 1"},
			"beyond":    {"abc", suffixcl.RepeatOptions{Records: seqio.Table{{Offset: 1, Length: 3}}}, "record 0"},
			"protein":   {"ACGE", suffixcl.RepeatOptions{ReverseComplement: true}, "position 3: 'E'"},
			"separator": {string(every), suffixcl.RepeatOptions{Records: seqio.Table{{Length: 256}}}, "all 256 byte values"},
		} {
			_, err := e.Repeats(suffixcl.Bytes([]byte(c.text)), c.o).All(ctx)
			require.ErrorContains(t, err, c.want, name)
		}

		stop := errors.New("stop")
		yield := func(*suffixcl.Repeats) error { return stop }
		require.ErrorIs(t, enginetest.Run(ctx, e.Repeats(suffixcl.Bytes([]byte("abab")),
			suffixcl.RepeatOptions{All: true}), yield), stop)
		ended, cancel := context.WithCancel(ctx)
		cancel()
		_, err := e.Repeats(suffixcl.Bytes([]byte("abab")), suffixcl.RepeatOptions{}).All(ended)
		require.ErrorIs(t, err, context.Canceled)
		none, err := e.Repeats(suffixcl.Bytes([]byte("abcdefg")), suffixcl.RepeatOptions{}).All(ctx)
		require.NoError(t, err)
		require.Equal(t, make([]uint32, 7), none.Length)

		_, err = e.Repeats(suffixcl.Length(1, suffixcl.MaxLen), suffixcl.RepeatOptions{ReverseComplement: true}).Plan(ctx)
		var long *suffixcl.LengthError
		require.ErrorAs(t, err, &long)
		plan, err := e.Repeats(suffixcl.Length(1, 1<<20), suffixcl.RepeatOptions{}).Plan(ctx)
		require.NoError(t, err)
		query := plan[len(plan)-1]
		require.Less(t, float64(query.Device())/(1<<20), 13.0, "the paper's bytes a character")
	})
}
