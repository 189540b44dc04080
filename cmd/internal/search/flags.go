package search

import (
	"github.com/spf13/cobra"
	"github.com/suffixcl/suffixcl/cmd/internal/options"
)

// LookupHelp is what the help of all verbs has that search in an index.
const LookupHelp = `

INDEX is one of "suffixcl index"; or of infini-gram mini, which is asked without a device: a
directory with data.fm9, that file, or a directory of such directories, whose texts count as
one, each after the one before. --shard names more of them.

Patterns are arguments, or with --patterns those of a file: its lines, or the sequences
of FASTA or FASTQ, which are called by their names in the result. A file that begins with
">" or "@" and has no valid record is an error unless --queries says what it is. Files may
be compressed; they are searched in parts while the next is read. Of an index of symbols of
16 or 32 bits a pattern, or a line, is the numbers of its symbols, with spaces; --symbols
checks which the index has. The empty pattern occurs nowhere. --both, for an index of DNA,
searches the other strand of each pattern, too`

// Flags are those of the verbs that search for patterns.
type Flags struct {
	options.Job
	Hits
	DocumentFlags
	From options.Queries
	Out  string
	Both bool
}

// AddSearch declares what all of these verbs have.
func (f *Flags) AddSearch(c *cobra.Command) {
	f.From.Add(c.Flags())
	options.AddTextOutput(c, &f.Out)
	c.Flags().BoolVar(&f.Both, "both", false, "both strands of DNA")
}
