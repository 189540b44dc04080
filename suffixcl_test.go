package suffixcl_test

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"strconv"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/suffixcl/suffixcl"
	"github.com/suffixcl/suffixcl/conformance"
	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/internal/testkit/corpora"
	"github.com/suffixcl/suffixcl/internal/testkit/devicetest"
	"github.com/suffixcl/suffixcl/internal/testkit/enginetest"
	"github.com/suffixcl/suffixcl/internal/testkit/synthetic"
	"github.com/suffixcl/suffixcl/internal/tune"
	"github.com/suffixcl/suffixcl/internal/tuned"
)

func TestSuffixArray(t *testing.T) {
	for _, algorithm := range suffixcl.Algorithms() {
		t.Run(string(algorithm), func(t *testing.T) {
			o := suffixcl.Options{Algorithm: algorithm}
			enginetest.Each(t, o, func(t *testing.T, e *suffixcl.Engine, suite conformance.Config) {
				conformance.Run(t, conformance.SuffixArray(e.SuffixArray, suite))
			})
		})
	}
}

// Sorters of their own sort device memory, again and again.
func TestNewSorter(t *testing.T) {
	text := []byte("mississippi")
	for _, d := range devicetest.Devices(t) {
		s, err := device.Open(device.Config{Device: d})
		require.NoError(t, err)
		in, err := device.Alloc[uint8](s, len(text))
		require.NoError(t, err)
		sa, err := device.Alloc[uint32](s, len(text))
		require.NoError(t, err)
		require.NoError(t, in.Write(text))
		live := s.LiveBytes()
		for _, algorithm := range suffixcl.Algorithms() {
			sorter, name, err := suffixcl.NewSorter(s, algorithm, len(text))
			require.NoError(t, err)
			if algorithm != suffixcl.AlgorithmAuto {
				require.Equal(t, algorithm, name)
			}
			require.Contains(t, suffixcl.Algorithms()[1:], name)
			require.NoError(t, sorter.Allocate())
			require.Equal(t, live+sorter.Memory().Device(), s.LiveBytes(), name)
			for range 2 {
				sa.Fill(0)
				require.NoError(t, sorter.Run(context.Background(), in, sa, nil))
				got := make([]uint32, len(text))
				require.NoError(t, sa.Read(got))
				require.Equal(t, conformance.ReferenceSuffixArray(text), got, name)
			}
			sorter.Release()
			require.Equal(t, live, s.LiveBytes())
		}
		_, _, err = suffixcl.NewSorter(s, "bogo", 1)
		require.ErrorContains(t, err, "bogo")
		in.Release()
		sa.Release()
		require.NoError(t, s.Close())

		// Auto takes what fits in addition to what there is.
		s, err = device.Open(device.Config{Device: d, MaxMemory: 25 << 20})
		require.NoError(t, err)
		for _, used := range []int{1, 24 << 20} {
			b, err := device.Alloc[uint8](s, used)
			require.NoError(t, err)
			sorter, name, err := suffixcl.NewSorter(s, suffixcl.AlgorithmAuto, 500_000)
			require.NoError(t, err)
			need := device.MemoryPlan{sorter.Memory()}
			require.Equal(t, used == 1, need.Fits(s) == nil, name)
			sorter.Release()
			b.Release()
		}
		require.NoError(t, s.Close())
	}
}

func TestBWT(t *testing.T) {
	enginetest.Each(t, suffixcl.Options{}, func(t *testing.T, e *suffixcl.Engine, suite conformance.Config) {
		conformance.Run(t, conformance.BWT(e.BWT, suite))
	})
}

func TestInverseBWT(t *testing.T) {
	enginetest.Each(t, suffixcl.Options{}, func(t *testing.T, e *suffixcl.Engine, suite conformance.Config) {
		conformance.Run(t, conformance.BWTInversion(e.InverseBWT, suite))
		var none *suffixcl.MismatchError
		_, err := e.InverseBWT(context.Background(), []byte("aaaa"), 1)
		require.ErrorAs(t, err, &none)
		_, err = e.InverseBWT(context.Background(), []byte("aaaa"), 5)
		require.ErrorAs(t, err, &none)
	})
}

