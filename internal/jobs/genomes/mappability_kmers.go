package genomes

import (
	"errors"
	"slices"
	"strings"

	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/internal/call"
	"github.com/suffixcl/suffixcl/internal/intmath"
	"github.com/suffixcl/suffixcl/internal/limits"
	"github.com/suffixcl/suffixcl/internal/mappability"
)

// KmerSizes are those of counting k-mers by hashes: texts of up to Whole characters (devices of GPU, of CPU shape)
// are one part, longer ones Parts of them, or more where memory is short. Tests make them smaller.
var KmerSizes = struct {
	Whole                   [2]int
	Parts, mostParts, Piece int
}{[2]int{1 << 27, limits.MaxLen}, 2, 64, 1 << 26}

// mostHashed is how many lengths hashes count sooner than sorted suffixes do.
const mostHashed = 4

// mostHalvings is how often a part that is too large is divided: what is still too large then has a k-mer that fills
// it.
const mostHalvings = 12

// mostSeeds is how many hashes are tried. That of 64 bits tells the k-mers of a genome of 3 G bases apart in 3 of 4
// cases.
const mostSeeds = 16

// errUncounted: a k-mer fills a part, or no hash tells the k-mers apart.
var errUncounted = errors.New("suffixcl: hashes do not count these k-mers")

// kmerCodes are those of the letters for k-mers that hashes count. !ok: there are none, or more than four; both strands
// count, and a complement is no letter.
func kmerCodes(letters string, both bool) (codes [256]uint8, ok bool) {
	for c := range codes {
		codes[c] = mappability.NoLetter
	}
	next, most := uint8(0), uint8(mappability.NoLetter)
	if both {
		most /= 2 // and their complements
	}
	for _, c := range []byte(letters) {
		other := complementOf[c]
		switch {
		case both && (other == c || complementOf[other] != c || strings.IndexByte(letters, other) < 0):
			return codes, false
		case codes[c] != mappability.NoLetter:
			continue
		case next == most:
			return codes, false
		case both:
			codes[other] = mappability.NoLetter - 1 - next
		}
		codes[c] = next
		next++
	}
	return codes, next > 0
}

// byHash tells whether hashes can count all k-mers.
func (o MappabilityOptions) byHash() bool {
	for _, k := range o.K {
		if k > mappability.LongestKmer {
			return false
		}
	}
	_, ok := kmerCodes(o.Letters, o.BothStrands)
	return ok && len(o.K) > 0
}

// kmerCounting counts the k-mers of a text by hashes of them.
type kmerCounting struct {
	o      MappabilityOptions
	n      int
	parts  int
	kmers  *mappability.Kmers
	layout *device.Layout
	piece  *device.Slot[uint8]
	values *device.Slot[uint32]
	work   *device.WorkspaceSlot

	ws *device.Workspace
}

// newKmerCounting plans it for n characters, in as few parts as fit. Error: not even small parts do.
func newKmerCounting(e *call.Engine, n int, o MappabilityOptions) (m *kmerCounting, err error) {
	parts, whole := 1, KmerSizes.Whole[0]
	if e.Session.Caps().CPUShape {
		whole = KmerSizes.Whole[1]
	}
	if n > whole {
		parts = KmerSizes.Parts
	}
	for ; parts <= KmerSizes.mostParts; parts *= 2 {
		if m, err = kmerCountingIn(e, n, parts, o); err != nil {
			return nil, err
		}
		if err = m.Plan().Fits(e.Session); err == nil {
			return m, nil
		}
	}
	return nil, err
}

// kmerCountingIn plans so many parts.
func kmerCountingIn(e *call.Engine, n, parts int, o MappabilityOptions) (*kmerCounting, error) {
	room := n
	if parts > 1 {
		room = intmath.CeilDiv(n, parts)
		room += room/16 + 64 // parts differ
	}
	m := &kmerCounting{o: o, n: n, parts: parts}
	var err error
	if m.kmers, err = mappability.NewKmers(e.Session, n, max(room, 1)); err != nil {
		return nil, err
	}
	m.layout = device.NewLayout("k-mers")
	m.piece = device.Reserve[uint8](m.layout, "piece of the text", min(n, KmerSizes.Piece))
	m.values = device.Reserve[uint32](m.layout, "values", n)
	m.work = device.ReserveWorkspace(m.layout, m.kmers.Workspace())
	return m, nil
}

