package verbs

import (
	"context"

	"github.com/suffixcl/suffixcl"
	"github.com/suffixcl/suffixcl/cmd/internal/verb"
	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/formats"
)

const thresholdsHelp = `Write the runs of the transform of genomes, and their thresholds, as Movi, SPUMONI and MONI take
them: PREFIX.bwt.heads, .bwt.len and .thr_pos.

FILE is FASTA, also compressed; several are one text, in their order. The text has each
record, then its reverse complement, in capitals; letters but A, C, G, T become A. With
--separators there is a % after each strand of each record. The text of both strands has
4,294,967,294 letters at most, and is sorted in one piece.

The files appear together when all are complete, and replace none without --force.`

// thresholdsVerb is a verb of pangenome.
func thresholdsVerb() verb.Verb {
	return indexFormat{
		of:     formats.Movi,
		large:  variant{formats.MoviSeparated, "separators", "a % after each strand of each record"},
		family: "pangenome", name: "thresholds", file: "FILE", index: "runs and thresholds of Movi",
		short:    "Write runs and thresholds for Movi and SPUMONI",
		long:     thresholdsHelp,
		prepares: &verb.Preparation{Plans: []verb.Planning{planThresholds}},
	}.verb()
}

// planThresholds plans those of a text of n letters.
func planThresholds(ctx context.Context, e *suffixcl.Engine, n int) (device.MemoryPlan, error) {
	return e.Arrays(suffixcl.Length(1, n), suffixcl.Want{Runs: true}).Plan(ctx)
}
