package distributed_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/suffixcl/suffixcl"
	"github.com/suffixcl/suffixcl/cl"
	"github.com/suffixcl/suffixcl/conformance"
	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/distributed"
	"github.com/suffixcl/suffixcl/internal/hooks"
	"github.com/suffixcl/suffixcl/internal/testkit/devicetest"
)

// numbers are those of ranks that tests have: few with -short.
func numbers() []int {
	if testing.Short() {
		return []int{1, 2, 3, 7}
	}
	return []int{1, 2, 3, 4, 7, 15, 16}
}

// sessions opens one for each rank.
func sessions(t *testing.T, n int) []*device.Session {
	d := devicetest.Devices(t)[0]
	all := make([]*device.Session, n)
	for i := range all {
		all[i] = devicetest.Open(t, d, devicetest.Variants[0])
	}
	return all
}

// each runs f as every rank of a communicator in this process, and returns the errors by rank.
func each(s []*device.Session, p int, o distributed.Options, f func(r int, b *distributed.Builder) error) []error {
	errs := make([]error, p)
	var wg sync.WaitGroup
	for r, c := range distributed.Local(p) {
		wg.Go(func() { errs[r] = f(r, distributed.New(c, s[r], o)) })
	}
	wg.Wait()
	return errs
}

func blockOf[T any](all []T, p, r int) []T {
	from, to := distributed.Bounds(uint64(len(all)), p, r)
	return all[from:to]
}

func suffixArray(
	ctx context.Context, s []*device.Session, p int, a distributed.Algorithm, text []byte,
) ([]uint32, error) {
	return sortedBy(ctx, s, p, distributed.Options{Algorithm: a}, text)
}

// sortedBy is the suffix array by p ranks of this process.
func sortedBy(
	ctx context.Context, s []*device.Session, p int, o distributed.Options, text []byte,
) ([]uint32, error) {
	parts := make([][]uint64, p)
	errs := each(s, p, o, func(r int, b *distributed.Builder) (err error) {
		parts[r], err = b.SuffixArray(ctx, blockOf(text, p, r))
		return err
	})
	sa := make([]uint32, 0, len(text))
	for r, part := range parts {
		if errs[r] == nil && len(part) != len(blockOf(text, p, r)) {
			return nil, fmt.Errorf("rank %d of %d has %d entries", r, p, len(part))
		}
		for _, v := range part {
			sa = append(sa, uint32(v))
		}
	}
	return sa, errors.Join(errs...)
}

// forAll has all steps distributed: other tests have texts that are sorted on one rank.
func forAll(t *testing.T, f func(t *testing.T, s []*device.Session, p int, a distributed.Algorithm)) {
	s := sessions(t, slices.Max(numbers()))
	for _, a := range distributed.Algorithms() {
		defer distributed.SetWay("merge")()
		for _, p := range numbers() {
			t.Run(fmt.Sprintf("%s/%d", a, p), func(t *testing.T) { f(t, s, p, a) })
		}
	}
}

// TestExhaustive has every short text over small alphabets: shorter ones where most ranks have no more than a
// character, unless SUFFIXCL_SOAK is 1.
func TestExhaustive(t *testing.T) {
	forAll(t, func(t *testing.T, s []*device.Session, p int, a distributed.Algorithm) {
		lengths := map[string]int{"ab": 8, "abc": 4, "\x00\xff": 4}
		if devicetest.Soak {
			lengths = map[string]int{"ab": 8, "abc": 5, "\x00\xff": 6}
		} else if p != 2 && p != 3 && p != 7 || testing.Short() {
			lengths = map[string]int{"ab": 5, "abc": 3, "\x00\xff": 3}
		}
		for alphabet, length := range lengths {
			for text := range conformance.Exhaustive(alphabet, length) {
				sa, err := suffixArray(t.Context(), s, p, a, text)
				require.NoError(t, err)
				require.NoError(t, conformance.CheckSuffixArray(text, sa), "%q", text)
			}
		}
	})
}

// TestClasses has texts of all classes, sorted on the host and on the device.
func TestClasses(t *testing.T) {
	forAll(t, func(t *testing.T, s []*device.Session, p int, a distributed.Algorithm) {
		sizes := []int{1, 2, 3, 20, 257, 1000}
		if !devicetest.Soak && (p == 4 || p == 15) { // of 3 and 7 and of 16 they say nothing new
			sizes = []int{20, 257}
		}
		if p == 3 {
			sizes = append(sizes, 20000)
		}
		for _, n := range sizes {
			for class, text := range conformance.Texts(n, 1) {
				sa, err := suffixArray(t.Context(), s, p, a, text)
				require.NoError(t, err, "%s of %d", class, len(text))
				require.Equal(t, conformance.ReferenceSuffixArray(text), sa, "%s of %d", class, len(text))
			}
		}
	})
}

