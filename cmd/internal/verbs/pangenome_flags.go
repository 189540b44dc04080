package verbs

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"github.com/suffixcl/suffixcl"
	"github.com/suffixcl/suffixcl/cmd/internal/job"
	"github.com/suffixcl/suffixcl/cmd/internal/operation"
	"github.com/suffixcl/suffixcl/cmd/internal/options"
	"github.com/suffixcl/suffixcl/cmd/internal/verb"
	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/internal/cli"
	"github.com/suffixcl/suffixcl/internal/regular"
	"github.com/suffixcl/suffixcl/seqio"
)

// planPangenome plans two genomes of n letters in all.
func planPangenome(ctx context.Context, e *suffixcl.Engine, n int) (device.MemoryPlan, error) {
	return e.Pangenome(suffixcl.PangenomeOptions{Letters: n, Texts: 2}).Plan(ctx)
}

// pangenomeFlags are those of the verbs.
type pangenomeFlags struct {
	options.Job
	out, list, resume string
	forward           bool
	rate              int
	args              []string // all arguments, which plans are not given
	rows              uint64   // of the index that was planned
}

// addGenomes declares how genomes are read.
func (f *pangenomeFlags) addGenomes(flags *pflag.FlagSet) {
	f.TextFlags.Add(flags, seqio.Auto)
	flags.Lookup("input").Usage = `what the files are: "fasta", "fastq", "auto": which of these, or "plain": lines, ` +
		`each a sequence`
	flags.Var((*cli.FileName)(&f.list), "list", "file with the name of a FILE on each line, after those given")
	flags.BoolVar(&f.forward, "forward", false, "the strand that is given, without its reverse complement")
}

// fmdIndex is what the description calls such an index.
const fmdIndex = "fmd"

// readsGenomes are the files of genomes.
func readsGenomes() []cli.Accepted {
	return []cli.Accepted{cli.Reads("FILE", verb.Records, verb.Lines), cli.Reads("list", verb.Lines)}
}

// verb is one below pangenome, which computes on a device.
func (f *pangenomeFlags) verb(c *cobra.Command, run func(ctx context.Context, j *job.Job) error,
	plan func(ctx context.Context, j *job.Job) (device.MemoryPlan, error)) verb.Verb {
	v := verb.Verb{Command: c, Options: &f.Job, Op: verb.Always(operation.SortedArray)}
	name := "pangenome " + c.Name()
	v.Prepares = &verb.Preparation{Plans: []verb.Planning{planPangenome}}
	v.Check = func(args []string) error {
		f.args = args
		return nil
	}
	v.Run = func(ctx context.Context, _ []string) error {
		j := v.Job()
		defer j.Close()
		j.Report.Verb = name
		return run(ctx, j)
	}
	v.Plan = func(ctx context.Context, j *job.Job, _ string) (device.MemoryPlan, error) {
		j.Report.Verb = name
		if err := j.Session.OpenDevice(); err != nil {
			return nil, err
		}
		return plan(ctx, j)
	}
	f.AddCommon(v.Flags())
	return v
}

// fmdFiles are indexes that are open.
type fmdFiles struct {
	names    []string
	files    []*os.File
	sections []*io.SectionReader
}

// openIndexes opens indexes. Close must be called.
func openIndexes(names ...string) (*fmdFiles, error) {
	f := &fmdFiles{names: names}
	for _, name := range names {
		file, err := regular.Open(name)
		var info os.FileInfo
		if err == nil {
			f.files = append(f.files, file)
			info, err = file.Stat()
		}
		if err != nil {
			f.Close()
			return nil, fmt.Errorf("cannot read %s: %w", name, cli.WithoutPath(err))
		}
		f.sections = append(f.sections, io.NewSectionReader(file, 0, info.Size()))
	}
	return f, nil
}

func (f *fmdFiles) Close() {
	for _, file := range f.files {
		file.Close()
	}
}

// explain has the name of the file in an error of an index.
func (f *fmdFiles) explain(err error) error {
	var wrong *suffixcl.IndexError
	if errors.As(err, &wrong) {
		return fmt.Errorf("%s: %w", f.names[wrong.Index], wrong.Err)
	}
	return err
}

// read tells of which file a job is.
func (f *fmdFiles) read(j *job.Job) {
	j.Report.File = f.names[0]
	j.Report.OfKind(fmdIndex)
}

// genomeNames are the names of all files: those given, and those of --list.
func (f *pangenomeFlags) genomeNames(ctx context.Context, given []string) ([]string, error) {
	names := slices.Clone(given)
	if f.list != "" {
		in, err := cli.OpenText(ctx, f.list, (&cli.TextFlags{}).Options())
		if err != nil {
			return nil, err
		}
		defer in.Close()
		text, err := in.ReadAll(ctx, nil, nil)
		if err != nil {
			return nil, err
		}
		for line := range strings.Lines(string(text)) {
			if line = strings.TrimRight(line, "\r\n"); line != "" {
				names = append(names, line)
			}
		}
	}
	if len(names) == 0 {
		return nil, cli.Usage("a FILE is missing, or --list")
	}
	return names, options.OneStandardInput(append(names, f.list)...)
}
