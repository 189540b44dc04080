package verbs

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"strconv"
	"time"

	"github.com/spf13/cobra"
	"github.com/suffixcl/suffixcl"
	"github.com/suffixcl/suffixcl/cmd/internal/job"
	"github.com/suffixcl/suffixcl/cmd/internal/options"
	"github.com/suffixcl/suffixcl/cmd/internal/report"
	"github.com/suffixcl/suffixcl/cmd/internal/sink"
	"github.com/suffixcl/suffixcl/cmd/internal/verb"
	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/internal/cli"
	"github.com/suffixcl/suffixcl/internal/fmd"
	"github.com/suffixcl/suffixcl/internal/nucleotide"
	"github.com/suffixcl/suffixcl/internal/parallel"
)

// statReport is the result as JSON.
type statReport struct {
	Verb      string            `json:"verb"`
	File      string            `json:"file"`
	Output    string            `json:"output"`
	Pangenome *report.Pangenome `json:"pangenome"`
	Seconds   report.WallClock  `json:"seconds"`
}

func pangenomeStatVerb() verb.Verb {
	var (
		out         string
		json, quiet bool
	)
	v := verb.Verb{Writes: verb.Rows("text"), Reads: []cli.Accepted{cli.Reads("INDEX", fmdIndex)}}
	v.Command = &cobra.Command{
		Use:   "stat INDEX",
		Short: "Count the letters and runs of an index",
		Long: `Lines, as ropebwt3 stat has them: numbers of sequences, symbols, runs, A, C, G, T and N. All of the
file is checked.`,
		Example: "  suffixcl pangenome stat all.fmd",
	}
	v.Run = func(ctx context.Context, args []string) error { return runStat(ctx, args[0], out, json, quiet) }
	options.AddTextOutput(v.Command, &out)
	cli.AddJSON(v.Flags(), &json)
	cli.AddQuiet(v.Flags(), &quiet)
	return v
}

func runStat(ctx context.Context, name, outName string, json, quiet bool) error {
	began := time.Now()
	progress := cli.NewProgress(quiet)
	defer progress.Stop()
	out, err := cli.NewTextOutput(outName, name)
	if err != nil {
		return err
	}
	defer out.Discard()
	of, err := openIndexes(name)
	if err != nil {
		return err
	}
	defer of.Close()
	p, err := statOf(ctx, of, progress.Of("read"))
	if err != nil {
		return err
	}
	progress.Stop()
	r := statReport{Verb: "pangenome stat", File: name, Output: out.Name, Pangenome: p}
	err = out.Write(ctx, func(w io.Writer) error {
		_, err := fmt.Fprintf(w, "%d sequences\n%d symbols\n%d runs\n%d A\n%d C\n%d G\n%d T\n%d N\n", p.Sequences, p.Symbols,
			p.Runs, p.Letters.A, p.Letters.C, p.Letters.G, p.Letters.T, p.Letters.N)
		return err
	})
	if err == nil {
		err = cli.Commit(out)
	}
	if err != nil || !json {
		return err
	}
	r.Seconds = report.WallClockSince(began)
	return cli.PrintJSON(sink.StreamOfJSON(out), &r)
}

// fmdPart is what runs that follow each other have: rows, and maximal runs.
type fmdPart struct{ rows, runs uint64 }

func countPart(runs []fmd.Run) (p fmdPart) {
	last := byte(fmd.Letters)
	for _, r := range runs {
		if p.rows += r.Len; r.Letter != last {
			p.runs++
			last = r.Letter
		}
	}
	return p
}

