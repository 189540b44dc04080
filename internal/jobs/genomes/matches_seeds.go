package genomes

import (
	"cmp"
	"encoding/binary"
	"math/bits"
	"slices"
	"sync/atomic"

	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/internal/call"
	"github.com/suffixcl/suffixcl/internal/matches"
	"github.com/suffixcl/suffixcl/internal/parallel"
	"github.com/suffixcl/suffixcl/internal/tuned"
)

// SeedsAtOnce is how many positions of queries are searched for seeds at once, on devices of GPU and of CPU shape.
// Tests make it smaller.
var SeedsAtOnce = [2]int{1 << 24, 1 << 20}

// SeedsServe tells whether seeds are tried: a work-item goes through all that have a key, which repeats make many.
// Tests replace it.
var SeedsServe = func(s *device.Session, reference int, least uint32) bool {
	return tuned.Quirks(s.Caps()).LongLoops && matches.SeedsServe(reference, least)
}

// What seeds may take, a position: then the texts repeat themselves too much, and sorting them is the faster way.
const (
	pairsAPosition = 4
	bytesAPosition = 32 // compared on the host
)

// seeding finds all maximal matches by seeds, in texts that do not repeat themselves much.
type seeding struct {
	n, references int
	finder        *matches.Seeds
	layout        *device.Layout
	text          *device.Slot[uint8]
	work          *device.WorkspaceSlot

	ws       *device.Workspace
	pairs    int64
	compared atomic.Int64 // bytes, on the host
}

// newSeeding plans it, for n symbols, so many of them of the reference.
func newSeeding(e *call.Engine, n, reference int, o MatchOptions) (*seeding, error) {
	part := SeedsAtOnce[0]
	if e.Session.Caps().CPUShape {
		part = SeedsAtOnce[1]
	}
	m := &seeding{n: n, references: reference}
	var err error
	if m.finder, err = matches.NewSeeds(e.Session, n, reference, uint32(o.MinLength), part); err != nil {
		return nil, err
	}
	m.layout = device.NewLayout("seeds")
	m.text = device.Reserve[uint8](m.layout, "text", m.finder.TextLen())
	m.work = device.ReserveWorkspace(m.layout, m.finder.Workspace())
	return m, nil
}

// Run calls use with the matches, in the order of the queries.
func (m *pairing) Run(c *call.Call, t *delimitedText, use func(references, queries, lengths []uint32) error) error {
	first := 0
	if m.seeds != nil {
		var err error
		if first, err = m.seeds.Run(c, t, use); err != nil || first == m.queries {
			return err
		}
		m.seeds.layout.Release(c.Session)
	}
	if err := m.find(c, t); err != nil {
		return err
	}
	return m.each(c, first, use)
}

// Run calls use with the matches that begin before a position of the queries, in their order, and returns it.
func (m *seeding) Run(
	c *call.Call, t *delimitedText, use func(references, queries, lengths []uint32) error,
) (int, error) {
	if err := m.layout.Allocate(c.Session); err != nil {
		return 0, err
	}
	text := m.text.Buffer(c.Session)
	if err := call.Upload(c, text.View(0, m.n), t.text); err != nil {
		return 0, err
	}
	m.ws, m.pairs = m.work.Workspace(c.Session), 0
	m.compared.Store(0)
	err := c.Compute(func() error {
		c.Phase("seeds")
		text.View(m.n, text.Len()-m.n).Fill(0)
		m.finder.Begin(m.ws, text)
		return c.Session.Check(c.Ctx)
	})
	if err != nil {
		return 0, err
	}
	queries, part := m.n-m.references, m.finder.Part()
	var found seedMatches
	for first := 0; first < queries; {
		count := min(part, queries-first)
		pairs, err := call.NumberOf(c, "seeds", func() *device.Buffer[uint32] { return m.finder.Pairs(first, count) })
		if err != nil {
			return 0, err
		}
		m.pairs += int64(pairs)
		repeats := m.pairs > pairsAPosition*int64(first+count)+int64(queries)/2
		if pairs == m.finder.Room() {
			if repeats || count == 1 {
				return first, nil
			}
			part = max(count/2, 1)
			continue
		}
		if ok, err := m.list(c, t.text, pairs, first, count, &found); err != nil || !ok {
			return first, err
		}
		if len(found.queries) > 0 {
			if err := use(found.references, found.queries, found.lengths); err != nil {
				return 0, err
			}
		}
		if pairs < m.finder.Room()/4 {
			part = min(2*part, m.finder.Part())
		}
		first += count
		c.Progress("matches", int64(first), int64(queries))
		if repeats {
			return first, nil
		}
	}
	return queries, nil
}

// seedMatches are the matches of a part.
type seedMatches struct {
	references, queries, lengths []uint32
	keys                         []uint64
}

