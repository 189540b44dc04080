package radixsort_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/suffixcl/suffixcl/conformance"
	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/internal/testkit/devicetest"
	"github.com/suffixcl/suffixcl/internal/testkit/primitives"
	"github.com/suffixcl/suffixcl/radixsort"
)

func TestSortPairs(t *testing.T) {
	devicetest.Each(t, func(t *testing.T, e devicetest.Env) {
		t.Run("u32-u32", func(t *testing.T) { testPairs[uint32, uint32](t, e, nil) })
		t.Run("u32-u64", func(t *testing.T) { testPairs[uint32, uint64](t, e, nil) })
		t.Run("u64-u32", func(t *testing.T) { testPairs[uint64, uint32](t, e, nil) })
		t.Run("u64-u64", func(t *testing.T) { testPairs[uint64, uint64](t, e, nil) })
	})
}

func TestSortKeys(t *testing.T) {
	devicetest.Each(t, func(t *testing.T, e devicetest.Env) {
		t.Run("u32", func(t *testing.T) { testKeys[uint32](t, e) })
		t.Run("u64", func(t *testing.T) { testKeys[uint64](t, e) })
	})
}

func testPairs[K, V uint32 | uint64](t *testing.T, e devicetest.Env, defines device.Defines) {
	e.Suite.Tile = radixsort.SmallTile[K, V](e.Session, true)
	lessOnCPU[K, V](t, &e)
	conformance.Run(t, primitives.SortPairs(func(keys []K, values []V, lo, hi int) ([]K, []V, error) {
		p := radixsort.NewTemplate[K, V](e.Session, len(keys), device.Source{Defines: defines})
		return sort(t, e, p, keys, values, lo, hi)
	}, e.Suite))
}

// lessOnCPU: chunks are long there, and full in shorter inputs; one type goes through all
// inputs, and through tiles of GPUs.
func lessOnCPU[K, V uint32 | uint64](t *testing.T, e *devicetest.Env) {
	if e.Caps().Kind() == "gpu" {
		return
	}
	e.Suite.Large = min(e.Suite.Large, 1<<17)
	if any(K(0)) != any(uint32(0)) || any(V(0)) != any(uint32(0)) {
		e.Suite.PerSize = min(e.Suite.PerSize, 6)
		if e.FullTiles() {
			t.Skip("one type is enough")
		}
	}
}

func testKeys[K uint32 | uint64](t *testing.T, e devicetest.Env) {
	e.Suite.Tile = radixsort.SmallTile[K, uint32](e.Session, false)
	lessOnCPU[K, uint32](t, &e)
	conformance.Run(t, primitives.SortKeys(func(keys []K, lo, hi int) ([]K, error) {
		p := radixsort.NewKeys[K](e.Session, len(keys))
		sorted, _, err := sort(t, e, p, keys, nil, lo, hi)
		return sorted, err
	}, e.Suite))
}

// sort runs a plan on guarded buffers; values may be nil.
func sort[K, V uint32 | uint64](
	t *testing.T, e devicetest.Env, p *radixsort.Plan[K, V], keys []K, values []V, lo, hi int, args ...any,
) ([]K, []V, error) {
	n := len(keys)
	ws, guards := devicetest.Workspace(t, e.Session, p.Workspace())
	defer ws.Release()
	k := devicetest.NewPair(t, e.Session, keys)
	defer k.Release()
	var v *devicetest.Pair[V]
	var vp *radixsort.Pair[V]
	if values != nil {
		v = devicetest.NewPair(t, e.Session, values)
		defer v.Release()
		vp = &v.Pair
	}
	p.Run(ws, &k.Pair, vp, n, lo, hi, args...)
	if err := guards.Intact(); err != nil {
		return nil, nil, err
	}
	require.Equal(t, n > 0 && p.Passes(lo, hi)%2 == 1, k.Exchanged())
	sorted, err := k.Result()
	if err != nil || values == nil {
		return sorted, nil, err
	}
	require.Equal(t, k.Exchanged(), v.Exchanged())
	moved, err := v.Result()
	return sorted, moved, err
}

// A plan for n pairs sorts fewer, too, in the workspace it asked for.
func TestFewerThanPlanned(t *testing.T) {
	devicetest.Each(t, func(t *testing.T, e devicetest.Env) {
		const n = 1000
		p := radixsort.NewPairs[uint32, uint32](e.Session, n)
		for m := 0; m <= n; m += 37 {
			keys, values := make([]uint32, m), make([]uint32, m)
			for i := range keys {
				keys[i], values[i] = uint32(i*7919%101), uint32(i)
			}
			got, _, err := sort(t, e, p, keys, values, 0, 7)
			require.NoError(t, err)
			require.IsNonDecreasing(t, append([]uint32{0, 0}, got...))
		}
	})
}

// Wrong arguments are sticky errors, and nothing runs.
func TestBadArguments(t *testing.T) {
	devicetest.Native(t, func(t *testing.T, e devicetest.Env) {
		p := radixsort.NewPairs[uint32, uint32](e.Session, 10)
		b := devicetest.Guard[uint32](t, e.Session, 5)
		pair := radixsort.Pair[uint32]{Cur: b.Buffer, Alt: b.Buffer}
		ws, _ := devicetest.Workspace(t, e.Session, p.Workspace())
		for _, c := range []struct {
			n, lo, hi int
			values    *radixsort.Pair[uint32]
			want      string
		}{
			{11, 0, 32, &pair, "11 pairs, planned for 10"},
			{6, 0, 32, &pair, "6 keys in buffers of 5 and 5"},
			{5, 0, 33, &pair, "bits [0, 33) of a 32-bit key"},
			{5, -1, 3, &pair, "bits [-1, 3)"},
			{5, 0, 32, nil, "values"},
		} {
			p.Run(ws, &pair, c.values, c.n, c.lo, c.hi)
			require.ErrorContains(t, e.Err(), c.want)
			e.Recover()
		}
	})
}
