package suffixsort_test

import (
	"bytes"
	"context"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/suffixcl/suffixcl/conformance"
	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/internal/devicetest"
	"github.com/suffixcl/suffixcl/skew"
	"github.com/suffixcl/suffixcl/suffixsort"
)

// Few bits and rounds at first bring small texts to every phase.
var options = map[string]suffixsort.Options{
	"auto":     {},
	"doubling": {Bits: 16, Extensions: -1, Window: 1, Repetitive: 1},
	"extended": {Bits: 16, Extensions: 2, Repetitive: 1},
	"skew":     {Repetitive: -1},
	"sampled":  {SampleFrom: 1},
}

func sorter(o suffixsort.Options) devicetest.NewSorter {
	return func(s *device.Session, n int) (devicetest.Sorter, error) { return suffixsort.New(s, n, o) }
}

func TestSuffixArray(t *testing.T) {
	devicetest.Composed(t, func(t *testing.T, e devicetest.Env) {
		e.Suite.Tile = e.Tuning().Scan.WG * e.Tuning().Scan.Items
		for name, o := range options {
			t.Run(name, func(t *testing.T) {
				suite := e.Suite
				if name != "auto" {
					suite.MaxExhaustive2, suite.MaxExhaustive3 = min(suite.MaxExhaustive2, 8), min(suite.MaxExhaustive3, 5)
					suite.PerSize, suite.Random, suite.Large = min(suite.PerSize, 6), min(suite.Random, 50), min(suite.Large, 1<<17)
				}
				conformance.SuffixArray(t, devicetest.SorterService(t, e.Session, sorter(o)), suite)
			})
		}
	})
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
			build := devicetest.SorterService(t, e.Session, sorter(o))
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

// The sample sends a text to skew before the first sort if it repeats, and else does not.
func TestSample(t *testing.T) {
	devicetest.Composed(t, func(t *testing.T, e devicetest.Env) {
		const n = 1 << 16
		rng := rand.New(rand.NewPCG(5, 6))
		random := make([]byte, n)
		for i := range random {
			random[i] = byte('a' + rng.IntN(20))
		}
		const block = 100 // so that there are more copies than a small group holds
		copies := bytes.Repeat(random[:block], n/block+1)[:n]
		for i := block; i < n; i += 8 * block {
			copies[i] = byte('a' + rng.IntN(20))
		}
		for name, text := range map[string][]byte{"random": random, "copies": copies} {
			var phases []string
			p, err := suffixsort.New(e.Session, n, suffixsort.Options{SampleFrom: n / 2})
			require.NoError(t, err)
			defer p.Release()
			require.NoError(t, p.Allocate())
			in, err := device.Alloc[uint8](e.Session, n)
			require.NoError(t, err)
			defer in.Release()
			sa, err := device.Alloc[uint32](e.Session, n)
			require.NoError(t, err)
			defer sa.Release()
			require.NoError(t, in.Upload(t.Context(), text, nil))
			require.NoError(t, p.Run(t.Context(), in, sa, func(phase string, _, _ int64) { phases = append(phases, phase) }))
			host := make([]uint32, n)
			require.NoError(t, sa.Download(t.Context(), host, nil))
			require.NoError(t, conformance.CheckSuffixArray(text, host), name)
			if name == "random" {
				require.NotContains(t, phases, skew.PhaseSort, name)
			} else {
				require.Contains(t, phases, skew.PhaseSort, name)
				require.NotContains(t, phases, suffixsort.PhaseExtend, name)
			}
		}
	})
}

// The memory that a run takes is the plan's, exactly.
func TestMemory(t *testing.T) {
	devicetest.Composed(t, func(t *testing.T, e devicetest.Env) {
		devicetest.SorterMemory(t, e, sorter(suffixsort.Options{}))
	})
}

func TestProgressAndCancel(t *testing.T) {
	devicetest.Native(t, func(t *testing.T, e devicetest.Env) {
		text := make([]byte, 1<<12)
		text[len(text)/2] = 1
		devicetest.SorterProgress(t, e, sorter(suffixsort.Options{Repetitive: 1}), text, func(_ int, done int64) bool { return done > 0 })
	})
}

func TestTooLong(t *testing.T) {
	devicetest.Native(t, func(t *testing.T, e devicetest.Env) {
		devicetest.SorterTooLong(t, e, sorter(suffixsort.Options{}), suffixsort.MaxLen)
		_, err := suffixsort.New(e.Session, 10, suffixsort.Options{Bits: 9, Repetitive: 1})
		require.Error(t, err)
	})
}
