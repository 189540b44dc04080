package tune

import (
	"maps"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

var devices = map[string]Device{
	"cpu":    {CPU: true, MaxWorkGroup: 4096, LocalMem: 256 << 10, LookBack: true},
	"nvidia": {MaxWorkGroup: 1024, LocalMem: 226 << 10, Lanes: true, LookBack: true, Resident: true},
	"amd":    {MaxWorkGroup: 256, LocalMem: 64 << 10, Lanes: true, LookBack: true},
	"plain":  {MaxWorkGroup: 256, LocalMem: 48 << 10},
}

func rowOf(d Device) Set {
	if d.CPU {
		return For(Key{Kind: "cpu"})
	}
	return For(Key{Kind: "gpu"})
}

// Whatever is in the space can be set, and Check says of every point whether it may be.
func TestSpace(t *testing.T) {
	for name, d := range devices {
		set := rowOf(d)
		require.NoError(t, set.Check(d), name)
		seen := map[string]bool{}
		for _, g := range Space(d) {
			require.False(t, seen[g.Name], "%s: two groups %s", name, g.Name)
			seen[g.Name] = true
			size := 1
			for _, a := range g.Axes {
				require.NotNil(t, set.Param(a.Param), "%s: no parameter %s", name, a.Param)
				assert.True(t, slices.IsSorted(a.Values), "%s: %s", name, a.Param)
				size *= len(a.Values) + 1
			}
			values, points := g.Points(set, d)
			assert.Greater(t, len(points), 1, "%s: %s has nothing to search", name, g.Name)
			assert.LessOrEqual(t, len(points), size)
			home := false
			for _, p := range points {
				candidate := set
				g.Set(&candidate, values, p)
				require.NoError(t, candidate.Check(d), "%s: %s %v", name, g.Name, p)
				home = home || candidate == set
				// A file can say so.
				e := Entry{Parameters: g.Params(candidate)}
				applied := set
				require.NoError(t, e.Apply(&applied, d), "%s: %v", name, e.Parameters)
				require.Equal(t, candidate, applied)
			}
			assert.True(t, home, "%s: %s leaves out the row itself", name, g.Name)
		}
	}
}

func TestNoParam(t *testing.T) {
	var set Set
	for _, path := range []string{"", "Scan", "Scan.", "Scan.Wg", "Scan.WG.X", "scan.WG", "RadixSort.K4V4"} {
		assert.Nil(t, set.Param(path), path)
	}
	*set.Param("RadixSort.K4V4.Small") = 7
	assert.Equal(t, 7, set.RadixSort.K4V4.Small)
}

func TestCheckRefuses(t *testing.T) {
	d := devices["plain"]
	for path, values := range map[string][]int{
		"Scan.WG":                    {0, -1, 512, 1 << 40},
		"Scan.Items":                 {0, 64},
		"Compact.Items":              {-5, 65},
		"RadixSort.Reduce.Items":     {0, 40},
		"RadixSort.Histogram.Copies": {0, 3},
		"Merge.Items":                {0, 60},
		"SegSort.RankItems":          {3, 100},
		"SegSort.GroupItems":         {0, 33},
		"Map.WG":                     {0, 1024},
		"LRQ.Method":                 {0, 4},
	} {
		for _, v := range values {
			set := rowOf(d)
			*set.Param(path) = v
			assert.Error(t, set.Check(d), "%s = %d", path, v)
		}
	}
	set := rowOf(devices["cpu"])
	set.Merge.WG = 2
	assert.ErrorContains(t, set.Check(devices["cpu"]), "one work-item a chunk")
}

// Wrong parameters leave the set as it was.
func TestApplyRefuses(t *testing.T) {
	d := devices["amd"]
	for name, c := range map[string]struct {
		params map[string]int
		want   string
	}{
		"unknown":           {map[string]int{"Scan.WG": 128, "Scan.Wgs": 3}, "Scan.Wgs: there is no such parameter"},
		"not to be tuned":   {map[string]int{"Scan.InOrder": 1}, "Scan.InOrder"},
		"other shape":       {map[string]int{"RadixSort.Chunks": 4}, "RadixSort.Chunks"},
		"no such capacity":  {map[string]int{"RadixSort.K4V4.Resident": 64}, "Resident"},
		"out of range":      {map[string]int{"Merge.Items": 1 << 20}, "Merge.Items: 1048576 is not one of"},
		"between":           {map[string]int{"Scan.WG": 100}, "Scan.WG: 100 is not one of"},
		"zero":              {map[string]int{"Scan.Items": 0}, "Scan.Items: 0"},
		"too large a group": {map[string]int{"Merge.WG": 512}, "at most 256"},
		"local memory":      {map[string]int{"RadixSort.K8V8.Items": 60}, "local memory"},
		"small above large": {map[string]int{"RadixSort.K4V4.Items": 8}, "Small"},
	} {
		set := rowOf(d)
		e := Entry{Parameters: c.params}
		assert.ErrorContains(t, e.Apply(&set, d), c.want, name)
		assert.Equal(t, rowOf(d), set, name)
	}
}

func TestParamsNameWhatFollows(t *testing.T) {
	d := devices["amd"]
	for _, g := range Space(d) {
		if g.Name == "radixsort K4V4" {
			assert.Contains(t, slices.Collect(maps.Keys(g.Params(rowOf(d)))), "RadixSort.K4V4.Small")
		}
	}
}
