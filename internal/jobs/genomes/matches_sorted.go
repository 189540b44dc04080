package genomes

import (
	"slices"

	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/internal/call"
	"github.com/suffixcl/suffixcl/internal/matches"
	"github.com/suffixcl/suffixcl/internal/tuned"
)

// MatchesAtOnce is how many positions of queries are listed at once, and how many matches, on devices of GPU and of CPU
// shape. Tests make it smaller.
var MatchesAtOnce = [2]int{1 << 22, 1 << 18}

// pairing finds the matches in a text of a reference and queries.
type pairing struct {
	*delimiting
	o       MatchOptions
	part    int
	queries int // symbols
	finder  *matches.Plan
	extra   *device.Layout
	classes *device.Slot[uint8]
	work    *device.WorkspaceSlot
	out     [3]*device.Slot[uint32]
	kept    *device.Slot[uint64]
	seeds   *seeding // comes first, where it serves

	ws    *device.Workspace
	found *matches.Found
}

// newPairing plans it, for n symbols, so many of them of the reference.
func newPairing(e *call.Engine, n, reference, separators int, o MatchOptions) (*pairing, error) {
	if o.Kind != MaximalExact || !SeedsServe(e.Session, reference, uint32(o.MinLength)) {
		return newSortedPairing(e, n, reference, separators, o)
	}
	seeds, err := newSeeding(e, n, reference, o)
	if err != nil {
		return nil, err
	}
	var m *pairing
	tuned.Rarely(e.Session, func() { m, err = newSortedPairing(e, n, reference, separators, o) })
	if err != nil {
		return nil, err
	}
	m.seeds, m.Phases = seeds, slices.Insert(m.Phases, 0, call.PhaseOf(seeds.layout.Memory(), m.Phases[0].Host))
	return m, nil
}

// newSortedPairing plans it without seeds.
func newSortedPairing(e *call.Engine, n, reference, separators int, o MatchOptions) (*pairing, error) {
	m := &pairing{o: o, queries: n - reference}
	m.part = MatchesAtOnce[0]
	if e.Session.Caps().CPUShape {
		m.part = MatchesAtOnce[1]
	}
	host := int64(n) + 24*int64(m.part)
	var err error
	if m.delimiting, err = newDelimiting(e, n, separators, uint32(o.MinLength), host); err != nil {
		return nil, err
	}
	options := matches.Options{Least: uint32(o.MinLength), Unique: o.Kind != MaximalExact, Part: m.part}
	_, options.Classes = classesOf(o.Letters)
	if m.finder, err = matches.New(e.Session, n, reference, options); err != nil {
		return nil, err
	}
	m.extra = device.NewLayout("matches")
	m.classes = device.Reserve[uint8](m.extra, "classes of letters", 256)
	for i, name := range []string{"positions in the reference", "positions in the queries", "lengths"} {
		m.out[i] = device.Reserve[uint32](m.extra, name, m.part)
	}
	m.kept = device.Reserve[uint64](m.extra, "number of matches", 1)
	m.work = device.ReserveWorkspace(m.extra, m.finder.Workspace())
	m.then(m.extra, host)
	return m, nil
}

func (m *pairing) Free(s *device.Session) {
	if m.seeds != nil {
		m.seeds.layout.Release(s)
	}
	m.extra.Release(s)
	m.delimiting.Free(s)
}

// find sorts the text, and finds how many matches begin where.
func (m *pairing) find(c *call.Call, t *delimitedText) error {
	if err := m.load(c, t); err != nil {
		return err
	}
	if err := m.extra.Allocate(c.Session); err != nil {
		return err
	}
	classes, _ := classesOf(m.o.Letters)
	if err := call.Upload(c, m.classes.Buffer(c.Session), classes[:]); err != nil {
		return err
	}
	c.Phase("matches")
	m.ws = m.work.Workspace(c.Session)
	return c.Compute(func() error {
		text, sa := m.ArraysOf(c.Session, m.N)
		m.found = m.finder.Find(m.ws, matches.Arrays{Text: text, SA: sa, LCP: m.lcp.Buffer(c.Session),
			Classes: m.classes.Buffer(c.Session)})
		return c.Session.Check(c.Ctx)
	})
}

// each calls use with the matches that begin at position `first` of the queries or after it, in the order of the
// queries.
func (m *pairing) each(c *call.Call, first int, use func(references, queries, lengths []uint32) error) error {
	for ; first < m.queries; first += m.part {
		count := min(m.part, m.queries-first)
		list := m.listAll
		if m.o.Kind != MaximalExact {
			list = m.listUnique
		}
		if err := list(c, first, count, use); err != nil {
			return err
		}
		c.Progress("matches", int64(first+count), int64(m.queries))
	}
	return nil
}

func (m *pairing) output(s *device.Session) matches.Output {
	return matches.Output{Reference: m.out[0].Buffer(s), Query: m.out[1].Buffer(s), Length: m.out[2].Buffer(s)}
}

// Download calls use with the first n matches of the output.
func (m *pairing) download(c *call.Call, n int, use func(references, queries, lengths []uint32) error) error {
	out := m.output(c.Session)
	return c.EachBlock(n, 1, []*device.Buffer[uint32]{out.Reference, out.Query, out.Length},
		func(_ int, b [][]uint32) error { return use(b[0], b[1], b[2]) })
}

func (m *pairing) listUnique(c *call.Call, first, count int, use func(_, _, _ []uint32) error) error {
	kept := m.kept.Buffer(c.Session)
	n, err := call.NumberOf(c, "matches", func() *device.Buffer[uint64] {
		m.found.List(m.ws, first, count, m.output(c.Session), kept)
		return kept
	})
	if err != nil {
		return err
	}
	return m.download(c, n, use)
}

func (m *pairing) listAll(c *call.Call, first, count int, use func(_, _, _ []uint32) error) error {
	defer m.ws.Reset(m.ws.Mark())
	kept := m.kept.Buffer(c.Session)
	positions, err := call.NumberOf(c, "matches", func() *device.Buffer[uint64] {
		m.found.Positions(m.ws, first, count, kept)
		return kept
	})
	if err != nil || positions == 0 {
		return err
	}
	all, err := call.NumberOf(c, "matches", func() *device.Buffer[uint64] { return m.found.Offsets(m.ws, positions) })
	if err != nil {
		return err
	}
	for done := 0; done < all; done += m.part {
		n := min(m.part, all-done)
		err := c.Compute(func() error {
			m.found.Expand(uint64(done), n, m.output(c.Session))
			return c.Session.Check(c.Ctx)
		})
		if err != nil {
			return err
		}
		if err := m.download(c, n, use); err != nil {
			return err
		}
	}
	return nil
}
