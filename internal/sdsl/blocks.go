package sdsl

import (
	"sync/atomic"

	"github.com/suffixcl/suffixcl/internal/addressspace"
	"github.com/suffixcl/suffixcl/internal/parallel"
)

// What others that code blocks have to know.
const (
	BlockBits        = blockBits
	SuperblockBlocks = superBlocks
	SuperblockBits   = superBits
	ClassBits        = classWidth
)

// Binomial is the number of sets of k of n, in 128 bits, the low half first. n and k are at most BlockBits.
func Binomial(n, k int) [2]uint64 { return [2]uint64{choose[n][k].low, choose[n][k].high} }

// NumberBits are the bits of the number of a block with k ones.
func NumberBits(k int) uint { return space[k] }

// Blocks are N bits, coded in blocks. There is one block at least, and one without bits after the last whole one.
type Blocks struct {
	N        uint64
	Classes  []uint64 // the ones of blocks in 7 bits each, or the zeros in inverted superblocks; 224 bits a superblock
	Inverted []uint8  // 1: the superblock is; one for each superblock
	Places   []uint64 // of each superblock, the bits of numbers before it; at last, all of them
	Ones     []uint64 // of each superblock, the ones before it; at last, all of them
	Numbers  []uint64 // of blocks, in the bits that they need; a word at least, zeros after the last bit
}

func newBlocks(n uint64) *Blocks {
	b := &Blocks{N: n}
	supers := int((b.blocks() + superBlocks - 1) / superBlocks)
	b.Inverted = make([]uint8, supers)
	b.Places, b.Ones = make([]uint64, supers+1), make([]uint64, supers+1)
	b.Classes = addressspace.Make[uint64](wordsOf(uint64(supers) * superBlocks * classWidth))
	return b
}

func (b *Blocks) blocks() uint64 { return (b.N + blockBits) / blockBits }

// codeBlocks codes them on the host.
func codeBlocks(b *Blocks, words []uint64) error {
	blocks, supers := int(b.blocks()), len(b.Inverted)
	classes := make([]uint8, blocks)
	parallel.Do(supers, 1<<6, func(lo, hi int) {
		for s := lo; s < hi; s++ {
			many, end := 0, min((s+1)*superBlocks, blocks)
			for i := s * superBlocks; i < end; i++ {
				k := block(words, i).ones()
				classes[i] = uint8(k)
				b.Ones[s+1] += uint64(k)
				b.Places[s+1] += uint64(space[k])
				if k > blockBits/2 {
					many++
				}
			}
			whole := end-s*superBlocks == superBlocks && uint64(s*superBits+blockBits) <= b.N
			if whole && many > superBlocks/2 {
				b.Inverted[s] = 1
			}
		}
	})
	for s := range supers {
		b.Ones[s+1] += b.Ones[s]
		b.Places[s+1] += b.Places[s]
	}
	b.Numbers = addressspace.Make[uint64](wordsOf(max(b.Places[supers], 64)))
	parallel.Do(supers, 1<<6, func(lo, hi int) {
		p := packer{words: b.Numbers, at: b.Places[lo], first: true,
			or: func(word *uint64, bits uint64) { atomic.OrUint64(word, bits) }}
		for i := lo * superBlocks; i < min(hi*superBlocks, blocks); i++ {
			k := int(classes[i])
			if space[k] == 0 {
				continue
			}
			of := number(block(words, i), k)
			if space[k] > 64 {
				p.put(of.low, 64)
				p.put(of.high, space[k]-64)
			} else {
				p.put(of.low, space[k])
			}
		}
		p.end()
	})
	packed := vector{words: b.Classes, n: blocks, width: classWidth}
	packed.fill(func(i int) uint64 {
		if b.Inverted[i/superBlocks] == 1 {
			return uint64(blockBits - classes[i])
		}
		return uint64(classes[i])
	})
	return nil
}
