package main

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"io"
	"os"

	"github.com/spf13/cobra"
	"github.com/suffixcl/suffixcl"
	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/internal/cli"
	"github.com/suffixcl/suffixcl/internal/fmindex"
)

const lookupHelp = `

Patterns are arguments, or with --patterns those of a file: its lines, or the sequences
of FASTA or FASTQ, which are called by their names in the result. A file that begins with
">" or "@" and has no valid record is an error unless --queries says what it is. Files may
be compressed; they are searched in parts while the next is read. Of an index of symbols of
16 or 32 bits a pattern, or a line, is the numbers of its symbols, with spaces; --symbols
checks which the index has. The empty pattern occurs nowhere. --both, for an index of DNA,
searches the other strand of each pattern, too`

// searchFlags are those of the verbs that search for patterns.
type searchFlags struct {
	jobFlags
	hitFlags
	from queryFlags
	out  string
	both bool
}

// addSearch declares what all of these verbs have.
func (f *searchFlags) addSearch(c *cobra.Command) {
	f.from.add(c.Flags())
	addTextOutput(c, &f.out)
	c.Flags().BoolVar(&f.both, "both", false, "both strands of DNA")
}

// lookupVerb makes a verb that searches in an index.
func lookupVerb(name string, flags *searchFlags, locate bool,
	open func(j *job, rows rowWriter, x *suffixcl.Index) foundWriter) verb {
	v := verb{flags: &flags.jobFlags, op: always(madeIndex)}
	v.plan = func(ctx context.Context, j *job, name string) (device.MemoryPlan, error) {
		return planIndex(ctx, j, name, locate)
	}
	v.Command = &cobra.Command{
		Use:     name + " INDEX [PATTERN...]",
		Example: fmt.Sprintf("  suffixcl %s genome.fmi GATTACA\n  suffixcl %s genome.fmi --patterns reads.fq.gz", name, name),
	}
	v.check = func(args []string) error {
		return cmp.Or(flags.hitFlags.check(), oneStandardInput(args[0], flags.from.file))
	}
	v.run = func(ctx context.Context, args []string) error {
		flags.from.list = args[1:]
		if (flags.from.file != "") == (len(flags.from.list) > 0) {
			return cli.Usage("patterns are arguments, or those of --patterns FILE")
		}
		return newJob(v).lookup(ctx, flags, args[0], locate, open)
	}
	flags.addCommon(v.Flags())
	flags.AddRaw(v.Flags())
	flags.addIndexSymbols(v.Flags())
	flags.addSearch(v.Command)
	v.Flags().Var((*cli.FileName)(&flags.from.file), "patterns", "file of patterns")
	return v
}

// planIndex is the memory of an index that is searched. Batches of patterns take the rest.
func planIndex(ctx context.Context, j *job, name string, locate bool) (device.MemoryPlan, error) {
	in, err := cli.OpenRaw(ctx, name)
	if err != nil {
		return nil, err
	}
	defer in.Close()
	j.report.File = in.Name
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
	if err := j.openDevice(); err != nil {
		return nil, err
	}
	width := 1
	if header.Coding != nil {
		width = header.Coding.SymbolBytes
	}
	if err := j.flags.indexSymbols(in.Name, width); err != nil {
		return nil, err
	}
	j.report.Bytes, j.report.Records = header.Length/header.Coding.Width()*width, len(header.Records)
	memory, err := fmindex.Memory(j.session, *header)
	return device.MemoryPlan{memory}, err
}

// withoutSamples is the error of an index that tells no positions.
func withoutSamples(name string) error {
	return fmt.Errorf("%s: the index has no samples, so it counts only: it was built with --sample 0", name)
}

// foundWriter writes what is found.
type foundWriter interface {
	write(q *queries, f *found) error
	rows() *rowWriter
}

// answerWriter collects what is found of queries, so that several processors format it.
type answerWriter struct {
	rowWriter
	open      func(rowWriter) foundWriter
	found     []found
	positions []uint32 // of these
	seconds   *float64 // of writing
}

// add takes what is found of a query, whose positions are the caller's.
func (a *answerWriter) add(q *queries, f *found) error {
	kept := *f
	for strand, positions := range f.positions {
		from := len(a.positions)
		a.positions = append(a.positions, positions...)
		kept.positions[strand] = a.positions[from:len(a.positions):len(a.positions)]
	}
	if a.found = append(a.found, kept); len(a.found)+len(a.positions) < thingsAtOnce {
		return nil
	}
	return a.write(q)
}

// write writes what was collected of some queries.
func (a *answerWriter) write(q *queries) error {
	err := timed(a.seconds, func() error {
		each := eachOf(len(a.found), len(a.positions))
		return a.many(len(a.found), each, func(rows rowWriter, lo, hi int) (rowWriter, error) {
			w := a.open(rows)
			for i := lo; i < hi; i++ {
				if err := w.write(q, &a.found[i]); err != nil {
					return *w.rows(), err
				}
			}
			return *w.rows(), nil
		})
	})
	a.found, a.positions = a.found[:0], a.positions[:0]
	return err
}

