package main

import (
	"bytes"
	"context"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"golang.org/x/sync/errgroup"

	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/distributed"
	"github.com/suffixcl/suffixcl/internal/cli"
	"github.com/suffixcl/suffixcl/internal/lab/bench"
	"github.com/suffixcl/suffixcl/internal/lab/mpirun"
	"github.com/suffixcl/suffixcl/mpi"
)

const benchRanksHelp = `Repeat the measurements of pSFFX: suffix arrays over ranks by pCSS and pDC3, next to SA-IS on
one core (Go's index/suffixarray) and to the published numbers. Ranks are processes that
mpirun starts, or with --in-process goroutines with a device context each.

The inputs are made like those of the report, or are TEXT... . Times are the best of
--runs, of the slowest rank, text and result in the ranks' memory. Every input is verified.
With --out, the directory gets ranks.csv, and figures of speed-ups and of shares.`

type benchRanksFlags struct {
	labFlags
	ranks      []int
	algorithms []string
	largest    cli.Size
	runs       int
	library    string
	inProcess  bool
	out        string
}

func benchRanksCommand() *cobra.Command {
	f := benchRanksFlags{largest: 50_000_000}
	c := &cobra.Command{
		Use:   "ranks [TEXT...]",
		Short: "Measure suffix arrays over ranks",
		Long:  benchRanksHelp,
		RunE:  cli.Work(func(ctx context.Context, args []string) error { return runBenchRanks(ctx, &f, args) }),
	}
	f.DeviceFlags.Add(c.Flags())
	cli.AddJSON(c.Flags(), &f.json)
	cli.AddQuiet(c.Flags(), &f.quiet)
	c.Flags().IntSliceVar(&f.ranks, "ranks", []int{1, 2, 4, 8}, "numbers of ranks")
	c.Flags().StringSliceVar(&f.algorithms, "algorithm", []string{string(distributed.PCSS), string(distributed.PDC3)},
		"algorithms")
	c.Flags().Var(&f.largest, "largest", "leave out inputs of the report that have more bytes")
	c.Flags().IntVar(&f.runs, "runs", 3, "runs that are timed")
	c.Flags().StringVar(&f.library, "mpi", "", `launcher: "Open MPI", "MPICH" (default the first that is installed)`)
	c.Flags().BoolVar(&f.inProcess, "in-process", false, "ranks are goroutines: no MPI")
	c.Flags().StringVarP(&f.out, "out", "o", "", "directory for CSV and figures")
	return c
}

// ranksReport is what `bench ranks --json` writes.
type ranksReport struct {
	Library  string          `json:"library"`
	Device   string          `json:"device"`
	Driver   string          `json:"driver"`
	Launcher string          `json:"launcher"`
	Results  []bench.RankRun `json:"results"`
}

// rankText is an input: a file, or one that is made.
type rankText struct {
	Name string          `json:"name"`
	File string          `json:"file,omitempty"`
	Made bench.Synthetic `json:"made,omitzero"`
}

func (t rankText) load() ([]byte, error) {
	if t.File == "" {
		text := make([]byte, t.Made.Len)
		t.Made.Make(text)
		return text, nil
	}
	text, err := os.ReadFile(t.File)
	if err != nil {
		return nil, fmt.Errorf("cannot read %s: %w", t.File, cli.WithoutPath(err))
	}
	return text, nil
}

func (f *benchRanksFlags) inputs(args []string) (list []rankText, err error) {
	for _, arg := range args {
		info, err := os.Stat(arg)
		if err != nil {
			return nil, fmt.Errorf("cannot read %s: %w", arg, cli.WithoutPath(err))
		}
		if info.Size() == 0 {
			return nil, cli.Usage("%s is empty", arg)
		}
		list = append(list, rankText{Name: filepath.Base(arg), File: arg})
	}
	if len(args) > 0 {
		return list, nil
	}
	texts, err := bench.RankTexts()
	for _, t := range texts {
		if int64(t.Len) <= int64(f.largest) {
			list = append(list, rankText{Name: t.Name, Made: t.Synthetic})
		}
	}
	return list, err
}

