package suffixsort

import "github.com/suffixcl/suffixcl/device"

// Phases that texts with long repeats come to, and those whose samples are sorted first.
const (
	PhaseDouble = phaseDouble
	PhaseInduce = phaseInduce
)

// Options are those of New that only tests set.
type (
	Options  = options
	Capacity = capacities
)

// NewWith is New with options.
func NewWith(s *device.Session, n int, o Options) (*Sorter, error) {
	return newSorter(s, arena{n: n}, o, nil)
}

// NewSymbolsWith is NewSymbols with options.
func NewSymbolsWith[T uint16 | uint32](s *device.Session, n int, o Options) (*Symbols[T], error) {
	return newSymbols[T](s, n, o)
}
