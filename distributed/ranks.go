package distributed

import (
	"fmt"
	"slices"
	"time"

	"github.com/suffixcl/suffixcl/internal/cltype"
	"github.com/suffixcl/suffixcl/internal/parallel"
)

// byRanks sorts a text of which every node has all: the samples of a difference cover first, by names and a recursion,
// then the suffixes of each block on its device, and merges the lists by 31 characters and the ranks of samples. So no
// text takes more than linear work.
func (r *rank) byRanks(text []byte, sa []uint64) error {
	if r.n < widePositions {
		return sortByRanks[uint32](r, text, sa)
	}
	return sortByRanks[uint64](r, text, sa)
}

func sortByRanks[P position](r *rank, text []byte, sa []uint64) error {
	r.report("sort", 0, int64(r.n))
	b, err := r.nameBlock(text)
	if err := r.agreed(err); err != nil {
		return err
	}
	r.report("names", 0, int64(r.n))
	memory, ranks, err := sampleRanks[P](r, text, b)
	if err != nil {
		return err
	}
	defer memory.Free()
	order := suffixes[P]{text, ranks}
	list := b.list
	if !b.exact {
		r.report("sort again", 0, int64(r.n))
		list, err = timed(r, func() ([]uint32, error) { return sortBeforeEnd(r, order) })
	}
	if err := r.agreed(err); err != nil {
		return err
	}
	r.report("exchange", 0, int64(r.n))
	r.drop()
	cuts, err := r.splitSuffixes(list, order.compare)
	if err != nil {
		return err
	}
	got, runs, err := exchangedIn(r, list, cuts, halves(sa))
	if err != nil {
		return err
	}
	r.stats.Share = max(r.stats.Share, len(got))
	r.report("merge", 0, int64(r.n))
	list, b.list = nil, nil
	r.drop()
	merged, err := mergedSuffixes(r, order, got, runs)
	if err != nil {
		return err
	}
	if merged == nil { // 4 steps are enough for any two suffixes
		return fmt.Errorf("distributed: rank %d did not end a merge", r.comm.Rank())
	}
	r.report("deliver", int64(r.n), int64(r.n))
	return spread(r, merged, sa)
}

// named is a block with names for its samples.
type named struct {
	list     []uint32 // the order of its suffixes
	exact    bool     // whether list is that of the whole text
	names    []uint32 // of the samples
	distinct []uint32 // an offset with each name
}

// nameBlock sorts the block with some characters after it, and names its samples.
func (r *rank) nameBlock(text []byte) (*named, error) {
	from, to := Bounds(r.n, r.comm.Size(), r.comm.Rank())
	length := int(to - from)
	if length == 0 {
		return &named{exact: true}, nil
	}
	defer r.sorts(time.Now())
	part := text[from:min(r.n, to+uint64(max(firstOverlap, period+1)))]
	a, err := newArray(r.session, len(part))
	if err != nil {
		return nil, err
	}
	defer a.release()
	if err := a.text.Upload(r.ctx, part, nil); err != nil {
		return nil, err
	}
	if err := a.sort(r.ctx); err != nil {
		return nil, err
	}
	b := new(named)
	m := newNamer(r.session, len(part), int(sampleNumber(to)-sampleNumber(from)))
	if b.names, b.distinct, err = m.run(r, a, length, from); err != nil {
		return nil, err
	}
	list := make([]uint32, len(part))
	if err := a.sa.Download(r.ctx, list, nil); err != nil {
		return nil, err
	}
	if b.exact = from+uint64(len(part)) == r.n || endsOnce(part, list, length); b.exact {
		b.list = ofBlock(list, length)
	}
	return b, nil
}

// sampleRanks returns the ranks of all samples among themselves, by their number, in memory of the node that has to be
// freed.
func sampleRanks[P position](r *rank, text []byte, b *named) (Memory, []P, error) {
	places := make([]P, len(b.distinct))
	for i, d := range b.distinct {
		places[i] = P(r.first) + P(d)
	}
	b.distinct = nil
	names, total, err := globalNames(r, text, places)
	if err != nil {
		return nil, nil, err
	}
	ranks := make([]P, len(b.names))
	for i, v := range b.names {
		ranks[i] = names[v]
	}
	b.names = nil
	if samples := sampleNumber(r.n); total < samples {
		r.report("recursion", 0, int64(r.n))
		names = nil
		r.drop()
		ranks, err = recursion(r, ranks, samples, len(b.list))
		if err != nil {
			return nil, nil, err
		}
	}
	r.report("ranks", 0, int64(r.n))
	return replicate(r, ranks, sampleNumber)
}

// gathers is cleared by tests.
var gathers = true

// recursion returns the ranks of the samples of this block, of which it has the names. Names of all samples are
// gathered on rank 0 and sorted there, where its device and blockBytes allow it; else they are sorted by doubling.
// The rank holds a list of so many suffixes, too.
func recursion[P position](r *rank, names []P, samples uint64, held int) ([]P, error) {
	var fits uint64
	if r.comm.Rank() == 0 && gathers && samples < 1<<32-period {
		host := 4*uint64(held) + uint64(cltype.Size[P]())*uint64(len(names)) + gatheredNames[P](samples)
		if p, err := planSymbols[uint32](r.session, int(samples)); err == nil && r.affords(p.memory(), host) {
			fits = 1
		}
	}
	all, err := gathered(r, fits)
	if err != nil {
		return nil, err
	}
	if all[0] == 0 {
		return doubled(r, names, samples)
	}
	p, counts := r.comm.Size(), make([]int, r.comm.Size())
	counts[0] = len(names)
	list, _, err := exchanged(r, names, counts)
	if err != nil {
		return nil, err
	}
	clear(counts)
	if r.comm.Rank() == 0 {
		list, err = timed(r, func() ([]P, error) { return sortNames(r, list) })
		r.stats.Share = max(r.stats.Share, len(list))
		for q := range p {
			from, to := Bounds(r.n, p, q)
			counts[q] = int(sampleNumber(to) - sampleNumber(from))
		}
	}
	if err := r.agreed(err); err != nil {
		return nil, err
	}
	ranks, _, err := exchanged(r, list, counts)
	return ranks, err
}