// rankJob is what the ranks of a launch do. It is an argument of the hidden verb.
type rankJob struct {
	Text      rankText              `json:"text"`
	Algorithm distributed.Algorithm `json:"algorithm"`
	Runs      int                   `json:"runs"`
}

func runBenchRanks(ctx context.Context, f *benchRanksFlags, args []string) error {
	if f.runs < 1 {
		return cli.Usage("--runs is positive")
	}
	for _, n := range f.ranks {
		if n < 1 {
			return cli.Usage("--ranks %d: a number of ranks is positive", n)
		}
	}
	for _, a := range f.algorithms {
		if !slices.Contains(distributed.Algorithms(), distributed.Algorithm(a)) {
			return cli.Usage("--algorithm: %q is none of %v", a, distributed.Algorithms())
		}
	}
	texts, err := f.inputs(args)
	if err != nil {
		return err
	}
	if len(texts) == 0 {
		return cli.Usage("--largest %d leaves no input", int64(f.largest))
	}
	launch, launcher := f.local, "goroutines of one process"
	if !f.inProcess {
		l, err := f.launcher()
		if err != nil {
			return err
		}
		launcher = l.Name
		launch = func(ctx context.Context, ranks int, job rankJob) (bench.RankRun, error) {
			return f.mpirun(ctx, l, ranks, job)
		}
	}
	if err := cli.MakeDirectory(f.out); err != nil {
		return err
	}
	s, err := f.OpenDevice(false)
	if err != nil {
		return err
	}
	caps := s.Caps()
	if err := s.Close(); err != nil {
		return err
	}
	r := ranksReport{Library: cli.Library(), Device: caps.Name, Driver: caps.DriverVersion, Launcher: launcher}
	for _, t := range texts {
		f.tell("%s: SA-IS", t.Name)
		text, err := t.load()
		if err != nil {
			return err
		}
		oneCore := bench.OneCore(text, f.runs)
		for _, a := range f.algorithms {
			for _, n := range f.ranks {
				f.tell("%s: %s, %s", t.Name, a, cli.Plural(n, "rank"))
				run, err := launch(ctx, n, rankJob{Text: t, Algorithm: distributed.Algorithm(a), Runs: f.runs})
				if err != nil {
					return fmt.Errorf("%s, %s, %s: %w", t.Name, a, cli.Plural(n, "rank"), err)
				}
				run.Text, run.SAIS = t.Name, oneCore
				run.Published = bench.PublishedRanks(t.Name, run.Algorithm, n)
				run.PublishedSAIS = bench.PublishedRanks(t.Name, bench.SAIS, 1)
				r.Results = append(r.Results, run)
			}
		}
	}
	if f.out != "" {
		if err := rankFiles(f.out, r.Results); err != nil {
			return err
		}
	}
	if f.json {
		return cli.PrintJSON(os.Stdout, r)
	}
	fmt.Printf("%s, driver %s, %s; best of %s; all results verified\n", r.Device, r.Driver, launcher,
		cli.Plural(f.runs, "run"))
	for _, t := range []sheet{ranksTable(r.Results), sharesTable(r.Results)} {
		if err := cli.StandardOutput(t.print(os.Stdout)); err != nil {
			return err
		}
	}
	return nil
}

func (f *benchRanksFlags) launcher() (mpirun.Launcher, error) {
	found, _ := mpirun.Installed()
	var names []string
	for _, l := range found {
		if f.library == "" || f.library == l.Name {
			return l, nil
		}
		names = append(names, l.Name)
	}
	if f.library != "" {
		return mpirun.Launcher{}, cli.Usage("--mpi: no launcher of %q, of %v", f.library, names)
	}
	return mpirun.Launcher{}, errors.New("no launcher of MPI: install openmpi-bin or mpich, or take --in-process")
}

