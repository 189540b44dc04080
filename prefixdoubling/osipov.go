package prefixdoubling

import (
	"context"
	"fmt"
	"math/bits"

	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/internal/doubling"
	"github.com/suffixcl/suffixcl/internal/intmath"
	"github.com/suffixcl/suffixcl/internal/limits"
	"github.com/suffixcl/suffixcl/radixsort"
	"github.com/suffixcl/suffixcl/scan"
)

// prefix is h of the initial sort: the characters that a 32-bit key holds.
const prefix = 4

// Phases of Osipov's rounds and those of Manber-Myers and the hybrid, as named in the papers' time breakdowns.
const (
	phaseTuples = "generate tuples"
	phaseSort   = "radix sort"
	phaseRank   = "compute rank"
)

// osipov sorts those suffixes that are not in their place yet.
type osipov struct {
	s *device.Session

	// Each buffer keeps one meaning: isa the ranks, done a bit a suffix, keys and
	// tuples the ping-pong pairs of the sort, unfinished their number.
	isa        *device.Slot[uint32]
	done       *device.Slot[uint32]
	keys       [2]*device.Slot[uint32]
	tuples     [2]*device.Slot[uint64]
	unfinished *device.Slot[uint64]
	workspace  *device.WorkspaceSlot

	sortPrefixes *radixsort.Plan[uint32, uint32]
	sortTuples   *radixsort.Plan[uint32, uint64]
	rankPrefixes *scan.Template
	makeTuples   *scan.CompactTemplate
	refine       *scan.Template
}

// NewOsipov plans Osipov's algorithm and sizes its memory; Allocate takes it. Errors: n over suffixcl.MaxLen.
func NewOsipov(s *device.Session, n int) (*Sorter, error) {
	if err := limits.CheckLen("text", n, limits.MaxLen); err != nil {
		return nil, err
	}
	o := &osipov{s: s,
		sortPrefixes: radixsort.NewTemplate[uint32, uint32](s, n, prefixTemplate).Reads(1, 0),
		sortTuples:   radixsort.NewPairs[uint32, uint64](s, n),
		rankPrefixes: scan.NewTemplate(s, n, rankTemplate),
		makeTuples:   scan.NewCompactTemplate(s, n, tuplesTemplate),
		refine:       scan.NewTemplate(s, n, refineTemplate)}
	l := device.NewLayout("sort")
	o.isa = device.Reserve[uint32](l, "ISA", n)
	o.done = device.Reserve[uint32](l, "finished bits", intmath.CeilDiv(n, 32))
	for i := range o.keys {
		o.keys[i] = device.Reserve[uint32](l, fmt.Sprintf("keys %c", 'A'+i), n)
		o.tuples[i] = device.Reserve[uint64](l, fmt.Sprintf("tuples %c", 'A'+i), n)
	}
	o.unfinished = device.Reserve[uint64](l, "unfinished count", 1)
	o.workspace = device.ReserveWorkspace(l, o.sortPrefixes.Workspace().Or(o.sortTuples.Workspace(),
		o.rankPrefixes.Workspace(), o.makeTuples.Workspace(), o.refine.Workspace()))
	return &Sorter{s, n, l, o}, nil
}

// The steps that prefixdoubling.cl defines, each chosen by a macro.
var (
	files          = []string{"prefixdoubling.cl"}
	prefixTemplate = device.Source{Files: files, Defines: device.Defines{"PD_PREFIX": 1}}
	rankTemplate   = scan.TemplateOptions{Source: device.Source{Files: files, Defines: device.Defines{"PD_INITIAL": 1}},
		ElementBytes: 4}
	tuplesTemplate = device.Source{Files: files, Defines: device.Defines{"PD_TUPLES": 1}}
	refineTemplate = scan.TemplateOptions{Source: device.Source{Files: files, Defines: device.Defines{"PD_REFINE": 1}},
		ElementBytes: 8}
)

