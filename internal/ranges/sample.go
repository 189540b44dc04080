package ranges

import (
	"context"

	"github.com/suffixcl/suffixcl/device"
)

// rankSample makes the ranks of the sample. The text is on the device afterwards, and memory to sort ranges.
func (r *run[P]) rankSample(ctx context.Context) error {
	m, s := r.memory, r.session
	if err := r.begin(ctx, phaseText); err != nil {
		return err
	}
	if err := r.loadText(ctx); err != nil {
		return err
	}
	if err := r.begin(ctx, phaseSample); err != nil {
		return err
	}
	if err := r.chooseCode(); err != nil {
		return err
	}
	distinct, unique, err := r.nameSample(ctx)
	if err == nil && r.dense != nil && r.repeats(distinct) {
		if err = r.changeSample(); err == nil {
			distinct, unique, err = r.nameSample(ctx)
		}
	}
	if err != nil {
		return err
	}
	if err := r.begin(ctx, phaseNames); err != nil {
		return err
	}
	if !r.keepsList {
		m.sorting.Release(s)
	}
	if !r.keepsText {
		m.coded.Release(s)
	}
	if unique {
		err = r.rankUnique(ctx)
	} else {
		err = r.sortNames(ctx, distinct)
	}
	if err != nil {
		return err
	}
	if !r.keepsText {
		if err := m.coded.Allocate(s); err != nil {
			return err
		}
		if err := r.reload(ctx); err != nil {
			return err
		}
	}
	if !r.keepsList {
		if err := m.sorting.Allocate(s); err != nil {
			return err
		}
		r.ws = m.ws.Workspace(s)
	}
	return s.Check(ctx)
}

// changeSample has the sample of the smaller period instead, and no alphabetic code: what ties then ties in longer
// windows, too, and those after one of the code take twice as long to fetch.
func (r *run[P]) changeSample() error {
	r.sampling.release(r.session)
	r.sampling, r.code = r.dense, nil
	if err := r.words[0].Allocate(r.session); err != nil {
		return err
	}
	return r.writeCover()
}

// writeCover has the difference cover on the device.
func (r *run[P]) writeCover() error {
	table := r.cover.table()
	return r.memory.cover.Buffer(r.session).View(0, len(table)).Write(table)
}

// nameSample names the samples by their order up to the depth, from 1 on: equal ones have the same name. names has the
// text of names, class after class. It returns how many names there are at most, and whether all differ.
func (r *run[P]) nameSample(ctx context.Context) (distinct int, unique bool, err error) {
	samples := r.samples
	r.from = elements[P]{kind: ofSample, count: samples}
	bounds, err := r.split(ctx, samples, equal(rangesFor(samples, r.memory.lists.capacity)), r.cover.position)
	if err != nil {
		return 0, false, err
	}
	var intervals []interval
	var low bound
	for _, suffix := range bounds {
		high := r.boundAt(suffix, notLess)
		intervals = append(intervals, interval{low, high})
		low = high
	}
	intervals = append(intervals, interval{low: low})
	names, counts := r.sample[0].Buffer(r.session), r.memory.counts.Buffer(r.session)
	classes := 0 // some of which may be the same: bounds are sorted by more characters than the depth
	err = r.each(ctx, intervals, nil, func(l *list[P], m int, _ interval, _ bool) error {
		at := r.counter()
		r.primitives.names.Run(r.ws, m, 16, l.allHeads, uint64(m), l.sa, r.coverArgs(), uint64(samples), uint32(distinct),
			names, counts, uint32(at))
		more, err := r.count(at)
		distinct += more
		return err
	}, func(suffix int) error {
		classes++
		distinct++
		k := &r.kernels
		k.equal.Launch(k.tiles(samples), 8*int64(samples), r.textArgs(r.shape), r.coverArgs(), uint32(r.depth),
			uint64(suffix),
			uint64(samples), uint32(distinct), names)
		return r.session.Check(ctx)
	})
	return distinct, distinct == samples && classes == 0, err
}

// rankUnique makes ranks of names that differ.
func (r *run[P]) rankUnique(ctx context.Context) error {
	s, k, samples := r.session, &r.kernels, r.samples
	if err := r.words[1].Allocate(s); err != nil {
		return err
	}
	r.ranks = r.sample[1].Buffer(s)
	k.ranks.Launch(k.tiles(samples), 8*int64(samples), r.coverArgs(), uint64(samples), r.sample[0].Buffer(s),
		(*device.Buffer[uint32])(nil), r.ranks)
	if err := s.Finish(); err != nil {
		return err
	}
	r.words[0].Release(s)
	return r.shareNothing(ctx)
}

// sortNames sorts the suffixes of the text of names, which is their order in the text, and makes ranks of it.
func (r *run[P]) sortNames(ctx context.Context, distinct int) error {
	s, k, samples := r.session, &r.kernels, r.samples
	if err := r.words[1].Allocate(s); err != nil {
		return err
	}
	if err := r.keepNames(); err != nil {
		return err
	}
	if err := r.names.Allocate(); err != nil {
		return err
	}
	names, sa := r.sample[0].Buffer(s), r.sample[1].Buffer(s).View(0, samples)
	if err := r.names.RunBelow(ctx, names, distinct+1, sa, nil); err != nil { // they are from 1 on
		return err
	}
	if err := s.Finish(); err != nil {
		return err
	}
	r.names.Release()
	if err := r.shareNames(ctx, sa); err != nil {
		return err
	}
	if err := r.begin(ctx, phaseRanks); err != nil {
		return err
	}
	r.ranks = names
	k.ranks.Launch(k.tiles(samples), 40*int64(samples), r.coverArgs(), uint64(samples), (*device.Buffer[uint32])(nil), sa,
		r.ranks)
	if err := s.Finish(); err != nil {
		return err
	}
	r.words[1].Release(s)
	return nil
}

// keepNames copies the names, which sorting overwrites.
func (r *run[P]) keepNames() error {
	if r.lengths == nil {
		return nil
	}
	if err := r.lengths.copied.Allocate(r.session); err != nil {
		return err
	}
	device.Copy(r.lengths.copy.Buffer(r.session), r.sample[0].Buffer(r.session), r.samples)
	return nil
}

// shareNames counts how many names neighbours in the suffix array of names share. The names are overwritten.
func (r *run[P]) shareNames(ctx context.Context, sa *device.Buffer[uint32]) error {
	if r.lengths == nil {
		return nil
	}
	s, l := r.session, r.lengths
	if err := r.begin(ctx, phaseShared); err != nil {
		return err
	}
	if err := l.ranked.Allocate(s); err != nil {
		return err
	}
	l.names.Run(l.ws.Workspace(s), l.copy.Buffer(s), sa, r.sample[0].Buffer(s), l.shared.Buffer(s))
	l.tree.Run(l.shared.Buffer(s), l.minima.Buffer(s), sa.Len())
	if err := s.Finish(); err != nil {
		return err
	}
	l.copied.Release(s)
	return s.Check(ctx)
}

// shareNothing does the work of shareNames if all names differ.
func (r *run[P]) shareNothing(ctx context.Context) error {
	if r.lengths == nil {
		return nil
	}
	s, l := r.session, r.lengths
	if err := l.ranked.Allocate(s); err != nil {
		return err
	}
	l.shared.Buffer(s).Fill(0)
	l.tree.Run(l.shared.Buffer(s), l.minima.Buffer(s), r.samples)
	return s.Check(ctx)
}
