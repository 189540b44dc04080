package tune

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
)

// Device is what a device allows of a Set, and which kernels it runs.
type Device struct {
	CPU          bool  // the kernel shape
	MaxWorkGroup int   // work-items
	LocalMem     int64 // bytes that a work-group gets, which may be more than the driver reports
	Lanes        bool  // lane operations without local memory
	LookBack     bool  // tiles may wait for earlier ones
	Resident     bool  // the number of work-groups on a compute unit can be asked for
}

// Axis is a parameter, by its path in Set, and the values that are searched.
type Axis struct {
	Param  string
	Values []int
}

// Group is a set of parameters that are searched together, because they shape the same
// kernels; groups are searched one after the other.
type Group struct {
	Name      string
	Primitive string // the package
	Small     bool   // matters for small inputs only
	Axes      []Axis
}

var (
	workGroups = []int{64, 128, 256, 384, 512, 768, 1024}
	powers     = []int{1 << 10, 1 << 11, 1 << 12, 1 << 13, 1 << 14, 1 << 15, 1 << 16, 1 << 17}
)

// Space has the parameters that are searched on a device. Parameters that are not in it are not tuned: InOrder for one
// is a promise that no measurement can prove.
func Space(d Device) []Group {
	if d.CPU {
		return []Group{
			{"scan", "scan", false, []Axis{{"Scan.Items", powers}}},
			{"compact", "compact", false, []Axis{{"Compact.Items", powers}}},
			{"radixsort chunks", "radixsort", false, []Axis{
				{"RadixSort.Reduce.Items", powers},
				{"RadixSort.Chunks", []int{1, 2, 4, 8, 16}}}},
			{"merge", "merge", false, []Axis{{"Merge.Items", powers}}},
			{"merge 64", "merge", false, []Axis{{"Merge.Items64", powers}}},
			{"segsort group", "segsort", false, []Axis{{"SegSort.GroupItems", []int{64, 128, 256, 512, 1024, 2048, 4096}}}},
			{"segsort group 64", "segsort", false, []Axis{{"SegSort.GroupItems64", []int{64, 128, 256, 512, 1024, 2048, 4096}}}},
		}
	}
	space := []Group{
		{"scan", "scan", false, []Axis{
			{"Scan.WG", workGroups},
			{"Scan.Items", []int{4, 8, 12, 16, 20, 24, 32, 40, 48, 64, 72, 80, 88, 96}},
			{"Scan.Look", []int{1, 2}}}},
		{"compact", "compact", false, []Axis{
			{"Compact.WG", workGroups},
			{"Compact.Items", []int{4, 8, 12, 16, 20, 24, 28, 32, 40, 48}},
			{"Compact.Look", []int{1, 2}}}},
	}
	if d.LookBack {
		for _, width := range []string{"K4V0", "K4V4", "K4V8", "K8V0", "K8V4", "K8V8"} {
			tile := []Axis{
				{"RadixSort." + width + ".WG", workGroups},
				{"RadixSort." + width + ".Items", []int{8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30, 32,
					36, 40, 44, 48, 52, 56, 60}}}
			if d.Resident {
				tile = append(tile, Axis{"RadixSort." + width + ".Resident", []int{0, 2, 3, 4}})
			}
			small := []Axis{{"RadixSort." + width + ".Small", []int{2, 4, 6, 8, 10, 12, 14, 16, 20, 24}}}
			if d.Resident {
				small = append(small, Axis{"RadixSort." + width + ".SmallResident", []int{0, 2, 3, 4}})
			}
			space = append(space,
				Group{"radixsort " + width, "radixsort", false, tile},
				Group{"radixsort " + width + " small", "radixsort", true, small})
		}
		space = append(space, Group{"radixsort histogram", "radixsort", false, []Axis{
			{"RadixSort.Histogram.WG", workGroups},
			{"RadixSort.Histogram.Items", []int{2, 4, 8, 16}},
			{"RadixSort.Histogram.Copies", []int{1, 2, 4, 8, 16}}}})
	} else {
		space = append(space, Group{"radixsort reduce", "radixsort", false, []Axis{
			{"RadixSort.Reduce.WG", workGroups},
			{"RadixSort.Reduce.Items", []int{3, 5, 7, 9, 11, 13, 15, 17, 19}}}})
	}
	return append(space,
		Group{"merge", "merge", false, []Axis{
			{"Merge.WG", workGroups},
			{"Merge.Items", []int{5, 7, 9, 11, 13, 15, 17, 19, 21, 23, 25}}}},
		Group{"merge 64", "merge", false, []Axis{
			{"Merge.Items64", []int{3, 5, 7, 9, 11, 13, 15}}}},
		Group{"segsort rank", "segsort", false, []Axis{
			{"SegSort.RankWG", workGroups},
			{"SegSort.RankItems", []int{2, 4, 6, 8, 10, 12, 16}}}},
		Group{"segsort group", "segsort", false, []Axis{
			{"SegSort.GroupWG", workGroups},
			{"SegSort.GroupItems", []int{5, 7, 9, 11, 13, 15, 17, 19, 21, 23}}}},
		Group{"segsort group 64", "segsort", false, []Axis{
			{"SegSort.GroupItems64", []int{5, 7, 9, 11, 13, 15, 17}}}},
		Group{"segsort block", "segsort", false, []Axis{
			{"SegSort.Block.WG", workGroups},
			{"SegSort.Block.Items", []int{5, 7, 9, 11, 13, 15, 17, 19, 21, 23}},
			{"SegSort.Block.Rounds", []int{0, 3, 5, 7, 9}}}},
		Group{"segsort block 64", "segsort", false, []Axis{
			{"SegSort.Block64.WG", workGroups},
			{"SegSort.Block64.Items", []int{5, 7, 9, 11, 13, 15, 17}},
			{"SegSort.Block64.Rounds", []int{0, 3, 6, 9, 12}}}})
}

