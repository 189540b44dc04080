package suffixsort

import (
	"github.com/suffixcl/suffixcl/internal/intmath"
	"github.com/suffixcl/suffixcl/internal/periodic"
	"github.com/suffixcl/suffixcl/internal/symbols"
	"github.com/suffixcl/suffixcl/segsort"
)

// step is a step of a run. Steps are in execution order, but for two loops: from stepClassify to stepStart while chains
// leave too many representatives, and from stepKeys to stepDoubleLarge, the rounds of doubling.
type step int

const (
	stepCode step = iota // count bytes, pack the text
	stepMark             // samples
	stepList             // their windows
	stepFirstSort
	stepHeads // groups and depths from sorted windows
	stepClassify
	stepExtendSmall
	stepExtendLarge
	stepInvert
	stepLink  // and choose
	stepStart // count the chosen before each word
	stepGather
	stepNumber
	stepDepart
	stepKeys // classify representatives, follow their chains
	stepDoubleSmall
	stepDoubleMiddle // large groups in local memory
	stepDoubleLarge  // others
	stepSettle       // in the order of the text
	stepReturn       // settle, and return
	stepInduce       // windows of all suffixes in the order of samples
	stepMerge        // by these windows
	stepExpand       // of a periodic text
	stepTransform
	steps
)

// lifetime is a set of steps.
type lifetime uint32

// during has the steps from first to last.
func during(first, last step) lifetime { return 1<<(last+1) - 1<<first }

// block is an allocation that has tenants.
type block int

const (
	blockISA block = iota
	blockOrder
	blockRanks
	blockPacked
	blockStarts
	blockClasses // of representatives
	blockHeads   // of representatives
	blockResult  // the caller's suffix array
	blocks
)

// tenant is an array that has a part of a block for some steps.
type tenant struct {
	name          string
	block         block
	offset, words int // words of 32 bits
	element       int // bytes
	sorted        bool
	lives         lifetime
}

func (t tenant) end() int { return t.offset + t.words }

// align is where a tenant may begin, in bytes: pairs are loaded by package segsort 16 bytes at a time.
func (t tenant) align() int {
	if t.sorted {
		return 16
	}
	return max(t.element, 4)
}

// The tenants. A suffix 2 is the other buffer of a sort.
type tenantID int

const (
	tenantSymbols tenantID = iota
	tenantSymbols2
	tenantHighWords
	tenantHighWords2
	tenantLowWords
	tenantLowWords2
	tenantSuffixArray
	tenantPacked
	tenantDepths
	tenantSnapshot

	tenantSampled
	tenantLongs
	tenantSampleMarks
	tenantPlaces
	tenantGaps
	tenantSampleLowWords2
	tenantSampleArray
	tenantInducedStarts

	tenantWindowKeys
	tenantWindowKeys2
	tenantWindowSuffixes
	tenantWindowSuffixes2
	tenantWindowSlots
	tenantWindowHeads
	tenantWindowStarts

	tenantISA
	tenantPartitionedSuffixes
	tenantPartitionedRanks

	tenantChosen
	tenantChosenStarts
	tenantChainEnds
	tenantMarked
	tenantMarks

	tenantOrder
	tenantNext
	tenantSlots
	tenantRanks
	tenantKeys
	tenantLongKeys
	tenantRepresentativeClasses
	tenantRepresentativeSnapshot
	tenantRepresentativeStarts

	tenantRankJobs

	tenantRankKeys
	tenantRankKeys2
	tenantRankSuffixes
	tenantRankSuffixes2
	tenantRankSlots
	tenantRankHeads

	tenantSettled
	tenantTailArray
	tenantTailStarts
	tenantTransform
	tenants
)

// form is what lifetimes depend on, besides the length of the text.
type form struct {
	packed      bool // all symbols have the same width
	partitioned bool // suffixes are partitioned before their ranks are scattered
	sampled     bool // samples are sorted first; the tenants of their sort are at most as long as those of all suffixes
}

// arena places the tenants of texts of up to n characters.
type arena struct {
	n        int
	capacity capacities
	symbols  bool // texts of symbols are coded
}

// even rounds up to whole words of 64 bits.
func even(words int) int { return intmath.RoundUp(words, 2) }

// depthsOf is the number of depths, which are bytes.
func depthsOf(n int) int { return n/2 + 2 }

