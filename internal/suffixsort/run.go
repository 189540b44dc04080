package suffixsort

import (
	"context"
	"errors"

	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/internal/intmath"
	"github.com/suffixcl/suffixcl/internal/periodic"
	"github.com/suffixcl/suffixcl/radixsort"
)

// run is the state of one Run. Its methods are the steps, in execution order: each hands its buffers to a type.
type run struct {
	sorter *Sorter
	steps  *algorithm
	memory *memory
	ws     *device.Workspace
	counts *roundCounts

	n          int // characters, or samples
	unsorted   int // suffixes that no step has sorted
	text       *device.Buffer[uint8]
	out        *device.Buffer[uint8]  // of the transform, or nil
	preceding  *device.Buffer[uint32] // symbols that the first sort brings along, or nil
	coded      codedText
	samples    samples // where these are sorted
	firstWidth int     // bits of the first windows
	extended   bool    // all groups, in the last round

	smallSorted bool // the small groups of the next round of extension
	inverted    bool // after the last round of extension

	primary primary // of out, once that is made

	all    groups
	lasts  *device.Buffer[uint32] // of all, or nil: see classifier.lasts
	depths depths
}

// beginPhase begins a phase, or another round of it.
type beginPhase = func(phase string) error

// newRun takes the memory back. The text has n characters, at least one; it is nil where it is coded already.
func (p *Sorter) newRun(text *device.Buffer[uint8], n int, sa *device.Buffer[uint32],
	out *device.Buffer[uint8]) (*run, error) {
	if err := p.takeMemory(); err != nil {
		return nil, err
	}
	m := p.memory
	m.fit(n)
	return &run{
		sorter: p, steps: &p.steps, memory: m, ws: m.workspace.Workspace(p.session),
		counts: p.counts,
		n:      n, unsorted: n, text: text, out: out,
		all:     m.groups(sa.View(0, n)),
		primary: primary{session: p.session, words: p.counts.buffer},
	}, nil
}

// sort is the algorithm.
func (r *run) sort(ctx context.Context, progress progress) error {
	progress = monotone(progress)
	if err := r.begin(ctx, progress, phaseAlphabet); err != nil {
		return err
	}
	bytes, period, ok, err := r.countBytes()
	switch {
	case err != nil:
		return err
	case ok:
		return r.sortPeriodic(ctx, period, progress)
	}
	return r.sortText(ctx, bytes, progress)
}

// monotone reports no less than before: skew begins anew.
func monotone(progress progress) progress {
	if progress == nil {
		return nil
	}
	highest := int64(0)
	return func(phase string, done, total int64) {
		highest = max(highest, done)
		progress(phase, highest, total)
	}
}

func (r *run) begin(ctx context.Context, progress progress, phase string) error {
	r.sorter.session.Phase(phase)
	if progress != nil {
		progress(phase, int64(r.n-r.unsorted-r.all.unsorted.sum()), int64(r.n))
	}
	return r.sorter.session.Check(ctx)
}

// countBytes counts the bytes, and looks for a period of the text.
func (r *run) countBytes() (bytes []uint32, text periodic.Text, ok bool, err error) {
	at := r.counts.take(countsOfBytes)
	if r.steps.coder.looks {
		r.steps.periods.Look(r.text, r.counts.buffer, at+countPeriods)
	}
	bytes, recurs, err := r.steps.coder.count(r.text, r.counts.buffer, at)
	if err != nil {
		return nil, text, false, err
	}
	text, ok, err = r.steps.periods.Find(r.text, recurs, r.counts.buffer, at+countPeriods)
	return bytes, text, ok, err
}

// sortPeriodic sorts the tail of the text, and expands its suffix array.
func (r *run) sortPeriodic(ctx context.Context, t periodic.Text, progress progress) error {
	m := r.n - t.Base
	tail := *r
	r.memory.fit(m)
	tail.n, tail.unsorted, tail.out = m, m, nil
	tail.text = r.memory.tail.Buffer(r.sorter.session).View(0, m)
	tail.all.n, tail.all.suffixes = m, r.all.suffixes.View(0, m)
	device.Copy(tail.text, r.text.View(t.Base, m), m)
	bytes, _, err := tail.steps.coder.count(tail.text, tail.counts.buffer, tail.counts.take(countsOfBytes))
	if err != nil {
		return err
	}
	err = tail.sortText(ctx, bytes, func(phase string, done, _ int64) {
		if progress != nil {
			progress(phase, int64(t.Base)+done, int64(r.n))
		}
	})
	if err == nil {
		err = r.sorter.takeMemory()
	}
	if err != nil {
		return err
	}
	r.sorter.session.Phase(phaseExpand)
	if progress != nil {
		progress(phaseExpand, int64(r.n), int64(r.n))
	}
	r.memory.fit(r.n)
	array, starts := r.memory.words(tenantTailArray), r.memory.words(tenantTailStarts)
	device.Copy(array, tail.all.suffixes, m)
	r.steps.periods.Expand(r.ws, r.text, t, array, starts, r.all.suffixes)
	return r.sorter.session.Check(ctx)
}

