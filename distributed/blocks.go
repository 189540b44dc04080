package distributed

// Bounds are the places [from, to) of the block of a rank, of n places in all: the first n mod ranks blocks have one
// more than the others.
func Bounds(n uint64, ranks, rank int) (from, to uint64) {
	p, r := uint64(ranks), uint64(rank)
	size, more := n/p, n%p
	return r*size + min(r, more), (r+1)*size + min(r+1, more)
}

// ownerOf is the rank whose block has a place.
func ownerOf(n uint64, ranks int, place uint64) int {
	size, more := n/uint64(ranks), n%uint64(ranks)
	if border := more * (size + 1); place >= border {
		return int(more + (place-border)/size)
	}
	return int(place / (size + 1))
}
