package rlbwt

// SetHeld has f told of the bytes of strings that are held, after each round of a walk, until its end is called.
func SetHeld(f func(bytes int64)) (end func()) {
	held = f
	return func() { held = nil }
}

// Announce is what AppendAll says of the next batch.
func (x *Index) Announce(codes []byte) { x.announce(codes) }
