package verbs

import (
	"context"

	"github.com/spf13/pflag"

	"github.com/suffixcl/suffixcl/cmd/internal/formats/tsv"
	"github.com/suffixcl/suffixcl/cmd/internal/job"
	"github.com/suffixcl/suffixcl/cmd/internal/search"
	"github.com/suffixcl/suffixcl/internal/cli"
	"github.com/suffixcl/suffixcl/internal/infinigrammini"
)

// miniIndex is the kind of a file that is an index of infini-gram mini; a directory has others with it.
const miniIndex = "FM9"

// miniFlags are those of an index of infini-gram mini.
type miniFlags struct {
	shards []string
	check  bool
}

func (f *miniFlags) add(flags *pflag.FlagSet) {
	flags.StringArrayVar(&f.shards, "shard", nil, "another shard of INDEX, of infini-gram mini; may be given again")
	flags.BoolVar(&f.check, "check", false, "go through all of an index of infini-gram mini first: damage is an error")
}

// wrong tells of flags that another index does not have.
func (f *miniFlags) wrong(name string) error {
	if (len(f.shards) > 0 || f.check) && !infinigrammini.Is(name) {
		return cli.Usage("--shard and --check are for indexes of infini-gram mini")
	}
	return nil
}

// open opens an index of infini-gram mini.
func (f *miniFlags) open(ctx context.Context, name string) (*infinigrammini.Index, error) {
	x, err := infinigrammini.Open(append([]string{name}, f.shards...)...)
	if err == nil && f.check {
		if err = x.Check(ctx); err != nil {
			x.Close()
		}
	}
	switch {
	case ctx.Err() != nil:
		return nil, context.Cause(ctx)
	case err != nil:
		return nil, cannotRead(err)
	}
	return x, nil
}

// runHostLookup is all of a job that searches in an index on the host: no device is opened.
func runHostLookup(ctx context.Context, j *job.Job, flags *search.Flags, mini *miniFlags, name string, locate bool,
	open newWriter) error {
	defer j.Close()
	switch {
	case flags.Both:
		return cli.Usage("--both needs an index of DNA: other texts have one strand")
	case flags.SymbolBytes() > 1:
		return cli.Usage("--symbols %s: an index of infini-gram mini has bytes", flags.Symbols.Value)
	}
	out, err := cli.NewTextOutput(flags.Out, append([]string{name, flags.From.File}, mini.shards...)...)
	if err != nil {
		return err
	}
	var x *infinigrammini.Index
	err = cli.Timed(&j.Report.Seconds.Read, func() error {
		x, err = mini.open(ctx, name)
		return err
	})
	if err != nil {
		return err
	}
	defer x.Close()
	documents, without := x.Documents()
	if flags.Documents && without != nil {
		return without
	}
	notePatterns(j, flags.From.List)
	j.Report.File, j.Report.Bytes, j.Report.Records = name, int(x.Len()), int(documents)
	s := search.New(nil)
	s.Host, s.Places = x, locate
	write := func(rows tsv.Writer) search.FoundWriter { return open(ctx, j, rows, lookedUp{host: x}) }
	return search.Answer(ctx, j, flags, s, false, out, write)
}
