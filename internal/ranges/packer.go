package ranges

import (
	"fmt"
	"math"

	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/internal/intmath"
	"github.com/suffixcl/suffixcl/internal/tuned"
	"github.com/suffixcl/suffixcl/scan"
)

// entryPacker makes entries of positions.
type entryPacker[P uint32 | uint64] struct {
	of    *Entries
	tile  int
	packs *device.Kernel
	only  *scan.CompactTemplate // nil where all positions are packed
}

// newEntryPacker plans packing up to n positions at a time.
func newEntryPacker[P uint32 | uint64](s *device.Session, of *Entries, n int) *entryPacker[P] {
	source := func(d device.Defines) device.Source {
		return device.Source{Files: append(files[:2:2], "ranges_entries.cl"), Defines: d}
	}
	m, d := tuned.Of(s).Map, defines[P]()
	d["WG"], d["TILE"] = m.WG, tileOf(s)
	p := &entryPacker[P]{of: of, tile: tileOf(s), packs: s.Program(source(d)).Kernel("ranges_entries", m.WG)}
	if of.Every > 1 {
		p.only = scan.NewCompactTemplate(s, n, source(templateSource[P]("ONLY").Defines))
	}
	return p
}

func (p *entryPacker[P]) workspace() (pieces device.Pieces) {
	if p.only != nil {
		pieces = p.only.Workspace()
	}
	return pieces
}

// keep enqueues moving those of n positions from one on that are packed. It returns how many they are, for which it
// waits. count is one word for that.
func (p *entryPacker[P]) keep(ws *device.Workspace, sa *device.Buffer[P], first, n int,
	places, count *device.Buffer[uint64], to *device.Buffer[P]) (int, error) {
	p.only.Run(ws, n, wide[P]()*(p.only.Loads()+1), count, sa, uint64(first), places, uint32(len(p.of.From)), p.of.Every,
		math.MaxUint64/p.of.Every+1, to)
	var kept [1]uint64
	err := count.Read(kept[:])
	return int(kept[0]), err
}

// pack enqueues packing n positions from one on. It returns the words that have their entries.
func (p *entryPacker[P]) pack(sa *device.Buffer[P], first, n int, places *device.Buffer[uint64],
	to *device.Buffer[uint32]) *device.Buffer[uint32] {
	to = to.View(0, intmath.CeilDiv(p.of.Bits*n, 32))
	p.packs.Launch(intmath.CeilDiv(to.Len(), p.tile), wide[P]()*int64(n)+to.Bytes(), sa, uint64(first), uint64(n),
		uint32(p.of.Bits), places, uint32(len(p.of.From)), to)
	return to
}

// Packer packs positions of suffix arrays that are sorted in one piece, as Options.Packed has those of ranges packed.
type Packer struct {
	*entryPacker[uint32]
	s *device.Session
	n int

	layout *device.Layout
	places *device.Slot[uint64]
	packed [2]*device.Slot[uint32]
	kept   *device.Slot[uint32]
	count  *device.Slot[uint64]
	ws     *device.WorkspaceSlot
}

// NewPacker plans packing up to n positions at a time. Error: entries that are not possible.
func NewPacker(s *device.Session, of *Entries, n int) (*Packer, error) {
	if err := of.check(); err != nil {
		return nil, err
	}
	p := &Packer{entryPacker: newEntryPacker[uint32](s, of, n), s: s, n: n, layout: device.NewLayout("packing")}
	p.places = device.Reserve[uint64](p.layout, "stretches of positions", max(len(of.places()), 1))
	for i := range p.packed {
		p.packed[i] = device.Reserve[uint32](p.layout, "packed suffix array", intmath.CeilDiv(of.Bits*n, 32))
	}
	if p.only != nil {
		p.kept = device.Reserve[uint32](p.layout, "positions that are kept", n)
		p.count = device.Reserve[uint64](p.layout, "their number", 1)
		p.ws = device.ReserveWorkspace(p.layout, p.workspace())
	}
	return p, nil
}

// Layout is the memory of the device.
func (p *Packer) Layout() *device.Layout { return p.layout }

// Begin has the memory ready. Errors are the session's.
func (p *Packer) Begin() {
	if places := p.of.places(); len(places) > 0 {
		p.places.Buffer(p.s).Write(places)
	}
}

// Pack enqueues packing n positions of a suffix array from one on, into one of two buffers. It returns that, and how
// many entries there are, for which it waits where some positions are left out. Errors are the session's.
func (p *Packer) Pack(sa *device.Buffer[uint32], first, n, buffer int) (*device.Buffer[uint32], int, error) {
	if first < 0 || n > p.n || first > sa.Len()-n {
		return nil, 0, fmt.Errorf("ranges: packing %d positions from %d on of %d, planned for %d", n, first, sa.Len(), p.n)
	}
	places := p.places.Buffer(p.s)
	if p.only != nil {
		kept := p.kept.Buffer(p.s)
		many, err := p.keep(p.ws.Workspace(p.s), sa, first, n, places, p.count.Buffer(p.s), kept)
		if err != nil {
			return nil, 0, err
		}
		sa, first, n = kept, 0, many
	}
	return p.pack(sa, first, n, places, p.packed[buffer].Buffer(p.s)), n, nil
}
