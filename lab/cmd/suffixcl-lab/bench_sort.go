package main

import (
	"cmp"
	"context"
	"encoding/csv"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/suffixcl/suffixcl"
	"github.com/suffixcl/suffixcl/internal/bytesize"
	"github.com/suffixcl/suffixcl/internal/cli"
	"github.com/suffixcl/suffixcl/internal/limits"
	"github.com/suffixcl/suffixcl/internal/testkit/opticks"
	"github.com/suffixcl/suffixcl/internal/testkit/synthetic"
	"github.com/suffixcl/suffixcl/lab/bench"
	"github.com/suffixcl/suffixcl/seqio"
)

const benchSortHelp = `Measure suffix array and Burrows-Wheeler transform of texts, in GB of text a second: with
text and result in device memory, and from pinned host memory to pinned host memory. The
second is of a text alone, and of one in a stream, whose transfers overlap with sorting.
Device memory is told, and the time of each phase on the device, from runs apart. Times are
the best of --runs, and every result is verified. On an H200 the speed of libcubwt there is
listed, too. "of larger" is the time over the larger of computation and transfers. Of
streams it is the median, compared with texts alone right before each.

Texts are files, or all files of a directory but digests.tsv. Without any, they are those of
the directory SUFFIXCL_CORPORA, or a bundled one. --synthetic makes more, named KIND.SIZE:
genome.3.1G is random bases with mutated repeats and duplications. Kinds are
%s.

--out DIR writes sort.json, sort.csv, phases.csv, sort-sa.png and sort-bwt.png there after
each text. "bench compare" takes what --json writes.`

type benchSortFlags struct {
	labFlags
	algorithms []string
	synthetic  []string
	out        string
	bench      bench.Sort
}

func benchSortCommand() *cobra.Command {
	var f benchSortFlags
	c := &cobra.Command{
		Use:   "sort [TEXT...]",
		Short: "Measure suffix sorting",
		Long:  fmt.Sprintf(benchSortHelp, strings.Join(synthetic.Kinds(), ", ")),
		RunE:  cli.Work(func(ctx context.Context, args []string) error { return runBenchSort(ctx, &f, args) }),
	}
	f.DeviceFlags.Add(c.Flags())
	f.TextFlags.Add(c.Flags(), seqio.Plain)
	cli.AddJSON(c.Flags(), &f.json)
	cli.AddQuiet(c.Flags(), &f.quiet)
	c.Flags().StringSliceVar(&f.algorithms, "algorithm", []string{string(suffixcl.AlgorithmAuto)},
		"suffix sorters: "+strings.Join(cli.Algorithms(), ", "))
	c.Flags().StringSliceVar(&f.synthetic, "synthetic", nil, "texts to make, such as all_a.64M,genome.256M")
	c.Flags().IntVar(&f.bench.Runs, "runs", 5, "runs that are timed")
	c.Flags().IntVar(&f.bench.Stream, "stream", 8,
		"texts of a stream, whose transfers overlap with sorting, more if they are short; 0: none")
	c.Flags().BoolVar(&f.bench.Phases, "phases", true, "times of the phases")
	c.Flags().BoolVar(&f.bench.LCP, "lcp", false, "mean and largest LCP, too")
	c.Flags().BoolVar(&f.bench.CPU, "cpu", false, "Go's index/suffixarray too, the best of as many runs, on one core")
	c.Flags().StringVarP(&f.out, "out", "o", "", "directory for JSON, CSV and figures")
	return c
}

// sortReport is what `bench sort --json` writes.
type sortReport struct {
	Version int    `json:"suffixcl_bench_sort"`
	Library string `json:"library"`
	*bench.SortReport
}

