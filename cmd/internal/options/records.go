package options

import (
	"github.com/suffixcl/suffixcl/internal/cli"
	"github.com/suffixcl/suffixcl/seqio"
)

// GenomeOptions are for the files of genomes.
func (f *Job) GenomeOptions() cli.InputOptions {
	o := f.Options()
	o.Hint, o.Records, o.Sequences.Separator = false, true, []byte{Terminator}
	return o
}

// DNAHelp is the usage of --dna.
const DNAHelp = "the text is DNA: fold case, U is T, only A, C, G and T match"

// recordSeparator stands between the records of an indexed text. No sequence holds it.
const recordSeparator = '\n'

// RecordOptions are for a text whose records are told apart.
func (f *Job) RecordOptions(dna bool) cli.InputOptions {
	o := f.Options()
	o.KeepRecords = true
	format := o.Sequences.Format
	o.Sequences = SequenceOptions(dna)
	o.Sequences.Format, o.Sequences.Separator = format, []byte{recordSeparator}
	return o
}

// SequenceOptions are for texts and patterns.
func SequenceOptions(dna bool) seqio.Options {
	return seqio.Options{DNA: dna, Upper: dna}
}
