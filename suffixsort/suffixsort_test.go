package suffixsort_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/suffixcl/suffixcl/conformance"
	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/internal/devicetest"
	"github.com/suffixcl/suffixcl/suffixsort"
)

// Few bits and rounds at first bring small texts to every phase.
var options = map[string]suffixsort.Options{
	"auto":     {},
	"doubling": {Bits: 16, Extensions: -1, Window: 1, Repetitive: 1},
	"extended": {Bits: 16, Extensions: 2, Repetitive: 1},
	"skew":     {Repetitive: -1},
}

func TestSuffixArray(t *testing.T) {
	devicetest.Composed(t, func(t *testing.T, e devicetest.Env) {
		e.Suite.Tile = e.Tuning().Scan.WG * e.Tuning().Scan.Items
		for name, o := range options {
			t.Run(name, func(t *testing.T) {
				suite := e.Suite
				if name != "auto" {
					suite.MaxExhaustive2, suite.MaxExhaustive3 = min(suite.MaxExhaustive2, 8), min(suite.MaxExhaustive3, 5)
					suite.PerSize, suite.Random = min(suite.PerSize, 6), min(suite.Random, 50)
				}
				conformance.SuffixArray(t, service(t, e.Session, o), suite)
			})
		}
	})
}

// service builds suffix arrays with one sorter for many texts, made anew only for a
// longer one.
func service(t testing.TB, s *device.Session, o suffixsort.Options) conformance.Builder {
	var p *suffixsort.Sorter
	var in *devicetest.Guarded[uint8]
	var sa *devicetest.Guarded[uint32]
	capacity := -1
	release := func() {
		if capacity >= 0 {
			p.Release()
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
			if p, err = suffixsort.New(s, capacity, o); err != nil {
				return nil, err
			}
			if err := p.Allocate(); err != nil {
				return nil, err
			}
			in, sa = devicetest.Guard[uint8](t, s, capacity), devicetest.Guard[uint32](t, s, capacity)
		}
		device.Reinterpret[uint8](sa.Buffer).Fill(devicetest.Canary)
		if err := in.Upload(ctx, text, nil); err != nil {
			return nil, err
		}
		if err := p.Run(ctx, in.View(0, n), sa.View(0, n), nil); err != nil {
			return nil, err
		}
		got, err := sa.Slice()
		if err != nil {
			return nil, err
		}
		return got[:n], devicetest.Intact("behind the suffix array", got[n:])
	}
}

// structured is a random mixture of fresh text, runs, periods, and copies of what is
// there, some of them changed.
func structured(rng *rand.Rand, n int) []byte {
	alphabet := []int{1, 2, 3, 4, 5, 26, 256}[rng.IntN(7)]
	first := rng.IntN(257 - alphabet)
	letter := func() byte { return byte(first + rng.IntN(alphabet)) }
	var text []byte
	for len(text) < n {
		size := 1 + rng.IntN(1<<rng.IntN(11))
		switch rng.IntN(5) {
		case 0:
			for range size {
				text = append(text, letter())
			}
		case 1:
			for c := letter(); size > 0; size-- {
				text = append(text, c)
			}
		case 2:
			period := min(1+rng.IntN(20), len(text))
			for ; period > 0 && size > 0; size-- {
				text = append(text, text[len(text)-period])
			}
		default:
			if len(text) == 0 {
				continue
			}
			from := rng.IntN(len(text))
			text = append(text, text[from:min(from+size, len(text))]...)
			if rng.IntN(2) == 0 {
				text[len(text)-1-rng.IntN(min(size, len(text)))] = letter()
			}
		}
	}
	return text[:n:n]
}

func TestStructured(t *testing.T) {
	devicetest.Composed(t, func(t *testing.T, e devicetest.Env) {
		seeds, longest := 200, 20000
		switch {
		case e.Tuning().Map.WG < 16 && e.Variant != "native": // tiny tiles
			seeds, longest = 60, 2000
		case e.Suite.Large < 1<<20:
			seeds, longest = 12, 5000
		}
		for name, o := range options {
			build := service(t, e.Session, o)
			for seed := range uint64(seeds) {
				rng := rand.New(rand.NewPCG(seed, 7))
				text := structured(rng, rng.IntN(longest))
				sa, err := build(context.Background(), text)
				require.NoError(t, err)
				require.NoError(t, conformance.CheckSuffixArray(text, sa), "%s, seed %d, %d bytes", name, seed, len(text))
			}
		}
	})
}

// The memory that a run takes is the plan's, exactly.
func TestMemory(t *testing.T) {
	devicetest.Composed(t, func(t *testing.T, e devicetest.Env) {
		for _, n := range []int{0, 1, 1000, 1 << 16} {
			p, err := suffixsort.New(e.Session, n, suffixsort.Options{})
			require.NoError(t, err)
			e.ResetPeak()
			before := e.PeakBytes()
			require.NoError(t, p.Allocate())
			require.Equal(t, p.Memory().Device(), e.PeakBytes()-before)
			p.Release()
			require.Equal(t, before, e.LiveBytes())
		}
	})
}

func TestProgressAndCancel(t *testing.T) {
	devicetest.Native(t, func(t *testing.T, e devicetest.Env) {
		n := 1 << 12
		p, err := suffixsort.New(e.Session, n, suffixsort.Options{Repetitive: 1})
		require.NoError(t, err)
		defer p.Release()
		require.NoError(t, p.Allocate())
		text := make([]byte, n)
		text[n/2] = 1
		in, sa := devicetest.From(t, e.Session, text), devicetest.Guard[uint32](t, e.Session, n)

		var seen []int64
		require.NoError(t, p.Run(context.Background(), in.Buffer, sa.Buffer, func(_ string, done, total int64) {
			require.Equal(t, int64(n), total)
			seen = append(seen, done)
		}))
		require.IsNonDecreasing(t, seen)
		require.Equal(t, int64(n), seen[len(seen)-1])

		ctx, cancel := context.WithCancelCause(context.Background())
		reason := fmt.Errorf("enough")
		err = p.Run(ctx, in.Buffer, sa.Buffer, func(_ string, done, _ int64) {
			if done > 0 {
				cancel(reason)
			}
		})
		require.ErrorIs(t, err, reason)
		// The sorter works again after that.
		require.NoError(t, p.Run(context.Background(), in.Buffer, sa.Buffer, nil))
		got, err := sa.Slice()
		require.NoError(t, err)
		require.NoError(t, conformance.CheckSuffixArray(text, got))
	})
}

func TestTooLong(t *testing.T) {
	devicetest.Native(t, func(t *testing.T, e devicetest.Env) {
		_, err := suffixsort.New(e.Session, suffixsort.MaxLen+1, suffixsort.Options{})
		require.True(t, device.IsOutOfMemory(err), err)
		_, err = suffixsort.New(e.Session, 10, suffixsort.Options{Bits: 9, Repetitive: 1})
		require.Error(t, err)
		p, err := suffixsort.New(e.Session, 10, suffixsort.Options{})
		require.NoError(t, err)
		defer p.Release()
		in, sa := devicetest.Guard[uint8](t, e.Session, 11), devicetest.Guard[uint32](t, e.Session, 11)
		require.ErrorContains(t, p.Run(context.Background(), in.Buffer, sa.Buffer, nil), "planned for 10")
	})
}