func runBenchSort(ctx context.Context, f *benchSortFlags, args []string) error {
	for _, a := range f.algorithms {
		if _, err := suffixcl.ParseAlgorithm(a); err != nil {
			return cli.Usage("--algorithm: %v", err)
		}
	}
	if f.bench.Runs < 1 {
		return cli.Usage("--runs is positive")
	}
	b := f.bench
	b.Algorithms = f.algorithms
	var err error
	if b.Texts, err = f.texts(args); err != nil {
		return err
	}
	if err := cli.MakeDirectory(f.out); err != nil {
		return err
	}
	b.Open, b.Progress = f.OpenDevice, f.tell
	b.Done = func(r *bench.SortReport) error {
		if f.out == "" {
			return nil
		}
		return sortFiles(f.out, r)
	}
	report, err := b.Run(ctx)
	if report == nil || err != nil && len(report.Results) == 0 {
		return err
	}
	if f.json {
		return cmp.Or(cli.PrintJSON(os.Stdout, sortReport{benchVersion, cli.Library(), report}), err)
	}
	fmt.Printf("%s, driver %s, copy %.0f GB/s; all results verified, best of %s\n", report.Device, report.Driver,
		report.CopyGBps, bytesize.Count(b.Runs, "run"))
	for _, t := range sortTables(report) {
		if err := t.print(os.Stdout); err != nil {
			return cli.StandardOutput(err)
		}
	}
	return err
}

// texts lists those of the arguments, and the synthetic ones; none is read.
func (f *benchSortFlags) texts(args []string) ([]bench.SortText, error) {
	var texts []bench.SortText
	corpora := os.Getenv("SUFFIXCL_CORPORA")
	if len(args) == 0 && len(f.synthetic) == 0 && corpora != "" {
		args = []string{corpora}
	}
	for _, arg := range args {
		names := []string{arg}
		if info, err := os.Stat(arg); err == nil && info.IsDir() {
			entries, err := os.ReadDir(arg)
			if err != nil {
				return nil, fmt.Errorf("cannot read %s: %w", arg, cli.WithoutPath(err))
			}
			names = nil
			for _, e := range entries {
				name := filepath.Join(arg, e.Name())
				if info, err := os.Stat(name); err == nil && info.Mode().IsRegular() && e.Name() != "digests.tsv" {
					names = append(names, name)
				}
			}
		}
		for _, name := range names {
			texts = append(texts, f.file(name))
		}
	}
	if len(args) == 0 && len(f.synthetic) == 0 {
		texts = append(texts, madeText("opticks.txt", len(opticks.Text), func(text []byte) *synthetic.GenomeStats {
			copy(text, opticks.Text)
			return nil
		}))
	}
	for _, name := range f.synthetic {
		t, err := synthetic.Parse(name)
		if err != nil {
			return nil, cli.Usage("--synthetic: %v", err)
		}
		texts = append(texts, madeText(t.Name, t.Len, t.Make))
	}
	return texts, nil
}

func madeText(name string, n int, fill func([]byte) *synthetic.GenomeStats) bench.SortText {
	open := func(context.Context) (int, func([]byte) *synthetic.GenomeStats, error) { return n, fill, nil }
	return bench.SortText{Name: name, Open: open}
}

// file is a text that is read when its turn comes. The name of a compressed one is without
// what says so.
func (f *benchSortFlags) file(name string) bench.SortText {
	base := filepath.Base(name)
	if !f.Raw {
		base = strings.TrimSuffix(strings.TrimSuffix(base, ".xz"), ".gz")
	}
	return bench.SortText{Name: base, Open: func(ctx context.Context) (int, func([]byte) *synthetic.GenomeStats, error) {
		data, err := f.ReadText(ctx, name, func(n int64) error {
			return limits.CheckLen("text", int(n), suffixcl.MaxLen)
		})
		return len(data), func(text []byte) *synthetic.GenomeStats { copy(text, data); return nil }, err
	}}
}

// sortJobs are those of the tables, the figures and their files.
var sortJobs = []struct{ job, title string }{{bench.JobSA, "Suffix array"}, {bench.JobBWT, "Burrows-Wheeler transform"}}