// sortText sorts a text that has those bytes, and is not periodic.
func (r *run) sortText(ctx context.Context, bytes []uint32, progress progress) error {
	if err := r.makeCode(bytes); err != nil {
		return err
	}
	if r.coded.sigma == 1 {
		return r.descend(func(phase string) error { return r.begin(ctx, progress, phase) })
	}
	if r.steps.sampling.wants(r.coded.code, r.n) {
		if ok, err := r.sortSamples(ctx, progress); err != nil || ok {
			return err
		}
	}
	ok, err := r.sortCoded(ctx, progress)
	if err == nil && !ok {
		return r.sortBySkew(ctx, progress)
	}
	return err
}

// sortSamples sorts samples, and then all suffixes. false: there are too many, or groups are too long for the lists.
func (r *run) sortSamples(ctx context.Context, progress progress) (bool, error) {
	if err := r.begin(ctx, progress, phaseSample); err != nil {
		return false, err
	}
	m, step, all := r.memory, &r.steps.sampling, r.all.suffixes
	s, err := step.choose(r.ws, &r.coded, m.words(tenantSampled), m.words(tenantLongs), m.words(tenantSampleMarks),
		r.counts)
	if err != nil || s.count > maxSamples(r.n) {
		return false, err
	}
	places, gaps := m.tenants[tenantPlaces], m.tenants[tenantGaps]
	s.places = all.View(places.offset, s.count)
	s.gaps = device.Reinterpret[uint16](all.View(gaps.offset, gaps.words)).View(0, s.count)

	m.fit(s.count)
	defer m.fit(r.n)
	of := *r
	of.n, of.unsorted, of.out, of.samples = s.count, s.count, nil, s
	of.all = m.groups(all.View(0, s.count))
	of.coded.suffixes, of.coded.places = s.count, s.places
	ok, err := of.sortCoded(ctx, func(phase string, done, _ int64) {
		if progress != nil {
			progress(phase, done, int64(r.n))
		}
	})
	if err != nil || !ok {
		return false, err
	}

	if err := r.begin(ctx, progress, phaseInduce); err != nil {
		return false, err
	}
	m.fit(r.n)
	words, starts := r.firstWords(), m.words(tenantInducedStarts)
	if marker, ok := markerOf(&r.coded); ok && r.out != nil {
		step.transformed(r.ws, &r.coded, s, of.all.suffixes, starts, &words, marker, &r.primary, r.out)
	} else {
		step.sort(r.ws, &r.coded, s, of.all.suffixes, starts, &words)
	}
	r.unsorted = 0
	return true, r.begin(ctx, progress, phaseInduce)
}

// sortCoded sorts a text of several symbols that is coded. false: the capacity is too small.
func (r *run) sortCoded(ctx context.Context, progress progress) (bool, error) {
	begin := func(phase string) error { return r.begin(ctx, progress, phase) }
	if err := r.sortFirst(begin); err != nil {
		return false, err
	}
	if ok, err := r.sortGroups(begin); err != nil || !ok {
		return false, err
	}
	return true, begin(phaseDouble)
}

// makeCode makes the code of those bytes, and packs the text if the code has a width.
func (r *run) makeCode(bytes []uint32) (err error) {
	table := r.memory.table.Buffer(r.sorter.session)
	c := newCode(bytes, r.steps.coder.even)
	if r.steps.sampling.wants(&c, r.n) {
		c.classify(bytes)
	}
	r.coded, err = r.steps.coder.encode(c, r.text, table, r.memory.longs(tenantPacked))
	if bringsSymbols(&r.coded, r.out) { // they have the memory of the transform until that is made
		r.preceding = device.Reinterpret[uint32](r.out).View(0, intmath.CeilDiv(r.n, 8))
	}
	return err
}

// descend sorts a text of one symbol.
func (r *run) descend(begin beginPhase) error {
	r.steps.descend.Launch(r.steps.tiles(r.n), 4*int64(r.n), r.all.suffixes, uint64(r.n))
	r.unsorted = 0
	return begin(phaseInitial)
}

