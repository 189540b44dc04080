package radixsort_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/suffixcl/suffixcl/conformance"
	"github.com/suffixcl/suffixcl/internal/testkit/devicetest"
	"github.com/suffixcl/suffixcl/internal/testkit/primitives"
	"github.com/suffixcl/suffixcl/internal/tuned"
	"github.com/suffixcl/suffixcl/radixsort"
)

func TestSegments(t *testing.T) {
	devicetest.Each(t, func(t *testing.T, e devicetest.Env) {
		e.Suite.Tile = tuned.Of(e.Session).RadixSort.Reduce.WG * tuned.Of(e.Session).RadixSort.Reduce.Items
		// Many short segments are many tiles.
		e.Suite.PerSize = min(e.Suite.PerSize, 2)
		e.Suite.Large = min(e.Suite.Large, 1<<13)
		e.Suite.Random = min(e.Suite.Random, 50)
		conformance.Run(t, primitives.SegmentedSort(func(keys, values []uint32, heads []bool) ([]uint32, []uint32, error) {
			return sortSegments(t, e, keys, values, heads)
		}, e.Suite))
	})
}

func sortSegments(t *testing.T, e devicetest.Env, keys, values []uint32, heads []bool) ([]uint32, []uint32, error) {
	n := len(keys)
	const base = 7 // offsets count from anywhere
	offsets := make([]uint32, 0, n)
	for i, head := range heads {
		if head || i == 0 {
			offsets = append(offsets, base+uint32(i))
		}
	}
	g := radixsort.NewSegments(e.Session, n, len(offsets))
	ws, guards := devicetest.Workspace(t, e.Session, g.Workspace())
	defer ws.Release()
	k := [2]*devicetest.Guarded[uint32]{devicetest.From(t, e.Session, keys), devicetest.Guard[uint32](t, e.Session, n)}
	v := [2]*devicetest.Guarded[uint32]{devicetest.From(t, e.Session, values), devicetest.Guard[uint32](t, e.Session, n)}
	o := devicetest.From(t, e.Session, offsets)
	defer o.Release()
	for i := range k {
		defer k[i].Release()
		defer v[i].Release()
	}
	kp := radixsort.Pair[uint32]{Cur: k[0].Buffer, Alt: k[1].Buffer}
	vp := radixsort.Pair[uint32]{Cur: v[0].Buffer, Alt: v[1].Buffer}
	g.Run(ws, &kp, &vp, o.Buffer, len(offsets), n, 0, 32)
	if err := guards.Intact(); err != nil {
		return nil, nil, err
	}
	require.Same(t, k[0].Buffer, kp.Cur) // four passes
	for i := range k {                   // the guards of both
		if _, err := k[i].Slice(); err != nil {
			return nil, nil, err
		}
		if _, err := v[i].Slice(); err != nil {
			return nil, nil, err
		}
	}
	sorted, err := k[0].Slice()
	if err != nil {
		return nil, nil, err
	}
	moved, err := v[0].Slice()
	return sorted, moved, err
}
