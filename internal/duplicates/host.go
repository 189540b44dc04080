package duplicates

import (
	"bytes"
	"hash/maphash"
)

// class is a kind of window.
type class struct {
	first, last uint64 // occurrences
	count       uint64
	next        int // of another kind with the same hash, or -1
}

// settleOnHost settles the windows of items for which the device has no room, in the order of the text. Most of them
// have one key, as those of gigabytes of zeros. So there are few kinds of windows.
func (x *streamedRun) settleOnHost(items []uint64) error {
	width, bytesOf := uint64(x.o.SymbolBytes), uint64(x.o.Length*x.o.SymbolBytes)
	window := func(p uint64) []byte { return x.text[p*width : p*width+bytesOf] }
	seed := maphash.MakeSeed()
	heads := make(map[uint64]int)
	var classes []class
	kinds := make([]uint32, 0, len(items)) // of windows
	each := func(f func(p uint64)) error {
		for i, item := range items {
			if i%(1<<16) == 0 {
				x.progress(phaseContexts, int64(i), int64(len(items)))
				if err := x.s.Check(x.ctx); err != nil {
					return err
				}
			}
			first := item >> itemShift
			for p := first; p <= first+item&(1<<placeBits-1); p++ {
				f(p)
			}
		}
		return nil
	}
	err := each(func(p uint64) {
		w := window(p)
		h := maphash.Bytes(seed, w)
		kind, some := heads[h]
		for ; some && !bytes.Equal(window(classes[kind].first), w); kind = classes[kind].next {
			if classes[kind].next < 0 {
				some = false
				break
			}
		}
		if !some {
			next := -1
			if head, ok := heads[h]; ok {
				next = head
			}
			kind = len(classes)
			classes = append(classes, class{first: p, next: next})
			heads[h] = kind
		}
		classes[kind].count++
		classes[kind].last = p
		kinds = append(kinds, uint32(kind))
	})
	if err != nil {
		return err
	}
	other := uint64(x.o.Other)
	wanted := func(c *class) bool {
		return c.count >= uint64(x.o.MinCount) && (other == 0 || c.first < other && c.last >= other)
	}
	at := 0
	err = each(func(p uint64) {
		c := &classes[kinds[at]]
		at++
		switch {
		case !wanted(c), other > 0 && !x.o.Both && p >= other, other == 0 && x.o.KeepFirst && p == c.first:
			return
		}
		if k := len(x.out) - 1; k >= 0 && x.out[k].last+1 == p {
			x.out[k].last = p
			return
		}
		x.out = append(x.out, span{p, p})
	})
	if err != nil || x.o.Frequent == 0 {
		return err
	}
	for i := range classes {
		if c := &classes[i]; wanted(c) {
			x.result.Frequent = append(x.result.Frequent, Passage{Range{c.first, c.first + uint64(x.o.Length)}, c.count})
		}
	}
	return nil
}
