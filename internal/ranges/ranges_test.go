package ranges_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/suffixcl/suffixcl/conformance"
	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/internal/limits"
	"github.com/suffixcl/suffixcl/internal/ranges"
	"github.com/suffixcl/suffixcl/internal/testkit/corpora"
	"github.com/suffixcl/suffixcl/internal/testkit/devicetest"
)

// packings are entries of which some have positions from a place of the text on with a bit of their own.
func packings(n int) *ranges.Entries {
	if n%2 == 0 {
		return ranges.FiveBytes
	}
	e := &ranges.Entries{Bits: 33 + n%24}
	for k := range uint64(min(n%5, 1<<min(e.Bits-32, 8))) {
		e.From, e.Add = append(e.From, k*uint64(n)/5), append(e.Add, k<<32)
	}
	return e
}

// unpacked are the positions of entries, bit by bit; one that is not what it should be is the largest of all.
func unpacked(e *ranges.Entries, packed []byte, n int) (positions []uint64) {
	if len(packed) != (n*e.Bits+7)/8 {
		return nil
	}
	for i := range n {
		var value uint64
		for bit := range e.Bits {
			at := i*e.Bits + bit
			value |= uint64(packed[at/8]>>(at%8)&1) << bit
		}
		position, k := value&math.MaxUint32, int(value>>32)
		of := 0
		for of+1 < len(e.From) && e.From[of+1] <= position {
			of++
		}
		if k != of {
			position = math.MaxUint64
		}
		positions = append(positions, position)
	}
	return positions
}

// suffixArray puts the ranges together, and counts them.
func suffixArray[P uint32 | uint64](ctx context.Context, s *device.Session, text []byte, o ranges.Options) (
	sa []uint32, blocks int, err error) {
	p, err := ranges.New[P](s, len(text), o)
	if err != nil {
		return nil, 0, err
	}
	sa = make([]uint32, 0, len(text))
	var transform []byte
	var lengths []uint32
	var last ranges.State
	state, err := p.Run(ctx, text, ranges.Job[P]{Yield: func(b ranges.Block[P]) error {
		positions := slices.Clone(b.Positions)
		if o.Packed != nil {
			for _, i := range unpacked(o.Packed, b.Packed, b.Len) {
				positions = append(positions, P(i))
			}
		}
		if b.First != len(sa) || b.Len != len(positions) || b.Len == 0 || o.LCP && len(b.LCP) != b.Len {
			return fmt.Errorf("a block of %d suffixes at %d instead of %d", b.Len, b.First, len(sa))
		}
		for _, i := range positions {
			sa = append(sa, uint32(i))
		}
		transform = append(transform, b.Transform...)
		for _, l := range b.LCP {
			lengths = append(lengths, uint32(l))
		}
		return nil
	}, Saved: func(state ranges.State) error {
		if state.Done != last.Done+1 || state.First != len(sa) || o.Transform && state.TransformLen() != len(transform) {
			return fmt.Errorf("state %v after %v, with %d suffixes handed out", state, last, len(sa))
		}
		last = state
		return nil
	}})
	if err == nil && last.Done != len(state.Bounds)+1 && len(text) > 0 {
		err = fmt.Errorf("%d ranges of %d were saved", last.Done, len(state.Bounds)+1)
	}
	if err == nil && o.Transform {
		want, at := transformOf(text, sa)
		if !bytes.Equal(want, transform) || at != state.Primary {
			err = fmt.Errorf("transform %q, primary index %d instead of %q, %d", transform, state.Primary, want, at)
		}
	}
	if err == nil && o.LCP && slices.Equal(sa, conformance.ReferenceSuffixArray(text)) {
		if want := conformance.ReferenceLCP(text, sa); !slices.Equal(want, lengths) {
			at := 0
			for at < min(len(want), len(lengths)) && want[at] == lengths[at] {
				at++
			}
			err = fmt.Errorf("LCP array of %d entries, at %d %d instead of %d", len(lengths), at,
				lengths[at:min(at+9, len(lengths))], want[at:min(at+9, len(want))])
		}
	}
	return sa, p.Sorted(), err
}

