package fmd

// SetDecoded sets how many blocks are decoded together, and how many a processor gets, until the function that it
// returns is called.
func SetDecoded(together uint64, least int) (restore func()) {
	oldTogether, oldLeast := decodedTogether, leastDecoded
	decodedTogether, leastDecoded = together, least
	return func() { decodedTogether, leastDecoded = oldTogether, oldLeast }
}
