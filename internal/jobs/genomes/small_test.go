package genomes_test

import (
	"testing"

	"github.com/suffixcl/suffixcl"
	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/internal/call"
	"github.com/suffixcl/suffixcl/internal/intervals"
	"github.com/suffixcl/suffixcl/internal/jobs/genomes"
	"github.com/suffixcl/suffixcl/internal/testkit/enginetest"
)

// smallMatchParts lets matches come in parts of that many.
func smallMatchParts(t *testing.T, n int) {
	enginetest.Set(t, &call.BlockLength, n)
	enginetest.Set(t, &genomes.MatchesAtOnce, [2]int{n, n})
	enginetest.Set(t, &genomes.SeedsAtOnce, [2]int{n, n})
	enginetest.Set(t, &intervals.AtOnce, [2]int{n + 1, n + 1})
}

// seedsServe tells whether all matches are found by seeds, where those serve.
func seedsServe(e *suffixcl.Engine) bool {
	return genomes.SeedsServe(enginetest.Core(e).Session, 1<<20, 40)
}

// withoutSeeds has all matches found by sorting.
func withoutSeeds(f func()) {
	before := genomes.SeedsServe
	genomes.SeedsServe = func(*device.Session, int, uint32) bool { return false }
	defer func() { genomes.SeedsServe = before }()
	f()
}

// smallMappability has texts of more characters counted in groups.
func smallMappability(t *testing.T, n int) { enginetest.Set(t, &genomes.MappabilityMost, n) }

// smallKmers has k-mers counted by hashes in so many parts, and the text packed in pieces of so many characters.
func smallKmers(t *testing.T, parts, piece int) {
	enginetest.Set(t, &genomes.KmerSizes.Whole, [2]int{})
	enginetest.Set(t, &genomes.KmerSizes.Parts, parts)
	enginetest.Set(t, &genomes.KmerSizes.Piece, piece)
}
