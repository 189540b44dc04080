package suffixsort

import (
	"context"
	"math"
	"math/bits"

	"github.com/suffixcl/suffixcl/bwt"
	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/periodic"
	"github.com/suffixcl/suffixcl/radixsort"
	"github.com/suffixcl/suffixcl/segsort"
)

// So many rounds of doubling are enqueued before the counts of the last one are read: few at
// first, since those that have nothing to do take time, too.
const firstAhead, mostAhead, slotsAhead = 3, 6, 2 // in lists, and where suffixes are

// run is the state of one Run.
type run struct {
	*Sorter
	n       int   // characters
	ahead   int   // suffixes that are not sorted by a window yet
	left    tally // unsorted suffixes of the others
	before  int   // as many were left before the last round
	longest int   // of the large groups: a bound
	inLists bool  // all that is left is in lists
	room    int   // how many suffixes these hold
	code    *code

	text, end                 *device.Buffer[uint8]
	out                       *device.Buffer[uint8] // of the transform, or nil
	sa, isa, table            *device.Buffer[uint32]
	packed                    *device.Buffer[uint64]
	unpacked                  bool // has made room for others
	groups, snapshot          *device.Buffer[uint32]
	depths, lasts, heads      *device.Buffer[uint32]
	preceding                 *device.Buffer[uint32] // nil unless the transform is wanted of this text
	all, list                 classes
	counts                    *device.Buffer[uint32]
	round                     int // where counts has those of the next round
	narrowFirst               firstSort[uint32]
	wideFirst                 firstSort[uint64]
	behind                    *device.Buffer[uint32] // ranks behind suffixes, by their slots
	small                     radixsort.Pair[uint64] // places
	listed                    *device.Buffer[uint32] // ranks behind these
	largeSuffixes, largeRanks radixsort.Pair[uint32]
	largePlaces, largeWindows radixsort.Pair[uint64]
	theirs                    *device.Buffer[uint32] // ranks of suffixes that are partitioned
	overDepths                bool
	fresh                     bool // behind has depths of small groups, which depths lack
	ws                        *device.Workspace
}

// firstSort are the words of the first sort.
type firstSort[T radixsort.Value] struct {
	hi radixsort.Pair[T]
	lo radixsort.Pair[uint32]
}

func (f *firstSort[T]) swap() {
	f.hi.Swap()
	f.lo.Swap()
}

// classes are the buffers of classSlots.
type classes struct{ classes, starts *device.Buffer[uint32] }

func (c classSlots) buffers(s *device.Session) classes {
	return classes{c.classes.Buffer(s), c.starts.Buffer(s)}
}

// tally counts suffixes in small and in large groups.
type tally struct{ small, large int }

func (t tally) sum() int { return t.small + t.large }

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
	end.text = r.end.View(0, end.n)
	device.Copy(end.text, r.text.View(t.Base, end.n), end.n)
	end.sa = r.sa.View(0, end.n)
	end.out = nil
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
	if err == nil && !sorted {
		if err = end.sortBySkew(ctx, behind); err == nil {
			r, err = r.newRun(r.text, r.sa) // takes the memory back
		}
	}
	if err != nil {
		return err
	}
	r.s.Phase(PhaseExpand)
	if progress != nil {
		progress(PhaseExpand, int64(r.n), int64(r.n))
	}
	device.Copy(r.behind, end.sa, end.n)
	r.periods.Expand(r.ws, r.text, t, r.behind, r.isa, r.sa)
	return r.s.Check(ctx)
}

