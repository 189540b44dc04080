package merge

import (
	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/internal/tune"
)

// Sources lists the programs of every Plan.
func Sources(set tune.Set) []device.Source {
	return []device.Source{
		planOptions[uint32, uint32](false).Source(set),
		planOptions[uint32, uint32](true).Source(set),
		planOptions[uint32, uint64](true).Source(set),
		planOptions[uint64, uint32](false).Source(set),
		planOptions[uint64, uint32](true).Source(set),
		planOptions[uint64, uint64](true).Source(set),
	}
}
