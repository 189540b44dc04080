// Package bytepair makes token ids as language models have them, for measurements: it learns a byte-pair code of a text
// (Gage 1994; Sennrich, Haddow & Birch 2016) and writes the text in it.
package bytepair

import (
	"cmp"
	"container/heap"
	"slices"
)

// Tokens are the ids of texts, in a code of at most so many ids, 256 to 65,536, that is learnt of them, and what
// each id stands for. Ids below 256 are bytes, the others pairs in the order in which they were joined: always one
// that occurs most often, of those the least. Pairs lie inside of words: a space and letters, digits, or other
// characters; or white space.
func Tokens(ids int, texts ...[]byte) (tokens [][]uint16, strings []string) {
	c := &code{words: map[string]*word{}, pairs: map[pair]*uses{}}
	for b := range 256 {
		c.strings = append(c.strings, string([]byte{byte(b)}))
	}
	order := make([][]*word, len(texts))
	for i, text := range texts {
		for len(text) > 0 {
			n := wordLen(text)
			order[i] = append(order[i], c.word(text[:n]))
			text = text[n:]
		}
	}
	for id := 256; id < ids && c.join(uint16(id)); id++ {
	}
	tokens = make([][]uint16, len(texts))
	for i, words := range order {
		for _, w := range words {
			tokens[i] = append(tokens[i], w.ids...)
		}
	}
	return tokens, c.strings
}

type class int

const (
	space class = iota
	letter
	digit
	other
)

func classOf(c byte) class {
	switch {
	case c <= ' ':
		return space
	case 'a' <= c|0x20 && c|0x20 <= 'z', c >= 0x80:
		return letter
	case '0' <= c && c <= '9':
		return digit
	}
	return other
}

// wordLen is the length of the first word of a text.
func wordLen(text []byte) int {
	n := 1
	of := classOf(text[0])
	if text[0] == ' ' && len(text) > 1 && classOf(text[1]) != space {
		of, n = classOf(text[1]), 2
	}
	for n < len(text) && classOf(text[n]) == of {
		if of == space && text[n] == ' ' && n+1 < len(text) && classOf(text[n+1]) != space {
			break // belongs to the next word
		}
		n++
	}
	return n
}

// word is a distinct one.
type word struct {
	ids   []uint16
	count int
}

type pair struct{ left, right uint16 }

// uses of a pair.
type uses struct {
	pair
	count int
	words []*word // that have it, or had it
}

type code struct {
	words   map[string]*word
	pairs   map[pair]*uses
	queue   queue    // nil before the first join
	strings []string // of ids
}

// word counts a word.
func (c *code) word(text []byte) *word {
	w := c.words[string(text)]
	if w == nil {
		w = &word{}
		for _, b := range text {
			w.ids = append(w.ids, uint16(b))
		}
		c.words[string(text)] = w
	}
	w.count++
	return w
}

// add counts the pairs of a word, or takes them back. It calls touched with each.
func (c *code) add(w *word, sign int, touched func(*uses)) {
	for i := 1; i < len(w.ids); i++ {
		p := pair{w.ids[i-1], w.ids[i]}
		u := c.pairs[p]
		if u == nil {
			u = &uses{pair: p}
			c.pairs[p] = u
		}
		u.count += sign * w.count
		if sign > 0 && (len(u.words) == 0 || u.words[len(u.words)-1] != w) {
			u.words = append(u.words, w)
		}
		touched(u)
	}
}

// join makes an id of the best pair, if there is one that occurs twice.
func (c *code) join(id uint16) bool {
	if c.queue == nil {
		for _, text := range sortedKeys(c.words) {
			c.add(c.words[text], 1, func(*uses) {})
		}
		for _, u := range c.pairs {
			c.queue = append(c.queue, entry{u, u.count})
		}
		heap.Init(&c.queue)
	}
	var best *uses
	for best == nil {
		if len(c.queue) == 0 {
			return false
		}
		e := heap.Pop(&c.queue).(entry)
		switch {
		case e.count == e.uses.count && e.count > 1:
			best = e.uses
		case e.count > e.uses.count && e.uses.count > 1: // it has become rarer
			heap.Push(&c.queue, entry{e.uses, e.uses.count})
		}
	}
	c.strings = append(c.strings, c.strings[best.left]+c.strings[best.right])
	words := best.words
	best.words = nil
	more := map[*uses]bool{}
	for _, w := range words {
		if !w.has(best.pair) {
			continue
		}
		c.add(w, -1, func(*uses) {})
		w.join(best.pair, id)
		c.add(w, 1, func(u *uses) { more[u] = true })
	}
	for u := range more {
		heap.Push(&c.queue, entry{u, u.count})
	}
	return true
}

func sortedKeys(words map[string]*word) []string {
	keys := make([]string, 0, len(words))
	for text := range words {
		keys = append(keys, text)
	}
	slices.Sort(keys)
	return keys
}

func (w *word) has(p pair) bool {
	for i := 1; i < len(w.ids); i++ {
		if w.ids[i-1] == p.left && w.ids[i] == p.right {
			return true
		}
	}
	return false
}

// join replaces a pair by its id.
func (w *word) join(p pair, id uint16) {
	out := w.ids[:0]
	for i := 0; i < len(w.ids); i++ {
		if i+1 < len(w.ids) && w.ids[i] == p.left && w.ids[i+1] == p.right {
			out = append(out, id)
			i++
		} else {
			out = append(out, w.ids[i])
		}
	}
	w.ids = out
}

// entry is a pair with a count that it had.
type entry struct {
	uses  *uses
	count int
}

// queue has the pair that occurs most often on top.
type queue []entry

func (q queue) Len() int { return len(q) }
func (q queue) Less(i, j int) bool {
	a, b := q[i], q[j]
	return cmp.Or(cmp.Compare(b.count, a.count), cmp.Compare(a.uses.left, b.uses.left),
		cmp.Compare(a.uses.right, b.uses.right)) < 0
}
func (q queue) Swap(i, j int) { q[i], q[j] = q[j], q[i] }
func (q *queue) Push(e any)   { *q = append(*q, e.(entry)) }
func (q *queue) Pop() any {
	last := len(*q) - 1
	e := (*q)[last]
	*q = (*q)[:last]
	return e
}
