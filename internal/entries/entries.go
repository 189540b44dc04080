// Package entries is the layout of suffix and LCP arrays in files: little-endian integers of 1 to 8 bytes.
package entries

import (
	"encoding/binary"
	"math"

	"github.com/suffixcl/suffixcl/internal/parallel"
)

// grain is the least number of entries for which another processor is worth it.
const grain = 1 << 15

// Encode writes entries of width bytes to the start of a buffer, on as many processors as there are. Entries that do
// not fit into width bytes are cut off.
func Encode[T uint32 | uint64](to []byte, width int, from []T) {
	parallel.Do(len(from), grain, func(lo, hi int) { encode(to[lo*width:hi*width], width, from[lo:hi]) })
}

func encode[T uint32 | uint64](to []byte, width int, from []T) {
	switch width {
	case 4:
		for i, v := range from {
			binary.LittleEndian.PutUint32(to[4*i:], uint32(v))
		}
	case 5: // 3 to 4 times as fast as one by one
		whole := len(from) &^ 7
		for i := 0; i < whole; i += 8 {
			encodeEight((*[40]byte)(to[5*i:]), (*[8]T)(from[i:]))
		}
		encodeOnes(to[5*whole:], 5, from[whole:])
	case 8:
		for i, v := range from {
			binary.LittleEndian.PutUint64(to[8*i:], uint64(v))
		}
	default:
		encodeOnes(to, width, from)
	}
}

// encodeOnes writes one entry after the other. Each store has 8 bytes; the next one overwrites those that are too many.
func encodeOnes[T uint32 | uint64](to []byte, width int, from []T) {
	for _, v := range from {
		if len(to) >= 8 {
			binary.LittleEndian.PutUint64(to, uint64(v))
		} else {
			var last [8]byte
			binary.LittleEndian.PutUint64(last[:], uint64(v))
			copy(to[:width], last[:])
		}
		to = to[width:]
	}
}

// encodeEight writes eight entries of five bytes as five words.
func encodeEight[T uint32 | uint64](to *[40]byte, from *[8]T) {
	const mask = 1<<40 - 1
	a, b, c, d := uint64(from[0])&mask, uint64(from[1])&mask, uint64(from[2])&mask, uint64(from[3])&mask
	e, f, g, h := uint64(from[4])&mask, uint64(from[5])&mask, uint64(from[6])&mask, uint64(from[7])&mask
	binary.LittleEndian.PutUint64(to[0:], a|b<<40)
	binary.LittleEndian.PutUint64(to[8:], b>>24|c<<16|d<<56)
	binary.LittleEndian.PutUint64(to[16:], d>>8|e<<32)
	binary.LittleEndian.PutUint64(to[24:], e>>32|f<<8|g<<48)
	binary.LittleEndian.PutUint64(to[32:], g>>16|h<<24)
}

// Decode reads len(to) entries of width bytes from the start of a buffer, on as many processors as there are.
func Decode(to []uint64, width int, from []byte) {
	parallel.Do(len(to), grain, func(lo, hi int) { decode(to[lo:hi], width, from[lo*width:hi*width]) })
}

func decode(to []uint64, width int, from []byte) {
	mask := uint64(math.MaxUint64) >> (64 - 8*width)
	for i := range to {
		if len(from) >= 8 {
			to[i] = binary.LittleEndian.Uint64(from) & mask
		} else {
			var last [8]byte
			copy(last[:width], from)
			to[i] = binary.LittleEndian.Uint64(last[:])
		}
		from = from[width:]
	}
}