func (m *kmerCounting) Plan() device.MemoryPlan {
	return device.MemoryPlan{call.PhaseOf(m.layout.Memory(), int64(m.n))}
}

// mayFail tells whether k-mers may be left uncounted: one that fills a part, or different ones with the same hash.
func (m *kmerCounting) mayFail() bool {
	return m.n > 0 && (m.parts > 1 || slices.Max(m.o.K) > mappability.DistinctKmer)
}

func (m *kmerCounting) Free(s *device.Session) { m.layout.Release(s) }

// load has the text on the device, packed.
func (m *kmerCounting) load(c *call.Call, text []byte) error {
	if err := m.layout.Allocate(c.Session); err != nil {
		return err
	}
	codes, _ := kmerCodes(m.o.Letters, m.o.BothStrands)
	m.ws = m.work.Workspace(c.Session)
	m.kmers.Begin(m.ws, &codes)
	piece := m.piece.Buffer(c.Session)
	for at := 0; at < len(text); at += piece.Len() {
		part := piece.View(0, min(piece.Len(), len(text)-at))
		if err := call.Upload(c, part, text[at:at+part.Len()]); err != nil {
			return err
		}
		m.kmers.Pack(part, at)
	}
	return c.Session.Check(c.Ctx)
}

// count hands the values of one length to the sink. Error: errUncounted, before that.
func (m *kmerCounting) count(c *call.Call, k int, sink *mappabilitySink) error {
	for seed := range uint64(mostSeeds) {
		apart, err := m.tell(c, mappability.Part{K: k, Both: m.o.BothStrands, Seed: seed})
		if err != nil {
			return err
		}
		if apart {
			return sink.all(c, m.n, m.values.Buffer(c.Session))
		}
	}
	return errUncounted
}

// tell makes the values, unless a hash does not tell k-mers apart.
func (m *kmerCounting) tell(c *call.Call, of mappability.Part) (apart bool, err error) {
	c.Phase("k-mers")
	m.values.Buffer(c.Session).Fill(1)
	for part := range uint64(m.parts) {
		of.Low = uint32(part << 32 / uint64(m.parts))
		of.High = uint32((part+1)<<32/uint64(m.parts) - 1)
		if apart, err = m.part(c, of, mostHalvings); err != nil || !apart {
			return false, err
		}
		c.Progress("k-mers", int64(part+1), int64(m.parts))
	}
	return true, nil
}

// part counts the k-mers of a part, halves of it if there are too many.
func (m *kmerCounting) part(c *call.Call, of mappability.Part, halvings int) (apart bool, err error) {
	number, err := call.NumberOf(c, "k-mers", func() *device.Buffer[uint32] { return m.kmers.Collect(m.n, of) })
	if err != nil {
		return false, err
	}
	if number > m.kmers.Room() {
		if halvings == 0 {
			return false, errUncounted
		}
		low, high := of, of
		low.High = of.Low + (of.High-of.Low)/2
		high.Low = low.High + 1
		if apart, err = m.part(c, low, halvings-1); err != nil || !apart {
			return false, err
		}
		return m.part(c, high, halvings-1)
	}
	values := m.values.Buffer(c.Session)
	collisions, err := call.NumberOf(c, "k-mers", func() *device.Buffer[uint32] {
		return m.kmers.Count(m.ws, of, number, values)
	})
	return collisions == 0, err
}

// eachByHash yields the values of the lengths, until hashes do not count one: that is the number of those before it.
func (m *mappabilityTexts) eachByHash(c *call.Call, yield func(*Mappability) error) (done int, err error) {
	t, _ := m.delimit(nil, 1)
	var counts *kmerCounting
	if t.len() > 0 {
		counts, err = call.PrepareAlone(c, func() (*kmerCounting, error) { return newKmerCounting(c.Engine, t.len(), m.o) })
		if err != nil {
			return 0, err
		}
		defer counts.Free(c.Session)
		t.fill()
		if err := counts.load(c, t.text); err != nil {
			return 0, err
		}
	}
	for done, k := range m.o.K {
		sink := &mappabilitySink{k: k, texts: m.texts, t: t, yield: yield}
		if counts != nil {
			if err := counts.count(c, k, sink); err != nil {
				return done, err
			}
		}
		if err := sink.through(m.texts.Count()); err != nil {
			return done, err
		}
	}
	return len(m.o.K), nil
}
