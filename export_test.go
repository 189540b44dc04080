package suffixcl

import (
	"context"
	"testing"
	"time"

	"github.com/suffixcl/suffixcl/device"
)

// SmallBlocks lets results come in blocks of that many positions.
func SmallBlocks(t *testing.T, n int) {
	rows, block, slots := rowsAtOnce, blockLength, intervalsAtOnce
	rowsAtOnce, blockLength, intervalsAtOnce = n, n, [2]int{n + 1, n + 1}
	t.Cleanup(func() { rowsAtOnce, blockLength, intervalsAtOnce = rows, block, slots })
}

// SmallMatchParts lets matches come in parts of that many.
func SmallMatchParts(t *testing.T, n int) {
	block, matches, seeds, slots := blockLength, matchesAtOnce, seedsAtOnce, intervalsAtOnce
	blockLength, matchesAtOnce, seedsAtOnce, intervalsAtOnce = n, [2]int{n, n}, [2]int{n, n}, [2]int{n + 1, n + 1}
	t.Cleanup(func() {
		blockLength, matchesAtOnce, seedsAtOnce, intervalsAtOnce = block, matches, seeds, slots
	})
}

// SeedsServe tells whether all matches are found by seeds, where those serve.
func SeedsServe(e *Engine) bool { return seedsServe(e.session, 1<<20, 40) }

// WithoutSeeds has all matches found by sorting.
func WithoutSeeds(f func()) {
	before := seedsServe
	seedsServe = func(*device.Session, int, uint32) bool { return false }
	defer func() { seedsServe = before }()
	f()
}

// SmallMappability has texts of more characters counted in groups.
func SmallMappability(t *testing.T, n int) {
	most := mappabilityMost
	mappabilityMost = n
	t.Cleanup(func() { mappabilityMost = most })
}

// SmallKmers has k-mers counted by hashes in so many parts, and the text packed in pieces of so many characters.
func SmallKmers(t *testing.T, parts, piece int) {
	sizes := kmerSizes
	kmerSizes.whole, kmerSizes.parts, kmerSizes.piece = [2]int{}, parts, piece
	t.Cleanup(func() { kmerSizes = sizes })
}

// Session is that of the engine.
func (e *Engine) Session() *device.Session { return e.session }

// Forget frees the memory that the engine keeps between calls.
func (e *Engine) Forget() {
	e.take(context.Background())
	defer e.give()
	e.plans.forget(e.session)
}

// Kept is the memory that the engine keeps between calls.
func (e *Engine) Kept() int64 {
	if e.plans.holder == nil {
		return 0
	}
	return e.plans.holder.memory().Device()
}

// The choices of AlgorithmAuto.
var Automatic = automatic

// TimeOf is the time of a text that is so many times as long as the longer of two, by whose times it is estimated.
func TimeOf(short, long time.Duration, longer, by float64) time.Duration {
	least := rangesTime{ranges: long}
	return least.scale(by, fixedOf(rangesTime{ranges: short}, least, longer)).total()
}
