package ranges

import (
	"context"
	"slices"

	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/internal/intmath"
	"github.com/suffixcl/suffixcl/radixsort"
	"github.com/suffixcl/suffixcl/segsort"
)

// list is what is being sorted.
type list[P uint32 | uint64] struct {
	windows  radixsort.Pair[uint64]
	suffixes radixsort.Pair[P]
	slots    radixsort.Pair[uint32]
	heads    radixsort.Pair[uint32]
	allHeads *device.Buffer[uint32] // nil where nobody asks
	sa       *device.Buffer[P]
	of       interval               // which they are in
	key      key                    // they are sorted by first
	short    *device.Buffer[uint32] // short keys, which they have just been sorted by instead; else nil

	packed    *device.Buffer[uint32] // nil where nobody asks
	transform *device.Buffer[uint8]  // the same
	lcp       *device.Buffer[P]      // the same
}

func buffers[T uint32 | uint64](s *device.Session, slots [2]*device.Slot[T]) radixsort.Pair[T] {
	return radixsort.Pair[T]{Cur: slots[0].Buffer(s), Alt: slots[1].Buffer(s)}
}

// list is an empty list whose result goes to the array of that number.
func (r *run[P]) list(result int) *list[P] {
	s, l := r.session, &r.memory.lists
	of := &list[P]{
		windows: buffers(s, l.windows), suffixes: buffers(s, l.suffixes), slots: buffers(s, l.slots),
		heads: buffers(s, l.heads), sa: l.sa[result].Buffer(s),
	}
	if l.packed[result] != nil {
		of.packed = l.packed[result].Buffer(s)
	}
	if l.transform[result] != nil {
		of.transform = l.transform[result].Buffer(s)
	}
	if l.lcp[result] != nil {
		of.lcp = l.lcp[result].Buffer(s)
	}
	return of
}

// each calls sorted for the intervals, in their order, with the sorted suffixes of each; and class for those of what
// agrees with a suffix. last tells that no interval is left. counted, if not nil, is told how many suffixes the first
// interval has.
func (r *run[P]) each(ctx context.Context, intervals []interval, counted func(suffixes int) error,
	sorted func(l *list[P], m int, of interval, last bool) error,
	class func(suffix int) error) error {
	slices.Reverse(intervals) // the next one is the last
	for len(intervals) > 0 {
		next := intervals[len(intervals)-1]
		intervals = intervals[:len(intervals)-1]
		if next.isClass() {
			if err := class(next.low.suffix); err != nil {
				return err
			}
			continue
		}
		if err := r.session.Check(ctx); err != nil {
			return err
		}
		l := r.list(r.turn % 2)
		l.of = next
		m, err := r.collect(next, l.suffixes.Cur)
		if err == nil && counted != nil {
			err = counted(m)
			counted = nil
		}
		switch {
		case err != nil:
			return err
		case m == 0:
			continue
		case m > r.memory.lists.capacity:
			parts, err := r.divide(ctx, l, next, m)
			if err != nil {
				return err
			}
			slices.Reverse(parts)
			intervals = append(intervals, parts...)
			continue
		}
		if r.ranks == nil {
			l.allHeads = r.memory.lists.allHeads.Buffer(r.session)
		}
		if err := r.sort(ctx, l, m); err != nil {
			return err
		}
		if err := sorted(l, m, next, len(intervals) == 0); err != nil {
			return err
		}
		r.turn++
	}
	return nil
}

