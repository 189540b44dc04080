package genomes

import (
	"fmt"
	"math"
	"slices"

	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/internal/call"
	"github.com/suffixcl/suffixcl/internal/input"
	"github.com/suffixcl/suffixcl/internal/intervals"
	"github.com/suffixcl/suffixcl/internal/limits"
)

// MultiMatchOptions are suffixcl.MultiMatchOptions.
type MultiMatchOptions struct {
	MinLength           int
	MinGenomes          int
	MostEach, MostCount int
	BothStrands         bool
	Letters             string
}

func (o MultiMatchOptions) check(genomes int) (MultiMatchOptions, error) {
	if o.MinLength == 0 {
		o.MinLength = DefaultMatchLength
	}
	if o.MinGenomes == 0 {
		o.MinGenomes = genomes
	}
	if o.MinLength < 1 || o.MinGenomes < 0 || o.MostEach < 0 || o.MostCount < 0 || o.MinLength > limits.MaxLen {
		return o, fmt.Errorf("suffixcl: multi-matches of %d letters in %d genomes, at most %d times in each and %d in all",
			o.MinLength, o.MinGenomes, o.MostEach, o.MostCount)
	}
	return o, nil
}

// GenomePosition is suffixcl.GenomePosition.
type GenomePosition struct {
	Genome, Text int32
	Position     uint32
	Reverse      bool
}

// MultiMatch is suffixcl.MultiMatch.
type MultiMatch struct {
	Length      uint32
	Occurrences []GenomePosition
}

// FindMultiMatches is suffixcl.Engine.MultiMatches.
func FindMultiMatches(e *call.Engine, genomes []input.Text, o MultiMatchOptions) call.Job[*MultiMatch, []MultiMatch] {
	o, err := o.check(len(genomes))
	sets := make([]*input.Collection, len(genomes))
	for i, text := range genomes {
		if err == nil {
			sets[i], err = text.AsSet()
		}
		if err == nil && o.Letters == "" {
			err = sets[i].CheckTerminator(0)
		}
	}
	if err != nil {
		return call.Refused[*MultiMatch, []MultiMatch](e, err)
	}
	return call.NewJob(e, func() (*multiMatching, error) {
		g, err := o.cut(sets)
		if err != nil {
			return nil, err
		}
		return newMultiMatching(e, g, o)
	}, func(c *call.Call, m *multiMatching, yield func(*MultiMatch) error) error {
		if m.g.t.len() == 0 {
			return nil
		}
		m.g.t.fill()
		if err := m.index(c, m.g); err != nil {
			return err
		}
		sink := &multiMatchSink{g: m.g, yield: yield}
		if err := m.each(c, sink.add); err != nil {
			return err
		}
		return sink.settle(0)
	}, func(run func(yield func(*MultiMatch) error) error) (all []MultiMatch, err error) {
		err = run(func(part *MultiMatch) error {
			all = append(all, MultiMatch{part.Length, slices.Clone(part.Occurrences)})
			return nil
		})
		if err != nil {
			return nil, err
		}
		return all, nil
	})
}

// genomesText is a text of genomes, one after the other.
type genomesText struct {
	t      *delimitedText
	starts []uint32 // of the genomes
	owners []genomeStrand
}

// genomeStrand is a strand of a text of a genome.
type genomeStrand struct {
	genome, text int32
	length       uint32
	reverse      bool
}

func (o MultiMatchOptions) cut(genomes []*input.Collection) (*genomesText, error) {
	g := &genomesText{t: &delimitedText{}}
	cut := ofLetters(o.Letters, o.MinLength)
	n := 0
	for k, genome := range genomes {
		g.starts = append(g.starts, uint32(n))
		runs := make([][][2]int, genome.Count())
		for i := range runs {
			runs[i] = cut.runs(genome.Text(i))
		}
		for _, reverse := range []bool{false, true} {
			for i, of := range runs {
				if reverse && !o.BothStrands {
					continue
				}
				text := genome.Text(i)
				g.owners = append(g.owners, genomeStrand{int32(k), int32(i), uint32(len(text)), reverse})
				for _, run := range of {
					if n += run[1] - run[0] + 1; n > limits.MaxLen {
						return nil, &device.LengthError{What: "text of the genomes", Len: n, Max: limits.MaxLen}
					}
					g.t.add(text, len(g.owners)-1, run[0], run[1], reverse)
				}
			}
		}
	}
	return g, nil
}

