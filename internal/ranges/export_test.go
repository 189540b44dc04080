package ranges

const MostSmall = mostSmall

// GuessFrom has the codes of texts of n bytes guessed, by two stretches, and returns what ends that.
func GuessFrom(n int) (end func()) {
	before := guess
	guess.least, guess.stretches, guess.of = n, 2, n/4
	return func() { guess = before }
}

// CodeFrom has texts of n bytes sorted by an alphabetic code first, whatever it is worth, and returns what ends that.
func CodeFrom(n int) (end func()) {
	before := worthCoding
	worthCoding.least, worthCoding.share, worthCoding.cpu = n, 100, true
	return func() { worthCoding = before }
}

// GroupFrom has suffixes collected by parts of so many, and from so many ranges on those of several listed, and returns
// what ends that.
func GroupFrom(ranges, part int) (end func()) {
	many, length := manyScans, partLen
	manyScans, partLen = ranges, part
	return func() { manyScans, partLen = many, length }
}

// MergeUpTo has at most so many suffixes merged before they agree in a period, and returns what ends that.
func MergeUpTo(suffixes int) (end func()) {
	before := mostMerged
	mostMerged = suffixes
	return func() { mostMerged = before }
}

// RunsFrom has runs made where a group has so many suffixes for each residue of the cover, and returns what ends that.
func RunsFrom(suffixes int) (end func()) {
	before := worthRuns
	worthRuns = suffixes
	return func() { worthRuns = before }
}

// PeriodicFrom has texts of n bytes asked for their period, and returns what ends that.
func PeriodicFrom(n int) (end func()) {
	before := periodicFrom
	periodicFrom = n
	return func() { periodicFrom = before }
}

// BlocksOf has blocks of so many suffixes, and returns what ends that.
func BlocksOf(suffixes int) (end func()) {
	before := blockLen
	blockLen = suffixes
	return func() { blockLen = before }
}

const MostPeriod = mostPeriod