// sorted is how many suffixes are in their final place.
func (r *run) sorted() int64 { return int64(r.n - r.ahead - r.left.sum()) }

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
	if repetitive, err := r.windows(); err != nil || repetitive {
		return false, err
	}
	r.sortWindows()
	if err := r.findUnsorted(); err != nil {
		return false, err
	}
	r.ahead = 0
	if r.repeats(float64(r.left.sum())/float64(r.n), float64(r.left.large)/float64(r.n)) {
		return false, nil
	}
	ok, err := r.extendAll(step)
	if ok && err == nil && r.almostCovers() {
		ok, err = r.extendMost(step)
	}
	switch {
	case err != nil || !ok || r.left.sum() == 0:
	case r.covers():
		ok, err = r.doubleCover(step)
	default:
		ok, err = r.doubleAll(step)
	}
	if err != nil || !ok {
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

// extendAll sorts what is left by further windows, while it helps. false: a group is longer than there
// is room for.
func (r *run) extendAll(step func(string) error) (bool, error) {
	for round := 0; r.left.sum() > 0 && r.extendOnce(round); round++ {
		if err := step(PhaseExtend); err != nil {
			return false, err
		}
		if ok, err := r.sortLeft(r.extendLists, r.extendSlots); err != nil || !ok {
			return false, err
		}
	}
	if r.inLists {
		r.noteRange(true, 0, r.n)
	}
	return true, nil
}

// doubleAll sorts what is left by ranks. false as from extendAll.
func (r *run) doubleAll(step func(string) error) (bool, error) {
	if err := step(PhaseInvert); err != nil {
		return false, err
	}
	r.invertSorted()
	rounds := firstAhead
	lists := func() error {
		defer func() { rounds = mostAhead }()
		return r.doubleLists(rounds)
	}
	for batch := 0; r.left.sum() > 0; batch++ {
		if err := r.s.CheckRound(batch, 0, r.left.sum(), r.n); err != nil {
			return false, err
		}
		if err := step(PhaseDouble); err != nil {
			return false, err
		}
		if ok, err := r.sortLeft(lists, r.doubleSlots); err != nil || !ok {
			return false, err
		}
	}
	return true, nil
}

// sortLeft sorts all groups once: by lists, which are made as soon as they hold what is left, or where
// the suffixes are.
func (r *run) sortLeft(lists func() error, slots func() (bool, error)) (bool, error) {
	r.before = r.left.sum()
	if !r.inLists && r.left.sum() <= r.room && r.left.large <= r.Sorter.large { // large groups become small ones
		r.deepenSlots()
		r.findStarts(r.n, r.all)
		r.enlistRange(true, 0, r.left.large)
		r.inLists = true
	}
	if r.inLists {
		return true, lists()
	}
	ok, err := slots()
	if err == nil && ok {
		err = r.findUnsorted()
	}
	return ok, err
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
	countWords    = countRounds + 64*countsOfRound
)

func (r *run) clearCounts() {
	r.counts.Fill(0)
	r.round = countRounds
}

// nextRounds makes room for the counts of so many rounds.
func (r *run) nextRounds(rounds int) {
	if r.round+countsOfRound*rounds > countWords {
		r.clearCounts()
	}
}

// makeCode makes the code of those bytes.
func (r *run) makeCode(bytes []uint32) error {
	r.code = newCode(bytes)
	decode := r.code.width == 0 && !r.wide()
	if err := r.table.Write(r.code.words(decode)); err != nil {
		return err
	}
	if r.code.width > 0 {
		r.packText()
	}
	if r.bringsSymbols() {
		r.preceding = device.Reinterpret[uint32](r.out).View(0, device.Groups(r.n, 8)) // until the transform is there
	}
	return nil
}

// bringsSymbols tells whether the first sort brings the symbol before each suffix along: where the transform is
// wanted, symbols have one or two bits, and there is room in the low words, and in the transform, as words, for half a byte
// each.
func (r *run) bringsSymbols() bool {
	if r.out == nil || r.code.width != 1 && r.code.width != 2 || r.indexBits() > 30 || r.n < 8 {
		return false
	}
	_, at := r.out.Root()
	return at%4 == 0
}

// transform makes the Burrows-Wheeler transform of packed text, of which each suffix that was
// alone after the first sort has brought its character along.
func (r *run) transform(ctx context.Context) (primary int, err error) {
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
	r.emit.Launch(r.tiles(r.n), (1+1)*int64(r.n), r.preceding.Args(), r.sa, r.packed, uint32(r.code.width), symbols, uint64(r.n), row, r.behind)
	device.Copy(r.out, device.Reinterpret[uint8](r.behind), r.n)
	var host [1]uint32
	err = row.Read(host[:])
	return int(host[0]), err
}

// packText packs text of symbols of equal length.
func (r *run) packText() {
	words := packedWords(r.n, r.code.width)
	r.pack.Launch(r.tiles(words), int64(r.n)+8*int64(words), r.text, uint64(r.n), r.table, uint32(r.code.width), uint64(words), r.packed)
}

// indexBits is how many bits a suffix takes.
func (r *run) indexBits() int { return max(bits.Len(uint(r.n-1)), 1) }

// wide tells whether high words of the first sort have 64 bits.
func (r *run) wide() bool { return !r.lean && r.code.width == 0 }

// firstBits is the number of bits of the first sort, for which there has to be room. Of random text, 8 bits more
// than the length has leave one suffix of 256 unsorted; of others more is better, up to a point.
func (r *run) firstBits() int {
	wanted, most := 48, 64-r.indexBits()
	if r.bringsSymbols() {
		most -= 2
	}
	if r.wide() {
		wanted, most = windowBits, windowBits
	}
	switch {
	case r.o.Bits > 0:
		wanted = r.o.Bits
	case r.code.width > 0:
		wanted = min(device.Groups(bits.Len(uint(r.n))+8, 8)*8, 40)
	}
	return min(wanted, most)
}

// windows makes the words of the first sort. A sample of the windows tells of long texts (a
// wait is not for nothing) whether skew is faster.
func (r *run) windows() (repetitive bool, err error) {
	slots, width := 0, r.firstBits()
	if r.n > r.sampleFrom() && r.skew != nil {
		slots = 1 << max(bits.Len(uint(r.n))-7, 0) // at least twice the different windows of the sample
		r.lasts.View(0, 2*slots).Fill(0)
	}
	sampled := windowBits
	if r.code.width > 0 {
		sampled = width
	}
	kernel, args := r.first32.windows, []any{r.textArgs(width), uint32(r.indexBits()), flag(r.preceding != nil)}
	// The result is not to be in sa, nor where depths are.
	if r.wide() {
		f := &r.wideFirst
		f.lo.Alt = r.sa
		if r.sort64.Passes(8, 8+width)%2 == 1 {
			f.swap()
		}
		kernel, args = r.first64.windows, append(args, f.hi.Cur, f.lo.Cur)
	} else {
		f := &r.narrowFirst
		f.lo.Alt = r.sa
		if (r.sort32.Passes(r.inLow(), 32)+r.sort32.Passes(0, min(width, 32)))%2 == 1 {
			f.swap()
		}
		args = append(args, f.hi.Cur, f.lo.Cur)
	}
	kernel.Launch(device.Groups(r.n, r.run), 9*int64(r.n), append(args, r.lasts, uint32(slots), uint32(sampled))...)
	if slots == 0 {
		return r.repeats(0, 0), nil
	}
	r.sample.Launch(r.tiles(slots), 8*int64(slots), r.lasts, uint32(slots), r.counts)
	var counts [2]uint32
	if err := r.counts.View(countAlone, 2).Read(counts[:]); err != nil {
		return false, err
	}
	alone, few := 256*float64(counts[0])/float64(r.n), 256*float64(counts[1])/float64(r.n)
	return r.repeats(1-alone, 1-alone-few), nil
}

// inLow is where the bits of a window begin that are in the low words.
func (r *run) inLow() int { return 32 - max(r.firstBits()-32, 0) }

// sortWindows sorts the suffixes by the first windows into sa.
func (r *run) sortWindows() {
	width := r.firstBits()
	kernel, args := r.first32.heads, []any{r.textArgs(width), uint32(r.indexBits())}
	if r.wide() {
		f := &r.wideFirst
		r.sort64.Run(r.ws, &f.hi, &f.lo, r.n, 8, 8+width)
		kernel, args = r.first64.heads, append(args, f.hi.Cur, f.lo.Cur)
	} else {
		f := &r.narrowFirst
		r.sort32.Run(r.ws, &f.lo, &f.hi, r.n, r.inLow(), 32)
		r.sort32.Run(r.ws, &f.hi, &f.lo, r.n, 0, min(width, 32))
		args = append(args, f.hi.Cur, f.lo.Cur)
	}
	kernel.Launch(r.tiles(r.n), 12*int64(r.n), append(args, r.sa, r.groups, r.depths.Args(), r.preceding.Args())...)
}

// textArgs are the arguments of kernels about windows of so many bits.
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

// findUnsorted finds small and large groups in sa, and tells how many suffixes are in them.
func (r *run) findUnsorted() error {
	r.nextRounds(1)
	r.classifyHeads(r.groups, r.n, r.all, r.snapshot)
	return r.readCounts()
}

// readCounts waits for the counts of a round.
func (r *run) readCounts() error {
	var counts [countsOfRound]uint32
	err := r.counts.View(r.round, countsOfRound).Read(counts[:])
	r.round += countsOfRound
	r.left = tally{small: int(counts[0]), large: int(counts[1])}
	r.longest = r.inLocal
	if counts[2] != 0 {
		r.longest = r.n
	}
	return err
}

// enlistRange lists what is unsorted: suffixes in small groups if wanted, and of those in large groups
// the ones from first to before behind.
func (r *run) enlistRange(small bool, first, behind int) {
	r.enlist.Launch(r.tiles(r.n), 12*int64(r.n), r.depths.Args(), r.sa, uint64(r.n), r.groups, r.all.classes, r.all.starts,
		flag(small), r.small.Cur.Args(), uint64(first), uint64(behind), r.largeSuffixes.Cur, r.largePlaces.Cur.Args())
}

func flag(b bool) uint32 {
	if b {
		return 1
	}
	return 0
}

// eachLarge calls f with so many of the suffixes in large groups listed as there is room for, and again
// and again until it has had all. false: one group is too long.
func (r *run) eachLarge(f func(m int)) (bool, error) {
	if r.left.large > 0 {
		r.findStarts(r.n, r.all)
	}
	for first := 0; first < r.left.large; {
		behind := r.left.large
		if behind-first > r.Sorter.large {
			var err error
			if behind, err = r.cutLarge(first + r.Sorter.large); behind <= first || err != nil {
				return false, err
			}
		}
		r.enlistRange(false, first, behind)
		f(behind - first)
		r.noteRange(false, first, behind)
		first = behind
	}
	return true, nil
}

// cutLarge finds the last of the large groups that begins no later than there.
func (r *run) cutLarge(last int) (int, error) {
	words := segsort.HeadWords(r.n)
	r.nextRounds(1)
	r.cut.Launch(r.tiles(words), 12*int64(words), r.groups, r.all.classes, r.all.starts, uint64(words), uint32(last), r.counts, uint32(r.round))
	var cut [1]uint32
	err := r.counts.View(r.round, 1).Read(cut[:])
	r.round += countsOfRound
	return int(cut[0]), err
}

// noteRange writes back what lists have come to that were made of this range: depths, groups, and sa.
// Of the small groups those are left in the list that r.left counts.
func (r *run) noteRange(small bool, first, behind int) {
	words := segsort.HeadWords(r.n)
	r.take.Launch(r.tiles(words), 16*int64(words), r.all.classes, r.all.starts, uint64(words), flag(small), uint64(first), uint64(behind), r.groups)
	note := func(places *device.Buffer[uint64], m int) {
		r.note.Launch(r.tiles(m), (8+4+4)*int64(m), places.Args(), uint64(m), r.groups, r.depths.Args())
	}
	large := behind - first
	if small {
		note(r.small.Cur, r.left.small)
		large = r.left.large
	}
	note(r.largePlaces.Cur, large)
	r.settle.Launch(r.tiles(large), 12*int64(large), r.largeSuffixes.Cur, r.largePlaces.Cur.Args(), uint64(large), r.sa)
}

// classifyHeads finds small and large groups among elements by their heads, of which it makes a
// snapshot if that is not nil.
func (r *run) classifyHeads(heads *device.Buffer[uint32], n int, into classes, snapshot *device.Buffer[uint32]) {
	words := segsort.HeadWords(n)
	r.classify.Launch(r.tiles(words), 12*int64(words), heads, uint64(n), uint64(words), uint32(r.inLocal), into.classes, snapshot, r.counts, uint32(r.round))
}

// classifySlots finds the groups in sa anew, without waiting for how many suffixes they have.
func (r *run) classifySlots(snapshot *device.Buffer[uint32]) {
	r.nextRounds(1)
	r.classifyHeads(r.groups, r.n, r.all, snapshot)
	r.round += countsOfRound
}

// findStarts finds where the suffixes of each word of n elements go in lists.
func (r *run) findStarts(n int, of classes) {
	r.start.Run(r.ws, segsort.HeadWords(n), 16, of.classes, of.starts)
}

// next waits for rounds, and makes what they have handed on the unsorted suffixes.
func (r *run) next(rounds int) error {
	for range rounds {
		r.small.Swap()
	}
	r.largeSuffixes.Swap()
	r.largePlaces.Swap()
	r.round += countsOfRound * (rounds - 1) // to the last one
	return r.readCounts()
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
	case share < 0 || inLarge >= 0.5:
		return true
	}
	return unsorted > share && (r.n > 1<<22 || inLarge > 1.0/8)
}