// transformOf is the Burrows-Wheeler transform by its definition.
func transformOf(text []byte, sa []uint32) (transform []byte, primary int) {
	if len(text) == 0 {
		return nil, 0
	}
	transform = append(transform, text[len(text)-1])
	for slot, i := range sa {
		if i == 0 {
			primary = slot + 1
		} else {
			transform = append(transform, text[i-1])
		}
	}
	return transform, primary
}

// setting is a way to sort: parts is about how many ranges there are.
type setting struct {
	parts, period int
	wide, coded   bool
	grouped       bool // by lists of several ranges; and few suffixes are merged, each a run
}

func (c setting) String() string {
	return fmt.Sprintf("%d ranges/period %d/wide %v/coded %v/grouped %v", c.parts, c.period, c.wide, c.coded, c.grouped)
}

func (c setting) sort(ctx context.Context, s *device.Session, text []byte) ([]uint32, int, error) {
	o := ranges.Options{Capacity: max(len(text)*6/5/c.parts, 4), Period: c.period, Width: ranges.Width(text),
		Transform: true, LCP: true}
	if c.wide {
		o.Packed = packings(len(text))
	}
	if c.grouped {
		defer ranges.GroupFrom(1, 64)()
	} else {
		defer ranges.MergeUpTo(0)()
		defer ranges.RunsFrom(0)()
	}
	if c.coded {
		defer ranges.CodeFrom(0)()
	}
	if c.wide {
		return suffixArray[uint64](ctx, s, text, o)
	}
	return suffixArray[uint32](ctx, s, text, o)
}

// All classes of the suite, in one range and in several, with small and large difference covers, and with positions of
// 64 bits.
func TestSuffixArray(t *testing.T) {
	settings := []setting{{5, 7, true, false, true}, {7, 73, false, false, false}, {2, 31, false, true, false}}
	devicetest.Composed(t, func(t *testing.T, e devicetest.Env) {
		suite := e.Suite
		suite.MaxExhaustive2, suite.MaxExhaustive3 = min(suite.MaxExhaustive2, 4), -1
		suite.PerSize, suite.Random, suite.Large = 1, min(suite.Random, 5), min(suite.Large, 3000)
		suite.Tile = 32
		for _, c := range settings {
			t.Run(c.String(), func(t *testing.T) {
				conformance.Run(t, conformance.SuffixArray(func(ctx context.Context, text []byte) ([]uint32, error) {
					sa, _, err := c.sort(ctx, e.Session, text)
					return sa, err
				}, suite))
			})
		}
	})
}

// The begins of texts in 2, 3, 7 and 64 ranges, on every implementation of OpenCL.
func TestParts(t *testing.T) {
	devicetest.Composed(t, func(t *testing.T, e devicetest.Env) {
		n := 4000
		if e.Suite.Large < 1<<16 {
			n = 600
		}
		texts := corpora.OrOpticks(t)
		texts["fibonacci"] = fibonacci(n) // of large groups, runs are merged
		for name, text := range texts {
			text = text[:min(n, len(text))]
			want := conformance.ReferenceSuffixArray(text)
			for k, parts := range []int{2, 3, 7, 64} {
				c := setting{parts, 31, k%2 == 0, false, false}
				got, sorted, err := c.sort(t.Context(), e.Session, text)
				require.NoError(t, err)
				require.Equal(t, want, got, "%s, %v", name, c)
				require.GreaterOrEqual(t, sorted, parts, name)
			}
		}
	})
}

// fibonacci is a text of n characters in which everything repeats.
func fibonacci(n int) []byte {
	a, b := []byte("a"), []byte("ab")
	for len(b) < n {
		a, b = b, slices.Concat(b, a)
	}
	return b[:n]
}

// versions is a text of n characters of copies with a change in each.
func versions(n int) []byte {
	rng := rand.New(rand.NewPCG(1, 2))
	one := make([]byte, n/20)
	for i := range one {
		one[i] = byte(rng.IntN(200))
	}
	var text []byte
	for len(text) < n {
		one[rng.IntN(len(one))]++
		text = append(text, one...)
	}
	return text[:n]
}

