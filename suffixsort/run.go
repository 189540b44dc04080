package suffixsort

import (
	"context"
	"math"
	"math/bits"
	"slices"

	"github.com/suffixcl/suffixcl/bwt"
	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/periodic"
	"github.com/suffixcl/suffixcl/radixsort"
	"github.com/suffixcl/suffixcl/segsort"
)

// So many rounds of doubling are enqueued before the counts of the last one are read: few at
// first, since those that have nothing to do take time, too.
const firstAhead, mostAhead = 3, 6

// run is the state of one Run.
type run struct {
	*Sorter
	n       int // characters
	ahead   int // suffixes that are not sorted by a window yet
	m       int // unsorted suffixes in the lists
	before  int // and before the last round
	inSmall int // of them in small groups
	inLarge int
	longest int   // of the large groups: a bound
	left    tally // unsorted suffixes in no list
	code    *code

	text                   *device.Buffer[uint8]
	wantsBWT               bool
	sa, isa, depths, table *device.Buffer[uint32]
	packed                 *device.Buffer[uint64]
	unpacked               bool // has made room for others
	groups, lasts, heads   *device.Buffer[uint32]
	preceding              *device.Buffer[uint32] // nil unless the transform is wanted of this text
	inPart, inList         classes
	counts                 *device.Buffer[uint32]
	kept                   *device.Buffer[uint64]
	round                  int                    // where counts has those of the next round
	small                  radixsort.Pair[uint64] // places
	narrow                 *device.Buffer[uint32]
	large                  radixsort.Pair[uint32]
	largePlaces            radixsort.Pair[uint64]
	largeRanks             radixsort.Pair[uint32]
	largeWindows           radixsort.Pair[uint64]
	ws                     *device.Workspace
}

// classes are the buffers of classSlots.
type classes struct{ classes, starts *device.Buffer[uint32] }

func (c classSlots) buffers(s *device.Session) classes {
	return classes{c.classes.Buffer(s), c.starts.Buffer(s)}
}

// tally counts suffixes in small and in large groups.
type tally struct{ small, large int }

func (t tally) sum() int { return t.small + t.large }

func (t *tally) add(u tally) {
	t.small += u.small
	t.large += u.large
}

func (r *run) sort(ctx context.Context, progress Progress) error {
	if progress != nil { // which skew begins anew
		tell, most := progress, int64(0)
		progress = func(phase string, done, total int64) {
			most = max(most, done)
			tell(phase, most, total)
		}
	}
	if err := r.begin(ctx, progress, PhaseAlphabet); err != nil {
		return err
	}
	r.clearCounts()
	r.periods.Look(r.text, r.counts, countPeriods)
	bytes, recurs, err := r.countBytes()
	if err != nil {
		return err
	}
	t, ok, err := r.periods.Find(r.text, recurs, r.counts, countPeriods)
	switch {
	case err != nil:
		return err
	case ok:
		return r.sortPeriodic(ctx, t, progress)
	}
	sorted, err := r.sortCounted(ctx, bytes, progress)
	if err == nil && !sorted {
		err = r.sortBySkew(ctx, progress)
	}
	return err
}

// sortPeriodic sorts the end of the text, and expands its suffix array.
func (r *run) sortPeriodic(ctx context.Context, t periodic.Text, progress Progress) error {
	end := *r
	end.n = r.n - t.Base
	end.ahead = end.n
	end.text = device.Reinterpret[uint8](r.sa).View(0, end.n) // until the suffix array is made there
	device.Copy(end.text, r.text.View(t.Base, end.n), end.n)
	end.sa = r.short.Buffer(r.s)
	end.wantsBWT = false
	end.clearCounts()
	bytes, _, err := end.countBytes()
	if err != nil {
		return err
	}
	behind := func(phase string, done, _ int64) {
		if progress != nil {
			progress(phase, int64(t.Base)+done, int64(r.n))
		}
	}
	sorted, err := end.sortCounted(ctx, bytes, behind)
	switch {
	case err == nil && !sorted && r.o.Parts > 0:
		return r.sortBySkew(ctx, progress) // which takes the memory of the end, too
	case err == nil && !sorted:
		err = end.sortBySkew(ctx, behind)
	}
	if err != nil {
		return err
	}
	r.s.Phase(PhaseExpand)
	if progress != nil {
		progress(PhaseExpand, int64(r.n), int64(r.n))
	}
	r.periods.Expand(r.ws, r.text, t, end.sa, r.narrow, r.sa)
	return r.s.Check(ctx)
}

