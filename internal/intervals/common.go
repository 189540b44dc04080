package intervals

import (
	"math"

	"github.com/suffixcl/suffixcl/device"
)

// Common keeps the deepest interval for each number of documents, and of equally deep ones the one that List lists
// first: the longest common substrings of k documents, for all k (Hui 1992).
type Common struct {
	p                       *Plan
	deepest, first, settle  *device.Kernel
	greatest, where         *device.Buffer[uint32]
	left, right, depth, pos *device.Buffer[uint32]
}

// NewCommon plans a Common for the filter of a plan with documents.
func NewCommon(p *Plan) *Common {
	kernels := program(p.s)
	kernel := func(name string) *device.Kernel { return kernels.Kernel("intervals_"+name, p.shape.WG) }
	return &Common{p: p, deepest: kernel("deepest"), first: kernel("first"), settle: kernel("settle")}
}

// counts is the number of numbers of documents: 0 to all.
func (c *Common) counts() int { return c.p.o.Documents + 1 }

// Workspace is what Plan.Index, Begin and then List carve from one workspace: 24 bytes a document in addition to
// Plan.Workspace.
func (c *Common) Workspace() device.Pieces {
	words := device.PieceOf[uint32](c.counts())
	list := device.PieceOf[[2]uint32](c.p.part).And(c.p.kept.Workspace())
	return c.p.Workspace(words.And(words, words, words, words, words, list))
}

// Begin takes its pieces of the workspace, and forgets the intervals that were added before.
func (c *Common) Begin(ws *device.Workspace) {
	for _, b := range []**device.Buffer[uint32]{&c.greatest, &c.where, &c.left, &c.right, &c.depth, &c.pos} {
		*b = device.Carve[uint32](ws, c.counts())
		(*b).Fill(0)
	}
	c.where.Fill(math.MaxUint32)
}

// Add enqueues taking the first m intervals of a part, which List has written; parts are added in their order.
func (c *Common) Add(out Output, m int) {
	if m == 0 {
		return
	}
	p, n := c.p, c.counts()
	c.deepest.Launch(p.groups(m), 12*int64(m), out.Depth, out.Documents, uint64(m), c.greatest)
	c.first.Launch(p.groups(m), 12*int64(m), out.Depth, out.Documents, uint64(m), c.greatest, c.where)
	c.settle.Launch(p.groups(n), 12*int64(n), uint64(n), c.greatest, c.where, out.Left, out.Right, out.Position, c.left,
		c.right, c.depth, c.pos)
}

// Result returns buffers of Options.Documents+1 entries: the deepest interval that has k documents is entry k; its
// depth is
// 0 where there is none. Documents is nil.
func (c *Common) Result() Output {
	return Output{Left: c.left, Right: c.right, Depth: c.depth, Position: c.pos}
}

// MostDocuments calls use for each number of documents k from n-1 down to 2 with the number `from` >= k whose deepest
// interval, of depth(from), is the longest common substring of k documents: of equally deep ones that of most
// documents. It leaves out those that have none.
func MostDocuments(n int, depth func(k int) uint32, use func(k, from int)) {
	best := 0
	for k := n - 1; k >= 2; k-- {
		if depth(k) > 0 && (best == 0 || depth(k) > depth(best)) {
			best = k
		}
		if best > 0 {
			use(k, best)
		}
	}
}
