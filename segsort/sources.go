package segsort

import (
	"slices"

	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/internal/cltype"
	"github.com/suffixcl/suffixcl/internal/tune"
	"github.com/suffixcl/suffixcl/scan"
)

var (
	common     = []string{"heads.cl", "segsort.cl"}
	groupFiles = []string{"localsort.cl", "segsort_group.cl"}
	listsFiles = []string{"heads.cl", "segsort_lists.cl"}
)

// listTemplate lists long segments.
var listTemplate = scan.TemplateOptions{
	Source:       device.Source{Files: listsFiles, Defines: device.Defines{"SEGSORT_SCAN": 1}},
	ElementBytes: 8,
}

func typeDefines[K, V uint32 | uint64](wg, items int) device.Defines {
	d := device.Defines{"WG": wg, "ITEMS": items, "K": cltype.Name[K](), "V": cltype.Name[V](), "K64": 0}
	if wide[K]() {
		d["K64"] = 1
	}
	return d
}

func rankSource[K, V uint32 | uint64](set tune.Set) device.Source {
	defines := typeDefines[K, V](set.SegSort.RankWG, set.SegSort.RankItems)
	return device.Source{Files: append(slices.Clip(common), "segsort_rank.cl"), Defines: defines}
}

func groupItems[K uint32 | uint64](set tune.Set) int {
	if wide[K]() {
		return set.SegSort.GroupItems64
	}
	return set.SegSort.GroupItems
}

// groupLimit is the longest segment that segsort_group sorts, and the number of items
// among whose heads a work-group finds its segments.
func groupLimit[K uint32 | uint64](set tune.Set, cpu bool) int {
	limit := set.SegSort.GroupWG * groupItems[K](set)
	if !cpu {
		limit /= 2
	}
	return limit
}

func groupSource[K, V uint32 | uint64](set tune.Set) device.Source {
	defines := typeDefines[K, V](set.SegSort.GroupWG, groupItems[K](set))
	defines["BLOCKS"], defines["SEGMENTED"] = 0, 1
	return device.Source{Files: append(slices.Clip(common), groupFiles...), Defines: defines}
}

// blockOf is the shape of the blocks, in which they are sorted and merged.
func blockOf[K uint32 | uint64](set tune.Set) tune.SegBlock {
	if wide[K]() {
		return set.SegSort.Block64
	}
	return set.SegSort.Block
}

func blockSource[K, V uint32 | uint64](set tune.Set) device.Source {
	b := blockOf[K](set)
	defines := typeDefines[K, V](b.WG, b.Items)
	defines["BLOCKS"], defines["SEGMENTED"] = 1, 0
	return device.Source{Files: append(slices.Clip(common), groupFiles...), Defines: defines}
}

func mergeSource[K, V uint32 | uint64](set tune.Set) device.Source {
	b := blockOf[K](set)
	return device.Source{
		Files: append(slices.Clip(common), "segsort_merge.cl"), Defines: typeDefines[K, V](b.WG, b.Items),
	}
}

func largeSource[K, V uint32 | uint64](set tune.Set) device.Source {
	return device.Source{
		Files: append(slices.Clip(common), "segsort_large.cl"), Defines: typeDefines[K, V](set.Map.WG, set.Map.Items),
	}
}

func headsSource(set tune.Set) device.Source {
	return device.Source{Files: []string{"segsort_heads.cl"}, Defines: device.Defines{"WG": set.Map.WG}}
}

func countSource(set tune.Set) device.Source {
	return device.Source{Files: listsFiles, Defines: device.Defines{"WG": set.Map.WG}}
}
