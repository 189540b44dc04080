package sdsl

import (
	"encoding/binary"
	"fmt"
	"io"
	"math/bits"

	"github.com/suffixcl/suffixcl/internal/parallel"
)

// Blocks of an rrr_vector<127>.
const (
	blockBits   = 127
	superBlocks = 32
	superBits   = superBlocks * blockBits
	classWidth  = 7
)

// wide is a number of 128 bits.
type wide struct{ low, high uint64 }

func (a wide) plus(b wide) wide {
	low, carry := bits.Add64(a.low, b.low, 0)
	high, _ := bits.Add64(a.high, b.high, carry)
	return wide{low, high}
}

func (a wide) less(b wide) bool { return a.high < b.high || a.high == b.high && a.low < b.low }

func (a wide) length() uint {
	if a.high != 0 {
		return 64 + uint(bits.Len64(a.high))
	}
	return uint(bits.Len64(a.low))
}

// choose [n][k] is the number of sets of k of n.
var choose = func() (c [blockBits + 1][blockBits + 2]wide) {
	for n := range c {
		c[n][0] = wide{low: 1}
		for k := 1; k <= n; k++ {
			c[n][k] = c[n-1][k-1].plus(c[n-1][k])
		}
	}
	return c
}()

// space [k] are the bits of the number of a block with k ones, among all of these.
var space = func() (s [blockBits + 1]uint) {
	for k := 1; k < blockBits; k++ {
		s[k] = choose[blockBits][k].length()
	}
	return s
}()

// block are the bits of block b.
func block(words []uint64, b int) wide {
	at := uint64(b) * blockBits
	word, used := at/64, uint(at%64)
	if word >= uint64(len(words)) {
		return wide{}
	}
	take := func(i uint64) uint64 {
		if i < uint64(len(words)) {
			return words[i]
		}
		return 0
	}
	x := wide{words[word] >> used, take(word+1) >> used}
	if used > 0 {
		x.low |= take(word+1) << (64 - used)
		x.high |= take(word+2) << (64 - used)
	}
	x.high &= 1<<63 - 1
	return x
}

func (a wide) ones() int { return bits.OnesCount64(a.low) + bits.OnesCount64(a.high) }

// number is that of a block with k ones.
func number(x wide, k int) (sum wide) {
	for i, word := range [2]uint64{x.low, x.high} {
		for ; word != 0; word &= word - 1 {
			sum = sum.plus(choose[blockBits-1-64*i-bits.TrailingZeros64(word)][k])
			k--
		}
	}
	return sum
}

// chooseOf [k][n] is choose [n][k], so that a search for the ones of a block goes along a row.
var chooseOf = func() (c [blockBits + 1][blockBits + 1]wide) {
	for k := range c {
		for n := range c[k] {
			c[k][n] = choose[n][k]
		}
	}
	return c
}()

// before is the number of ones in the first bits of a block with a number, and what is left of the number there.
func before(of wide, k, first int) (ones int, rest wide) { return beforeFrom(of, k, 0, 0, first) }

// beforeFrom goes on from a bit with what was found there.
func beforeFrom(of wide, k, ones, from, first int) (int, wide) {
	if space[k] <= 64 {
		ones, low := beforeLow(of.low, k, ones, from, first)
		return ones, wide{low: low}
	}
	row := &chooseOf[k-ones]
	for d := from; d < first && ones < k; d++ {
		c := &row[blockBits-1-d]
		low, borrow := bits.Sub64(of.low, c.low, 0)
		if high, borrow := bits.Sub64(of.high, c.high, borrow); borrow == 0 {
			of = wide{low, high}
			ones++
			row = &chooseOf[k-ones]
		}
	}
	return ones, of
}

// beforeLow is beforeFrom for numbers of up to 64 bits.
func beforeLow(of uint64, k, ones, from, first int) (int, uint64) {
	row := &chooseOf[k-ones]
	for d := from; d < first && ones < k; d++ {
		if c := &row[blockBits-1-d]; c.high == 0 && of >= c.low {
			of -= c.low
			ones++
			row = &chooseOf[k-ones]
		}
	}
	return ones, of
}

// rrr is a vector of bits in blocks.
type rrr struct {
	n       uint64
	classes *vector // of blocks
	numbers *vector // bits
	places  *vector // of the numbers of superblocks
	ranks   *vector
	invert  *vector
}

// newRRR codes the first n bits of words; the rest are 0. code is codeBlocks, or does the same. Memory: as much as the
// result, and 17 bytes a superblock.
func newRRR(words []uint64, n uint64, code func(b *Blocks, words []uint64) error) (*rrr, error) {
	b := newBlocks(n)
	if err := code(b, words); err != nil {
		return nil, err
	}
	supers := len(b.Inverted)
	total, ones := b.Places[supers], b.Ones[supers]
	r := &rrr{n: n, numbers: &vector{words: b.Numbers, n: int(max(total, 64)), width: 1}}
	r.numbers.words = b.Numbers[:wordsOf(uint64(r.numbers.n))]
	r.classes = &vector{words: b.Classes[:wordsOf(classWidth*b.blocks())], n: int(b.blocks()), width: classWidth}
	r.places = newVector(supers, widthFor(total))
	dummy := n%superBits == 0 // the last superblock has a block without bits, and no place
	r.places.fill(func(s int) uint64 {
		if dummy && s == supers-1 {
			return 0
		}
		return b.Places[s]
	})
	entries := supers
	if !dummy {
		entries++
	}
	r.ranks = newVector(entries, widthFor(ones))
	r.ranks.fill(func(s int) uint64 {
		if s == entries-1 {
			return ones
		}
		return b.Ones[s]
	})
	r.invert = newVector(supers, 1)
	r.invert.fill(func(s int) uint64 { return uint64(b.Inverted[s]) })
	return r, nil
}

