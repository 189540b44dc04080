package suffixsort

import (
	"context"

	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/internal/intmath"
)

// onHost is what a run reads to and writes from. Made anew it and the code would be most of what a short text leaves to
// the garbage collector, which holds streams of them up for a millisecond or two each time (docs/benchmarks.md).
type onHost struct {
	counts [countRounds]uint32
	table  [tableWords]uint32
}

// countBytes counts the bytes, and reads what the Finder has found beside them.
func (r *run) countBytes() (bytes []uint32, recurs uint32, err error) {
	r.count.Launch(r.tiles(intmath.CeilDiv(r.n, 8)), int64(r.n), r.text, uint64(r.n), r.counts)
	host := r.host.counts[:]
	err = r.counts.Read(host)
	return host[:256], host[countPeriods], err
}

// makeCode makes the code of those bytes.
func (r *run) makeCode(bytes []uint32) error {
	r.code = newCode(bytes)
	if err := r.table.Write(r.code.words(&r.host.table)); err != nil {
		return err
	}
	if width := r.code.width; width > 0 {
		words := packedWords(r.n, width)
		r.pack.Launch(r.tiles(words), int64(r.n)+8*int64(words), r.text, uint64(r.n), r.table, uint32(width), uint64(words), r.packed)
	}
	if r.bringsSymbols() {
		r.preceding = device.Reinterpret[uint32](r.out).View(0, intmath.CeilDiv(r.n, 8)) // until the transform is there
	}
	return nil
}

// bringsSymbols tells whether the first sort brings the symbol before each suffix along: where the transform is
// wanted, symbols have one or two bits, and there is room in the low words, and in the transform, as words, for half a byte
// each.
func (r *run) bringsSymbols() bool {
	if r.out == nil || r.code.width != 1 && r.code.width != 2 || r.indexBits() > 30 || r.n < 8 {
		return false
	}
	_, at := r.out.Root()
	return at%4 == 0
}

// transform makes the Burrows-Wheeler transform of packed text, of which each suffix that was
// alone after the first sort has brought its character along.
func (r *run) transform(ctx context.Context) (primary int, err error) {
	r.s.Phase(phaseBWT)
	if err := r.s.Check(ctx); err != nil {
		return 0, err
	}
	row := r.counts.View(0, 1)
	r.forward.Sample(r.sa, 1<<32, row)
	var symbols uint32
	for b, entry := range r.code.table[:256] {
		if entry != 0 {
			symbols |= uint32(b) << (8 * (entry >> (32 - r.code.width)))
		}
	}
	r.emit.Launch(r.tiles(r.n), (1+1)*int64(r.n), r.preceding.Args(), r.sa, r.packed, uint32(r.code.width), symbols, uint64(r.n), row, r.behind)
	device.Copy(r.out, device.Reinterpret[uint8](r.behind), r.n)
	var host [1]uint32
	err = row.Read(host[:])
	return int(host[0]), err
}