// sortTables are for people.
func sortTables(r *bench.SortReport) []sheet {
	texts := sheet{"texts", "Texts", [][]string{{"text", "bytes", "symbols", "entropy", "rarest", "copies", "copied",
		"duplications", "duplicated", "mean LCP", "max LCP", "LCP > 100"}}}
	for _, t := range r.Texts {
		row := []string{t.Text, strconv.Itoa(t.Bytes), strconv.Itoa(t.Symbols), number(t.Entropy),
			strconv.Itoa(t.LeastBytes), "", "", "", ""}
		if g := t.GenomeStats; g != nil {
			row = append(row[:5], strconv.Itoa(g.Copies), percent(g.CopiedBases, t.Bytes), strconv.Itoa(g.Duplications),
				percent(g.DuplicatedBases, t.Bytes))
		}
		if t.MeanLCP > 0 || t.MaxLCP > 0 {
			row = append(row, number(t.MeanLCP), fmt.Sprint(t.MaxLCP), fmt.Sprintf("%.2f %%", 100*t.Over100))
		}
		texts.rows = append(texts.rows, row)
	}
	tables := []sheet{texts}
	for _, job := range sortJobs {
		tables = append(tables, sortTable(r, job.job, job.title))
	}
	means := sheet{"means", "Geometric means", [][]string{{"", "algorithm", "texts", "GB/s", "of libcubwt", "least",
		"on", "of index/suffixarray", "least", "on"}}}
	for _, m := range r.Means {
		what := m.Job
		if m.EndToEnd {
			what += ", end to end"
		}
		kind := " files"
		if m.Synthetic {
			kind = " synthetic"
		}
		row := []string{what, m.Algorithm, strconv.Itoa(m.Texts) + kind, number(m.GBps)}
		for _, of := range []*bench.Ratios{m.OfAnchor, m.OfCPU} {
			if of == nil {
				row = append(row, "", "", "")
				continue
			}
			row = append(row, fmt.Sprintf("%.2f (%d)", of.Mean, of.Texts), fmt.Sprintf("%.2f", of.Least), of.On)
		}
		means.rows = append(means.rows, row)
	}
	tables = append(tables, means)
	if phases := phaseRows(r); len(phases) > 1 {
		tables = append(tables, sheet{"phases", "Phases, times of the device", phases})
	}
	if len(r.LeftOut) > 0 {
		left := sheet{"left", "Left out", [][]string{{"text", "algorithm", "problem"}}}
		for _, p := range r.LeftOut {
			left.rows = append(left.rows, []string{p.Text, p.Algorithm, p.Problem})
		}
		tables = append(tables, left)
	}
	for i := range tables {
		tables[i].rows = filled(tables[i].rows)
	}
	return tables
}

// sortTable has a line for each text and algorithm, device-resident and end to end.
func sortTable(r *bench.SortReport, job, title string) sheet {
	t := sheet{job, title, [][]string{{"text", "bytes", "algorithm", "sorter", "ms", "GB/s", "libcubwt", "ratio",
		"end to end GB/s", "libcubwt", "ratio", "of larger", "stream GB/s", "of larger", "device B/char",
		"index/suffixarray GB/s"}}}
	var of []bench.SortRow
	for _, row := range r.Results {
		if row.Job == job {
			of = append(of, row)
		}
	}
	for i := 0; i+1 < len(of); i += 2 {
		resident, whole := of[i], of[i+1]
		line := []string{resident.Text, strconv.Itoa(resident.Items), resident.Algorithm, resident.Sorter,
			fmt.Sprintf("%.3f", resident.Seconds*1e3)}
		for _, row := range of[i : i+2] {
			line = append(line, number(row.GBps), number(row.Anchor), ratioTo(row))
		}
		line = append(line, fmt.Sprintf("%.2f", whole.Parts.OfLarger(whole.Seconds)))
		if stream := whole.Stream; stream != nil {
			line = append(line, number(stream.GBps), fmt.Sprintf("%.2f", stream.OfLarger))
		} else {
			line = append(line, "", "")
		}
		t.rows = append(t.rows, append(line, fmt.Sprintf("%.1f", float64(resident.Bytes)/float64(resident.Items)),
			number(resident.CPU)))
	}
	return t
}

