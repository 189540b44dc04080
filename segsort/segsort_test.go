package segsort_test

import (
	"cmp"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/suffixcl/suffixcl/conformance"
	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/internal/testkit/devicetest"
	"github.com/suffixcl/suffixcl/internal/testkit/primitives"
	"github.com/suffixcl/suffixcl/internal/tune"
	"github.com/suffixcl/suffixcl/internal/tuned"
	"github.com/suffixcl/suffixcl/radixsort"
	"github.com/suffixcl/suffixcl/segsort"
)

var strategies = []struct {
	name     string
	strategy segsort.Strategy
}{
	{"auto", segsort.Auto}, {"work-group", segsort.WorkGroup},
	{"global", segsort.Global}, {"block-merge", segsort.BlockMerge},
}

func TestSegmentedSort(t *testing.T) {
	devicetest.Each(t, func(t *testing.T, e devicetest.Env) {
		for _, c := range strategies {
			strategy := c.strategy
			t.Run(c.name, func(t *testing.T) {
				t.Run("u32-u32", func(t *testing.T) { testSort[uint32, uint32](t, e, strategy) })
				t.Run("u64-u32", func(t *testing.T) { testSort[uint64, uint32](t, e, strategy) })
				if strategy == segsort.Auto || strategy == segsort.BlockMerge {
					t.Run("u32-u64", func(t *testing.T) { testSort[uint32, uint64](t, e, strategy) })
					t.Run("u64-u64", func(t *testing.T) { testSort[uint64, uint64](t, e, strategy) })
				}
			})
		}
	})
}

func testSort[K, V uint32 | uint64](t *testing.T, e devicetest.Env, strategy segsort.Strategy) {
	if e.FullTiles() && (any(K(0)) != any(uint32(0)) || any(V(0)) != any(uint32(0))) {
		t.Skip("one type is enough")
	}
	shape := tuned.Of(e.Session).SegSort
	e.Suite.Tile = shape.GroupWG * shape.GroupItems
	if any(K(0)) == any(uint64(0)) {
		e.Suite.Tile = shape.GroupWG * shape.GroupItems64
	}
	if !e.Caps().CPUShape {
		e.Suite.Tile /= 2
	}
	e.Suite.PerSize, e.Suite.Large = min(e.Suite.PerSize, 12), min(e.Suite.Large, 1<<17)
	conformance.Run(t, primitives.SegmentedSort(func(keys []K, values []V, heads []bool) ([]K, []V, error) {
		p, err := segsort.New[K, V](e.Session, len(keys), segsort.Options{Strategy: strategy})
		if err != nil {
			return nil, nil, err
		}
		return sort(t, e, p, keys, values, bitmap(heads))
	}, e.Suite))
}

// Segments of lengths around every small number of blocks, next to short ones.
func TestBlocks(t *testing.T) {
	devicetest.Each(t, func(t *testing.T, e devicetest.Env) {
		q := tuned.Of(e.Session).SegSort
		t.Run("u32-u32", func(t *testing.T) { testBlocks[uint32, uint32](t, e, q.Block) })
		t.Run("u64-u64", func(t *testing.T) { testBlocks[uint64, uint64](t, e, q.Block64) })
	})
}

