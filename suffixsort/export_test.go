package suffixsort

// What only tests set and see.
type (
	Options  = options
	Capacity = capacities
)

// NewWith is New with options.
var NewWith = newSorter

// The phases that texts of some structure come to.
const (
	PhaseInitial = phaseInitial
	PhaseInvert  = phaseInvert
	PhaseChain   = phaseChain
	PhaseDouble  = phaseDouble
)
