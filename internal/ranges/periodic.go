package ranges

import (
	"bytes"
	"context"
	"runtime"
	"slices"
	"sort"
	"sync"
	"sync/atomic"

	"golang.org/x/sync/errgroup"

	"github.com/suffixcl/suffixcl/internal/entries"
	"github.com/suffixcl/suffixcl/internal/intmath"
	"github.com/suffixcl/suffixcl/internal/parallel"
)

// periodicFrom is the length from which on a text in memory is asked for its period. Tests have another.
var periodicFrom = 1 << 26

// mostPeriod is the largest period that is looked for.
const mostPeriod = 1 << 10

// cachedLen is how many suffixes a processor makes at a time: they stay in its cache until they are copied. All blocks
// together are no larger than those of a device.
const cachedLen = 1 << 18

// periodOf is the smallest period of a text, at most mostPeriod, of which it has four or more; 0: there is none.
func periodOf(text []byte) int {
	head := text[:min(len(text), 4*mostPeriod)]
	borders := make([]int, len(head)+1) // of prefixes: the longest that begins and ends one
	for i, b := 1, 0; i < len(head); i++ {
		for b > 0 && head[i] != head[b] {
			b = borders[b]
		}
		if head[i] == head[b] {
			b++
		}
		borders[i+1] = b
	}
	period := len(head) - borders[len(head)]
	if 4*period > len(head) || period == 0 {
		return 0
	}
	const piece = 1 << 20
	var differs atomic.Bool
	rest := len(text) - period
	parallel.Do(intmath.CeilDiv(rest, piece), 1, func(lo, hi int) {
		for k := lo; k < hi && !differs.Load(); k++ {
			from, to := k*piece, min((k+1)*piece, rest)
			if !bytes.Equal(text[from:to], text[from+period:to+period]) {
				differs.Store(true)
			}
		}
	})
	if differs.Load() {
		return 0
	}
	return period
}

// periodic is the suffix array of a text with a period. A suffix longer than two periods is followed by that which is
// longer by one period, and so on: a chain. No suffix of another chain has it for its prefix. So the order of the
// suffixes of the last three periods, each with its chain, is that of all.
type periodic[P uint32 | uint64] struct {
	text    []byte
	period  int
	tail    []int // suffixes of the last three periods, ascending
	starts  []int // index of each in the suffix array, and the end
	shared  []int // characters with the one before, of each
	primary int   // index of the whole text, and one more
}

func newPeriodic[P uint32 | uint64](text []byte, period int) *periodic[P] {
	p := &periodic[P]{text: text, period: period, starts: []int{0}}
	n := len(text)
	for i := n - 3*period; i < n; i++ {
		p.tail = append(p.tail, i)
	}
	slices.SortFunc(p.tail, func(i, j int) int { return bytes.Compare(text[i:], text[j:]) })
	before := n
	for _, i := range p.tail {
		shared := 0
		for i+shared < n && before+shared < n && text[i+shared] == text[before+shared] {
			shared++
		}
		before = i
		p.shared = append(p.shared, shared)
		chain, start := 1, p.starts[len(p.starts)-1]
		if n-i > 2*period {
			chain = i/period + 1
			if i%period == 0 {
				p.primary = start + chain
			}
		}
		p.starts = append(p.starts, start+chain)
	}
	return p
}

// chains calls each for the parts of chains in slots [lo, hi) of the suffix array: the number of the chain, the slots,
// and the suffix of the first of them. That of the next is a period before it.
func (p *periodic[P]) chains(lo, hi int, each func(k, from, to, suffix int)) {
	for k := sort.SearchInts(p.starts, lo+1) - 1; lo < hi; k++ {
		to := min(hi, p.starts[k+1])
		each(k, lo, to, p.tail[k]-(lo-p.starts[k])*p.period)
		lo = to
	}
}

// descend fills memory with suffixes, each a period before the last one.
func descend[P uint32 | uint64](to []P, first, period int) {
	value, by := P(first), P(period)
	for i := range to {
		to[i] = value
		value -= by
	}
}

