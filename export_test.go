package suffixcl

import "testing"

// SmallBlocks lets results come in blocks of that many positions.
func SmallBlocks(t *testing.T, n int) {
	rows, block := rowsAtOnce, blockLength
	rowsAtOnce, blockLength = n, n
	t.Cleanup(func() { rowsAtOnce, blockLength = rows, block })
}

// The choices of Auto, and the length from which Lean is one.
var Automatic = automatic

const LeanFrom = leanFrom
