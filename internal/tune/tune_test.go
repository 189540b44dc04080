package tune

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
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
	for _, wg := range []int{cpu.Map.WG, cpu.Scan.WG, cpu.Compact.WG, cpu.RadixSort.Reduce.WG, cpu.Merge.WG, cpu.SegSort.RankWG, cpu.SegSort.GroupWG, cpu.SegSort.Block.WG, cpu.SegSort.Block64.WG} {
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

// Rows for a GPU, unless they name one, fit a device with little local memory and
// without lanes.
func TestRowsPassCheck(t *testing.T) {
	for name, set := range Rows() {
		d := Device{CPU: isCPU(name), MaxWorkGroup: 1024, LocalMem: 48 << 10, LookBack: true}
		if strings.HasPrefix(name, "sm_") {
			d.Lanes, d.LocalMem = true, 226<<10 // what the driver gives
		}
		assert.NoError(t, set.Check(d), "row %s", name)
	}
}
