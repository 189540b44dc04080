package rlbwt

import (
	"context"
	"fmt"

	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/internal/fmd"
	"github.com/suffixcl/suffixcl/internal/intmath"
	"github.com/suffixcl/suffixcl/scan"
)

// packer makes blocks of runs that come in order.
type packer struct {
	s *device.Session
	k *kernels

	blocks  *device.Buffer[uint32] // has room for more
	nblocks int

	runs   *device.Buffer[uint32]    // those that are packed
	cuts   *device.Buffer[[2]uint32] // first run and width of blocks
	counts counter
}

// newPacker has room for so many blocks, and takes more if it needs it.
func newPacker(s *device.Session, k *kernels, blocks int) (*packer, error) {
	p := &packer{s: s, k: k, counts: counter{s: s}}
	var err error
	if p.blocks, err = device.Alloc[uint32](s, blocks*blockWords); err != nil {
		return nil, err
	}
	return p, nil
}

func (p *packer) release() {
	p.blocks.Release()
	p.runs.Release()
	p.cuts.Release()
	p.counts.release()
}

// room has memory for n runs.
func (p *packer) room(n int) (err error) {
	p.runs, err = grown(p.s, p.runs, n)
	return err
}

// grown is b, or another buffer with room for n elements. What b holds is lost.
func grown[T device.Element](s *device.Session, b *device.Buffer[T], n int) (*device.Buffer[T], error) {
	if b != nil && b.Len() >= n {
		return b, nil
	}
	b.Release()
	return device.Alloc[T](s, n+n/16)
}

// pack packs the first n runs.
func (p *packer) pack(n int) error {
	if n == 0 {
		return nil
	}
	pieces := intmath.CeilDiv(n, p.k.Runs)
	p.s.Phase("packing")
	total, err := p.counts.total(pieces, func(counts *device.Buffer[uint32]) {
		p.k.packCount.Launch(p.k.each(pieces+1), 4*int64(n), p.runs, uint64(n), uint64(pieces), counts)
	})
	if err != nil {
		return err
	}
	if p.nblocks+total > MaxBlocks {
		return fmt.Errorf("rlbwt: %d blocks; an index has %d at most", p.nblocks+total, MaxBlocks)
	}
	if err := p.extend(p.nblocks + total); err != nil {
		return err
	}
	if p.cuts, err = grown(p.s, p.cuts, total); err != nil {
		return err
	}
	p.k.packCut.Launch(p.k.each(pieces), 4*int64(n)+8*int64(total), p.runs, uint64(n), uint64(pieces), p.counts.first,
		p.cuts)
	p.k.packWrite.Launch(p.k.each(total), 4*int64(n)+72*int64(total), p.runs, uint64(n), p.cuts, uint64(total),
		uint64(p.nblocks), p.blocks)
	p.nblocks += total
	return p.s.Err()
}

// extend makes room for so many blocks, and keeps those that are there.
func (p *packer) extend(blocks int) error {
	if p.blocks.Len() >= blocks*blockWords {
		return nil
	}
	more, err := device.Alloc[uint32](p.s, (blocks+blocks/8)*blockWords)
	if err != nil {
		if more, err = device.Alloc[uint32](p.s, blocks*blockWords); err != nil {
			return err
		}
	}
	if p.nblocks > 0 {
		device.Copy(more, p.blocks, p.nblocks*blockWords)
	}
	p.blocks.Release()
	p.blocks = more
	return p.s.Err()
}

// index makes the index of all runs that were packed. It takes the blocks over.
func (p *packer) index(ctx context.Context) (*Index, error) {
	if p.nblocks == 0 {
		return newIndex(p.s, p.k)
	}
	x := &Index{s: p.s, k: p.k, nblocks: p.nblocks}
	sums := superCount(p.nblocks)
	var err error
	if x.supers, err = device.Alloc[uint64](p.s, (sums+1)*superWords); err != nil {
		return nil, err
	}
	p.s.Phase("indexing")
	x.blocks = p.blocks.View(0, p.nblocks*blockWords)
	p.blocks = nil
	p.k.supers.Launch(sums, 64*int64(p.nblocks), x.blocks, uint64(p.nblocks), x.supers)
	if err := x.sum(ctx, sums); err != nil {
		x.Release()
		return nil, err
	}
	p.k.ends.Launch(sums, 64*int64(p.nblocks), x.blocks, uint64(p.nblocks), x.supers, x.ends)
	p.k.headers.Launch(sums, 64*int64(p.nblocks), x.blocks, uint64(p.nblocks))
	p.k.cells.Launch(p.k.tiles(p.nblocks), 20*int64(p.nblocks)+8*int64(x.cells.Len()), x.blocks, x.supers,
		uint64(p.nblocks), x.rows, uint32(x.shift), x.cells)
	if err := p.s.Check(ctx); err != nil {
		x.Release()
		return nil, err
	}
	return x, nil
}

// sum makes the sums before superblocks of those of superblocks, and with them the rest of the memory.
func (x *Index) sum(ctx context.Context, supers int) error {
	if err := x.s.Check(ctx); err != nil {
		return err
	}
	sums := make([]uint64, (supers+1)*superWords)
	if err := x.supers.View(0, supers*superWords).Read(sums[:supers*superWords]); err != nil {
		return err
	}
	var total [superWords]uint64
	for i := range supers + 1 {
		at := sums[i*superWords:][:superWords]
		for w, n := range at {
			at[w] = total[w]
			total[w] += n
		}
	}
	x.rows = total[0]
	x.counts = [fmd.Letters]uint64{
		total[superEnds], total[0] - total[1] - total[2] - total[3] - total[4], total[1], total[2], total[3],
		total[4] - total[superEnds],
	}
	before := make([]uint64, fmd.Letters+1)
	for c, n := range x.counts {
		before[c+1] = before[c] + n
	}
	err := x.allocate(int(x.counts[0]))
	if err == nil {
		err = x.supers.Write(sums)
	}
	if err == nil {
		err = x.before.Write(before)
	}
	return err
}

// counter has the sums before numbers that a kernel has counted.
type counter struct {
	s     *device.Session
	first *device.Buffer[uint32]
	plan  *scan.Plan[uint32]
	ws    *device.Workspace
	most  int
}

func (c *counter) release() {
	c.first.Release()
	c.ws.Release()
}

// total is the sum of n numbers. count is told where to write them, and a 0 after them; there the sums before them are,
// afterwards.
func (c *counter) total(n int, count func(*device.Buffer[uint32])) (int, error) {
	if c.first == nil || n+1 > c.most {
		c.release()
		c.first, c.ws = nil, nil
		c.most = n + 1 + n/8
		c.plan = scan.NewPlan[uint32](c.s, c.most, scan.Options{})
		var err error
		if c.first, err = device.Alloc[uint32](c.s, c.most); err != nil {
			return 0, err
		}
		if c.ws, err = device.NewWorkspace(c.s, c.plan.Workspace()); err != nil {
			return 0, err
		}
	}
	count(c.first)
	mark := c.ws.Mark()
	c.plan.Run(c.ws, c.first, c.first, n+1)
	c.ws.Reset(mark)
	var sum [1]uint32
	err := c.first.View(n, 1).Read(sum[:])
	return int(sum[0]), err
}
