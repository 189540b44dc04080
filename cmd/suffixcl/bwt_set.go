package main

import (
	"context"
	"io"

	"github.com/spf13/pflag"
	"github.com/suffixcl/suffixcl"
	"github.com/suffixcl/suffixcl/internal/cli"
	"github.com/suffixcl/suffixcl/seqio"
)

// setTransform are the flags of the transform of a set.
type setTransform struct {
	setFlags
	set, both bool
	format    cli.Choice
}

func (f *setTransform) add(flags *pflag.FlagSet) {
	flags.BoolVar(&f.set, "set", false, "the transform of a set of texts")
	f.setFlags.add(flags)
	flags.BoolVar(&f.both, "both", false, "both strands of each text of DNA, for --set")
	f.format = cli.Choice{Value: "plain", Of: []string{"plain", "ropebwt3"}}
	flags.Var(&f.format, "format", "letters of --set: plain, as they are, or those of ropebwt3")
}

func (f *setTransform) wrong() error {
	switch {
	case !f.set && (f.both || f.field != "" || f.upper || f.format.Given):
		return cli.Usage("--both, --field, --upper and --format need --set")
	case f.set && f.mpi:
		return cli.Usage("--set does not go with --mpi")
	case f.set && f.symbolBytes() > 1:
		return cli.Usage("--set does not go with --symbols %s", f.symbols.Value)
	}
	return f.setFlags.wrong()
}

// recognise has records recognised, as gsa does, if the flags do not say what the texts are.
func (f *setTransform) recognise() {
	if f.set && !f.Input.Given && f.field == "" {
		f.Input.Value = seqio.Auto.String()
	}
}

func (f *setTransform) want() suffixcl.Want { return suffixcl.Want{BWT: true} }

// largestLetter stands for N while texts are sorted: ropebwt3 has N after T.
const largestLetter = 'Z'

// texts are those that are sorted.
func (f *setTransform) texts(c *suffixcl.Collection) (_ *suffixcl.Collection, err error) {
	if err := c.CheckTerminator(terminator); err != nil {
		return nil, err
	}
	if f.both {
		if c, err = c.BothStrands(terminator); err != nil {
			return nil, err
		}
	}
	if f.format.Value != "ropebwt3" {
		return c, nil
	}
	letters := make([]byte, c.Len())
	for i, b := range c.Bytes() {
		switch b {
		case 'A', 'C', 'G', 'T', terminator:
			letters[i] = b
		case 'a', 'c', 'g', 't':
			letters[i] = b &^ 0x20
		default:
			letters[i] = largestLetter
		}
	}
	return suffixcl.CollectRecords(letters, recordsOf(c))
}

// bytes are those of the file.
func (f *setTransform) bytes(transform []byte) []byte {
	if f.format.Value == "ropebwt3" {
		for i, b := range transform {
			if b == largestLetter {
				transform[i] = 'N'
			}
		}
	}
	return transform
}

func runSetTransform(ctx context.Context, j *job, flags *setTransform, name, outName string) error {
	return j.result(ctx, outName, []string{name}, func(j *job) (func(io.Writer) error, error) {
		c, err := j.openDeviceAndSet(ctx, name, &flags.setFlags, flags.texts)
		if err != nil {
			return nil, err
		}
		if err := (resultFile{bytes: int64(c.Len()), out: outName}).checkRoom(); err != nil {
			return nil, err
		}
		r, err := j.engine.Build(j.measured(ctx), suffixcl.Set(c), flags.want())
		if err != nil {
			return nil, err
		}
		transform := flags.bytes(r.BWT.Bytes())
		return func(w io.Writer) error { return writeBytes(w, transform, j.progress.Of("write")) }, nil
	})
}