// statOf reads all of an index.
func statOf(ctx context.Context, of *fmdFiles, progress func(done, total int64)) (*report.Pangenome, error) {
	file, last := of.sections[0], byte(fmd.Letters)
	runs, rows, all := uint64(0), uint64(0), uint64(0)
	if h, err := fmd.ReadHeader(io.NewSectionReader(file, 0, file.Size()), file.Size()); err == nil {
		all = h.Rows
	}
	h, err := fmd.DecodeParts(file, file.Size(), func(parts ...[]fmd.Run) error {
		counted := parallel.Collect(len(parts), 1, func(i, _ int) fmdPart { return countPart(parts[i]) })
		for i, part := range counted {
			rows, runs = rows+part.rows, runs+part.runs
			if parts[i][0].Letter == last {
				runs--
			}
			last = parts[i][len(parts[i])-1].Letter
		}
		progress(int64(rows), int64(all))
		return context.Cause(ctx)
	})
	if err != nil {
		if ctx.Err() == nil {
			err = fmt.Errorf("%s: %w", of.names[0], err)
		}
		return nil, err
	}
	return reportOf(h.Counts, runs), nil
}

func pangenomeGetVerb() verb.Verb {
	var f pangenomeFlags
	v := f.verb(&cobra.Command{
		Use:   "get INDEX ROW...",
		Short: "Read strings of an index",
		Long: `Read strings, as FASTA: ">ROW WHOLE", where WHOLE is the row of the whole string, and a line with its
letters. Row i, less than the number of strings, is that of string i. Of another row it is what
is before the suffix there.`,
		Example: "  suffixcl pangenome get all.fmd 0 1",
	}, f.get, f.planReading(func(j *job.Job, index *io.SectionReader) planner {
		return j.Engine().PangenomeIndex(index).Strings(nil)
	}))
	v.Check = func(args []string) error {
		f.args = args
		_, err := rowsOf(args[1:])
		return err
	}
	v.Reads = []cli.Accepted{cli.Reads("INDEX", fmdIndex), cli.Takes("ROW", "number")}
	v.Writes = verb.Rows("FASTA")
	options.AddTextOutput(v.Command, &f.out)
	return v
}

// planner is a job that is planned.
type planner interface {
	Plan(ctx context.Context) (device.MemoryPlan, error)
}

// planReading plans a job on the index that is the first argument.
func (f *pangenomeFlags) planReading(of func(j *job.Job, index *io.SectionReader) planner) func(
	context.Context, *job.Job) (device.MemoryPlan, error) {
	return func(ctx context.Context, j *job.Job) (device.MemoryPlan, error) {
		x, err := openIndexes(f.args[0])
		if err != nil {
			return nil, err
		}
		defer x.Close()
		x.read(j)
		plan, err := of(j, x.sections[0]).Plan(ctx)
		return plan, x.explain(err)
	}
}

// rowsOf are the numbers of rows.
func rowsOf(args []string) ([]uint64, error) {
	rows := make([]uint64, len(args))
	for i, arg := range args {
		row, err := strconv.ParseUint(arg, 10, 63)
		if err != nil {
			return nil, cli.Usage("%q is no number of a row", arg)
		}
		rows[i] = row
	}
	return rows, nil
}

func (f *pangenomeFlags) get(ctx context.Context, j *job.Job) error {
	rows, err := rowsOf(f.args[1:])
	if err != nil {
		return err
	}
	out, err := cli.NewTextOutput(f.out, f.args[0])
	if err != nil {
		return err
	}
	defer out.Discard()
	x, err := f.open(j)
	if err != nil {
		return err
	}
	defer x.Close()
	err = j.Sink.StreamRows(ctx, out, func(w io.Writer) error {
		found := j.Engine().PangenomeIndex(x.sections[0]).Strings(rows).Each(j.Measured(ctx))
		return job.EachPart(found, func(s *suffixcl.PangenomeString) error {
			j.Report.Bytes += len(s.Text)
			j.Report.Records++
			line := fmt.Appendf(nil, ">%d %d\n", s.Row, s.Whole)
			_, err := w.Write(append(append(line, s.Text...), '\n'))
			return err
		})
	})
	return x.explain(err)
}