func ratioTo(row bench.SortRow) string {
	if row.Anchor == 0 {
		return ""
	}
	return fmt.Sprintf("%.2f", row.GBps/row.Anchor)
}

func phaseRows(r *bench.SortReport) [][]string {
	rows := [][]string{{"text", "bytes", "job", "algorithm", "phase", "calls", "ms", "share", "MB", "GB/s", "of copy"}}
	for _, row := range r.Results {
		for _, p := range row.Phases {
			rows = append(rows, []string{row.Text, strconv.Itoa(row.Items), row.Job, ranSorter(row), p.Phase,
				strconv.Itoa(p.Calls), fmt.Sprintf("%.3f", p.Time.Seconds()*1e3),
				fmt.Sprintf("%.3f", p.Share), fmt.Sprintf("%.3f", float64(p.Bytes)/1e6), number(p.GBps),
				fmt.Sprintf("%.3f", p.CopyShare)})
		}
	}
	return rows
}

// sortFiles writes everything again; each file is whole at any time.
func sortFiles(dir string, r *bench.SortReport) error {
	rows := [][]string{{"text", "bytes", "job", "end_to_end", "algorithm", "sorter", "seconds", "gb_per_s", "upload_s",
		"compute_s", "download_s", "stream_s", "stream_of_larger", "peak_device_bytes", "anchor", "anchor_gb_per_s",
		"cpu_gb_per_s"}}
	for _, row := range r.Results {
		var parts bench.Parts
		if row.Parts != nil {
			parts = *row.Parts
		}
		var stream bench.Stream
		if row.Stream != nil {
			stream = *row.Stream
		}
		rows = append(rows, []string{row.Text, strconv.Itoa(row.Items), row.Job, strconv.FormatBool(row.EndToEnd),
			row.Algorithm, row.Sorter, number(row.Seconds), number(row.GBps),
			number(parts.Upload), number(parts.Compute), number(parts.Download), number(stream.Seconds),
			number(stream.OfLarger), fmt.Sprint(row.Bytes), row.AnchorOf, number(row.Anchor), number(row.CPU)})
	}
	for name, table := range map[string][][]string{"sort.csv": rows, "phases.csv": phaseRows(r)} {
		write := func(w io.Writer) error { return csv.NewWriter(w).WriteAll(table) }
		if err := cli.SaveFile(filepath.Join(dir, name), write); err != nil {
			return err
		}
	}
	for _, job := range sortJobs {
		name, title := filepath.Join(dir, "sort-"+job.job+".png"), job.title+" in device memory, "+r.Device
		if err := drawBars(name, title, "GB/s", sortBars(r, job.job)); err != nil {
			return err
		}
	}
	return cli.SaveFile(filepath.Join(dir, "sort.json"), func(w io.Writer) error {
		return cli.PrintJSON(w, sortReport{benchVersion, cli.Library(), r})
	})
}

// ranSorter is the sorter that ran, and whether auto chose it.
func ranSorter(row bench.SortRow) string {
	if row.Sorter == "" || row.Algorithm == row.Sorter {
		return row.Algorithm
	}
	return row.Algorithm + " (" + row.Sorter + ")"
}

func sortBars(r *bench.SortReport, job string) bars {
	var b bars
	for _, row := range r.Results {
		if row.Job != job || row.EndToEnd {
			continue
		}
		b.set(row.Text, ranSorter(row), row.GBps)
		if row.Anchor > 0 {
			b.set(row.Text, row.AnchorOf, row.Anchor)
		}
	}
	return b
}
