package prefixes_test

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/suffixcl/suffixcl/conformance"
	"github.com/suffixcl/suffixcl/internal/prefixes"
	"github.com/suffixcl/suffixcl/internal/testkit/builders"
	"github.com/suffixcl/suffixcl/internal/testkit/devicetest"
	"github.com/suffixcl/suffixcl/internal/testkit/jobsuites"
	"github.com/suffixcl/suffixcl/internal/tuned"
)

func TestCounts(t *testing.T) {
	devicetest.Composed(t, func(t *testing.T, e devicetest.Env) {
		e.Suite.Tile = prefixes.Unit * tuned.Of(e.Session).Map.WG
		conformance.Run(t, jobsuites.Prefixes(builders.PrefixesOf(e.Session), e.Suite))
	})
}

// Counts pass 2^32, also those of sequences whose numbers do.
func TestCarries(t *testing.T) {
	codes := [256]uint8{0, 1, 2, 3, 4}
	text := make([]byte, 100) // of the letter 0; the complement has 3
	for i := 90; i < 100; i++ {
		text[i] = 4
	}
	devicetest.Each(t, func(t *testing.T, e devicetest.Env) {
		const fixed = prefixes.Longest / 2
		for _, letter := range []int{0, 3} {
			code := letter * ((1<<(2*fixed) - 1) / 3) // letter by letter
			table := prefixes.Table{Letters: prefixes.Longest, Fixed: fixed, Part: code}
			at := prefixes.Sequences(fixed) + prefixes.Start(prefixes.Longest-fixed) + code
			p, err := prefixes.New(e.Session, len(text), prefixes.Longest, prefixes.Longest-fixed, len(text))
			require.NoError(t, err)
			require.NoError(t, p.Layout().Allocate(e.Session))
			p.Begin(&codes)
			p.Piece(len(text)).Write(text)
			p.Pack(p.Piece(len(text)), 0)
			p.Clear(table)
			p.Counts().View(at, 1).Write([]uint32{math.MaxUint32 - 5})
			var count [1]uint32
			for _, carries := range [][]int{{at}, {at}} { // which stay
				p.Count(prefixes.Part{End: len(text), Every: 1, Last: len(text)})
				got, err := p.Carries()
				require.NoError(t, err)
				require.Equal(t, carries, got)
			}
			require.NoError(t, p.Counts().View(at, 1).Read(count[:]))
			require.EqualValues(t, 2*75-6, count[0])
			p.Layout().Release(e.Session)
		}
	})
}

func TestRefused(t *testing.T) {
	devicetest.Each(t, func(t *testing.T, e devicetest.Env) {
		for _, k := range []int{0, prefixes.Longest + 1} {
			_, err := prefixes.New(e.Session, 10, k, 10, 10)
			require.ErrorContains(t, err, "1 to 16 are possible")
		}
		_, err := prefixes.New(e.Session, 10, 4, 5, 10)
		require.ErrorContains(t, err, "5 free letters of 4")
		_, err = prefixes.NewFirstRows(e.Session, 10, 4, 4, 10, 32, 1, false)
		require.ErrorContains(t, err, "entries of 32 bits")
	})
}

// Numbers of rows pass 2^32, more than once.
func TestManyRows(t *testing.T) {
	devicetest.Each(t, func(t *testing.T, e devicetest.Env) {
		const width = 37
		f, err := prefixes.NewFirstRows(e.Session, 1, 1, 1, 1, width, 1, false)
		require.NoError(t, err)
		require.NoError(t, f.Layout().Allocate(e.Session))
		defer f.Layout().Release(e.Session)
		f.Clear(prefixes.Table{Letters: 1})
		f.Counts().Write([]uint32{3e9, 3e9, 0, 4e9})
		f.Shorter(prefixes.Sequence{})
		f.Number()
		ends, err := f.Ends()
		require.NoError(t, err)
		require.Equal(t, prefixes.Ends{Rows: 1e10, First: 1, Last: prefixes.Sequence{Length: 1, Code: 3}, Same: 4e9,
			Before: 3e9}, ends)
		of := prefixes.Entries{After: prefixes.NoMore, Below: -1, None: 1e10}
		f.Look(of)
		packed, many := f.PackEntries(of, 0, 0)
		words := make([]uint32, packed.Len())
		require.NoError(t, packed.Read(words))
		require.Equal(t, 4, many)
		for i, want := range []uint64{0, 3e9, 6_000_000_000 | 1<<(width-1), 6e9} {
			value := uint64(0)
			for bit := range width {
				at := i*width + bit
				value |= uint64(words[at/32]>>(at%32)&1) << bit
			}
			require.Equal(t, want, value, i)
		}
	})
}
