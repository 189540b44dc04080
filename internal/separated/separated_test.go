package separated_test

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"slices"
	"testing"
	"testing/iotest"

	"github.com/stretchr/testify/require"

	"github.com/suffixcl/suffixcl/conformance"
	"github.com/suffixcl/suffixcl/internal/separated"
)

// smaller compares suffixes of a text by definition: letters are below `letters`, and all else is a separator.
func smaller(text []byte, letters int) func(a, b int) int {
	return func(a, b int) int {
		for i := 0; ; i++ {
			separator := func(at int) bool { return at >= len(text) || int(text[at]) >= letters }
			switch {
			case separator(a+i) && separator(b+i):
				return cmp.Compare(a, b)
			case separator(a + i):
				return 1
			case separator(b + i):
				return -1
			case text[a+i] != text[b+i]:
				return cmp.Compare(text[a+i], text[b+i])
			}
		}
	}
}

// The suffix array of the code begins with that of the text, whatever the numbers of letters and separators are.
func TestOrder(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for _, letters := range []int{1, 2, 4, 5, 6, 26, 253} {
		for _, share := range []int{2, 5, 100, 1 << 20} {
			text := make([]byte, 600)
			for i := range text {
				if text[i] = byte(rng.IntN(letters)); rng.IntN(share) == 0 {
					text[i] = byte(letters)
				}
				if i > 50 && rng.IntN(3) > 0 {
					text[i] = text[i-50]
				}
			}
			var spans []separated.Span
			var want []int
			for i, c := range text {
				if int(c) >= letters {
					continue
				}
				if want = append(want, i); i == 0 || int(text[i-1]) >= letters {
					spans = append(spans, separated.Span{Place: i})
				}
				spans[len(spans)-1].Length++
			}
			slices.SortFunc(want, smaller(text, letters))
			code, err := separated.New(letters, spans, func(to []byte, place int) error {
				copy(to, text[place:])
				return nil
			})
			require.NoError(t, err)
			coded, err := code.Bytes()
			require.NoError(t, err)
			require.NoError(t, iotest.TestReader(io.NewSectionReader(code, 0, int64(code.Len())), coded))
			require.Equal(t, len(want), code.Letters())
			require.LessOrEqual(t, int(slices.Max(coded)), code.Symbols()-1)
			total := uint64(0)
			for _, count := range code.Counts() {
				total += count
			}
			require.EqualValues(t, code.Len(), total)
			var got []int
			for _, at := range conformance.ReferenceSuffixArray(coded)[:len(want)] {
				got = append(got, code.Place(int(at)))
			}
			require.Equal(t, want, got, fmt.Sprint(letters, share))
		}
	}
}

func TestBounds(t *testing.T) {
	_, err := separated.New(separated.MostLetters+1, nil, nil)
	require.ErrorContains(t, err, "254 different letters: 253 are possible")
	code, err := separated.New(4, nil, nil)
	require.NoError(t, err)
	require.Zero(t, code.Len())
	coded, err := code.Bytes()
	require.NoError(t, err)
	require.Empty(t, coded)
	_, err = code.ReadAt(make([]byte, 1), 0)
	require.ErrorIs(t, err, io.EOF)
	gone := errors.New("gone")
	code, err = separated.New(4, []separated.Span{{Place: 3, Length: 5}}, func([]byte, int) error { return gone })
	require.NoError(t, err)
	_, err = code.Bytes()
	require.ErrorIs(t, err, gone)
}

// Places and offsets may be beyond 2^32, of a text that nobody holds.
func TestLong(t *testing.T) {
	const first, second, gap = 5_000_000_001, 3_000_000_000, 7_000_000_000
	letter := func(place int) byte { return byte(place % 5) }
	spans := []separated.Span{{Length: first}, {Place: first + gap, Length: second}, {Place: 1 << 35, Length: 9}}
	code, err := separated.New(5, spans, func(to []byte, place int) error {
		for i := range to {
			to[i] = letter(place + i)
		}
		return nil
	})
	require.NoError(t, err)
	require.Equal(t, first+second+9, code.Letters())
	require.Equal(t, code.Letters()+3*3, code.Len(), "three separators with two digits")
	require.Equal(t, first-1, code.Place(first-1))
	require.Equal(t, first+gap+12, code.Place(first+3+12))
	require.Equal(t, 1<<35+8, code.Place(code.Len()-4))
	b := make([]byte, 8)
	_, err = code.ReadAt(b, first-2)
	require.NoError(t, err)
	require.Equal(t, []byte{letter(first - 2), letter(first - 1), 5, 6, 6, letter(first + gap), letter(first + gap + 1),
		letter(first + gap + 2)}, b)
	_, err = code.ReadAt(b, int64(code.Len())-8)
	require.NoError(t, err)
	require.Equal(t, []byte{5, 7, 6}, b[5:])
}