// TestWays has each way of pCSS, positions of 32 and 64 bits, blocks that occur again after their end, and merges by
// many work-items, whose steps suffice or do not.
func TestWays(t *testing.T) {
	defer distributed.SetMergeItems(5)()
	s := sessions(t, 5)
	for _, way := range distributed.Ways {
		for i, wide := range []uint64{1 << 32, 1} {
			t.Run(fmt.Sprintf("%s/%d", way, wide), func(t *testing.T) {
				defer distributed.SetWay(way)()
				defer distributed.SetWide(wide)()
				defer distributed.SetOverlap([]int{4096, 2}[i])()
				for _, p := range []int{2, 5} {
					for _, n := range []int{1, 9, 400} {
						for class, text := range conformance.Texts(n, 7) {
							sa, err := suffixArray(t.Context(), s, p, distributed.PCSS, text)
							require.NoError(t, err, "%s of %d", class, len(text))
							require.Equal(t, conformance.ReferenceSuffixArray(text), sa, "%s of %d", class, len(text))
						}
					}
				}
			})
		}
	}
	t.Run("few steps", func(t *testing.T) {
		defer distributed.SetWay("merge")()
		defer distributed.SetSteps(1, 20)()
		for class, text := range conformance.Texts(400, 8) {
			sa, err := suffixArray(t.Context(), s, 3, distributed.PCSS, text)
			require.NoError(t, err, "%s of %d", class, len(text))
			require.Equal(t, conformance.ReferenceSuffixArray(text), sa, "%s of %d", class, len(text))
		}
	})
}

// TestOneRank has a text that pDC3 gathers, and one that is longer than the device of rank 0 takes.
func TestOneRank(t *testing.T) {
	defer distributed.SetUnshared()()
	small, err := device.Open(device.Config{Device: devicetest.Devices(t)[0], MaxMemory: 280_000, CacheDir: "off"})
	require.NoError(t, err)
	defer small.Close()
	s := append([]*device.Session{small}, sessions(t, 3)...)
	for n, share := range map[int]int{10_000: 10_000, 40_000: 20_000} {
		text := must(conformance.NewText("versions", n, 1))
		want := conformance.ReferenceSuffixArray(text)
		var sa [4][]uint64
		for r, err := range each(s, 4, distributed.Options{Algorithm: distributed.PDC3},
			func(r int, b *distributed.Builder) (err error) {
				sa[r], err = b.SuffixArray(t.Context(), blockOf(text, 4, r))
				if r == 0 {
					assert.LessOrEqual(t, b.Stats().Share, share)
				}
				return err
			}) {
			require.NoError(t, err, "rank %d of %d characters", r, n)
		}
		for i, v := range slices.Concat(sa[:]...) {
			require.EqualValues(t, want[i], v, "%d of %d", i, n)
		}
	}
}

// TestInto has memory of the caller, and one that is too short.
func TestInto(t *testing.T) {
	s := sessions(t, 3)
	text := must(conformance.NewText("versions", 3000, 1))
	want := conformance.ReferenceSuffixArray(text)
	for _, short := range []int{0, 1} {
		for r, err := range each(s, 3, distributed.Options{}, func(r int, b *distributed.Builder) error {
			mine := blockOf(text, 3, r)
			sa := make([]uint64, len(mine))
			if err := b.SuffixArrayInto(t.Context(), mine, sa[short:]); err != nil {
				return err
			}
			for i, v := range sa {
				assert.EqualValues(t, blockOf(want, 3, r)[i], v)
			}
			return nil
		}) {
			if short == 0 {
				require.NoError(t, err, "rank %d", r)
			} else {
				require.ErrorContains(t, err, "rank 0 has 999 entries for a block of 1000 characters")
			}
		}
	}
}

// TestMerge has the merge on every device in every variant, next to ranks on another device.
func TestMerge(t *testing.T) {
	defer distributed.SetMergeItems(7)()
	defer distributed.SetWay("merge")()
	others := sessions(t, 2)
	devicetest.Each(t, func(t *testing.T, e devicetest.Env) {
		s := append([]*device.Session{e.Session}, others...)
		for class, text := range conformance.Texts(300, 9) {
			sa, err := suffixArray(t.Context(), s, 3, distributed.PCSS, text)
			require.NoError(t, err, "%s of %d", class, len(text))
			require.Equal(t, conformance.ReferenceSuffixArray(text), sa, "%s of %d", class, len(text))
		}
	})
}

