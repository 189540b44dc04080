package rlbwt

// SetHeld has f told of the bytes of strings that are held, until its end is called.
func SetHeld(f func(bytes int64)) (end func()) {
	held = f
	return func() { held = nil }
}

// SetPieces has pieces of so many letters, without a walk of whole strings first, and so many rows read together, until
// its end is called.
func SetPieces(letters, together int) (end func()) {
	piece, rows, wholly, room := leastPiece, rowsTogether, wholeSteps, leastRoom
	leastPiece, rowsTogether, leastRoom = letters, together, 200
	wholeSteps = func(*Index) uint64 { return 1 }
	return func() { leastPiece, rowsTogether, wholeSteps, leastRoom = piece, rows, wholly, room }
}

// Announce is what AppendAll says of the next batch.
func (x *Index) Announce(codes []byte) { x.announce(codes) }
