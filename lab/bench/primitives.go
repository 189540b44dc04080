package bench

import (
	"cmp"
	"fmt"
	"slices"
	"sync/atomic"

	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/internal/cltype"
	"github.com/suffixcl/suffixcl/internal/parallel"
	"github.com/suffixcl/suffixcl/internal/testkit/synthetic"
	"github.com/suffixcl/suffixcl/merge"
	"github.com/suffixcl/suffixcl/radixsort"
	"github.com/suffixcl/suffixcl/scan"
	"github.com/suffixcl/suffixcl/segsort"
)

// Primitives are the cases of `suffixcl-lab bench primitives`. Names and data are also
// those of lab/bench/cub, so that results can be matched.
func Primitives() []Case {
	return []Case{
		SortPairs[uint32, uint32]("radix sort pairs u32/u32", 32),
		SortPairs[uint64, uint32]("radix sort pairs u64/u32", 64),
		SortPairs[uint64, uint32]("radix sort pairs u64/u32, 40 bits", 40),
		Sum[uint32](),
		Select[uint32](),
		MergeKeys[uint32]("merge keys u32"),
		SegmentedSort[uint32](2, 8),
		SegmentedSort[uint32](2, 64),
		SegmentedSort[uint32](64, 2047),
		SegmentedSort[uint32](2, 60511),
	}
}

// unsorted are keys of up to so many bits, with their numbers as values, and buffers to
// sort them in.
type unsorted[K, V uint32 | uint64] struct {
	u      *setup
	host   []K
	input  *device.Buffer[K]
	number *device.Buffer[V] // nil without values, as those of values
	keys   radixsort.Pair[K]
	values radixsort.Pair[V]
}

func newUnsorted[K, V uint32 | uint64](u *setup, n, bits int, seed uint64, values bool) *unsorted[K, V] {
	d := &unsorted[K, V]{u: u, host: random[K](n, seed)}
	if bits < 64 {
		for i := range d.host {
			d.host[i] &= K(uint64(1)<<bits - 1)
		}
	}
	d.input = upload(u, d.host)
	d.keys = radixsort.Pair[K]{Cur: buffer[K](u, n), Alt: buffer[K](u, n)}
	if values {
		d.number = upload(u, numbers[V](n))
		d.values = radixsort.Pair[V]{Cur: buffer[V](u, n), Alt: buffer[V](u, n)}
	}
	return d
}

// restore puts the keys back; whatever values are sorted with them takes the same time.
func (d *unsorted[K, V]) restore() { device.Copy(d.keys.Cur, d.input, len(d.host)) }

func (d *unsorted[K, V]) fresh() {
	d.restore()
	d.keys.Alt.Fill(0)
	if d.number != nil {
		device.Copy(d.values.Cur, d.number, len(d.host))
		d.values.Alt.Fill(0)
	}
}

// check compares all of the result: keys ascend within [starts[i], starts[i+1]), each
// value is the number of its key there, and those of equal keys ascend. So no number
// comes twice, and all keys are there.
func (d *unsorted[K, V]) check(starts []uint32) error {
	keys, err := download(d.u, d.keys.Cur, len(d.host))
	if err != nil {
		return err
	}
	values, err := download(d.u, d.values.Cur, len(d.host))
	if err != nil {
		return err
	}
	// Parts of the array, which begin anywhere in a segment.
	return parallel.Try(len(keys), grain, func(lo, hi int) error {
		s, _ := slices.BinarySearch(starts, uint32(lo)+1) // the first start after lo
		for i := lo; i < hi; i++ {
			for int(starts[s]) <= i {
				s++
			}
			first, v := int(starts[s-1]), uint64(values[i])
			switch {
			case v < uint64(first) || v >= uint64(starts[s]):
				return wrong("value %d is %d, from outside of the segment", i, v)
			case d.host[v] != keys[i]:
				return wrong("item %d is (%d, %d), there was no such pair", i, keys[i], v)
			case i > first && keys[i-1] > keys[i]:
				return wrong("key %d is smaller than the one before", i)
			case i > first && keys[i-1] == keys[i] && values[i-1] >= values[i]:
				return wrong("value %d is out of order, its key is the same as before", i)
			}
		}
		return nil
	})
}

// fingerprint is the same for the same keys in any order, and hardly for others.
func fingerprint[K uint32 | uint64](keys []K) uint64 {
	var sum atomic.Uint64
	parallel.Do(len(keys), grain, func(lo, hi int) {
		part := uint64(0)
		for _, k := range keys[lo:hi] {
			part += synthetic.Mix(0, uint64(k))
		}
		sum.Add(part)
	})
	return sum.Load()
}

