package verbs

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"github.com/suffixcl/suffixcl"
	"github.com/suffixcl/suffixcl/cmd/internal/job"
	"github.com/suffixcl/suffixcl/cmd/internal/operation"
	"github.com/suffixcl/suffixcl/cmd/internal/options"
	"github.com/suffixcl/suffixcl/cmd/internal/report"
	"github.com/suffixcl/suffixcl/cmd/internal/sink"
	"github.com/suffixcl/suffixcl/cmd/internal/verb"
	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/formats"
	"github.com/suffixcl/suffixcl/internal/addressspace"
	"github.com/suffixcl/suffixcl/internal/cli"
	"github.com/suffixcl/suffixcl/internal/parallel"
	"github.com/suffixcl/suffixcl/seqio"
)

const buildHelp = `Build the index of another program, byte for byte as that program writes it: the aligner
then runs on the files and does not know the difference.

REF is FASTA, also compressed; several are one reference, in their order. The files are
called PREFIX and a suffix each. They appear together when all are complete, and replace
none without --force.`

// indexFormat is that of a program whose index is built.
type indexFormat struct {
	of          formats.Program
	large       variant
	family      string // of verbs, which this one is below; empty: build
	name        string // of the verb; empty: that of the program
	file        string // argument for what is read; empty: REF
	index       string // what is written; empty: the index of the program
	short, long string
	missing     string // of what the program itself has to make first, with its prefix
	folder      bool   // PREFIX is a directory
	options     func() formatOptions
	prepares    *verb.Preparation // nil: that of build
}

// formatOptions are the flags of a format that has some of its own.
type formatOptions interface {
	add(flags *pflag.FlagSet)
	reads() []cli.Accepted
	files() []string // that are read for the flags
	check() error    // before anything is read
	// reference is Program.New with what the flags ask for. The records are those of these files.
	reference(ctx context.Context, j *job.Job, records *seqio.Batch, files []string) (*formats.Reference, error)
}

// variant is another program, which a flag stands for; the zero value is none.
type variant struct {
	of          formats.Program
	flag, usage string
}

var indexFormats = []indexFormat{
	{
		short: "Build the index of bowtie2",
		long: `Build the index of bowtie2 2.5: PREFIX.1.bt2 to .4.bt2, .rev.1.bt2 and .rev.2.bt2. "bowtie2 -x
PREFIX" takes them. N, the other codes of IUPAC, X and "-" are left out and divide a
sequence; other letters, as U, are left out as if they were not there. With --large-index
the files are called .bt2l, and the reference may have more than 4,294,967,294 bases.`,
		of:    formats.Bowtie2,
		large: variant{formats.Bowtie2Large, "large-index", "numbers of 64 bits, for any length"},
	},
	{
		short: "Build the index of bwa",
		long: `Build the index of bwa 0.7: PREFIX.amb, .ann, .bwt, .pac and .sa. "bwa mem PREFIX reads.fq" takes
them. Letters but A, C, G, T become random bases, the same as there. Both strands are
sorted, in ranges if the reference has more than 2,147,483,647 bases.`,
		of: formats.BWA,
	},
	{
		short: "Build the index of bwa-mem2",
		long: `Build the index of bwa-mem2 2: PREFIX.0123, .amb, .ann, .bwt.2bit.64 and .pac. "bwa-mem2 mem
PREFIX reads.fq" takes them. Letters and lengths are as for bwa.`,
		of: formats.BWAMEM2,
	},
	{
		short: "Build the index of minibwa",
		long: `Build the index of minibwa: PREFIX.l2b and .mbw. "minibwa map PREFIX reads.fq" takes them. Letters
but A, C, G, T become random bases, the same as there. Lengths are as for bwa.`,
		of: formats.Minibwa,
	},
	{
		short: "Build the enhanced suffix array of GenomeTools",
		long: `Build the enhanced suffix array of GenomeTools 1.6: PREFIX.suf, .lcp, .llv, .bwt and .prj, as "gt
suffixerator -dna -suf -lcp -bwt" writes them. "gt ltrharvest -index PREFIX" takes them.

They belong to an encoded sequence, which must be there:
  gt encseq encode -indexname PREFIX REF...`,
		of:      formats.GenomeTools,
		missing: "there is no %s.esq: gt encseq encode -indexname %[1]s REF... makes it",
	},
	{
		short:   "Build the genome folder of STAR",
		long:    starHelp,
		of:      formats.STAR,
		folder:  true,
		options: func() formatOptions { return new(starFlags) },
	},
}

// buildVerb has a verb for each program.
func buildVerb() verb.Verb {
	v := verb.Verb{Command: &cobra.Command{Use: "build", Short: "Build the index of an aligner", Long: buildHelp}}
	v.Prepares = preparedFormats()
	for _, t := range indexFormats {
		v.Below = append(v.Below, t.verb)
	}
	v.Below = append(v.Below, infiniGramVerb)
	return v
}