func (r *rrr) size() int64 {
	return 8 + r.classes.size(true) + r.numbers.size(false) + r.places.size(true) + r.ranks.size(true) +
		r.invert.size(false)
}

func (r *rrr) write(w io.Writer) error {
	if _, err := w.Write(binary.LittleEndian.AppendUint64(nil, r.n)); err != nil {
		return err
	}
	for _, v := range []struct {
		*vector
		withWidth bool
	}{{r.classes, true}, {r.numbers, false}, {r.places, true}, {r.ranks, true}, {r.invert, false}} {
		if err := v.write(w, v.withWidth); err != nil {
			return err
		}
	}
	return nil
}

// storedRRR is one in a file's bytes.
type storedRRR struct {
	n                                       uint64
	classes, numbers, places, ranks, invert stored
}

func (p *parts) rrr() (r storedRRR) {
	r.n = p.uint64()
	r.classes, r.numbers, r.places, r.ranks, r.invert = p.vector(0), p.vector(1), p.vector(0), p.vector(0), p.vector(1)
	if p.err != nil {
		return r
	}
	blocks := (r.n + blockBits) / blockBits
	supers := (blocks + superBlocks - 1) / superBlocks
	if r.n > 8*blockBits*uint64(len(p.data)) || r.classes.width != classWidth || r.classes.n != blocks ||
		r.places.n != supers || r.invert.n != supers || r.ranks.n != (r.n+superBits-1)/superBits+1 {
		p.fail("the blocks of %d bits are not as many as they should be", r.n)
		return r
	}
	// Each superblock begins where the last one ended: then no number is outside.
	wrong := parallel.Try(int(supers), 1<<12, func(lo, hi int) error {
		for s := uint64(lo); s < uint64(hi); s++ {
			if s*superBits >= r.n { // of nothing but a block that is none
				continue
			}
			last := min((s+1)*superBlocks, blocks) - 1
			if last*blockBits >= r.n {
				last--
			}
			ones, k, place := r.find(last)
			ones, place = ones+uint64(k), place+uint64(space[k])
			end := r.numbers.n
			if s+1 < supers && (s+1)*superBits < r.n {
				end = r.places.at(s + 1)
			}
			if s == 0 && (r.ranks.at(0) != 0 || r.places.at(0) != 0) || ones != r.ranks.at(s+1) || place > end ||
				place < end && s+1 < supers && (s+1)*superBits < r.n {
				return fmt.Errorf("superblock %d of the bits does not end where the next one begins", s)
			}
		}
		return nil
	})
	if wrong == nil && r.n == 0 && r.ranks.at(0) != 0 {
		wrong = fmt.Errorf("%d ones of no bits", r.ranks.at(0))
	}
	if wrong != nil {
		p.fail("%v", wrong)
	}
	return r
}

// find tells of a block the ones before it, those in it, and where its number is.
func (r *storedRRR) find(b uint64) (ones uint64, k int, place uint64) {
	s := b / superBlocks
	ones, place = r.ranks.at(s), r.places.at(s)
	inverted := r.invert.at(s) == 1
	const together = 64 / classWidth
	at := s * superBlocks * classWidth
	for left := int(b%superBlocks) + 1; left > 0; { // the classes up to that of the block
		n := min(left, together)
		classes := bitsAt(r.classes.data, at, uint(n*classWidth))
		at += uint64(n * classWidth)
		left -= n
		for ; n > 0; n-- {
			k = int(classes % (1 << classWidth))
			classes >>= classWidth
			if inverted {
				k = blockBits - k
			}
			ones += uint64(k)
			place += uint64(space[k])
		}
	}
	return ones - uint64(k), k, place - uint64(space[k])
}

// rank is the number of ones before bit i <= n.
func (r *storedRRR) rank(i uint64) uint64 {
	if i >= r.n {
		return r.ranks.at(r.ranks.n - 1)
	}
	ones, k, place := r.find(i / blockBits)
	first := int(i % blockBits)
	switch {
	case first == 0 || k == 0:
		return ones
	case k == blockBits:
		return ones + uint64(first)
	}
	more, _ := before(r.number(place, k), k, first)
	return ones + uint64(more)
}

// rankBoth are the ranks of two bits, i <= j <= n: those of a block are found in one pass.
func (r *storedRRR) rankBoth(i, j uint64) (ofI, ofJ uint64) {
	b := i / blockBits
	if j >= r.n || j/blockBits != b {
		return r.rank(i), r.rank(j)
	}
	ones, k, place := r.find(b)
	first, second := int(i%blockBits), int(j%blockBits)
	switch k {
	case 0:
		return ones, ones
	case blockBits:
		return ones + uint64(first), ones + uint64(second)
	}
	before, rest := before(r.number(place, k), k, first)
	more, _ := beforeFrom(rest, k, before, first, second)
	return ones + uint64(before), ones + uint64(more)
}

// rankAndBit is rank, and the bit i < n.
func (r *storedRRR) rankAndBit(i uint64) (rank uint64, one bool) {
	ones, k, place := r.find(i / blockBits)
	first := int(i % blockBits)
	switch k {
	case 0:
		return ones, false
	case blockBits:
		return ones + uint64(first), true
	}
	more, rest := before(r.number(place, k), k, first)
	return ones + uint64(more), more < k && !rest.less(chooseOf[k-more][blockBits-1-first])
}

func (r *storedRRR) number(place uint64, k int) wide {
	if space[k] <= 64 {
		return wide{low: bitsAt(r.numbers.data, place, space[k])}
	}
	return wide{bitsAt(r.numbers.data, place, 64), bitsAt(r.numbers.data, place+64, space[k]-64)}
}
