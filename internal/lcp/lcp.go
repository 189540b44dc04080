package lcp

import (
	"fmt"
	"unsafe"

	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/internal/cltype"
	"github.com/suffixcl/suffixcl/internal/intmath"
	"github.com/suffixcl/suffixcl/internal/limits"
	"github.com/suffixcl/suffixcl/internal/tune"
	"github.com/suffixcl/suffixcl/internal/tuned"
	"github.com/suffixcl/suffixcl/scan"
)

// growth is how much further each round of comparisons goes than the one before; row the
// number of pieces of one comparison that work-items next to each other take.
const (
	growth = 4
	row    = 64
)

// Plan computes LCP arrays of texts of up to n characters.
type Plan = SymbolPlan[uint8]

// SymbolPlan is Plan for texts of bytes or of symbols.
type SymbolPlan[T uint8 | uint16 | uint32] struct {
	s                                 *device.Session
	n, groups                         int
	shape                             tune.LCP
	irreducible, pieces, next, gather *device.Kernel
	scan                              *scan.Template
}

var scanTemplate = scan.TemplateOptions{
	Source:       device.Source{Files: []string{"lcp.cl"}, Defines: device.Defines{"LCP_SCAN": 1}},
	ElementBytes: 4,
}

// shapeOf is the launch shape for symbols of T. A work-item of a CPU goes through fewer of the wider ones: they take
// more rounds of its loops, and llvmpipe ends a work-item after 65,535, with no word.
func shapeOf[T uint8 | uint16 | uint32](set tune.Set) tune.LCP {
	t := set.LCP
	if t.WG == 1 {
		t.Items = max(t.Items/int(unsafe.Sizeof(*new(T))), 1)
	}
	return t
}

func source[T uint8 | uint16 | uint32](set tune.Set) device.Source {
	t := shapeOf[T](set)
	return device.Source{
		Files: []string{"text.cl", "lcp.cl"},
		Defines: cltype.Symbol[T](device.Defines{
			"WG": t.WG, "ITEMS": t.Items, "LIMIT": t.Limit, "PIECE": t.Piece,
		}),
	}
}

// New plans the computation for texts of up to n characters. Errors: n over suffixcl.MaxLen.
func New(s *device.Session, n int) (*Plan, error) { return NewSymbols[uint8](s, n) }

// NewSymbols is New for texts of bytes or of symbols.
func NewSymbols[T uint8 | uint16 | uint32](s *device.Session, n int) (*SymbolPlan[T], error) {
	if err := limits.CheckLen("text", n, limits.MaxLen); err != nil {
		return nil, err
	}
	p := &SymbolPlan[T]{s: s, n: n, shape: shapeOf[T](*tuned.Of(s))}
	p.groups = 2048 / p.shape.WG * s.Caps().ComputeUnits // as many work-items as fit on a GPU
	program, wg := s.Program(source[T](*tuned.Of(s))), p.shape.WG
	p.irreducible, p.pieces = program.Kernel("lcp_irreducible", wg), program.Kernel("lcp_pieces", wg)
	p.next, p.gather = program.Kernel("lcp_next", wg), program.Kernel("lcp_gather", wg)
	p.scan = scan.NewTemplate(s, n, scanTemplate)
	return p, nil
}

// Workspace is what Run carves from its workspace.
func (p *SymbolPlan[T]) Workspace() device.Pieces {
	return device.PieceOf[uint32](len(p.rounds(p.n)) + 1).And(p.scan.Workspace())
}

// rounds has where the rounds start, in characters that are compared already.
func (p *SymbolPlan[T]) rounds(n int) []int {
	var all []int
	for from := p.shape.Limit; from < n; from *= growth {
		all = append(all, from)
	}
	return all
}

// Run enqueues writing plcp[:n] and lcp[:n] of text, n being its length. lcp[j] is the
// length of the longest common prefix of the suffixes sa[j-1] and sa[j], lcp[0] is 0;
// plcp[sa[j]] is lcp[j].
//
// sa must be the suffix array of text, and no buffer overlap another. With any other
// array the results mean nothing and the time may be quadratic, but no memory outside of
// the buffers is touched: verify first what comes from elsewhere.
func (p *SymbolPlan[T]) Run(ws *device.Workspace, text *device.Buffer[T], sa, plcp, lcp *device.Buffer[uint32]) {
	n := text.Len()
	if n > p.n || sa.Len() < n || plcp.Len() < n || lcp.Len() < n {
		p.s.Fail(fmt.Errorf("lcp: text of %d characters, planned for %d; suffix array of %d entries, room for %d and %d",
			n, p.n, sa.Len(), plcp.Len(), lcp.Len()))
		return
	}
	if n == 0 {
		return
	}
	defer ws.Reset(ws.Mark())
	rounds := p.rounds(n)
	counts := device.Carve[uint32](ws, len(rounds)+1)
	counts.Fill(0)
	plcp.View(0, n).Fill(0)

	// The lists of slots take turns in the halves of lcp. That is room enough: n log2(n)
	// is less than n/2 times Limit.
	room := uint64(n / 2)
	list, next := uint64(0), room
	groups := intmath.CeilDiv(n, p.shape.WG*p.shape.Items)
	p.irreducible.Launch(groups, int64(n)*(4+2*32+32), text, sa, uint64(n), plcp, lcp, room, counts)
	for r, from := range rounds {
		to := min(from*growth, n)
		pieces := min(row, intmath.CeilDiv(to-from, p.shape.Piece))
		// How many values are listed only the device knows: the profile leaves the traffic of the rounds out.
		p.pieces.Launch(p.groups, 0, text, sa, uint64(n), plcp, lcp, list, room, counts,
			uint32(r), uint64(from), uint64(to), uint32(pieces))
		if to < n {
			p.next.Launch(p.groups, 0, sa, plcp, lcp, list, next, room, counts, uint32(r), uint64(to))
		}
		list, next = next, list
	}
	p.scan.Run(ws, n, 4*(p.scan.Loads()+1), plcp)
	p.gather.Launch(groups, int64(n)*(4+32+4), sa, uint64(n), plcp, lcp)
}
