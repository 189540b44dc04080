package verbs

import (
	"context"
	"errors"
	"fmt"
	"io/fs"

	"github.com/spf13/pflag"

	"github.com/suffixcl/suffixcl/cmd/internal/formats/tsv"
	"github.com/suffixcl/suffixcl/cmd/internal/job"
	"github.com/suffixcl/suffixcl/cmd/internal/search"
	"github.com/suffixcl/suffixcl/internal/cli"
	"github.com/suffixcl/suffixcl/internal/infinigrammini"
)

// miniIndex is the kind of a file that is an index of infini-gram mini; a directory has others with it.
const miniIndex = "FM9"

// addShards declares the flag for more shards of an index.
func addShards(flags *pflag.FlagSet, shards *[]string) {
	flags.StringArrayVar(shards, "shard", nil, "another shard of INDEX, of infini-gram mini; may be given again")
}

// openMini opens an index of infini-gram mini.
func openMini(names []string) (*infinigrammini.Index, error) {
	x, err := infinigrammini.Open(names...)
	var failed *fs.PathError
	switch {
	case errors.As(err, &failed):
		return nil, fmt.Errorf("cannot read %s: %w", failed.Path, failed.Err)
	case err != nil:
		return nil, fmt.Errorf("cannot read %w", err)
	}
	return x, nil
}

// runHostLookup is all of a job that searches in an index on the host: no device is opened.
func runHostLookup(ctx context.Context, j *job.Job, flags *search.Flags, names []string, locate bool,
	open newWriter) error {
	defer j.Close()
	switch {
	case flags.Both:
		return cli.Usage("--both needs an index of DNA: other texts have one strand")
	case flags.SymbolBytes() > 1:
		return cli.Usage("--symbols %s: an index of infini-gram mini has bytes", flags.Symbols.Value)
	}
	out, err := cli.NewTextOutput(flags.Out, append([]string{flags.From.File}, names...)...)
	if err != nil {
		return err
	}
	var x *infinigrammini.Index
	err = cli.Timed(&j.Report.Seconds.Read, func() error {
		x, err = openMini(names)
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
	j.Report.File, j.Report.Bytes, j.Report.Records = names[0], int(x.Len()), int(documents)
	s := search.New(nil)
	s.Host, s.Places = x, locate
	write := func(rows tsv.Writer) search.FoundWriter { return open(ctx, j, rows, lookedUp{host: x}) }
	return search.Answer(ctx, j, flags, s, false, out, write)
}
