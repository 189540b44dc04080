package bwt_test

import (
	"context"
	"errors"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/suffixcl/suffixcl/conformance"
	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/internal/bwt"
	"github.com/suffixcl/suffixcl/internal/intmath"
	"github.com/suffixcl/suffixcl/internal/limits"
	"github.com/suffixcl/suffixcl/internal/testkit/devicetest"
	"github.com/suffixcl/suffixcl/internal/testkit/harness"
	"github.com/suffixcl/suffixcl/internal/tuned"
	"github.com/suffixcl/suffixcl/internal/verify"
)

func TestForward(t *testing.T) {
	devicetest.Each(t, func(t *testing.T, e devicetest.Env) {
		e.Suite.Tile = tuned.Of(e.Session).Map.WG * tuned.Of(e.Session).Map.Items
		conformance.Run(t, conformance.BWT(func(ctx context.Context, text []byte) ([]byte, int, error) {
			f := bwt.NewForward(e.Session)
			defer f.Release()
			if err := f.Allocate(); err != nil {
				return nil, 0, err
			}
			in := devicetest.From(t, e.Session, text)
			sa := devicetest.From(t, e.Session, conformance.ReferenceSuffixArray(text))
			out := devicetest.Guard[uint8](t, e.Session, len(text))
			defer in.Release()
			defer sa.Release()
			defer out.Release()
			primary, err := f.Run(ctx, in.Buffer, sa.Buffer, out.Buffer)
			if err != nil {
				return nil, 0, err
			}
			transform, err := out.Slice()
			return transform, primary, err
		}, e.Suite))
	})
}

// Auxiliary indexes are the rows of every rate-th suffix.
func TestSample(t *testing.T) {
	devicetest.Each(t, func(t *testing.T, e devicetest.Env) {
		text, err := conformance.NewText("random/sigma=4", 1000, 1)
		require.NoError(t, err)
		sa := conformance.ReferenceSuffixArray(text)
		f := bwt.NewForward(e.Session)
		defer f.Release()
		array := devicetest.From(t, e.Session, sa)
		for _, rate := range []int{1, 2, 128, 512, 1024, 1 << 32} {
			samples := devicetest.Guard[uint32](t, e.Session, intmath.CeilDiv(len(sa), rate))
			f.Sample(array.Buffer, rate, samples.Buffer)
			got, err := samples.Slice()
			require.NoError(t, err)
			for slot, i := range sa {
				if int(i)%rate == 0 {
					require.EqualValues(t, slot+1, got[int(i)/rate], "rate %d", rate)
				}
			}
		}
		for _, rate := range []int{0, -1, 3, 1 << 33} {
			f.Sample(array.Buffer, rate, array.Buffer)
			require.ErrorContains(t, e.Err(), "rate")
			e.Recover()
		}
	})
}

func TestInverse(t *testing.T) {
	devicetest.Each(t, func(t *testing.T, e devicetest.Env) {
		e.Suite.Tile = 2 * tuned.Of(e.Session).Inverse.Steps
		if !devicetest.Soak { // TestInverseRefuses has every short transform, too
			e.Suite.MaxExhaustive2, e.Suite.MaxExhaustive3 = min(e.Suite.MaxExhaustive2, 6), min(e.Suite.MaxExhaustive3, 4)
		}
		conformance.Run(t, conformance.BWTInversion(inverter(t, e.Session), e.Suite))
	})
}

// inverter inverts with one plan, made anew only for a longer transform.
func inverter(t *testing.T, s *device.Session) func(context.Context, []byte, int) ([]byte, error) {
	var v *bwt.Inverse
	capacity := -1
	t.Cleanup(func() { v.Release() })
	return func(ctx context.Context, transform []byte, primary int) ([]byte, error) {
		n := len(transform)
		if n > capacity {
			v.Release()
			capacity = -1
			var err error
			if v, err = bwt.NewInverse(s, 2*n); err != nil {
				return nil, err
			}
			if err := v.Allocate(); err != nil {
				return nil, err
			}
			capacity = 2 * n
		}
		in, out := devicetest.From(t, s, transform), devicetest.Guard[uint8](t, s, n)
		defer in.Release()
		defer out.Release()
		err := v.Run(ctx, in.Buffer, primary, out.Buffer)
		text, intact := out.Slice()
		return text, errors.Join(err, intact)
	}
}