func testBlocks[K, V uint32 | uint64](t *testing.T, e devicetest.Env, shape tune.SegBlock) {
	block, maxBlocks := shape.WG*shape.Items, 9
	if block > 100 {
		maxBlocks = 3
	}
	var starts []int // and the end
	n := 0
	for m := 1; m <= maxBlocks; m++ {
		for _, length := range []int{m*block - 1, 1, m * block, m*block + 1, 3} {
			starts = append(starts, n)
			n += length
		}
	}
	starts = append(starts, n)
	for name, key := range map[string]func(i int) K{
		"equal":    func(int) K { return 7 },
		"sorted":   func(i int) K { return K(i) },
		"reversed": func(i int) K { return ^K(i) },
		"bits":     func(i int) K { return K(i * 7 % 2) },
		"random":   func(i int) K { return K(uint64(i) * 0x9e3779b97f4a7c15 >> 20) },
	} {
		keys, values, heads := make([]K, n), make([]V, n), make([]bool, n)
		for i := range keys {
			keys[i], values[i] = key(i), V(i)
		}
		want := slices.Clone(values)
		for s, start := range starts[:len(starts)-1] {
			heads[start] = true
			slices.SortStableFunc(want[start:starts[s+1]], func(a, b V) int { return cmp.Compare(keys[a], keys[b]) })
		}
		p, err := segsort.New[K, V](e.Session, n, segsort.Options{Strategy: segsort.BlockMerge})
		require.NoError(t, err)
		gotKeys, gotValues, err := sort(t, e, p, keys, values, bitmap(heads))
		require.NoError(t, err)
		require.True(t, slices.Equal(want, gotValues), name)
		for i, v := range want {
			if gotKeys[i] != keys[v] {
				t.Fatalf("%s: key %d is that of another pair", name, i)
			}
		}
	}
}

// With a promise that needs few rounds of merges there is no memory for a global sort.
func TestMemory(t *testing.T) {
	devicetest.Native(t, func(t *testing.T, e devicetest.Env) {
		const n = 1 << 20
		bytes := func(o segsort.Options) int64 {
			p, err := segsort.New[uint32, uint32](e.Session, n, o)
			require.NoError(t, err)
			return p.Workspace().Bytes()
		}
		require.Less(t, bytes(segsort.Options{Strategy: segsort.BlockMerge}), int64(n))
		require.Greater(t, bytes(segsort.Options{Strategy: segsort.Global}), int64(24*n))
		if !e.Caps().CPUShape {
			require.Less(t, bytes(segsort.Options{Lean: true}), int64(n))
		}
		if b := tuned.Of(e.Session).SegSort.Block; b.Rounds > 0 {
			require.Less(t, bytes(segsort.Options{Longest: b.WG * b.Items << b.Rounds}), int64(n))
		}
	})
}

// bitmap of heads; bit 0 and those after the end are what they should not be.
func bitmap(heads []bool) []uint32 {
	words := make([]uint32, segsort.HeadWords(len(heads)))
	for i, h := range heads {
		if h && i > 0 {
			words[i/32] |= 1 << (i % 32)
		}
	}
	for i := len(heads); i%32 != 0; i += 2 {
		words[i/32] |= 1 << (i % 32)
		if i%32 == 31 {
			break
		}
	}
	return words
}

// sort runs a plan on guarded buffers.
func sort[K, V uint32 | uint64](
	t *testing.T, e devicetest.Env, p *segsort.Plan[K, V], keys []K, values []V, heads []uint32,
) ([]K, []V, error) {
	n := len(keys)
	ws, guards := devicetest.Workspace(t, e.Session, p.Workspace())
	defer ws.Release()
	k, v := devicetest.NewPair(t, e.Session, keys), devicetest.NewPair(t, e.Session, values)
	h := devicetest.From(t, e.Session, heads)
	defer k.Release()
	defer v.Release()
	p.Run(ws, &k.Pair, &v.Pair, h.Buffer, n)
	if err := guards.Intact(); err != nil {
		return nil, nil, err
	}
	require.Equal(t, n > 0, k.Exchanged())
	require.Equal(t, n > 0, v.Exchanged())
	sorted, err := k.Result()
	if err != nil {
		return nil, nil, err
	}
	moved, err := v.Result()
	return sorted, moved, err
}

