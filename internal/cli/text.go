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

// Add declares the flags.
func (f *TextFlags) Add(flags *pflag.FlagSet) {
	f.AddRaw(flags)
	f.Input = Choice{seqio.Plain.String(), seqio.Formats()}
	flags.Var(&f.Input, "input", "what the text is: plain bytes, or the sequences of fasta, fastq, or auto")
}

// AddRaw declares --raw alone, for files without a format.
func (f *TextFlags) AddRaw(flags *pflag.FlagSet) {
	flags.BoolVar(&f.Raw, "raw", false, "do not recognise gzip and xz")
}

// Format is that of the text; without --input, plain.
func (f *TextFlags) Format() seqio.Format {
	format, err := seqio.ParseFormat(f.Input.Value)
	if err != nil {
		return seqio.Plain
	}
	return format
}

// OpenText opens a text.
func (f *TextFlags) OpenText(ctx context.Context, name string) (*Input, error) {
	return OpenText(ctx, name, f.Raw, f.Format())
}

// ReadText opens a text and reads all of it. fits, if not nil, is as for Input.ReadAll.
func (f *TextFlags) ReadText(ctx context.Context, name string, fits func(n int64) error) ([]byte, error) {
	in, err := f.OpenText(ctx, name)
	if err != nil {
		return nil, err
	}
	defer in.Close()
	return in.ReadAll(ctx, fits, nil)
}