// follow inverts by the definition, or finds that it cannot.
func follow(transform []byte, primary int) ([]byte, bool) {
	n := len(transform)
	if n == 0 || primary < 1 || primary > n {
		return []byte{}, n == 0 && primary == 0
	}
	var before [257]int
	for _, c := range transform {
		before[int(c)+1]++
	}
	for c := range 256 {
		before[c+1] += before[c]
	}
	previous := make([]int, n+1) // the row one character earlier
	for row := range n + 1 {
		at := row
		if row == primary {
			continue
		} else if row > primary {
			at--
		}
		previous[row] = 1 + before[transform[at]]
		before[transform[at]]++
	}
	text := make([]byte, n)
	row := 0
	for i := n - 1; i >= 0; i-- {
		if row == primary {
			return nil, false // the whole text already
		}
		at := row
		if row > primary {
			at--
		}
		text[i] = transform[at]
		row = previous[row]
	}
	return text, row == primary
}

// What is no transform is an error, whatever it holds.
func TestInverseRefuses(t *testing.T) {
	devicetest.Each(t, func(t *testing.T, e devicetest.Env) {
		invert := inverter(t, e.Session)
		check := func(transform []byte, primary int) {
			t.Helper()
			want, ok := follow(transform, primary)
			got, err := invert(t.Context(), transform, primary)
			if ok {
				require.NoError(t, err, "%q, %d", transform, primary)
				require.Equal(t, want, got, "%q, %d", transform, primary)
				return
			}
			var refused *verify.MismatchError
			require.ErrorAs(t, err, &refused, "%q, %d", transform, primary)
		}
		most := 5
		if devicetest.Soak {
			most = 7
		} else if harness.Simulated(e.Caps()) {
			most = 3
		}
		for transform := range conformance.Exhaustive("ab", min(e.Suite.MaxExhaustive2, most)) {
			for primary := -1; primary <= len(transform)+1; primary++ {
				check(transform, primary)
			}
		}
		longest := min(3000, e.Suite.Large)
		rng := rand.New(rand.NewPCG(1, 2))
		for range min(e.Suite.Random, 20) {
			transform := make([]byte, rng.IntN(longest))
			for i := range transform {
				transform[i] = "abcdefgh"[rng.IntN(1+rng.IntN(8))]
			}
			check(transform, rng.IntN(len(transform)+1))
		}
		check(make([]byte, longest), 1) // a chain of one, and cycles of one
		check(make([]byte, longest), longest)
		_, err := invert(t.Context(), []byte("a"), 1<<40)
		require.ErrorContains(t, err, "has no primary index")
	})
}

// The memory that a run takes is the plan's, and serves every shorter transform.
func TestInverseMemory(t *testing.T) {
	devicetest.Each(t, func(t *testing.T, e devicetest.Env) {
		for _, n := range []int{0, 1, 2, 300, 1000, 1025, 1 << 12, 5000} {
			if n > e.Suite.Large {
				break
			}
			v, err := bwt.NewInverse(e.Session, n)
			require.NoError(t, err)
			tuned.ResetPeak(e.Session)
			before := tuned.PeakBytes(e.Session)
			require.NoError(t, v.Allocate())
			require.Equal(t, v.Memory().Device(), tuned.PeakBytes(e.Session)-before)
			for _, m := range []int{n, n - 1, n / 2, 512, 1024, 2048, 1} {
				if m < 0 || m > n {
					continue
				}
				text, err := conformance.NewText("random/sigma=2", m, 3)
				require.NoError(t, err)
				transform, primary := conformance.ReferenceBWT(text, conformance.ReferenceSuffixArray(text))
				in, out := devicetest.From(t, e.Session, transform), devicetest.Guard[uint8](t, e.Session, m)
				require.NoError(t, v.Run(t.Context(), in.Buffer, primary, out.Buffer))
				got, err := out.Slice()
				require.NoError(t, err)
				require.Equal(t, text, got)
				in.Release()
				out.Release()
			}
			v.Release()
			require.Equal(t, before, e.LiveBytes())
		}
		_, err := bwt.NewInverse(e.Session, limits.MaxLen+1)
		require.True(t, device.IsTooLarge(err), err)
	})
}