// tenants of a text of n characters, a.n or fewer. A tenant that the form has no use for has no steps.
func (a arena) tenants(n int, f form) [tenants]tenant {
	windows, ranks, representatives := a.capacity.Windows, a.capacity.Ranks, a.capacity.Representatives
	bitmap, ends := segsort.HeadWords(n), segsort.HeadWords(representatives)
	ranked := even(2 * representatives)            // ranks of representatives begin beyond the keys
	suffixes := intmath.RoundUp(2*ends, listAlign) // beyond the starts
	order := suffixes + ranks                      // beyond the listed numbers

	packed, partition, coding := lifetime(0), lifetime(0), lifetime(0)
	mark, place, sampleFirst, sampleArray, induce := lifetime(0), lifetime(0), lifetime(0), lifetime(0), lifetime(0)
	symbolWords := 0
	if a.symbols {
		symbolWords, coding = symbols.ScratchLen(n), during(stepCode, stepCode)
	}
	depths := during(stepHeads, stepNumber)
	if f.packed {
		packed, depths = during(stepCode, stepTransform), 0 // all groups have the same
	}
	if f.partitioned {
		partition = during(stepInvert, stepInvert)
	}

	var (
		first      = during(stepFirstSort, stepFirstSort)
		second     = first // the other buffers
		firstHeads = during(stepFirstSort, stepHeads)
		lowWords2  = first
		array      = during(stepHeads, stepTransform)
		extend     = during(stepExtendLarge, stepExtendLarge)
		double     = during(stepDoubleLarge, stepDoubleLarge)
		rounds     = during(stepKeys, stepDoubleLarge)
		expand     = during(stepExpand, stepExpand)
		settle     = during(stepReturn, stepReturn)
		isa        = during(stepInvert, stepDoubleMiddle) | during(stepSettle, stepSettle) // lists take its memory
	)
	if f.sampled {
		merge := during(stepMerge, stepMerge)
		induce = during(stepInduce, stepInduce)
		mark, place = during(stepMark, stepList), during(stepList, stepInduce)
		sampleFirst, sampleArray = first, during(stepHeads, stepInduce)
		firstHeads = during(stepList, stepHeads) | during(stepInduce, stepMerge)
		second, lowWords2, array = first|merge, merge, during(stepExpand, stepTransform)
	}
	return [tenants]tenant{
		tenantSymbols:     {"scratch of symbols", blockISA, 0, symbolWords, 8, true, coding},
		tenantSymbols2:    {"scratch of symbols 2", blockRanks, 0, symbolWords, 8, true, coding},
		tenantHighWords:   {"high words", blockISA, 0, n, 4, true, firstHeads},
		tenantHighWords2:  {"high words 2", blockRanks, 0, n, 4, true, second},
		tenantLowWords:    {"low words", blockOrder, 0, n, 4, true, firstHeads},
		tenantLowWords2:   {"low words 2", blockResult, 0, n, 4, true, lowWords2},
		tenantSuffixArray: {"suffix array", blockResult, 0, n, 4, false, array},
		tenantPacked:      {"packed text", blockPacked, 0, 2 * packedWords(n, maxWidth), 8, false, packed},
		tenantDepths:      {"depths", blockPacked, 0, intmath.CeilDiv(depthsOf(n), 4), 1, false, depths},
		tenantSnapshot:    {"snapshot", blockRanks, 0, bitmap, 4, false, during(stepClassify, stepExtendSmall)},

		tenantSampled:     {"sampled places", blockRanks, 0, bitmap, 4, false, mark},
		tenantLongs:       {"long phrases", blockPacked, 0, bitmap, 4, false, mark},
		tenantSampleMarks: {"marks of samples", blockStarts, 0, 2 * bitmap, 8, false, mark},
		tenantPlaces:      {"places of samples", blockResult, maxSamples(n), maxSamples(n), 4, false, place},
		tenantGaps: {"gaps before samples", blockResult, 2 * maxSamples(n), maxSamples(n) / 2, 2, false,
			place},
		tenantSampleLowWords2: {"low words 2 of samples", blockResult, 0, maxSamples(n), 4, true, sampleFirst},
		tenantSampleArray:     {"suffix array of samples", blockResult, 0, maxSamples(n), 4, false, sampleArray},
		tenantInducedStarts:   {"starts of induced suffixes", blockRanks, 0, 2 * maxSamples(n), 8, false, induce},

		tenantWindowKeys:      {"listed windows", blockISA, 0, 2 * windows, 8, true, extend},
		tenantWindowKeys2:     {"listed windows 2", blockOrder, 0, 2 * windows, 8, true, extend},
		tenantWindowSuffixes:  {"listed suffixes", blockISA, 2 * windows, windows, 4, true, extend},
		tenantWindowSuffixes2: {"listed suffixes 2", blockOrder, 2 * windows, windows, 4, true, extend},
		tenantWindowSlots:     {"listed slots", blockRanks, 0, windows, 4, false, extend},
		tenantWindowHeads:     {"listed heads", blockClasses, 0, segsort.HeadWords(windows), 4, false, extend},
		tenantWindowStarts:    {"starts of large groups", blockStarts, 0, 2 * bitmap, 8, false, extend},

		tenantISA:                 {"ISA", blockISA, 0, n, 4, false, isa},
		tenantPartitionedSuffixes: {"partitioned suffixes", blockOrder, 0, n, 4, true, partition},
		tenantPartitionedRanks:    {"partitioned ranks", blockRanks, 0, n, 4, true, partition},

		tenantChosen:       {"chosen suffixes", blockRanks, 0, 2 * bitmap, 8, false, during(stepLink, stepGather)},
		tenantChosenStarts: {"starts of chosen", blockStarts, 0, 2 * bitmap, 8, false, during(stepStart, stepGather)},
		tenantChainEnds:    {"ends of chains", blockStarts, 0, bitmap, 4, false, during(stepInvert, stepLink)},
		tenantMarked:       {"marked places", blockRanks, 2 * bitmap, bitmap, 4, false, during(stepLink, stepNumber)},
		tenantMarks:        {"marks", blockStarts, 0, 2 * bitmap, 8, false, during(stepNumber, stepReturn)},

		tenantOrder: {"order", blockOrder, order, representatives, 4, false, during(stepGather, stepDoubleLarge)},
		tenantNext: {"next", blockOrder, order + representatives, representatives, 4, false,
			during(stepNumber, stepDoubleLarge)},
		tenantSlots: {"slots", blockOrder, order + 2*representatives, representatives, 4, false,
			during(stepGather, stepDoubleLarge)},
		tenantRanks: {"ranks", blockRanks, ranked, representatives, 4, false, during(stepDepart, stepReturn)},
		// After the first round the other buffer of next.
		tenantKeys: {"first keys, next 2", blockRanks, ranked + representatives, representatives, 4, false,
			during(stepDepart, stepDoubleLarge)},
		tenantLongKeys:              {"keys", blockRanks, 0, 2 * representatives, 8, false, rounds},
		tenantRepresentativeClasses: {"classes of representatives", blockClasses, 0, 2 * ends, 8, false, rounds},
		tenantRepresentativeSnapshot: {"snapshot of representatives", blockHeads, 0, ends, 4, false,
			during(stepKeys, stepDoubleSmall)},
		tenantRepresentativeStarts: {"starts of representatives", blockOrder, 0, 2 * ends, 8, false, double},

		tenantRankJobs: {"jobs of large groups", blockOrder, 0, order, 16, false,
			during(stepDoubleMiddle, stepDoubleMiddle)},

		tenantRankKeys:      {"listed keys", blockISA, 0, 2 * ranks, 8, true, double},
		tenantRankKeys2:     {"listed keys 2", blockISA, 3 * ranks, 2 * ranks, 8, true, double},
		tenantRankSuffixes:  {"listed numbers", blockOrder, suffixes, ranks, 4, true, double},
		tenantRankSuffixes2: {"listed numbers 2", blockISA, 2 * ranks, ranks, 4, true, double},
		tenantRankSlots:     {"listed slots of representatives", blockISA, 5 * ranks, ranks, 4, false, double},
		tenantRankHeads:     {"listed heads of representatives", blockHeads, 0, segsort.HeadWords(ranks), 4, false, double},

		tenantSettled:    {"settled suffixes", blockISA, 0, n, 4, false, settle},
		tenantTailArray:  {"suffix array of the tail", blockOrder, 0, periodic.Most(n), 4, false, expand},
		tenantTailStarts: {"starts of chains", blockISA, 0, periodic.Most(n), 4, false, expand},
		tenantTransform: {"transform", blockOrder, 0, intmath.CeilDiv(n, 4), 1, false,
			during(stepTransform, stepTransform)},
	}
}

// words of each block: as far as its tenants reach.
func (a arena) words() (words [blocks]int) {
	for _, t := range a.tenants(a.n, form{}) {
		words[t.block] = max(words[t.block], t.end())
	}
	for _, b := range []block{blockISA, blockOrder, blockRanks} {
		words[b] = even(words[b])
	}
	return words
}
