package verb

import (
	"slices"

	"github.com/suffixcl/suffixcl"
	"github.com/suffixcl/suffixcl/internal/cli"
)

// Kinds of what verbs read. Files but those that are read at any place may be compressed.
const (
	Bytes     = "bytes"
	Symbols   = "u16, u32" // little-endian
	Records   = "FASTA, FASTQ"
	Lines     = "lines"
	JSONLines = "lines of JSON"
	Directory = "directory"
	Array     = "array" // of suffixes or lengths, as sa and lcp write it
	Transform = "transform"
	Index     = "FM-index"
	Patch     = "patch"
	Tokens    = "tokens"
)

// Texts are the kinds of a text whose records may be told apart, or that is of symbols.
func Texts(name string) cli.Accepted { return cli.Reads(name, Bytes, Symbols, Records) }

// Rows is the result of a verb that writes lines, of the formats of its flag where it has one.
func Rows(formats ...string) []cli.Produced {
	if len(formats) == 0 {
		formats = []string{"tsv"}
	}
	return []cli.Produced{cli.Writes("output", formats...)}
}

// describe has the verb describe itself: what it says of its files, and what follows from its flags and values.
func (v Verb) describe() {
	if v.Reads == nil && v.Writes == nil {
		return
	}
	d := cli.Description{Inputs: v.Reads, Outputs: slices.Clone(v.Writes), Planned: v.Plan != nil,
		Prepared: v.Prepares != nil, Device: v.Options != nil || v.Prepares != nil}
	flags := v.Flags()
	d.Ranks = flags.Lookup("mpi") != nil
	if v.Options != nil {
		d.Ranges = slices.Contains(v.Options.Algorithm.Of, string(suffixcl.AlgorithmRanges))
	}
	if flags.Lookup("resume") != nil && !slices.ContainsFunc(v.Writes, func(p cli.Produced) bool {
		return p.Name == "resume"
	}) {
		d.Outputs = append(d.Outputs, cli.Writes("resume", "finished ranges"))
	}
	cli.Describe(v.Command, d)
}
