package verbs

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/suffixcl/suffixcl"
	"github.com/suffixcl/suffixcl/cmd/internal/formats/tsv"
	"github.com/suffixcl/suffixcl/cmd/internal/job"
	"github.com/suffixcl/suffixcl/cmd/internal/operation"
	"github.com/suffixcl/suffixcl/cmd/internal/options"
	"github.com/suffixcl/suffixcl/cmd/internal/report"
	"github.com/suffixcl/suffixcl/cmd/internal/source"
	"github.com/suffixcl/suffixcl/cmd/internal/verb"
	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/formats"
	"github.com/suffixcl/suffixcl/internal/cli"
	"github.com/suffixcl/suffixcl/internal/fmd"
	"github.com/suffixcl/suffixcl/internal/fmindex"
	"github.com/suffixcl/suffixcl/internal/regular"
	"github.com/suffixcl/suffixcl/internal/runfiles"
	"github.com/suffixcl/suffixcl/patterns"
)

const smemsHelp = `Find super-maximal exact matches of reads in an index of DNA: each occurs --min-hits times
or more on either strand, has --min-length letters or more, and no longer part of the read
with it occurs as often.

INDEX is the prefix of an index of bwa ("suffixcl build bwa" makes one), the file of
"suffixcl index --dna --both", in which the same is found, or a pangenome (.fmd). READS are
FASTA, FASTQ or lines, also compressed. Their order is kept.

--format says what is written:

  fastmap  for bwa, byte for byte what "bwa fastmap" writes: the matches of each read, with
           their positions, from 1 on, if there are --max-located or fewer
  bed      as "ropebwt3 mem" has it: read, start, end, hits
  tsv      read, start, end, hits, and for bwa the positions, from 0 on
  jsonl    an object for each read

The default is fastmap for bwa, and bed for a pangenome. With --gap or --cov, which are for
bed, the stretches outside of all matches are written, or how much of each read is in some.
With --positions matches in a pangenome have positions, as "ropebwt3 mem -p" tells them.
INDEX.ssa and INDEX.len.gz have to be there ("suffixcl pangenome samples" makes the first).

--matching-statistics writes for each place of a read how long the longest string is that
begins there and occurs: a line with > and the name, and a line of numbers with blanks.
--pseudo-matching-lengths writes lines of that form as SPUMONI does: INDEX is then the
prefix of .bwt.heads, .bwt.len and .thr_pos ("suffixcl pangenome thresholds" makes them).

--keep COV and --drop COV write reads, as they came: those of whose letters the share COV or
more is in matches, or all others. COV is 0 to 1, or 0% to 100%; 0 is one match or more. OUT
is compressed if it ends in .gz, .zst or .xz. With --paired mates stay or go together: READS
are two files, or one in which they follow each other. A pair has the share if one of both
has it; with --both-mates, if both have. Mates go to OUT in turns, or with --mates the
second ones to a file of their own.

--histogram writes how many matches are how long, which "suffixcl-lab plot smems" draws.`

type smemsFlags struct {
	options.Job
	format   cli.Choice
	reads    options.Queries
	out      string
	least    int
	hits     int
	located  int
	gap      int
	cov      bool
	sequence bool

	positions  int
	statistics bool
	pseudo     bool // lengths, of runs and thresholds
	filter     filterFlags
	histogram  string
}

