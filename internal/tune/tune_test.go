package tune

import (
	"fmt"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// marked is a row that can be recognised.
func marked(match Key, mark int) Row { return Row{Match: match, Set: Set{Map: Map{WG: mark}}} }

func TestMostSpecificRowWins(t *testing.T) {
	list := []Row{
		marked(Key{Kind: "gpu"}, 1),
		marked(Key{Kind: "cpu"}, 2),
		marked(Key{Vendor: "amd", Kind: "gpu"}, 3),
		marked(Key{Arch: "gfx90a", Kind: "gpu"}, 4),
		marked(Key{Device: "gfx90a:xnack-", Kind: "gpu"}, 5),
		marked(Key{Vendor: "pocl"}, 6), // any kind
	}
	for _, order := range [][]int{{0, 1, 2, 3, 4, 5}, {5, 4, 3, 2, 1, 0}, {3, 0, 5, 1, 4, 2}} {
		var table rows
		for _, i := range order {
			table = append(table, list[i])
		}
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
			assert.Equal(t, c.want, table.find(c.key).Map.WG, "%+v with rows in order %v", c.key, order)
		}
	}
}

// A row whose most specific field does not fit must not apply by a less specific one.
func TestRowOfAnotherDeviceDoesNotApply(t *testing.T) {
	table := rows{
		marked(Key{Kind: "gpu"}, 1),
		marked(Key{Device: "one", Arch: "sm_90", Vendor: "nvidia", Kind: "gpu"}, 2),
	}
	assert.Equal(t, 1, table.find(Key{Device: "two", Arch: "sm_90", Vendor: "nvidia", Kind: "gpu"}).Map.WG)
}

func TestBothKindsResolve(t *testing.T) {
	gpu, cpu := For(Key{Kind: "gpu"}), For(Key{Kind: "cpu"})
	assert.NotEqual(t, gpu, cpu)
	for _, wg := range []int{
		cpu.Map.WG, cpu.Scan.WG, cpu.Compact.WG, cpu.RadixSort.Reduce.WG, cpu.Merge.WG,
		cpu.SegSort.RankWG, cpu.SegSort.GroupWG, cpu.SegSort.Block.WG, cpu.SegSort.Block64.WG,
	} {
		assert.Equal(t, 1, wg, "kernels of CPU shape run one work-item a chunk")
	}
	assert.Greater(t, gpu.RadixSort.K4V4.WG, 1)
	assert.Equal(t, gpu, For(Key{Device: "never heard of", Kind: "gpu"}))
}

func TestTableIsSound(t *testing.T) {
	seen := map[string]bool{}
	for _, r := range Rows() {
		name := r.Name()
		assert.False(t, seen[name], "two rows %s", name)
		seen[name] = true
		assert.Contains(t, []string{"gpu", "cpu"}, r.Match.Kind, "row %s", name)
		assert.Equal(t, r.Set, For(r.Match), "row %s is never chosen", name)
	}
	assert.Len(t, Sets(), len(seen)+2)
}

// Every value has a source, and every source a value.
func TestProvenance(t *testing.T) {
	for _, r := range Rows() {
		known := map[string]bool{}
		for _, s := range r.From {
			where := fmt.Sprintf("row %s, %v", r.Name(), s.Parameters)
			assert.NotEmpty(t, s.Note, where)
			assert.Equal(t, s.Device == "", s.Driver == "", where)
			_, err := time.Parse(time.DateOnly, s.Date)
			assert.NoError(t, err, where)
			assert.NotEmpty(t, s.Parameters, where)
			for _, beginning := range s.Parameters {
				of := 0
				for param := range r.Parameters {
					if param == beginning || strings.HasPrefix(param, beginning+".") {
						known[param] = true
						of++
					}
				}
				assert.Positive(t, of, "%s: the row has no parameter %s", where, beginning)
			}
		}
		for param := range r.Parameters {
			assert.True(t, known[param], "row %s does not say where %s comes from", r.Name(), param)
		}
	}
}

// A row has what it says on top of the row of its kind.
func TestReadRows(t *testing.T) {
	file := func(text string) *fstest.MapFile { return &fstest.MapFile{Data: []byte(text)} }
	gpu := file(`{"match": {"kind": "gpu"}, "parameters": {"Scan.WG": 64, "Scan.Items": 4}, "from": []}`)
	read := func(name, text string) (rows, error) {
		return readRows(fstest.MapFS{"rows/gpu.json": gpu, "rows/" + name: file(text)})
	}
	table, err := read("a1-gpu.json", `{"match": {"arch": "a1", "kind": "gpu"}, "parameters": {"Scan.Items": 0}}`)
	require.NoError(t, err)
	assert.Equal(t, Set{Scan: Scan{WG: 64}}, table.find(Key{Arch: "a1", Kind: "gpu"}))
	assert.Equal(t, Set{Scan: Scan{WG: 64, Items: 4}}, table.find(Key{Kind: "gpu"}))
	for want, c := range map[string][2]string{
		"its match says a1-gpu.json": {"a2-gpu.json", `{"match": {"arch": "a1", "kind": "gpu"}}`},
		"no row of kind \"cpu\"":     {"a1-cpu.json", `{"match": {"arch": "a1", "kind": "cpu"}}`},
		"there is no parameter Scan.Wgs": {"a1-gpu.json",
			`{"match": {"arch": "a1", "kind": "gpu"}, "parameters": {"Scan.Wgs": 0}}`},
		"unknown field \"colour\"": {"a1-gpu.json", `{"match": {"arch": "a1", "kind": "gpu"}, "colour": 1}`},
		"rows/a1-gpu.json: ":       {"a1-gpu.json", `{`},
	} {
		_, err := read(c[0], c[1])
		assert.ErrorContains(t, err, want)
	}
}

func isCPU(row string) bool { return row == "cpu" || strings.HasSuffix(row, "-cpu") }

// Rows for a GPU, unless they name one, fit a device with little local memory and
// without lanes.
func TestRowsPassCheck(t *testing.T) {
	for name, set := range Sets() {
		d := Device{CPU: isCPU(name), MaxWorkGroup: 1024, LocalMem: 48 << 10, LookBack: true}
		if strings.HasPrefix(name, "sm_") {
			d.Lanes, d.LocalMem = true, 226<<10 // what the driver gives
		}
		if strings.HasPrefix(name, "amd") || strings.HasPrefix(name, "gfx") {
			d.MaxWorkGroup, d.LocalMem = 256, 64<<10
		}
		assert.NoError(t, set.Check(d), "row %s", name)
	}
}