func (o *osipov) sort(ctx context.Context, text *device.Buffer[uint8], sa *device.Buffer[uint32],
	progress progress) error {
	n := text.Len()
	r := run{osipov: o, n: n, sa: sa, isa: o.isa.Buffer(o.s), done: o.done.Buffer(o.s),
		unfinished: o.unfinished.Buffer(o.s), ws: o.workspace.Workspace(o.s)}
	r.keys = radixsort.Pair[uint32]{Cur: o.keys[0].Buffer(o.s), Alt: o.keys[1].Buffer(o.s)}
	r.tuples = radixsort.Pair[uint64]{Cur: o.tuples[0].Buffer(o.s), Alt: o.tuples[1].Buffer(o.s)}

	report(progress, doubling.PhaseInitial, 0, n)
	o.s.Phase(doubling.PhaseInitial)
	r.sortByPrefix(text) // line 2
	r.rankPrefixes()     // line 3
	for h, round := prefix, 0; ; h, round = 2*h, round+1 {
		if err := o.s.Check(ctx); err != nil {
			return err
		}
		o.s.Phase(phaseTuples)
		m, err := r.makeTuples(h) // lines 6, 10
		if err != nil {
			return err
		}
		report(progress, phaseSort, n-m, n)
		if m == 0 {
			return nil
		}
		if err := doubling.CheckRound(o.s, round, m, n); err != nil {
			return err
		}
		o.s.Phase(phaseSort)
		o.sortTuples.Run(r.ws, &r.keys, &r.tuples, m, 0, bits.Len(uint(n-1))) // line 7
		o.s.Phase(phaseRank)
		r.refine(m) // lines 8, 9
	}
}

// run is the state of one Run.
type run struct {
	*osipov
	n          int
	sa, isa    *device.Buffer[uint32]
	done       *device.Buffer[uint32]
	keys       radixsort.Pair[uint32]
	tuples     radixsort.Pair[uint64]
	unfinished *device.Buffer[uint64]
	ws         *device.Workspace
}

// sortByPrefix puts sa into 4-order and leaves the sorted prefixes in keys.
func (r *run) sortByPrefix(text *device.Buffer[uint8]) {
	suffixes := radixsort.Pair[uint32]{Cur: r.sa, Alt: device.Reinterpret[uint32](r.tuples.Alt)}
	if r.sortPrefixes.Passes(0, 8*prefix)%2 == 1 { // the result is to be in sa
		suffixes.Swap()
	}
	r.sortPrefixes.Run(r.ws, &r.keys, &suffixes, r.n, 0, 8*prefix, text, uint64(r.n))
}

// rankPrefixes sets isa to the 4-ranks and marks the suffixes that are alone.
func (r *run) rankPrefixes() {
	r.done.Fill(0)
	// keys and sa, which are in the caches at the store; isa at random
	r.osipov.rankPrefixes.Run(r.ws, r.n, r.osipov.rankPrefixes.Loads()*8+32, r.keys.Cur, r.sa, r.isa, r.done, uint64(r.n))
}

// makeTuples writes a tuple for each unfinished suffix, in the h-order of the
// suffix h characters further, and returns their number.
func (r *run) makeTuples(h int) (int, error) {
	// sa; the bits are in the caches. How many tuples there are is not known yet: their 64 and 12 bytes are left out.
	r.osipov.makeTuples.Run(r.ws, r.n, r.osipov.makeTuples.Loads()*4, r.unfinished,
		r.sa, r.isa, r.done, uint64(h), r.keys.Cur, r.tuples.Cur)
	var m [1]uint64
	err := r.unfinished.Read(m[:])
	return int(m[0]), err
}

// refine splits the h-groups of the m sorted tuples into 2h-groups: new slots,
// new ranks, finished bits.
func (r *run) refine(m int) {
	// keys and tuples; slot, rank and bit at random
	r.osipov.refine.Run(r.ws, m, r.osipov.refine.Loads()*12+3*32, r.keys.Cur, r.tuples.Cur, r.sa, r.isa, r.done, uint64(m))
}
