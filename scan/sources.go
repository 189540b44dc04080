package scan

import (
	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/internal/tune"
)

// Sources lists the programs of every Plan and Selection.
func Sources(set tune.Set) []device.Source {
	return append(sources[uint32](set), sources[uint64](set)...)
}

func sources[T Value](set tune.Set) []device.Source {
	var all []device.Source
	for _, op := range []Op{Sum, Max} {
		for _, inclusive := range []bool{false, true} {
			all = append(all, planOptions[T](Options{Op: op, Inclusive: inclusive}).Source(set))
		}
	}
	for _, partition := range []bool{false, true} {
		all = append(all, CompactSource(set, nil, selectionDefines[T](partition)))
	}
	return all
}