func TestLCP(t *testing.T) {
	enginetest.Each(t, suffixcl.Options{}, func(t *testing.T, e *suffixcl.Engine, suite conformance.Config) {
		build := func(ctx context.Context, text []byte, _ []uint32) ([]uint32, error) { return e.LCP(ctx, text) }
		conformance.Run(t, conformance.LCP(build, suite))
		text := []byte("mississippi")
		sa := conformance.ReferenceSuffixArray(text)
		got, err := enginetest.LCPOf(context.Background(), e, text, sa)
		require.NoError(t, err)
		require.Equal(t, conformance.ReferenceLCP(text, sa), got)
		sa[3], sa[4] = sa[4], sa[3]
		var wrong *suffixcl.MismatchError
		_, err = enginetest.LCPOf(context.Background(), e, text, sa)
		require.ErrorAs(t, err, &wrong)
	})
}

func TestVerify(t *testing.T) {
	enginetest.Each(t, suffixcl.Options{}, func(t *testing.T, e *suffixcl.Engine, _ conformance.Config) {
		ctx := context.Background()
		text := []byte("the quick brown fox jumps over the lazy dog")
		sa := conformance.ReferenceSuffixArray(text)
		transform, primary := conformance.ReferenceBWT(text, sa)
		require.NoError(t, e.Verify(ctx, text, sa))
		require.NoError(t, enginetest.VerifyBWT(ctx, e, text, sa, transform, primary))

		lengths := conformance.ReferenceLCP(text, sa)
		require.NoError(t, enginetest.VerifyLCP(ctx, e, text, sa, lengths))
		var wrongLCP *suffixcl.MismatchError
		require.ErrorAs(t, enginetest.VerifyLCP(ctx, e, text, sa, lengths[1:]), &wrongLCP)
		lengths[7]++
		require.ErrorAs(t, enginetest.VerifyLCP(ctx, e, text, sa, lengths), &wrongLCP)
		require.Equal(t, 7, wrongLCP.At)

		var wrongArray *suffixcl.MismatchError
		require.ErrorAs(t, e.Verify(ctx, text, sa[1:]), &wrongArray)
		sa[3], sa[4] = sa[4], sa[3]
		require.ErrorAs(t, e.Verify(ctx, text, sa), &wrongArray)
		require.Equal(t, 4, wrongArray.At)
		sa[3], sa[4] = sa[4], sa[3]

		var wrongTransform *suffixcl.MismatchError
		require.ErrorAs(t, enginetest.VerifyBWT(ctx, e, text, sa, transform, primary+1), &wrongTransform)
		require.ErrorAs(t, enginetest.VerifyBWT(ctx, e, text, sa, transform[1:], primary), &wrongTransform)
		transform[5]++
		require.ErrorContains(t, enginetest.VerifyBWT(ctx, e, text, sa, transform, primary), "slot 5 holds")
	})
}

