package skew_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/suffixcl/suffixcl/conformance"
	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/internal/limits"
	"github.com/suffixcl/suffixcl/internal/testkit/devicetest"
	"github.com/suffixcl/suffixcl/internal/tuned"
	"github.com/suffixcl/suffixcl/skew"
)

var algorithms = []struct {
	name string
	make func(*device.Session, int) (*skew.Sorter, error)
}{{"skew", skew.New}, {"deo-keely", skew.NewDeoKeely}}

func TestSkew(t *testing.T)     { testSuite(t, skew.New) }
func TestDeoKeely(t *testing.T) { testSuite(t, skew.NewDeoKeely) }

func testSuite(t *testing.T, make func(*device.Session, int) (*skew.Sorter, error)) {
	devicetest.Composed(t, func(t *testing.T, e devicetest.Env) {
		e.Suite.Tile = min(tuned.Of(e.Session).Scan.WG*tuned.Of(e.Session).Scan.Items, 3*tuned.Of(e.Session).Skew.Small)
		// Every small text goes through all levels where these are tiny; elsewhere one
		// kernel sorts it.
		if reduced := conformance.Reduced(); e.Variant == "tiny" && e.Suite.MaxExhaustive2 == reduced.MaxExhaustive2 {
			e.Suite.MaxExhaustive2, e.Suite.MaxExhaustive3, e.Suite.Random = 10, 6, 200
		} else if e.Suite.MaxExhaustive2 > reduced.MaxExhaustive2 {
			e.Suite.MaxExhaustive2, e.Suite.MaxExhaustive3 = reduced.MaxExhaustive2, reduced.MaxExhaustive3
		}
		conformance.Run(t,
			conformance.SuffixArray(devicetest.SorterService(t, e.Session, devicetest.SorterOf(make)), e.Suite))
	})
}

// deep is Each with levels down to a few symbols, whatever the tiles.
func deep(t *testing.T, f func(t *testing.T, e devicetest.Env)) {
	devicetest.Composed(t, func(t *testing.T, e devicetest.Env) {
		small := &tuned.Of(e.Session).Skew.Small
		*small = min(*small, 4)
		f(t, e)
	})
}

// One work-group sorts texts of every length up to the longest that it is given.
func TestSmall(t *testing.T) {
	devicetest.Composed(t, func(t *testing.T, e devicetest.Env) {
		const longest = 100
		tuned.Of(e.Session).Skew.Small = longest
		build := devicetest.SorterService(t, e.Session, devicetest.SorterOf(skew.New))
		for _, name := range []string{
			"equal/255", "fibonacci", "extremes", "random/sigma=2", "random/sigma=256", "trailing-zeros",
		} {
			for n := 1; n <= longest; n++ {
				text, err := conformance.NewText(name, n, 1)
				require.NoError(t, err)
				sa, err := build(t.Context(), text)
				require.NoError(t, err)
				require.NoError(t, conformance.CheckSuffixArray(text, sa), "%s, %d bytes", name, n)
			}
		}
	})
}

// What makes skew go down to the last level, or hard to end.
func TestWorstCases(t *testing.T) {
	repeat := func(word string, n int) []byte {
		text := make([]byte, n)
		for i := range text {
			text[i] = word[i%len(word)]
		}
		return text
	}
	class := func(name string, n int) []byte {
		text, err := conformance.NewText(name, n, 1)
		require.NoError(t, err)
		return text
	}
	deep(t, func(t *testing.T, e devicetest.Env) {
		for _, a := range algorithms {
			t.Run(a.name, func(t *testing.T) {
				build := devicetest.SorterService(t, e.Session, devicetest.SorterOf(a.make))
				least := min(e.Suite.Large, 20_000)
				for n := least; n < least+3; n++ { // all remainders by 3
					for name, text := range map[string][]byte{
						"equal":          repeat("a", n),
						"zeros":          repeat("\x00", n),
						"period 2":       repeat("ba", n),
						"period 3":       repeat("\xff\x00a", n),
						"abac":           repeat("abac", n),
						"fibonacci":      class("fibonacci", n),
						"thue-morse":     class("thue-morse", n),
						"0 and 255":      class("extremes", n),
						"random":         class("random/sigma=256", n),
						"trailing zeros": class("trailing-zeros", n),
					} {
						sa, err := build(t.Context(), text)
						require.NoError(t, err, name)
						require.NoError(t, conformance.CheckSuffixArray(text, sa), "%s, %d bytes", name, n)
					}
				}
			})
		}
	})
}

// The memory that a run takes is the plan's, exactly, and as much a character as the
// documentation says.
func TestMemory(t *testing.T) {
	devicetest.Composed(t, func(t *testing.T, e devicetest.Env) {
		for _, a := range algorithms {
			for _, n := range []int{0, 1, 1000, 1 << 16} {
				sorter, err := a.make(e.Session, n)
				require.NoError(t, err)
				tuned.ResetPeak(e.Session)
				before := tuned.PeakBytes(e.Session)
				require.NoError(t, sorter.Allocate())
				in, sa := devicetest.Guard[uint8](t, e.Session, n), devicetest.Guard[uint32](t, e.Session, n)
				in.Fill('a')
				with := tuned.PeakBytes(e.Session)
				require.NoError(t, sorter.Run(t.Context(), in.Buffer, sa.Buffer, nil))
				require.Equal(t, with, tuned.PeakBytes(e.Session))
				in.Release()
				sa.Release()
				require.Equal(t, sorter.Memory().Device(), e.LiveBytes()-before)
				sorter.Release()
				require.Equal(t, before, e.LiveBytes())
			}
		}
	})
	devicetest.Native(t, func(t *testing.T, e devicetest.Env) {
		const n = 1 << 26
		sorter, err := skew.New(e.Session, n)
		require.NoError(t, err)
		defer sorter.Release()
		require.InDelta(t, 12.1, float64(sorter.Memory().Device())/n, 0.1)
	})
}

func TestProgressAndCancel(t *testing.T) {
	deep(t, func(t *testing.T, e devicetest.Env) {
		n := min(e.Suite.Large, 1<<12)
		beyond := func(limit int) func(int, int64) bool {
			return func(_ int, done int64) bool { return done > int64(limit) }
		}
		down, up := beyond(n/10), beyond(n*6/10)
		seen := devicetest.SorterProgress(t, e, devicetest.SorterOf(skew.New), make([]byte, n), down, up)
		require.Zero(t, seen[0])
	})
}

func TestTooLong(t *testing.T) {
	devicetest.Native(t, func(t *testing.T, e devicetest.Env) {
		for _, a := range algorithms {
			devicetest.SorterTooLong(t, e, devicetest.SorterOf(a.make), limits.MaxLen)
		}
	})
}
