package ranges_test

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/suffixcl/suffixcl/conformance"
	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/internal/ranges"
	"github.com/suffixcl/suffixcl/internal/testkit/devicetest"
)

// someOf are entries of some positions of n: stretches at random, of which one in four has all.
func someOf(rng *rand.Rand, n int, every uint64) *ranges.Entries {
	e := &ranges.Entries{Bits: 33 + rng.IntN(24), Every: every}
	for k := range 1 + rng.IntN(6) {
		from := min(k, 1) * rng.IntN(n)
		only := rng.Uint64N(every)
		if rng.IntN(4) == 0 {
			only = every + rng.Uint64N(2)*math.MaxUint32
		}
		e.From, e.Only = append(e.From, uint64(from)), append(e.Only, only)
		e.Add = append(e.Add, uint64(k)<<min(e.Bits-3, 40))
	}
	slices.Sort(e.From)
	return e
}

// entriesOf are the entries of a suffix array, by their definition.
func entriesOf(e *ranges.Entries, sa []uint32) (values []uint64) {
	for _, position := range sa {
		i, stretch := uint64(position), 0
		for k, from := range e.From {
			if from <= i {
				stretch = k
			}
		}
		if e.Only[stretch] >= e.Every || i%e.Every == e.Only[stretch] {
			values = append(values, (i+e.Add[stretch])&(1<<e.Bits-1))
		}
	}
	return values
}

// valuesOf are n packed entries, bit by bit.
func valuesOf(bits int, packed []byte, n int) (values []uint64) {
	for at := 0; at < n*bits; at++ {
		if at%bits == 0 {
			values = append(values, 0)
		}
		values[at/bits] |= uint64(packed[at/8]>>(at%8)&1) << (at % bits)
	}
	return values
}

// gathered are the entries of all blocks, and what comes with them.
type gathered struct {
	values    []uint64
	suffixes  int
	empty     int // blocks without an entry
	transform []byte
	lcp       []uint32
	blocks    int
}

// take is Job.Yield.
func take[P uint32 | uint64](g *gathered, e *ranges.Entries, b ranges.Block[P]) error {
	if b.First != g.suffixes || b.Len == 0 || b.Entries > b.Len || len(b.Packed) != e.Bytes(b.Entries) {
		return fmt.Errorf("a block of %d suffixes at %d, %d entries in %d bytes", b.Len, b.First, b.Entries, len(b.Packed))
	}
	g.suffixes += b.Len
	g.blocks++
	if b.Entries == 0 {
		g.empty++
	}
	g.values = append(g.values, valuesOf(e.Bits, b.Packed, b.Entries)...)
	g.transform = append(g.transform, b.Transform...)
	for _, l := range b.LCP {
		g.lcp = append(g.lcp, uint32(l))
	}
	return nil
}

// gather sorts a text for entries of some positions, stopping after some ranges where it is told to, and on other
// devices, too.
func gather[P uint32 | uint64](
	t *testing.T, s *device.Session, text []byte, o ranges.Options, stops bool, others ...*device.Session,
) (g gathered, p *ranges.Sorter[P]) {
	t.Helper()
	p, err := ranges.New[P](s, len(text), o)
	require.NoError(t, err)
	var job ranges.Job[P]
	for _, other := range others {
		q, err := ranges.New[P](other, len(text), o)
		require.NoError(t, err)
		job.Others = append(job.Others, q)
	}
	stopped := errors.New("enough")
	job.Yield = func(b ranges.Block[P]) error { return take(&g, o.Packed, b) }
	if stops {
		job.Saved = func(state ranges.State) error {
			require.Equal(t, g.suffixes, state.First)
			return stopped
		}
	}
	for {
		state, err := p.Run(t.Context(), text, job)
		if err == nil {
			require.Equal(t, len(text), state.First)
			return g, p
		}
		require.ErrorIs(t, err, stopped)
		job.From = state
	}
}

// Some of the positions, of texts in one range and in many, each of one block or of several.
func TestEvery(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 8))
	devicetest.Composed(t, func(t *testing.T, e devicetest.Env) {
		n, empty, several := 1300, 0, 0
		for turn, every := range []uint64{2, 3, 4, 5, 6, 7, 64, 1 << 16} {
			for _, parts := range []int{1, 3, 20} {
				text := copies([]int{1, 3, 9}, 5*turn+1)
				for len(text) < n {
					text = append(text, "abcd"[rng.IntN(4)])
				}
				text = text[:n-rng.IntN(70)]
				want := conformance.ReferenceSuffixArray(text)
				of := someOf(rng, len(text), every)
				o := ranges.Options{Width: ranges.Width(text), Capacity: ranges.CapacityOf(len(text), parts), Period: 7,
					Packed: of}
				if turn%2 == 0 {
					o.Transform, o.LCP = true, true
				}
				end := ranges.BlocksOf([]int{1 << 20, 8, 100}[(turn+parts)%3])
				var got gathered
				var sorted int
				if turn%3 == 0 {
					g, p := gather[uint32](t, e.Session, text, o, turn%2 > 0)
					got, sorted = g, p.Sorted()
				} else {
					g, p := gather[uint64](t, e.Session, text, o, turn%2 > 0)
					got, sorted = g, p.Sorted()
				}
				end()
				require.Equal(t, entriesOf(of, want), got.values, "%d ranges, %+v", parts, of)
				require.Equal(t, len(text), got.suffixes)
				if o.LCP {
					transform, _ := transformOf(text, want)
					require.Equal(t, transform, got.transform)
					require.Equal(t, conformance.ReferenceLCP(text, want), got.lcp)
					require.GreaterOrEqual(t, sorted, parts)
					several += got.blocks - sorted
				}
				empty += got.empty
			}
		}
		require.Positive(t, empty)
		require.Positive(t, several)
	})
}

