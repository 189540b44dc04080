package options

import (
	"github.com/spf13/pflag"
	"github.com/suffixcl/suffixcl/internal/cli"
)

// Queries say where patterns come from: a file, or a list.
type Queries struct {
	File   string
	List   []string
	Format cli.Choice
	// SymbolBytes of the text: lines of a file are numbers then, unless it is 0 or 1.
	SymbolBytes int
}

// Add declares the flag for what the file is.
func (f *Queries) Add(flags *pflag.FlagSet) {
	f.Format = cli.Choice{Value: "auto", Of: []string{"auto", "lines", "fasta", "fastq"}}
	flags.Var(&f.Format, "queries", "what the file of patterns is: lines, fasta, fastq, or auto")
}

// Options are for the file of patterns.
func (f *Queries) Options(raw, dna bool) cli.InputOptions {
	o := cli.InputOptions{Raw: raw, Sequences: SequenceOptions(dna), PlainFlag: "--queries lines takes its lines"}
	o.Sequences.Format, _ = cli.FormatOf(f.Format.Value) // "lines" are plain
	return o
}
