package suffixsort

import (
	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/internal/cltype"
	"github.com/suffixcl/suffixcl/internal/intmath"
	"github.com/suffixcl/suffixcl/scan"
	"github.com/suffixcl/suffixcl/segsort"
)

// chains finds the groups whose order does not follow from another's, the representatives, numbers their suffixes in
// the order of the text, and gives all groups their order. suffixsort_chains.cl describes the arrays.
type chains struct {
	grid
	link, choose         *device.Kernel
	gather, number, keys *device.Kernel
	shift, scatter, back *device.Kernel
	inText               *device.Kernel
	near                 int // suffixes in the order of the text
	start, mark          *scan.Template
}

func newChains(b builder, o options, start *scan.Template) chains {
	return chains{
		grid: b.grid, link: b.maps(chainsFile, "link"), choose: b.maps(chainsFile, "choose"),
		gather: b.maps(chainsFile, "gather"), number: b.maps(chainsFile, "number"), keys: b.maps(chainsFile, "depart"),
		shift: b.maps(chainsFile, "shift"), scatter: b.maps(chainsFile, "settle"), back: b.maps(chainsFile, "return"),
		inText: b.maps(chainsFile, "settle_text"), near: o.near(),
		start: start, mark: scan.NewTemplate(b.session, segsort.HeadWords(b.n), markedTemplate),
	}
}

// chainBuffers are those of all suffixes. marks has the memory of starts.
type chainBuffers struct {
	isa, settled        *device.Buffer[uint32]
	order, slots        *device.Buffer[uint32] // of the representatives there is room for
	chosen, starts      *device.Buffer[uint32] // as classes and starts of groups, of representatives only
	ends, marked, marks *device.Buffer[uint32] // the inversion clears ends
	lasts               *device.Buffer[uint32] // of all, or nil: see classifier.lasts
}

// findRepresentatives chooses the suffixes of groups that end a chain, lists and marks as many as there is room for,
// and counts all.
func (c *chains) findRepresentatives(ws *device.Workspace, g *groups, b chainBuffers,
	counts *roundCounts) (tally, error) {
	words, span := g.words(), c.span(g.n, g.unsorted.sum())
	c.link.Launch(intmath.CeilDiv(g.n, span), int64(g.n)/2+int64(g.unsorted.sum())*(4+32),
		b.isa, g.suffixes, uint64(g.n), uint32(span), g.heads, b.lasts, g.classes, b.ends.Args())
	c.choose.Launch(c.shares(words), (4+8+4+8)*int64(words),
		g.heads, b.lasts, g.classes, uint64(words), b.ends.Args(), b.chosen, b.marked.Args(), counts.args(true))
	c.start.Run(ws, words, 16, b.chosen, b.starts)
	room := b.order.Len()
	c.gather.Launch(intmath.CeilDiv(g.n, span), int64(g.n)/2+int64(min(room, g.unsorted.sum()))*(4+4+4+32), g.suffixes,
		uint64(g.n), uint32(span), b.chosen, b.starts, uint32(room), b.order.Args(), b.slots.Args(), b.marked.Args())
	c.mark.Run(ws, words, 4+8, b.marked.Args(), b.marks)
	got, err := counts.read() // the device is busy meanwhile
	return got.unsorted, err
}

// depart numbers the suffixes of representatives, and makes order, heads, ranks, next and the first keys of these.
func (c *chains) depart(t *codedText, phraseBits int, g *groups, b chainBuffers, depths depths,
	r *representatives) {
	words, m := g.words(), r.n
	c.number.Launch(c.shares(m), int64(m)*(8+4+2+32+32), t.suffixArgs(phraseBits), g.heads, depths.args(),
		b.marks, uint64(m), r.slots.Args(), r.suffixes.Args(), r.heads, r.next.Args())
	c.keys.Launch(c.shares(4*words), int64(g.n)/4+int64(m)*(32+4+32+4+4+4), b.isa, uint64(g.n),
		b.marks, uint64(4*words), uint64(m), r.next.Args(), r.ranks.Args(), r.keys.Args())
}

// settlesText tells whether to settle in the order of the text. It takes less, if the ISA is still there and caches
// reach all of the suffix array.
func (c *chains) settlesText(g *groups, r *representatives) bool { return !r.listed && g.n <= c.near }

// settleText sorts all groups in the order of the representatives that their chains end in. If bwt is not nil it gets
// the transform of the text instead, and row its primary index.
func (c *chains) settleText(g *groups, b chainBuffers, r *representatives, text *device.Buffer[uint8],
	row *primary, bwt *device.Buffer[uint8]) {
	var asked any = device.Answer{}.Args()
	traffic := 4*int64(g.n) + int64(g.n)/4 + 4*int64(r.n)
	if bwt == nil {
		traffic += 32 * int64(g.unsorted.sum())
	} else {
		traffic += (1 + 32) * int64(g.n)
		asked = row.ask()
	}
	c.inText.Launch(c.tiles(g.n), traffic, b.isa, uint64(g.n), g.heads, b.lasts, b.marks, uint64(r.n), r.ranks.Args(),
		g.suffixes, text, row.words, bwt.Args(), asked)
	g.unsorted = tally{}
}

// settle is settleText in the order of slots.
func (c *chains) settle(g *groups, b chainBuffers, r *representatives) {
	unsorted := int64(g.unsorted.sum())
	span := c.span(g.n, g.unsorted.sum())
	shifted := g.unsorted.sum() > 4*r.n // then a look at the groups for each representative is less than for each suffix
	if shifted {
		c.shift.Launch(c.shares(r.n), int64(r.n)*(4+4+32), r.ranks.Args(), uint64(r.n), g.heads, b.lasts)
	}
	c.scatter.Launch(intmath.CeilDiv(g.n, span), int64(g.n)/2+unsorted*(4+32+32+4),
		g.suffixes, uint64(g.n), uint32(span), g.heads, b.lasts, g.classes, b.marks, r.ranks.Args(),
		cltype.Flag(shifted), b.settled)
	c.back.Launch(intmath.CeilDiv(g.n, span), int64(g.n)/4+unsorted*8,
		b.settled, uint64(g.n), uint32(span), g.classes, g.suffixes)
	g.unsorted = tally{}
}