func smemsVerb() verb.Verb {
	var flags smemsFlags
	v := verb.Verb{Options: &flags.Job, Op: verb.Always(operation.MadeIndex)}
	v.Prepares = &verb.Preparation{Plans: []verb.Planning{planSMEMs, planPangenomeSMEMs, planPseudoLengths}}
	v.Reads = []cli.Accepted{cli.Reads("INDEX", "bwa", fmdIndex, verb.Index, runFiles),
		cli.Reads("READS", verb.Records, verb.Lines)}
	v.Writes = append(verb.Rows("fastmap", "bed", "tsv", "jsonl", "matching statistics", "pseudo-matching lengths",
		verb.Records, verb.Lines), cli.Writes("mates", verb.Records, verb.Lines), cli.Writes("histogram", "tsv"))
	v.Command = &cobra.Command{
		Use:   "smems INDEX READS...",
		Short: "Find maximal exact matches of reads",
		Long:  smemsHelp,
		Example: "  suffixcl smems genome.fa reads.fq.gz -o reads.smems\n" +
			"  suffixcl smems all.fmd reads.fq.gz --min-length 31 --cov\n" +
			"  suffixcl smems human r_1.fq r_2.fq --paired --drop 50% -o left_1.fq --mates left_2.fq",
	}
	v.Check = func(args []string) error { return flags.check(args, v.Flags().Changed) }
	v.Plan = func(ctx context.Context, j *job.Job, name string) (device.MemoryPlan, error) {
		x, err := openSMEMIndex(ctx, j, name, flags.pseudo)
		if err != nil {
			return nil, err
		}
		defer x.close()
		if err := j.Session.OpenDevice(); err != nil {
			return nil, err
		}
		flags.choose(x)
		o := flags.options(x)
		o.Letters, o.Queries = source.ReadBytes, source.ReadBytes/100
		plan, err := j.Engine().SMEMs(o).Plan(ctx)
		return plan, x.explain(err)
	}
	v.Run = func(ctx context.Context, args []string) error { return runSMEMs(ctx, v.Job(), &flags, args) }
	flags.AddCommon(v.Flags())
	flags.AddRaw(v.Flags())
	flags.reads.Add(v.Flags())
	v.Flags().Lookup("queries").Usage = "what READS are: lines, fasta, fastq, or auto"
	flags.format = cli.Choice{Of: []string{"fastmap", "bed", "tsv", "jsonl"}}
	v.Flags().Var(&flags.format, "format", "what is written: fastmap, bed, tsv, jsonl")
	v.Flags().IntVarP(&flags.least, "min-length", "l", 0, "least length of a match; 0: 17, and 19 of a pangenome")
	v.Flags().IntVarP(&flags.hits, "min-hits", "i", 1, "how often a match occurs at least")
	v.Flags().IntVarP(&flags.located, "max-located", "w", 20, "most hits of a match whose positions are told")
	v.Flags().BoolVarP(&flags.sequence, "print-sequence", "p", false, "reads with their letters, of fastmap")
	v.Flags().IntVar(&flags.gap, "gap", 0, "stretches of so many letters or more outside of all matches")
	v.Flags().BoolVar(&flags.cov, "cov", false, "reads with matches, and how many letters are in some")
	v.Flags().IntVar(&flags.positions, "positions", 0, "so many positions of each match at most, of a pangenome")
	v.Flags().BoolVar(&flags.statistics, "matching-statistics", false, "length of the longest match from each place on")
	v.Flags().BoolVar(&flags.pseudo, "pseudo-matching-lengths", false, "those of SPUMONI, of runs and thresholds")
	flags.filter.add(v.Flags())
	v.Flags().Var((*cli.FileName)(&flags.histogram), "histogram", "file for how many matches are how long")
	options.AddTextOutput(v.Command, &flags.out)
	return v
}

func (f *smemsFlags) check(args []string, changed func(string) bool) error {
	format := f.format.Value
	switch {
	case f.least < 0 || f.least > 1<<30:
		return cli.Usage("--min-length: want 1 or more")
	case f.hits < 1 || f.located < 0 || f.gap < 0:
		return cli.Usage("--min-hits: want 1 or more; --max-located and --gap: 0 or more")
	case f.gap > 0 && f.cov:
		return cli.Usage("--gap does not go with --cov")
	case (f.gap > 0 || f.cov) && changed("format") && format != "bed":
		return cli.Usage("--gap and --cov are for --format bed")
	case f.sequence && changed("format") && format != "fastmap":
		return cli.Usage("--print-sequence is for --format fastmap")
	}
	if err := f.checkModes(changed); err != nil {
		return err
	}
	if len(args) > 0 {
		args = args[1:]
	}
	if err := f.filter.check(args, f.out); err != nil {
		return err
	}
	return options.OneStandardInput(args...)
}

// checkModes tells of flags that do not go together, as each wants something else to be written.
func (f *smemsFlags) checkModes(changed func(string) bool) error {
	mode := ""
	for _, of := range []struct {
		flag  string
		given bool
	}{{"keep", f.filter.keep.given != ""}, {"drop", f.filter.drop.given != ""}, {"matching-statistics", f.statistics},
		{"pseudo-matching-lengths", f.pseudo}, {"gap", f.gap > 0}, {"cov", f.cov}, {"positions", f.positions > 0}} {
		switch {
		case of.given && mode != "":
			return cli.Usage("--%s does not go with --%s", of.flag, mode)
		case of.given:
			mode = of.flag
		}
	}
	switch {
	case f.positions < 0:
		return cli.Usage("--positions: want 0 or more")
	case f.positions > 0 && f.format.Value == "fastmap":
		return cli.Usage("--positions is for a pangenome; fastmap has those of an index of bwa")
	case (f.statistics || f.pseudo) && changed("format") && f.format.Value != "jsonl":
		return cli.Usage("--%s: --format can be jsonl alone", mode)
	case f.statistics && f.least > 1:
		return cli.Usage("--matching-statistics: --min-length can be 1 alone")
	}
	var others []string
	if f.filter.wanted() || f.statistics || f.pseudo {
		others = []string{"print-sequence", "max-located"}
	}
	if f.pseudo {
		others = append(others, "min-length", "min-hits", "histogram")
	}
	for _, flag := range others {
		if changed(flag) {
			return cli.Usage("--%s does not go with --%s", flag, mode)
		}
	}
	if f.filter.wanted() && changed("format") {
		return cli.Usage("--format does not go with --%s: reads are written as they came", mode)
	}
	return nil
}