// sorted is how many suffixes are in their final place.
func (r *run) sorted() int64 { return int64(r.n - r.ahead - r.left.sum() - r.m) }

// begin begins a phase, or another round of it.
func (r *run) begin(ctx context.Context, progress Progress, phase string) error {
	r.s.Phase(phase)
	if progress != nil {
		progress(phase, r.sorted(), int64(r.n))
	}
	return r.s.Check(ctx)
}

// sortCounted sorts a text that has those bytes, and is not periodic. false: skew is faster.
func (r *run) sortCounted(ctx context.Context, bytes []uint32, progress Progress) (bool, error) {
	step := func(phase string) error { return r.begin(ctx, progress, phase) }
	if err := r.makeCode(bytes); err != nil {
		return false, err
	}
	if r.code.sigma == 1 {
		r.descend.Launch(r.tiles(r.n), 4*int64(r.n), r.sa, uint64(r.n))
		r.ahead = 0
		return true, step(PhaseInitial)
	}
	if err := step(PhaseInitial); err != nil {
		return false, err
	}
	parts, err := r.windows()
	if err == nil && parts != nil {
		parts, err = r.sortParts(parts, step)
	}
	switch {
	case err != nil || parts == nil || r.left.sum()+r.m == 0:
	case r.covers():
		parts, err = r.doubleCover(parts, step)
	default:
		parts, err = r.doubleAll(parts, step)
	}
	if err != nil || parts == nil {
		return false, err
	}
	return true, step(PhaseDouble)
}

// sortBySkew begins anew.
func (r *run) sortBySkew(ctx context.Context, progress Progress) error {
	r.preceding = nil
	if err := r.give(true); err != nil {
		return err
	}
	return r.skew.Run(ctx, r.text, r.sa, progress)
}

// sortParts sorts every part by windows, until only ranks tell more. No parts: skew is faster.
func (r *run) sortParts(parts []part, step func(string) error) ([]part, error) {
	var unsorted tally
	for i, p := range parts {
		if err := step(PhaseInitial); err != nil {
			return nil, err
		}
		r.sortPart(p)
		found, err := r.findUnsorted(p)
		r.ahead -= p.hi - p.lo
		r.left.add(found)
		unsorted.add(found)
		if err == nil && i == len(parts)-1 && r.repeats(float64(unsorted.sum())/float64(r.n), float64(unsorted.large)/float64(r.n)) {
			return nil, nil
		}
		ok := false
		if err == nil {
			ok, err = r.eachList(p, found, func() error { return r.extendAll(step) })
		}
		if err != nil || !ok {
			return nil, err
		}
	}
	return parts, nil
}

// extendAll sorts what is listed by further windows, while it helps.
func (r *run) extendAll(step func(string) error) error {
	for round := 0; r.m > 0 && r.extendOnce(round); round++ {
		if err := step(PhaseExtend); err != nil {
			return err
		}
		if err := r.extendGroups(); err != nil {
			return err
		}
	}
	return nil
}

// doubleAll sorts what is left by ranks. No parts: a group is longer than there is room for.
func (r *run) doubleAll(parts []part, step func(string) error) ([]part, error) {
	if err := step(PhaseInvert); err != nil {
		return nil, err
	}
	r.invertSorted()
	for round := 0; r.left.sum() > 0; round++ {
		if err := r.s.CheckRound(round, 0, r.left.sum(), r.n); err != nil {
			return nil, err
		}
		if r.left.sum() <= r.part && r.left.large <= r.most {
			if err := r.listAll(parts); err != nil {
				return nil, err
			}
			break
		}
		for _, p := range parts {
			found, err := r.findUnsorted(p)
			ok := false
			if err == nil {
				ok, err = r.eachList(p, found, func() error {
					if err := step(PhaseDouble); err != nil {
						return err
					}
					return r.doubleGroups(1)
				})
			}
			if err != nil || !ok {
				return nil, err
			}
		}
	}
	ahead := firstAhead
	for batch := 0; r.m > 0; batch++ {
		if err := r.s.CheckRound(batch, 0, r.m, r.n); err != nil {
			return nil, err
		}
		if err := step(PhaseDouble); err != nil {
			return nil, err
		}
		if err := r.doubleGroups(ahead); err != nil {
			return nil, err
		}
		ahead = mostAhead
	}
	return parts, nil
}

