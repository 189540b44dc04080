package ranges

import (
	"runtime"

	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/internal/bitpack"
	"github.com/suffixcl/suffixcl/internal/intmath"
)

// parcels says how a text of n characters gets to so many devices: packed by the host, 0.25 bytes a character of DNA,
// or as it is.
type parcels struct {
	n, width, devices int
	packed            bool
}

// slots is how many pieces are in page-locked memory: one for each processor that packs, and those on their way.
func (p parcels) slots() int {
	switch {
	case p.packed:
		return packers(p.n) + 2*uploadsAtOnce
	case p.devices > 1:
		return 6 // devices differ in speed
	}
	return 3
}

// bytes is the page-locked memory of all slots.
func (p parcels) bytes() int64 {
	each := min(pieceOf(p.n), p.n)
	if p.packed {
		each = 8 * packedWords(packedLen(p.n), p.width)
	}
	return int64(p.slots()) * int64(each+pinnedUnit)
}

// mostHostWidth is the most bits of a character of texts that the host packs. Wider ones are copied as they are: that
// takes as long, or less where there are few processors.
const mostHostWidth = bitpack.MostWidth

// leastPackers is the least number of processors by which packing is faster than copying the text to one device with
// memory of its own: a bus carries 23 to 54 GB/s, and each packs 10 by vector instructions, else 2.9.
func leastPackers() int {
	if bitpack.Vectors() {
		return 4
	}
	return 14
}

// hostPacks tells whether the host packs a text with characters of so many bits.
func hostPacks(s *device.Session, devices, width int) bool {
	fast := !s.Caps().CPUShape && runtime.GOMAXPROCS(0) >= leastPackers()
	return width <= mostHostWidth && (devices > 1 || fast)
}

// uploadsAtOnce is how many packed pieces are on their way to a device.
const uploadsAtOnce = 4

// pieceOf is how many of n characters are copied to the device at a time: their codes are whole words.
func pieceOf(n int) int { return min(intmath.RoundUp(intmath.CeilDiv(n, 32), 64), 16<<20) }

// packedLen is how many of n characters a processor packs at a time.
func packedLen(n int) int { return min(pieceOf(n), 4<<20) }

// packers is how many processors pack a text of n characters.
func packers(n int) int {
	if n == 0 {
		return 0
	}
	return min(runtime.GOMAXPROCS(0), intmath.CeilDiv(n, packedLen(n)))
}

// packedWords is the number of words of n characters, with the zeros after them.
func packedWords(n, width int) int { return intmath.CeilDiv(n*width, 64) + 2 }
