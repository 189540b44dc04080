package fmd

import (
	"errors"
	"fmt"
	"math/bits"
)

// Letters is the size of the alphabet: $ A C G T N.
const Letters = 6

// Run is a letter that stands Len times.
type Run struct {
	Letter byte
	Len    uint64
}

const (
	headerBytes = 80
	// BlockWords are the words of a block, of 64 bits.
	BlockWords = 8
	blockWords = BlockWords
	counts     = 1 + Letters
	letterBits = 3
	frameBits  = 4 // frames are for 2^4 blocks, or more
	// MaxRun is the longest run: its code has 62 bits.
	MaxRun = 1<<48 - 1
)

// superblockWords is the number of words of a superblock. Its last one is not used. Tests have smaller ones.
var superblockWords uint64 = 1 << 23

// SetSuperblock sets the words of a superblock until the function that it returns is called. It is for tests.
func SetSuperblock(words uint64) (restore func()) {
	before := superblockWords
	superblockWords = words
	return func() { superblockWords = before }
}

var magic = [16]byte{'R', 'L', 'D', 3, 3, 0, 6, 0}

// Error says what is wrong with a file.
type Error struct {
	Offset int64 // in bytes
	Why    string
}

func (e *Error) Error() string { return fmt.Sprintf("byte %d: %s", e.Offset, e.Why) }

// errTooDense says that counts of 64 bits have no room: 2^30 rows are in the last block of a superblock.
var errTooDense = errors.New("fmd: 2^30 rows in the last block of 2^23 words, which the format has no room for")

// EndsSuperblock tells whether one of n blocks, from a number on, is the last one of a superblock.
func EndsSuperblock(block, n uint64) bool {
	each := superblockWords / blockWords
	return block%each+n >= each
}

// kindOf is how the counts of a block are written: 0, 1 and 2 for 16, 32 and 64 bits.
func kindOf(total uint64) int {
	switch {
	case total < 1<<14:
		return 0
	case total < 1<<30:
		return 1
	}
	return 2
}

// headWords are the words of the counts of each kind.
var headWords = [3]int{2, 4, counts}

// tailOf is the last word of a block that is used, from its first one.
func tailOf(block uint64) int {
	if (block+blockWords)%superblockWords == 0 {
		return blockWords - 2
	}
	return blockWords - 1
}

// codeOf is the code of a run, in the low bits, and its width.
func codeOf(r Run) (code uint64, width int) {
	y := bits.Len64(r.Len) - 1
	z := bits.Len(uint(y+1)) - 1
	code = uint64(y+1)<<y | r.Len&^(1<<y)
	return code<<letterBits | uint64(r.Letter), 2*z + 1 + y + letterBits
}
