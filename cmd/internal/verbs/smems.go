package verbs

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/bits"
	"os"
	"sort"
	"strconv"
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
	"github.com/suffixcl/suffixcl/patterns"
)

const smemsHelp = `Find super-maximal exact matches of reads in an index of DNA: each occurs --min-hits times
or more on either strand, has --min-length letters or more, and no longer part of the read
with it occurs as often.

INDEX is the prefix of an index of bwa ("suffixcl build bwa" makes one), or a pangenome
(.fmd). READS are FASTA, FASTQ or lines, also compressed. Their order is kept.

--format says what is written:

  fastmap  for bwa, byte for byte what "bwa fastmap" writes: the matches of each read, with
           their positions, from 1 on, if there are --max-located or fewer
  bed      as "ropebwt3 mem" has it: read, start, end, hits
  tsv      read, start, end, hits, and for bwa the positions, from 0 on
  jsonl    an object for each read

The default is fastmap for bwa, and bed for a pangenome. With --gap or --cov, which are for
bed, the stretches outside of all matches are written, or how much of each read is in some.`

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
}

func smemsVerb() verb.Verb {
	var flags smemsFlags
	v := verb.Verb{Options: &flags.Job, Op: verb.Always(operation.MadeIndex)}
	v.Prepares = &verb.Preparation{Plans: []verb.Planning{planSMEMs, planPangenomeSMEMs}}
	v.Reads = []cli.Accepted{cli.Reads("INDEX", "bwa", fmdIndex), cli.Reads("READS", verb.Records, verb.Lines)}
	v.Writes = verb.Rows("fastmap", "bed", "tsv", "jsonl")
	v.Command = &cobra.Command{
		Use:   "smems INDEX READS...",
		Short: "Find maximal exact matches of reads",
		Long:  smemsHelp,
		Example: "  suffixcl smems genome.fa reads.fq.gz -o reads.smems\n" +
			"  suffixcl smems all.fmd reads.fq.gz --min-length 31 --cov",
	}
	v.Check = func(args []string) error { return flags.check(args, v.Flags().Changed) }
	v.Plan = func(ctx context.Context, j *job.Job, name string) (device.MemoryPlan, error) {
		x, err := openSMEMIndex(j, name)
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
	if len(args) > 0 {
		args = args[1:]
	}
	return options.OneStandardInput(args...)
}

// smemIndex is an index in which reads are searched.
type smemIndex struct {
	name string
	bwa  *formats.BWAIndex // or
	fmd  *fmdFiles
}

// openSMEMIndex opens the index of a name: a file, or a prefix.
func openSMEMIndex(j *job.Job, name string) (*smemIndex, error) {
	j.Report.File = name
	x := &smemIndex{name: name}
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

func (x *smemIndex) close() {
	if x.fmd != nil {
		x.fmd.Close()
	}
}

// explain has the name of the index in an error of it.
func (x *smemIndex) explain(err error) error {
	var wrong *suffixcl.IndexError
	if errors.As(err, &wrong) && !device.IsTooLarge(err) {
		return fmt.Errorf("%s: %w", x.name, wrong.Err)
	}
	return err
}

// choose fills in what depends on the index.
func (f *smemsFlags) choose(x *smemIndex) {
	if f.least == 0 {
		if f.least = 17; x.fmd != nil {
			f.least = 19
		}
	}
	if f.format.Value == "" {
		if f.format.Value = "fastmap"; x.fmd != nil || f.gap > 0 || f.cov {
			f.format.Value = "bed"
		}
	}
}

func (f *smemsFlags) options(x *smemIndex) suffixcl.SMEMOptions {
	o := suffixcl.SMEMOptions{MinLength: f.least, MinHits: f.hits}
	if x.fmd != nil {
		o.Pangenome = x.fmd.sections[0]
		return o
	}
	if o.Transform = x.bwa.Transform(); f.format.Value != "bed" {
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
	out, err := cli.NewTextOutput(flags.out, args[1:]...)
	if err != nil {
		return err
	}
	defer out.Discard()
	var x *smemIndex
	err = cli.Timed(&j.Report.Seconds.Read, func() error {
		x, err = openSMEMIndex(j, args[0])
		return err
	})
	if err != nil {
		return err
	}
	defer x.close()
	flags.choose(x)
	if flags.format.Value == "fastmap" && x.bwa == nil {
		return cli.Usage("--format fastmap is for an index of bwa")
	}
	reads := j.Source.StreamReads(ctx, args[1:], flags.reads, flags.Raw)
	defer reads.Close()
	if err := j.Session.OpenDevice(); err != nil {
		return err
	}
	j.Report.SMEMs = &report.SMEMs{Lengths: []report.SMEMLength{}}
	if out.Name == "-" {
		j.Session.Progress.YieldTerminal()
	}
	return x.explain(j.Sink.StreamRows(ctx, out, func(w io.Writer) error {
		m := &smemWriter{Writer: tsv.New(w), smemsFlags: flags, index: x.bwa, report: j.Report.SMEMs}
		o := flags.options(x)
		if flags.format.Value == "fastmap" {
			m.rare = newRareLetters(o.Transform, flags.hits)
		}
		o.Next = func() (*patterns.Batch, error) {
			batch, err := reads.Next()
			if err != nil {
				return nil, err
			}
			m.reads = batch
			j.Session.Progress.Update("search", batch.Start, batch.Size)
			return &batch.Batch, nil
		}
		err := job.EachPart(j.Engine().SMEMs(o).Each(j.Measured(ctx)), m.write)
		if err != nil {
			return err
		}
		j.Report.Queries, j.Report.QueryBytes, j.Report.Occurrences = m.report.Reads, m.report.Bases, m.report.Matches
		j.Report.Tell(fmt.Sprintf("%s, %s, %s", cli.Quantity(int64(m.report.Reads), "read"),
			cli.Quantity(m.report.Bases, "base"), cli.Quantity(m.report.Matches, "match")))
		for k, n := range m.lengths {
			if n > 0 {
				m.report.Lengths = append(m.report.Lengths, report.SMEMLength{Least: 1 << k, Matches: n})
			}
		}
		return m.Flush()
	}))
}

// smemWriter writes matches of reads.
type smemWriter struct {
	tsv.Writer
	*smemsFlags
	index   *formats.BWAIndex
	reads   *source.Reads
	report  *report.SMEMs
	lengths [64]int64
	places  []int // of the positions of each match
	rare    *rareLetters
}

func (m *smemWriter) write(part *suffixcl.SMEMs) error {
	m.places = m.places[:0]
	at, last, covered := 0, suffixcl.SMEM{}, 0
	for _, f := range part.Matches {
		m.places = append(m.places, at)
		if f.Hits <= uint64(m.located) && len(part.Positions) > 0 {
			at += int(f.Hits)
		}
		if f.Query != last.Query {
			last.End = 0
		}
		covered += int(f.End - max(f.Start, last.End))
		last = f
		m.lengths[bits.Len32(f.End-f.Start)-1]++
	}
	first := part.First - m.reads.First
	m.report.Reads += part.Queries
	m.report.Bases += int64(m.reads.Offsets[first+part.Queries] - m.reads.Offsets[first])
	m.report.Covered += int64(covered)
	m.report.Matches += int64(len(part.Matches))
	line := map[string]func(rows *tsv.Writer, r *oneRead){"fastmap": m.fastmap, "bed": m.bed, "tsv": m.tsv,
		"jsonl": m.jsonl}[m.format.Value]
	each := tsv.EachOf(part.Queries, len(part.Matches)+len(part.Positions))
	return m.Many(part.Queries, each, func(rows tsv.Writer, lo, hi int) (tsv.Writer, error) {
		k := sort.Search(len(part.Matches), func(i int) bool { return int(part.Matches[i].Query) >= lo })
		for q := lo; q < hi; q++ {
			end := k
			for end < len(part.Matches) && int(part.Matches[end].Query) == q {
				end++
			}
			line(&rows, &oneRead{part, m.reads, first + q, k, end})
			k = end
			if err := rows.Spill(); err != nil {
				return rows, err
			}
		}
		return rows, nil
	})
}

// oneRead is a read with its matches.
type oneRead struct {
	part   *suffixcl.SMEMs
	reads  *source.Reads
	number int // in reads
	lo, hi int // matches
}

func (r *oneRead) letters() []byte { return r.reads.Pattern(r.number) }

// positions are those of match k, or none.
func (m *smemWriter) positions(r *oneRead, k int) []uint64 {
	if f := r.part.Matches[k]; f.Hits <= uint64(m.located) && len(r.part.Positions) > 0 {
		return r.part.Positions[m.places[k]:][:f.Hits]
	}
	return nil
}

// place appends NAME:+PLACE.
func (m *smemWriter) place(line []byte, position uint64, letters uint32, from int) []byte {
	name, forward, at := m.index.Place(position, int(letters))
	line = append(append(line, name...), ':')
	strand := byte('-')
	if forward {
		strand = '+'
	}
	return strconv.AppendInt(append(line, strand), int64(at+from), 10)
}

func (m *smemWriter) fastmap(rows *tsv.Writer, r *oneRead) {
	line := append(append(append(rows.Line, "SQ\t"...), r.reads.Records[r.number].Name...), '\t')
	line = strconv.AppendInt(line, int64(len(r.letters())), 10)
	if m.sequence {
		line = append(append(line, '\t'), r.letters()...)
	}
	line = append(line, '\n')
	if m.rare != nil {
		var found []rareMatch
		for k := r.lo; k < r.hi; k++ {
			found = append(found, rareMatch{r.part.Matches[k], m.positions(r, k)})
		}
		for _, f := range m.rare.among(found, r.letters(), m.least, m.located) {
			line = m.match(line, f.SMEM, f.positions)
		}
	} else {
		for k := r.lo; k < r.hi; k++ {
			line = m.match(line, r.part.Matches[k], m.positions(r, k))
		}
	}
	rows.Line = append(line, "//\n"...)
	rows.Ended++
}

// match appends the line of a match.
func (m *smemWriter) match(line []byte, f suffixcl.SMEM, positions []uint64) []byte {
	line = strconv.AppendUint(append(line, "EM\t"...), uint64(f.Start), 10)
	line = strconv.AppendUint(append(line, '\t'), uint64(f.End), 10)
	line = strconv.AppendUint(append(line, '\t'), f.Hits, 10)
	if f.Hits > uint64(m.located) {
		line = append(line, "\t*\n"...) // and an empty line
	}
	for _, p := range positions {
		line = m.place(append(line, '\t'), p, f.End-f.Start, 1)
	}
	return append(line, '\n')
}

func (m *smemWriter) cells(rows *tsv.Writer, r *oneRead, cells ...int) {
	rows.Line = append(r.reads.AppendName(rows.Line, r.number), '\t')
	for _, cell := range cells {
		rows.Number(uint64(cell))
	}
	rows.Line[len(rows.Line)-1] = '\n'
	rows.Ended++
}

func (m *smemWriter) bed(rows *tsv.Writer, r *oneRead) {
	covered, end := 0, 0
	gap := func(to int) {
		if m.gap > 0 && to-end >= m.gap {
			m.cells(rows, r, end, to, to-end)
		}
	}
	for _, f := range r.part.Matches[r.lo:r.hi] {
		if m.gap == 0 && !m.cov {
			m.cells(rows, r, int(f.Start), int(f.End), int(f.Hits))
		}
		gap(int(f.Start))
		covered += int(f.End) - max(int(f.Start), end)
		end = int(f.End)
	}
	gap(len(r.letters()))
	if m.cov && covered > 0 {
		m.cells(rows, r, len(r.letters()), covered)
	}
}

func (m *smemWriter) tsv(rows *tsv.Writer, r *oneRead) {
	for k := r.lo; k < r.hi; k++ {
		f := r.part.Matches[k]
		m.cells(rows, r, int(f.Start), int(f.End), int(f.Hits))
		if m.index == nil {
			continue
		}
		line := append(rows.Line[:len(rows.Line)-1], '\t')
		for i, p := range m.positions(r, k) {
			if i > 0 {
				line = append(line, ',')
			}
			line = m.place(line, p, f.End-f.Start, 0)
		}
		if f.Hits > uint64(m.located) {
			line = append(line, '*')
		}
		rows.Line = append(line, '\n')
	}
}

// smemRead and smemMatch are the lines of JSON.
type (
	smemRead struct {
		Read    string      `json:"read"`
		Length  int         `json:"length"`
		Matches []smemMatch `json:"matches"`
	}
	smemMatch struct {
		Start     uint32   `json:"start"`
		End       uint32   `json:"end"`
		Hits      uint64   `json:"hits"`
		Positions []string `json:"positions"` // null: there are too many, or the index has none
	}
)

func (m *smemWriter) jsonl(rows *tsv.Writer, r *oneRead) {
	read := smemRead{Read: string(r.reads.AppendName(nil, r.number)), Length: len(r.letters()), Matches: []smemMatch{}}
	for k := r.lo; k < r.hi; k++ {
		f := r.part.Matches[k]
		one := smemMatch{Start: f.Start, End: f.End, Hits: f.Hits}
		for _, p := range m.positions(r, k) {
			one.Positions = append(one.Positions, string(m.place(nil, p, f.End-f.Start, 0)))
		}
		read.Matches = append(read.Matches, one)
	}
	line, _ := json.Marshal(read) // of strings and numbers
	rows.Line = append(append(rows.Line, line...), '\n')
	rows.Ended++
}
