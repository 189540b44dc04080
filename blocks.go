package suffixcl

import (
	"cmp"
	"context"
	"math/bits"
	"time"

	"github.com/suffixcl/suffixcl/device"
)

// blockLength is how many elements results have at most that are copied block by block. Tests make it smaller.
var blockLength = 1 << 20

// eachBlock calls use with the first n elements of the buffers, of `words` words, a block at a time, while the next one
// is copied. The time that it waits is that of downloads.
func (e *Engine) eachBlock(ctx context.Context, n, words int, buffers []*device.Buffer[uint32], use func(first int, blocks [][]uint32) error) error {
	var copies []*device.Transfer
	wait := func() (err error) {
		for _, t := range copies {
			err = cmp.Or(err, t.Wait())
		}
		copies = nil
		return err
	}
	defer wait()
	most := min(blockLength, n)
	begin := func(first int) (blocks [][]uint32) {
		count := min(most, n-first) * words
		for i, b := range buffers {
			landing := e.landing(first/most%2, len(buffers)*most*words)[i*most*words:]
			blocks = append(blocks, landing[:count])
			copies = append(copies, b.View(first*words, count).StartDownload(blocks[i]))
		}
		return blocks
	}
	if n == 0 {
		return nil
	}
	next := begin(0)
	for first := 0; first < n; first += most {
		began := time.Now()
		err := cmp.Or(wait(), e.session.Check(ctx))
		e.stats.Download += time.Since(began)
		if err != nil {
			return err
		}
		blocks := next
		if first+most < n {
			next = begin(first + most)
		}
		if err := use(first, blocks); err != nil {
			return err
		}
	}
	return nil
}

// landing is one of two pieces of memory, of n words or more, that results are copied to
// part by part, or those of streams with their texts: pinned, where that can be had. It grows to powers of two, of
// more than 64 MiB to multiples of that, since pinning takes long.
func (e *Engine) landing(i, n int) []uint32 {
	if len(e.landings[i]) < n {
		step := 1 << min(bits.Len(uint(n-1)), 24)
		n = (n + step - 1) / step * step
		e.pins[i].Release()
		if p, err := device.AllocPinned[uint32](e.session, n); err == nil {
			e.pins[i], e.landings[i] = p, p.Slice()
		} else {
			e.pins[i], e.landings[i] = nil, make([]uint32, n)
		}
	}
	return e.landings[i]
}