// same compares slices of one length.
func same[T comparable](got, want []T) error {
	return parallel.Try(len(want), grain, func(lo, hi int) error {
		for i := lo; i < hi; i++ {
			if got[i] != want[i] {
				return wrong("element %d is %v instead of %v", i, got[i], want[i])
			}
		}
		return nil
	})
}

func bytesOf[T uint32 | uint64]() int64 {
	if _, ok := any(T(0)).(uint64); ok {
		return 8
	}
	return 4
}

// SortPairs is the radix sort of pairs by the low bits of random keys.
func SortPairs[K, V uint32 | uint64](name string, bits int) Case {
	return Case{name, func(u *setup, n int) input {
		d := newUnsorted[K, V](u, n, bits, 1, true)
		return input{
			bytes:   2 * int64(n) * (bytesOf[K]() + bytesOf[V]()) * int64((bits+7)/8),
			restore: d.restore, fresh: d.fresh,
			plan: func(u *setup) func() {
				p := radixsort.NewPairs[K, V](u.s, n)
				ws := workspace(u, p)
				return func() { p.Run(ws, &d.keys, &d.values, n, 0, bits) }
			},
			check: func() error { return d.check([]uint32{0, uint32(n)}) },
		}
	}}
}

// SortKeys is the radix sort of random keys.
func SortKeys[K uint32 | uint64](name string) Case {
	return Case{name, func(u *setup, n int) input {
		bits := 8 * int(bytesOf[K]())
		d := newUnsorted[K, uint32](u, n, bits, 1, false)
		want := fingerprint(d.host)
		return input{
			bytes:   2 * int64(n) * bytesOf[K]() * int64(bits/8),
			restore: d.restore, fresh: d.fresh,
			plan: func(u *setup) func() {
				p := radixsort.NewKeys[K](u.s, n)
				ws := workspace(u, p)
				return func() { p.Run(ws, &d.keys, nil, n, 0, bits) }
			},
			check: func() error {
				got, err := download(u, d.keys.Cur, n)
				switch {
				case err != nil:
					return err
				case !slices.IsSorted(got):
					return wrong("the keys do not ascend")
				case fingerprint(got) != want:
					return wrong("they are not the keys that were given")
				}
				return nil
			},
		}
	}}
}

// Sum is the exclusive sum of random numbers.
func Sum[T uint32 | uint64]() Case {
	return Case{fmt.Sprintf("exclusive sum u%d", 8*bytesOf[T]()), func(u *setup, n int) input {
		host := random[T](n, 2)
		in, out := upload(u, host), buffer[T](u, n)
		for sum, i := T(0), 0; i < n; i++ {
			host[i], sum = sum, sum+host[i]
		}
		return input{
			bytes: 2 * bytesOf[T]() * int64(n),
			fresh: func() { out.Fill(^T(0)) },
			plan: func(u *setup) func() {
				p := scan.NewPlan[T](u.s, n, scan.Options{})
				ws := workspace(u, p)
				return func() { p.Run(ws, in, out, n) }
			},
			check: func() error {
				got, err := download(u, out, n)
				if err != nil {
					return err
				}
				return same(got, host)
			},
		}
	}}
}

// evenNumbers is a selection of numbers of a type of OpenCL C.
func evenNumbers(typ string) device.Source {
	return device.Source{Defines: device.Defines{
		"COMPACT_PARAMS": fmt.Sprintf(", __global const %s *in, __global %s *out", typ, typ),
		"COMPACT_ITEM":   typ, "COMPACT_BY_ITEM": 1,
		"COMPACT_LOAD(i)": "in[i]", "COMPACT_KEEP(i)": "((item & 1) == 0)", "COMPACT_EMIT(i, to)": "out[to] = item",
	}}
}

// Select keeps half of random numbers.
func Select[T uint32 | uint64]() Case {
	bytes, name := bytesOf[T](), "select 50 %"
	if bytes == 8 {
		name += ", u64"
	}
	return Case{name, func(u *setup, n int) input {
		host := random[T](n, 3)
		in, out, kept := upload(u, host), buffer[T](u, n), buffer[uint64](u, 1)
		want := slices.DeleteFunc(host, func(v T) bool { return v%2 != 0 })
		return input{
			bytes: bytes * int64(n) * 3 / 2, // each read, half of them written
			fresh: func() { out.Fill(^T(0)) },
			plan: func(u *setup) func() {
				p := scan.NewCompactTemplate(u.s, n, evenNumbers(cltype.Name[T]()))
				ws := workspace(u, p)
				return func() { p.Run(ws, n, bytes*(p.Loads()+1), kept, in, out) }
			},
			check: func() error {
				count, err := download(u, kept, 1)
				if err != nil {
					return err
				}
				if count[0] != uint64(len(want)) {
					return wrong("%d elements instead of %d", count[0], len(want))
				}
				got, err := download(u, out, len(want))
				if err != nil {
					return err
				}
				return same(got, want)
			},
		}
	}}
}

