package prefixdoubling

import (
	"fmt"
	"math/bits"

	"github.com/suffixcl/suffixcl/device"
)

// RoundsError says that suffixes are unsorted after as many rounds of doubling as the
// sorter may make.
type RoundsError struct {
	Unsorted int    // suffixes
	Rounds   int    // made
	Device   string // that does not compute right, if those sort every text; else empty
}

func (e *RoundsError) Error() string {
	text := fmt.Sprintf("%d suffixes are unsorted after %d rounds of doubling", e.Unsorted, e.Rounds)
	if e.Device != "" {
		text += ", enough for every text: " + e.Device + " does not compute right"
	}
	return text
}

// CheckRound is asked before each round of a sort by doubling, from round 0 on, with what is unsorted of n
// suffixes. It is a *[RoundsError] after limit rounds. With limit 0 it is one after as many rounds as sort every
// text, so that a device that computes wrong does not keep a sorter forever.
func CheckRound(s *device.Session, round, limit, unsorted, n int) error {
	enough := bits.Len(uint(n)) // the depth, 1 at least, doubles at least in each
	switch {
	case limit > 0 && limit < enough && round >= limit:
		return &RoundsError{Unsorted: unsorted, Rounds: round}
	case round >= enough:
		return &RoundsError{Unsorted: unsorted, Rounds: round, Device: s.Caps().Name}
	}
	return nil
}
