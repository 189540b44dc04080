package cli

import (
	"context"
	"slices"

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

// formats are the names of seqio's, by number.
func formats() (names []string) {
	for f := seqio.Auto; f <= seqio.FASTQ; f++ {
		names = append(names, f.String())
	}
	return names
}

// FormatOf finds a format by name. Where ok is false, there is none of that name; it is plain then.
func FormatOf(name string) (format seqio.Format, ok bool) {
	i := slices.Index(formats(), name)
	if i < 0 {
		return seqio.Plain, false
	}
	return seqio.Format(i), true
}

// AddRaw declares --raw alone, for files without a format.
func (f *TextFlags) AddRaw(flags *pflag.FlagSet) {
	flags.BoolVar(&f.Raw, "raw", false, "take compressed files as they are")
}

// Options are for [OpenText]. Without --input declared, texts are plain.
func (f *TextFlags) Options() InputOptions {
	o := InputOptions{Raw: f.Raw, PlainFlag: "--input plain takes its bytes"}
	format, declared := FormatOf(f.Input.Value)
	o.Sequences.Format = format
	o.Hint = declared && format == seqio.Plain && !f.Input.Given
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