// block puts slots [first, first+length) into a block, by a processor for each `least`.
func (p *periodic[P]) block(b *hostBlock[P], first, length, least int) Block[P] {
	of := Block[P]{First: first, Len: length, LCPFirst: first}
	parallel.Do(length, least, func(lo, hi int) {
		p.chains(first+lo, first+hi, func(k, from, to, suffix int) {
			if b.positions != nil {
				descend(b.positions[from-first:to-first], suffix, p.period)
			}
			if b.lcp != nil {
				lcp := b.lcp[from-first : to-first]
				descend(lcp, len(p.text)-suffix-p.period, -p.period)
				if from == p.starts[k] {
					lcp[0] = P(p.shared[k])
				}
			}
			if b.transform != nil {
				transform := b.transform[from-first+1 : to-first+1]
				for i := range transform {
					if suffix > 0 {
						transform[i] = p.text[suffix-1]
					}
					suffix -= p.period
				}
			}
		})
	})
	switch {
	case b.packed != nil:
		of.Packed, of.Entries = b.packed[:b.entries.Bytes(length)], length
		if b.entries == FiveBytes {
			entries.Encode(of.Packed, PackedBytes, b.positions[:length])
		} else {
			parallel.Do(length/entries.Group+1, least/entries.Group, func(lo, hi int) {
				lo, hi = entries.Group*lo, min(entries.Group*hi, length)
				pack(b.entries, of.Packed[b.entries.Bytes(lo):b.entries.Bytes(hi)], b.positions[lo:hi])
			})
		}
	case b.positions != nil:
		of.Positions = b.positions[:length]
	}
	if b.lcp != nil {
		of.LCP = b.lcp[:length]
	}
	if b.transform != nil {
		of.Transform = b.transform[:length+1]
		whole := p.primary - 1 - first // negative after the whole text
		slot := whole
		if whole >= length {
			slot = -1
		}
		of.cut(slot, whole >= 0, p.text[len(p.text)-1])
	}
	return of
}

// run hands out all blocks, in order, or as they come.
func (p *periodic[P]) run(ctx context.Context, o Options, job Job[P]) (State, error) {
	n, length, least, workers := len(p.text), min(blockLen, len(p.text)), 1<<16, 1
	if job.Anywhere { // each processor has a block of its own
		length = min(cachedLen, n)
		least, workers = length, min(blocksAtOnce*blockLen/cachedLen, runtime.GOMAXPROCS(0))
	}
	var mu sync.Mutex
	var next atomic.Int64
	handed := 0
	tell := func(more int) {
		mu.Lock()
		defer mu.Unlock()
		if handed += more; job.Progress != nil {
			job.Progress(phaseRanges, int64(handed), int64(n))
		}
	}
	tell(0)
	group, ctx := errgroup.WithContext(ctx)
	for range workers {
		group.Go(func() error {
			b := pageable[P](length, o)
			for {
				first := int(next.Add(1)-1) * length
				if first >= n {
					return nil
				}
				if err := context.Cause(ctx); err != nil {
					return err
				}
				block := p.block(&b, first, min(length, n-first), least)
				if err := job.Yield(block); err != nil {
					return err
				}
				tell(block.Len)
			}
		})
	}
	if err := group.Wait(); err != nil {
		return job.From, err
	}
	state := State{Done: 1, First: n, Primary: p.primary}
	if job.Saved != nil {
		return state, job.Saved(state)
	}
	return state, nil
}

// pageable is memory for a block, that is not page-locked; with positions before they are packed, too.
func pageable[P uint32 | uint64](n int, o Options) (b hostBlock[P]) {
	bytes := n*int(entryBytes[P](o)) + int(wide[P]()) + 4*pinnedUnit
	b = newHostBlock[P](&pinned{make([]byte, bytes)}, n, o)
	if b.packed != nil {
		b.positions, b.entries = make([]P, n), o.Packed
	}
	return b
}
