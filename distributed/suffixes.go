package distributed

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"
	"sort"

	"github.com/suffixcl/suffixcl/device"
)

// firstOverlap is how many characters after its own a rank sorts with them at first.
var firstOverlap = 1 << 12

// bySuffixes sorts the suffixes of each block on its device, and merges the lists of all ranks by comparing suffixes.
// It returns false where suffixes agree in too many characters for that.
func (r *rank) bySuffixes(text []byte, sa []uint64) (bool, error) {
	if r.n < widePositions {
		return sortAndMerge[uint32](r, text, sa)
	}
	return sortAndMerge[uint64](r, text, sa)
}

func sortAndMerge[P position](r *rank, text []byte, sa []uint64) (bool, error) {
	r.report("sort", 0, int64(r.n))
	list, err := r.sortBlock(text)
	if err != nil || list == nil && r.n > 0 {
		return false, err
	}
	r.report("exchange", 0, int64(r.n))
	order := suffixes[P]{text: text}
	cuts, err := r.splitSuffixes(list, order.compare)
	if err != nil {
		return false, err
	}
	got, runs, err := exchangedIn(r, list, cuts, halves(sa))
	if err != nil {
		return false, err
	}
	r.stats.Share = max(r.stats.Share, len(got))
	r.report("merge", 0, int64(r.n))
	list = nil
	r.drop()
	merged, err := mergedSuffixes(r, order, got, runs)
	if err != nil || merged == nil {
		return false, err
	}
	r.report("deliver", int64(r.n), int64(r.n))
	return true, spread(r, merged, sa)
}

// sortBlock returns the order of the suffixes of the block, as offsets in it; nil on all ranks where a block is too
// repetitive.
func (r *rank) sortBlock(text []byte) ([]uint32, error) {
	from, to := Bounds(r.n, r.comm.Size(), r.comm.Rank())
	list, err := timed(r, func() ([]uint32, error) { return r.sortRange(text, from, to) })
	if err := r.agreed(err); err != nil {
		return nil, err
	}
	missing := uint64(0)
	if list == nil {
		missing = 1
	}
	all, err := gathered(r, missing)
	if err != nil || slices.Max(all) > 0 {
		return nil, err
	}
	return list, nil
}

// sortRange returns the order of the suffixes at positions [from, to), as offsets from the first. They are sorted with
// so many characters after them that the order is that of the whole text. Nil where that takes too many.
func (r *rank) sortRange(text []byte, from, to uint64) ([]uint32, error) {
	length := int(to - from)
	if length == 0 {
		return []uint32{}, nil
	}
	for overlap := firstOverlap; ; overlap *= 16 {
		end := min(r.n, to+uint64(overlap))
		if overlap > firstOverlap && end < r.n && overlap > length/4 {
			return nil, nil
		}
		part := text[from:end]
		if p, err := planArray(r.session, len(part)); overlap > firstOverlap && err == nil &&
			(device.MemoryPlan{p.memory()}).Fits(r.session) != nil {
			return nil, nil
		}
		sa, err := r.sortOnDevice(part)
		if err != nil {
			return nil, err
		}
		if end == r.n || endsOnce(part, sa, length) {
			return ofBlock(sa, length), nil
		}
	}
}

// endsOnce tells whether what follows the first characters of a text, of so many, occurs nowhere before. Then no suffix
// of these is a prefix of another one, and their order is the same whatever follows.
func endsOnce(text []byte, sa []uint32, length int) bool {
	next := slices.Index(sa, uint32(length)) + 1
	return next == len(sa) || !bytes.HasPrefix(text[sa[next]:], text[length:])
}

// ofBlock are the entries that are less than length.
func ofBlock(sa []uint32, length int) []uint32 {
	if len(sa) == length {
		return sa
	}
	return slices.DeleteFunc(sa, func(i uint32) bool { return i >= uint32(length) })
}

// sortOnDevice returns the suffix array of a text, by the best sorter of the device: 4 bytes a character here, and on
// the device what a sort takes.
func (r *rank) sortOnDevice(text []byte) ([]uint32, error) {
	if len(text) == 0 {
		return []uint32{}, nil
	}
	a, err := newArray(r.session, len(text))
	if err != nil {
		return nil, err
	}
	defer a.release()
	return a.sorted(r.ctx, text)
}

