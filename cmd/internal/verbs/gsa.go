package verbs

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"io"

	"github.com/spf13/cobra"
	"github.com/suffixcl/suffixcl"
	"github.com/suffixcl/suffixcl/cmd/internal/formats/gsufsort"
	"github.com/suffixcl/suffixcl/cmd/internal/job"
	"github.com/suffixcl/suffixcl/cmd/internal/operation"
	"github.com/suffixcl/suffixcl/cmd/internal/options"
	"github.com/suffixcl/suffixcl/cmd/internal/sink"
	"github.com/suffixcl/suffixcl/cmd/internal/verb"
	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/internal/cli"
	"github.com/suffixcl/suffixcl/internal/parallel"
)

const gsaHelp = `Build the arrays of a set of texts: the generalised suffix array (--sa), the LCP array
(--lcp), the document array (--da), the transform (--bwt) and the inverse suffix array
(--isa: the slot of each position), in files OUT.sa, OUT.lcp, OUT.da, OUT.bwt and OUT.isa.

The texts are the records of FASTA or FASTQ, which are recognised; the lines of another
file; with --field the strings of a field of JSON objects, one a line; or all files below a
directory, in the order of their paths. Each is followed by a terminator. Terminators
are smaller than all letters and ordered by text, and common prefixes end there.
Positions count the letters and terminators of the texts one after the other.

Arrays have an entry for each letter and terminator, little-endian integers of --width
bytes, document numbers of --da-width. In the transform terminators are newlines, so
that no text may hold one.

With --format gsufsort files have the names and bytes of gsufsort: OUT.4.sa, OUT.4.lcp,
OUT.4.da, OUT.4.isa with their widths, and OUT.bwt; with --gsa the pairs of document and
place in it, OUT.4.4.gsa, with --gesa these with LCP and transform, OUT.4.4.4.1.gesa. An end
follows the last terminator there, and its row is the first. Empty texts are left out, and
bytes 0 and 255 refused, as there.`

type gsaFlags struct {
	options.Job
	set              options.Set
	out              string
	sa, lcp, da, bwt bool
	isa, gsa, gesa   bool
	width, daWidth   options.Width
	format           cli.Choice
}

func (f *gsaFlags) gsufsort() bool { return f.format.Value == "gsufsort" }

// want are the arrays for the files. The transform of gsufsort tells the row of position 0 from others.
func (f *gsaFlags) want() suffixcl.Want {
	return suffixcl.Want{
		SA: f.sa || f.isa || f.gsa || f.gesa || f.bwt && f.gsufsort(), LCP: f.lcp || f.gesa,
		Documents: f.da || f.gsa || f.gesa, BWT: f.bwt || f.gesa,
	}
}