// extendOnce tells whether to go on with another round of extension.
func (r *run) extendOnce(round int) bool {
	if r.o.Extensions != 0 {
		return round < r.o.Extensions
	}
	return round == 0 || r.left.sum() < r.before/2
}

// extendLists sorts the groups in lists by another window of text.
func (r *run) extendLists() error {
	r.nextRounds(1)
	if m := r.left.large; m > 0 {
		r.extendLarge(m)
		r.relistLarge(m)
	}
	r.sortSmall(r.extendSmall.lists, 0, 8+4+32+12, r.textArgs(windowBits), r.depths.Args())
	return r.next(1)
}

// extendSlots sorts all groups by another window of text. false: one is too long.
func (r *run) extendSlots() (bool, error) {
	if m := int64(r.left.small); m > 0 {
		r.sortSlots(r.extendSmall.slots, m*(1+4+32+4), r.textArgs(windowBits), r.depths.Args())
	}
	return r.eachLarge(r.extendLarge)
}

// extendLarge sorts m listed suffixes in large groups by another window.
func (r *run) extendLarge(m int) {
	keys, n := r.largeWindows, int64(m)
	r.extend.Launch(r.tiles(m), n*(12+32+8), r.textArgs(windowBits), r.largeSuffixes.Cur, r.largePlaces.Cur.Args(), uint64(m), r.heads, keys.Cur)
	r.sortExtended.RunWithin(r.ws, &keys, &r.largeSuffixes, r.heads, m, r.longest)
	r.split.Launch(r.tiles(m), n*(12+8+8), keys.Cur, r.largeSuffixes.Cur, uint64(r.n), uint64(m), r.largePlaces.Cur.Args(), r.heads)
}