// degenerate are texts that repeat for long, some with the periods of the covers.
func degenerate(n int) map[string][]byte {
	period := func(p int) []byte {
		rng := rand.New(rand.NewPCG(uint64(p), 3))
		one := make([]byte, p)
		for i := range one {
			one[i] = "ab"[rng.IntN(2)]
		}
		return bytes.Repeat(one, n/p+1)[:n]
	}
	return map[string][]byte{
		"equal": bytes.Repeat([]byte{0}, n), "equal but the last": append(bytes.Repeat([]byte{0}, n-1), 1),
		"equal but the first": append([]byte{1}, bytes.Repeat([]byte{0}, n-1)...),
		"two equal halves":    bytes.Repeat(period(n/2), 2), "period 2": period(2), "period 73": period(73),
		"period 31": period(31), "period 146": period(146), "Fibonacci": fibonacci(n), "versions": versions(n),
	}
}

// Texts that tie for long are sorted in any number of ranges.
func TestDegenerate(t *testing.T) {
	devicetest.Native(t, func(t *testing.T, e devicetest.Env) {
		n := 4000
		if e.Suite.Large < 1<<16 {
			n = 700
		}
		for name, text := range degenerate(n) {
			want := conformance.ReferenceSuffixArray(text)
			for _, c := range []setting{{1, 31, false, false, false}, {2, 73, true, true, true},
				{7, 73, false, false, false}, {6, 31, false, true, true}, {50, 31, false, false, true}} {
				got, blocks, err := c.sort(t.Context(), e.Session, text)
				require.NoError(t, err, "%s, %v", name, c)
				require.Equal(t, want, got, "%s, %v", name, c)
				require.GreaterOrEqual(t, blocks, c.parts, "%s, %v", name, c)
				require.Less(t, blocks, 3*c.parts+2, "%s, %v", name, c)
			}
		}
	})
}

// copies is a text of random passages, each so often as a number says, of so many characters.
func copies(often []int, length int) (text []byte) {
	rng := rand.New(rand.NewPCG(uint64(length), 7))
	random := func(n int) []byte {
		b := make([]byte, n)
		for i := range b {
			b[i] = byte(rng.IntN(100))
		}
		return b
	}
	var parts [][]byte
	for _, many := range often {
		passage := random(length)
		for range many {
			parts = append(parts, slices.Concat(passage, random(1+rng.IntN(5))))
		}
	}
	rng.Shuffle(len(parts), func(i, j int) { parts[i], parts[j] = parts[j], parts[i] })
	return slices.Concat(parts...)
}

// Groups of sizes around the largest that a work-item sorts, which windows tell apart, and which ranks do: at the
// period, and far beyond.
func TestSmallGroups(t *testing.T) {
	var often []int
	for many := 1; many <= 2*ranges.MostSmall+1; many++ {
		often = append(often, many)
	}
	devicetest.Composed(t, func(t *testing.T, e devicetest.Env) {
		for _, length := range []int{6, 31, 60} {
			text := copies(often, length)
			want := conformance.ReferenceSuffixArray(text)
			for _, c := range []setting{{1, 7, false, false, false}, {1, 31, true, true, false}, {3, 73, false, true, false}} {
				got, _, err := c.sort(t.Context(), e.Session, text)
				require.NoError(t, err)
				require.Equal(t, want, got, "passages of %d, %v", length, c)
			}
		}
	})
}

// Wide characters and a long period take the most rounds of loops for a suffix that ties with both bounds. A list of
// all suffixes takes the most for a word. Some drivers end work-items that go round often (driver.Quirks, LongLoops).
func TestRounds(t *testing.T) {
	devicetest.Native(t, func(t *testing.T, e devicetest.Env) {
		for _, o := range []ranges.Options{{Capacity: 1300, Period: 273}, {Capacity: 40_000, Period: 7}} {
			text := make([]byte, 3*o.Capacity)
			if o.Period == 7 {
				text = text[:o.Capacity]
			} else {
				for b := range 200 {
					text[len(text)-1-b] = byte(b)
				}
			}
			o.Width = ranges.Width(text)
			got, _, err := suffixArray[uint32](t.Context(), e.Session, text, o)
			require.NoError(t, err)
			require.Equal(t, conformance.ReferenceSuffixArray(text), got, o.Period)
		}
	})
}

