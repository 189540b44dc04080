package suffixsort

import (
	"math"
	"math/bits"
)

// symbols is the number of entries of a code's table: one for each byte, and one for
// what is behind the end of the text.
const symbols = 257

// longestCode is the number of bits that an entry has room for.
const longestCode = 16

// code is an order-preserving prefix code: texts compare as their codes do.
type code struct {
	sigma int // symbols that occur
	// width is the number of bits of every symbol, 1, 2 or 4, or 0 where they differ.
	width int
	// bits is the mean length of a symbol.
	bits float64
	// table is that of suffixsort.cl: code << 16 | length.
	table [symbols]uint32
}

// What suffixsort_heads decodes by: entries for the first decodeBits of a code. Two are a word, and they
// are behind the table.
const (
	decodeBits = 10
	tableWords = symbols + 1<<decodeBits/2
)

// words are those of the table on the device, with those to decode by if that is wanted.
func (c *code) words(decode bool) []uint32 {
	if !decode {
		return c.table[:]
	}
	const entries = 1 << decodeBits
	var first [entries]uint32 // bits of the first symbol, or 0
	for _, entry := range c.table[:256] {
		if length := entry & 0xff; entry != 0 && length <= decodeBits {
			from := entry >> (32 - decodeBits)
			for e := range uint32(1) << (decodeBits - length) {
				first[from+e] = length
			}
		}
	}
	words := make([]uint32, tableWords)
	copy(words, c.table[:])
	for e := range uint32(entries) {
		used, count := uint32(0), uint32(0)
		for used < decodeBits {
			length := first[e<<used&(entries-1)]
			if length == 0 || used+length > decodeBits {
				break
			}
			used += length
			count++
		}
		if count > 0 {
			words[symbols+e/2] |= (count<<8 | used<<4 | first[e]) << (16 * (e % 2))
		}
	}
	return words
}

// newCode makes the code for a text with these counts.
func newCode(counts []uint32) *code {
	c := &code{}
	var total float64
	var present []int
	for b, n := range counts {
		if n > 0 {
			present = append(present, b)
			total += float64(n)
		}
	}
	c.sigma = len(present)
	if c.sigma < 2 {
		return c
	}
	weights := make([]float64, c.sigma)
	for k, b := range present {
		weights[k] = float64(counts[b]) + total/4096 // no code is longer than 2 + log2(4096 * 1.0625)
	}
	lengths := alphabeticLengths(weights)
	for k, b := range present {
		c.bits += float64(lengths[k]) * float64(counts[b]) / total
	}
	if width := 1 << bits.Len(uint(bits.Len(uint(c.sigma-1))-1)); width <= 4 && float64(width) <= 1.05*c.bits {
		c.width, c.bits = width, float64(width)
		for k := range lengths {
			lengths[k] = width
		}
	}
	next := uint32(0) // the code behind the last one, in the top 16 bits
	for k, b := range present {
		c.table[b] = next | uint32(lengths[k])
		next += 1 << (32 - lengths[k])
	}
	c.table[256] = c.table[present[0]]
	return c
}

// alphabeticLengths are the lengths of an optimal prefix code that keeps the order of
// the symbols, by the algorithm of Garsia and Wachs (1977; Knuth, The Art of Computer
// Programming, 6.2.2). Two weights or more, all positive.
func alphabeticLengths(weights []float64) []int {
	type node struct {
		weight      float64
		left, right *node
		leaf        int
	}
	nodes := make([]node, 0, 2*len(weights)) // all there will be
	add := func(n node) *node {
		nodes = append(nodes, n)
		return &nodes[len(nodes)-1]
	}
	infinite := add(node{weight: math.Inf(1)})
	row := append(make([]*node, 0, len(weights)+2), infinite)
	for k, w := range weights {
		row = append(row, add(node{weight: w, leaf: k}))
	}
	row = append(row, infinite)
	for len(row) > 3 {
		k := 2
		for row[k-1].weight > row[k+1].weight {
			k++
		}
		pair := add(node{weight: row[k-1].weight + row[k].weight, left: row[k-1], right: row[k]})
		to := k - 2
		for row[to].weight < pair.weight {
			to--
		}
		copy(row[to+2:k+1], row[to+1:k-1]) // the two leave, what is behind `to` moves
		row[to+1] = pair
		row = append(row[:k], row[k+1:]...)
	}
	lengths := make([]int, len(weights))
	var walk func(*node, int)
	walk = func(n *node, depth int) {
		if n.left == nil {
			lengths[n.leaf] = depth
			return
		}
		walk(n.left, depth+1)
		walk(n.right, depth+1)
	}
	walk(row[1], 0)
	return lengths
}
