package sais_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/suffixcl/suffixcl/conformance"
	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/internal/sais"
	"github.com/suffixcl/suffixcl/internal/testkit/devicetest"
)

// manyNames is a text of symbols below sigma with as many different LMS substrings as one of its length has at most:
// all of two places, `long` of three, and one that is there twice, so that there is a level below.
func manyNames(sigma, long int) []byte {
	text := []byte{1, 0}
	for b := 1; b < sigma; b++ { // after each pair of symbols below b one b
		cycle := pairs(b)
		for i := range cycle {
			text = append(text, byte(b), cycle[(i+1)%len(cycle)])
		}
	}
	for c := 1; c < sigma; c++ {
		for b := 0; b < sigma && long > 0; b++ { // 0 < b >= c > 0 or 0 <= b < c > 0
			text = append(text, byte(b), byte(c), 0)
			long--
		}
	}
	return append(text, 1, 0, 1)
}

// pairs is a cycle of symbols below sigma, starting with 0, in which each pair of them follows one on the other once.
func pairs(sigma int) []byte {
	var cycle []byte
	for a := range sigma { // the Lyndon words of one symbol and two, in order
		cycle = append(cycle, byte(a))
		for b := a + 1; b < sigma; b++ {
			cycle = append(cycle, byte(a), byte(b))
		}
	}
	return cycle
}

// names is how many different LMS substrings the text has, and how many in all. The last one is like no other.
func names(text []byte) (distinct, all int) {
	seen := map[string]bool{}
	end, less := -1, false // whether the suffix after i is of type S
	for i := len(text) - 2; i >= 0; i-- {
		s := text[i] < text[i+1] || text[i] == text[i+1] && less
		if less && !s { // i+1 is an LMS suffix
			all++
			if end < 0 {
				distinct++
			} else if key := string(text[i+1 : end+1]); !seen[key] {
				seen[key] = true
				distinct++
			}
			end = i + 1
		}
		less = s
	}
	return distinct, all
}

// above is a text whose LMS suffixes, but for the last, have the text as their names.
func above(text []byte) []byte {
	out := []byte{1}
	for _, c := range text {
		out = append(out, 0, c+1)
	}
	return out
}

// No text has more names than are planned for, and there is one that has as many.
func TestMostNames(t *testing.T) {
	for sigma := 2; sigma <= 4; sigma++ {
		text, longest := make([]byte, 0, 16), [...]int{2: 14, 3: 9, 4: 7}[sigma]
		var walk func()
		walk = func() {
			distinct, _ := names(text)
			require.LessOrEqual(t, distinct, sais.MostNames(len(text), sigma), text)
			for c := 0; c < sigma && len(text) < longest; c++ {
				text = append(text, byte(c))
				walk()
				text = text[:len(text)-1]
			}
		}
		walk()
	}
	for _, sigma := range []int{2, 3, 5, 16, 40} {
		for _, long := range []int{0, 1, sigma, sigma * (sigma - 1)} {
			text := manyNames(sigma, long)
			distinct, all := names(text)
			require.Equal(t, sais.MostNames(len(text), sigma), distinct)
			require.Equal(t, distinct+1, all)
		}
	}
}

// Texts with as many names as there are at most are sorted in just the memory for them, on all levels.
func TestManyNames(t *testing.T) {
	devicetest.Composed(t, func(t *testing.T, e devicetest.Env) {
		rng := rand.New(rand.NewPCG(7, 3))
		pick := func(n int, symbol func(i int) byte) []byte {
			text := make([]byte, n)
			for i := range text {
				text[i] = symbol(i)
			}
			return text
		}
		longest := min(sais.Longest(e.Caps()), e.Suite.Large)
		check := func(text []byte, work int) {
			t.Helper()
			if len(text) > longest {
				return
			}
			sa, err := sorted(t, e.Session, text, work)
			require.NoError(t, err)
			require.NoError(t, conformance.CheckSuffixArray(text, sa), "%v", text[:min(len(text), 100)])
		}
		for _, sigma := range []int{2, 3, 5, 16, 40} {
			text := manyNames(sigma, sigma*(sigma-1))
			work := sais.MostNames(len(text), sigma)
			check(text, work)
			check(above(text), len(text)) // all of them names
			check(above(above(text)), 2*len(text)+1)
			check(above(pick(200, func(int) byte { return byte(rng.IntN(200)) })), 200)
			if len(text) <= longest {
				_, err := sorted(t, e.Session, text, work-1)
				require.ErrorContains(t, err, "computes wrong")
			}
		}
		// Half of all suffixes are LMS suffixes.
		for _, n := range []int{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 63, 64, 65, 127, 128, 129, 1001, 20000} {
			check(pick(n, func(i int) byte { return byte(1 - i%2) }), n/2)
			check(pick(n, func(i int) byte { return byte(rng.IntN(2) + 2*(1-i%2)) }), n/2)
			check(pick(n, func(i int) byte { return byte(rng.IntN(128) + 128*(1-i%2)) }), n/2)
			check(pick(n, func(int) byte { return byte(rng.IntN(256)) }), n/2)
		}
	})
}

// sorted sorts with a sorter for just that text, and a work area of so many words.
func sorted(t *testing.T, s *device.Session, text []byte, work int) ([]uint32, error) {
	sorter, err := sais.NewFor(s, len(text), work)
	require.NoError(t, err)
	defer sorter.Release()
	require.NoError(t, sorter.Allocate())
	in, sa := devicetest.From(t, s, text), devicetest.Guard[uint32](t, s, len(text))
	defer in.Release()
	defer sa.Release()
	if err := sorter.Run(t.Context(), in.Buffer, sa.Buffer, nil); err != nil {
		return nil, err
	}
	return sa.Slice()
}

// All LMS substrings of bytes of two places, and others, whose buckets fill the work area.
func TestNamesOfBytes(t *testing.T) {
	devicetest.Native(t, func(t *testing.T, e devicetest.Env) {
		if !e.Caps().CPUShape || e.Suite.Large < 1<<18 || sais.Longest(e.Caps()) < 1<<24 {
			t.Skip("takes long")
		}
		text := manyNames(256, 256*255)
		distinct := sais.MostNames(len(text), 256)
		require.Less(t, distinct, len(text)/2)
		sa, err := sorted(t, e.Session, text, distinct)
		require.NoError(t, err)
		require.NoError(t, conformance.CheckSuffixArray(text, sa))
		_, err = sorted(t, e.Session, text, distinct-1)
		require.ErrorContains(t, err, "computes wrong")
	})
}

// With result and text the memory is a little more than 7 bytes a character.
func TestBytesACharacter(t *testing.T) {
	devicetest.Native(t, func(t *testing.T, e devicetest.Env) {
		if sais.Longest(e.Caps()) < math.MaxInt32 {
			t.Skip("no long texts")
		}
		for _, n := range []int{50_000_000, 300_000_000, 1 << 30, math.MaxInt32} {
			sorter, err := sais.New(e.Session, n)
			require.NoError(t, err)
			bytes := float64(5*int64(n)+sorter.Memory().Device()) / float64(n)
			require.InDelta(t, 7.07, bytes, 0.05, n)
			require.GreaterOrEqual(t, n*sais.WorkPercent/100, sais.MostNames(n, 256))
		}
		for n := range 2000 { // periodic texts need a quarter
			require.GreaterOrEqual(t, sais.MostNames(n, 256), n/8*2)
		}
	})
}
