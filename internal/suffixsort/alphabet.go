package suffixsort

import (
	"math"
	"math/bits"
	"slices"
)

// entries is the number of entries of a code's table: one for each byte, and one for places after the end of the text.
const entries = 257

// longestCode is the largest number of bits of a code: what an entry holds.
const longestCode = 16

// maxWidth is the largest width of packed symbols, in bits.
const maxWidth = 4

// code is an order-preserving prefix code: texts compare as their codes do.
type code struct {
	sigma int // symbols that occur
	// width is the number of bits of every symbol, 1, 2 or 4, or 0 where they differ.
	width int
	// bits is the mean length of a symbol.
	bits float64
	// table is that of suffixsort.cl: code << 16 | class << 8 | length.
	table [entries]uint32
}

// What suffixsort_heads decodes by: entries for the first decodeBits of a code, two a word, after the table.
const (
	decodeBits = 10
	tableWords = entries + 1<<decodeBits/2
)

// words makes those of the table on the device, with those to decode by unless all symbols have the same width.
func (c *code) words(words *[tableWords]uint32) []uint32 {
	copy(words[:], c.table[:])
	if c.width > 0 {
		return words[:entries]
	}
	decoded := c.decode()
	for e := range words[entries:] {
		words[entries+e] = uint32(decoded[2*e]) | uint32(decoded[2*e+1])<<16
	}
	return words[:]
}

// decode tells of decodeBits bits, the start of a code, how many whole symbols they are << 8, the bits of these << 4
// and the bits of the first one; 0 if that has more.
func (c *code) decode() (decoded [1 << decodeBits]uint16) {
	type symbol struct{ from, length uint32 }
	var all [256]symbol
	symbols := all[:0]
	for _, entry := range c.table[:256] {
		if length := entry & 0xff; entry != 0 && length <= decodeBits {
			symbols = append(symbols, symbol{entry >> (32 - decodeBits), length})
		}
	}
	// The same of k bits, without those of the first: from 2^k on. A symbol, and what is told of the bits after it, which
	// are not many where all symbols have some.
	var told [1 << decodeBits]uint16
	shortest := uint32(decodeBits)
	for _, s := range symbols {
		shortest = min(shortest, s.length)
	}
	for k := uint32(1); k <= decodeBits; k++ {
		if k > decodeBits-shortest && k < decodeBits {
			continue
		}
		to := decoded[:]
		if k < decodeBits {
			to = told[1<<k : 1<<(k+1)]
		}
		for _, s := range symbols {
			if s.length <= k {
				first := uint16(1<<8 | s.length<<4)
				if k == decodeBits {
					first |= uint16(s.length)
				}
				rest := told[1<<(k-s.length) : 2<<(k-s.length)]
				into := to[s.from>>(decodeBits-k):][:len(rest)]
				for v, t := range rest {
					into[v] = first + t
				}
			}
		}
	}
	return decoded
}

// newCode makes the code for a text with these counts of the 256 bytes. It has a width only if even.
func newCode(counts []uint32, even bool) (c code) {
	var total float64
	var bytes [256]int // on the stack, as all of this: see coder
	present := bytes[:0]
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
	var weights [256]float64
	for k, b := range present {
		weights[k] = float64(counts[b]) + total/4096 // no code is longer than 2 + log2(4096 * 1.0625)
	}
	lengths := alphabeticLengths(weights[:c.sigma])
	for k, b := range present {
		c.bits += float64(lengths[k]) * float64(counts[b]) / total
	}
	width := 1 << bits.Len(uint(bits.Len(uint(c.sigma-1))-1))
	if even && width <= maxWidth && float64(width) <= 1.05*c.bits {
		c.width, c.bits = width, float64(width)
		for k := range lengths {
			lengths[k] = uint8(width)
		}
	}
	next := uint32(0) // the code after the last one, in the top 16 bits
	for k, b := range present {
		c.table[b] = next | uint32(lengths[k])
		next += 1 << (32 - lengths[k])
	}
	c.table[256] = c.table[present[0]]
	return c
}

// classBit is the bit of a table's entry that tells the class of a symbol: see suffixsort_samples.cl.
const classBit = 8

// classify divides the symbols into two classes that occur equally often, or nearly so: the most frequent one first,
// each goes to the class that has occurred less. Of independent symbols a quarter of the text are rises then, and
// phrases are shortest.
func (c *code) classify(counts []uint32) {
	var order [256]uint64 // the count's complement, then the symbol
	symbols := order[:0]
	for b, n := range counts {
		if n > 0 {
			symbols = append(symbols, uint64(^n)<<8|uint64(b))
		}
	}
	slices.Sort(symbols)
	var sums [2]uint64
	for _, s := range symbols {
		b, class := s&0xff, 0
		if sums[1] < sums[0] {
			class = 1
		}
		sums[class] += uint64(counts[b])
		c.table[b] |= uint32(class) << classBit
	}
	c.table[256] = c.table[slices.IndexFunc(counts, func(n uint32) bool { return n > 0 })]
}

// alphabeticLengths are the lengths of an optimal prefix code that keeps the order of
// the symbols, by the algorithm of Garsia and Wachs (1977; Knuth, The Art of Computer
// Programming, 6.2.2). Two weights or more, up to 256, all positive.
func alphabeticLengths(weights []float64) (lengths [256]uint8) {
	// Nodes are the leaves, the pairs in the order in which they are made, and one beyond both ends.
	n := len(weights)
	var weight [512]float64
	var children [512][2]int16
	last := 2*n - 1
	copy(weight[:], weights)
	weight[last] = math.Inf(1)
	var nodes [258]int16
	row := append(nodes[:0], int16(last))
	for k := range n {
		row = append(row, int16(k))
	}
	row = append(row, int16(last))
	for pair, to := n, 0; pair < last; pair++ {
		k := max(to, 2) // nothing has changed before
		for weight[row[k-1]] > weight[row[k+1]] {
			k++
		}
		weight[pair], children[pair] = weight[row[k-1]]+weight[row[k]], [2]int16{row[k-1], row[k]}
		to = k - 2
		for weight[row[to]] < weight[pair] {
			to--
		}
		copy(row[to+2:k+1], row[to+1:k-1]) // the two leave, what follows `to` moves
		row[to+1] = int16(pair)
		row = append(row[:k], row[k+1:]...)
	}
	var depth [512]uint8
	for pair := last - 1; pair >= n; pair-- { // the root first
		for _, child := range children[pair] {
			depth[child] = depth[pair] + 1
		}
	}
	copy(lengths[:n], depth[:])
	return lengths
}