// local runs a job by ranks that are goroutines.
func (f *benchRanksFlags) local(ctx context.Context, ranks int, job rankJob) (bench.RankRun, error) {
	text, err := job.Text.load()
	if err != nil {
		return bench.RankRun{}, err
	}
	runs := make([]bench.RankRun, ranks)
	group, ctx := errgroup.WithContext(ctx)
	for i, c := range distributed.Local(ranks) {
		group.Go(func() error {
			s, err := f.OpenDevice(false)
			if err != nil {
				return err
			}
			defer s.Close()
			runs[i], err = bench.Ranks(ctx, c, s, text, job.Algorithm, job.Runs)
			return err
		})
	}
	if err := group.Wait(); err != nil {
		return rankProblem(bench.RankRun{Characters: len(text), Algorithm: job.Algorithm, Ranks: ranks}, err)
	}
	return runs[0], nil
}

// rankProblem is a run that did not fit: no error.
func rankProblem(r bench.RankRun, err error) (bench.RankRun, error) {
	if !device.IsTooLarge(err) {
		return r, err
	}
	r.Problem = err.Error()
	return r, nil
}

// mpirun runs a job by processes of this program.
func (f *benchRanksFlags) mpirun(
	ctx context.Context, l mpirun.Launcher, ranks int, job rankJob,
) (bench.RankRun, error) {
	self, err := os.Executable()
	if err != nil {
		return bench.RankRun{}, err
	}
	text, err := json.Marshal(job)
	if err != nil {
		return bench.RankRun{}, err
	}
	args := []string{self, "bench", rankVerb, string(text)}
	if f.Device != "" {
		args = append(args, "--device", f.Device)
	}
	if f.MaxMemory > 0 {
		args = append(args, "--max-mem", f.MaxMemory.String())
	}
	c := l.Command(ctx, ranks, nil, args...)
	var out, errs bytes.Buffer
	c.Stdout, c.Stderr = &out, &errs
	if err := c.Run(); err != nil {
		return bench.RankRun{}, fmt.Errorf("%w\n%s", err, strings.TrimSpace(errs.String()))
	}
	var run bench.RankRun
	if err := json.Unmarshal(out.Bytes(), &run); err != nil {
		return run, fmt.Errorf("a rank wrote %q", out.String())
	}
	return run, nil
}

const rankVerb = "rank"

// benchRankCommand is what the processes of mpirun run.
func benchRankCommand() *cobra.Command {
	var f labFlags
	c := &cobra.Command{
		Use: rankVerb + " JOB", Short: "Be a rank of `bench ranks`", Hidden: true, Args: cobra.ExactArgs(1),
		RunE: cli.Work(func(ctx context.Context, args []string) error { return runBenchRank(ctx, &f, args[0]) }),
	}
	f.DeviceFlags.Add(c.Flags())
	return c
}

func runBenchRank(ctx context.Context, f *labFlags, text string) error {
	var job rankJob
	if err := json.Unmarshal([]byte(text), &job); err != nil {
		return cli.Usage("%s: %v", text, err)
	}
	if err := mpi.Init(); err != nil {
		return err
	}
	comm := mpi.World()
	run, err := f.rank(ctx, comm, job)
	run, err = rankProblem(run, err)
	if err == nil && comm.Rank() == 0 {
		err = cli.PrintJSON(os.Stdout, run)
	}
	if err != nil {
		fmt.Fprintf(os.Stderr, "suffixcl-lab: rank %d: %v\n", comm.Rank(), err)
		comm.Abort(cli.ExitCode(ctx, err))
	}
	return errors.Join(err, mpi.Finalize())
}

func (f *labFlags) rank(ctx context.Context, comm *mpi.Comm, job rankJob) (bench.RankRun, error) {
	c := distributed.OverMPI(comm)
	run := bench.RankRun{Algorithm: job.Algorithm, Ranks: comm.Size()}
	s, text, err := f.prepareRank(comm, job)
	if s != nil {
		defer s.Close()
	}
	if err := distributed.New(c, s, distributed.Options{}).Agree(ctx, err); err != nil {
		return run, err
	}
	made, err := bench.Ranks(ctx, c, s, text, job.Algorithm, job.Runs)
	if err != nil {
		run.Characters = len(text)
		return run, err
	}
	return made, nil
}

