package suffixcl

import "testing"

// SmallBlocks lets results come in blocks of that many positions.
func SmallBlocks(t *testing.T, n int) {
	rows, block := rowsAtOnce, blockLength
	rowsAtOnce, blockLength = n, n
	t.Cleanup(func() { rowsAtOnce, blockLength = rows, block })
}

// The choices of Auto.
var Automatic = automatic
