package scan

import (
	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/internal/tune"
)

// Sources lists the programs of every Plan, Segmented and Selection. A device that
// can look back never gets the two passes by itself: they are listed for both.
func Sources(set tune.Set) []device.Source {
	var all []device.Source
	all = append(all, sources[uint32](set)...)
	all = append(all, sources[uint64](set)...)
	all = append(all, sources[Pair](set)...)
	for _, m := range []Method{Auto, ReduceThenScan} {
		for _, o := range options(m) {
			all = append(all, segmentedOptions[uint32](o).Source(set), segmentedOptions[uint64](o).Source(set))
		}
		for _, o := range []CompactTemplateOptions{selectIfOptions[uint32]("item < bound", CompactOptions{m}), selectIfOptions[uint64]("item < bound", CompactOptions{m})} {
			all = append(all, o.Source(set))
		}
	}
	return all
}

func options(m Method) []Options {
	return []Options{{Sum, false, m}, {Sum, true, m}, {Max, false, m}, {Max, true, m}}
}

func sources[T Value](set tune.Set) []device.Source {
	var all []device.Source
	for _, m := range []Method{Auto, ReduceThenScan} {
		for _, o := range options(m) {
			all = append(all, planOptions[T](o).Source(set))
		}
		for f := toFront; f <= apart3; f++ {
			o := selectionOptions[T](f, CompactOptions{m})
			if o.Totals && m == ReduceThenScan {
				continue // they always are
			}
			all = append(all, o.Source(set))
		}
	}
	return all
}
