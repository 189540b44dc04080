package cli

import (
	"context"

	"github.com/spf13/pflag"
	"github.com/suffixcl/suffixcl/seqio"
)

// TextFlags say how a text is read.
type TextFlags struct {
	Raw   bool
	Input Choice
}

// Add declares the flags. format is the default.
func (f *TextFlags) Add(flags *pflag.FlagSet, format seqio.Format) {
	f.AddRaw(flags)
	f.Input = Choice{Value: format.String(), Of: formats()}
	flags.Var(&f.Input, "input",
		`what the text is: "plain" bytes, the sequences of "fasta" or "fastq", or "auto": which of these`)
}

func formats() (names []string) {
	for f := seqio.Auto; f <= seqio.FASTQ; f++ {
		names = append(names, f.String())
	}
	return names
}

// AddRaw declares --raw alone, for files without a format.
func (f *TextFlags) AddRaw(flags *pflag.FlagSet) {
	flags.BoolVar(&f.Raw, "raw", false, "take compressed files as they are")
}

// Options are for [OpenText]. Without --input declared, texts are plain.
func (f *TextFlags) Options() InputOptions {
	o := InputOptions{Raw: f.Raw, PlainFlag: "--input plain takes its bytes"}
	format, err := seqio.ParseFormat(f.Input.Value)
	if err != nil {
		format = seqio.Plain
	}
	o.Sequences.Format = format
	o.Hint = err == nil && format == seqio.Plain && !f.Input.Given
	return o
}

// ReadText opens a text and reads all of it. fits, if not nil, is as for Input.ReadAll.
func (f *TextFlags) ReadText(ctx context.Context, name string, fits func(n int64) error) ([]byte, error) {
	in, err := OpenText(ctx, name, f.Options())
	if err != nil {
		return nil, err
	}
	defer in.Close()
	return in.ReadAll(ctx, fits, nil)
}