// A text that repeats itself gets a sample of a smaller period, whatever is wanted, and another keeps its own.
func TestDense(t *testing.T) {
	devicetest.Native(t, func(t *testing.T, e devicetest.Env) {
		repeated, other := copies([]int{12, 8}, 600), copies([]int{1, 1, 1, 1}, 600)
		for _, c := range []struct {
			text                  []byte
			period, dense, wanted int
		}{
			{repeated, 273, 31, 31}, {repeated, 133, 73, 73}, {repeated, 273, 0, 273}, {repeated, 31, 73, 31},
			{other, 273, 31, 273}, {bytes.Repeat([]byte{'a'}, 2000), 133, 31, 31},
		} {
			for _, capacity := range []int{200, 3000} {
				o := ranges.Options{Period: c.period, Dense: c.dense, Capacity: capacity, Transform: true, LCP: true}
				got, _, err := suffixArray[uint32](t.Context(), e.Session, c.text, o)
				require.NoError(t, err)
				require.Equal(t, conformance.ReferenceSuffixArray(c.text), got)
				_, _, err = suffixArray[uint64](t.Context(), e.Session, c.text, o)
				require.NoError(t, err)
			}
			p, err := ranges.New[uint32](e.Session, len(c.text), ranges.Options{Period: c.period, Dense: c.dense})
			require.NoError(t, err)
			require.Equal(t, c.period, p.Period())
			_, err = p.Run(t.Context(), c.text, ranges.Job[uint32]{Yield: func(ranges.Block[uint32]) error { return nil }})
			require.NoError(t, err)
			require.Equal(t, c.wanted, p.Period())
			require.Zero(t, e.Session.LiveBytes())
		}
	})
}

// Every width of characters, zero bytes and a text whose last characters are the least ones.
func TestWidths(t *testing.T) {
	devicetest.Native(t, func(t *testing.T, e devicetest.Env) {
		rng := rand.New(rand.NewPCG(5, 6))
		for _, sigma := range []int{1, 2, 3, 4, 5, 8, 9, 16, 17, 32, 33, 64, 65, 128, 129, 256} {
			text := make([]byte, 1000)
			for i := range text[:900] {
				text[i] = byte(rng.IntN(sigma) * (255 / max(sigma-1, 1)))
			}
			for _, coded := range []bool{false, true} {
				got, _, err := setting{3, 7, false, coded, coded}.sort(t.Context(), e.Session, text)
				require.NoError(t, err)
				require.Equal(t, conformance.ReferenceSuffixArray(text), got, sigma)
			}
		}
		require.Equal(t, 1, ranges.Width(nil))
		require.Equal(t, 2, ranges.Width([]byte("ACGT")))
		require.Equal(t, 3, ranges.Width([]byte("ACGTN")))
	})
}

// The plan is what is allocated, it keeps to the limit, and less memory makes more ranges.
func TestMemory(t *testing.T) {
	devicetest.Native(t, func(t *testing.T, e devicetest.Env) {
		text := fibonacci(30000)
		before := 0
		for _, limit := range []int64{4 << 20, 1 << 20, 500 << 10} {
			s, err := device.Open(device.Config{Selector: e.Caps().Name, MaxMemory: limit})
			require.NoError(t, err)
			p, err := ranges.New[uint32](s, len(text), ranges.Options{})
			require.NoError(t, err)
			require.Greater(t, p.Ranges(), before)
			before = p.Ranges()
			require.LessOrEqual(t, p.Memory().Device(), limit)
			peak := int64(0)
			_, err = p.Run(t.Context(), text, ranges.Job[uint32]{Yield: func(ranges.Block[uint32]) error {
				peak = max(peak, s.LiveBytes())
				return nil
			}})
			require.NoError(t, err)
			plan := p.Memory()
			require.Equal(t, plan[len(plan)-1].Device(), peak)
			require.Zero(t, s.LiveBytes())
			require.NoError(t, s.Close())
		}
	})
}

