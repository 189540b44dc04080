package dc3_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/internal/dc3"
	"github.com/suffixcl/suffixcl/internal/testkit/devicetest"
)

// symbols of a text and, after it, of its end.
func triplet(text []uint32, i int) (t [3]uint32) {
	for k := range t {
		if i+k < len(text) {
			t[k] = text[i+k]
		}
	}
	return t
}

// position of suffix j of S12.
func position(p dc3.Split, j uint32) int {
	if int(j) < p.S0 {
		return 3*int(j) + 1
	}
	return 3*(int(j)-p.S0) + 2
}

func buffer[T device.Element](t *testing.T, s *device.Session, n int) *device.Buffer[T] {
	return devicetest.Guard[T](t, s, n).Buffer
}

func slice[T device.Element](t *testing.T, b *device.Buffer[T], n int) []T {
	host := make([]T, n)
	require.NoError(t, b.View(0, n).Download(context.Background(), host, nil))
	return host
}

// The pieces of a level, one by one, with symbols of as many bits as take one sort, two
// and three, and the ranks that prefix doubling continues from.
func TestStep(t *testing.T) {
	devicetest.Composed(t, func(t *testing.T, e devicetest.Env) {
		for _, o := range []dc3.StepOptions{{}, {Slots: true}, {DeoKeely: true}} {
			step := dc3.NewStep[uint32](e.Session, 500, o)
			for i, bits := range []int{1, 8, 10, 11, 16, 17, 21, 22, 24, 27, 32} {
				n := 400 + i%3
				t.Run(fmt.Sprintf("%+v, %d bits, %d symbols", o, bits, n), func(t *testing.T) {
					testStep(t, e.Session, step, bits, n, o.Slots)
				})
			}
		}
	})
}

func testStep(t *testing.T, s *device.Session, step *dc3.Step[uint32], bits, n int, slots bool) {
	random := rand.New(rand.NewPCG(uint64(bits), uint64(n)))
	alphabet := make([]uint32, 7) // some triplets are equal
	for i := range alphabet {
		alphabet[i] = max(random.Uint32()>>(32-bits), 1)
	}
	text := make([]uint32, n)
	for i := range text {
		text[i] = alphabet[random.IntN(len(alphabet))]
	}
	ws, guards := devicetest.Workspace(t, s, step.Workspace())
	p := dc3.SplitOf(n)
	in := devicetest.From(t, s, text).Buffer
	sa12 := buffer[uint32](t, s, p.S12)
	keys := dc3.Pair{Cur: buffer[uint32](t, s, p.S12), Alt: buffer[uint32](t, s, p.S12)}
	order := dc3.Pair{Cur: sa12, Alt: buffer[uint32](t, s, p.S12)}

	step.SortSample(ws, in, bits, &keys, &order)
	sample := slice(t, sa12, p.S12)
	compare := func(a, b uint32) int {
		x, y := triplet(text, position(p, a)), triplet(text, position(p, b))
		return slices.Compare(x[:], y[:])
	}
	require.True(t, slices.IsSortedFunc(sample, compare))
	sorted := slices.Sorted(slices.Values(sample))
	for j := range sorted {
		require.EqualValues(t, j, sorted[j])
	}

	flags, distinct := buffer[uint8](t, s, p.S12), buffer[uint32](t, s, 1)
	step.Heads(in, bits, keys.Cur, sa12, flags, distinct)
	want, ranks := make([]uint32, p.S12), buffer[uint32](t, s, p.S12)
	heads, count, rank := slice(t, flags, p.S12), uint32(0), uint32(0)
	for i, j := range sample {
		head := i == 0 || compare(sample[i-1], j) != 0
		require.Equal(t, head, heads[i] == 1, "place %d", i)
		if head {
			count++
			rank = count
			if slots {
				rank = uint32(i) + 1
			}
		}
		want[j] = rank
	}
	require.Equal(t, count, slice(t, distinct, 1)[0])
	require.Less(t, int(count), p.S12)
	scratch := dc3.Pair{Cur: keys.Cur, Alt: order.Alt}
	step.Rank(ws, flags, sa12, ranks, scratch)
	require.Equal(t, want, slice(t, ranks, p.S12))

	// The sample, sorted by other means.
	suffix := func(a, b uint32) int { return slices.Compare(text[position(p, a):], text[position(p, b):]) }
	slices.SortFunc(sample, suffix)
	require.NoError(t, sa12.Upload(context.Background(), sample, nil))
	step.StoreRanks(ws, sa12, ranks, scratch)
	for i, j := range sample {
		want[j] = uint32(i) + 1
	}
	require.Equal(t, want, slice(t, ranks, p.S12))
	step.FromRanks(ranks, sa12)
	require.Equal(t, sample, slice(t, sa12, p.S12))
	s0, kept := dc3.Pair{Cur: buffer[uint32](t, s, p.S0), Alt: buffer[uint32](t, s, p.S0)}, buffer[uint64](t, s, 1)
	step.InduceS0(ws, in, bits, sa12, ranks, &keys, &s0, kept)
	sa := devicetest.Guard[uint32](t, s, n)
	step.Merge(ws, in, sa12, s0.Cur, ranks, sa.Buffer)
	got, err := sa.Slice()
	require.NoError(t, err)
	require.NoError(t, guards.Intact())
	all := make([]uint32, n)
	for i := range all {
		all[i] = uint32(i)
	}
	slices.SortFunc(all, func(a, b uint32) int { return slices.Compare(text[a:], text[b:]) })
	require.Equal(t, all, got)
}
