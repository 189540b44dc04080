package suffixcl

import (
	"testing"
	"time"

	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/internal/call"
	"github.com/suffixcl/suffixcl/internal/intervals"
	"github.com/suffixcl/suffixcl/internal/jobs/genomes"
	"github.com/suffixcl/suffixcl/internal/jobs/inranges"
	"github.com/suffixcl/suffixcl/internal/jobs/repeats"
	"github.com/suffixcl/suffixcl/internal/sorter"
)

// set sets a variable of the jobs until the test ends.
func set[T any](t *testing.T, variable *T, value T) {
	before := *variable
	*variable = value
	t.Cleanup(func() { *variable = before })
}

// SmallBlocks lets results come in blocks of that many positions.
func SmallBlocks(t *testing.T, n int) {
	set(t, &repeats.RowsAtOnce, n)
	set(t, &call.BlockLength, n)
	set(t, &intervals.AtOnce, [2]int{n + 1, n + 1})
}

// SmallMatchParts lets matches come in parts of that many.
func SmallMatchParts(t *testing.T, n int) {
	set(t, &call.BlockLength, n)
	set(t, &genomes.MatchesAtOnce, [2]int{n, n})
	set(t, &genomes.SeedsAtOnce, [2]int{n, n})
	set(t, &intervals.AtOnce, [2]int{n + 1, n + 1})
}

// SeedsServe tells whether all matches are found by seeds, where those serve.
func SeedsServe(e *Engine) bool { return genomes.SeedsServe(e.Session(), 1<<20, 40) }

// WithoutSeeds has all matches found by sorting.
func WithoutSeeds(f func()) {
	before := genomes.SeedsServe
	genomes.SeedsServe = func(*device.Session, int, uint32) bool { return false }
	defer func() { genomes.SeedsServe = before }()
	f()
}

// SmallMappability has texts of more characters counted in groups.
func SmallMappability(t *testing.T, n int) { set(t, &genomes.MappabilityMost, n) }

// SmallKmers has k-mers counted by hashes in so many parts, and the text packed in pieces of so many characters.
func SmallKmers(t *testing.T, parts, piece int) {
	set(t, &genomes.KmerSizes.Whole, [2]int{})
	set(t, &genomes.KmerSizes.Parts, parts)
	set(t, &genomes.KmerSizes.Piece, piece)
}

// Session is that of the engine.
func (e *Engine) Session() *device.Session { return e.core.Session }

// Forget frees the memory that the engine keeps between calls.
func (e *Engine) Forget() { e.core.Forget() }

// Kept is the memory that the engine keeps between calls.
func (e *Engine) Kept() int64 { return e.core.Kept() }

// Automatic are the choices of AlgorithmAuto.
func Automatic(caps *device.Caps, n int) (all []Algorithm) {
	for _, a := range sorter.Automatic(caps, n) {
		all = append(all, Algorithm(a))
	}
	return all
}

// TimeOf is the time of a text that is so many times as long as the longer of two, by whose times it is estimated.
func TimeOf(short, long time.Duration, longer, by float64) time.Duration {
	return inranges.TimeOf(short, long, longer, by)
}