// What is not planned for is refused before anything is allocated.
func TestRefused(t *testing.T) {
	devicetest.Native(t, func(t *testing.T, e devicetest.Env) {
		s := e.Session
		_, err := ranges.New[uint32](s, limits.MaxLen+1, ranges.Options{})
		require.True(t, device.IsTooLarge(err), err)
		_, err = ranges.New[uint64](s, -1, ranges.Options{})
		require.Error(t, err)
		_, err = ranges.New[uint32](s, 100, ranges.Options{Period: 8})
		require.ErrorContains(t, err, "period 8")
		_, err = ranges.New[uint32](s, 100, ranges.Options{Width: 9})
		require.ErrorContains(t, err, "9 bits")
		_, err = ranges.New[uint32](s, 100, ranges.Options{Capacity: 3})
		require.ErrorContains(t, err, "ranges of 3")
		p, err := ranges.New[uint32](s, 5, ranges.Options{Capacity: 8, Width: 1})
		require.NoError(t, err)
		_, err = p.Run(t.Context(), []byte("abab"), ranges.Job[uint32]{})
		require.ErrorContains(t, err, "planned for 5")
		_, err = p.Run(t.Context(), []byte("abcde"), ranges.Job[uint32]{})
		require.ErrorContains(t, err, "3 bits")
		small, err := device.Open(device.Config{Selector: e.Caps().Name, MaxMemory: 100 << 10})
		require.NoError(t, err)
		defer small.Close()
		_, err = ranges.New[uint32](small, 1<<20, ranges.Options{})
		var memory *device.MemoryError
		require.ErrorAs(t, err, &memory)
	})
}

// An error of the caller, and a cancelled context, end a run; the next one works.
func TestStopped(t *testing.T) {
	devicetest.Native(t, func(t *testing.T, e devicetest.Env) {
		text := []byte("mississippi")
		p, err := ranges.New[uint32](e.Session, len(text), ranges.Options{Capacity: 4, Period: 7})
		require.NoError(t, err)
		full := errors.New("disk full")
		_, err = p.Run(t.Context(), text, ranges.Job[uint32]{Yield: func(ranges.Block[uint32]) error { return full }})
		require.ErrorIs(t, err, full)
		ctx, cancel := context.WithCancel(t.Context())
		_, err = p.Run(ctx, text, ranges.Job[uint32]{Yield: func(ranges.Block[uint32]) error { cancel(); return nil }})
		require.ErrorIs(t, err, context.Canceled)
		require.Zero(t, e.Session.LiveBytes())
		var sa []uint32
		_, err = p.Run(t.Context(), text, ranges.Job[uint32]{Yield: func(b ranges.Block[uint32]) error {
			sa = append(sa, b.Positions...)
			return nil
		}})
		require.NoError(t, err)
		require.Equal(t, conformance.ReferenceSuffixArray(text), sa)
	})
}

// A run that was stopped goes on from any state, and on several devices: the results are the same.
func TestResumed(t *testing.T) {
	devicetest.Native(t, func(t *testing.T, e devicetest.Env) {
		text := versions(3000)
		o := ranges.Options{Capacity: 400, Period: 7, Transform: true, LCP: true}
		p, err := ranges.New[uint32](e.Session, len(text), o)
		require.NoError(t, err)
		other, err := device.Open(device.Config{Selector: e.Caps().Name})
		require.NoError(t, err)
		defer other.Close()
		q, err := ranges.New[uint32](other, len(text), o)
		require.NoError(t, err)
		want := conformance.ReferenceSuffixArray(text)
		transform, primary := transformOf(text, want)
		shared := conformance.ReferenceLCP(text, want)
		var states []ranges.State
		stopped := errors.New("enough")
		for stop := 1; ; stop++ {
			var sa, lcp []uint32
			var got []byte
			job := ranges.Job[uint32]{Yield: func(b ranges.Block[uint32]) error {
				sa, got, lcp = append(sa, b.Positions...), append(got, b.Transform...), append(lcp, b.LCP...)
				return nil
			}, Saved: func(state ranges.State) error {
				if state.Done == stop {
					return stopped
				}
				return nil
			}}
			if stop%2 == 0 {
				job.Others = []*ranges.Sorter[uint32]{q}
			}
			state, err := p.Run(t.Context(), text, job)
			if err == nil {
				require.Equal(t, want, sa)
				require.Equal(t, transform, got)
				require.Equal(t, shared, lcp)
				break
			}
			require.ErrorIs(t, err, stopped)
			require.Equal(t, stop, state.Done)
			states = append(states, state)
			job.From, job.Saved = state, nil
			sa, got, lcp = sa[:state.First], got[:state.TransformLen()], lcp[:state.First]
			state, err = p.Run(t.Context(), text, job)
			require.NoError(t, err)
			require.Equal(t, primary, state.Primary)
			require.Equal(t, want, sa)
			require.Equal(t, transform, got)
			require.Equal(t, shared, lcp)
		}
		require.Greater(t, len(states), 5)
		require.Zero(t, e.Session.LiveBytes())
		require.Zero(t, other.LiveBytes())
		_, err = p.Run(t.Context(), text, ranges.Job[uint32]{From: ranges.State{Done: 3}})
		require.ErrorContains(t, err, "not a state")
		small, err := ranges.New[uint32](other, len(text)-1, o)
		require.NoError(t, err)
		_, err = p.Run(t.Context(), text, ranges.Job[uint32]{Others: []*ranges.Sorter[uint32]{small}})
		require.ErrorContains(t, err, "planned for")
	})
}

