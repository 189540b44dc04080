package skew_test

import (
	"context"
	"errors"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/suffixcl/suffixcl/conformance"
	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/internal/devicetest"
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
		e.Suite.Tile = min(e.Tuning().Scan.WG*e.Tuning().Scan.Items, 3*e.Tuning().Skew.Small)
		// Every small text goes through all levels where these are tiny; elsewhere one
		// kernel sorts it.
		if reduced := conformance.Reduced(); e.Variant == "tiny" && e.Suite.MaxExhaustive2 == reduced.MaxExhaustive2 {
			e.Suite.MaxExhaustive2, e.Suite.MaxExhaustive3, e.Suite.Random = 10, 6, 200
		} else if e.Suite.MaxExhaustive2 > reduced.MaxExhaustive2 {
			e.Suite.MaxExhaustive2, e.Suite.MaxExhaustive3 = reduced.MaxExhaustive2, reduced.MaxExhaustive3
		}
		conformance.SuffixArray(t, service(t, e.Session, make), e.Suite)
	})
}

// service builds suffix arrays with one sorter for many texts, made anew only for
// a longer one.
func service(t testing.TB, s *device.Session, create func(*device.Session, int) (*skew.Sorter, error)) conformance.Builder {
	var sorter *skew.Sorter
	var in *devicetest.Guarded[uint8]
	var sa *devicetest.Guarded[uint32]
	capacity := -1
	release := func() {
		if capacity >= 0 {
			sorter.Release()
			in.Release()
			sa.Release()
		}
	}
	t.Cleanup(release)
	return func(ctx context.Context, text []byte) ([]uint32, error) {
		n := len(text)
		if n > capacity {
			release()
			capacity = max(2*n, 64)
			var err error
			if sorter, err = create(s, capacity); err != nil {
				return nil, err
			}
			if err := sorter.Allocate(); err != nil {
				return nil, err
			}
			in, sa = devicetest.Guard[uint8](t, s, capacity), devicetest.Guard[uint32](t, s, capacity)
		}
		device.Reinterpret[uint8](sa.Buffer).Fill(devicetest.Canary)
		if err := in.Upload(ctx, text, nil); err != nil {
			return nil, err
		}
		if err := sorter.Run(ctx, in.View(0, n), sa.View(0, n), nil); err != nil {
			return nil, err
		}
		got, err := sa.Slice()
		if err != nil {
			return nil, err
		}
		return got[:n], devicetest.Intact("behind the suffix array", got[n:])
	}
}

// deep is Each with levels down to a few symbols, whatever the tiles.
func deep(t *testing.T, f func(t *testing.T, e devicetest.Env)) {
	devicetest.Composed(t, func(t *testing.T, e devicetest.Env) {
		small := &e.Tuning().Skew.Small
		*small = min(*small, 4)
		f(t, e)
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
		return text.Data
	}
	deep(t, func(t *testing.T, e devicetest.Env) {
		for _, a := range algorithms {
			t.Run(a.name, func(t *testing.T) {
				build := service(t, e.Session, a.make)
				least := min(e.Suite.Large, 20_000)
				for n := least; n < least+3; n++ { // all remainders by 3
					for name, text := range map[string][]byte{
						"equal": repeat("a", n), "zeros": repeat("\x00", n), "period 2": repeat("ba", n), "period 3": repeat("\xff\x00a", n),
						"fibonacci": class("fibonacci", n), "thue-morse": class("thue-morse", n), "abac": repeat("abac", n),
						"0 and 255": class("extremes", n), "random": class("random/sigma=256", n), "trailing zeros": class("trailing-zeros", n),
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
				e.ResetPeak()
				before := e.PeakBytes()
				require.NoError(t, sorter.Allocate())
				in, sa := devicetest.Guard[uint8](t, e.Session, n), devicetest.Guard[uint32](t, e.Session, n)
				in.Fill('a')
				with := e.PeakBytes()
				require.NoError(t, sorter.Run(t.Context(), in.Buffer, sa.Buffer, nil))
				require.Equal(t, with, e.PeakBytes())
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
		require.InDelta(t, 17.4, float64(sorter.Memory().Device())/n, 0.1)
	})
}

func TestProgressAndCancel(t *testing.T) {
	deep(t, func(t *testing.T, e devicetest.Env) {
		n := min(e.Suite.Large, 1<<12)
		sorter, err := skew.New(e.Session, n)
		require.NoError(t, err)
		defer sorter.Release()
		require.NoError(t, sorter.Allocate())
		text := make([]byte, n)
		in, sa := devicetest.From(t, e.Session, text), devicetest.Guard[uint32](t, e.Session, n)

		var seen []int64
		require.NoError(t, sorter.Run(t.Context(), in.Buffer, sa.Buffer, func(_ string, done, total int64) {
			require.Equal(t, int64(n), total)
			seen = append(seen, done)
		}))
		require.IsNonDecreasing(t, seen)
		require.Zero(t, seen[0])
		require.Equal(t, int64(n), seen[len(seen)-1])

		for _, limit := range []int64{int64(n) / 10, int64(n) * 6 / 10} { // going down, and coming up
			ctx, cancel := context.WithCancelCause(t.Context())
			reason := errors.New("enough")
			err = sorter.Run(ctx, in.Buffer, sa.Buffer, func(_ string, done, _ int64) {
				if done > limit {
					cancel(reason)
				}
			})
			require.ErrorIs(t, err, reason)
		}
		// The sorter works again after that.
		require.NoError(t, sorter.Run(t.Context(), in.Buffer, sa.Buffer, nil))
		got, err := sa.Slice()
		require.NoError(t, err)
		require.NoError(t, conformance.CheckSuffixArray(text, got))
	})
}

func TestTooLong(t *testing.T) {
	devicetest.Native(t, func(t *testing.T, e devicetest.Env) {
		for _, a := range algorithms {
			_, err := a.make(e.Session, skew.MaxLen+1)
			require.True(t, device.IsOutOfMemory(err), err)
			sorter, err := a.make(e.Session, 10)
			require.NoError(t, err)
			defer sorter.Release()
			in, sa := devicetest.Guard[uint8](t, e.Session, 11), devicetest.Guard[uint32](t, e.Session, 11)
			require.ErrorContains(t, sorter.Run(t.Context(), in.Buffer, sa.Buffer, nil), "planned for 10")
		}
	})
}
