package suffixcl

import "testing"

// SmallBlocks lets results come in blocks of that many positions.
func SmallBlocks(t *testing.T, n int) {
	rows, block := rowsAtOnce, blockLength
	rowsAtOnce, blockLength = n, n
	t.Cleanup(func() { rowsAtOnce, blockLength = rows, block })
}

// SmallPieces lets patterns go to the device in pieces of that many bytes.
func SmallPieces(t testing.TB, n int) {
	piece := searchPiece
	searchPiece = n
	t.Cleanup(func() { searchPiece = piece })
}