// Bounds are sorted by more characters than the depth of the sample, here by 66: two samples that agree in 58, and are
// both bounds of an interval that is divided, have one name.
func TestClassOfTwoBounds(t *testing.T) {
	residues := []int{0, 1, 3, 8, 12, 18} // of the cover of period 31
	devicetest.Native(t, func(t *testing.T, e devicetest.Env) {
		for _, seed := range []uint64{42, 54, 57, 58} {
			rng := rand.New(rand.NewPCG(seed, 9))
			random := func(n int) []byte {
				b := make([]byte, n)
				for i := range b {
					b[i] = "acgt"[rng.IntN(4)]
				}
				return b
			}
			block := random(58)
			i := 31*(75+rng.IntN(8)) + residues[rng.IntN(6)]
			j := 31*(i/31+3) + residues[rng.IntN(6)]
			text := slices.Concat(random(i), block, random(j-i-58), block, random(60+rng.IntN(100)))
			got, _, err := suffixArray[uint32](t.Context(), e.Session, text,
				ranges.Options{Capacity: 4, Period: 31, Width: 2})
			require.NoError(t, err)
			require.Equal(t, conformance.ReferenceSuffixArray(text), got)
		}
	})
}

// A state is that of whole ranges, also where a smaller device divides them and fails between the parts.
func TestStateOfDividedRanges(t *testing.T) {
	devicetest.Native(t, func(t *testing.T, e devicetest.Env) {
		text := versions(3000)
		want := conformance.ReferenceSuffixArray(text)
		stopped := errors.New("enough")
		run := func(capacity int, from ranges.State, ends func(blocks int) error, saved func(ranges.State) error) (
			sa []uint32, state ranges.State, err error) {
			o := ranges.Options{Capacity: capacity, Period: 7, Transform: true}
			p, err := ranges.New[uint32](e.Session, len(text), o)
			require.NoError(t, err)
			blocks := 0
			state, err = p.Run(t.Context(), text, ranges.Job[uint32]{From: from, Saved: saved,
				Yield: func(b ranges.Block[uint32]) error {
					sa = append(sa, b.Positions...)
					blocks++
					return ends(blocks)
				}})
			return sa, state, err
		}
		_, first, err := run(1200, ranges.State{}, func(int) error { return nil },
			func(ranges.State) error { return stopped })
		require.ErrorIs(t, err, stopped)
		require.Equal(t, 1, first.Done)
		_, state, err := run(300, first, func(blocks int) error {
			if blocks == 3 {
				return stopped
			}
			return nil
		}, nil)
		require.ErrorIs(t, err, stopped)
		require.Equal(t, first, state)
		rest, state, err := run(300, state, func(int) error { return nil }, nil)
		require.NoError(t, err)
		require.Equal(t, want[first.First:], rest)
		require.Equal(t, len(text), state.First)
	})
}