// tiles is the number of work-groups of a map of n elements.
func (r *run) tiles(n int) int { return device.Groups(n, r.tile) }

// countBytes counts the bytes, and reads what the Finder has found beside them.
func (r *run) countBytes() (bytes []uint32, recurs uint32, err error) {
	r.count.Launch(r.tiles(device.Groups(r.n, 8)), int64(r.n), r.text, uint64(r.n), r.counts)
	var host [countRounds]uint32
	err = r.counts.Read(host[:])
	return host[:256], host[countPeriods], err
}

// Where counts has what; behind countRounds countsOfRound words for each of some rounds.
const (
	countPeriods  = 256                            // of package periodic
	countAlone    = countPeriods + periodic.Counts // see suffixsort_sample
	countFew      = countAlone + 1
	countRounds   = countFew + 1
	countsOfRound = 3
	countBins     = countRounds + 64*countsOfRound
	bins          = 1 << 10 // by the first 10 of the 16 bits of a prefix
	countWords    = countBins + bins
)

func (r *run) clearCounts() {
	r.counts.Fill(0)
	r.round = countRounds
}

// nextRounds makes room for the counts of so many rounds.
func (r *run) nextRounds(rounds int) {
	if r.round+countsOfRound*rounds > countBins {
		r.clearCounts()
	}
}

// makeCode makes the code of those bytes.
func (r *run) makeCode(bytes []uint32) error {
	r.code = newCode(bytes)
	if err := r.table.Write(r.code.table[:]); err != nil {
		return err
	}
	if r.code.width > 0 {
		r.packText()
	}
	if r.wantsBWT && (r.code.width == 1 || r.code.width == 2) && r.firstBits() <= 48 {
		r.preceding = r.short.Buffer(r.s)
	}
	return nil
}

// transform makes the Burrows-Wheeler transform of packed text, of which each suffix that was
// alone after the first sort has brought its character along.
func (r *run) transform(ctx context.Context, out *device.Buffer[uint8]) (primary int, err error) {
	r.s.Phase(bwt.Phase)
	if err := r.s.Check(ctx); err != nil {
		return 0, err
	}
	row := r.counts.View(0, 1)
	r.forward.Sample(r.sa, 1<<32, row)
	if r.unpacked {
		r.packText()
	}
	var symbols uint32
	for b, entry := range r.code.table[:256] {
		if entry != 0 {
			symbols |= uint32(b) << (8 * (entry >> (32 - r.code.width)))
		}
	}
	r.emit.Launch(r.tiles(r.n), (1+1)*int64(r.n), r.preceding, r.sa, r.packed, uint32(r.code.width), symbols, uint64(r.n), row, out)
	var host [1]uint32
	err = row.Read(host[:])
	return int(host[0]), err
}

// packText packs text of symbols of equal length.
func (r *run) packText() {
	words := packedWords(r.n, r.code.width)
	r.pack.Launch(r.tiles(words), int64(r.n)+8*int64(words), r.text, uint64(r.n), r.table, uint32(r.code.width), uint64(words), r.packed)
}

// firstBits is the number of bits of the first sort: a multiple of 8. Of random text, 8
// bits more than the length has leave one suffix of 256 unsorted.
func (r *run) firstBits() int {
	switch {
	case r.o.Bits > 0:
		return r.o.Bits
	case r.code.width > 0:
		return min(device.Groups(bits.Len(uint(r.n))+8, 8)*8, mostBits)
	}
	return mostBits
}