// lookup is all of a job that searches in an index.
func (j *job) lookup(ctx context.Context, flags *searchFlags, name string, locate bool,
	open func(j *job, rows rowWriter, x *suffixcl.Index) foundWriter) error {
	defer j.Close()
	out, err := cli.NewTextOutput(flags.out, name, flags.from.file)
	if err != nil {
		return err
	}
	x, err := j.openDeviceAndIndex(ctx, name)
	if err != nil {
		return err
	}
	defer x.Close()
	for _, pattern := range flags.from.list {
		if info, err := os.Stat(pattern); err == nil && info.Mode().IsRegular() {
			j.note("the pattern %q is the name of a file, too: --patterns takes those of a file", pattern)
		}
	}
	if err := j.flags.indexSymbols(j.report.File, x.SymbolBytes()); err != nil {
		return err
	}
	if locate && x.Options().SampleEvery == 0 && x.Len() > 0 {
		return withoutSamples(j.report.File)
	}
	dna := x.Options().DNA
	if x.SymbolBytes() > 1 {
		switch format := flags.from.format.Value; format {
		case "auto", "lines":
			flags.from.symbolBytes, flags.from.format.Value = x.SymbolBytes(), "lines"
		default:
			return cli.Usage("--queries %s is for indexes of bytes", format)
		}
	}
	if flags.both && !dna {
		return cli.Usage("--both needs an index of DNA: other texts have one strand")
	}
	j.report.Bytes, j.report.Records = x.Len()*x.SymbolBytes(), len(x.Options().Records)
	s := newSearch(x)
	s.locate = locate
	return j.answer(j.measured(ctx), flags, s, dna, out, func(rows rowWriter) foundWriter { return open(j, rows, x) })
}

// answer writes what is found of all queries.
func (j *job) answer(ctx context.Context, flags *searchFlags, s *search, dna bool, out *cli.Output,
	open func(rowWriter) foundWriter) error {
	defer out.Discard()
	s.both, s.maxHits = flags.both, flags.maxHits
	if out.Name == "-" {
		j.progress.YieldTerminal()
	}
	bases, folds := !dna, s.folds == nil // all patterns are; --dna would fold something
	err := writeWhile(ctx, out, func(w io.Writer) error {
		result := answerWriter{rowWriter: newRowWriter(w), open: open, seconds: &j.report.Seconds.Write}
		err := j.stream(ctx, &flags.from, dna, func(q *queries) error {
			if j.report.Occurrences == 0 { // else nobody asks
				bases = bases && q.SymbolBytes <= 1 && onlyBases(q.Text)
				folds = folds || bytes.ContainsAny(q.Text, foldedBases)
			}
			j.report.Queries += q.Len()
			j.report.QueryBytes += int64(len(q.Text))
			progress := func(done int) {
				at, of := q.place(done)
				j.progress.Update("search", at, of)
			}
			err := s.run(ctx, q, progress, func(f *found) error {
				if f.all() > 0 {
					j.report.QueriesWithHits++
				}
				j.report.Occurrences += int64(f.all())
				if f.tooMany {
					j.report.QueriesOverLimit++
				}
				return result.add(q, f)
			})
			return cmp.Or(err, result.write(q))
		})
		if err != nil {
			return err
		}
		return timed(result.seconds, result.flush)
	})
	if err != nil {
		return err
	}
	if err := cli.Commit(out); err != nil {
		return err
	}
	switch r := &j.report; {
	case r.Queries > 0 && r.QueryBytes == 0:
		j.note("no query has a letter")
	case bases && r.Occurrences == 0 && r.QueryBytes > 0 && (folds || s.folds()):
		j.note("nothing was found: without --dna, of match or index, case counts, and U is not T")
	}
	return j.finish(out)
}

// foldedBases are what --dna folds.
const foldedBases = "acgtuU"

// onlyBases tells whether patterns are of DNA or RNA.
func onlyBases(text []byte) bool {
	return len(bytes.Trim(text, "ACGTUNacgtun")) == 0
}

// openDeviceAndIndex opens index and device, and loads the index.
func (j *job) openDeviceAndIndex(ctx context.Context, name string) (*suffixcl.Index, error) {
	in, err := cli.OpenRaw(ctx, name)
	if err != nil {
		return nil, err
	}
	defer in.Close()
	j.report.File = in.Name
	if err := timed(&j.report.Seconds.Open, j.openDevice); err != nil {
		return nil, err
	}
	var x *suffixcl.Index
	err = timed(&j.report.Seconds.Read, func() error {
		return cli.Interruptible(ctx, func() error {
			x, err = j.engine.LoadIndex(j.measured(ctx), in.Reader(ctx))
			return err
		})
	})
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", in.Name, err)
	}
	return x, nil
}