// TestRecursion has names that are sorted on one rank, and by doubling on the host and on the device.
func TestRecursion(t *testing.T) {
	s := sessions(t, 4)
	for _, test := range []struct {
		gathers bool
		onHost  int
	}{{true, 1 << 11}, {false, 1 << 11}, {false, 1}} {
		t.Run(fmt.Sprintf("gathered %v, %d on the host", test.gathers, test.onHost), func(t *testing.T) {
			defer distributed.SetGathers(test.gathers)()
			defer distributed.SetOnHost(test.onHost)()
			defer distributed.SetWay("ranks")()
			for _, n := range []int{500, 3000} {
				for class, text := range conformance.Texts(n, 5) {
					sa, err := suffixArray(t.Context(), s, 4, distributed.PDC3, text)
					require.NoError(t, err, "%s of %d", class, len(text))
					require.Equal(t, conformance.ReferenceSuffixArray(text), sa, "%s of %d", class, len(text))
				}
			}
		})
	}
}

// TestOneDevice has ranks that share a device, and pass arrays in pieces or as the device likes it.
func TestOneDevice(t *testing.T) {
	s := sessions(t, 7)
	check := func(p int, class string, text []byte) {
		t.Helper()
		sa, err := suffixArray(t.Context(), s, p, distributed.PCSS, text)
		require.NoError(t, err, "%s of %d", class, len(text))
		require.Equal(t, conformance.ReferenceSuffixArray(text), sa, "%s of %d", class, len(text))
	}
	short := func() {
		for _, p := range []int{2, 3, 7} {
			for _, n := range []int{1, 6, 300} {
				for class, text := range conformance.Texts(n, 5) {
					check(p, class, text)
				}
			}
		}
	}
	text, err := conformance.NewText("random/sigma=26", 1<<20+1, 5) // buffers may be in memory of the process
	require.NoError(t, err)
	long := func() {
		require.NoError(t, errors.Join(each(s, 3, distributed.Options{}, func(r int, b *distributed.Builder) error {
			block := blockOf(text, 3, r)
			sa, err := b.SuffixArray(t.Context(), block)
			if err != nil {
				return err
			}
			if err := b.Verify(t.Context(), block, sa); err != nil {
				return err
			}
			sa[0]++
			if err := b.Verify(t.Context(), block, sa); !assert.ErrorAs(t, err, new(*suffixcl.MismatchError)) {
				return err
			}
			return nil
		})...))
	}
	short()
	long()
	defer distributed.SetPipe(100)()
	short()
	defer distributed.SetPipe(1 << 16)()
	long()
}

// TestSortForAll has rank 0 sort for the others where ranks share a device, within what a rank may take on a CPU.
func TestSortForAll(t *testing.T) {
	const n = 20000
	s := sessions(t, 7)
	text, err := conformance.NewText("random/sigma=26", n, 1)
	require.NoError(t, err)
	want := conformance.ReferenceSuffixArray(text)
	cpu := s[0].Caps().CPUShape
	for _, test := range []struct {
		ranks     int
		small     uint64 // what nobody counts
		maxMemory int64
		forAll    bool
	}{
		{4, 0, 0, true}, {7, 0, 0, !cpu}, {7, 16 << 20, 0, true}, {7, 0, 1 << 30, true}, {2, 16 << 20, n, !cpu},
	} {
		restore := distributed.SetSmallWork(test.small)
		var forAll atomic.Bool
		o := distributed.Options{MaxMemory: test.maxMemory, Progress: func(phase string, _, _ int64) {
			if strings.HasPrefix(phase, "sort on one") {
				forAll.Store(true)
			}
		}}
		sa, err := sortedBy(t.Context(), s, test.ranks, o, text)
		restore()
		require.NoError(t, err, test)
		assert.Equal(t, want, sa, test)
		assert.Equal(t, test.forAll, forAll.Load(), test)
	}
}

// TestShares has even shares where all keys are equal, and where all differ.
func TestShares(t *testing.T) {
	const n, p = 40000, 4
	s := sessions(t, p)
	for class, way := range map[string]string{"all-equal": "ranks", "random-256": "merge"} {
		restore := distributed.SetWay(way)
		text := []byte(strings.Repeat("a", n))
		if class != "all-equal" {
			var x uint32 = 1
			for i := range text {
				x = x*1664525 + 1013904223
				text[i] = byte(x >> 24)
			}
		}
		errs := each(s, p, distributed.Options{}, func(r int, b *distributed.Builder) error {
			_, err := b.SuffixArray(t.Context(), blockOf(text, p, r))
			st := b.Stats()
			assert.Less(t, st.Share, n/p*5/4, class)
			assert.Greater(t, st.Share, n/p*3/4, class)
			assert.Positive(t, st.BytesSent)
			return err
		})
		restore()
		require.NoError(t, errors.Join(errs...))
	}
}