// windows makes the keys of the first sort, and the parts of the suffixes, by their prefixes if
// there are several. No parts: skew is faster, which a sample of the keys tells of long texts (a
// wait is not for nothing), or one prefix has more suffixes than a part.
func (r *run) windows() ([]part, error) {
	slots := 0
	if r.n > r.sampleFrom() && r.skew != nil {
		slots = 1 << max(bits.Len(uint(r.n))-7, 0) // at least twice the different windows of the sample
		r.depths.View(0, 2*slots).Fill(0)
	}
	for at := 0; at < r.n; at += r.part {
		count := min(r.part, r.n-at)
		r.makeWindows.Launch(device.Groups(count, r.run), 9*int64(count), append(r.textArgs(r.firstBits()), uint64(r.n-at), uint64(count), r.small.Cur, r.depths, uint32(slots), flag(r.preceding != nil))...)
		if r.o.Parts > 0 {
			r.prefix.Launch(device.Groups(count, binTiles*r.tile), (8+2)*int64(count), r.small.Cur, uint64(count), uint32(r.firstBits()), r.isa, uint64(r.prefixesAt()+at), r.counts, uint32(countBins))
		}
	}
	repetitive := r.repeats(0, 0)
	if slots > 0 {
		r.sample.Launch(r.tiles(slots), 8*int64(slots), r.depths, uint32(slots), r.counts)
		var counts [2]uint32
		if err := r.counts.View(countAlone, 2).Read(counts[:]); err != nil {
			return nil, err
		}
		alone, few := 256*float64(counts[0])/float64(r.n), 256*float64(counts[1])/float64(r.n)
		repetitive = r.repeats(1-alone, 1-alone-few)
	}
	switch {
	case repetitive:
		return nil, nil
	case r.o.Parts == 0:
		return []part{{hi: r.n}}, nil
	}
	histogram := make([]uint32, bins)
	if err := r.counts.View(countBins, bins).Read(histogram); err != nil {
		return nil, err
	}
	return partsOf(histogram, r.part), nil
}

// part is a range of slots, of suffixes with certain prefixes, which no others have.
type part struct {
	lo, hi        int
	first, behind uint32 // prefixes of 16 bits
}

// partsOf makes as few parts as possible, of at most so many suffixes. No parts: there are none.
func partsOf(histogram []uint32, most int) []part {
	var parts []part
	bin := uint32((1 << 16) / len(histogram))
	var p part
	for b, count := range histogram {
		switch {
		case int(count) > most:
			return nil
		case p.hi-p.lo+int(count) > most:
			parts = append(parts, p)
			p = part{lo: p.hi, hi: p.hi, first: p.behind}
		}
		p.hi += int(count)
		p.behind = uint32(b+1) * bin
	}
	return append(parts, p)
}

// binTiles is the number of tiles of a work-group that counts prefixes: so many that adding up the bins does
// not take long.
const binTiles = 16

// prefixesAt is where the ISA has room for prefixes, behind the suffixes of a part.
func (r *run) prefixesAt() int { return 2*r.isa.Len() - r.n }

// textArgs are the arguments of kernels that make windows of so many bits.
func (r *run) textArgs(width int) []any {
	return []any{r.text, r.packed, r.table, uint64(r.n), uint32(r.code.width), uint32(width)}
}

// sampleFrom is the length beyond which texts are sampled.
func (r *run) sampleFrom() int {
	if r.o.SampleFrom > 0 {
		return r.o.SampleFrom
	}
	return 1 << 23
}

// sortPart sorts a part by the first windows into sa. If it is all of the text, these have been
// made.
func (r *run) sortPart(p part) {
	width, count := r.firstBits(), p.hi-p.lo
	keys := &r.small
	suffixes := radixsort.Pair[uint32]{Cur: r.sa, Alt: r.narrow}
	var selected *device.Buffer[uint32]
	if r.o.Parts > 0 {
		suffixes.Cur = r.isa
		selected = suffixes.Cur
		r.selectPart.Run(r.ws, r.n, 2*r.selectPart.Loads()+4*int64(count)/int64(r.n), r.kept, r.isa, uint64(r.prefixesAt()), uint64(r.n), p.first, p.behind, selected)
		r.gather.Launch(r.tiles(count), (4+8+8)*int64(count), append(r.textArgs(width), selected, uint64(count), keys.Cur, flag(r.preceding != nil))...)
	} else if r.sortWindows.Passes(8, 8+width)%2 == 1 { // the result is to be in sa
		suffixes.Cur, suffixes.Alt = suffixes.Alt, suffixes.Cur
	}
	r.sortWindows.Run(r.ws, keys, &suffixes, count, 8, 8+width, keys.Cur, uint64(r.n), selected)
	if r.o.Parts > 0 {
		device.Copy(r.sa.View(p.lo, count), suffixes.Cur, count)
	}
	r.findHeads.Launch(r.tiles(p.span()), 12*int64(count), keys.Cur, r.sa, uint64(p.lo), uint64(p.hi), uint64(r.n), r.groups, r.depths, r.preceding)
}

