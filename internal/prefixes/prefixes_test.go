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
		for _, letter := range []int{0, 3} {
			first := prefixes.Start(prefixes.Longest) + letter*((1<<(2*prefixes.Longest)-1)/3) // letter by letter
			p, err := prefixes.New(e.Session, len(text), prefixes.Longest, 1, len(text))
			require.NoError(t, err)
			require.NoError(t, p.Layout().Allocate(e.Session))
			p.Begin(&codes)
			p.Piece(len(text)).Write(text)
			p.Pack(p.Piece(len(text)), 0)
			p.Clear()
			p.Counts().Fill(math.MaxUint32 - 5)
			var count [1]uint32
			for _, carries := range [][]int{{first}, {first}} { // which stay
				p.Count(prefixes.Part{End: len(text), Every: 1, Last: len(text)}, first)
				got, err := p.Carries()
				require.NoError(t, err)
				require.Equal(t, carries, got)
			}
			require.NoError(t, p.Counts().Read(count[:]))
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
	})
}
