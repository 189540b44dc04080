package fmindex

import "math/rand/v2"

// Scramble makes the contents of an index those of no text; its sizes stay.
func (f *File) Scramble(rng *rand.Rand) {
	for _, words := range [][]uint32{f.blocks, f.marks, f.samples} {
		for i := range words {
			if rng.IntN(3) == 0 {
				words[i] = rng.Uint32() >> rng.IntN(32)
			}
		}
	}
	for e := range f.escapes {
		f.escapes[e][1] = rng.Uint32N(uint32(f.Length) + 1)
	}
	f.Primary = 1 + rng.IntN(f.Length)
}