// The device memory that an operation takes is the plan's peak, to the byte.
func TestPlan(t *testing.T) {
	enginetest.Each(t, suffixcl.Options{}, func(t *testing.T, e *suffixcl.Engine, _ conformance.Config) {
		ctx := context.Background()
		for _, n := range []int{0, 1, 100, 5000} {
			a := enginetest.AnswersOf(make([]byte, n))
			for _, o := range enginetest.Operations {
				if o.Op == enginetest.OpBuildIndex || o.Op == enginetest.OpNewMatcher || o.Op == enginetest.OpBuild ||
					o.Op < 0 && o.Op != enginetest.OpRepeats && o.Op != enginetest.OpAllRepeats {
					continue // their plan is that of the sort, or tests of their own compare it
				}
				options := suffixcl.RepeatOptions{All: o.Op == enginetest.OpAllRepeats}
				plan, err := e.Repeats(suffixcl.Length(1, n), options).Plan(ctx)
				if o.Op != enginetest.OpRepeats && o.Op != enginetest.OpAllRepeats {
					plan, err = enginetest.PlanOf(ctx, e, o.Op, n)
				}
				require.NoError(t, err)
				var st suffixcl.Stats
				require.NoError(t, o.Run(suffixcl.WithStats(ctx, &st), e, a))
				require.Equal(t, plan.Device(), st.PeakBytes, "%s of %d bytes", o.Op, n)
				require.Equal(t, plan[len(plan)-1].Phase == "kept", enginetest.Core(e).Kept() > 0, o.Op)
			}
		}
	})
}

func TestMemoryLimit(t *testing.T) {
	enginetest.Each(t, suffixcl.Options{MaxMemory: 1 << 16}, func(t *testing.T, e *suffixcl.Engine, _ conformance.Config) {
		_, err := e.SuffixArray(context.Background(), make([]byte, 1<<16))
		var memory *device.MemoryError
		require.ErrorAs(t, err, &memory)
		require.EqualValues(t, 1<<16, memory.Have)
		require.Greater(t, memory.Need, memory.Have)
		require.Zero(t, enginetest.Core(e).Stats().PeakBytes, "refused before anything was allocated")
		_, err = e.SuffixArray(context.Background(), make([]byte, 1<<8))
		require.NoError(t, err, "a text that fits still works")
	})
}

func TestCancel(t *testing.T) {
	ctx, cancel := context.WithCancelCause(context.Background())
	stop := errors.New("stop")
	enginetest.Each(t, suffixcl.Options{Progress: func(phase string, _, _ int64) {
		if phase != "upload" {
			cancel(stop)
		}
	}}, func(t *testing.T, e *suffixcl.Engine, _ conformance.Config) {
		_, err := e.SuffixArray(ctx, make([]byte, 4096))
		require.ErrorIs(t, err, stop)
		_, err = e.SuffixArray(context.Background(), make([]byte, 4096))
		require.NoError(t, err)
	})
}

// An engine may be used by many goroutines.
func TestConcurrentUse(t *testing.T) {
	enginetest.Each(t, suffixcl.Options{}, func(t *testing.T, e *suffixcl.Engine, _ conformance.Config) {
		var wg sync.WaitGroup
		for i := range 4 {
			wg.Go(func() {
				text := make([]byte, 200+i)
				for j := range text {
					text[j] = byte(j * i % 7)
				}
				sa, err := e.SuffixArray(context.Background(), text)
				if err == nil {
					err = conformance.CheckSuffixArray(text, sa)
				}
				if err != nil {
					t.Error(err)
				}
			})
		}
		wg.Wait()
	})
}

func TestUnknownAlgorithm(t *testing.T) {
	_, err := suffixcl.Open(suffixcl.Options{Algorithm: "bogosort"})
	require.ErrorContains(t, err, "osipov")
}