// called is the verb, after those above it.
func (t indexFormat) called() string {
	return cmp.Or(t.family, "build") + " " + cmp.Or(t.name, string(t.of))
}

func (t indexFormat) verb() verb.Verb {
	name, file, result := cmp.Or(t.name, string(t.of)), cmp.Or(t.file, "REF"), "PREFIX"
	if t.folder {
		result = "DIR"
	}
	var own formatOptions
	if t.options != nil {
		own = t.options()
	}
	var (
		flags options.Job
		force bool
		large bool
		names []string // all arguments, which plan is not given
		size  int64    // of the planned files, if it is known
	)
	v := verb.Verb{Options: &flags, Op: verb.Always(operation.SortedArray)}
	chosen := func() formats.Program {
		if large {
			return t.large.of
		}
		return t.of
	}
	v.Plan = func(ctx context.Context, j *job.Job, _ string) (device.MemoryPlan, error) {
		j.Report.Verb = t.called()
		references, prefix := names, names[0]
		if last := len(names) - 1; last > 0 {
			references, prefix = names[:last], names[last]
		}
		r, err := t.read(ctx, j, chosen(), own, references, prefix)
		if err != nil {
			return nil, err
		}
		size = r.Size()
		return r.Plan(ctx, j.Engine())
	}
	v.Result = func(j *job.Job) sink.File {
		if len(names) < 2 || size == 0 {
			return sink.File{}
		}
		return j.File(size, t.roomAt(names[len(names)-1]))
	}
	if v.Prepares = t.prepares; v.Prepares == nil {
		v.Prepares = preparedFormats()
	}
	v.Reads = []cli.Accepted{cli.Reads(file, verb.Records)}
	v.Writes = []cli.Produced{cli.Writes(result, cmp.Or(t.index, "index of "+name))}
	v.Command = &cobra.Command{
		Use:     name + " " + file + "... " + result,
		Short:   t.short,
		Long:    t.long,
		Example: "  suffixcl " + t.called() + " genome.fa.gz genome",
	}
	v.Check = func(args []string) error {
		names = args
		if own != nil {
			if err := own.check(); err != nil {
				return err
			}
		}
		if last := len(args) - 1; last > 0 {
			return cmp.Or(t.checkName(args[last]), options.OneStandardInput(args[:last]...))
		}
		return nil
	}
	v.Run = func(ctx context.Context, args []string) error {
		last := len(args) - 1
		return t.run(ctx, v.Job(), chosen(), own, args[:last], args[last], force)
	}
	flags.AddCommon(v.Flags())
	flags.AddRaw(v.Flags())
	flags.AddAlgorithm(v.Flags())
	if t.large.of != "" {
		v.Flags().BoolVar(&large, t.large.flag, false, t.large.usage)
	}
	if own != nil {
		own.add(v.Flags())
		v.Reads = append(v.Reads, own.reads()...)
	}
	v.Flags().BoolVar(&force, "force", false, "replace files that are there")
	return v
}

// checkName checks the name of what is written.
func (t indexFormat) checkName(name string) error {
	switch {
	case !t.folder:
		return options.CheckPrefixName(name, "PREFIX"+t.of.Suffixes()[0])
	case name == "-":
		return cli.Usage("DIR is a directory, not a stream; ./- is one of that name")
	}
	return nil
}

// prefixOf is the prefix of the files: of a folder its name, and a separator.
func (t indexFormat) prefixOf(name string) string {
	if t.folder && !os.IsPathSeparator(name[len(name)-1]) {
		return name + string(os.PathSeparator)
	}
	return name
}

// roomAt names a file next to which what is written needs room.
func (t indexFormat) roomAt(name string) string {
	if t.folder && !cli.IsDirectory(name) {
		return name
	}
	return t.prefixOf(name) + t.of.Suffixes()[0]
}

func (t indexFormat) run(
	ctx context.Context, j *job.Job, of formats.Program, own formatOptions, names []string, name string, force bool,
) error {
	defer j.Close()
	j.Report.Verb = t.called()
	if t.folder {
		remove, err := makeFolder(name)
		if err != nil {
			return err
		}
		defer remove()
	}
	prefix := t.prefixOf(name)
	o := formats.Options{Force: force, Progress: writing(j.Session.Progress.Of("write"))}
	files, err := of.Create(prefix, o)
	switch {
	case errors.Is(err, fs.ErrExist):
		return fmt.Errorf("%w; --force replaces it", err)
	case err != nil:
		return fmt.Errorf("cannot write %s: %w", name, cli.WithoutPath(err))
	}
	defer files.Discard()
	for _, suffix := range of.Suffixes() { // --force is not for what is read
		if _, err := cli.NewOutput(prefix+suffix, names...); err != nil {
			return err
		}
	}
	r, err := t.read(ctx, j, of, own, names, prefix)
	if err != nil {
		return err
	}
	if own != nil { // whose files may be more, and which may have read others
		for _, suffix := range r.Suffixes() {
			if _, failed := os.Lstat(prefix + suffix); failed == nil && !force {
				return fmt.Errorf("%s exists; --force replaces it", prefix+suffix)
			}
			if _, err := cli.NewOutput(prefix+suffix, slices.Concat(names, own.files())...); err != nil {
				return err
			}
		}
	}
	plan, err := r.Plan(ctx, j.Engine())
	if err != nil {
		return err
	}
	if err := cmp.Or(plan.Fits(j.Session.Device), j.File(r.Size(), prefix+t.of.Suffixes()[0]).CheckRoom()); err != nil {
		return err
	}
	err = cli.Timed(&j.Report.Seconds.Write, func() error {
		if err := r.Write(j.Measured(ctx), j.Engine(), files); err != nil {
			return err
		}
		return files.Commit()
	})
	if err != nil {
		return err
	}
	s := &j.Report.Seconds
	s.Write = max(s.Write-(j.Session.Stats.Upload+j.Session.Stats.Compute+j.Session.Stats.Download).Seconds(), 0)
	return j.Sink.Finish(&cli.Output{Name: name})
}