// firstWords are the words of the first sort, or of the last one of samples.
func (r *run) firstWords() windowWords {
	m := r.memory
	return windowWords{
		high: radixsort.Pair[uint32]{Cur: m.words(tenantHighWords), Alt: m.words(tenantHighWords2)},
		low:  radixsort.Pair[uint32]{Cur: m.words(tenantLowWords), Alt: r.all.suffixes},
	}
}

// sortFirst sorts all suffixes by their first windows, and finds the groups of equal ones.
func (r *run) sortFirst(begin beginPhase) error {
	first, sampled := &r.steps.first, r.coded.places != nil
	if sampled {
		first = &r.steps.sampling.first
	}
	words, preceded := r.firstWords(), r.preceding != nil
	r.firstWidth = first.width(&r.coded, preceded)
	sort := first.prepare(r.ws, r.n, r.firstWidth, &words)
	if sampled {
		r.steps.sampling.list(&r.coded, r.samples, r.firstWidth, &words, sort)
	}
	if err := begin(phaseInitial); err != nil {
		return err
	}
	if !sampled {
		first.make(&r.coded, r.firstWidth, preceded, &words, sort)
	}
	sort.Run()
	if r.coded.width > 0 {
		r.depths = depths{uniform: r.firstWidth / r.coded.width}
	} else {
		r.depths = depths{each: r.memory.bytes(tenantDepths)}
	}
	first.findHeads(&r.coded, r.firstWidth, &words, &r.all, r.depths.each, r.preceding)
	var failed error
	_, err := r.steps.classifier.count(&r.all, r.counts, func() {
		if x := &r.steps.extension; x.fixed(&r.coded) && x.again(0, &r.coded, r.firstWidth, r.n) {
			failed = begin(phaseExtend)
			x.sortSmall(&r.coded, &r.all, r.n, &r.depths)
			r.smallSorted = true
		}
	})
	r.unsorted = 0
	return errors.Join(failed, err)
}

// sortGroups sorts the groups. false: the capacity is too small.
func (r *run) sortGroups(begin beginPhase) (bool, error) {
	// What the first windows and another tell of samples includes how far the next one is: chains go from one to the next.
	for round := 0; r.steps.extension.again(round, &r.coded, r.firstWidth, r.all.unsorted.sum()); round++ {
		if err := r.extend(begin, r.steps.extension.fixed(&r.coded)); err != nil {
			return false, err
		}
	}
	if r.coded.places != nil && r.all.unsorted.sum() > 0 && !r.extended {
		return false, nil
	}
	for round := 1; r.all.unsorted.sum() > 0; round++ {
		if err := r.invert(begin); err != nil {
			return false, err
		}
		chosen, err := r.findRepresentatives(begin)
		switch {
		case err != nil:
			return false, err
		case chosen.sum() <= r.memory.arena.capacity.Representatives:
			return r.sortRepresentatives(begin, chosen)
		case round == maxExtensions:
			return false, nil
		}
		r.restore()
		if err := r.extend(begin, true); err != nil {
			return false, err
		}
	}
	return true, nil
}

// extend sorts each group by another window. last: chains are looked for then, if anything is unsorted.
func (r *run) extend(begin beginPhase, last bool) error {
	if r.all.unsorted.sum() == 0 {
		return nil
	}
	if err := begin(phaseExtend); err != nil {
		return err
	}
	m := r.memory
	l := list{
		keys:     radixsort.Pair[uint64]{Cur: m.longs(tenantWindowKeys), Alt: m.longs(tenantWindowKeys2)},
		suffixes: radixsort.Pair[uint32]{Cur: m.words(tenantWindowSuffixes), Alt: m.words(tenantWindowSuffixes2)},
		slots:    m.words(tenantWindowSlots),
		heads:    m.words(tenantWindowHeads),
	}
	x := &r.steps.extension
	if !r.smallSorted {
		x.sortSmall(&r.coded, &r.all, r.all.unsorted.small, &r.depths)
	}
	var failed error
	var ahead func()
	if last && r.steps.inversion.early(&r.all) {
		ahead = func() {
			failed = begin(phaseInvert)
			r.makeISA(nil)
		}
	}
	whole, err := x.sortOthers(r.ws, &r.coded, &r.all, l, &r.depths, r.counts, ahead)
	r.extended, r.smallSorted, r.inverted = whole, false, ahead != nil
	return errors.Join(failed, err)
}

