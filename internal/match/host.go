package match

import (
	"bytes"
	"sync"
	"sync/atomic"

	"github.com/suffixcl/suffixcl/patterns"
)

// Host searches on the CPU, for comparison. Nodes are those of a Tree; without them only
// the array can be searched.
type Host struct {
	Text  []byte
	SA    []uint32
	Nodes []uint32
}

// SearchArray finds the interval of slots of each pattern as Array.SearchPaper does, by
// `threads` goroutines.
func (h *Host) SearchArray(b *patterns.Batch, threads int, intervals [][2]uint32) {
	parallel(b, threads, intervals, h.array)
}

// SearchTree is SearchArray in the tree.
func (h *Host) SearchTree(b *patterns.Batch, threads int, intervals [][2]uint32) {
	parallel(b, threads, intervals, h.tree)
}

func parallel(b *patterns.Batch, threads int, intervals [][2]uint32, find func([]byte) [2]uint32) {
	const share = 64
	var next atomic.Int64
	var wg sync.WaitGroup
	for range threads {
		wg.Go(func() {
			for {
				from := int(next.Add(share)) - share
				if from >= b.Len() {
					return
				}
				for q := from; q < min(from+share, b.Len()); q++ {
					intervals[q] = find(b.Pattern(q))
				}
			}
		})
	}
	wg.Wait()
}

func (h *Host) array(pattern []byte) [2]uint32 {
	if len(pattern) == 0 {
		return [2]uint32{}
	}
	var bounds [2]uint32
	for side := range bounds {
		low, high := 0, len(h.SA)
		for low < high {
			middle := int(uint(low+high) / 2)
			suffix := h.Text[h.SA[middle]:]
			order := bytes.Compare(suffix[:min(len(suffix), len(pattern))], pattern)
			if order < side {
				low = middle + 1
			} else {
				high = middle
			}
		}
		bounds[side] = uint32(low)
	}
	if bounds[0] >= bounds[1] {
		return [2]uint32{}
	}
	return bounds
}

// tree descends as match_tree of match.cl does.
func (h *Host) tree(pattern []byte) [2]uint32 {
	n := uint32(len(h.SA))
	if len(pattern) == 0 || n == 0 {
		return [2]uint32{}
	}
	m, low, high, depth, node := uint32(len(pattern)), uint32(0), n, uint32(0), h.Nodes[0]
	for {
		edge, inner := m, node > low && node < high
		if inner {
			edge = min(m, h.Nodes[4*node])
		}
		suffix := h.Text[h.SA[low]:]
		if uint32(len(suffix)) < edge || !bytes.Equal(suffix[depth:edge], pattern[depth:edge]) {
			return [2]uint32{}
		}
		if edge == m {
			return [2]uint32{low, high}
		}
		depth = edge
		c := pattern[depth]
		if uint32(len(suffix)) > depth && suffix[depth] == c {
			node, high = h.Nodes[4*node+1], node
			continue
		}
		for {
			hit := h.Nodes[4*node+3] == uint32(c)
			low, node = node, h.Nodes[4*node+2]
			if node > low && node < high && h.Nodes[4*node] == depth { // the next sibling
				if hit {
					node, high = h.Nodes[4*node+1], node
					break
				}
				continue
			}
			if hit {
				break
			}
			return [2]uint32{}
		}
	}
}