// occurrence is that of a match of so many letters at a position of the text.
func (g *genomesText) occurrence(position, length uint32) GenomePosition {
	piece := g.t.pieces[g.t.find(position)]
	owner := g.owners[piece.owner]
	at := piece.offset + position - piece.start
	if owner.reverse {
		at = owner.length - at - length
	}
	return GenomePosition{Genome: owner.genome, Text: owner.text, Position: at, Reverse: owner.reverse}
}

// multiMatching finds matches of several genomes.
type multiMatching struct {
	*delimiting
	g           *genomesText
	part        int
	finder      *intervals.Plan
	occurrences *intervals.Occurrences
	extra       *device.Layout
	documents   *device.Slot[uint32]
	starts      *device.Slot[uint32]
	before      *device.Slot[uint32]
	out         [4]*device.Slot[uint32]
	counts      *device.Slot[uint32] // of documents
	kept        *device.Slot[uint64]
	offsets     *device.Slot[uint64]
	positions   *device.Slot[uint32]
	work        *device.WorkspaceSlot
	ws          *device.Workspace
	x           *intervals.Index
}

func newMultiMatching(e *call.Engine, g *genomesText, o MultiMatchOptions) (*multiMatching, error) {
	n := g.t.len()
	m := &multiMatching{g: g, part: intervals.AtOnce[0]}
	if e.Session.Caps().CPUShape {
		m.part = intervals.AtOnce[1]
	}
	m.part = min(m.part, n)
	host := int64(n) + 32*int64(m.part)
	var err error
	if m.delimiting, err = newDelimiting(e, n, len(g.t.ends), 1, host); err != nil {
		return nil, err
	}
	filter := intervals.Filter{MinDepth: uint32(o.MinLength), MinDocuments: limit(o.MinGenomes),
		MostEach: limit(o.MostEach), MaxCount: limit(o.MostCount), LeftMaximal: true}
	options := intervals.Options{Filter: filter, Documents: max(len(g.starts), 1), SymbolBits: 9}
	if m.finder, err = intervals.New(e.Session, n, m.part, options); err != nil {
		return nil, err
	}
	m.occurrences = intervals.NewOccurrences(e.Session, m.part)
	l := device.NewLayout("multi-matches")
	m.extra = l
	m.documents = device.Reserve[uint32](l, "genomes of suffixes", n)
	m.starts = device.Reserve[uint32](l, "starts of genomes", options.Documents)
	m.before = device.Reserve[uint32](l, "symbols before", n)
	for i, name := range []string{"left bounds", "right bounds", "depths", "first positions"} {
		m.out[i] = device.Reserve[uint32](l, name, m.part)
	}
	m.counts = device.Reserve[uint32](l, "numbers of genomes", m.part)
	m.kept = device.Reserve[uint64](l, "number of intervals", 1)
	m.offsets = device.Reserve[uint64](l, "numbers of occurrences", m.part+1)
	m.positions = device.Reserve[uint32](l, "positions", m.part)
	m.work = device.ReserveWorkspace(l, m.finder.Workspace(m.occurrences.Workspace()))
	m.then(l, host)
	return m, nil
}

// limit is a limit for the device: no text has more than that.
func limit(of int) uint32 { return uint32(min(of, math.MaxUint32)) }

func (m *multiMatching) Free(s *device.Session) {
	m.extra.Release(s)
	m.delimiting.Free(s)
}

// index makes what all parts share.
func (m *multiMatching) index(c *call.Call, g *genomesText) error {
	if err := m.load(c, g.t); err != nil {
		return err
	}
	if err := m.extra.Allocate(c.Session); err != nil {
		return err
	}
	if err := call.Upload(c, m.starts.Buffer(c.Session), g.starts); err != nil {
		return err
	}
	c.Phase("multi-matches")
	m.ws = m.work.Workspace(c.Session)
	return c.Compute(func() error {
		text, sa := m.ArraysOf(c.Session, m.N)
		a := intervals.Arrays{SA: sa, LCP: m.lcp.Buffer(c.Session), Documents: m.documents.Buffer(c.Session),
			Before: m.before.Buffer(c.Session)}
		intervals.NewDocuments(c.Session).Run(sa, m.starts.Buffer(c.Session), a.Documents)
		intervals.NewBefore[uint8](c.Session).RunDelimited(text, sa, a.Before)
		m.x = m.finder.Index(m.ws, a)
		return c.Session.Check(c.Ctx)
	})
}

