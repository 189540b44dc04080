package verbs

import (
	"cmp"
	"context"
	"fmt"
	"os"

	"github.com/spf13/cobra"
	"github.com/suffixcl/suffixcl"
	"github.com/suffixcl/suffixcl/cmd/internal/formats/tsv"
	"github.com/suffixcl/suffixcl/cmd/internal/job"
	"github.com/suffixcl/suffixcl/cmd/internal/operation"
	"github.com/suffixcl/suffixcl/cmd/internal/options"
	"github.com/suffixcl/suffixcl/cmd/internal/search"
	"github.com/suffixcl/suffixcl/cmd/internal/verb"
	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/internal/cli"
	"github.com/suffixcl/suffixcl/internal/fmindex"
	"github.com/suffixcl/suffixcl/internal/infinigrammini"
)

// lookedUp is an index that is searched: on the device, or on the host.
type lookedUp struct {
	*suffixcl.Index
	host *infinigrammini.Index
}

// newWriter makes what writes the result of a search.
type newWriter func(ctx context.Context, j *job.Job, rows tsv.Writer, x lookedUp) search.FoundWriter

// lookupVerb makes a verb that searches in an index.
func lookupVerb(name string, flags *search.Flags, locate bool, open newWriter) verb.Verb {
	var mini miniFlags
	v := verb.Verb{Options: &flags.Job, Op: verb.Always(operation.MadeIndex)}
	v.Plan = func(ctx context.Context, j *job.Job, name string) (device.MemoryPlan, error) {
		return planIndex(ctx, j, name, locate)
	}
	v.Prepares = &verb.Preparation{Plans: verb.PlansOf(operation.MadeIndex), Rehearse: rehearseIndex}
	v.Reads = []cli.Accepted{cli.Reads("INDEX", verb.Index, miniIndex, verb.Directory), cli.Takes("PATTERN", "pattern"),
		cli.Reads("patterns", verb.Lines, verb.Records)}
	v.Writes = verb.Rows()
	v.Command = &cobra.Command{
		Use: name + " INDEX [PATTERN...]",
		Example: fmt.Sprintf("  suffixcl %[1]s genome.fmi GATTACA\n  suffixcl %[1]s genome.fmi --patterns reads.fq.gz\n"+
			"  suffixcl %[1]s corpus-index 'natural language processing'", name),
	}
	v.Check = func(args []string) error {
		return cmp.Or(mini.wrong(args[0]), flags.Hits.Check(), flags.DocumentFlags.Check(),
			options.OneStandardInput(args[0], flags.From.File))
	}
	v.Run = func(ctx context.Context, args []string) error {
		flags.From.List = args[1:]
		if (flags.From.File != "") == (len(flags.From.List) > 0) {
			return cli.Usage("patterns are arguments, or those of --patterns FILE")
		}
		if infinigrammini.Is(args[0]) {
			return runHostLookup(ctx, v.Job(), flags, &mini, args[0], locate, open)
		}
		return runLookup(ctx, v.Job(), flags, args[0], locate, open)
	}
	flags.AddCommon(v.Flags())
	flags.AddRaw(v.Flags())
	flags.AddIndexSymbols(v.Flags())
	flags.AddSearch(v.Command)
	v.Flags().Var((*cli.FileName)(&flags.From.File), "patterns", "file of patterns")
	mini.add(v.Flags())
	return v
}

// planIndex is the memory of an index that is searched. Batches of patterns take the rest.
func planIndex(ctx context.Context, j *job.Job, name string, locate bool) (device.MemoryPlan, error) {
	if infinigrammini.Is(name) {
		return nil, fmt.Errorf("%s: an index of infini-gram mini takes no device: its files are mapped", name)
	}
	in, err := cli.OpenRaw(ctx, name)
	if err != nil {
		return nil, err
	}
	defer in.Close()
	j.Report.File = in.Name
	var header *fmindex.Header
	err = cli.Interruptible(ctx, func() error {
		header, err = fmindex.ReadHeader(in.Reader(ctx))
		return err
	})
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", in.Name, err)
	}
	if locate && header.Rate == 0 && header.Length > 0 {
		return nil, withoutSamples(in.Name)
	}
	if err := j.Session.OpenDevice(); err != nil {
		return nil, err
	}
	width := 1
	if header.Coding != nil {
		width = header.Coding.SymbolBytes
	}
	if err := j.Flags.IndexSymbols(in.Name, width); err != nil {
		return nil, err
	}
	j.Report.Bytes, j.Report.Records = header.Length/header.Coding.Width()*width, len(header.Records)
	memory, err := fmindex.Memory(j.Session.Device, *header)
	return device.MemoryPlan{memory}, err
}

// withoutSamples is the error of an index that tells no positions.
func withoutSamples(name string) error {
	return fmt.Errorf("%s: the index has no samples, so it counts only: it was built with --sample 0", name)
}

// notePatterns tells of patterns that may be meant as files.
func notePatterns(j *job.Job, list []string) {
	for _, pattern := range list {
		if info, err := os.Stat(pattern); err == nil && info.Mode().IsRegular() {
			j.Session.Note("the pattern %q is the name of a file, too: --patterns takes those of a file", pattern)
		}
	}
}

// runLookup is all of a job that searches in an index.
func runLookup(ctx context.Context, j *job.Job, flags *search.Flags, name string, locate bool,
	open newWriter) error {
	defer j.Close()
	out, err := cli.NewTextOutput(flags.Out, name, flags.From.File)
	if err != nil {
		return err
	}
	defer j.Source.BeginQueriesOf(ctx, name, &flags.From)()
	x, err := j.Source.OpenDeviceAndIndex(ctx, name)
	if err != nil {
		return err
	}
	defer x.Close()
	notePatterns(j, flags.From.List)
	if err := j.Flags.IndexSymbols(j.Report.File, x.SymbolBytes()); err != nil {
		return err
	}
	if locate && x.Options().SampleEvery == 0 && x.Len() > 0 {
		return withoutSamples(j.Report.File)
	}
	dna := x.Options().DNA
	if x.SymbolBytes() > 1 {
		switch format := flags.From.Format.Value; format {
		case "auto", "lines":
			flags.From.SymbolBytes, flags.From.Format.Value = x.SymbolBytes(), "lines"
		default:
			return cli.Usage("--queries %s is for indexes of bytes", format)
		}
	}
	if flags.Both && !dna {
		return cli.Usage("--both needs an index of DNA: other texts have one strand")
	}
	j.Report.Bytes, j.Report.Records = x.Len()*x.SymbolBytes(), len(x.Options().Records)
	if flags.Documents && j.Report.Records == 0 {
		return fmt.Errorf("%s: --documents needs an index of records: that of one text has none", j.Report.File)
	}
	s := search.New(x)
	s.Places = locate
	write := func(rows tsv.Writer) search.FoundWriter { return open(ctx, j, rows, lookedUp{Index: x}) }
	return search.Answer(j.Measured(ctx), j, flags, s, dna, out, write)
}