// smemIndex is an index in which reads are searched.
type smemIndex struct {
	name   string
	bwa    *formats.BWAIndex // or
	fmd    *fmdFiles
	runs   *fmdFiles   // or these
	places *smemPlaces // of an fmd, if they are wanted
}

// openSMEMIndex opens the index of a name: a file, or a prefix, of runs and thresholds if these are wanted.
func openSMEMIndex(ctx context.Context, j *job.Job, name string, runs bool) (*smemIndex, error) {
	j.Report.File = name
	x := &smemIndex{name: name}
	if runs {
		return x, x.openRuns(j)
	}
	if strings.HasSuffix(name, ".fmd") {
		files, err := openIndexes(name)
		if err != nil {
			return nil, err
		}
		x.fmd = files
		j.Report.OfKind(fmdIndex)
		j.Report.Bytes = int(files.sections[0].Size())
		return x, nil
	}
	if isOwnIndex(name) {
		return x, x.openOwn(ctx, j)
	}
	of, err := formats.OpenBWA(name)
	if err != nil {
		if info, failed := os.Stat(name); failed == nil && info.Mode().IsRegular() {
			j.Session.Note("%s is a file; INDEX is the prefix of an index of bwa, or ends in .fmd", name)
		}
		if missing := (*os.PathError)(nil); errors.As(err, &missing) {
			err = fmt.Errorf("cannot read %s: %w", missing.Path, missing.Err)
		}
		return nil, err
	}
	x.bwa = of
	j.Report.Bytes = of.Bases()
	return x, nil
}

// openOwn reads a file of the verb index.
func (x *smemIndex) openOwn(ctx context.Context, j *job.Job) error {
	in, err := cli.OpenRaw(ctx, x.name)
	if err != nil {
		return err
	}
	defer in.Close()
	err = cli.Interruptible(ctx, func() error {
		x.bwa, err = formats.ReadFMIndex(in.Reader(ctx))
		return err
	})
	switch {
	case ctx.Err() != nil:
		return context.Cause(ctx)
	case errors.Is(err, fmindex.ErrOneStrand):
		return fmt.Errorf("%s: the index has one strand: \"suffixcl index FASTA --dna --both\" makes one of both", x.name)
	case err != nil:
		return fmt.Errorf("%s: %w", x.name, err)
	}
	j.Report.OfKind(verb.Index)
	j.Report.Bytes = x.bwa.Bases()
	return nil
}

// isOwnIndex tells whether a file is an FM-index of the verb index.
func isOwnIndex(name string) bool {
	file, err := regular.Open(name)
	if err != nil {
		return false
	}
	defer file.Close()
	head := make([]byte, len(fmindex.Magic))
	_, err = io.ReadFull(file, head)
	return err == nil && string(head) == fmindex.Magic
}

func (x *smemIndex) close() {
	for _, files := range []*fmdFiles{x.fmd, x.runs} {
		if files != nil {
			files.Close()
		}
	}
}

// explain has the name of the index in an error of it.
func (x *smemIndex) explain(err error) error {
	var wrong *suffixcl.IndexError
	if of := (*runfiles.Error)(nil); errors.As(err, &of) {
		return fmt.Errorf("%s%w", x.name, of)
	}
	if errors.As(err, &wrong) && !device.IsTooLarge(err) {
		return fmt.Errorf("%s: %w", x.name, wrong.Err)
	}
	return err
}

// Formats that a flag of their own chooses.
const (
	formatReads   = "reads"
	formatLengths = "lengths"
)

// choose fills in what depends on the index.
func (f *smemsFlags) choose(x *smemIndex) {
	switch {
	case f.statistics:
		f.least = 1
	case f.least == 0 && x.fmd != nil:
		f.least = 19
	case f.least == 0:
		f.least = 17
	}
	switch {
	case f.filter.wanted():
		f.format.Value = formatReads
	case f.format.Value != "":
	case f.statistics, f.pseudo:
		f.format.Value = formatLengths
	case x.fmd != nil || f.gap > 0 || f.cov:
		f.format.Value = "bed"
	default:
		f.format.Value = "fastmap"
	}
}

