package tune

import (
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// with replaces the table for a test.
func with(t *testing.T, rows ...row) {
	before := table
	table = rows
	t.Cleanup(func() { table = before })
}

// marked is a row that can be recognised.
func marked(match Key, mark int) row { return row{match: match, set: Set{Map: Map{WG: mark}}} }

func TestMostSpecificRowWins(t *testing.T) {
	rows := []row{
		marked(Key{Kind: "gpu"}, 1),
		marked(Key{Kind: "cpu"}, 2),
		marked(Key{Vendor: "amd", Kind: "gpu"}, 3),
		marked(Key{Arch: "gfx90a", Kind: "gpu"}, 4),
		marked(Key{Device: "gfx90a:xnack-", Kind: "gpu"}, 5),
		marked(Key{Vendor: "pocl"}, 6), // any kind
	}
	for _, order := range [][]int{{0, 1, 2, 3, 4, 5}, {5, 4, 3, 2, 1, 0}, {3, 0, 5, 1, 4, 2}} {
		var table []row
		for _, i := range order {
			table = append(table, rows[i])
		}
		with(t, table...)
		for _, c := range []struct {
			key  Key
			want int
		}{
			{Key{Device: "gfx90a:xnack-", Arch: "gfx90a", Vendor: "amd", Kind: "gpu"}, 5},
			{Key{Device: "gfx90a:xnack+", Arch: "gfx90a", Vendor: "amd", Kind: "gpu"}, 4},
			{Key{Device: "gfx906", Arch: "gfx906", Vendor: "amd", Kind: "gpu"}, 3},
			{Key{Device: "some card", Vendor: "intel", Kind: "gpu"}, 1},
			{Key{Device: "some processor", Vendor: "intel", Kind: "cpu"}, 2},
			{Key{Device: "gfx90a:xnack-", Arch: "gfx90a", Vendor: "amd", Kind: "cpu"}, 2}, // the kernel shape decides first
			{Key{Vendor: "pocl", Kind: "cpu"}, 6},
			{Key{Vendor: "pocl", Kind: "gpu"}, 6},
			{Key{}, 1},
			{Key{Kind: "fpga"}, 1},
		} {
			assert.Equal(t, c.want, For(c.key).Map.WG, "%+v with rows in order %v", c.key, order)
		}
	}
}

// A row whose most specific field does not fit must not apply by a less specific one.
func TestRowOfAnotherDeviceDoesNotApply(t *testing.T) {
	with(t,
		marked(Key{Kind: "gpu"}, 1),
		marked(Key{Device: "one", Arch: "sm_90", Vendor: "nvidia", Kind: "gpu"}, 2))
	assert.Equal(t, 1, For(Key{Device: "two", Arch: "sm_90", Vendor: "nvidia", Kind: "gpu"}).Map.WG)
}

func TestBothKindsResolve(t *testing.T) {
	gpu, cpu := For(Key{Kind: "gpu"}), For(Key{Kind: "cpu"})
	assert.NotEqual(t, gpu, cpu)
	for _, wg := range []int{cpu.Map.WG, cpu.Scan.WG, cpu.Compact.WG, cpu.RadixSort.Reduce.WG, cpu.Merge.WG, cpu.SegSort.RankWG, cpu.SegSort.GroupWG, cpu.SegSort.BlockWG} {
		assert.Equal(t, 1, wg, "kernels of CPU shape run one work-item a chunk")
	}
	assert.Greater(t, gpu.RadixSort.K4V4.WG, 1)
	assert.Equal(t, gpu, For(Key{Device: "never heard of", Kind: "gpu"}))
}

func TestTableIsSound(t *testing.T) {
	seen := map[string]bool{}
	for _, r := range table {
		name := r.match.String()
		assert.False(t, seen[name], "two rows %s", name)
		seen[name] = true
		assert.NotEmpty(t, r.from, "row %s does not say where its numbers come from", name)
		assert.Contains(t, []string{"gpu", "cpu"}, r.match.Kind, "row %s", name)
		assert.Equal(t, r.set, For(r.match), "row %s is never chosen", name)
	}
	assert.Len(t, Rows(), len(table)+2)
}

func isCPU(row string) bool { return row == "cpu" || strings.HasSuffix(row, "-cpu") }

func TestRowsAreComplete(t *testing.T) {
	for name, set := range Rows() {
		var check func(field string, v reflect.Value)
		check = func(field string, v reflect.Value) {
			if v.Kind() == reflect.Struct {
				for i := range v.NumField() {
					check(strings.TrimPrefix(field+"."+v.Type().Field(i).Name, "."), v.Field(i))
				}
				return
			}
			onlyGPU := strings.HasPrefix(field, "RadixSort.K") || strings.HasPrefix(field, "RadixSort.Histogram.")
			if isCPU(name) && onlyGPU || !isCPU(name) && field == "RadixSort.Chunks" || strings.HasSuffix(field, ".Registers") || strings.HasSuffix(field, ".InOrder") || isCPU(name) && strings.HasSuffix(field, ".MergeRounds") {
				return // "not used"
			}
			require.Equal(t, reflect.Int, v.Kind(), field)
			assert.Positive(t, v.Int(), "row %s: %s is missing", name, field)
		}
		check("", reflect.ValueOf(set))
	}
}

func TestShapesOfGPURows(t *testing.T) {
	const localMemory = 48 << 10 // what a device with little of it reports
	for name, set := range Rows() {
		if isCPU(name) {
			continue
		}
		r := set.RadixSort
		wgs := map[string]int{"Map": set.Map.WG, "Scan": set.Scan.WG, "Compact": set.Compact.WG, "RadixSort.Reduce": r.Reduce.WG, "RadixSort.Histogram": r.Histogram.WG, "Merge": set.Merge.WG, "SegSort rank": set.SegSort.RankWG, "SegSort group": set.SegSort.GroupWG, "SegSort block": set.SegSort.BlockWG}
		for _, k := range []int{4, 8} {
			for _, v := range []int{0, 4, 8} {
				tile := r.Tile(k, v)
				wgs[fmt.Sprintf("RadixSort.K%dV%d", k, v)] = tile.WG
				assert.LessOrEqual(t, tile.WG*tile.Items, 1<<16, "row %s: places in a tile have 16 bits", name)
				assert.LessOrEqual(t, tile.Small, tile.Items, "row %s: %d, %d bytes", name, k, v)
				if !strings.HasPrefix(name, "sm_") { // the driver gives more than it reports
					assert.LessOrEqual(t, tile.WG*tile.Items*max(k, v)+8*tile.WG, localMemory, "row %s: local memory of a radix sort of %d and %d bytes", name, k, v)
					assert.LessOrEqual(t, 4*k*256*r.Histogram.Copies, localMemory, "row %s: local memory of the histogram", name)
				}
			}
		}
		for primitive, wg := range wgs {
			assert.LessOrEqual(t, wg, 1024, "row %s: %s", name, primitive)
		}
		assert.Zero(t, r.Histogram.WG%r.Histogram.Copies, "row %s: work-items of a copy", name)
		tile := r.Reduce.WG * r.Reduce.Items
		assert.LessOrEqual(t, tile, 1<<16, "row %s: places in a tile are ushort", name)
		// kernels/radixsort.cl, 64-bit keys: a tile of keys and of places, 16
		// counters of 2 bytes and a word of the scan for each work-item, 256 starts.
		assert.LessOrEqual(t, tile*(8+2)+(16*2+4)*r.Reduce.WG+256*4, localMemory, "row %s: local memory of the reduce-then-scan radix sort", name)
		// kernels/segsort_rank.cl: a word and a place an item, and the bitmap; ranges are 14 bits.
		q := set.SegSort
		span := q.RankWG * q.RankItems
		assert.LessOrEqual(t, span*10+span/8+20, localMemory, "row %s: local memory of the counting rank", name)
		assert.LessOrEqual(t, span, 1<<13, "row %s: span of the counting rank", name)
		assert.Zero(t, q.RankItems%2+span%64, "row %s: items of the counting rank go in pairs, tiles in 64", name)
		assert.Greater(t, span, 64, "row %s: the counting rank advances by the rest", name)
		// kernels/segsort_group.cl
		for items, bytes := range map[int]int{q.GroupItems: 8, q.GroupItems64: 12} {
			capacity := q.GroupWG * items
			assert.LessOrEqual(t, capacity*bytes+capacity/2+8*q.GroupWG, localMemory, "row %s: local memory of the segmented sort", name)
			assert.Zero(t, capacity%64, "row %s: half the capacity is whole words", name)
			assert.LessOrEqual(t, capacity/32, q.GroupWG, "row %s: a work-item a word of the bitmap", name)
			assert.LessOrEqual(t, capacity, 1<<16, "row %s: places are 16 bits", name)
		}
		for items, bytes := range map[int]int{q.BlockItems: 8, q.BlockItems64: 12} {
			assert.LessOrEqual(t, q.BlockWG*items*bytes, localMemory, "row %s: local memory of the blocks of the segmented sort", name)
			assert.LessOrEqual(t, q.BlockWG*items, 1<<16, "row %s: places are 16 bits", name)
			assert.LessOrEqual(t, items, 32, "row %s: the network of the blocks", name)
		}
		// kernels/merge.cl: an element and where it came from.
		m := set.Merge
		assert.LessOrEqual(t, m.WG*max(m.Items*(4+2), m.Items64*(8+2))+8, localMemory, "row %s: local memory of the merge", name)
		assert.LessOrEqual(t, m.WG*max(m.Items, m.Items64), 1<<16, "row %s: places in a tile are ushort", name)
		if strings.HasPrefix(name, "sm_") {
			continue // lanes in hardware, and more local memory than reported
		}
		// Without lanes: an element of scratch for each work-item, and the tile.
		for _, bytes := range []int{4, 8, 16} {
			assert.LessOrEqual(t, set.Scan.WG*(1+set.Scan.ItemsOf(bytes))*bytes, localMemory, "row %s: local memory of the scan", name)
		}
		assert.LessOrEqual(t, set.Compact.WG*(1+set.Compact.Items)*4, localMemory, "row %s: local memory of the compaction", name)
		assert.LessOrEqual(t, set.Compact.Items, 64, "row %s: compact.cl has a bit for each item in a word", name)
	}
}