// open opens the index that is the first argument, and the device.
func (f *pangenomeFlags) open(j *job.Job) (*fmdFiles, error) {
	x, err := openIndexes(f.args[0])
	if err != nil {
		return nil, err
	}
	x.read(j)
	if err := j.Session.OpenDevice(); err != nil {
		x.Close()
		return nil, err
	}
	return x, nil
}

func pangenomeSamplesVerb() verb.Verb {
	f := pangenomeFlags{rate: 8}
	v := f.verb(&cobra.Command{
		Use:   "samples INDEX",
		Short: "Sample the places of suffixes",
		Long: `Make the file by which ropebwt3 tells positions (mem -p): INDEX.ssa, with the places of the suffixes
of every 2^RATE-th row. All strings are walked.`,
		Example: "  suffixcl pangenome samples all.fmd",
	}, f.samples, f.planReading(func(j *job.Job, index *io.SectionReader) planner {
		return j.Engine().PangenomeIndex(index).Samples(f.rate)
	}))
	v.Check = func(args []string) error {
		f.args = args
		if f.rate < 0 || f.rate > fmd.MaxRate {
			return cli.Usage("--rate: want 0 to %d", fmd.MaxRate)
		}
		return nil
	}
	v.Reads = []cli.Accepted{cli.Reads("INDEX", fmdIndex)}
	v.Writes = []cli.Produced{cli.Writes("output", "ssa")}
	v.Flags().IntVar(&f.rate, "rate", 8, "a sample in 2^RATE rows")
	v.Flags().VarP((*cli.FileName)(&f.out), "output", "o",
		`result file; "-" is standard output; INDEX.ssa if it is not given`)
	return v
}

func (f *pangenomeFlags) samples(ctx context.Context, j *job.Job) error {
	outName := f.out
	if outName == "" {
		outName = f.args[0] + samplesSuffix
	}
	out, err := cli.NewOutput(outName, f.args[0])
	if err != nil {
		return err
	}
	defer out.Discard()
	x, err := f.open(j)
	if err != nil {
		return err
	}
	defer x.Close()
	err = cli.Timed(&j.Report.Seconds.Write, func() error {
		err := sink.WriteWhile(ctx, out, func(w io.Writer) error {
			made := j.Engine().PangenomeIndex(x.sections[0]).Samples(f.rate).Each(j.Measured(ctx))
			return job.EachPart(made, func(part []byte) error {
				_, err := w.Write(part)
				return err
			})
		})
		if err != nil {
			return err
		}
		return cli.Commit(out)
	})
	if err != nil {
		return x.explain(err)
	}
	return j.Sink.Finish(out)
}

func pangenomeVerifyVerb() verb.Verb {
	var f pangenomeFlags
	v := f.verb(&cobra.Command{
		Use:   "verify INDEX [FILE...]",
		Short: "Compare an index with its genomes",
		Long: `Read all strings of an index and compare them with the sequences of all files, in their order. Equal
strings prove the index: no other transform has them. The first difference is told, and the exit
code is 5.`,
		Example: "  suffixcl pangenome verify all.fmd genomes/*.fa.gz",
	}, f.verify, f.planReading(func(j *job.Job, index *io.SectionReader) planner {
		return j.Engine().PangenomeIndex(index).Strings(nil)
	}))
	v.Reads = append([]cli.Accepted{cli.Reads("INDEX", fmdIndex)}, readsGenomes()...)
	v.Writes = []cli.Produced{cli.Writes(cli.Stdout, "text", "JSON")}
	f.addGenomes(v.Flags())
	return v
}