func (f *smemsFlags) options(x *smemIndex) suffixcl.SMEMOptions {
	if x.runs != nil {
		return suffixcl.SMEMOptions{Runs: [3]*io.SectionReader(x.runs.sections)}
	}
	o := suffixcl.SMEMOptions{MinLength: f.least, MinHits: f.hits}
	if x.fmd != nil {
		o.Pangenome = x.fmd.sections[0]
		return o
	}
	o.Transform = x.bwa.Transform()
	if o.Transform.Every == 0 { // for which no matches are few enough
		f.located = 0
	}
	if located := []string{"fastmap", "tsv", "jsonl"}; slices.Contains(located, f.format.Value) && !f.statistics {
		o.MaxLocated = f.located
	}
	return o
}

// planSMEMs plans searches in an index of two bases.
func planSMEMs(ctx context.Context, e *suffixcl.Engine, n int) (device.MemoryPlan, error) {
	return e.SMEMs(suffixcl.SMEMOptions{Transform: &suffixcl.DNATransform{Bases: []byte{0, 3}}, MinLength: 1,
		MinHits: 1, Letters: n, Queries: 1}).Plan(ctx)
}

// planPangenomeSMEMs plans searches in an index of no strings.
func planPangenomeSMEMs(ctx context.Context, e *suffixcl.Engine, n int) (device.MemoryPlan, error) {
	var file bytes.Buffer
	var none fmd.Encoder
	if _, err := none.WriteTo(&file); err != nil {
		return nil, err
	}
	index := io.NewSectionReader(bytes.NewReader(file.Bytes()), 0, int64(file.Len()))
	return e.SMEMs(suffixcl.SMEMOptions{Pangenome: index, MinLength: 1, MinHits: 1, Letters: n, Queries: 1}).Plan(ctx)
}

func runSMEMs(ctx context.Context, j *job.Job, flags *smemsFlags, args []string) error {
	defer j.Close()
	results, err := flags.results(args)
	if err != nil {
		return err
	}
	defer results.discard()
	var x *smemIndex
	read := make(chan error, 1)
	go func() { // while the device is opened
		read <- cli.Timed(&j.Report.Seconds.Read, func() (err error) {
			if x, err = openSMEMIndex(ctx, j, args[0], flags.pseudo); err != nil || flags.positions == 0 {
				return err
			}
			x.places, err = openPlaces(ctx, x.fmd, flags.positions)
			return err
		})
	}()
	failed := j.Session.OpenDevice()
	err = <-read
	if x != nil {
		defer x.close()
	}
	if err = cmp.Or(err, failed); err != nil {
		return err
	}
	flags.choose(x)
	if flags.format.Value == "fastmap" && x.bwa == nil {
		return cli.Usage("--format fastmap is for an index of bwa")
	}
	if flags.format.Value == "fastmap" && x.bwa.Transform().Every == 0 && flags.located > 0 {
		return fmt.Errorf("%s: the index has no places, which fastmap tells: it was built with --sample 0; -w 0 tells none",
			x.name)
	}
	reads := j.Source.StreamReads(ctx, args[1:], source.ReadOptions{Format: flags.reads, Raw: flags.Raw,
		Written: flags.filter.wanted(), Mates: flags.filter.paired && len(args) == 3})
	defer reads.Close()
	j.Report.SMEMs = &report.SMEMs{Lengths: []report.SMEMLength{}}
	m := &smemWriter{smemsFlags: flags, index: x.bwa, pangenome: x.places, report: j.Report.SMEMs, done: reads.Done}
	if flags.histogram != "" {
		m.exact = map[uint32]int64{}
	}
	err = results.write(ctx, j, m, func(w, mates io.Writer) error {
		m.Writer = tsv.New(w)
		if flags.filter.wanted() {
			m.filter = newReadFilter(&flags.filter, &m.Writer, mates)
		}
		o := flags.options(x)
		if flags.format.Value == "fastmap" {
			m.rare = newRareLetters(o.Transform, flags.hits)
		}
		o.Next = func() (*patterns.Batch, error) {
			batch, err := reads.Next()
			if err != nil {
				return nil, err
			}
			m.searched = batch
			j.Session.Progress.Update("search", batch.Start, batch.Size)
			return &batch.Batch, nil
		}
		err := job.EachPart(j.Engine().SMEMs(o).Each(j.Measured(ctx)), m.begin)
		if wrong := m.wait(); err == nil {
			err = wrong
		}
		if err == nil && m.filter != nil {
			err = m.filter.end()
		}
		if err != nil {
			return err
		}
		m.tell(j)
		return m.Flush()
	})
	return x.explain(err)
}