// sort sorts the m listed suffixes into sa: to their depth, and by ranks if there are any. allHeads gets which of them
// differ from the one before, up to the depth.
func (r *run[P]) sort(ctx context.Context, l *list[P], m int) error {
	k := &r.kernels
	if l.allHeads != nil {
		l.allHeads.View(0, segsort.HeadWords(m)).Fill(0)
	}
	var slots, heads *device.Buffer[uint32]
	depth := 0
	for m > 0 && depth < r.depth && (heads == nil || !r.mergesEarly(m, depth)) {
		if err := r.session.Check(ctx); err != nil {
			return err
		}
		done, counted := 0, wholeShift
		switch {
		case heads != nil:
			r.sortNext(l, heads, m, depth)
			depth += r.shape.chars
			done, counted = depth, 64
		case r.shortens(m):
			r.sortShort(l, m)
			counted = 64
		default:
			depth = r.sortFirst(l, m)
		}
		k.split.Launch(k.tiles(m), 20*int64(m), l.windows.Cur, l.short, l.suffixes.Cur, slots, heads, uint64(m),
			l.heads.Alt, l.sa, l.allHeads)
		l.heads.Swap()
		k.small.Launch(intmath.CeilDiv(m, 2*k.pairs), 64*int64(m), r.textArgs(r.shape), r.coverArgs(), r.ranks,
			uint32(done), uint32(counted), uint32(r.depth), l.windows.Cur, l.suffixes.Cur, slots, l.heads.Cur, uint64(m),
			l.sa, l.allHeads)
		var err error
		if m, err = r.keep(l, slots, m); err != nil {
			return err
		}
		slots, heads = l.slots.Cur, l.heads.Cur
	}
	if m == 0 {
		return r.session.Check(ctx)
	}
	if r.ranks != nil {
		if err := r.merge(ctx, l, m, depth); err != nil {
			return err
		}
	}
	k.place.Launch(k.tiles(m), 12*int64(m), l.suffixes.Cur, l.slots.Cur, uint64(m), l.sa)
	return r.session.Check(ctx)
}

// sortFirst sorts the m listed suffixes by their first characters, and returns how many these are at least.
func (r *run[P]) sortFirst(l *list[P], m int) (depth int) {
	k := &r.kernels
	l.key = r.keyOf(l.of)
	key := []any{l.suffixes.Cur, uint64(m), uint32(l.key.bits), l.key.base, l.windows.Cur}
	if r.codes() {
		k.coded.Launch(intmath.CeilDiv(m, k.codedTile), 32*int64(m), r.textArgs(r.shape), r.codeArgs(), key)
	} else {
		k.keys.Launch(k.tiles(m), 32*int64(m), r.textArgs(r.shape), key)
	}
	// Shorter suffixes come first in the list. So numbers of characters need not be sorted by.
	r.primitives.radix.Run(r.ws, &l.windows, &l.suffixes, m, 0, l.key.sorted)
	return l.key.chars
}

// sortShort sorts the m listed suffixes by short keys. They agree in no characters.
func (r *run[P]) sortShort(l *list[P], m int) {
	k := &r.kernels
	key := shortKeyOf(r.ends(l.of, r.firstBits))
	keys := radixsort.Pair[uint32]{
		Cur: device.Reinterpret[uint32](l.windows.Cur), Alt: device.Reinterpret[uint32](l.windows.Alt)}
	k.shortKeys.Launch(k.tiles(m), 28*int64(m), r.textArgs(r.shape), l.suffixes.Cur, uint64(m), key.base, key.scale,
		keys.Cur)
	r.primitives.short.Run(r.ws, &keys, &l.suffixes, m, 0, shortBits)
	l.short = keys.Cur
}

// sortNext sorts the m listed suffixes, which agree in so many characters, by their next windows.
func (r *run[P]) sortNext(l *list[P], heads *device.Buffer[uint32], m, depth int) {
	k := &r.kernels
	l.short = nil
	if !r.codes() {
		k.windows.Launch(k.tiles(m), 32*int64(m), r.textArgs(r.shape), l.suffixes.Cur, uint64(m), uint32(depth),
			l.windows.Cur)
	} else {
		k.afterCoded.Launch(intmath.CeilDiv(m, k.codedTile), 64*int64(m), r.textArgs(r.shape), r.codeArgs(),
			l.suffixes.Cur, uint64(m), uint32(l.key.bits), uint32(depth-l.key.chars), l.windows.Cur)
	}
	r.primitives.segments.Run(r.ws, &l.windows, &l.suffixes, heads, m)
}

// keep leaves those of m suffixes that are in large groups, and returns how many these are.
func (r *run[P]) keep(l *list[P], slots *device.Buffer[uint32], m int) (int, error) {
	kept := r.memory.kept.Buffer(r.session)
	l.heads.Alt.View(0, segsort.HeadWords(m)).Fill(0)
	r.primitives.keep.Run(r.ws, m, 16, kept, l.heads.Cur, uint64(m), uint32(mostSmall),
		l.suffixes.Cur, slots, l.suffixes.Alt, l.slots.Alt, l.heads.Alt)
	l.suffixes.Swap()
	l.slots.Swap()
	l.heads.Swap()
	var count [1]uint64
	err := kept.Read(count[:])
	return int(count[0]), err
}
