// Package doubling is what the sorters by doubling share: a bound of their rounds, and the names of GPU-LS's phases.
package doubling

import (
	"fmt"
	"math/bits"

	"github.com/suffixcl/suffixcl/device"
)

// Phases of GPU-LS, as in the paper's time breakdown.
const (
	PhaseInitial = "initial sorting"
	PhaseSmall   = "S-type sorting"
	PhaseMedium  = "M-type sorting"
	PhaseLarge   = "L-type sorting"
	PhaseISA     = "ISA update"
	PhaseGroups  = "group processing"
)

// CheckRound is asked before each round of a sort by doubling, from round 0 on, with what is unsorted of n suffixes.
// It is an error after as many rounds as sort every text, so that a device that computes wrong does not keep a sorter
// forever.
func CheckRound(s *device.Session, round, unsorted, n int) error {
	if round < bits.Len(uint(n)) { // the depth, 1 at least, doubles at least in each
		return nil
	}
	return fmt.Errorf("%d suffixes are unsorted after %d rounds of doubling, enough for every text: "+
		"%s does not compute right", unsorted, round, s.Caps().Name)
}
