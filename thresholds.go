package suffixcl

import (
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

// Len is their number.
func (r *Runs) Len() int {
	return len(r.Letters)
}

// Thresholds are the runs of the transform of a text of bytes, in their order, and the thresholds by which MONI,
// SPUMONI and Movi match reads. The text holds no byte 0.
//
// All takes 9 bytes of host memory a run. Memory: that of an LCP array, and 0.3 bytes a character. Cost: that of the
// LCP array, and O(log n) for each run. Errors: those of SuffixArray; a text of other symbols, or a set; one that holds
// a byte 0.
func (e *Engine) Thresholds(text Text) Job[*Runs, *Runs] {
	return jobOf(thresholds.Find(e.inner(), text.in), runsOf, runsOf)
}

func runsOf(r *thresholds.Runs) *Runs { return (*Runs)(r) }