// With a promise there is no global sort, no workspace, and nothing to wait for.
func TestLongest(t *testing.T) {
	devicetest.Each(t, func(t *testing.T, e devicetest.Env) {
		for _, length := range []int{1, 7, 49, 50, 64, 80} {
			n := 1000
			keys, values, heads := make([]uint32, n), make([]uint32, n), make([]bool, n)
			for i := range keys {
				keys[i], values[i], heads[i] = uint32(i*7919%13), uint32(i), i%length == 0
			}
			p, err := segsort.New[uint32, uint32](e.Session, n, segsort.Options{Longest: length})
			require.NoError(t, err)
			if length <= 64 {
				require.Empty(t, p.Workspace())
			}
			whole, err := segsort.New[uint32, uint32](e.Session, n, segsort.Options{Strategy: segsort.Global})
			require.NoError(t, err)
			gotKeys, gotValues, err := sort(t, e, p, keys, values, bitmap(heads))
			require.NoError(t, err)
			wantKeys, wantValues, err := sort(t, e, whole, keys, values, bitmap(heads))
			require.NoError(t, err)
			require.Equal(t, wantKeys, gotKeys, "length %d", length)
			require.Equal(t, wantValues, gotValues, "length %d", length)
		}
	})
}

func TestHeads(t *testing.T) {
	devicetest.Each(t, func(t *testing.T, e devicetest.Env) {
		h := segsort.NewHeads(e.Session)
		for _, n := range []int{0, 1, 31, 32, 33, 1000} {
			want := make([]uint32, segsort.HeadWords(n))
			flags, offsets := make([]uint8, n), []uint32{}
			for i := 0; i < n; i += 1 + i%40 {
				want[i/32] |= 1 << (i % 32)
				flags[i] = uint8(i | 1)
				offsets = append(offsets, uint32(i), uint32(i)) // an empty segment, too
			}
			offsets = append(offsets, uint32(n))
			f, o := devicetest.From(t, e.Session, flags), devicetest.From(t, e.Session, offsets)
			for _, make := range []func(heads *device.Buffer[uint32]){
				func(heads *device.Buffer[uint32]) { h.FromFlags(heads, f.Buffer, n) },
				func(heads *device.Buffer[uint32]) { h.FromOffsets(heads, o.Buffer, len(offsets), n) },
			} {
				got := devicetest.Guard[uint32](t, e.Session, len(want))
				make(got.Buffer)
				words, err := got.Slice()
				require.NoError(t, err)
				require.Equal(t, want, words)
			}
		}
	})
}

// Wrong arguments are sticky errors, and nothing runs.
func TestBadArguments(t *testing.T) {
	devicetest.Native(t, func(t *testing.T, e devicetest.Env) {
		p, err := segsort.New[uint32, uint32](e.Session, 70, segsort.Options{})
		require.NoError(t, err)
		five, many := devicetest.Guard[uint32](t, e.Session, 5).Buffer, devicetest.Guard[uint32](t, e.Session, 80).Buffer
		small, large := radixsort.Pair[uint32]{Cur: many, Alt: five}, radixsort.Pair[uint32]{Cur: many, Alt: many}
		ws, _ := devicetest.Workspace(t, e.Session, p.Workspace())
		for _, c := range []struct {
			keys, values radixsort.Pair[uint32]
			words, n     int
			want         string
		}{
			{large, large, 5, 71, "71 pairs, planned for 70"},
			{small, large, 5, 6, "6 keys in buffers of 80 and 5"},
			{large, small, 5, 6, "6 values in buffers of 80 and 5"},
			{large, large, 2, 65, "heads of 65 items in a bitmap of 2 words"},
			{large, large, 2, -1, "-1 pairs"},
		} {
			p.Run(ws, &c.keys, &c.values, many.View(0, c.words), c.n)
			require.ErrorContains(t, e.Err(), c.want)
			e.Recover()
		}
		_, err = segsort.New[uint32, uint32](e.Session, 1<<32, segsort.Options{})
		require.Error(t, err)
		_, err = segsort.New[uint32, uint32](e.Session, 1, segsort.Options{Strategy: 99})
		require.ErrorContains(t, err, "strategy")
	})
}