// invert makes the ISA, if the last round of extension has not.
func (r *run) invert(begin beginPhase) error {
	if err := begin(phaseInvert); err != nil {
		return err
	}
	r.lasts = r.steps.classifier.lasts(r.ws, &r.all)
	if !r.inverted {
		r.makeISA(r.lasts)
	}
	return nil
}

func (r *run) makeISA(lasts *device.Buffer[uint32]) {
	m := r.memory
	r.steps.inversion.run(r.ws, &r.all, r.coded.places != nil, r.depths, lasts, m.words(tenantISA),
		partitioned{suffixes: m.words(tenantPartitionedSuffixes), ranks: m.words(tenantPartitionedRanks)},
		m.words(tenantChainEnds))
}

// findRepresentatives counts the suffixes of groups that end a chain.
func (r *run) findRepresentatives(begin beginPhase) (tally, error) {
	if err := begin(phaseChain); err != nil {
		return tally{}, err
	}
	return r.steps.chains.findRepresentatives(r.ws, &r.all, r.chainBuffers(), r.counts)
}

func (r *run) chainBuffers() chainBuffers {
	m := r.memory
	return chainBuffers{
		isa: m.words(tenantISA), settled: m.words(tenantSettled),
		order: m.words(tenantOrder), slots: m.words(tenantSlots),
		chosen: m.words(tenantChosen), starts: m.words(tenantChosenStarts), ends: m.words(tenantChainEnds),
		marked: m.words(tenantMarked), marks: m.words(tenantMarks), lasts: r.lasts,
	}
}

// restore makes the snapshot that inversion and chains have overwritten.
func (r *run) restore() { r.steps.classifier.classify(&r.all, r.counts) }

// sortRepresentatives sorts them, and then all in their order. false: a group is longer than the list.
func (r *run) sortRepresentatives(begin beginPhase, chosen tally) (bool, error) {
	m, s := r.memory, r.sorter.session
	ends := representatives{
		groups: groups{
			n: chosen.sum(), unsorted: chosen, longest: r.all.longest,
			suffixes: m.words(tenantOrder), heads: m.endHeads.Buffer(s), lastHeads: m.endLastHeads.Buffer(s),
			snapshot: m.words(tenantRepresentativeSnapshot), classes: m.words(tenantRepresentativeClasses),
			starts: m.words(tenantRepresentativeStarts),
		},
		slots: m.words(tenantSlots), ranks: m.words(tenantRanks), next: m.words(tenantNext),
		keys: m.words(tenantKeys), longKeys: m.words(tenantLongKeys),
		spare: m.words(tenantRankJobs),
		list: list{
			keys:     radixsort.Pair[uint64]{Cur: m.longs(tenantRankKeys), Alt: m.longs(tenantRankKeys2)},
			suffixes: radixsort.Pair[uint32]{Cur: m.words(tenantRankSuffixes), Alt: m.words(tenantRankSuffixes2)},
			slots:    m.words(tenantRankSlots),
			heads:    m.words(tenantRankHeads),
		},
	}
	b := r.chainBuffers()
	r.steps.chains.depart(&r.coded, r.samples.bits, &r.all, b, r.depths, &ends)
	if ok, err := r.steps.doubling.sort(r.ws, r.n, &ends, r.counts, begin); err != nil || !ok {
		return false, err
	}
	if err := begin(phaseChain); err != nil {
		return false, err
	}
	c, out := &r.steps.chains, r.out
	if r.preceding != nil {
		out = nil // its transform needs sa where symbols did not come along
	}
	if c.settlesText(&r.all, &ends) {
		c.settleText(&r.all, b, &ends, r.text, &r.primary, out)
	} else {
		c.settle(&r.all, b, &ends)
	}
	return true, nil
}

// sortBySkew begins anew.
func (r *run) sortBySkew(ctx context.Context, progress progress) error {
	r.preceding = nil
	if err := r.sorter.giveMemory(r.sorter.skew); err != nil {
		return err
	}
	return r.sorter.skew.Run(ctx, r.text, r.all.suffixes, progress)
}

// transform makes the transform of packed text.
func (r *run) transform(ctx context.Context) (primary int, err error) {
	r.sorter.session.Phase(phaseBWT)
	if err := r.sorter.session.Check(ctx); err != nil {
		return 0, err
	}
	r.steps.transform.run(&r.coded, r.all.suffixes, r.preceding, r.memory.bytes(tenantTransform), r.out,
		r.primary.words.View(0, 1))
	return r.primary.read()
}