// span is the number of slots of a part, and of those before it that share a word with it.
func (p part) span() int { return p.hi - p.lo/32*32 }

// findUnsorted finds small and large groups in a part of sa, lists their suffixes as far as there is
// room, and tells how many there are.
func (r *run) findUnsorted(p part) (tally, error) {
	r.nextRounds(1)
	r.classifyHeads(r.groups, p, r.inPart)
	r.listPart(p, true, tally{}, 0, r.most)
	return r.readCounts()
}

// readCounts waits for the counts of a round.
func (r *run) readCounts() (tally, error) {
	var counts [countsOfRound]uint32
	err := r.counts.View(r.round, countsOfRound).Read(counts[:])
	r.round += countsOfRound
	r.longest = r.inLocal
	if counts[2] != 0 {
		r.longest = r.n
	}
	return tally{small: int(counts[0]), large: int(counts[1])}, err
}

// listPart lists suffixes of a part: those in small groups if wanted, and of those in large groups
// the ones from first to before behind; in the lists they are behind others.
func (r *run) listPart(p part, small bool, others tally, first, behind int) {
	r.list.Launch(r.tiles(p.span()), 12*int64(p.hi-p.lo), r.depths, r.sa, uint64(p.lo), uint64(p.hi), r.groups, r.inPart.classes, r.inPart.starts,
		flag(small), r.small.Cur, uint64(others.small), uint64(first), uint64(behind), r.large.Cur, r.largePlaces.Cur, uint64(others.large))
}

func flag(b bool) uint32 {
	if b {
		return 1
	}
	return 0
}

// eachList calls f with the unsorted suffixes of a part in the lists, which findUnsorted has made,
// and writes back what f leaves. If there is no room for all large groups, it calls f again and
// again. false: one group is too long.
func (r *run) eachList(p part, found tally, f func() error) (bool, error) {
	words, longest := segsort.HeadWords(p.span()), r.longest
	for first, small := 0, true; small || first < found.large; small = false {
		behind := found.large
		if behind-first > r.most {
			var err error
			if behind, err = r.cutLarge(p, first+r.most); behind <= first || err != nil {
				return false, err
			}
		}
		if first > 0 || behind < found.large {
			r.listPart(p, small, tally{}, first, behind)
		}
		r.take.Launch(r.tiles(words), 16*int64(words), r.inPart.classes, r.inPart.starts, uint64(words), flag(small), uint64(first), uint64(behind), r.groups, uint64(p.lo/32))
		listed := tally{large: behind - first}
		if small {
			listed.small = found.small
		}
		r.listed(listed, longest)
		if r.m > 0 {
			if err := f(); err != nil {
				return false, err
			}
		}
		r.noteLists()
		if r.o.Parts > 0 {
			r.left.add(tally{r.inSmall, r.inLarge})
			r.listed(tally{}, 0)
		}
		first = behind
	}
	return true, nil
}

// listed says what is in the lists, of what was left.
func (r *run) listed(t tally, longest int) {
	r.inSmall, r.inLarge, r.longest = t.small, t.large, longest
	r.m = t.sum()
	r.left.small -= t.small
	r.left.large -= t.large
}

// cutLarge finds the last group of the large ones of a part that begins no later than there.
func (r *run) cutLarge(p part, last int) (int, error) {
	words := segsort.HeadWords(p.span())
	r.nextRounds(1)
	r.cut.Launch(r.tiles(words), 12*int64(words), r.groups, uint64(p.lo/32), r.inPart.classes, r.inPart.starts, uint64(words), uint32(last), r.counts, uint32(r.round))
	var cut [1]uint32
	err := r.counts.View(r.round, 1).Read(cut[:])
	r.round += countsOfRound
	return int(cut[0]), err
}

