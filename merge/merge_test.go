package merge_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/suffixcl/suffixcl/conformance"
	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/internal/testkit/devicetest"
	"github.com/suffixcl/suffixcl/internal/testkit/primitives"
	"github.com/suffixcl/suffixcl/internal/tuned"
	"github.com/suffixcl/suffixcl/merge"
)

func TestMergePairs(t *testing.T) {
	devicetest.Each(t, func(t *testing.T, e devicetest.Env) {
		t.Run("u32-u32", func(t *testing.T) { testPairs[uint32, uint32](t, e) })
		t.Run("u32-u64", func(t *testing.T) { testPairs[uint32, uint64](t, e) })
		t.Run("u64-u32", func(t *testing.T) { testPairs[uint64, uint32](t, e) })
		t.Run("u64-u64", func(t *testing.T) { testPairs[uint64, uint64](t, e) })
	})
}

func TestMergeKeys(t *testing.T) {
	devicetest.Each(t, func(t *testing.T, e devicetest.Env) {
		t.Run("u32", func(t *testing.T) { testKeys[uint32](t, e) })
		t.Run("u64", func(t *testing.T) { testKeys[uint64](t, e) })
	})
}

// suite is sized for the merge: the large inputs have all patterns, the sizes around
// a tile a few each.
func suite[K uint32 | uint64](e devicetest.Env) conformance.Config {
	shape := tuned.Of(e.Session).Merge
	e.Suite.Tile = shape.WG * shape.Items
	if any(K(0)) == any(uint64(0)) {
		e.Suite.Tile = shape.WG * shape.Items64
	}
	e.Suite.PerSize, e.Suite.Large = min(e.Suite.PerSize, 20), min(e.Suite.Large, 1<<18)
	return e.Suite
}

func testPairs[K, V uint32 | uint64](t *testing.T, e devicetest.Env) {
	conformance.Run(t, primitives.MergePairs(func(aKeys []K, aValues []V, bKeys []K, bValues []V) ([]K, []V, error) {
		p := merge.NewPairs[K, V](e.Session, len(aKeys)+len(bKeys))
		return run(t, e, p, aKeys, aValues, bKeys, bValues, true)
	}, suite[K](e)))
}

func testKeys[K uint32 | uint64](t *testing.T, e devicetest.Env) {
	conformance.Run(t, primitives.MergeKeys(func(a, b []K) ([]K, error) {
		p := merge.NewKeys[K](e.Session, len(a)+len(b))
		keys, _, err := run(t, e, p, a, nil, b, nil, false)
		return keys, err
	}, suite[K](e)))
}

// run merges in guarded buffers.
func run[K, V uint32 | uint64](
	t *testing.T, e devicetest.Env, p *merge.Plan[K, V], aKeys []K, aValues []V, bKeys []K, bValues []V, values bool,
) ([]K, []V, error) {
	ws, guards := devicetest.Workspace(t, e.Session, p.Workspace())
	defer ws.Release()
	n := len(aKeys) + len(bKeys)
	ak, bk := devicetest.From(t, e.Session, aKeys), devicetest.From(t, e.Session, bKeys)
	k := devicetest.Guard[K](t, e.Session, n)
	defer ak.Release()
	defer bk.Release()
	defer k.Release()
	a, b, out := merge.Pairs[K, V]{Keys: ak.Buffer}, merge.Pairs[K, V]{Keys: bk.Buffer}, merge.Pairs[K, V]{Keys: k.Buffer}
	var v *devicetest.Guarded[V]
	if values {
		av, bv := devicetest.From(t, e.Session, aValues), devicetest.From(t, e.Session, bValues)
		v = devicetest.Guard[V](t, e.Session, n)
		defer av.Release()
		defer bv.Release()
		defer v.Release()
		a.Values, b.Values, out.Values = av.Buffer, bv.Buffer, v.Buffer
	}
	p.Run(ws, a, b, out, len(aKeys), len(bKeys))
	if err := guards.Intact(); err != nil {
		return nil, nil, err
	}
	keys, err := k.Slice()
	if err != nil || !values {
		return keys, nil, err
	}
	moved, err := v.Slice()
	return keys, moved, err
}

