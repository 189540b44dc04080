package prefixdoubling

import (
	"fmt"
)

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