// splitSamples is the number of samples for each pair of ranks: a share is at most 1/64 larger than even.
const splitSamples = 64

// splitSuffixes returns how many of the sorted suffixes of the block go to each rank. Splitters are suffixes, which all
// differ.
func (r *rank) splitSuffixes(list []uint32, compare func(x, y uint64) int) ([]int, error) {
	return splitTogether(r, len(list), func(i int) uint64 { return r.first + uint64(list[i]) }, compare)
}

// splitTogether returns how many of n sorted items go to each rank; equal ones go to the same. Splitters come from
// regular samples.
func splitTogether[T any](r *rank, n int, item func(i int) T, compare func(x, y T) int) ([]int, error) {
	p := r.comm.Size()
	step := max(1, n/(p*splitSamples))
	var mine []T
	for i := step / 2; i < n && p > 1; i += step {
		mine = append(mine, item(i))
	}
	counts, err := r.counts(len(mine))
	if err != nil {
		return nil, err
	}
	all, err := gatheredv(r, mine, counts)
	if err != nil {
		return nil, err
	}
	slices.SortFunc(all, compare)
	cuts, from := make([]int, p), 0
	for q := range p {
		to := n
		if q < p-1 && len(all) > 0 {
			splitter := all[(q+1)*len(all)/p]
			to = sort.Search(n, func(i int) bool { return compare(item(i), splitter) >= 0 })
		}
		cuts[q] = to - from
		from = to
	}
	return cuts, nil
}

// spread gives each rank its block of an array of which each has consecutive entries, the first ones rank 0.
func spread[P position](r *rank, part []P, sa []uint64) error {
	counts, err := r.counts(len(part))
	if err != nil {
		return err
	}
	p, me := r.comm.Size(), r.comm.Rank()
	from := uint64(sum(counts[:me]))
	to := from + uint64(len(part))
	out := make([]int, p)
	for q := range p {
		first, end := Bounds(r.n, p, q)
		if lo, hi := max(first, from), min(end, to); lo < hi {
			out[q] = int(hi - lo)
		}
	}
	got, _, err := exchanged(r, part, out)
	if err == nil && len(got) != len(sa) {
		err = fmt.Errorf("distributed: a device of the ranks computes wrong: %d of %d entries", len(got), len(sa))
	}
	if err := r.agreed(err); err != nil {
		return err
	}
	widen(sa, got)
	return nil
}

// sampledHashes are at most so many of a rank.
const sampledHashes = 1 << 12

// repeatLength is the length of what is looked for twice.
const repeatLength = 256

// repetitive tells whether more than a fifth of the text occurs more than once, by 256 characters: from a sample of
// positions that depends on the characters there, so that all places of a repeat are sampled.
func (r *rank) repetitive(text []byte, length int) (bool, error) {
	end := min(int(r.first)+length, len(text)-repeatLength)
	var mine []uint64
	if size := end - int(r.first); size > 0 {
		rare := uint64(max(1, r.n/uint64(sampledHashes*r.comm.Size())))
		limit := ^uint64(0) / rare
		var h uint64
		for i := int(r.first); i < end && len(mine) < 2*sampledHashes; i++ {
			if h = h<<8 | uint64(text[i+7]); (h*mixer)^(h*mixer)>>32 <= limit && i >= int(r.first)+8 {
				mine = append(mine, hashOf(text[i:i+repeatLength]))
			}
		}
	}
	counts, err := r.counts(len(mine))
	if err != nil {
		return false, err
	}
	all, err := gatheredv(r, mine, counts)
	if err != nil {
		return false, err
	}
	slices.SortFunc(all, cmp.Compare[uint64])
	once := 0
	for i, h := range all {
		if (i == 0 || all[i-1] != h) && (i == len(all)-1 || all[i+1] != h) {
			once++
		}
	}
	return once < len(all)*4/5 || len(all) < int(min(sampledHashes, r.n/repeatLength)/16), nil
}

const mixer = 0x9e3779b97f4a7c15

func hashOf(b []byte) uint64 {
	h := uint64(len(b))
	for _, c := range b {
		h = (h ^ uint64(c)) * mixer
		h ^= h >> 29
	}
	return h
}
