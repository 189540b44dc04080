package mappability

import (
	"fmt"

	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/internal/intmath"
	"github.com/suffixcl/suffixcl/internal/limits"
	"github.com/suffixcl/suffixcl/internal/minima"
	"github.com/suffixcl/suffixcl/internal/tune"
	"github.com/suffixcl/suffixcl/internal/tuned"
)

// Plan counts in texts of up to n symbols.
type Plan struct {
	s                           *device.Session
	n                           int
	shape                       tune.Matches
	tree                        *minima.Plan
	counts, palindromes, unique *device.Kernel
}

// New plans it. Errors: a *suffixcl.LengthError for n over suffixcl.MaxLen.
func New(s *device.Session, n int) (*Plan, error) {
	if err := limits.CheckLen("text", n, limits.MaxLen); err != nil {
		return nil, err
	}
	t := tuned.Of(s).Matches
	d := minima.Defines(s)
	d["WG"], d["ITEMS"] = t.WG, t.Items
	program := s.Program(device.Source{Files: []string{minima.File, "mappability.cl"}, Defines: d})
	kernel := func(name string) *device.Kernel { return program.Kernel("mappability_"+name, t.WG) }
	return &Plan{s: s, n: n, shape: t, tree: minima.New(s, n), counts: kernel("counts"),
		palindromes: kernel("palindromes"), unique: kernel("unique")}, nil
}

// Workspace is what Index carves from its workspace: 0.3 bytes a symbol.
func (p *Plan) Workspace() device.Pieces { return device.PieceOf[uint32](p.tree.Len()) }

// Index has the arrays that Counts and Unique read. It lives in the arrays that it was made of and in the workspace.
type Index struct {
	p               *Plan
	n               int
	sa, lcp, minima *device.Buffer[uint32]
}

// Index enqueues what is made once of sa [n]uint32 and lcp [n]uint32. Its piece of the workspace stays taken. Errors,
// on the session: more symbols than planned, a shorter LCP array.
func (p *Plan) Index(ws *device.Workspace, sa, lcp *device.Buffer[uint32]) *Index {
	x := &Index{p: p, n: sa.Len(), sa: sa, lcp: lcp}
	if x.n > p.n || lcp.Len() < x.n {
		p.s.Fail(fmt.Errorf("mappability: suffix array of %d, planned for %d; LCP array of %d", x.n, p.n, lcp.Len()))
		return x
	}
	x.minima = device.Carve[uint32](ws, p.tree.Len())
	p.tree.Run(lcp, x.minima, x.n)
	return x
}

func (p *Plan) groups(n int) int { return intmath.CeilDiv(n, p.shape.WG*p.shape.Items) }

// Counts enqueues writing to counts[i], for all positions i that it has room for, how many suffixes begin with the k
// symbols that the suffix at i begins with; what is written for suffixes of less than k symbols means nothing. Errors,
// on the session: k is 0; more counts than symbols.
func (x *Index) Counts(k uint32, counts *device.Buffer[uint32]) {
	if k == 0 || counts.Len() > x.n {
		x.p.s.Fail(fmt.Errorf("mappability: %d-mers at %d positions of %d", k, counts.Len(), x.n))
		return
	}
	x.p.counts.Launch(x.p.groups(x.n), 8*int64(x.n)+32*int64(counts.Len()), x.sa, x.lcp, x.minima, uint64(x.n),
		uint64(counts.Len()), k, counts)
}

// Palindromes enqueues halving the counts of k-mers that are their own reverse complement. complements [256] are those
// of the symbols. Errors, on the session: k is 0; a shorter text, no complements.
func (x *Index) Palindromes(text, complements *device.Buffer[uint8], k uint32, counts *device.Buffer[uint32]) {
	if k == 0 || text.Len() < counts.Len() || complements.Len() != 256 {
		x.p.s.Fail(fmt.Errorf("mappability: %d-mers at %d positions of %d, %d complements", k, counts.Len(), text.Len(),
			complements.Len()))
		return
	}
	if k%2 == 1 || counts.Len() == 0 {
		return // the middle is not its own complement
	}
	x.p.palindromes.Launch(x.p.groups(counts.Len()), 10*int64(counts.Len()), text, uint64(text.Len()),
		uint64(counts.Len()), k, complements, counts)
}

// Unique enqueues writing to shortest[i], for all positions i that it has room for, the length of the shortest
// substring that begins at i and occurs once, one more than the length of the suffix if there is none. Errors, on the
// session: more positions than symbols.
func (x *Index) Unique(shortest *device.Buffer[uint32]) {
	if shortest.Len() > x.n {
		x.p.s.Fail(fmt.Errorf("mappability: %d positions of %d", shortest.Len(), x.n))
		return
	}
	x.p.unique.Launch(x.p.groups(x.n), 8*int64(x.n)+32*int64(shortest.Len()), x.sa, x.lcp, uint64(x.n),
		uint64(shortest.Len()), shortest)
}