// writing tells the bytes of all files that have been begun.
func writing(tell func(done, total int64)) func(file string, done, total int64) {
	type part struct{ done, total int64 }
	parts := make(map[string]part)
	return func(file string, done, total int64) {
		parts[file] = part{done, max(done, total)}
		var all part
		for _, p := range parts {
			all.done += p.done
			all.total += p.total
		}
		tell(all.done, all.total)
	}
}

// read opens the device and reads the records of all files.
func (t indexFormat) read(
	ctx context.Context, j *job.Job, of formats.Program, own formatOptions, names []string, prefix string,
) (*formats.Reference, error) {
	if err := j.Session.OpenDevice(); err != nil {
		return nil, err
	}
	var all seqio.Batch
	err := cli.Timed(&j.Report.Seconds.Read, func() error {
		for k, name := range names {
			if err := readReference(ctx, j, name, names[k+1:], &all); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	j.Report.Bytes, j.Report.Records = len(all.Text), len(all.Records)
	if own != nil {
		return own.reference(ctx, j, &all, names)
	}
	r, err := of.New(&all)
	if err != nil {
		return nil, err
	}
	err = r.Match(prefix)
	if errors.Is(err, fs.ErrNotExist) {
		err = fmt.Errorf(t.missing, prefix)
	}
	return r, err
}

// readReference appends the records of a file, with room for those of the files that follow.
func readReference(ctx context.Context, j *job.Job, name string, others []string, all *seqio.Batch) error {
	in, err := cli.OpenText(ctx, name, cli.InputOptions{Raw: j.Flags.Raw, Sequences: formats.Sequences(name)})
	if err != nil {
		return err
	}
	defer in.Close()
	if j.Report.File == "" {
		j.Report.File, j.Report.Compression, j.Report.Format = in.Name, in.Compression, report.FormatName(in.Format)
		j.Report.OfKind(in.Compression, in.Format.String())
	}
	if need := len(all.Text) + int(in.Size); in.Compression == "" && need > cap(all.Text) {
		text := addressspace.Make[byte](need + sizeOf(others)) // which the letters are not more than
		parallel.Copy(text, all.Text)
		all.Text = text[:len(all.Text)]
	}
	before := len(all.Records)
	for err == nil {
		err = cli.Interruptible(ctx, func() error { return in.Sequences().More(all, cli.ReadChunk) })
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		if in.Size > 0 {
			j.Session.Progress.Of("read")(in.Offset(), in.Size)
		}
	}
	if err != io.EOF {
		return in.Explain(err)
	}
	if len(all.Records) == before {
		return fmt.Errorf("%s has no records", in.Name)
	}
	return nil
}

// sizeOf is the bytes of the regular files among these.
func sizeOf(names []string) (bytes int) {
	for _, name := range names {
		if info, err := os.Stat(name); err == nil && info.Mode().IsRegular() {
			bytes += int(info.Size())
		}
	}
	return bytes
}

// preparedFormats are the programs of all of them.
func preparedFormats() *verb.Preparation {
	return &verb.Preparation{Plans: append(verb.PlansOf(operation.SortedBWT), planFormats), Begin: treePrograms}
}

// planFormats plans the index of each program, but for what is sorted in ranges.
func planFormats(ctx context.Context, e *suffixcl.Engine, n int) (device.MemoryPlan, error) {
	var plans []func() (device.MemoryPlan, error)
	for _, f := range indexFormats {
		plans = append(plans, func() (device.MemoryPlan, error) {
			b, err := seqio.ReadAll(strings.NewReader(">genome\n"+string(verb.GenomeOf(n))+"\n"), formats.Sequences("genome"))
			if err != nil {
				return nil, err
			}
			r, err := f.of.New(b)
			if err != nil {
				return nil, err
			}
			return r.Plan(ctx, e)
		})
	}
	return verb.All(plans...)
}