// gatheredNames is the host memory of rank 0 for the recursion: names, and text and suffix array of symbols.
func gatheredNames[P position](samples uint64) uint64 { return uint64(cltype.Size[P]()+8) * samples }

// classOrder has the samples class after class: the text of the recursion, in which the sample after one is 31
// positions further on.
type classOrder struct{ starts [classes + 1]uint64 }

func newClassOrder(n uint64) (o classOrder) {
	for c, size := range classSizes(n) {
		o.starts[c+1] = o.starts[c] + size
	}
	return o
}

// index is the index of sample i.
func (o *classOrder) index(i uint64) uint64 { return o.starts[i%classes] + i/classes }

// sortNames returns the ranks of all samples, of whose names it is given the list.
func sortNames[P position](r *rank, names []P) ([]P, error) {
	n, o := len(names), newClassOrder(r.n)
	list := make([]uint32, n)
	parallel.Do(n, 1<<14, func(lo, hi int) {
		for i := lo; i < hi; i++ {
			list[o.index(uint64(i))] = uint32(names[i])
		}
	})
	list, err := sortSymbols(r, list)
	if err != nil {
		return nil, err
	}
	parallel.Do(n, 1<<14, func(lo, hi int) {
		for j, i := range list[lo:hi] {
			c, _ := slices.BinarySearch(o.starts[1:], uint64(i)+1)
			names[(uint64(i)-o.starts[c])*classes+uint64(c)] = P(lo + j)
		}
	})
	return names, nil
}

// doubled is the recursion by prefix doubling over all ranks.
func doubled[P position](r *rank, names []P, samples uint64) ([]P, error) {
	o, first := newClassOrder(r.n), sampleNumber(r.first)
	of := *r
	of.n = samples
	var end uint64
	of.first, end = Bounds(samples, r.comm.Size(), r.comm.Rank())
	list := make([]record[P], len(names))
	for i, v := range names {
		list[i] = record[P]{Lo: v, Pos: P(o.index(first + uint64(i)))}
	}
	list, err := sampleSort(&of, list, recordSorter[P](&of), compareRecords)
	if err != nil {
		return nil, err
	}
	tied, err := regroup(&of, list)
	if err != nil {
		return nil, err
	}
	open, made := separate(list, tied)
	list = nil
	isa := make([]P, end-of.first)
	if err := note(&of, isa, made); err != nil {
		return nil, err
	}
	made = nil
	if err := double(&of, open, isa, 1); err != nil {
		return nil, err
	}
	places := make([]uint64, len(names))
	for i := range places {
		places[i] = o.index(first + uint64(i))
	}
	return fetched(&of, places, isa)
}

// sortBeforeEnd returns the order of the suffixes of the block, each with all that follows it. A block is sorted as a
// text of its own in which the last character c, and each c after which a larger suffix follows than the one after the
// block, is a larger character than other c (Kärkkäinen, Kempa & Puglisi, Parallel external memory suffix sorting, CPM
// 2015). So suffixes that agree up to the end of the block are told apart there.
func sortBeforeEnd[P position](r *rank, order suffixes[P]) ([]uint32, error) {
	from, to := Bounds(r.n, r.comm.Size(), r.comm.Rank())
	block := order.text[from:to]
	if len(block) == 0 {
		return []uint32{}, nil
	}
	var seen [256]bool
	for _, c := range block {
		seen[c] = true
	}
	last := block[len(block)-1]
	var code [256]uint16
	next := uint16(0)
	for c := range code {
		code[c] = next
		if seen[c] {
			next++
		}
		if c == int(last) {
			next++
		}
	}
	coded := func(i int) uint16 {
		v := code[block[i]]
		if block[i] == last && (i == len(block)-1 || order.compare(from+uint64(i)+1, to) > 0) {
			v++
		}
		return v
	}
	if next <= 256 {
		text := make([]byte, len(block))
		parallel.Do(len(text), 1<<14, func(lo, hi int) {
			for i := lo; i < hi; i++ {
				text[i] = byte(coded(i))
			}
		})
		return r.sortOnDevice(text)
	}
	text := make([]uint16, len(block))
	parallel.Do(len(text), 1<<14, func(lo, hi int) {
		for i := lo; i < hi; i++ {
			text[i] = coded(i)
		}
	})
	return sortSymbols(r, text)
}

// sortSymbols returns the suffix array of a text of symbols.
func sortSymbols[T uint16 | uint32](r *rank, text []T) ([]uint32, error) {
	p, err := planSymbols[T](r.session, len(text))
	if err != nil {
		return nil, err
	}
	a, err := p.allocate(r.session)
	if err != nil {
		return nil, err
	}
	defer a.release()
	return a.sorted(r.ctx, text)
}
