package sdsl

import (
	"container/heap"
	"encoding/binary"
	"fmt"
	"io"
)

const (
	letters  = 256
	noNode   = 0xffff
	deepest  = 56 // bits of a path
	nodeSize = 22
)

// PathBits are the bits of a path: no letter is below more nodes.
const PathBits = deepest

// node is a node of the tree as it is stored.
type node struct {
	place               uint64 // of the node's bits
	second              uint64 // ones before them; of a leaf the letter
	parent, left, right uint16
}

// tree is the shape of a wavelet tree: nodes level by level.
type tree struct {
	nodes []node
	leaf  [letters]uint16
	path  [letters]uint64 // steps from the root, the first in the least bit, and their number from bit 56 on
	bits  uint64          // of all nodes
	sigma int
}

// weight is how often the letters of a node occur.
type weight struct {
	many uint64
	node int
}

// frequent is a heap of nodes, the least frequent first, and of those the one that was made first.
type frequent []weight

func (f frequent) Len() int { return len(f) }
func (f frequent) Less(a, b int) bool {
	return f[a].many < f[b].many || f[a].many == f[b].many && f[a].node < f[b].node
}
func (f frequent) Swap(a, b int) { f[a], f[b] = f[b], f[a] }
func (f *frequent) Push(x any)   { *f = append(*f, x.(weight)) }
func (f *frequent) Pop() any {
	last := (*f)[len(*f)-1]
	*f = (*f)[:len(*f)-1]
	return last
}

// newTree makes the tree of letters that occur so often. Errors: no letter occurs, or a path has more than 56 steps.
func newTree(many *[letters]uint64) (*tree, error) {
	type shape struct {
		many        uint64
		left, right int
		letter      int
	}
	var all []shape
	var queue frequent
	for c, n := range many {
		if n > 0 {
			queue = append(queue, weight{n, len(all)})
			all = append(all, shape{n, -1, -1, c})
		}
	}
	t := &tree{sigma: len(all)}
	if t.sigma == 0 {
		return nil, fmt.Errorf("sdsl: a text without letters")
	}
	heap.Init(&queue)
	for len(queue) > 1 {
		a, b := heap.Pop(&queue).(weight), heap.Pop(&queue).(weight)
		heap.Push(&queue, weight{a.many + b.many, len(all)})
		all = append(all, shape{a.many + b.many, a.node, b.node, -1})
	}
	for c := range t.leaf {
		t.leaf[c] = noNode
	}
	ones := uint64(0)
	order := []int{len(all) - 1} // of the numbers of all, level by level
	t.nodes = []node{{parent: noNode}}
	for at := 0; at < len(order); at++ {
		of := all[order[at]]
		n := &t.nodes[at]
		n.place, n.left, n.right = t.bits, noNode, noNode
		if of.letter >= 0 {
			n.second = uint64(of.letter)
			t.leaf[of.letter] = uint16(at)
			continue
		}
		n.second = ones
		n.left, n.right = uint16(len(order)), uint16(len(order)+1)
		t.bits += of.many
		ones += all[of.right].many
		order = append(order, of.left, of.right)
		t.nodes = append(t.nodes, node{parent: uint16(at)}, node{parent: uint16(at)})
	}
	last := uint64(0)
	for c := range t.path {
		if t.leaf[c] == noNode {
			t.path[c] = last
			continue
		}
		depth, path := uint64(0), uint64(0)
		for n := t.leaf[c]; n != 0; n = t.nodes[n].parent {
			path <<= 1
			if t.nodes[t.nodes[n].parent].right == n {
				path |= 1
			}
			depth++
		}
		if depth > deepest {
			return nil, fmt.Errorf("sdsl: the code of a letter has %d bits, of at most %d", depth, deepest)
		}
		t.path[c] = depth<<deepest | path
		last = uint64(c)
	}
	return t, nil
}

// step is a node on the way to a letter.
type step struct {
	node  uint16
	right bool
}

// steps are the inner nodes on the way to a letter.
func (t *tree) steps(c int) (way []step) {
	if t.leaf[c] == noNode {
		return nil
	}
	path := t.path[c]
	for n, depth := uint16(0), path>>deepest; depth > 0; depth-- {
		s := step{n, path&1 == 1}
		way = append(way, s)
		if n = t.nodes[n].left; s.right {
			n = t.nodes[s.node].right
		}
		path >>= 1
	}
	return way
}

func (t *tree) size() int64 { return int64(8 + nodeSize*len(t.nodes) + 2*letters + 8*letters) }

func (t *tree) write(w io.Writer) error {
	b := binary.LittleEndian.AppendUint64(nil, uint64(len(t.nodes)))
	for _, n := range t.nodes {
		b = binary.LittleEndian.AppendUint64(b, n.place)
		b = binary.LittleEndian.AppendUint64(b, n.second)
		b = binary.LittleEndian.AppendUint16(b, n.parent)
		b = binary.LittleEndian.AppendUint16(b, n.left)
		b = binary.LittleEndian.AppendUint16(b, n.right)
	}
	for _, n := range t.leaf {
		b = binary.LittleEndian.AppendUint16(b, n)
	}
	for _, p := range t.path {
		b = binary.LittleEndian.AppendUint64(b, p)
	}
	_, err := w.Write(b)
	return err
}