func TestBounds(t *testing.T) {
	for _, n := range []uint64{0, 1, 2, 5, 16, 17, 1 << 40} {
		for p := 1; p < 20; p++ {
			at := uint64(0)
			for r := range p {
				from, to := distributed.Bounds(n, p, r)
				require.Equal(t, at, from)
				for _, place := range []uint64{from, to - 1} {
					if from < to {
						require.Equal(t, r, distributed.OwnerOf(n, p, place), "%d of %d on %d ranks", place, n, p)
					}
				}
				at = to
			}
			require.Equal(t, n, at)
		}
	}
}

// TestRefused has the same error on all ranks.
func TestRefused(t *testing.T) {
	s := sessions(t, 3)
	text := []byte("mississippi")
	for _, err := range each(s, 3, distributed.Options{}, func(r int, b *distributed.Builder) error {
		_, err := b.SuffixArray(t.Context(), text[:r+2])
		return err
	}) {
		require.ErrorIs(t, err, suffixcl.ErrUsage)
		assert.ErrorContains(t, err, "rank 0 has 2 characters, 3 of a text of 9 belong to it")
	}
	errs := make([]error, 2)
	var wg sync.WaitGroup
	for r, c := range distributed.Local(2) {
		wg.Go(func() {
			b := distributed.New(c, s[r], distributed.Options{Algorithm: distributed.Algorithms()[r]})
			_, errs[r] = b.SuffixArray(t.Context(), text[:1])
		})
	}
	wg.Wait()
	for _, err := range errs {
		assert.ErrorContains(t, err, "do not compute the same")
	}
	for _, err := range each(s, 2, distributed.Options{Algorithm: "none"}, func(_ int, b *distributed.Builder) error {
		_, err := b.SuffixArray(t.Context(), text[:1])
		return err
	}) {
		assert.ErrorContains(t, err, `"none"`)
	}
}

// TestFaults fails one call to the driver after the other, on whichever rank makes it: all ranks return, with the
// reason or with the right array.
func TestFaults(t *testing.T) {
	defer distributed.SetOnHost(1)()
	const p = 3
	s := sessions(t, p)
	text := slices.Repeat([]byte("abracadabra"), 30)
	want := conformance.ReferenceSuffixArray(text)
	for _, way := range []string{"merge", "one rank", "ranks", "pdc3"} {
		a, every := distributed.PCSS, int64(3)
		switch way {
		case "one rank": // few calls where kernels copy what is short
			every = 1
		case "ranks":
			every = 17
		case "pdc3":
			a, every = distributed.PDC3, 17
		}
		t.Run(way, func(t *testing.T) {
			defer distributed.SetWay(way)()
			_, err := suffixArray(t.Context(), s, p, a, text) // which compiles
			require.NoError(t, err)
			failed := 0
			for k := int64(0); ; k += every {
				var calls atomic.Int64
				restore := hooks.InjectFaults(func(string) int32 {
					if calls.Add(1)-1 == k {
						return int32(cl.OutOfResources)
					}
					return 0
				})
				sa, err := suffixArray(t.Context(), s, p, a, text)
				restore()
				if calls.Load() <= k {
					break
				}
				if err == nil {
					require.Equal(t, want, sa)
					continue
				}
				failed++
				require.ErrorIs(t, err, cl.OutOfResources)
				require.GreaterOrEqual(t, strings.Count(err.Error(), "rank "), p, "an error on each")
			}
			assert.Greater(t, failed, 5)
			sa, err := suffixArray(t.Context(), s, p, a, text)
			require.NoError(t, err, "the sessions work again")
			require.Equal(t, want, sa)
		})
	}
}

// TestFailingRank has a rank without memory, and one whose context ends.
func TestFailingRank(t *testing.T) {
	defer distributed.SetOnHost(1)()
	d := devicetest.Devices(t)[0]
	small, err := device.Open(device.Config{Device: d, MaxMemory: 1 << 20, CacheDir: "off"})
	require.NoError(t, err)
	defer small.Close()
	s := append(sessions(t, 2), small)
	text := slices.Repeat([]byte("abracadabra"), 50000)
	defer distributed.SetWay("merge")()
	for r, err := range each(s, 3, distributed.Options{}, func(r int, b *distributed.Builder) error {
		_, err := b.SuffixArray(t.Context(), blockOf(text, 3, r))
		return err
	}) {
		var rank *distributed.RankError
		require.ErrorAs(t, err, &rank)
		assert.Equal(t, 2, rank.Rank)
		var memory *device.MemoryError
		assert.Equal(t, r == 2, errors.As(err, &memory))
		assert.ErrorContains(t, err, "memory limit")
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for r, err := range each(s, 2, distributed.Options{}, func(r int, b *distributed.Builder) error {
		c := t.Context()
		if r == 1 {
			c = ctx
		}
		_, err := b.SuffixArray(c, blockOf(text, 2, r))
		return err
	}) {
		assert.ErrorIs(t, err, context.Canceled, "rank %d", r)
	}
}