// Texts that repeat for long, of which a period in memory is no reason to leave the device, lists of several ranges,
// and two devices.
func TestEveryDegenerate(t *testing.T) {
	defer ranges.PeriodicFrom(1)()
	rng := rand.New(rand.NewPCG(5, 8))
	devicetest.Native(t, func(t *testing.T, e devicetest.Env) {
		other, err := device.Open(device.Config{Selector: e.Caps().Name})
		require.NoError(t, err)
		defer other.Close()
		defer ranges.GroupFrom(1, 64)()
		for name, text := range degenerate(700) {
			of := someOf(rng, len(text), 3)
			o := ranges.Options{Width: ranges.Width(text), Capacity: 200, Period: 31, Packed: of}
			want := entriesOf(of, conformance.ReferenceSuffixArray(text))
			got, _ := gather[uint32](t, e.Session, text, o, false, other)
			require.Equal(t, want, got.values, name)
			o.Transform = true
			got, _ = gather[uint64](t, e.Session, text, o, false)
			require.Equal(t, want, got.values, name)
			o.NoPositions, o.Packed = true, &ranges.Entries{Bits: 8, Every: 3, From: of.From, Add: of.Add, Only: of.Only}
			got, _ = gather[uint32](t, e.Session, text, o, false)
			require.Empty(t, got.values)
		}
		require.Zero(t, e.Session.LiveBytes())
		require.Zero(t, other.LiveBytes())
	})
}

// The plan of some of the positions is what is allocated, and has no more for a suffix than that of all.
func TestEveryMemory(t *testing.T) {
	devicetest.Native(t, func(t *testing.T, e devicetest.Env) {
		text := fibonacci(30_000)
		all := &ranges.Entries{Bits: 33, From: []uint64{0}, Add: []uint64{1}}
		some := &ranges.Entries{Bits: 33, From: []uint64{0}, Add: []uint64{1}, Every: 3, Only: []uint64{1}}
		o := ranges.Options{Capacity: 10_000, Packed: all}
		whole, err := ranges.New[uint64](e.Session, len(text), o)
		require.NoError(t, err)
		o.Packed = some
		p, err := ranges.New[uint64](e.Session, len(text), o)
		require.NoError(t, err)
		peak := int64(0)
		_, err = p.Run(t.Context(), text, ranges.Job[uint64]{Yield: func(ranges.Block[uint64]) error {
			peak = max(peak, e.Session.LiveBytes())
			return nil
		}})
		require.NoError(t, err)
		plan := p.Memory()
		require.Equal(t, plan[len(plan)-1].Device(), peak)
		require.LessOrEqual(t, plan.Device(), whole.Memory().Device()+1<<10)
		require.Equal(t, whole.Memory().Host(), plan.Host())
	})
}

// Entries of some positions have places in the order of blocks alone; each has to be in a stretch.
func TestEveryRefused(t *testing.T) {
	devicetest.Native(t, func(t *testing.T, e devicetest.Env) {
		some := &ranges.Entries{Bits: 33, Every: 3}
		_, err := ranges.New[uint32](e.Session, 100, ranges.Options{Packed: some})
		require.ErrorContains(t, err, "without the stretches")
		some.Every = 1<<28 + 1
		_, err = ranges.New[uint32](e.Session, 100, ranges.Options{Packed: some})
		require.ErrorContains(t, err, "268435456 at most")
		some.Every = 3
		some.From, some.Add, some.Only = []uint64{0}, []uint64{0}, []uint64{1}
		p, err := ranges.New[uint32](e.Session, 6, ranges.Options{Packed: some})
		require.NoError(t, err)
		job := ranges.Job[uint32]{Yield: func(ranges.Block[uint32]) error { return nil }, Anywhere: true}
		_, err = p.Run(t.Context(), []byte("banana"), job)
		require.ErrorContains(t, err, "no places in any order")
	})
}

// Positions as large as a suffix array in one piece has them, of which one in any number is kept.
func TestPacker(t *testing.T) {
	rng := rand.New(rand.NewPCG(6, 8))
	devicetest.Native(t, func(t *testing.T, e devicetest.Env) {
		for _, every := range []uint64{1, 2, 3, 7, 1000, 1<<16 - 1, 1 << 16, 1<<28 - 3, 1 << 28} {
			of := someOf(rng, math.MaxInt32, every)
			sa := make([]uint32, 500)
			for i := range sa {
				stretch := rng.IntN(len(of.Only))
				multiple := (math.MaxUint32 - of.Only[stretch]%every) / every
				sa[i] = uint32(rng.Uint64N(multiple+1)*every + of.Only[stretch]%every + rng.Uint64N(2))
			}
			p, err := ranges.NewPacker(e.Session, of, 300)
			require.NoError(t, err)
			require.NoError(t, p.Layout().Allocate(e.Session))
			p.Begin()
			from := devicetest.From(t, e.Session, sa)
			for first := 0; first < len(sa); first += 250 {
				packed, n, err := p.Pack(from.Buffer, first, 250, first/250)
				require.NoError(t, err)
				words := make([]uint32, packed.Len())
				if n > 0 {
					require.NoError(t, packed.Read(words))
				}
				var b []byte
				for _, w := range words {
					b = binary.LittleEndian.AppendUint32(b, w)
				}
				require.Equal(t, entriesOf(of, sa[first:first+250]), valuesOf(of.Bits, b, n), every)
			}
			p.Layout().Release(e.Session)
		}
	})
}