// relistLarge lists what is still unsorted of m suffixes that were in large groups.
func (r *run) relistLarge(m int) {
	r.classifyHeads(r.heads, m, r.list, nil)
	r.findStarts(m, r.list)
	r.relist.Launch(r.tiles(m), (12+12)*int64(m), r.largeSuffixes.Cur, r.largePlaces.Cur.Args(), uint64(m), r.list.classes, r.list.starts,
		r.small.Alt.Args(), r.largeSuffixes.Alt, r.largePlaces.Alt.Args(), r.sa)
}

// sortSlots runs a round of the small groups where they are. bytes is the traffic of slots that are not
// alone.
func (r *run) sortSlots(kernel *device.Kernel, bytes int64, keys ...any) {
	args := append([]any{uint64(r.n), r.snapshot, r.all.classes, r.groups, r.sa}, keys...)
	kernel.Launch(device.Groups(r.n, r.inTile.slots), int64(r.n)/2+bytes, args...)
}

// sortSmall runs a round of the small groups in lists. It hands them on behind what has become small
// of the large ones.
func (r *run) sortSmall(kernel *device.Kernel, round int, bytes int64, keys ...any) {
	if m := r.left.small; m > 0 {
		places := r.smallOf(round)
		args := append([]any{places.Cur.Args(), uint64(m), r.given(round), r.counts, uint32(r.round + countsOfRound*round), r.counts, places.Alt.Args(), r.sa}, keys...)
		kernel.Launch(device.Groups(m, r.inTile.lists), bytes*int64(m), args...)
	}
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
	// By the top bits of the suffix first, so that writes stay where caches reach: all at once if there is room,
	// since what is written a part at a time is written as often. One pass writes to
	// Alt, and leaves Cur alone.
	bytes := device.Reinterpret[uint8](r.packed)
	if r.overDepths {
		r.unpacked = true
		r.narrow.Launch(r.tiles(r.depths.Len()), (4+1)*int64(r.depths.Len()), r.depths.Args(), uint64(r.depths.Len()), bytes)
	}
	top, pieces := bits.Len(uint(r.n-1)), device.Groups(r.n, r.theirs.Len())
	piece := device.Groups(r.n, pieces)
	for lo := 0; lo < r.n; lo += piece {
		bySuffix := radixsort.Pair[uint32]{Cur: r.isa, Alt: r.behind}
		theirs := radixsort.Pair[uint32]{Cur: r.isa, Alt: r.theirs}
		count := min(piece, r.n-lo)
		r.partition.Run(r.ws, &bySuffix, &theirs, count, max(top-8, 0), top, r.sa, r.groups, r.lasts, uint64(lo))
		r.scatter.Launch(r.tiles(count), (8+32)*int64(count), bySuffix.Cur, theirs.Cur, uint64(count), r.isa)
	}
	if r.overDepths {
		r.widen.Launch(r.tiles(r.depths.Len()), (4+1)*int64(r.depths.Len()), bytes, uint64(r.depths.Len()), r.depths.Args())
	}
	// Lists and the snapshot are lost.
	r.inLists = false
	r.classifySlots(r.snapshot)
}

