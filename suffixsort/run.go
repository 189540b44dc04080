package suffixsort

import (
	"context"
	"math"
	"math/bits"
	"slices"

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
	m       int // unsorted suffixes
	before  int // and before the last round
	inSmall int // of them in small groups
	inLarge int
	longest int // of the large groups: a bound
	code    *code

	text                   *device.Buffer[uint8]
	sa, isa, depths, table *device.Buffer[uint32]
	packed                 *device.Buffer[uint64]
	heads, classes, starts *device.Buffer[uint32]
	counts                 *device.Buffer[uint32]
	round                  int                    // where counts has those of the next round
	small                  radixsort.Pair[uint64] // places
	narrow                 *device.Buffer[uint32]
	large                  radixsort.Pair[uint32]
	largePlaces            radixsort.Pair[uint64]
	largeRanks             radixsort.Pair[uint32]
	ws                     *device.Workspace
}

func (r *run) sort(ctx context.Context, progress Progress) error {
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
	return r.sortCounted(ctx, bytes, progress)
}

// sortPeriodic sorts the end of the text, and expands its suffix array.
func (r *run) sortPeriodic(ctx context.Context, t periodic.Text, progress Progress) error {
	end := *r
	end.n = r.n - t.Base
	end.m = end.n
	end.text = device.Reinterpret[uint8](r.sa).View(0, end.n) // until the suffix array is made there
	device.Copy(end.text, r.text.View(t.Base, end.n), end.n)
	end.sa = r.short.Buffer(r.s)
	end.clearCounts()
	bytes, _, err := end.countBytes()
	if err != nil {
		return err
	}
	err = end.sortCounted(ctx, bytes, func(phase string, done, _ int64) {
		if progress != nil {
			progress(phase, int64(t.Base)+done, int64(r.n))
		}
	})
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

// begin begins a phase, or another round of it.
func (r *run) begin(ctx context.Context, progress Progress, phase string) error {
	r.s.Phase(phase)
	if progress != nil {
		progress(phase, int64(r.n-r.m), int64(r.n))
	}
	return r.s.Check(ctx)
}

// sortCounted sorts a text that has those bytes, and is not periodic.
func (r *run) sortCounted(ctx context.Context, bytes []uint32, progress Progress) error {
	step := func(phase string) error { return r.begin(ctx, progress, phase) }
	if err := r.makeCode(bytes); err != nil {
		return err
	}
	if r.code.sigma == 1 {
		r.descend.Launch(r.groups(r.n), 4*int64(r.n), r.sa, uint64(r.n))
		r.m = 0
		return step(PhaseInitial)
	}
	if err := step(PhaseInitial); err != nil {
		return err
	}
	repetitive, err := r.makeWindows()
	if err == nil && !repetitive {
		err = r.sortWindows()
		repetitive = r.m > 0 && r.repeats(float64(r.m)/float64(r.n), float64(r.inLarge)/float64(r.n))
	}
	switch {
	case err != nil:
		return err
	case repetitive:
		return r.skew.Run(ctx, r.text, r.sa, func(phase string, done, total int64) {
			if progress != nil {
				progress(phase, max(done, int64(r.n-r.m)), total)
			}
		})
	}
	for round := 0; r.m > 0 && r.extendOnce(round); round++ {
		if err := step(PhaseExtend); err != nil {
			return err
		}
		if err := r.extendGroups(); err != nil {
			return err
		}
	}
	if r.m > 0 {
		if err := step(PhaseInvert); err != nil {
			return err
		}
		r.invertSorted()
	}
	ahead := firstAhead
	for batch := 0; r.m > 0; batch++ {
		if err := r.s.CheckRound(batch, 0, r.m, r.n); err != nil {
			return err
		}
		if err := step(PhaseDouble); err != nil {
			return err
		}
		if err := r.doubleGroups(ahead); err != nil {
			return err
		}
		ahead = mostAhead
	}
	return step(PhaseDouble)
}

func (r *run) groups(n int) int { return device.Groups(n, r.tile) }

// countBytes counts the bytes, and reads what the Finder has found beside them.
func (r *run) countBytes() (bytes []uint32, recurs uint32, err error) {
	r.count.Launch(r.groups(device.Groups(r.n, 8)), int64(r.n), r.text, uint64(r.n), r.counts)
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
	if err := r.table.Write(r.code.table[:]); err != nil {
		return err
	}
	if r.code.width > 0 {
		words := packedWords(r.n, r.code.width)
		r.pack.Launch(r.groups(words), int64(r.n)+8*int64(words), r.text, uint64(r.n), r.table, uint32(r.code.width), uint64(words), r.packed)
	}
	return nil
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

// makeWindows makes the keys of the first sort, and tells by a sample of them whether the
// text repeats so much that skew is faster: of long texts, since a wait is not for nothing.
func (r *run) makeWindows() (repetitive bool, err error) {
	slots := 0
	if r.n > r.sampleFrom() && r.skew != nil {
		slots = 1 << max(bits.Len(uint(r.n))-7, 0) // at least twice the different windows of the sample
		r.isa.View(0, 2*slots).Fill(0)
	}
	r.windows.Launch(device.Groups(r.n, r.run), 9*int64(r.n), r.text, r.packed, r.table, uint64(r.n), uint32(r.code.width), uint32(r.firstBits()), r.small.Cur,
		r.isa, uint32(slots))
	if slots == 0 {
		return r.repeats(0, 0), nil
	}
	r.sample.Launch(r.groups(slots), 8*int64(slots), r.isa, uint32(slots), r.counts)
	var counts [2]uint32
	err = r.counts.View(countAlone, 2).Read(counts[:])
	alone, few := 256*float64(counts[0])/float64(r.n), 256*float64(counts[1])/float64(r.n)
	return r.repeats(1-alone, 1-alone-few), err
}

// sampleFrom is the length beyond which texts are sampled.
func (r *run) sampleFrom() int {
	if r.o.SampleFrom > 0 {
		return r.o.SampleFrom
	}
	return 1 << 23
}

// sortWindows sorts all suffixes by these keys into sa, and lists the unsorted.
func (r *run) sortWindows() error {
	width := r.firstBits()
	keys := &r.small
	suffixes := radixsort.Pair[uint32]{Cur: r.sa, Alt: r.narrow}
	if r.Sorter.sortWindows.Passes(8, 8+width)%2 == 1 { // the result is to be in sa
		suffixes.Cur, suffixes.Alt = suffixes.Alt, suffixes.Cur
	}
	r.Sorter.sortWindows.Run(r.ws, keys, &suffixes, r.n, 8, 8+width, keys.Cur, uint64(r.n))
	r.findHeads.Launch(r.groups(r.n), 12*int64(r.n), keys.Cur, r.sa, uint64(r.n), r.heads)
	r.classifyHeads(r.n)
	r.list.Launch(r.groups(r.n), 12*int64(r.n), keys.Cur, r.sa, uint64(r.n), r.heads, r.classes, r.starts,
		r.small.Alt, uint64(r.most), r.large.Alt, r.largePlaces.Alt)
	return r.next(1)
}

// classifyHeads finds small and large groups among m elements by their heads.
func (r *run) classifyHeads(m int) {
	words := segsort.HeadWords(m)
	r.classify.Launch(r.groups(words), 12*int64(words), r.heads, uint64(m), uint64(words), uint32(r.inLocal), r.classes, r.counts, uint32(r.round))
	r.start.Run(r.ws, words, 16, r.classes, r.starts, r.counts, uint32(r.round))
}

// next waits for rounds, and makes what they have handed on the unsorted suffixes.
func (r *run) next(rounds int) error {
	for range rounds {
		r.small.Cur, r.small.Alt = r.small.Alt, r.small.Cur
	}
	r.large.Cur, r.large.Alt = r.large.Alt, r.large.Cur
	r.largePlaces.Cur, r.largePlaces.Alt = r.largePlaces.Alt, r.largePlaces.Cur
	r.round += countsOfRound * rounds
	var counts [countsOfRound]uint32 // of the last one
	err := r.counts.View(r.round-countsOfRound, countsOfRound).Read(counts[:])
	r.inSmall, r.inLarge, r.longest = int(counts[0]), int(counts[1]), r.inLocal
	if counts[2] != 0 {
		r.longest = r.n
	}
	r.before, r.m = r.m, r.inSmall+r.inLarge
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
	case share < 0 || inLarge*float64(r.n) >= float64(r.most):
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
	text := []any{r.text, r.packed, r.table, uint64(r.n), uint32(r.code.width), uint32(mostBits)}
	r.nextRounds(1)
	if m := int64(r.inLarge); m > 0 {
		keys := radixsort.Pair[uint64]{Cur: device.Reinterpret[uint64](r.isa), Alt: device.Reinterpret[uint64](r.depths)}
		r.extend.Launch(r.groups(r.inLarge), m*(12+32+8), append(slices.Clip(text), r.large.Cur, r.largePlaces.Cur, uint64(m), r.heads, keys.Cur)...)
		r.sortExtended.RunWithin(r.ws, &keys, &r.large, r.heads, r.inLarge, r.longest)
		r.split.Launch(r.groups(r.inLarge), m*(12+8+8), keys.Cur, r.large.Cur, uint64(r.n), uint64(m), r.largePlaces.Cur, r.heads)
		r.relistLarge()
	}
	r.sortSmall(r.extendSmall, 0, 8+4+32+12, text...)
	return r.next(1)
}

// relistLarge lists what is still unsorted of the large groups.
func (r *run) relistLarge() {
	r.classifyHeads(r.inLarge)
	r.relist.Launch(r.groups(r.inLarge), (12+12)*int64(r.inLarge), r.large.Cur, r.largePlaces.Cur, uint64(r.inLarge), r.classes, r.starts,
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
	firsts := r.depths
	r.number.Launch(r.groups(r.n), 4*int64(r.n), firsts, uint64(r.n))
	if m := r.inSmall; m > 0 {
		r.first.Launch(r.groups(m), 12*int64(m), r.small.Cur, uint64(m), firsts)
	}
	if m := r.inLarge; m > 0 {
		r.settle.Launch(r.groups(m), 12*int64(m), r.large.Cur, r.largePlaces.Cur, uint64(m), r.sa)
		r.firstLarge.Run(r.ws, m, 12, r.largePlaces.Cur, firsts)
	}
	suffixes, ranks := r.sa, firsts
	if r.n > r.window() {
		// By the top bits of the suffix first, so that writes stay where caches reach. One
		// pass writes to Alt, and leaves Cur alone.
		bySuffix := radixsort.Pair[uint32]{Cur: r.isa, Alt: r.narrow}
		theirs := radixsort.Pair[uint32]{Cur: r.isa, Alt: device.Reinterpret[uint32](r.small.Alt)}
		top := bits.Len(uint(r.n - 1))
		r.partition.Run(r.ws, &bySuffix, &theirs, r.n, max(top-8, 0), top, r.sa, firsts)
		suffixes, ranks = bySuffix.Cur, theirs.Cur
	}
	r.invert.Launch(r.groups(r.n), (8+32)*int64(r.n), suffixes, ranks, uint64(r.n), r.isa)
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
			r.follow.Launch(r.groups(r.inSmall), int64(r.inSmall)*(12+32+4), r.isa, r.sa, r.smallOf(round).Cur, uint64(r.inSmall), r.counts, r.given(round), r.narrow, r.depths)
		}
		if m := int64(r.inLarge); m > 0 {
			keys := r.largeRanks
			r.followLarge.Launch(r.groups(r.inLarge), m*(12+32+4), r.isa, r.large.Cur, r.largePlaces.Cur, uint64(m), r.heads, keys.Cur, r.depths)
			r.sortDoubled.RunWithin(r.ws, &keys, &r.large, r.heads, r.inLarge, r.longest)
			r.differ.Launch(r.groups(r.inLarge), 12*m, keys.Cur, r.largePlaces.Cur, uint64(m), r.heads)
			r.refineLarge.Run(r.ws, r.inLarge, 16+8+32, keys.Cur, r.large.Cur, r.largePlaces.Cur, r.heads, r.depths, r.isa)
			r.relistLarge()
		}
		r.sortSmall(r.doubleSmall, round, 8+4+4+32+12, r.narrow, r.depths, r.isa)
	}
	return r.next(rounds)
}
