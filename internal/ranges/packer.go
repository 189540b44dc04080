package ranges

import (
	"fmt"
	"slices"

	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/internal/intmath"
	"github.com/suffixcl/suffixcl/internal/tuned"
	"github.com/suffixcl/suffixcl/scan"
)

// Packer packs positions of suffix arrays that are sorted in one piece, as Options.Packed has those of ranges packed.
type Packer struct {
	s     *device.Session
	of    *Entries
	n     int
	tile  int
	packs *device.Kernel
	only  *scan.CompactTemplate // nil where all positions are packed

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
	m := tuned.Of(s).Map
	d := defines[uint32]()
	d["WG"], d["TILE"] = m.WG, tileOf(s)
	source := device.Source{Files: append(files[:2:2], "ranges_entries.cl"), Defines: d}
	p := &Packer{s: s, of: of, n: n, tile: tileOf(s), packs: s.Program(source).Kernel("ranges_entries", m.WG)}
	p.layout = device.NewLayout("packing")
	p.places = device.Reserve[uint64](p.layout, "stretches of positions", max(len(of.From)+len(of.Add)+len(of.Only), 1))
	for i := range p.packed {
		p.packed[i] = device.Reserve[uint32](p.layout, "packed suffix array", intmath.CeilDiv(of.Bits*n, 32))
	}
	if of.Every > 1 {
		source := templateSource[uint32]("ONLY")
		source.Files = append(files[:2:2], "ranges_entries.cl")
		p.only = scan.NewCompactTemplate(s, n, source)
		p.kept = device.Reserve[uint32](p.layout, "positions that are kept", n)
		p.count = device.Reserve[uint64](p.layout, "their number", 1)
		p.ws = device.ReserveWorkspace(p.layout, p.only.Workspace())
	}
	return p, nil
}

// Layout is the memory of the device.
func (p *Packer) Layout() *device.Layout { return p.layout }

// Begin has the memory ready. Errors are the session's.
func (p *Packer) Begin() {
	if len(p.of.From) > 0 {
		p.places.Buffer(p.s).Write(slices.Concat(p.of.From, p.of.Add, p.of.Only))
	}
}

// Pack enqueues packing n positions of a suffix array from one on, into one of two buffers. It returns that, and how
// many entries there are, for which it waits where some positions are left out. Errors are the session's.
func (p *Packer) Pack(sa *device.Buffer[uint32], first, n, buffer int) (*device.Buffer[uint32], int, error) {
	if first < 0 || n > p.n || first > sa.Len()-n {
		return nil, 0, fmt.Errorf("ranges: packing %d positions from %d on of %d, planned for %d", n, first, sa.Len(), p.n)
	}
	stretches := uint32(len(p.of.From))
	if p.only != nil {
		count, kept := p.count.Buffer(p.s), p.kept.Buffer(p.s)
		p.only.Run(p.ws.Workspace(p.s), n, 4*(p.only.Loads()+1), count, sa, uint64(first), p.places.Buffer(p.s),
			stretches, p.of.Every, kept)
		var many [1]uint64
		if err := count.Read(many[:]); err != nil {
			return nil, 0, err
		}
		sa, first, n = kept, 0, int(many[0])
	}
	words := intmath.CeilDiv(p.of.Bits*n, 32)
	to := p.packed[buffer].Buffer(p.s).View(0, words)
	p.packs.Launch(intmath.CeilDiv(words, p.tile), 4*int64(n)+to.Bytes(), sa, uint64(first), uint64(n), uint32(p.of.Bits),
		p.places.Buffer(p.s), stretches, to)
	return to, n, nil
}
