package rope

import (
	"context"
	"fmt"

	"github.com/suffixcl/suffixcl/internal/fmd"
)

const (
	leafRuns = 128 // most runs of a leaf
	loaded   = 112 // runs of a leaf that is loaded
	fanout   = 32  // most children of a node

	letterBits = 3
	letterMask = 1<<letterBits - 1
)

// node is a part of the transform.
type node struct {
	rows     uint64
	counts   [fmd.Letters]uint64
	children []*node  // nil of a leaf
	runs     []uint64 // of a leaf: the length above 3 bits of the letter
}

// full tells whether an insertion may have no room: it adds two runs to a leaf, or a child.
func (n *node) full() bool { return len(n.children) == fanout || len(n.runs)+2 > leafRuns }

// Index is the transform of a collection. One goroutine may change it; any number may read it while none does.
type Index struct{ root *node }

// New is the index of no strings.
func New() *Index { return &Index{&node{}} }

// Load is the index of a transform, whose runs come one after the other. Errors: those of runs.
func Load(runs func(yield func(fmd.Run) error) error) (*Index, error) {
	var (
		levels = [][]*node{nil}
		leaf   *node
	)
	// push appends a whole node to a level, and makes a node above of as many as are enough.
	var push func(level int, n *node)
	push = func(level int, n *node) {
		if level == len(levels) {
			levels = append(levels, nil)
		}
		if levels[level] = append(levels[level], n); len(levels[level]) == fanout-4 {
			push(level+1, above(levels[level]))
			levels[level] = nil
		}
	}
	err := runs(func(r fmd.Run) error {
		if leaf == nil {
			leaf = &node{runs: make([]uint64, 0, leafRuns)}
		}
		leaf.runs = append(leaf.runs, r.Len<<letterBits|uint64(r.Letter))
		leaf.rows += r.Len
		leaf.counts[r.Letter] += r.Len
		if len(leaf.runs) == loaded {
			push(0, leaf)
			leaf = nil
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	if leaf != nil {
		push(0, leaf)
	}
	for level := 0; level < len(levels); level++ {
		if last := level == len(levels)-1; last && len(levels[level]) == 1 {
			return &Index{levels[level][0]}, nil
		}
		if len(levels[level]) > 0 {
			push(level+1, above(levels[level]))
		}
	}
	return New(), nil
}

// above is a node with these children.
func above(children []*node) *node {
	n := &node{children: append(make([]*node, 0, fanout), children...)}
	for _, c := range children {
		n.rows += c.rows
		for i := range n.counts {
			n.counts[i] += c.counts[i]
		}
	}
	return n
}

// Len is the number of rows: letters, and an end for each string.
func (x *Index) Len() uint64 { return x.root.rows }

// Strings is the number of strings.
func (x *Index) Strings() uint64 { return x.root.counts[0] }

// Counts are the numbers of $ A C G T N.
func (x *Index) Counts() [fmd.Letters]uint64 { return x.root.counts }

// Release is that of an index that holds memory of a device; this one needs none.
func (x *Index) Release() {}

// Runs yields the runs of the transform, of which two that follow each other may be of one letter. Errors: those of
// yield; the end of the context.
func (x *Index) Runs(ctx context.Context, yield func(fmd.Run) error) error {
	return x.root.each(ctx, yield)
}

func (n *node) each(ctx context.Context, yield func(fmd.Run) error) error {
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	for _, c := range n.children {
		if err := c.each(ctx, yield); err != nil {
			return err
		}
	}
	for _, r := range n.runs {
		if err := yield(fmd.Run{Letter: byte(r & letterMask), Len: r >> letterBits}); err != nil {
			return err
		}
	}
	return nil
}

// at is the letter of a row, which there is, and how often each letter is before it.
func (x *Index) at(row uint64) (letter byte, before [fmd.Letters]uint64) {
	n := x.root
	for n.children != nil {
		for _, c := range n.children {
			if row < c.rows {
				n = c
				break
			}
			row -= c.rows
			for i := range before {
				before[i] += c.counts[i]
			}
		}
	}
	for _, r := range n.runs {
		if length := r >> letterBits; row >= length {
			row -= length
			before[r&letterMask] += length
			continue
		}
		letter = byte(r & letterMask)
		before[letter] += row
		break
	}
	return letter, before
}

// Step is the letter of a row, which is before its suffix, and the row of the suffix with that letter. For $, where the
// suffix is a whole string, it is the number of whole strings that are smaller.
func (x *Index) Step(row uint64) (letter byte, next uint64) {
	letter, before := x.at(row)
	return letter, x.first(letter) + before[letter]
}

// first is the first row of the suffixes that begin with a letter.
func (x *Index) first(letter byte) (row uint64) {
	for _, n := range x.root.counts[:letter] {
		row += n
	}
	return row
}

// Rank is how often each letter is before its row, of rows up to Len. Errors: a row that there is not.
func (x *Index) Rank(_ context.Context, letters []byte, rows []uint64) ([]uint64, error) {
	ranks := make([]uint64, len(rows))
	for i, row := range rows {
		before := x.root.counts
		switch {
		case row > x.Len():
			return nil, fmt.Errorf("row %d of %d", row, x.Len())
		case row < x.Len():
			_, before = x.at(row)
		}
		ranks[i] = before[letters[i]]
	}
	return ranks, nil
}

// insert puts a letter before a row, of rows up to Len, and returns how often it is before that.
func (x *Index) insert(row uint64, letter byte) (before uint64) {
	if x.root.full() {
		left, right := x.root.split()
		x.root = above([]*node{left, right})
	}
	n := x.root
	for {
		n.rows++
		n.counts[letter]++
		if n.children == nil {
			return before + n.put(row, letter)
		}
		i := 0
		for ; row > n.children[i].rows; i++ {
			row -= n.children[i].rows
			before += n.children[i].counts[letter]
		}
		if n.children[i].full() {
			left, right := n.children[i].split()
			n.children = append(n.children, nil)
			copy(n.children[i+2:], n.children[i+1:])
			n.children[i], n.children[i+1] = left, right
			if row > left.rows {
				row -= left.rows
				before += left.counts[letter]
				i++
			}
		}
		n = n.children[i]
	}
}

// put puts a letter before a row of a leaf, and returns how often it is before that.
func (n *node) put(row uint64, letter byte) (before uint64) {
	c := uint64(letter)
	for i, r := range n.runs {
		length, of := r>>letterBits, r&letterMask
		switch {
		case of == c && row <= length: // it becomes longer
			n.runs[i] += 1 << letterBits
			return before + row
		case row < length: // it is cut; at its beginning nothing is before the letter
			parts := []uint64{1<<letterBits | c, (length-row)<<letterBits | of}
			if row > 0 {
				parts = []uint64{row<<letterBits | of, parts[0], parts[1]}
			}
			n.replace(i, parts)
			return before
		}
		row -= length
		if of == c {
			before += length
		}
	}
	n.runs = append(n.runs, 1<<letterBits|c)
	return before
}

// replace puts runs in the place of one.
func (n *node) replace(i int, by []uint64) {
	end := len(n.runs)
	n.runs = append(n.runs, by[1:]...) // as many as are added
	copy(n.runs[i+len(by):], n.runs[i+1:end])
	copy(n.runs[i:], by)
}

// split makes two nodes of one.
func (n *node) split() (left, right *node) {
	if n.children != nil {
		half := len(n.children) / 2
		return above(n.children[:half]), above(n.children[half:])
	}
	half := len(n.runs) / 2
	return leafOf(n.runs[:half]), leafOf(n.runs[half:])
}

func leafOf(runs []uint64) *node {
	n := &node{runs: append(make([]uint64, 0, leafRuns), runs...)}
	for _, r := range runs {
		n.rows += r >> letterBits
		n.counts[r&letterMask] += r >> letterBits
	}
	return n
}

// checkEvery is how many letters are inserted, or walked, between looks at the context.
const checkEvery = 1 << 16

// Append appends strings of letters 1 to 5, each with a 0 after it. Errors: the end of the context, which leaves the
// index unusable; another letter, a string without end.
func (x *Index) Append(ctx context.Context, codes []byte) error {
	if len(codes) > 0 && codes[len(codes)-1] != 0 {
		return fmt.Errorf("the last string has no end")
	}
	for start := 0; start < len(codes); {
		end := start
		for ; codes[end] != 0; end++ {
			if codes[end] >= fmd.Letters {
				return fmt.Errorf("no letter has the code %d", codes[end])
			}
		}
		row := x.Strings()                  // of $
		strings := x.root.counts[0] + 1     // with this one, whose $ is inserted last
		for i := end - 1; i >= start; i-- { // from the end on
			if i%checkEvery == 0 && ctx.Err() != nil {
				return context.Cause(ctx)
			}
			letter := codes[i]
			before := x.insert(row, letter)
			row = strings + before
			for _, n := range x.root.counts[1:letter] {
				row += n
			}
		}
		x.insert(row, 0)
		start = end + 1
	}
	return nil
}

// Walk calls f with the rows that lead from one to the beginning of its string, and the letter before each suffix, from
// the right to the left; the last letter is 0. Errors: those of f; the end of the context; rows that come back to the
// first one without an end, as they may in a transform that is none of strings.
func (x *Index) Walk(ctx context.Context, row uint64, f func(row uint64, letter byte) error) error {
	for steps := uint64(0); steps < x.Len(); steps++ {
		if steps%checkEvery == 0 && ctx.Err() != nil {
			return context.Cause(ctx)
		}
		letter, next := x.Step(row)
		if err := f(row, letter); err != nil || letter == 0 {
			return err
		}
		row = next
	}
	return fmt.Errorf("row %d leads to no beginning of a string: the transform is none of strings", row)
}

// Extract yields whole strings by their numbers, each from its first letter on. The letters are valid until the next.
// Errors: a number of no string; those of Walk and yield.
func (x *Index) Extract(ctx context.Context, strings []uint64, yield func(string int, letters []byte) error) error {
	var letters []byte
	for i, s := range strings {
		if s >= x.Strings() {
			return fmt.Errorf("string %d of %d", s, x.Strings())
		}
		letters = letters[:0]
		err := x.Walk(ctx, s, func(_ uint64, letter byte) error {
			if letter != 0 {
				letters = append(letters, letter)
			}
			return nil
		})
		if err != nil {
			return err
		}
		Reverse(letters)
		if err := yield(i, letters); err != nil {
			return err
		}
	}
	return nil
}

// Reverse turns letters round, in place.
func Reverse(letters []byte) {
	for i, j := 0, len(letters)-1; i < j; i, j = i+1, j-1 {
		letters[i], letters[j] = letters[j], letters[i]
	}
}
