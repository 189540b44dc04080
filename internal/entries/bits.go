package entries

import "encoding/binary"

// Group is the number of entries that end with a byte, whatever their bits.
const Group = 8

// PackGroup writes entries of 1 to 64 bits one after the other, the first in the lowest bits, and zeros in what is left
// of the last byte. Bits of entries that are too high are left out. There are at most Group of them.
func PackGroup(to []byte, bits int, entries []uint64) {
	mask := uint64(1)<<bits - 1 // of 64 bits all
	word, held := uint64(0), 0
	for _, v := range entries {
		v &= mask
		word |= v << held
		if held += bits; held < 64 {
			continue
		}
		binary.LittleEndian.PutUint64(to, word)
		to = to[8:]
		held -= 64
		word = v >> (bits - held)
	}
	for ; held > 0; held -= 8 {
		to[0] = byte(word)
		word >>= 8
		to = to[1:]
	}
}
