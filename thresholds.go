package suffixcl

import (
	"errors"

	"github.com/suffixcl/suffixcl/internal/call"
	"github.com/suffixcl/suffixcl/internal/jobs/thresholds"
)

// Runs are some of the runs of equal letters of a transform with the row of its end, an entry each. The rows are those
// of text$, sorted: n+1 of n letters. The letter of a row is the one before its suffix, 0 before the whole text.
type Runs struct {
	Letters []byte   // [m]
	Starts  []uint32 // [m], their first rows; a run ends where the next one begins, the last one with the rows
	// Thresholds [m] are rows; 0 for the first run of a letter. Of the rows after the last run of the letter, up to the
	// start of this one, it is the first that has the shortest common prefix with the row before it.
	Thresholds []uint32
}

// errRunsAlone is of runs and other arrays, or of runs of a text that is not sorted plainly.
var errRunsAlone = errors.New("suffixcl: runs are wanted alone, in plain order, of a text that is to be sorted")

// runs is Arrays with Want.Runs.
func (e *Engine) runs(text Text, want Want) Job[*Result, *Result] {
	others := want.SA || want.LCP || want.BWT || want.Documents || want.Every > 1
	if others || want.Order != OrderPlain || want.Known != nil || want.Into != nil {
		return jobOf(call.Refused[*thresholds.Runs, *thresholds.Runs](e.inner(), errRunsAlone), runsOf, runsOf)
	}
	return jobOf(thresholds.Find(e.inner(), text.in), runsOf, runsOf)
}

func runsOf(r *thresholds.Runs) *Result {
	if r == nil {
		return nil
	}
	return &Result{Runs: (*Runs)(r)}
}