// Param is the parameter of that path, such as "Scan.WG", or nil.
func (set *Set) Param(path string) *int {
	v := reflect.ValueOf(set).Elem()
	for name := range strings.SplitSeq(path, ".") {
		if v.Kind() != reflect.Struct {
			return nil
		}
		if v = v.FieldByName(name); !v.IsValid() {
			return nil
		}
	}
	p, _ := v.Addr().Interface().(*int)
	return p
}

// positive tells which parameters may not be 0: all that a device of the shape uses.
func (set *Set) positive(d Device) error {
	var walk func(path string, v reflect.Value) error
	walk = func(path string, v reflect.Value) error {
		if v.Kind() == reflect.Struct {
			for i := range v.NumField() {
				if err := walk(strings.TrimPrefix(path+"."+v.Type().Field(i).Name, "."), v.Field(i)); err != nil {
					return err
				}
			}
			return nil
		}
		optional := strings.HasSuffix(path, "Resident") || strings.HasSuffix(path, ".SmallTiles") ||
			strings.HasSuffix(path, ".InOrder") || strings.HasSuffix(path, ".Rounds") || path == "Skew.Window" ||
			strings.HasPrefix(path, "Search.Order")
		if d.CPU {
			optional = optional || strings.HasPrefix(path, "RadixSort.K") || strings.HasPrefix(path, "RadixSort.Histogram.")
		} else {
			optional = optional || path == "RadixSort.Chunks"
		}
		if v.Int() < 0 || v.Int() == 0 && !optional {
			return fmt.Errorf("%s is %d", path, v.Int())
		}
		return nil
	}
	return walk("", reflect.ValueOf(*set))
}

