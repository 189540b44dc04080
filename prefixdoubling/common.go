package prefixdoubling

import (
	"fmt"
	"slices"

	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/internal/tune"
	"github.com/suffixcl/suffixcl/radixsort"
)

// Sources lists the programs of the package, without those of package radixsort.
func Sources(set tune.Set) []device.Source {
	return slices.Concat(
		osipovSources(set),
		radixsort.PairSources[uint64, uint32](set, charactersTemplate),
		radixsort.PairSources[uint64, uint32](set, pairsTemplate),
		[]device.Source{rankTemplateOf(false).Source(set), rankTemplateOf(true).Source(set)},
		gpulsSources(set),
		hybridSources(set),
	)
}

// checkRun checks a text of n bytes and its suffix array against the plan.
func checkRun(n, planned, sa int) error {
	if n > planned || sa < n {
		return fmt.Errorf("prefixdoubling: text of %d bytes, suffix array of %d entries, planned for %d", n, sa, planned)
	}
	return nil
}

func report(progress Progress, phase string, done, total int) {
	if progress != nil {
		progress(phase, int64(done), int64(total))
	}
}