// listAll lists what is left of all parts.
func (r *run) listAll(parts []part) error {
	var all tally
	longest := r.inLocal
	for _, p := range parts {
		r.nextRounds(1)
		r.classifyHeads(r.groups, p, r.inPart)
		found, err := r.readCounts()
		if err != nil {
			return err
		}
		r.listPart(p, true, all, 0, found.large)
		all.add(found)
		longest = max(longest, r.longest)
	}
	r.listed(all, longest)
	return nil
}

// noteLists writes depths and groups of what is listed, and sa.
func (r *run) noteLists() {
	if m := r.inSmall; m > 0 {
		r.note.Launch(r.tiles(m), (8+4+4)*int64(m), r.small.Cur, uint64(m), r.groups, r.depths)
	}
	if m := r.inLarge; m > 0 {
		r.note.Launch(r.tiles(m), (8+4+4)*int64(m), r.largePlaces.Cur, uint64(m), r.groups, r.depths)
		r.settle.Launch(r.tiles(m), 12*int64(m), r.large.Cur, r.largePlaces.Cur, uint64(m), r.sa)
	}
}

// classifyHeads finds small and large groups among elements by their heads.
func (r *run) classifyHeads(heads *device.Buffer[uint32], p part, into classes) {
	words := segsort.HeadWords(p.span())
	r.classify.Launch(r.tiles(words), 12*int64(words), heads, uint64(p.lo), uint64(p.hi), uint64(words), uint32(r.inLocal), into.classes, r.counts, uint32(r.round))
	r.start.Run(r.ws, words, 16, into.classes, into.starts, r.counts, uint32(r.round))
}

// next waits for rounds, and makes what they have handed on the unsorted suffixes.
func (r *run) next(rounds int) error {
	for range rounds {
		r.small.Cur, r.small.Alt = r.small.Alt, r.small.Cur
	}
	r.large.Cur, r.large.Alt = r.large.Alt, r.large.Cur
	r.largePlaces.Cur, r.largePlaces.Alt = r.largePlaces.Alt, r.largePlaces.Cur
	r.round += countsOfRound * (rounds - 1) // to the last one
	found, err := r.readCounts()
	r.inSmall, r.inLarge = found.small, found.large
	r.before, r.m = r.m, found.sum()
	return err
}

// repeats tells whether skew is faster, given the shares of suffixes that are unsorted and in
// large groups. Of short texts its many launches take the time: these may repeat, but not in
// large groups.
func (r *run) repeats(unsorted, inLarge float64) bool {
	share := r.o.Repetitive
	if share == 0 {
		share = 0.97
	}
	switch {
	case r.skew == nil:
		return false
	case share < 0 || inLarge >= 0.5 || r.o.Parts == 0 && inLarge*float64(r.n) >= float64(r.most):
		return true
	}
	return unsorted > share && (r.n > 1<<22 || inLarge > 1.0/8)
}

// extendOnce tells whether to go on with another round of extension.
func (r *run) extendOnce(round int) bool {
	if r.o.Extensions != 0 {
		return round < r.o.Extensions
	}
	return round == 0 || r.m < r.before/2
}

// extendGroups sorts every group by another window of text.
func (r *run) extendGroups() error {
	text := r.textArgs(mostBits)
	r.nextRounds(1)
	if m := int64(r.inLarge); m > 0 {
		keys := r.largeWindows
		r.extend.Launch(r.tiles(r.inLarge), m*(12+32+8), append(slices.Clip(text), r.large.Cur, r.largePlaces.Cur, uint64(m), r.heads, keys.Cur)...)
		r.sortExtended.RunWithin(r.ws, &keys, &r.large, r.heads, r.inLarge, r.longest)
		r.split.Launch(r.tiles(r.inLarge), m*(12+8+8), keys.Cur, r.large.Cur, uint64(r.n), uint64(m), r.largePlaces.Cur, r.heads)
		r.relistLarge()
	}
	r.sortSmall(r.extendSmall, 0, 8+4+32+12, text...)
	return r.next(1)
}

// relistLarge lists what is still unsorted of the large groups.
func (r *run) relistLarge() {
	r.classifyHeads(r.heads, part{hi: r.inLarge}, r.inList)
	r.relist.Launch(r.tiles(r.inLarge), (12+12)*int64(r.inLarge), r.large.Cur, r.largePlaces.Cur, uint64(r.inLarge), r.inList.classes, r.inList.starts,
		r.small.Alt, r.large.Alt, r.largePlaces.Alt, r.sa)
}