// TestCorpora compares every text of SUFFIXCL_CORPORA with libdivsufsort, byte for
// byte, on every device, or on the one that SUFFIXCL_DEVICE selects.
func TestCorpora(t *testing.T) {
	texts := corpora.All(t)
	devicetest.Devices(t)
	e, err := suffixcl.Open(suffixcl.Options{Algorithm: suffixcl.Algorithm(os.Getenv("SUFFIXCL_ALGORITHM"))})
	require.NoError(t, err)
	defer e.Close()
	t.Logf("device %s", e.Caps().Name)
	for _, c := range texts {
		t.Run(c.Name, func(t *testing.T) {
			text, err := c.Read()
			require.NoError(t, err)
			want, err := c.Want(text)
			require.NoError(t, err)
			ctx := context.Background()
			var stats suffixcl.Stats
			sa, err := e.SuffixArray(suffixcl.WithStats(ctx, &stats), text)
			require.NoError(t, err)
			t.Logf("%s: %d bytes in %v on the device, %.1f MB/s, %.2f bytes of device memory a character",
				stats.Algorithm, len(text), stats.Compute.Round(time.Microsecond), float64(len(text))/stats.Compute.Seconds()/1e6,
				float64(stats.PeakBytes)/float64(len(text)))
			require.Equal(t, want.SuffixArray, corpora.DigestArray(sa))
			plan, err := enginetest.PlanOf(ctx, e, enginetest.OpSuffixArray, len(text))
			require.NoError(t, err)
			require.Equal(t, plan.Device(), stats.PeakBytes)
			require.NoError(t, e.Verify(ctx, text, sa))
			transform, primary, err := e.BWT(ctx, text)
			require.NoError(t, err)
			require.Equal(t, want.BWT, corpora.DigestBytes(transform))
			require.Equal(t, want.Primary, primary)
			lengths, err := e.LCP(ctx, text)
			require.NoError(t, err)
			require.Equal(t, want.LCP, corpora.DigestArray(lengths))
			back, err := e.InverseBWT(ctx, transform, primary)
			require.NoError(t, err)
			require.True(t, bytes.Equal(text, back), "unbwt(bwt(text)) is another text")
		})
	}
}

// TestHuge sorts a text of SUFFIXCL_HUGE bytes, random bases or the synthetic text that
// SUFFIXCL_HUGE_TEXT names ("genome"), checks it on the device, and computes what follows
// from it: lengths that exceed 31 bits need a large GPU.
func TestHuge(t *testing.T) {
	setting := os.Getenv("SUFFIXCL_HUGE")
	if setting == "" {
		t.Skip("SUFFIXCL_HUGE is not set to a number of bytes")
	}
	n, err := strconv.Atoi(setting)
	require.NoError(t, err)
	random := rand.New(rand.NewPCG(1, uint64(n)))
	kind := cmp.Or(os.Getenv("SUFFIXCL_HUGE_TEXT"), "random.dna")
	made, err := synthetic.Parse(kind + "." + setting)
	require.NoError(t, err)
	text := make([]byte, n)
	if stats := made.Make(text); stats != nil {
		t.Logf("%s: %+v", kind, *stats)
	}
	e, err := suffixcl.Open(suffixcl.Options{Algorithm: suffixcl.Algorithm(os.Getenv("SUFFIXCL_ALGORITHM"))})
	require.NoError(t, err)
	defer e.Close()
	ctx := context.Background()
	var stats suffixcl.Stats
	measured := func() context.Context {
		stats = suffixcl.Stats{}
		return suffixcl.WithStats(ctx, &stats)
	}
	sa, err := e.SuffixArray(measured(), text)
	require.NoError(t, err)
	t.Logf("%d bytes: %+v, %.1f MB/s, %.2f bytes a character", n, stats, float64(n)/stats.Compute.Seconds()/1e6,
		float64(stats.PeakBytes)/float64(n))
	require.NoError(t, e.Verify(measured(), text, sa))
	t.Logf("verified: %+v", stats)

	lengths, err := enginetest.LCPOf(measured(), e, text, sa)
	require.NoError(t, err)
	t.Logf("LCP array: %+v", stats)
	for range 1 << 20 {
		j := 1 + random.IntN(n-1)
		a, b := text[sa[j-1]:], text[sa[j]:]
		h := 0
		for h < min(len(a), len(b)) && a[h] == b[h] {
			h++
		}
		require.EqualValues(t, h, lengths[j], "slot %d", j)
	}
	lengths = nil
	transform, primary, err := e.BWT(ctx, text)
	require.NoError(t, err)
	back, err := e.InverseBWT(measured(), transform, primary)
	require.NoError(t, err)
	t.Logf("inverse transform: %+v, %.1f MB/s", stats, float64(n)/stats.Compute.Seconds()/1e6)
	require.True(t, bytes.Equal(text, back))
}