// each calls use with matches: their bounds among the suffixes, lengths, and all positions of each.
func (m *multiMatching) each(c *call.Call, use func(left, right, depth uint32, positions []uint32) error) error {
	out := intervals.Output{Left: m.out[0].Buffer(c.Session), Right: m.out[1].Buffer(c.Session),
		Depth: m.out[2].Buffer(c.Session), Position: m.out[3].Buffer(c.Session), Documents: m.counts.Buffer(c.Session)}
	kept, offsets := m.kept.Buffer(c.Session), m.offsets.Buffer(c.Session)
	for first := 0; first < m.N; first += m.part {
		count, number := min(m.part, m.N-first), make([]uint64, 1)
		c.Phase("multi-matches")
		err := c.Compute(func() error {
			m.x.List(m.ws, first, count, 0, out, kept)
			return kept.Download(c.Ctx, number, nil)
		})
		if err != nil {
			return err
		}
		if found := int(number[0]); found > 0 {
			err := c.Compute(func() error {
				m.occurrences.Offsets(m.ws, found, out, offsets)
				return offsets.View(found, 1).Download(c.Ctx, number, nil)
			})
			if err != nil {
				return err
			}
			if err := m.list(c, out, found, number[0], use); err != nil {
				return err
			}
		}
		c.Progress("multi-matches", int64(first+count), int64(m.N))
	}
	return nil
}

// list calls use with the matches of a part, which occur so often.
func (m *multiMatching) list(c *call.Call, out intervals.Output, found int, all uint64,
	use func(left, right, depth uint32, positions []uint32) error) error {
	var columns [3][]uint32
	for i, from := range []*device.Buffer[uint32]{out.Left, out.Right, out.Depth} {
		var err error
		if columns[i], err = call.Download(c, nil, from.View(0, found)); err != nil {
			return err
		}
	}
	offsets, positions := m.offsets.Buffer(c.Session), m.positions.Buffer(c.Session)
	k := 0
	var have []uint32 // positions of match k
	for done := uint64(0); done < all; done += uint64(m.part) {
		count := int(min(uint64(m.part), all-done))
		c.Phase("multi-matches")
		err := c.Compute(func() error {
			_, sa := m.ArraysOf(c.Session, m.N)
			m.occurrences.List(sa, found, out, offsets, done, count, positions)
			return c.Session.Check(c.Ctx)
		})
		if err != nil {
			return err
		}
		err = c.EachBlock(count, 1, []*device.Buffer[uint32]{positions}, func(_ int, b [][]uint32) error {
			for values := b[0]; len(values) > 0; {
				left, right := columns[0][k], columns[1][k]
				part := values[:min(len(values), int(right-left)+1-len(have))]
				have, values = append(have, part...), values[len(part):]
				if len(have) <= int(right-left) {
					return nil
				}
				if err := use(left, right, columns[2][k], have); err != nil {
					return err
				}
				k, have = k+1, have[:0]
			}
			return nil
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// multiMatchSink yields matches by their right bounds, the inner ones first. They come in the order of the slots that
// stand for them: an interval after what is below its first child and before what is below the others.
type multiMatchSink struct {
	g     *genomesText
	yield func(*MultiMatch) error
	wait  []waiting // each inside of the one before
	match MultiMatch
}

// waiting is a match with its slots. Its positions are a part of those of the one that it is inside of: with memory of
// its own each match of a long tandem repeat would take as much as there are copies.
type waiting struct {
	left, right, depth uint32
	positions          []uint32
}

func (k *multiMatchSink) add(left, right, depth uint32, positions []uint32) error {
	outside := len(k.wait)
	for outside > 0 && (k.wait[outside-1].right < left || k.wait[outside-1].left >= left) {
		outside--
	}
	if err := k.settle(outside); err != nil {
		return err
	}
	if outside > 0 {
		around := k.wait[outside-1]
		positions = around.positions[left-around.left : right-around.left+1]
	} else {
		positions = slices.Clone(positions)
	}
	k.wait = append(k.wait, waiting{left, right, depth, positions})
	return nil
}

// settle yields the last ones that wait, but for the first `but`.
func (k *multiMatchSink) settle(but int) error {
	for _, w := range slices.Backward(k.wait[but:]) {
		k.match.Length, k.match.Occurrences = w.depth, k.match.Occurrences[:0]
		for _, p := range w.positions {
			k.match.Occurrences = append(k.match.Occurrences, k.g.occurrence(p, w.depth))
		}
		if err := k.yield(&k.match); err != nil {
			return err
		}
	}
	clear(k.wait[but:]) // and with them the positions
	k.wait = k.wait[:but]
	return nil
}
