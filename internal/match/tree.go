package match

import (
	"fmt"

	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/internal/intmath"
	"github.com/suffixcl/suffixcl/internal/patternset"
	"github.com/suffixcl/suffixcl/internal/tune"
)

const fan = 16 // entries of a minimum of the pyramid

func treeSource(set tune.Set) device.Source {
	t := set.Search
	return device.Source{Files: []string{"text.cl", "match_tree.cl"},
		Defines: device.Defines{"WG": t.WG, "ITEMS": t.Items, "FAN": fan}}
}

// Tree searches in a suffix tree.
type Tree struct {
	launcher
	nodes   *device.Slot[uint32]
	pyramid *device.Slot[uint32]
	levels  []int // entries of the pyramid's
	lower   *device.Layout
}

const (
	kernelMinima = iota
	kernelNodes
	kernelLinks
	kernelTree
)

// NodeBytes is the size of a node of the tree; there is one for each character.
const NodeBytes = 16

// node is the tree's, as its kernels have it.
type node = [NodeBytes / 4]uint32

// NewTree plans construction and search for a text of n bytes. Errors as NewArray.
func NewTree(s *device.Session, n int) (*Tree, error) {
	l, err := newLauncher(s, n, 1, "tree", treeSource, "tree_minima", "tree_nodes", "tree_links", "match_tree")
	if err != nil {
		return nil, err
	}
	t := &Tree{launcher: l, lower: device.NewLayout("build tree")}
	total := 0
	for size := n; size > fan; {
		size = intmath.CeilDiv(size, fan)
		t.levels = append(t.levels, size)
		total += size
	}
	t.nodes = device.Reserve[uint32](t.layout, "nodes", NodeBytes/4*n)
	t.pyramid = device.Reserve[uint32](t.lower, "minima", total)
	return t, nil
}

// Build allocates and makes the tree from the arrays, and waits. Errors: arrays of other
// lengths, *device.MemoryError, the device's.
func (t *Tree) Build(text *device.Buffer[uint8], sa, lcp *device.Buffer[uint32]) error {
	if text.Len() != t.n || sa.Len() < t.n || lcp.Len() < t.n {
		return fmt.Errorf("match: text of %d bytes, arrays of %d and %d entries, planned for %d", text.Len(), sa.Len(),
			lcp.Len(), t.n)
	}
	if err := t.layout.Allocate(t.s); err != nil {
		return err
	}
	if err := t.lower.Allocate(t.s); err != nil {
		return err
	}
	defer t.lower.Release(t.s)
	nodes, pyramid, n := t.nodes.Buffer(t.s), t.pyramid.Buffer(t.s), uint64(t.n)
	from, below, to := 0, t.n, 0
	for level, size := range t.levels {
		first := uint32(0)
		if level == 0 {
			first = 1
		}
		t.launch(kernelMinima, size, 4*int64(below), lcp, pyramid, uint64(from), uint64(below), uint64(to), uint64(size),
			first)
		from, below, to = to, size, to+size
	}
	t.launch(kernelNodes, t.n, int64(t.n)*(8+32+NodeBytes), text, n, sa, lcp, device.Reinterpret[node](nodes))
	t.launch(kernelLinks, t.n, int64(t.n)*(4+2*32+32), lcp, pyramid, n, nodes)
	return t.s.Finish()
}

// Search is Array.Search in the tree.
func (t *Tree) Search(text *device.Buffer[uint8], sa *device.Buffer[uint32], set patternset.Set,
	intervals *device.Buffer[[2]uint32]) {
	if t.fits(text, sa, set, intervals) {
		t.search(kernelTree, set, intervals, text, uint64(t.n), sa, device.Reinterpret[node](t.Nodes()))
	}
}

// Nodes is the tree's memory, four words a node, for Host.
func (t *Tree) Nodes() *device.Buffer[uint32] { return t.nodes.Buffer(t.s) }