// Auto chooses what is fastest, on CPUs by their cores, and under a memory limit what fits;
// where nothing fits, the plan of what takes least is refused. A run has three cases, at
// random, unless SUFFIXCL_SOAK is 1.
func TestAutoChooses(t *testing.T) {
	few := func(c *device.Caps) { c.CPUShape, c.ComputeUnits = true, 4 }
	more := func(c *device.Caps) { c.CPUShape, c.ComputeUnits = true, 5 }
	gpu := func(c *device.Caps) { c.CPUShape = false }
	cases := []struct {
		cpu     bool
		caps    func(*device.Caps)
		n       int // as long as is planned for it
		choices []suffixcl.Algorithm
	}{
		{true, few, 1 << 12, []suffixcl.Algorithm{suffixcl.AlgorithmSmallTexts, suffixcl.AlgorithmSAIS}},
		{true, few, 1 << 16, []suffixcl.Algorithm{suffixcl.AlgorithmSAIS}},
		{true, more, 1 << 16, []suffixcl.Algorithm{suffixcl.AlgorithmHybrid, suffixcl.AlgorithmSAIS}},
		{false, gpu, 1 << 12, []suffixcl.Algorithm{suffixcl.AlgorithmSmallTexts}},
		{false, gpu, 1 << 17, []suffixcl.Algorithm{suffixcl.AlgorithmSuffixsort, suffixcl.AlgorithmSkew}},
	}
	some := rand.Perm(len(cases))
	if !devicetest.Soak {
		some = some[:3]
	}
	for _, number := range some {
		c := cases[number]
		t.Run(fmt.Sprintf("%s/%d", c.choices[0], c.n), func(t *testing.T) {
			text := bytes.Repeat([]byte("abracadabra"), c.n/11+1)[:c.n]
			open := func(algorithm suffixcl.Algorithm, limit int64) *suffixcl.Engine {
				s, err := tuned.Open(device.Config{Device: devicetest.Devices(t)[0], MaxMemory: limit}, tuned.Edits{
					Caps: c.caps,
					Set:  func(_ *device.Caps, set *tune.Set) { *set = tune.Tiny(c.cpu) }, // quick to compile
				})
				require.NoError(t, err)
				e, err := suffixcl.New(s, suffixcl.EngineOptions{Algorithm: algorithm})
				require.NoError(t, err)
				t.Cleanup(func() {
					e.Close()
					s.Close()
				})
				devicetest.NeedWorkGroups(t, s)
				return e
			}
			chosen := func(limit int64) (suffixcl.Algorithm, int64) {
				e := open(suffixcl.AlgorithmAuto, limit)
				var st suffixcl.Stats
				sa, err := e.SuffixArray(suffixcl.WithStats(t.Context(), &st), text)
				if err == nil {
					require.NoError(t, conformance.CheckSuffixArray(text, sa))
					return st.Algorithm, st.PeakBytes
				}
				var memory *device.MemoryError
				require.ErrorAs(t, err, &memory)
				return "", memory.Need
			}
			var least int64
			for i, want := range c.choices {
				plan, err := enginetest.PlanOf(t.Context(), open(want, 0), enginetest.OpSuffixArray, len(text))
				require.NoError(t, err)
				if i > 0 {
					require.Less(t, plan.Device(), least)
				}
				least = plan.Device()
				name, peak := chosen(least)
				require.Equal(t, want, name)
				require.Equal(t, least, peak)
			}
			name, _ := chosen(0)
			require.Equal(t, c.choices[0], name)
			switch name, need := chosen(least - 1); name {
			case suffixcl.AlgorithmRanges:
				require.Less(t, need, least)
			default:
				require.Empty(t, name)
				require.Equal(t, least, need)
			}
		})
	}
}