func gsaVerb() verb.Verb {
	var flags gsaFlags
	flags.set.Job = &flags.Job
	v := verb.Verb{Options: &flags.Job, Op: verb.Always(operation.SortedArray)}
	v.Plan = func(ctx context.Context, j *job.Job, name string) (device.MemoryPlan, error) {
		plan, err := verb.PlanSet(&flags.set, flags.texts, flags.want)(ctx, j, name)
		for i := range plan {
			if flags.isa {
				plan[i].Host += 4 * int64(j.Report.Bytes+1)
			}
		}
		return plan, err
	}
	v.Result = func(j *job.Job) sink.File { return flags.result(j.Report.Bytes) }
	v.Prepares = &verb.Preparation{Plans: append(verb.PlansOf(operation.SortedLCP), planSets)}
	v.Reads = []cli.Accepted{cli.Reads("TEXTS", verb.Records, verb.Lines, verb.JSONLines, verb.Directory)}
	v.Writes = []cli.Produced{cli.Writes("output", "plain", "gsufsort")}
	v.Command = &cobra.Command{
		Use:   "gsa TEXTS -o OUT",
		Short: "Build the arrays of a set of texts",
		Long:  gsaHelp,
		Example: "  suffixcl gsa reads.fq.gz --sa --lcp --da -o reads\n" +
			"  suffixcl gsa reads.fa --gesa --format gsufsort -o reads.fa\n" +
			"  suffixcl gsa documents.jsonl --field text --sa --da -o documents",
	}
	v.Check = func([]string) error {
		switch {
		case !flags.sa && !flags.lcp && !flags.da && !flags.bwt && !flags.isa && !flags.gsa && !flags.gesa:
			return cli.Usage("gsa: one of --sa, --lcp, --da, --bwt, --isa is missing")
		case (flags.gsa || flags.gesa) && !flags.gsufsort():
			return cli.Usage("--gsa and --gesa need --format gsufsort")
		case v.Flags().Changed("da-width") && !flags.da && !flags.gsa && !flags.gesa:
			return cli.Usage("--da-width is for --da, --gsa and --gesa")
		case v.Flags().Changed("width") && !flags.sa && !flags.lcp && !flags.isa && !flags.gsa && !flags.gesa:
			return cli.Usage("--width is for --sa, --lcp, --isa, --gsa and --gesa")
		}
		return cmp.Or(options.CheckPrefix(v.Flags(), "OUT.sa"), flags.set.Wrong())
	}
	v.Run = func(ctx context.Context, args []string) error {
		return runGSA(ctx, v.Job(), &flags, args[0])
	}
	flags.AddSequences(v.Flags())
	flags.set.Add(v.Flags())
	options.AddOutput(v.Command, &flags.out)
	v.Flags().Lookup("output").Usage = "names of the result files, before .sa and so on (required)"
	v.Flags().BoolVar(&flags.sa, "sa", false, "the suffix array")
	v.Flags().BoolVar(&flags.lcp, "lcp", false, "the LCP array")
	v.Flags().BoolVar(&flags.da, "da", false, "the document array: the number of the text, from 0, of each suffix")
	v.Flags().BoolVar(&flags.bwt, "bwt", false, "the Burrows-Wheeler transform")
	v.Flags().BoolVar(&flags.isa, "isa", false, "the inverse suffix array: the slot of each position")
	v.Flags().BoolVar(&flags.gsa, "gsa", false, "pairs of text and place in it, of gsufsort")
	v.Flags().BoolVar(&flags.gesa, "gesa", false, "these, LCP and transform, of gsufsort")
	options.AddWidth(v.Flags(), &flags.width)
	flags.daWidth = 4
	v.Flags().Var(&flags.daWidth, "da-width", "bytes of a number of a text: 4, 5 or 8, little-endian")
	flags.format = cli.Choice{Value: "plain", Of: []string{"plain", "gsufsort"}}
	v.Flags().Var(&flags.format, "format", "names and bytes of the files: plain, or those of gsufsort")
	return v
}

// texts are those that are sorted.
func (f *gsaFlags) texts(c *suffixcl.Collection) (*suffixcl.Collection, error) {
	if !f.gsufsort() {
		if f.bwt {
			return c, c.CheckTerminator(options.Terminator)
		}
		return c, nil
	}
	var texts [][]byte
	for k := range c.Count() {
		text := c.Text(k)
		for _, refused := range []byte{0, 255} {
			if at := bytes.IndexByte(text, refused); at >= 0 {
				return nil, fmt.Errorf("text %d holds the byte %d, which gsufsort does not take, at offset %d", k, refused, at)
			}
		}
		if len(text) > 0 {
			texts = append(texts, text)
		}
	}
	return suffixcl.JoinTexts(0, texts...)
}

// setFile is a result.
type setFile struct {
	suffix string
	each   int // bytes for each suffix
	write  func(w io.Writer) error
}

// result are the files that the flags want, for n letters and terminators.
func (f *gsaFlags) result(n int) sink.File {
	if f.gsufsort() {
		n++ // the row of the end
	}
	r := sink.File{Out: f.out}
	for _, file := range f.files(nil, &suffixcl.Result{}, nil) {
		r.Bytes += int64(n) * int64(file.each)
	}
	return r
}