// window is the number of ranks that may be written in any order without a partition.
func (r *run) window() int {
	if r.o.Window > 0 {
		return r.o.Window
	}
	return 1 << 23
}

// doubleLists sorts the groups in lists by the ranks of what is behind, which all are read before
// the first is changed. Where only small groups are left, that many rounds go together.
func (r *run) doubleLists(rounds int) error {
	if r.left.large > 0 {
		rounds = 1
	}
	r.nextRounds(rounds)
	for round := range rounds {
		if m := r.left.small; m > 0 {
			r.follow.Launch(r.tiles(m), int64(m)*(12+32+4), r.isa, r.sa, r.smallOf(round).Cur.Args(), uint64(m), r.counts, r.given(round), r.listed.Args(), r.depths.Args())
		}
		if m := r.left.large; m > 0 {
			r.doubleLarge(m)
			r.relistLarge(m)
		}
		r.sortSmall(r.doubleSmall.lists, round, 8+4+4+32+12, r.listed.Args(), r.depths.Args(), r.isa)
	}
	return r.next(rounds)
}

// doubleSlots sorts all groups by the ranks of what is behind. false: one is too long. Where only small
// groups are left, some rounds go together.
func (r *run) doubleSlots() (bool, error) {
	rounds := slotsAhead
	if r.left.large > 0 {
		rounds = 1
	}
	for round := range rounds {
		m := int64(r.left.small)
		if m == 0 {
			break
		}
		if round > 0 {
			m = 0 // not known: the profile counts what all slots take
			r.classifySlots(r.snapshot)
		}
		r.followAll.Launch(r.tiles(r.n), int64(r.n)/2+m*(4+2+32+4), r.isa, r.sa, uint64(r.n), r.groups, r.all.classes, r.depths.Args(), flag(r.fresh), r.behind)
		r.sortSlots(r.doubleSmall.slots, m*(4+4+32+4+32), r.behind.Args(), r.depths.Args(), r.isa)
		r.fresh = true
	}
	if r.left.large > 0 {
		r.deepenSlots()
	}
	return r.eachLarge(r.doubleLarge)
}

// deepenSlots notes depths that are fresh.
func (r *run) deepenSlots() {
	if r.fresh {
		r.deepen.Launch(r.tiles(r.n), int64(r.n)/2+int64(r.left.small)*(4+2), r.behind, uint64(r.n), r.groups, r.all.classes, r.depths.Args())
	}
	r.fresh = false
}

// doubleLarge sorts m listed suffixes in large groups by ranks.
func (r *run) doubleLarge(m int) {
	keys, n := r.largeRanks, int64(m)
	r.unpacked = true
	r.followLarge.Launch(r.tiles(m), n*(12+32+4), r.isa, r.largeSuffixes.Cur, r.largePlaces.Cur.Args(), uint64(m), r.heads, keys.Cur, r.depths.Args())
	r.sortDoubled.RunWithin(r.ws, &keys, &r.largeSuffixes, r.heads, m, r.longest)
	r.differ.Launch(r.tiles(m), 12*n, keys.Cur, r.largePlaces.Cur.Args(), uint64(m), r.heads)
	r.refine.Run(r.ws, m, 16+8+32, keys.Cur, r.largeSuffixes.Cur, r.largePlaces.Cur.Args(), r.heads, r.depths.Args(), r.isa)
}
