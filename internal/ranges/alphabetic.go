package ranges

import (
	"math"
	"slices"

	"github.com/suffixcl/suffixcl/device"
)

// mostCodes is the most code words of all contexts, and longestCode the longest one: ranges_coded.cl.
const (
	mostCodes   = 129 * 129
	longestCode = 12
)

// leastCodedWidth is the least width of characters for which there is an alphabetic code: bases take 2 bits, each as
// often.
const leastCodedWidth = 3

// alphabetic is a code of variable length for the characters of a text, by the character before each: ranges_coded.cl.
type alphabetic struct {
	symbols, contexts int
	words             []uint16 // of each context and symbol: code word and length
	classes           [256]uint8
	expected          float64 // bits of a character
}

// newAlphabetic returns the code of a text whose characters have these numbers, made from the counts of pairs of bytes
// in parts of it.
func newAlphabetic(c *code, pairs *[256][256]uint32) *alphabetic {
	sigma := 0
	for _, x := range c.table {
		if x != noCode {
			sigma++
		}
	}
	a := &alphabetic{symbols: sigma + 1}
	a.contexts = min(sigma+1, mostCodes/a.symbols)
	counts := make([]float64, sigma*sigma)
	often := make([]float64, sigma) // as the first of a pair
	for x := range sigma {
		for y := range sigma {
			count := float64(pairs[c.letters[x]][c.letters[y]])
			counts[x*sigma+y] = count
			often[x] += count
		}
	}
	// Frequent characters have a context each, the rest have the last one.
	byCount := make([]int, sigma)
	for x := range byCount {
		byCount[x] = x
	}
	slices.SortStableFunc(byCount, func(x, y int) int { return int(often[y] - often[x]) })
	for rank, x := range byCount {
		a.classes[x] = uint8(min(rank+1, a.contexts-1))
		if a.contexts == a.symbols {
			a.classes[x] = uint8(x + 1)
		}
	}
	followers := make([]float64, a.contexts*sigma)
	all, bitsOfAll := 0.0, 0.0
	for x := range sigma {
		for y := range sigma {
			followers[y] += counts[x*sigma+y] // of context 0: all
			if class := int(a.classes[x]); class > 0 {
				followers[class*sigma+y] += counts[x*sigma+y]
			}
		}
	}
	for context := range a.contexts {
		of := followers[context*sigma : (context+1)*sigma]
		words := alphabeticWords(of)
		a.words = append(a.words, words...)
		for y, count := range of {
			if context > 0 {
				all += count
				bitsOfAll += count * float64(words[y+1]&15+1)
			}
		}
	}
	a.expected = bitsOfAll / max(all, 1)
	return a
}

// alphabeticWords are code words and lengths of the end of the text and of characters that occur so often.
func alphabeticWords(counts []float64) []uint16 {
	all := 0.0
	for _, count := range counts {
		all += count
	}
	weights := make([]float64, len(counts)+1)
	// Rare characters are taken for less rare ones, until no code word is too long.
	for least := max(all, 1) / (1 << 12); ; least *= 2 {
		weights[0] = least
		for y, count := range counts {
			weights[y+1] = max(count, least)
		}
		lengths := codeLengths(weights)
		if slices.Max(lengths) > longestCode {
			continue
		}
		words, next := make([]uint16, len(lengths)), uint32(0)
		for x, length := range lengths {
			words[x] = uint16(next<<(16-longestCode)) | uint16(length-1)
			next += 1 << (longestCode - length)
		}
		return words
	}
}

// codeLengths are the lengths of the code words of an alphabetic code that takes the fewest bits, for two symbols or
// more: that of Garsia and Wachs.
func codeLengths(weights []float64) []int {
	type node struct {
		weight      float64
		left, right int
	}
	nodes := make([]node, 0, 2*len(weights))
	row := make([]int, len(weights))
	for x, weight := range weights {
		nodes = append(nodes, node{weight, -1, -1})
		row[x] = x
	}
	weightAt := func(k int) float64 {
		if k >= len(row) {
			return math.Inf(1)
		}
		return nodes[row[k]].weight
	}
	for len(row) > 1 {
		k := 1 // the first with nothing less than the one before it after it
		for weightAt(k-1) > weightAt(k+1) {
			k++
		}
		joined := node{weightAt(k-1) + weightAt(k), row[k-1], row[k]}
		row = slices.Delete(row, k-1, k+1)
		to := k - 1
		for to > 0 && nodes[row[to-1]].weight < joined.weight {
			to--
		}
		row = slices.Insert(row, to, len(nodes))
		nodes = append(nodes, joined)
	}
	lengths := make([]int, len(weights))
	depths := make([]int, len(nodes))
	for x := len(nodes) - 1; x >= 0; x-- { // parents come after their children
		if of := nodes[x]; of.left >= 0 {
			depths[of.left], depths[of.right] = depths[x]+1, depths[x]+1
		} else {
			lengths[x] = depths[x]
		}
	}
	return lengths
}

// of is the coded suffix at i of n characters, by the words of packed text from its first bit on, zeros after them.
func (a *alphabetic) of(words []uint64, width, i, n int) (coded uint64) {
	context, first := 0, i*width%64
	for k, used := 0, 0; used < 64; k++ {
		symbol, character := 0, uint64(0)
		if k < n-i {
			at := first + k*width
			shift := at % 64
			pair := words[at/64]<<shift | words[at/64+1]>>1>>(63-shift)
			character = pair >> (64 - width)
			symbol = int(character) + 1
		}
		word := a.words[context*a.symbols+symbol]
		coded |= uint64(word>>4) << 52 >> used
		if symbol == 0 {
			break
		}
		used += int(word&15) + 1
		context = int(a.classes[character])
	}
	return coded
}

// wordsOfCoded is the most words of packed text that the coded suffix is made of: 64 characters, and one word more.
func wordsOfCoded(width int) int { return width + 2 }

// worthCoding says when a code is worth it: the least length of a text, and the most bits of a character, as a part of
// those of the packed text. CPUs take longer to code than to sort by more windows. Tests have others.
var worthCoding = struct {
	least int
	share float64
	cpu   bool
}{1 << 16, 0.8, false}

// mayCode tells whether texts of n characters may be worth a code on the device.
func mayCode(s *device.Session, n int) bool {
	return n >= worthCoding.least && (worthCoding.cpu || !s.Caps().CPUShape)
}
