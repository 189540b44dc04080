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
	for e := 1; e < len(f.escapes); e += runWords {
		f.escapes[e] = rng.Uint32()
	}
	f.Primary = 1 + rng.IntN(f.Length)
}