// sortSmall runs a round of the small groups. It hands them on behind what has become small
// of the large ones.
func (r *run) sortSmall(kernel *device.Kernel, round int, bytes int64, keys ...any) {
	if r.inSmall == 0 {
		return
	}
	places := r.smallOf(round)
	kernel.Launch(device.Groups(r.inSmall, r.stride), bytes*int64(r.inSmall), append([]any{places.Cur, uint64(r.inSmall), r.given(round), uint32(r.round + countsOfRound*round), r.counts,
		places.Alt, r.sa}, keys...)...)
}

// smallOf are the places of small groups in the given one of the rounds that are enqueued
// together.
func (r *run) smallOf(round int) radixsort.Pair[uint64] {
	if round%2 == 1 {
		return radixsort.Pair[uint64]{Cur: r.small.Alt, Alt: r.small.Cur}
	}
	return r.small
}

// given is where the number of small suffixes stands that a round is given: in the first
// one the host knows it.
func (r *run) given(round int) uint32 {
	if round == 0 {
		return math.MaxUint32
	}
	return uint32(r.round + countsOfRound*(round-1))
}

// invertSorted makes isa of the sorted and the unsorted suffixes.
func (r *run) invertSorted() {
	r.findLasts.Run(r.ws, segsort.HeadWords(r.n), 8, r.groups, r.lasts)
	if r.n <= r.window() {
		r.invert.Launch(r.tiles(r.n), (4+32)*int64(r.n), r.sa, r.groups, r.lasts, uint64(r.n), r.isa)
		return
	}
	// By the top bits of the suffix first, so that writes stay where caches reach. One pass writes to
	// Alt, and leaves Cur alone.
	top := bits.Len(uint(r.n - 1))
	for lo := 0; lo < r.n; lo += r.part {
		bySuffix := radixsort.Pair[uint32]{Cur: r.isa, Alt: r.narrow}
		theirs := radixsort.Pair[uint32]{Cur: r.isa, Alt: device.Reinterpret[uint32](r.small.Alt)}
		count := min(r.part, r.n-lo)
		r.partition.Run(r.ws, &bySuffix, &theirs, count, max(top-8, 0), top, r.sa, r.groups, r.lasts, uint64(lo))
		r.scatter.Launch(r.tiles(count), (8+32)*int64(count), bySuffix.Cur, theirs.Cur, uint64(count), r.isa)
	}
}

// window is the number of ranks that may be written in any order without a partition.
func (r *run) window() int {
	if r.o.Window > 0 {
		return r.o.Window
	}
	return 1 << 23
}

// doubleGroups sorts every group by the ranks of what is behind, which all are read before
// the first is changed. Where only small groups are left, that many rounds go together.
func (r *run) doubleGroups(rounds int) error {
	if r.inLarge > 0 {
		rounds = 1
	}
	r.nextRounds(rounds)
	for round := range rounds {
		if r.inSmall > 0 {
			r.follow.Launch(r.tiles(r.inSmall), int64(r.inSmall)*(12+32+4), r.isa, r.sa, r.smallOf(round).Cur, uint64(r.inSmall), r.counts, r.given(round), r.narrow, r.depths)
		}
		if m := int64(r.inLarge); m > 0 {
			keys := r.largeRanks
			r.unpacked = true
			r.followLarge.Launch(r.tiles(r.inLarge), m*(12+32+4), r.isa, r.large.Cur, r.largePlaces.Cur, uint64(m), r.heads, keys.Cur, r.depths)
			r.sortDoubled.RunWithin(r.ws, &keys, &r.large, r.heads, r.inLarge, r.longest)
			r.differ.Launch(r.tiles(r.inLarge), 12*m, keys.Cur, r.largePlaces.Cur, uint64(m), r.heads)
			r.refineLarge.Run(r.ws, r.inLarge, 16+8+32, keys.Cur, r.large.Cur, r.largePlaces.Cur, r.heads, r.depths, r.isa)
			r.relistLarge()
		}
		r.sortSmall(r.doubleSmall, round, 8+4+4+32+12, r.narrow, r.depths, r.isa)
	}
	return r.next(rounds)
}
