package bzip2

import (
	"math"
	"slices"
)

const (
	groupSymbols = 50 // that one table codes
	minTables    = 2
	maxTables    = 6
	maxBits      = 20 // of a code
	rounds       = 6  // in which tables and groups are fitted to each other
	// fewSymbols is the most symbols of a block for which every number of tables is tried.
	fewSymbols = 1 << 15
)

// Encode makes the bits of the block.
func (c *Column) Encode() *Bits {
	var used [256]bool
	for _, b := range c.bytes {
		used[b] = true
	}
	symbols, alphabet := moveToFront(c.bytes, &used)
	out := &Bits{checksum: c.checksum}
	out.put(blockMagic, 48)
	out.put(uint64(c.checksum), 32)
	out.put(0, 1) // not randomised
	out.put(uint64(c.row), 24)
	out.putUsed(&used)
	best := codingOf(symbols, alphabet, maxTables)
	if len(symbols) < fewSymbols {
		for tables := minTables; tables < maxTables; tables++ {
			if c := codingOf(symbols, alphabet, tables); c.cost < best.cost {
				best = c
			}
		}
	}
	best.write(out, symbols)
	return out
}

// putUsed tells which bytes there are.
func (b *Bits) putUsed(used *[256]bool) {
	var rows, all [16]uint64
	which := uint64(0)
	for c, is := range used {
		if is {
			rows[c/16] |= 1 << (15 - c%16)
			all[c/16] = 1
		}
	}
	for i := range all {
		which = which<<1 | all[i]
	}
	b.put(which, 16)
	for i, row := range rows {
		if all[i] > 0 {
			b.put(row, 16)
		}
	}
}

// moveToFront codes bytes by how many others came since they did; runs of 0 are numbers of digits 1 and 2, whose
// symbols are 0 and 1. The last symbol is the end.
func moveToFront(column []byte, used *[256]bool) (symbols []uint16, alphabet int) {
	var recent []byte
	for c, is := range used {
		if is {
			recent = append(recent, byte(c))
		}
	}
	symbols = make([]uint16, 0, len(column)/2+2)
	run := 0
	endRun := func() {
		for ; run > 0; run = (run - 1) / 2 {
			symbols = append(symbols, uint16((run-1)%2))
		}
	}
	for _, c := range column {
		if recent[0] == c {
			run++
			continue
		}
		endRun()
		place, carried := 0, recent[0]
		for carried != c {
			place++
			recent[place], carried = carried, recent[place]
		}
		recent[0] = c
		symbols = append(symbols, uint16(place+1))
	}
	endRun()
	alphabet = len(recent) + 2
	return append(symbols, uint16(alphabet-1)), alphabet
}

// coding has tables of code lengths, and which of them each group of symbols takes.
type coding struct {
	lengths  [][]uint8
	selected []uint8
	cost     int // in bits
}

// codingOf fits so many tables to the symbols.
func codingOf(symbols []uint16, alphabet, tables int) coding {
	c := coding{lengths: firstTables(symbols, alphabet, tables)}
	c.selected = make([]uint8, (len(symbols)+groupSymbols-1)/groupSymbols)
	counts := make([][]int, tables)
	for range rounds {
		for t := range counts {
			counts[t] = make([]int, alphabet)
		}
		k := 0
		for group := range slices.Chunk(symbols, groupSymbols) {
			best, least := 0, math.MaxInt
			for t, lengths := range c.lengths {
				cost := 0
				for _, s := range group {
					cost += int(lengths[s])
				}
				if cost < least {
					best, least = t, cost
				}
			}
			c.selected[k] = uint8(best)
			k++
			for _, s := range group {
				counts[best][s]++
			}
		}
		for t := range counts {
			c.lengths[t] = codeLengths(counts[t])
		}
	}
	c.cost = c.size(counts)
	return c
}

// firstTables divide the alphabet into parts that occur equally often: each has short codes for one part.
func firstTables(symbols []uint16, alphabet, tables int) [][]uint8 {
	counts := make([]int, alphabet)
	for _, s := range symbols {
		counts[s]++
	}
	all := make([][]uint8, tables)
	rest, from := len(symbols), 0
	for t := range all {
		all[t] = slices.Repeat([]uint8{15}, alphabet)
		want, have, to := rest/(tables-t), 0, from
		for to < alphabet && (have < want || to == from) {
			have += counts[to]
			all[t][to] = 0
			to++
		}
		rest, from = rest-have, to
	}
	return all
}

