package distributed

import (
	"bytes"
	"cmp"
	"slices"
	"sort"

	"github.com/suffixcl/suffixcl"
	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/internal/limits"
)

// position of a suffix: 32 bits where the text is shorter than 2^32.
type position interface{ uint32 | uint64 }

// widePositions is the length from which positions have 64 bits.
var widePositions uint64 = 1 << 32

// firstOverlap is how many characters after its own a rank sorts with them at first.
var firstOverlap = 1 << 12

// bySuffixes sorts the suffixes of each block on its device, and merges the lists of all ranks by comparing suffixes.
// It returns nil where suffixes agree in too many characters for that.
func (r *rank) bySuffixes(text []byte) ([]uint64, error) {
	if r.n < widePositions {
		return sortAndMerge[uint32](r, text)
	}
	return sortAndMerge[uint64](r, text)
}

func sortAndMerge[P position](r *rank, text []byte) ([]uint64, error) {
	r.report("sort", 0, int64(r.n))
	list, err := r.sortBlock(text)
	if err != nil || list == nil && r.n > 0 {
		return nil, err
	}
	r.report("exchange", 0, int64(r.n))
	cuts, err := r.splitSuffixes(text, list)
	if err != nil {
		return nil, err
	}
	got, runs, err := exchanged(r, list, cuts)
	if err != nil {
		return nil, err
	}
	r.stats.Share = max(r.stats.Share, len(got))
	r.report("merge", 0, int64(r.n))
	merged, err := mergedSuffixes[P](r, text, got, runs)
	if err != nil || merged == nil {
		return nil, err
	}
	return spread(r, merged)
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
// so many characters after them that the order is that of the whole text. This is so if the characters after the range
// occur nowhere in it: no suffix of what is sorted is a prefix of another one, then. Nil where that takes too many.
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
		sa, err := r.sortOnDevice(part)
		if err != nil {
			return nil, err
		}
		if end < r.n {
			next := slices.Index(sa, uint32(length)) + 1
			if next < len(sa) && bytes.HasPrefix(part[sa[next]:], part[length:]) {
				continue
			}
		}
		return slices.DeleteFunc(sa, func(i uint32) bool { return i >= uint32(length) }), nil
	}
}

// sortOnDevice returns the suffix array of a text, by the best sorter of the device: 4 bytes a character here, and on
// the device what a sort takes.
func (r *rank) sortOnDevice(text []byte) ([]uint32, error) {
	n, s := len(text), r.session
	if err := limits.CheckLen("block of a rank", n, limits.MaxLen); err != nil || n == 0 {
		return []uint32{}, err
	}
	l, characters, array := blockLayout(n)
	if err := l.Allocate(s); err != nil {
		return nil, err
	}
	defer l.Release(s)
	if err := characters.Buffer(s).Upload(r.ctx, text, nil); err != nil {
		return nil, err
	}
	sorter, _, err := suffixcl.NewSorter(s, suffixcl.AlgorithmAuto, n)
	if err != nil {
		return nil, err
	}
	if err := (device.MemoryPlan{sorter.Memory()}).Fits(s); err != nil {
		return nil, err
	}
	defer sorter.Release()
	if err := sorter.Allocate(); err != nil {
		return nil, err
	}
	if err := sorter.Run(r.ctx, characters.Buffer(s), array.Buffer(s), func(string, int64, int64) {}); err != nil {
		return nil, err
	}
	if err := s.Check(r.ctx); err != nil {
		return nil, err
	}
	sorter.Release()
	sa := make([]uint32, n)
	return sa, array.Buffer(s).Download(r.ctx, sa, nil)
}

// blockLayout has a text and its suffix array.
func blockLayout(n int) (*device.Layout, *device.Slot[uint8], *device.Slot[uint32]) {
	l := device.NewLayout("block")
	return l, device.Reserve[uint8](l, "text", n), device.Reserve[uint32](l, "suffix array", n)
}

// suffixSamples is the number of samples for each pair of ranks: a share is at most 1/64 larger than even.
const suffixSamples = 64

// splitSuffixes returns how many of the sorted suffixes of the block go to each rank. Splitters are suffixes, which all
// differ, from regular samples.
func (r *rank) splitSuffixes(text []byte, list []uint32) ([]int, error) {
	p := r.comm.Size()
	step := max(1, len(list)/(p*suffixSamples))
	var mine []uint64
	for i := step / 2; i < len(list) && p > 1; i += step {
		mine = append(mine, r.first+uint64(list[i]))
	}
	counts, err := r.counts(len(mine))
	if err != nil {
		return nil, err
	}
	all, err := gatheredv(r, mine, counts)
	if err != nil {
		return nil, err
	}
	slices.SortFunc(all, func(a, b uint64) int { return bytes.Compare(text[a:], text[b:]) })
	cuts, from := make([]int, p), 0
	for q := range p {
		to := len(list)
		if q < p-1 && len(all) > 0 {
			splitter := text[all[(q+1)*len(all)/p]:]
			to = sort.Search(len(list), func(i int) bool {
				return bytes.Compare(text[r.first+uint64(list[i]):], splitter) >= 0
			})
		}
		cuts[q] = to - from
		from = to
	}
	return cuts, nil
}

// counts are those that the ranks give.
func (r *rank) counts(mine int) ([]int, error) {
	all, err := gathered(r, uint64(mine))
	if err != nil {
		return nil, err
	}
	counts := make([]int, len(all))
	for q, n := range all {
		counts[q] = int(n)
	}
	return counts, nil
}

// spread gives each rank its block of an array of which each has consecutive entries, the first ones rank 0.
func spread[P position](r *rank, part []P) ([]uint64, error) {
	counts, err := r.counts(len(part))
	if err != nil {
		return nil, err
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
	if err != nil {
		return nil, err
	}
	sa := make([]uint64, len(got))
	for i, v := range got {
		sa[i] = uint64(v)
	}
	return sa, nil
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