// Check returns an error if kernels could not be right with the set, or not run on the
// device: what the kernels take for granted, as far as sizes decide it. A kernel may
// still be refused by the driver, for its registers for one.
func (set *Set) Check(d Device) error {
	if err := set.positive(d); err != nil {
		return err
	}
	var problems []string
	demand := func(ok bool, format string, args ...any) {
		if !ok {
			problems = append(problems, fmt.Sprintf(format, args...))
		}
	}
	local := func(bytes int, what string) {
		demand(int64(bytes) <= d.LocalMem, "%s takes %d bytes of local memory, there are %d", what, bytes, d.LocalMem)
	}
	r, q, m := &set.RadixSort, &set.SegSort, &set.Merge
	groups := []struct {
		name string
		wg   int
	}{{"Map", set.Map.WG}, {"Scan", set.Scan.WG}, {"Compact", set.Compact.WG}, {"RadixSort.Reduce", r.Reduce.WG},
		{"RadixSort.Histogram", r.Histogram.WG},
		{"RadixSort.K4V0", r.K4V0.WG}, {"RadixSort.K4V4", r.K4V4.WG}, {"RadixSort.K4V8", r.K4V8.WG},
		{"RadixSort.K8V0", r.K8V0.WG}, {"RadixSort.K8V4", r.K8V4.WG}, {"RadixSort.K8V8", r.K8V8.WG},
		{"Merge", m.WG}, {"SegSort rank", q.RankWG}, {"SegSort group", q.GroupWG},
		{"SegSort.Block", q.Block.WG}, {"SegSort.Block64", q.Block64.WG},
		{"GPULS", set.GPULS.WG}, {"Skew", set.Skew.WG}, {"Groups", set.Groups.WG}, {"Middle", set.Middle.WG},
		{"Middle.Divide", set.Middle.DivideWG}, {"LCP", set.LCP.WG},
		{"SmallTexts.Short", set.SmallTexts.Short.WG}, {"SmallTexts.Long", set.SmallTexts.Long.WG},
		{"Inverse", set.Inverse.WG}, {"Search", set.Search.WG}, {"LRQ", set.LRQ.WG},
		{"Intervals", set.Intervals.WG}, {"Matches", set.Matches.WG},
		{"Duplicates", set.Duplicates.WG}, {"RLBWT", set.RLBWT.WG}, {"SMEM", set.SMEM.WG},
	}
	for _, g := range groups {
		if d.CPU {
			demand(g.wg <= 1, "%s: work-groups of %d, kernels of CPU shape run one work-item a chunk", g.name, g.wg)
		} else {
			demand(g.wg <= d.MaxWorkGroup, "%s: work-groups of %d, the device has at most %d", g.name, g.wg, d.MaxWorkGroup)
		}
	}
	if !d.CPU {
		const places = 1 << 16 // of 16 bits, in a tile
		subgroup := 16         // LOCAL_LANES
		if d.Lanes {
			subgroup = 32
		}
		if d.LookBack {
			for _, k := range []int{4, 8} {
				for _, v := range []int{0, 4, 8} {
					tile := r.Tile(k, v)
					what := fmt.Sprintf("a radix sort of %d and %d bytes", k, v)
					demand(tile.WG*tile.Items <= places, "%s: tiles of %d", what, tile.WG*tile.Items)
					demand(tile.Small <= tile.Items, "%s: Small %d is more than Items %d", what, tile.Small, tile.Items)
					// Counters for each subgroup take turns with the pairs.
					local(max(tile.WG*tile.Items*max(k, v), tile.WG/subgroup*1024)+max(8*tile.WG, 1024), what)
				}
			}
			local(4*8*256*r.Histogram.Copies, "the histogram")
		}
		demand(r.Histogram.Copies > 0 && r.Histogram.WG%r.Histogram.Copies == 0,
			"RadixSort.Histogram: %d work-items for %d copies", r.Histogram.WG, r.Histogram.Copies)
		// kernels/radixsort.cl, 64-bit keys: a tile of keys and of places; for each work-item
		// 16 counters of two bytes, and a word of the scan; 256 starts.
		tile := r.Reduce.WG * r.Reduce.Items
		demand(tile <= places, "RadixSort.Reduce: tiles of %d", tile)
		local(tile*(8+2)+(16*2+4)*r.Reduce.WG+256*4, "the reduce-then-scan radix sort")
		// kernels/segsort_rank.cl: a word and a place an item, and the bitmap; ranges are
		// 14 bits, and a work-group advances by what is more than 64.
		span := q.RankWG * q.RankItems
		local(span*10+span/8+20, "the counting rank")
		demand(span > 64 && span <= 1<<13 && span%64 == 0 && q.RankItems%2 == 0,
			"SegSort: %d x %d items of the counting rank", q.RankWG, q.RankItems)
		// kernels/segsort_group.cl: half the capacity is whole words, a work-item a word.
		for _, g := range []struct{ items, bytes int }{{q.GroupItems, 8}, {q.GroupItems64, 12}} {
			capacity := q.GroupWG * g.items
			local(capacity*g.bytes+capacity/2+8*q.GroupWG, "the segmented sort")
			demand(capacity%64 == 0 && capacity/32 <= q.GroupWG && capacity <= places, "SegSort: %d x %d items",
				q.GroupWG, g.items)
		}
		for _, b := range []struct {
			SegBlock
			bytes int
		}{{q.Block, 8}, {q.Block64, 12}} {
			local(b.WG*b.Items*b.bytes, "a block of the segmented sort")
			demand(b.WG*b.Items <= places, "SegSort: blocks of %d x %d", b.WG, b.Items)
		}
		demand(max(q.Block.Items, q.Block64.Items, q.GroupItems, q.GroupItems64) <= 32,
			"SegSort: more than 32 items in the network of a work-item")
		// In kernels/suffixsort_groups.cl: words of 8 bytes, four bitmaps, the table.
		// In suffixsort_tile.cl: the slots of a tile, two bitmaps of these.
		// In suffixsort_single.cl: a word, a rank and a place, a bitmap, of twice as many.
		// In suffixsort.cl: slots that kernels for some of them list, two words for 32.
		span = set.Groups.WG * set.Groups.Items
		slots := 4*span + set.Groups.Limit
		local(span*8+span/2+4*257+4*set.Groups.WG+2*slots+slots/4+8, "a tile of small groups")
		// All rounds have longer groups, and the places in these.
		slots += min(span, 1<<10) - set.Groups.Limit
		local(span*8+span/2+2*span+4*set.Groups.WG+2*slots+slots/4+64, "all rounds of small groups")
		// In suffixsort_middle.cl: a key and a suffix, the table, and a bitmap; or the first items of 255 buckets.
		fit, sampled := set.Middle.WG*set.Middle.Items, set.Middle.DivideWG*set.Middle.DivideItems
		local(12*max(fit, sampled)+4*257+fit/8+4+12, "a large group")
		demand(set.Middle.WG&(set.Middle.WG-1) == 0 && set.Middle.WG >= 4 && fit > set.Groups.Limit &&
			max(set.Middle.Items, set.Middle.DivideItems) <= 32, "Middle: %d x %d suffixes, samples of %d x %d",
			set.Middle.WG, set.Middle.Items, set.Middle.DivideWG, set.Middle.DivideItems)
		local(min(2*span, 4096)*12+min(2*span, 4096)/8+4, "suffixes in one work-group")
		listed := 8 * min(set.Map.WG*set.Map.Items, 1<<10)
		local(2*listed+listed/4+4*set.Map.WG, "slots that are listed")
		demand(set.Groups.Items <= 32 && span%32 == 0 && slots < places && set.Groups.Limit < span,
			"Groups: tiles of %d x %d, groups of %d", set.Groups.WG, set.Groups.Items, set.Groups.Limit)
		// kernels/smalltexts.cl: a word and a rank, and a word for each work-item; numbers of the characters. Places of
		// tiles are 16 bits.
		for _, tile := range []TextTile{set.SmallTexts.Short, set.SmallTexts.Long} {
			local(10*tile.WG*tile.Items+4*tile.WG+4*256+4, "a small text")
			demand(tile.Items <= 31 && tile.WG*tile.Items <= places, "SmallTexts: tiles of %d x %d", tile.WG, tile.Items)
		}
		// kernels/merge.cl: an element and where it came from.
		local(m.WG*max(m.Items*(4+2), m.Items64*(8+2))+8, "the merge")
		demand(m.WG*max(m.Items, m.Items64) <= places, "Merge: tiles of %d", m.WG*max(m.Items, m.Items64))
		if !d.Lanes { // an element of scratch for each work-item, and the tile
			for _, bytes := range []int{4, 8, 16} {
				local(set.Scan.WG*(1+set.Scan.ItemsOf(bytes))*bytes, "the scan")
			}
			local(set.Compact.WG*(1+set.Compact.Items)*4, "the compaction")
		} else if d.LookBack { // what is kept meets there, 8 bytes each at most
			local(set.Compact.WG*(set.Compact.Items*8+4), "the compaction")
		}
		demand(set.Compact.Items <= 64 && set.Compact.WG*set.Compact.Items < places,
			"Compact: tiles of %d x %d", set.Compact.WG, set.Compact.Items)
	}
	demand(set.Groups.Limit >= 32 && set.Groups.Limit <= 256, "Groups: groups of %d", set.Groups.Limit)
	// kernels/skew.cl: a pair of ranks with its suffix, and a rank, for each symbol.
	local(10*set.Skew.Small+4, "skew of a small text")
	demand(set.Skew.Small >= 2 && set.Skew.Small <= 65_534, "Skew: small texts of %d", set.Skew.Small)
	g := &set.GPULS
	powerOf2 := func(n int) bool { return n&(n-1) == 0 }
	demand(g.R1 >= 2 && g.R1 <= 2048 && powerOf2(g.R1) && g.R2 >= g.R1, "GPULS: R1 %d, R2 %d", g.R1, g.R2)
	demand(powerOf2(g.WG*g.Items) && g.WG*g.Items <= max(g.R1, 2048), "GPULS: tiles of %d x %d", g.WG, g.Items)
	demand(g.Medium <= 3 && slices.Contains([]int{1, 4, 8, 16, 32}, g.H0), "GPULS: Medium %d, H0 %d", g.Medium, g.H0)
	local(8*max(g.WG*g.Items, g.R1), "type S of GPU-LS")
	if d.CPU {
		local(16*set.Intervals.Items, "intervals")
	}
	fanout := set.Intervals.FanoutLog
	demand(fanout >= 1 && fanout <= 16, "Intervals: FanoutLog %d", fanout)
	demand(set.Matches.Block >= 1, "Matches: Block %d", set.Matches.Block)
	if places := set.Duplicates.WG * set.Duplicates.Items; d.CPU {
		demand(places >= 4, "Duplicates: %d windows", places)
	} else {
		// kernels/duplicates_select.cl: a word a place, with one more for 32, and one a work-item; places have 12 bits.
		local(4*(places+places/32+set.Duplicates.WG), "anchors")
		demand(places >= 4 && places <= 1<<12 && set.Duplicates.Items <= 32, "Duplicates: tiles of %d x %d",
			set.Duplicates.WG, set.Duplicates.Items)
	}
	demand(set.RLBWT.Shortest <= set.RLBWT.Longest, "RLBWT: pieces of %d to %d", set.RLBWT.Shortest, set.RLBWT.Longest)
	// kernels/rlbwt_fmd.cl: sums of the runs of a segment and of a block after it; where each run leads; a word of the
	// scan
	const most = 95 // runs of a block
	segment := set.RLBWT.Segment
	demand(segment >= most, "RLBWT: segments of %d runs", segment)
	if d.CPU {
		local(4*(segment+most+1)+8*segment, "runs of a segment")
	} else {
		local(2*(segment+most+1)+2*segment+4*set.RLBWT.WG, "runs of a segment")
	}
	demand(set.LRQ.Method <= LRQBounded, "LRQ: Method %d", set.LRQ.Method)
	if len(problems) > 0 {
		return fmt.Errorf("tuning: %s", strings.Join(problems, "; "))
	}
	return nil
}

