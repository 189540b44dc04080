package rlbwt

import (
	"context"

	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/internal/intmath"
	"github.com/suffixcl/suffixcl/internal/tuned"
)

// merger makes the index of what x has and of new rows.
type merger struct {
	x     *Index
	p     *packer
	ranks *device.Buffer[uint64] // of new rows, ascending, with their letters

	rowsAt, newAt *device.Buffer[uint64]
	blockAt       *device.Buffer[uint32]
	infos         *device.Buffer[[4]uint32]
	totals        *device.Buffer[uint64]
	counts        counter
}

// PartBytes is the device memory of the runs of a part that is merged, of an index of so many, beside those of new
// rows: 5 bytes a run, at most 0.4 KiB for each of the blocks that are merged at a time.
func PartBytes(s *device.Session, runs int64) int64 {
	return 5 * min(runs, int64(tuned.Of(s).RLBWT.MergeBlocks)*mostSlots)
}

// merge makes the index of x and of new rows: ranks[t] is how many rows of x are before row t, times 8, and its letter.
// x stays.
func (x *Index) merge(ctx context.Context, ranks *device.Buffer[uint64]) (merged *Index, err error) {
	m := &merger{x: x, ranks: ranks, counts: counter{s: x.s}}
	defer m.release()
	if m.p, err = newPacker(x.s, x.k, x.nblocks+x.nblocks/16+ranks.Len()/1024); err != nil {
		return nil, err
	}
	for block, row := 0, 0; block < x.nblocks || row < ranks.Len(); {
		if err := x.s.Check(ctx); err != nil {
			return nil, err
		}
		endBlock, endRow, err := m.end(block, row)
		if err != nil {
			return nil, err
		}
		if err := m.part(block, endBlock, row, endRow); err != nil {
			return nil, err
		}
		block, row = endBlock, endRow
	}
	return m.p.index(ctx)
}

func (m *merger) release() {
	if m.p != nil {
		m.p.release()
	}
	m.rowsAt.Release()
	m.newAt.Release()
	m.blockAt.Release()
	m.infos.Release()
	m.totals.Release()
	m.counts.release()
}

// end is where a part that begins at a block and at a new row ends.
func (m *merger) end(block, row int) (endBlock, endRow int, err error) {
	x := m.x
	if endBlock = min(block+x.k.MergeBlocks, x.nblocks); endBlock == x.nblocks {
		return endBlock, m.ranks.Len(), nil
	}
	var head [1]uint32
	var sum [1]uint64
	if err = x.blocks.View(endBlock*blockWords, 1).Read(head[:]); err == nil {
		err = x.supers.View(endBlock>>superLog*superWords, 1).Read(sum[:])
	}
	bound := sum[0] + uint64(head[0]&rowMask)
	low, high := row, m.ranks.Len()
	for low < high && err == nil {
		middle := low + (high-low)/2
		var rank [1]uint64
		if err = m.ranks.View(middle, 1).Read(rank[:]); rank[0]>>letterBits < bound {
			low = middle + 1
		} else {
			high = middle
		}
	}
	return endBlock, low, err
}

// part merges blocks and new rows.
func (m *merger) part(block, endBlock, row, endRow int) (err error) {
	x, k := m.x, m.x.k
	n := intmath.CeilDiv(endBlock-block, k.PartBlocks) + intmath.CeilDiv(endRow-row, k.PartRows)
	if err := m.room(n); err != nil {
		return err
	}
	x.s.Phase("merging")
	parts := []any{m.ranks, uint64(block), uint64(endBlock), uint64(row), uint64(endRow)}
	cuts := []any{m.rowsAt, m.newAt, m.blockAt}
	k.cuts.Launch(k.each(n+1), 20*int64(n), x.args(), parts, cuts)
	bytes := 64*int64(endBlock-block) + 8*int64(endRow-row)
	runs, err := m.counts.total(n, func(counts *device.Buffer[uint32]) {
		k.mergeCount.Launch(k.each(n), bytes+36*int64(n), x.args(), parts, uint64(n), cuts, m.infos)
		k.mergeJoin.Launch(k.each(n+1), 28*int64(n), m.infos, uint64(n), counts, m.totals)
	})
	if err != nil {
		return err
	}
	if err := m.p.room(runs); err != nil {
		return err
	}
	k.mergeWrite.Launch(k.each(n), bytes+32*int64(n)+4*int64(runs), x.args(), parts, uint64(n), cuts, m.totals,
		m.counts.first, m.p.runs)
	return m.p.pack(runs)
}

// room has memory for n parts.
func (m *merger) room(n int) (err error) {
	s := m.x.s
	if m.rowsAt, err = grown(s, m.rowsAt, n+1); err != nil {
		return err
	}
	if m.newAt, err = grown(s, m.newAt, n+1); err != nil {
		return err
	}
	if m.blockAt, err = grown(s, m.blockAt, n+1); err != nil {
		return err
	}
	if m.infos, err = grown(s, m.infos, n); err != nil {
		return err
	}
	m.totals, err = grown(s, m.totals, n)
	return err
}