// list makes the matches of a part of so many pairs, unless that takes too long.
func (m *seeding) list(c *call.Call, text []byte, pairs, first, count int, to *seedMatches) (bool, error) {
	n := 0
	if pairs > 0 {
		var err error
		n, err = call.NumberOf(c, "seeds", func() *device.Buffer[uint32] { return m.finder.Matches(pairs, first, count) })
		if err != nil {
			return false, err
		}
	}
	to.references, to.lengths = slices.Grow(to.references[:0], n)[:n], slices.Grow(to.lengths[:0], n)[:n]
	to.queries, to.keys = slices.Grow(to.queries[:0], n)[:n], slices.Grow(to.keys[:0], n)[:n]
	if n == 0 {
		return true, nil
	}
	keys, lengths := m.finder.Sorted(m.ws, n, count)
	if _, err := call.Download(c, to.keys, keys); err != nil {
		return false, err
	}
	if _, err := call.Download(c, to.lengths, lengths); err != nil {
		return false, err
	}
	parallel.Do(n, 1<<12, func(lo, hi int) {
		for i := lo; i < hi; i++ {
			to.references[i], to.queries[i] = m.finder.Positions(to.keys[i])
			to.queries[i] += uint32(first)
			r, q, length := int(to.references[i]), m.references+int(to.queries[i]), int(to.lengths[i])
			if length >= matches.LongMatch {
				to.lengths[i] += uint32(m.agree(text, r+length, q+length, true))
			}
		}
	})
	parallel.Do(n, 1<<12, func(lo, hi int) {
		// Matches at one position stay together.
		begins := func(i int) bool { return i == 0 || i == n || to.queries[i] != to.queries[i-1] }
		for !begins(lo) {
			lo++
		}
		for !begins(hi) {
			hi++
		}
		seen := map[int][2]int{}
		for from := lo; from < hi; {
			end := from + 1
			for !begins(end) {
				end++
			}
			if end-from > 1 {
				m.order(text, m.references+int(to.queries[from]), to.references[from:end], to.lengths[from:end],
					to.keys[from:end], seen)
			}
			from = end
		}
	})
	return m.compared.Load() <= bytesAPosition*int64(m.n), nil
}

// order sorts the matches at text position q by suffix of the reference. keys is scratch. seen has stretches of the
// text, by how far after them they occur again.
func (m *seeding) order(text []byte, q int, references, lengths []uint32, keys []uint64, seen map[int][2]int) {
	for i, r := range references {
		keys[i] = uint64(r)<<32 | uint64(lengths[i])
	}
	slices.SortFunc(keys, func(a, b uint64) int {
		i, j, length, other := int(a>>32), int(b>>32), int(uint32(a)), int(uint32(b))
		switch {
		case i == j:
			return 0
		case length < other: // the suffix at j goes on as that at q does
			return cmp.Compare(text[i+length], text[q+length])
		case length > other:
			return cmp.Compare(text[q+other], text[j+other])
		}
		length += m.shared(text, i+length, j+length, seen)
		if max(i, j)+length == len(text) {
			return cmp.Compare(j, i)
		}
		return cmp.Compare(text[i+length], text[j+length])
	})
	for i, key := range keys {
		references[i], lengths[i] = uint32(key>>32), uint32(key)
	}
}

// shared is agree of any bytes. What is long is compared once, however many matches begin in it.
func (m *seeding) shared(text []byte, i, j int, seen map[int][2]int) int {
	const long = 1 << 10
	i, j = min(i, j), max(i, j)
	if stretch, ok := seen[j-i]; ok && stretch[0] <= i && i < stretch[1] {
		return stretch[1] - i
	}
	same := m.agree(text, i, j, false)
	if same >= long {
		seen[j-i] = [2]int{i, i + same}
	}
	return same
}

// agree is how many bytes of a text are the same from i and from j on, at most up to a byte 0 where `ends`. It is too
// small where too much has been compared.
func (m *seeding) agree(text []byte, i, j int, ends bool) int {
	const piece = 1 << 16
	most := len(text) - max(i, j)
	for at := 0; at < most; {
		end := min(at+piece, most)
		same := agreement(text[i+at:i+end], text[j+at:j+end], ends)
		at += same
		if m.compared.Add(int64(same)) > bytesAPosition*int64(m.n) || at < end {
			return min(at, most-1)
		}
	}
	return most
}

// agreement is how many bytes two slices of one length have in common at the begin, up to a byte 0 where `ends`.
func agreement(a, b []byte, ends bool) int {
	const ones, highs = 0x0101010101010101, 0x8080808080808080
	i := 0
	for ; i+8 <= len(a); i += 8 {
		x := binary.LittleEndian.Uint64(a[i:])
		d := x ^ binary.LittleEndian.Uint64(b[i:])
		if ends {
			d |= (x - ones) &^ x & highs
		}
		if d != 0 {
			return i + bits.TrailingZeros64(d)/8
		}
	}
	for i < len(a) && a[i] == b[i] && (!ends || a[i] != 0) {
		i++
	}
	return i
}