// prepareRank opens the device of this rank, and has the text.
func (f *labFlags) prepareRank(comm *mpi.Comm, job rankJob) (*device.Session, []byte, error) {
	selector, err := distributed.Selector(comm, f.Device)
	if err != nil {
		return nil, nil, err
	}
	f.Device = selector
	s, err := f.OpenDevice(false)
	if err != nil {
		return nil, nil, err
	}
	text, err := job.Text.load()
	return s, text, err
}

func seconds(v float64) string {
	if v == 0 {
		return ""
	}
	return fmt.Sprintf("%.3f", v)
}

// speedUp is how many times as fast as one core a run is.
func speedUp(oneCore, took float64) string {
	if oneCore == 0 || took == 0 {
		return ""
	}
	return fmt.Sprintf("%.2f", oneCore/took)
}

func ranksTable(runs []bench.RankRun) sheet {
	t := sheet{title: "Seconds, and speed over SA-IS on one core", rows: [][]string{{
		"text", "characters", "SA-IS", "algorithm", "ranks", "seconds", "of SA-IS",
		"published SA-IS", "published", "of SA-IS", "bytes sent a character", "device bytes a character",
	}}}
	for _, r := range runs {
		took := seconds(r.Seconds)
		if r.Problem != "" {
			took = "no memory"
		}
		each := func(bytes int64, ranks int) string {
			return fmt.Sprintf("%.1f", float64(bytes)*float64(ranks)/float64(max(r.Characters, 1)))
		}
		t.rows = append(t.rows, []string{
			r.Text, strconv.Itoa(r.Characters), seconds(r.SAIS), string(r.Algorithm), strconv.Itoa(r.Ranks), took,
			speedUp(r.SAIS, r.Seconds), number(r.PublishedSAIS), seconds(r.Published), speedUp(r.PublishedSAIS, r.Published),
			each(r.BytesSent, 1), each(r.DeviceBytes, r.Ranks),
		})
	}
	return t
}

func sharesTable(runs []bench.RankRun) sheet {
	t := sheet{title: "Shares of the time, %", rows: [][]string{
		{"text", "algorithm", "ranks", "communication", "sort", "phases of rank 0"},
	}}
	for _, r := range runs {
		if r.Problem != "" {
			continue
		}
		var phases []string
		for _, p := range r.Phases {
			phases = append(phases, fmt.Sprintf("%s %.0f", p.Phase, 100*p.Share))
		}
		t.rows = append(t.rows, []string{
			r.Text, string(r.Algorithm), strconv.Itoa(r.Ranks), fmt.Sprintf("%.0f", 100*r.Communication),
			fmt.Sprintf("%.0f", 100*r.Sort), strings.Join(phases, ", "),
		})
	}
	return t
}

// rankFiles writes the table and the figures.
func rankFiles(dir string, runs []bench.RankRun) error {
	err := cli.SaveFile(filepath.Join(dir, "ranks.csv"), func(w io.Writer) error {
		c := csv.NewWriter(w)
		c.WriteAll(ranksTable(runs).rows)
		return c.Error()
	})
	if err != nil {
		return err
	}
	var speed, share bars
	for _, r := range runs {
		if r.Seconds == 0 {
			continue
		}
		name := fmt.Sprintf("%s, %s", r.Algorithm, cli.Plural(r.Ranks, "rank"))
		speed.set(r.Text, name, r.SAIS/r.Seconds)
		if r.Published > 0 {
			speed.set(r.Text, name+" (published)", r.PublishedSAIS/r.Published)
		}
		share.set(r.Text, name, 100*r.Communication)
	}
	err = drawBars(filepath.Join(dir, "ranks.png"), "Speed over SA-IS on one core", "times", speed)
	if err != nil {
		return err
	}
	return drawBars(filepath.Join(dir, "ranks-communication.png"), "Communication and waiting", "% of the time", share)
}
