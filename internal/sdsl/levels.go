package sdsl

import (
	"sort"
	"sync/atomic"

	"github.com/suffixcl/suffixcl/internal/addressspace"
	"github.com/suffixcl/suffixcl/internal/parallel"
)

// lettersAtOnce are divided among processors.
const lettersAtOnce = 1 << 20

// fill makes the bits of all nodes: those of a node tell which of its letters go right, in the order of the transform.
func (t *tree) fill(transform []byte) []uint64 {
	words := addressspace.Make[uint64](wordsOf(t.bits))
	var ways [letters][]step
	for c := range ways {
		ways[c] = t.steps(c)
	}
	parts := (len(transform) + lettersAtOnce - 1) / lettersAtOnce
	part := func(i int) []byte {
		return transform[i*lettersAtOnce : min((i+1)*lettersAtOnce, len(transform))]
	}
	counts := make([][letters]uint64, parts)
	parallel.Do(parts, 1, func(lo, hi int) {
		for i := lo; i < hi; i++ {
			counts[i] = count(part(i))
		}
	})
	begins := make([][]uint64, parts) // of each node's bits of a part
	next := make([]uint64, len(t.nodes))
	for n := range next {
		next[n] = t.nodes[n].place
	}
	for i := range begins {
		begins[i] = append([]uint64(nil), next...)
		for c, n := range counts[i] {
			for _, s := range ways[c] {
				next[s.node] += n
			}
		}
	}
	parallel.Do(parts, 1, func(lo, hi int) {
		type bits struct {
			at, word uint64
			inner    bool // the word before was this part's, too
		}
		state := make([]bits, len(t.nodes))
		for i := lo; i < hi; i++ {
			for n, at := range begins[i] {
				state[n] = bits{at: at}
			}
			for _, c := range part(i) {
				for _, s := range ways[c] {
					of := &state[s.node]
					if s.right {
						of.word |= 1 << (of.at % 64)
					}
					if of.at++; of.at%64 == 0 {
						if word := &words[of.at/64-1]; of.inner {
							*word = of.word
						} else {
							atomic.OrUint64(word, of.word)
						}
						of.word, of.inner = 0, true
					}
				}
			}
			for n := range state {
				if of := &state[n]; of.word != 0 {
					atomic.OrUint64(&words[of.at/64], of.word)
				}
			}
		}
	})
	return words
}

// count counts every fourth letter by itself: a processor waits for a count that it has just written.
func count(text []byte) (many [letters]uint64) {
	var by [4][letters]uint64
	for ; len(text) >= 4; text = text[4:] {
		by[0][text[0]]++
		by[1][text[1]]++
		by[2][text[2]]++
		by[3][text[3]]++
	}
	for i, c := range text {
		by[i][c]++
	}
	for c := range many {
		many[c] = by[0][c] + by[1][c] + by[2][c] + by[3][c]
	}
	return many
}

// Count is how often each letter occurs, counted on several processors.
func Count(text []byte) (many [letters]uint64) {
	for _, part := range parallel.Collect(len(text), lettersAtOnce, func(lo, hi int) [letters]uint64 {
		return count(text[lo:hi])
	}) {
		for c, n := range part {
			many[c] += n
		}
	}
	return many
}

// Levels takes the bits of a wavelet tree level by level, piece by piece of the transform, and puts those of each node
// where they belong.
type Levels struct {
	tree  *tree
	words []uint64
	next  []uint64 // of each node, where its next bits go
	runs  [][]run  // of each level of the piece
}

// run are bits of a level that stay together.
type run struct{ from, to, n uint64 }

func newLevels(t *tree) *Levels {
	l := &Levels{tree: t, words: addressspace.Make[uint64](wordsOf(t.bits)), next: make([]uint64, len(t.nodes))}
	for i, n := range t.nodes {
		l.next[i] = n.place
	}
	return l
}

// Paths are the ways to the letters: steps from the root, the first in the least bit, and their number from bit
// PathBits on. The number is 0 for a letter that does not occur.
func (l *Levels) Paths() *[letters]uint64 { return &l.tree.path }

// Piece begins the next piece, which has so many of each letter.
func (l *Levels) Piece(many *[letters]uint64) {
	t := l.tree
	sizes, depths := make([]uint64, len(t.nodes)), make([]int, len(t.nodes))
	for c, n := range many {
		if t.leaf[c] != noNode {
			sizes[t.leaf[c]] = n
		}
	}
	for i := len(t.nodes) - 1; i > 0; i-- {
		sizes[t.nodes[i].parent] += sizes[i]
	}
	l.runs = nil
	ends := uint64(0)
	for i, n := range t.nodes {
		if i > 0 {
			depths[i] = depths[n.parent] + 1
		}
		if n.left == noNode || sizes[i] == 0 {
			continue
		}
		if depths[i] == len(l.runs) {
			l.runs, ends = append(l.runs, nil), 0
		}
		runs := &l.runs[depths[i]]
		if last := len(*runs) - 1; last >= 0 && (*runs)[last].to+(*runs)[last].n == l.next[i] {
			(*runs)[last].n += sizes[i]
		} else {
			*runs = append(*runs, run{ends, l.next[i], sizes[i]})
		}
		ends += sizes[i]
		l.next[i] += sizes[i]
	}
}

// Put takes bits of a level of the piece: those of its nodes one after the other, from left to right. They begin at bit
// `from`. What words have beyond the last bit is not used.
func (l *Levels) Put(level int, from uint64, words []uint64) {
	runs, end := l.runs[level], from+64*uint64(len(words))
	for r := sort.Search(len(runs), func(r int) bool { return runs[r].from+runs[r].n > from }); r < len(runs); r++ {
		begin := max(runs[r].from, from)
		if begin >= end {
			return
		}
		putBits(l.words, runs[r].to+begin-runs[r].from, words, begin-from, min(runs[r].from+runs[r].n, end)-begin)
	}
}

// putBits sets n bits of words, which are 0, from bit `to` on, to those of others from bit `from` on.
func putBits(words []uint64, to uint64, others []uint64, from, n uint64) {
	at := func(i, n uint64) uint64 { // n bits from bit i on
		word, used := i/64, i%64
		value := others[word] >> used
		if used+n > 64 {
			value |= others[word+1] << (64 - used)
		}
		if n < 64 {
			value &= 1<<n - 1
		}
		return value
	}
	head := min(-to%64, n)
	if head > 0 {
		words[to/64] |= at(from, head) << (to % 64)
	}
	to, from, n = to+head, from+head, n-head
	whole := words[to/64:][:n/64]
	parallel.Do(len(whole), 1<<14, func(lo, hi int) {
		source, used := others[from/64:], from%64
		if used == 0 || lo == hi {
			copy(whole[lo:hi], source[lo:])
			return
		}
		source = source[:hi+1]
		for i := lo; i < hi; i++ {
			whole[i] = source[i]>>used | source[i+1]<<(64-used)
		}
	})
	if n%64 > 0 {
		words[to/64+n/64] |= at(from+n/64*64, n%64)
	}
}
