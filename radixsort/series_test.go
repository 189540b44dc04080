package radixsort_test

import (
	"cmp"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/internal/testkit/devicetest"
	"github.com/suffixcl/suffixcl/radixsort"
)

// record has a word in each of two arrays.
type record struct{ first, second uint32 }

func stable(records []record, by func(record) uint32, lo, hi int) {
	slices.SortStableFunc(records, func(a, b record) int {
		return cmp.Compare(by(a)>>lo&(1<<(hi-lo)-1), by(b)>>lo&(1<<(hi-lo)-1))
	})
}

func first(r record) uint32  { return r.first }
func second(r record) uint32 { return r.second }

// A series sorts some records by one word, then all by the other. Its last pass writes one word, or a part of it.
func TestSeries(t *testing.T) {
	onlySecond := device.Source{Defines: device.Defines{
		"RADIX_LAST_PARAMS": ", uint kept", "RADIX_STORE_KEY(to, key)": "((void)(key))",
		"RADIX_STORE_VALUE(to, value)": "values_out[to] = (value) & kept",
	}}
	bytes := device.Source{Defines: device.Defines{
		"RADIX_LAST_PARAMS": ", __global uchar *bytes", "RADIX_STORE_KEY(to, key)": "bytes[to] = (uchar)(key)",
		"RADIX_STORE_VALUE(to, value)": "((void)(value))",
	}}
	methods(t, func(t *testing.T, e devicetest.Env) {
		s, tile := e.Session, e.Suite.Tile
		for _, n := range []int{1, tile, 2*tile + 1, 700} {
			plan := radixsort.NewSeries(s, n, true)
			seconds := radixsort.NewFinish(s, n, true, onlySecond)
			firstBytes := radixsort.NewFinish(s, n, false, bytes)
			ws, err := device.NewWorkspace(s, plan.Workspace())
			require.NoError(t, err)
			for _, prefix := range []int{0, n / 3, n} {
				records := make([]record, n)
				for i := range records {
					x := uint64(i+n) * 0x9e3779b97f4a7c15
					records[i] = record{uint32(x >> 32), uint32(x >> 9)}
				}
				var a, b radixsort.Pair[uint32]
				for _, array := range []**device.Buffer[uint32]{&a.Cur, &a.Alt, &b.Cur, &b.Alt} {
					*array, err = device.Alloc[uint32](s, n)
					require.NoError(t, err)
				}
				out, err := device.Alloc[uint8](s, n)
				require.NoError(t, err)
				words := func(of func(record) uint32) []uint32 {
					list := make([]uint32, n)
					for i, r := range records {
						list[i] = of(r)
					}
					return list
				}
				got := make([]uint32, n)
				read := func(of *device.Buffer[uint32]) []uint32 {
					require.NoError(t, of.Download(t.Context(), got, nil))
					return got
				}
				start := func(ranges ...radixsort.Range) {
					q := plan.Prepare(ws, ranges...)
					clear := q.Cleared()
					if cleared, ok := clear[0].(*device.Buffer[uint32]); ok {
						cleared.View(0, int(clear[1].(uint32))).Fill(0)
					}
					require.NoError(t, a.Cur.Upload(t.Context(), words(first), nil))
					require.NoError(t, b.Cur.Upload(t.Context(), words(second), nil))
					q.Run()
					require.NoError(t, s.Finish())
				}

				start(radixsort.Range{N: prefix, Keys: &b, Values: &a, Lo: 20, Hi: 31},
					radixsort.Range{N: prefix, Keys: &a, Values: &b, Lo: 0, Hi: 9},
					radixsort.Range{N: n, Keys: &a, Values: &b, Lo: 9, Hi: 32, Finish: seconds, Args: []any{uint32(0xffff)}})
				stable(records[:prefix], second, 20, 31)
				stable(records[:prefix], first, 0, 9)
				stable(records, first, 9, 32)
				require.Equal(t, words(func(r record) uint32 { return r.second & 0xffff }), read(b.Cur))

				start(radixsort.Range{N: prefix, Keys: &b, Values: &a, Hi: 8, Lo: 0},
					radixsort.Range{N: prefix, Keys: &b, Values: &a, Lo: 8, Hi: 16},
					radixsort.Range{N: n, Keys: &a, Lo: 8, Hi: 32, Finish: firstBytes, Args: []any{out}})
				stable(records[:prefix], second, 0, 16)
				stable(records, first, 8, 32)
				wrote := make([]uint8, n)
				require.NoError(t, out.Download(t.Context(), wrote, nil))
				for i, r := range records {
					require.Equal(t, uint8(r.first), wrote[i])
				}
				for _, array := range []*device.Buffer[uint32]{a.Cur, a.Alt, b.Cur, b.Alt} {
					array.Release()
				}
				out.Release()
			}
			ws.Release()
		}
	})
}

// What a series cannot do fails.
func TestSeriesErrors(t *testing.T) {
	methods(t, func(t *testing.T, e devicetest.Env) {
		s := e.Session
		plan := radixsort.NewSeries(s, 16, false)
		ws, err := device.NewWorkspace(s, plan.Workspace())
		require.NoError(t, err)
		defer ws.Release()
		var pairs [3]radixsort.Pair[uint32]
		for i := range pairs {
			words, err := device.Alloc[uint32](s, 16)
			require.NoError(t, err)
			defer words.Release()
			pairs[i] = radixsort.Pair[uint32]{Cur: words, Alt: words}
		}
		by := func(n, of, hi int) radixsort.Range {
			return radixsort.Range{N: n, Keys: &pairs[of], Values: &pairs[(of+1)%3], Hi: hi}
		}
		refused := [][]radixsort.Range{{by(17, 0, 8)}, {by(16, 0, 33)}}
		if e.Caps().ForwardProgress && !e.Caps().CPUShape { // of others there is no histogram of all passes
			refused = append(refused, slices.Repeat([]radixsort.Range{by(16, 0, 32)}, 3),
				[]radixsort.Range{by(16, 0, 8), by(16, 1, 8), by(16, 2, 8)},
				[]radixsort.Range{by(16, 0, 8), by(8, 0, 8), by(4, 0, 8)})
		}
		for _, ranges := range refused {
			plan.Prepare(ws, ranges...).Run()
			require.ErrorContains(t, s.Finish(), "radixsort: ")
			s.Recover()
		}
	})
}
