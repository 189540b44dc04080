package periodic_test

import (
	"bytes"
	"context"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/suffixcl/suffixcl/conformance"
	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/internal/limits"
	"github.com/suffixcl/suffixcl/internal/periodic"
	"github.com/suffixcl/suffixcl/internal/sais"
	"github.com/suffixcl/suffixcl/internal/suffixsort"
	"github.com/suffixcl/suffixcl/internal/testkit/devicetest"
)

func TestMain(m *testing.M) { devicetest.Main(m) }

// words are all words over the alphabet of up to n letters.
func words(alphabet string, n int) [][]byte {
	all := [][]byte{{}}
	for from := 0; n > 0; n-- {
		upto := len(all)
		for _, word := range all[from:upto] {
			for _, letter := range []byte(alphabet) {
				all = append(all, append(bytes.Clone(word), letter))
			}
		}
		from = upto
	}
	return all
}

// watched counts expansions.
type watched struct {
	devicetest.Sorter
	expanded *int
}

func (w *watched) Run(
	ctx context.Context, text *device.Buffer[uint8], sa *device.Buffer[uint32], _ func(string, int64, int64),
) error {
	return w.Sorter.Run(ctx, text, sa, func(phase string, _, _ int64) {
		if phase == periodic.Phase {
			*w.expanded++
		}
	})
}

// Both sorters that look for periods.
func TestPeriodic(t *testing.T) {
	always := func(*device.Caps) int { return limits.MaxLen }
	test(t, always, func(s *device.Session, n int) (devicetest.Sorter, error) {
		return suffixsort.New(s, n)
	})
}

func TestPeriodicByInducedSorting(t *testing.T) {
	test(t, sais.Longest, devicetest.SorterOf(sais.New))
}

func test(t *testing.T, longest func(*device.Caps) int, create devicetest.NewSorter) {
	devicetest.Composed(t, func(t *testing.T, e devicetest.Env) {
		if longest(e.Caps()) < 1<<16 { // sais on llvmpipe: texts here are longer
			return
		}
		expanded := 0
		build := devicetest.SorterService(t, e.Session, func(s *device.Session, n int) (devicetest.Sorter, error) {
			made, err := create(s, n)
			return &watched{made, &expanded}, err
		})
		check := func(text []byte) {
			t.Helper()
			sa, err := build(context.Background(), text)
			require.NoError(t, err)
			require.NoError(t, conformance.CheckSuffixArray(text, sa), "%q", text[:min(len(text), 200)])
		}
		full := e.Suite.Large >= 1<<18
		periods, tails := words("ab", 3), words("abc", 2)
		if !full {
			periods, tails = words("ab", 2), words("abc", 1)
		}
		for _, period := range periods[1:] {
			for _, tail := range tails {
				n := 8*(4*len(period)+3*len(tail)) + len(tail)
				check(append(bytes.Repeat(period, n/len(period)), tail...))
			}
		}
		require.Equal(t, (len(periods)-1)*len(tails), expanded)
		// Periods that are long or have periods of their own, tails that go on for a while
		// as the period does, parts of periods in front.
		rng := rand.New(rand.NewPCG(5, 11))
		for range 40 {
			period := make([]byte, 1+rng.IntN(300))
			letters := 1 + rng.IntN(4)
			for i := range period {
				period[i] = byte(rng.IntN(letters))
			}
			if rng.IntN(3) == 0 {
				period = append(bytes.Repeat(period, 2), period[:rng.IntN(len(period))]...)
			}
			text := bytes.Repeat(period, 30+rng.IntN(10))[rng.IntN(len(period)):]
			for range rng.IntN(3) {
				text = append(text, byte(rng.IntN(letters+1)))
				text = append(text, period[:rng.IntN(len(period))]...)
			}
			check(text)
		}
	})
}
