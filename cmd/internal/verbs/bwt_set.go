package verbs

import (
	"bytes"
	"context"
	"fmt"
	"io"

	"github.com/spf13/pflag"
	"github.com/suffixcl/suffixcl"
	"github.com/suffixcl/suffixcl/cmd/internal/job"
	"github.com/suffixcl/suffixcl/cmd/internal/options"
	"github.com/suffixcl/suffixcl/cmd/internal/sink"
	"github.com/suffixcl/suffixcl/internal/cli"
	"github.com/suffixcl/suffixcl/internal/nucleotide"
	"github.com/suffixcl/suffixcl/internal/parallel"
	"github.com/suffixcl/suffixcl/seqio"
)

// setTransform are the flags of the transform of a set.
type setTransform struct {
	options.Set
	set, both bool
	format    cli.Choice
}

func (f *setTransform) add(flags *pflag.FlagSet) {
	flags.BoolVar(&f.set, "set", false, "the transform of a set of texts")
	f.Set.Add(flags)
	flags.BoolVar(&f.both, "both", false, "both strands of each text of DNA, for --set")
	f.format = cli.Choice{Value: "plain", Of: []string{"plain", "ropebwt3"}}
	flags.Var(&f.format, "format", "letters of --set: plain, as they are, or those of ropebwt3")
}

func (f *setTransform) wrong() error {
	switch {
	case !f.set && (f.both || f.Field != "" || f.Upper || f.format.Given):
		return cli.Usage("--both, --field, --upper and --format need --set")
	case f.set && f.MPI:
		return cli.Usage("--set does not go with --mpi")
	case f.set && f.SymbolBytes() > 1:
		return cli.Usage("--set does not go with --symbols %s", f.Symbols.Value)
	}
	return f.Set.Wrong()
}

// recognise has records recognised, as gsa does, if the flags do not say what the texts are.
func (f *setTransform) recognise() {
	if f.set && !f.Input.Given && f.Field == "" {
		f.Input.Value = seqio.Auto.String()
	}
}

func (f *setTransform) want() suffixcl.Want { return suffixcl.Want{BWT: true} }

// largestLetter stands for N while texts are sorted: ropebwt3 has N after T.
const largestLetter = 'Z'

// lettersOfRopebwt3 has the letter of each byte there: 1 to 4 are codes of bases, and all others are N. Terminators
// stay.
var lettersOfRopebwt3 = func() (letters [256]byte) {
	for b := range letters {
		letters[b] = 'N'
	}
	for i, base := range []byte(nucleotide.Bases) {
		letters[i+1], letters[base], letters[base|0x20] = base, base, base
	}
	letters[options.Terminator] = options.Terminator
	return letters
}()

// texts are those that are sorted. Their letters are those of ropebwt3 before there is another strand.
func (f *setTransform) texts(c *suffixcl.Collection) (_ *suffixcl.Collection, err error) {
	if err := c.CheckTerminator(options.Terminator); err != nil {
		return nil, err
	}
	ropebwt3 := f.format.Value == "ropebwt3"
	if ropebwt3 {
		if k, at := holds(c, 0); k >= 0 {
			return nil, fmt.Errorf("text %d holds the byte 0, which ends a text in ropebwt3, at offset %d", k, at)
		}
		text := c.Bytes()
		parallel.Do(len(text), 1<<20, func(lo, hi int) {
			for i, b := range text[lo:hi] {
				text[lo+i] = lettersOfRopebwt3[b]
			}
		})
	}
	if f.both {
		if c, err = c.BothStrands(options.Terminator); err != nil {
			return nil, err
		}
	}
	if ropebwt3 {
		replace(c.Bytes(), 'N', largestLetter)
	}
	return c, nil
}

// holds is the first text that has a byte, and where; -1 if none has.
func holds(c *suffixcl.Collection, b byte) (text, offset int) {
	at := bytes.IndexByte(c.Bytes(), b)
	text, offset, ok := c.Find(at)
	if !ok {
		return -1, 0
	}
	return text, offset
}

// replace replaces a byte in place.
func replace(text []byte, old, by byte) {
	parallel.Do(len(text), 1<<20, func(lo, hi int) {
		for i, b := range text[lo:hi] {
			if b == old {
				text[lo+i] = by
			}
		}
	})
}

// bytes are those of the file.
func (f *setTransform) bytes(transform []byte) []byte {
	if f.format.Value == "ropebwt3" {
		replace(transform, largestLetter, 'N')
	}
	return transform
}

func runSetTransform(ctx context.Context, j *job.Job, flags *setTransform, name, outName string) error {
	defer j.Close()
	return j.Sink.Result(ctx, outName, []string{name}, func() (func(io.Writer) error, error) {
		c, err := j.Source.OpenDeviceAndSet(ctx, name, &flags.Set, flags.texts)
		if err != nil {
			return nil, err
		}
		if err := (sink.File{Bytes: int64(c.Len()), Out: outName}).CheckRoom(); err != nil {
			return nil, err
		}
		r, err := j.Engine().Arrays(suffixcl.Set(c), flags.want()).All(j.Measured(ctx))
		if err != nil {
			return nil, err
		}
		transform := flags.bytes(r.BWT.Bytes())
		return func(w io.Writer) error { return sink.WriteBytes(w, transform, j.Session.Progress.Of("write")) }, nil
	})
}
