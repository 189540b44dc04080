package verbs

import (
	"github.com/spf13/cobra"
	"github.com/suffixcl/suffixcl/cmd/internal/verb"
)

const pangenomeHelp = `Make and use the run-length Burrows-Wheeler transform of a collection of DNA, byte for byte
as ropebwt3 writes it (.fmd). It grows: genomes are appended, and indexes merged, without
the sequences that are there.

String 2i is record i, and string 2i+1 its reverse complement; with --forward string i is
record i. The strings are ordered as they come. a, c, g, t are A, C, G, T, and all other
letters N.

docs/pangenomes.md describes the files and what the verbs take.`

// pangenomeVerb has the verbs for run-length transforms of genomes.
func pangenomeVerb() verb.Verb {
	c := &cobra.Command{Use: "pangenome", Short: "Index genomes by a transform that grows", Long: pangenomeHelp}
	return verb.Verb{Command: c, Prepares: &verb.Preparation{Plans: []verb.Planning{planPangenome, planThresholds}},
		Below: []func() verb.Verb{pangenomeBuildVerb, pangenomeAppendVerb, pangenomeMergeVerb, pangenomeStatVerb,
			pangenomeGetVerb, pangenomeSamplesVerb, pangenomeVerifyVerb,
			thresholdsVerb}}
}
