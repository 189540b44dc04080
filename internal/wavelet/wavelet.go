// Package wavelet makes wavelet trees of package sdsl, and codes their bits, on a device.
//
//	wavelet.go   pieces that fit; what both steps have
//	levels.go    the bits of a tree, level by level
//	blocks.go    bits in blocks, by classes and numbers
package wavelet

import (
	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/internal/intmath"
	"github.com/suffixcl/suffixcl/internal/sdsl"
	"github.com/suffixcl/suffixcl/internal/tuned"
)

// Pieces are as much as the device has at a time: letters of a text, and superblocks of bits, an even number.
type Pieces struct{ Letters, Superblocks int }

const (
	// leastLetters and leastSuperblocks are worth a piece.
	leastLetters     = 1 << 16
	leastSuperblocks = 1 << 6
	// mostSuperblocks have fewer than 2^32 bits.
	mostSuperblocks = 1 << 20
	// bytesOfLetter and bytesOfSuperblock are what a piece takes, rounded up.
	bytesOfLetter     = 3
	bytesOfSuperblock = 1200
)

// PiecesOf are pieces for a text of n letters, within half of the memory that the session may have.
func PiecesOf(s *device.Session, n int) Pieces {
	limit, _ := tuned.MemoryLimit(s)
	room := min(limit/2, s.Caps().MaxAlloc)
	supers := min(8*int64(n)/sdsl.SuperblockBits+1, mostSuperblocks) // codes of bytes have at most 8 bits on average
	return Pieces{
		Letters:     int(min(max(room/bytesOfLetter, leastLetters), max(int64(n), 1))),
		Superblocks: int(min(max(room/bytesOfSuperblock, leastSuperblocks), supers)+1) &^ 1,
	}
}

// mostItems is how many elements a work-item takes at most where loops may not be long: some go round 63 times for
// each.
const mostItems = 1 << 9

// Maker is an sdsl.Maker. The two steps have memory of the device one after the other.
type Maker struct {
	s      *device.Session
	levels *levels
	blocks *blocks
}

// New plans for pieces. Memory of the device: 2 1/8 bytes a letter, then 1,100 a superblock of 4,064 bits.
func New(s *device.Session, of Pieces) *Maker {
	shape := tuned.Of(s).Map
	if !tuned.Quirks(s.Caps()).LongLoops {
		shape.Items = min(shape.Items, mostItems)
	}
	return &Maker{s: s, levels: newLevels(s, shape, of.Letters),
		blocks: newBlocks(s, shape, min(of.Superblocks, mostSuperblocks))}
}

// Plan is the memory of both steps.
func (m *Maker) Plan() device.MemoryPlan {
	return device.MemoryPlan{m.levels.layout.Memory(), m.blocks.layout.Memory()}
}

func groups(n, wg, items int) int { return intmath.CeilDiv(n, wg*items) }