// MergeKeys merges two sorted halves of random keys.
func MergeKeys[K uint32 | uint64](name string) Case {
	return Case{name, func(u *setup, n int) input {
		halves := [2]int{n / 2, n - n/2}
		host := random[K](n, 4)
		var sides [2]merge.Pairs[K, uint32]
		sorted := [2][]K{host[:halves[0]], host[halves[0]:]}
		for i, half := range sorted {
			sides[i].Keys = sortOnDevice(u, half)
		}
		out := buffer[K](u, n)
		return input{
			bytes: 2 * bytesOf[K]() * int64(n),
			fresh: func() { out.Fill(0) },
			plan: func(u *setup) func() {
				p := merge.NewKeys[K](u.s, n)
				ws := workspace(u, p)
				return func() { p.Run(ws, sides[0], sides[1], merge.Pairs[K, uint32]{Keys: out}, halves[0], halves[1]) }
			},
			check: func() error {
				got, err := download(u, out, n)
				if err != nil {
					return err
				}
				a, b := sorted[0], sorted[1]
				for i, k := range got {
					switch {
					case len(a) > 0 && a[0] == k && (len(b) == 0 || k <= b[0]):
						a = a[1:]
					case len(b) > 0 && b[0] == k && (len(a) == 0 || k <= a[0]):
						b = b[1:]
					default:
						return wrong("key %d is %d, which does not come next", i, k)
					}
				}
				return nil
			},
		}
	}}
}

// sortOnDevice returns a buffer with the sorted keys, and sorts the slice too.
func sortOnDevice[K uint32 | uint64](u *setup, keys []K) *device.Buffer[K] {
	sorted := upload(u, keys)
	scratch := &setup{ctx: u.ctx, s: u.s, err: u.err}
	defer scratch.releaseAll()
	pair := radixsort.Pair[K]{Cur: sorted, Alt: buffer[K](scratch, len(keys))}
	p := radixsort.NewKeys[K](u.s, len(keys))
	ws := workspace(scratch, p)
	if scratch.err == nil {
		p.Run(ws, &pair, nil, len(keys), 0, 8*int(bytesOf[K]()))
		if pair.Cur != sorted { // an odd number of passes
			device.Copy(sorted, pair.Cur, len(keys))
		}
		scratch.err = sorted.Download(u.ctx, keys, nil)
	}
	if u.err = scratch.err; u.err == nil && !slices.IsSorted(keys) {
		u.err = wrong("the radix sort")
	}
	return sorted
}

// SegmentedSort sorts random pairs in segments whose lengths are drawn uniformly from
// [low, high]. It is not told the longest length, as CUB is not.
func SegmentedSort[K uint32 | uint64](low, high int) Case {
	name := fmt.Sprintf("segmented sort, segments of %d-%d", low, high)
	if bytesOf[K]() == 8 {
		name += ", u64"
	}
	return Case{name, func(u *setup, n int) input {
		d := newUnsorted[K, uint32](u, n, 64, 6, true)
		starts, bitmap := []uint32{0}, make([]uint32, segsort.HeadWords(n))
		for i, at := uint64(0), 0; at < n; i++ {
			bitmap[at/32] |= 1 << (at % 32)
			at = min(at+low+int(synthetic.Mix(5, i)%uint64(high-low+1)), n)
			starts = append(starts, uint32(at))
		}
		heads := upload(u, bitmap)
		return input{
			bytes:   2 * int64(n) * (bytesOf[K]() + 4),
			restore: d.restore, fresh: d.fresh,
			plan: func(u *setup) func() {
				p, err := segsort.New[K, uint32](u.s, n, segsort.Options{})
				if u.err = cmp.Or(u.err, err); u.err != nil {
					return nil
				}
				ws := workspace(u, p)
				return func() { p.Run(ws, &d.keys, &d.values, heads, n) }
			},
			check: func() error { return d.check(starts) },
		}
	}}
}