// The elements of a template are positions, which another array puts in order, and
// they come from a formula: what skew's merge does.
func TestTemplate(t *testing.T) {
	devicetest.Each(t, func(t *testing.T, e devicetest.Env) {
		const na, nb = 333, 167
		m := merge.NewTemplate(e.Session, na+nb,
			merge.TemplateOptions{ElementBytes: 4, Source: device.Source{Defines: device.Defines{
				"E":                                "uint",
				"MERGE_PARAMS":                     ", __global const uint *rank, __global uint *out",
				"MERGE_LOAD_A(i)":                  "(2 * (uint)(i))",
				"MERGE_LOAD_B(i)":                  "(2 * (uint)(i) + 1)",
				"MERGE_LESS(b, a)":                 "(rank[b] < rank[a])",
				"MERGE_FROM":                       1,
				"MERGE_STORE(to, x, from_b, from)": "out[to] = (x) << 16 | ((from_b) ? 1u << 15 : 0u) | (uint)(from)",
			}}})
		rank := make([]uint32, 2*na)
		for i := range na {
			rank[2*i] = uint32(i * i / 10)
		}
		for i := range nb {
			rank[2*i+1] = uint32(i*i/3 + 5)
		}
		ws, _ := devicetest.Workspace(t, e.Session, m.Workspace())
		ranks, out := devicetest.From(t, e.Session, rank), devicetest.Guard[uint32](t, e.Session, na+nb)
		m.Run(ws, na, nb, 8, ranks.Buffer, out.Buffer)
		got, err := out.Slice()
		require.NoError(t, err)
		var want []uint32
		for i, j := 0, 0; i < na || j < nb; {
			if i == na || j < nb && rank[2*j+1] < rank[2*i] {
				want = append(want, uint32(2*j+1)<<16|1<<15|uint32(j))
				j++
			} else {
				want = append(want, uint32(2*i)<<16|uint32(i))
				i++
			}
		}
		require.Equal(t, want, got)
	})
}

// A plan merges fewer than planned, in any proportion, in the workspace it asked for.
func TestFewerThanPlanned(t *testing.T) {
	devicetest.Each(t, func(t *testing.T, e devicetest.Env) {
		const n = 500
		p := merge.NewKeys[uint32](e.Session, n)
		for m := 0; m <= n; m += 97 {
			a, b := make([]uint32, m), make([]uint32, n-m-n%7)
			for i := range a {
				a[i] = uint32(3 * i)
			}
			for i := range b {
				b[i] = uint32(5 * i)
			}
			got, _, err := run(t, e, p, a, nil, b, nil, false)
			require.NoError(t, err)
			require.IsNonDecreasing(t, append([]uint32{0, 0}, got...))
		}
	})
}

// Wrong arguments are sticky errors, and nothing runs.
func TestBadArguments(t *testing.T) {
	devicetest.Native(t, func(t *testing.T, e devicetest.Env) {
		p := merge.NewPairs[uint32, uint32](e.Session, 10)
		five, twenty := devicetest.Guard[uint32](t, e.Session, 5).Buffer, devicetest.Guard[uint32](t, e.Session, 20).Buffer
		small := merge.Pairs[uint32, uint32]{Keys: five, Values: five}
		large := merge.Pairs[uint32, uint32]{Keys: twenty, Values: twenty}
		ws, _ := devicetest.Workspace(t, e.Session, p.Workspace())
		for _, c := range []struct {
			a, b, out merge.Pairs[uint32, uint32]
			na, nb    int
			want      string
		}{
			{large, large, large, 6, 5, "6 and 5 elements, planned for 10"},
			{small, large, large, 6, 1, "6 first keys in a buffer of 5"},
			{large, small, large, 1, 6, "6 second keys in a buffer of 5"},
			{large, large, small, 3, 3, "6 merged keys in a buffer of 5"},
			{large, large, large, -1, 3, "-1 first keys"},
			{large, large, merge.Pairs[uint32, uint32]{Keys: twenty, Values: five}, 3, 3, "6 merged values in a buffer of 5"},
			{large, merge.Pairs[uint32, uint32]{Keys: twenty}, large, 3, 3, "values given to a plan without them, or missing"},
		} {
			p.Run(ws, c.a, c.b, c.out, c.na, c.nb)
			require.ErrorContains(t, e.Err(), c.want)
			e.Recover()
		}
	})
}