func (f *pangenomeFlags) verify(ctx context.Context, j *job.Job) error {
	names, err := f.genomeNames(ctx, f.args[1:])
	if err != nil {
		return err
	}
	g := &genomes{Job: j, ctx: ctx, flags: f, names: names}
	defer g.close()
	x, err := f.open(j)
	if err != nil {
		return err
	}
	defer x.Close()
	c := &comparison{genomes: g, forward: f.forward, index: f.args[0]}
	err = job.EachPart(j.Engine().PangenomeIndex(x.sections[0]).Strings(nil).Each(j.Measured(ctx)), c.compare)
	if err == nil {
		err = c.end()
	}
	if err = x.explain(err); err != nil && (ctx.Err() != nil || !cli.IsMismatch(err)) {
		return err
	}
	j.Session.Progress.Stop()
	ok := err == nil
	if j.Report.OK = &ok; !ok {
		j.Report.Reason = err.Error()
	} else if !f.JSON {
		err := cli.PrintResult("OK: %s has %s of %s", f.args[0], cli.Quantity(int64(c.strings), "string"),
			cli.Quantity(int64(c.sequence), "sequence"))
		if err != nil {
			return err
		}
	}
	return errors.Join(err, j.Sink.Finish(nil))
}

// comparison compares the strings of an index with sequences.
type comparison struct {
	*genomes
	forward bool
	index   string

	set      *suffixcl.Collection
	at       int    // next sequence of the set
	sequence int    // sequences that were compared
	strings  uint64 // that were compared
	other    []byte // the other strand of the last sequence, if it comes next
	pending  bool
}

// ropebwt3Letters has the letter of each byte of a sequence.
var ropebwt3Letters = func() (letters [256]byte) {
	for b := range letters {
		letters[b] = 'N'
	}
	for _, base := range []byte(nucleotide.Bases) {
		letters[base], letters[base|0x20] = base, base
	}
	return letters
}()

// leastCompared are letters that are worth a processor.
const leastCompared = 1 << 18

// wanted is the next string; false after the last.
func (c *comparison) wanted() ([]byte, bool, error) {
	if c.pending {
		c.pending = false
		return c.other, true, nil
	}
	for c.set == nil || c.at == c.set.Count() {
		set, err := c.nextSet()
		if errors.Is(err, io.EOF) {
			return nil, false, nil
		}
		if err != nil {
			return nil, false, err
		}
		c.set, c.at = set, 0
	}
	from := c.set.Text(c.at)
	text := make([]byte, len(from))
	if c.pending = !c.forward; c.pending {
		c.other = make([]byte, len(from))
	}
	parallel.Do(len(from), leastCompared, func(lo, hi int) {
		for i, b := range from[lo:hi] {
			text[lo+i] = ropebwt3Letters[b]
		}
		if c.pending {
			for i, b := range text[lo:hi] {
				c.other[len(text)-1-lo-i], _ = nucleotide.Complement(b)
			}
		}
	})
	c.at++
	c.sequence++
	return text, true, nil
}

// compare compares the next string.
func (c *comparison) compare(s *suffixcl.PangenomeString) error {
	want, ok, err := c.wanted()
	if err != nil {
		return err
	}
	if !ok {
		return cli.Mismatch("%s has more strings than the files: string %d has no sequence", c.index, s.Row)
	}
	if c.strings++; bytes.Equal(want, s.Text) {
		return nil
	}
	strand := ""
	if !c.forward && c.strings%2 == 0 {
		strand = "the reverse complement of "
	}
	at := 0
	for at < min(len(want), len(s.Text)) && want[at] == s.Text[at] {
		at++
	}
	letter := func(text []byte) string {
		if at == len(text) {
			return "its end"
		}
		return string(text[at : at+1])
	}
	return cli.Mismatch("string %d of %s is not %s%s: at %d there is %s, and not %s", s.Row, c.index, strand,
		c.where(c.sequence-1), at, letter(s.Text), letter(want))
}

// end tells of sequences that the index lacks.
func (c *comparison) end() error {
	_, ok, err := c.wanted()
	if ok {
		err = cli.Mismatch("%s has %d strings, and none of %s", c.index, c.strings, c.where(c.sequence-1))
	}
	return err
}
