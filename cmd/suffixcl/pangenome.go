package main

import (
	"github.com/spf13/cobra"
	"github.com/suffixcl/suffixcl/cmd/suffixcl/internal/verb"
)

const pangenomeHelp = `Build and use indexes of many genomes.`

// pangenomeVerb has the verbs for many genomes.
func pangenomeVerb() verb.Verb {
	v := verb.Verb{Command: &cobra.Command{Use: "pangenome", Short: "Indexes of many genomes", Long: pangenomeHelp}}
	v.Prepares = &verb.Preparation{Plans: []verb.Planning{planThresholds}}
	v.Below = []func() verb.Verb{thresholdsVerb}
	return v
}