// files are those that the flags want. part begins to tell of one of them.
func (f *gsaFlags) files(
	c *suffixcl.Collection, r *suffixcl.Result, part func() func(done, total int64),
) []setFile {
	width, daWidth := int(f.width), int(f.daWidth)
	name := func(kind string, widths ...int) string {
		if !f.gsufsort() {
			return "." + kind
		}
		return gsufsort.Suffix(kind, widths...)
	}
	// array writes one, of gsufsort after the row of the end.
	array := func(end uint32, array []uint32, width int) func(io.Writer) error {
		return func(w io.Writer) error {
			if f.gsufsort() {
				var row [8]byte
				gsufsort.PutEntry(row[:], end, width)
				if _, err := w.Write(row[:width]); err != nil {
					return err
				}
			}
			return sink.WriteArray(w, array, width, part())
		}
	}
	var n, m uint32
	if c != nil {
		n, m = uint32(c.Len()), uint32(c.Count())
	}
	var files []setFile
	add := func(wanted bool, suffix string, each int, write func(io.Writer) error) {
		if wanted {
			files = append(files, setFile{suffix, each, write})
		}
	}
	add(f.sa, name("sa", width), width, array(n, r.SA, width))
	add(f.lcp, name("lcp", width), width, array(0, r.LCP, width))
	add(f.da, name("da", daWidth), daWidth, array(m, r.Documents, daWidth))
	add(f.isa, name("isa", width), width, func(w io.Writer) error {
		return sink.WriteArray(w, slotsOf(r.SA, f.gsufsort()), width, part())
	})
	add(f.bwt, name("bwt"), 1, func(w io.Writer) error {
		if !f.gsufsort() {
			return sink.WriteBytes(w, r.BWT.Bytes(), part())
		}
		rows := gsufsort.Rows{Result: r, Letters: true}
		return rows.Write(w, part())
	})
	add(f.gsa, name("gsa", daWidth, width), daWidth+width, func(w io.Writer) error {
		rows := gsufsort.Rows{Result: r, Starts: gsufsort.StartsOf(c), DocumentWidth: daWidth, Width: width}
		return rows.Write(w, part())
	})
	add(f.gesa, name("gesa", daWidth, width, width, 1), daWidth+2*width+1, func(w io.Writer) error {
		rows := gsufsort.Rows{Result: r, Starts: gsufsort.StartsOf(c), DocumentWidth: daWidth, Width: width, Common: true,
			Letters: true}
		return rows.Write(w, part())
	})
	return files
}

// slotsOf are the slots of positions, with the row of the end from 1 on, and 0 for the end.
func slotsOf(sa []uint32, end bool) []uint32 {
	first, slots := 0, make([]uint32, len(sa), len(sa)+1)
	if end {
		first, slots = 1, slots[:len(sa)+1]
	}
	parallel.Do(len(sa), 1<<16, func(lo, hi int) {
		for slot := lo; slot < hi; slot++ {
			slots[sa[slot]] = uint32(first + slot)
		}
	})
	return slots
}

func runGSA(ctx context.Context, j *job.Job, flags *gsaFlags, name string) error {
	defer j.Close()
	var outputs []*cli.Output
	for _, file := range flags.files(nil, &suffixcl.Result{}, nil) {
		out, err := cli.NewOutput(flags.out+file.suffix, name)
		if err != nil {
			return err
		}
		outputs = append(outputs, out)
	}
	c, err := j.Source.OpenDeviceAndSet(ctx, name, &flags.set, flags.texts)
	if err != nil {
		return err
	}
	if err := flags.result(c.Len()).CheckRoom(); err != nil {
		return err
	}
	r, err := j.Engine().Arrays(suffixcl.Set(c), flags.want()).All(j.Measured(ctx))
	if err != nil {
		return err
	}
	j.Report.Width = int(flags.width)
	err = cli.Timed(&j.Report.Seconds.Write, func() error {
		for _, out := range outputs {
			defer out.Discard()
		}
		files := flags.files(c, r, j.Session.Progress.Sum("write"))
		err := cli.WriteAll(ctx, outputs, func(k int, w io.Writer) error { return files[k].write(w) })
		if err != nil {
			return err
		}
		return cli.Commit(outputs...)
	})
	if err != nil {
		return err
	}
	return j.Sink.Finish(&cli.Output{Name: flags.out})
}

func planSets(ctx context.Context, e *suffixcl.Engine, n int) (device.MemoryPlan, error) {
	var plans []func() (device.MemoryPlan, error)
	for _, count := range []int{2, verb.ManyTexts} {
		set := suffixcl.Documents(verb.TextsOf(n, count)...)
		for _, lcp := range []bool{false, true} {
			want := suffixcl.Want{SA: true, LCP: lcp, Documents: true, BWT: true}
			plans = append(plans, func() (device.MemoryPlan, error) { return e.Arrays(set, want).Plan(ctx) })
		}
	}
	return verb.All(plans...)
}