// codeLengths are the lengths of Huffman's code, of at most maxBits each. Symbols that do not occur have codes, too.
func codeLengths(counts []int) []uint8 {
	weights := make([]int, len(counts))
	for i, count := range counts {
		weights[i] = max(count, 1)
	}
	for {
		if lengths := huffman(weights); slices.Max(lengths) <= maxBits {
			return lengths
		}
		for i := range weights {
			weights[i] = weights[i]/2 + 1
		}
	}
}

// huffman is the code without a limit. It merges two queues in which weights do not fall: leaves, and trees in the
// order in which they were made.
func huffman(weights []int) []uint8 {
	n := len(weights)
	leaves := make([]int, n)
	for i := range leaves {
		leaves[i] = i
	}
	slices.SortStableFunc(leaves, func(a, b int) int { return weights[a] - weights[b] })
	parent := make([]int, 2*n-1)
	sums := make([]int, 2*n-1) // of trees, from n on
	leaf, tree := 0, n
	for made := n; made < 2*n-1; made++ {
		for range 2 {
			var least int
			if tree == made || leaf < n && weights[leaves[leaf]] <= sums[tree] {
				least = leaves[leaf]
				sums[made] += weights[least]
				leaf++
			} else {
				least = tree
				sums[made] += sums[least]
				tree++
			}
			parent[least] = made
		}
	}
	depth := make([]uint8, 2*n-1)
	for i := 2*n - 3; i >= n; i-- {
		depth[i] = depth[parent[i]] + 1
	}
	for i := range n {
		depth[i] = depth[parent[i]] + 1
	}
	return depth[:n]
}

// size is how many bits the coding takes.
func (c *coding) size(counts [][]int) (bits int) {
	for t, lengths := range c.lengths {
		bits += 5
		at := lengths[0]
		for s, length := range lengths {
			bits += 1 + 2*max(int(length)-int(at), int(at)-int(length)) + int(length)*counts[t][s]
			at = length
		}
	}
	for _, place := range c.places() {
		bits += int(place) + 1
	}
	return bits
}

// places are the selected tables, each by how many others came since it did.
func (c *coding) places() []uint8 {
	recent := make([]uint8, len(c.lengths))
	for t := range recent {
		recent[t] = uint8(t)
	}
	places := make([]uint8, len(c.selected))
	for i, t := range c.selected {
		place := slices.Index(recent, t)
		copy(recent[1:], recent[:place])
		recent[0] = t
		places[i] = uint8(place)
	}
	return places
}

func (c *coding) write(out *Bits, symbols []uint16) {
	out.put(uint64(len(c.lengths)), 3)
	out.put(uint64(len(c.selected)), 15)
	for _, place := range c.places() {
		out.put(1<<(place+1)-2, uint(place)+1)
	}
	codes := make([][]uint64, len(c.lengths))
	for t, lengths := range c.lengths {
		at := lengths[0]
		out.put(uint64(at), 5)
		for _, length := range lengths {
			for ; at < length; at++ {
				out.put(0b10, 2)
			}
			for ; at > length; at-- {
				out.put(0b11, 2)
			}
			out.put(0, 1)
		}
		codes[t] = canonical(lengths)
	}
	k := 0
	for group := range slices.Chunk(symbols, groupSymbols) {
		t := c.selected[k]
		k++
		for _, s := range group {
			out.put(codes[t][s], uint(c.lengths[t][s]))
		}
	}
}

// canonical are the codes of lengths: the shorter ones first, equal ones by symbol.
func canonical(lengths []uint8) []uint64 {
	codes := make([]uint64, len(lengths))
	next := uint64(0)
	for bits := uint8(1); bits <= maxBits; bits++ {
		for s, length := range lengths {
			if length == bits {
				codes[s] = next
				next++
			}
		}
		next <<= 1
	}
	return codes
}