// Points are all points of the group around a set that Check allows, as indices into
// values, which are those of the axes and the set's own.
func (g Group) Points(set Set, d Device) (values [][]int, points [][]int) {
	for _, a := range g.Axes {
		v := append(slices.Clone(a.Values), *set.Param(a.Param))
		slices.Sort(v)
		values = append(values, slices.Compact(v))
	}
	point := make([]int, len(values))
	for {
		candidate := set
		g.Set(&candidate, values, point)
		if candidate.Check(d) == nil {
			points = append(points, slices.Clone(point))
		}
		i := 0
		for ; i < len(point); i++ {
			if point[i]++; point[i] < len(values[i]) {
				break
			}
			point[i] = 0
		}
		if i == len(point) {
			return values, points
		}
	}
}

// Set sets the parameters of the group to a point.
func (g Group) Set(set *Set, values [][]int, point []int) {
	for i, a := range g.Axes {
		*set.Param(a.Param) = values[i][point[i]]
	}
	// The small tile of a radix sort goes along with the large one.
	for i, a := range g.Axes {
		if width, ok := strings.CutSuffix(a.Param, ".Items"); ok {
			if small := set.Param(width + ".Small"); small != nil {
				*small = min(*small, values[i][point[i]])
			}
		}
	}
}

// Params are the parameters of the group in a set, with what follows from them.
func (g Group) Params(set Set) map[string]int {
	params := make(map[string]int)
	for _, a := range g.Axes {
		params[a.Param] = *set.Param(a.Param)
		if width, ok := strings.CutSuffix(a.Param, ".Items"); ok {
			if small := set.Param(width + ".Small"); small != nil {
				params[width+".Small"] = *small
			}
		}
	}
	return params
}
