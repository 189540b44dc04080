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
	"github.com/suffixcl/suffixcl/internal/bytesize"
	"github.com/suffixcl/suffixcl/internal/cli"
	"github.com/suffixcl/suffixcl/internal/testkit/mpirun"
	"github.com/suffixcl/suffixcl/internal/testkit/synthetic"
	"github.com/suffixcl/suffixcl/lab/bench"
)

const benchRanksHelp = `Repeat the measurements of pSFFX: suffix arrays over ranks by pCSS and pDC3, next to SA-IS
on one core (Go's index/suffixarray) and to the published numbers. Ranks are processes that
mpirun starts, or with --in-process goroutines with a device context each.

The inputs are made like those of the report, or are TEXT...: files, or KIND.SIZE as for
"bench sort --synthetic". Times are the best of --runs, of the slowest rank, text and
result in the ranks' memory. Every input is verified. Goroutines are spread over all devices
of a kind. With --out, the directory gets ranks.csv, and figures of speed-ups and of shares.`

type benchRanksFlags struct {
	labFlags
	ranks      []int
	algorithms []string
	largest    cli.Size
	runs       int
	library    string
	inProcess  bool
	spread     bool
	skipOne    bool
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
	c.Flags().BoolVar(&f.spread, "distributed", false, "no rank sorts for the others")
	c.Flags().BoolVar(&f.skipOne, "no-sa-is", false, "leave out SA-IS on one core")
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
	Name  string         `json:"name"`
	Bytes int            `json:"bytes"`
	File  string         `json:"file,omitempty"`
	Made  synthetic.Text `json:"made,omitzero"`
}

func madeRankText(name string, of synthetic.Text) rankText {
	return rankText{Name: name, Bytes: of.Len, Made: of}
}

func (t rankText) load() ([]byte, error) {
	text := make([]byte, t.Bytes)
	return text, t.write(text)
}

// write fills memory: of the length of the file, or of any.
func (t rankText) write(text []byte) error {
	if t.File == "" {
		t.Made.Make(text)
		return nil
	}
	f, err := os.Open(t.File)
	if err == nil {
		defer f.Close()
		_, err = io.ReadFull(f, text)
	}
	if err != nil {
		return fmt.Errorf("cannot read %s: %w", t.File, cli.WithoutPath(err))
	}
	return nil
}

// rankInput is a text that is made, or a file.
func rankInput(arg string) (rankText, error) {
	if made, err := synthetic.Parse(arg); err == nil {
		return madeRankText(made.Name, made), nil
	}
	info, err := os.Stat(arg)
	if err != nil {
		return rankText{}, fmt.Errorf("cannot read %s: %w", arg, cli.WithoutPath(err))
	}
	if info.Size() == 0 {
		return rankText{}, cli.Usage("%s is empty", arg)
	}
	return rankText{Name: filepath.Base(arg), Bytes: int(info.Size()), File: arg}, nil
}

func (f *benchRanksFlags) inputs(args []string) (list []rankText, err error) {
	for _, arg := range args {
		t, err := rankInput(arg)
		if err != nil {
			return nil, err
		}
		list = append(list, t)
	}
	if len(args) > 0 {
		return list, nil
	}
	texts, err := bench.RankTexts()
	for _, t := range texts {
		if int64(t.Len) <= int64(f.largest) {
			list = append(list, madeRankText(t.Name, t.Text))
		}
	}
	return list, err
}

// rankJob is what the ranks of a launch do. It is an argument of the hidden verb.
type rankJob struct {
	Text      rankText              `json:"text"`
	Algorithm distributed.Algorithm `json:"algorithm"`
	Runs      int                   `json:"runs"`
	Spread    bool                  `json:"distributed"`
	MaxMemory int64                 `json:"max_memory"`
}

func (j rankJob) options() distributed.Options {
	return distributed.Options{Algorithm: j.Algorithm, Distributed: j.Spread, MaxMemory: j.MaxMemory}
}

func runBenchRanks(ctx context.Context, f *benchRanksFlags, args []string) error {
	var jobs []distributed.Options
	for _, a := range f.algorithms {
		jobs = append(jobs, distributed.Options{Algorithm: distributed.Algorithm(a), Distributed: f.spread})
	}
	r, err := f.measure(ctx, jobs, args)
	if err != nil {
		return err
	}
	if f.json {
		return cli.PrintJSON(os.Stdout, r)
	}
	return f.print(r)
}

// wrong is a mistake in the flags.
func (f *benchRanksFlags) wrong() error {
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
	return nil
}

// launch runs a job as so many ranks.
type launch func(ctx context.Context, ranks int, job rankJob) (bench.RankRun, error)

// launched is how ranks are started, and what that is called.
func (f *benchRanksFlags) launched() (launch, string, error) {
	if f.inProcess {
		return f.local, "goroutines of one process", nil
	}
	l, err := f.launcher()
	return func(ctx context.Context, ranks int, job rankJob) (bench.RankRun, error) {
		return f.mpirun(ctx, l, ranks, job)
	}, l.Name, err
}

// measure sorts each text by each of the options with each number of ranks, and writes the files of --out.
func (f *benchRanksFlags) measure(ctx context.Context, options []distributed.Options, args []string) (
	r ranksReport, err error) {
	if err := f.wrong(); err != nil {
		return r, err
	}
	texts, err := f.inputs(args)
	if err != nil {
		return r, err
	}
	if len(texts) == 0 {
		return r, cli.Usage("--largest %d leaves no input", int64(f.largest))
	}
	start, launcher, err := f.launched()
	if err != nil {
		return r, err
	}
	if err := cli.MakeDirectory(f.out); err != nil {
		return r, err
	}
	s, err := f.OpenDevice(false)
	if err != nil {
		return r, err
	}
	caps := s.Caps()
	if err := s.Close(); err != nil {
		return r, err
	}
	r = ranksReport{Library: cli.Library(), Device: caps.Name, Driver: caps.DriverVersion, Launcher: launcher}
	for _, t := range texts {
		f.tell("%s: SA-IS", t.Name)
		text, err := t.load()
		if err != nil {
			return r, err
		}
		oneCore := 0.0
		if !f.skipOne {
			oneCore = bench.OneCore(text, f.runs)
		}
		for _, o := range options {
			alone := 0.0
			for _, n := range f.ranks {
				f.tell("%s: %s, %s", t.Name, o.Algorithm, bytesize.Count(n, "rank"))
				run, err := start(ctx, n, rankJob{t, o.Algorithm, f.runs, o.Distributed, int64(f.MaxMemory)})
				if err != nil {
					return r, fmt.Errorf("%s, %s, %s: %w", t.Name, o.Algorithm, bytesize.Count(n, "rank"), err)
				}
				if n == 1 {
					alone = run.Seconds
				}
				run.Text, run.SAIS, run.Distributed, run.OneRank = t.Name, oneCore, o.Distributed, alone
				run.Published = bench.PublishedRanks(t.Name, run.Algorithm, n)
				run.PublishedSAIS = bench.PublishedRanks(t.Name, bench.SAIS, 1)
				r.Results = append(r.Results, run)
			}
		}
	}
	if f.out == "" {
		return r, nil
	}
	return r, rankFiles(f.out, r.Results)
}

// print shows the tables.
func (f *benchRanksFlags) print(r ranksReport) error {
	fmt.Printf("%s, driver %s, %s; best of %s; all results verified\n", r.Device, r.Driver, r.Launcher,
		bytesize.Count(f.runs, "run"))
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
	sessions, err := cli.OpenAlike(f.Config(), ranks, true)
	if err != nil {
		return bench.RankRun{}, err
	}
	group, ctx := errgroup.WithContext(ctx)
	for i, c := range distributed.Local(ranks) {
		group.Go(func() (err error) {
			defer sessions[i].Close()
			runs[i], err = bench.Ranks(ctx, c, sessions[i], text, job.options(), job.Runs)
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
	comm, err := distributed.InitMPI()
	if err != nil {
		return err
	}
	run, err := f.rank(ctx, comm, job)
	run, err = rankProblem(run, err)
	if err == nil && comm.Rank() == 0 {
		err = cli.PrintJSON(os.Stdout, run)
	}
	if err != nil {
		fmt.Fprintf(os.Stderr, "suffixcl-lab: rank %d: %v\n", comm.Rank(), err)
		distributed.AbortMPI(cli.ExitCode(ctx, err))
	}
	return errors.Join(err, distributed.FinalizeMPI())
}

func (f *labFlags) rank(ctx context.Context, comm distributed.Communicator, job rankJob) (bench.RankRun, error) {
	run := bench.RankRun{Algorithm: job.Algorithm, Ranks: comm.Size()}
	s, text, err := f.prepareRank(comm, job)
	if s != nil {
		defer s.Close()
	}
	if err := distributed.New(comm, s, distributed.Options{}).Agree(ctx, err); err != nil {
		return run, err
	}
	made, err := bench.Ranks(ctx, comm, s, text, job.options(), job.Runs)
	if err != nil {
		run.Characters = len(text)
		return run, err
	}
	return made, nil
}

// prepareRank opens the device of this rank, and has the text.
func (f *labFlags) prepareRank(comm distributed.Communicator, job rankJob) (*device.Session, []byte, error) {
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

// sorterName is an algorithm, with how it was run.
func sorterName(r bench.RankRun) string {
	if r.Distributed {
		return string(r.Algorithm) + " distributed"
	}
	return string(r.Algorithm)
}

func ranksTable(runs []bench.RankRun) sheet {
	t := sheet{title: "Seconds, and speed over SA-IS on one core", rows: [][]string{{
		"text", "characters", "SA-IS", "algorithm", "ranks", "seconds", "of SA-IS", "of 1 rank",
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
			r.Text, strconv.Itoa(r.Characters), seconds(r.SAIS), sorterName(r), strconv.Itoa(r.Ranks), took,
			speedUp(r.SAIS, r.Seconds), speedUp(r.OneRank, r.Seconds), number(r.PublishedSAIS), seconds(r.Published),
			speedUp(r.PublishedSAIS, r.Published), each(r.BytesSent, 1), each(r.DeviceBytes, r.Ranks),
		})
	}
	return t
}

// recursionPhase is the phase of pDC3 of which the report tells the share.
const recursionPhase = "recursion"

// phaseShare is the share of a phase of rank 0 in the time.
func phaseShare(r bench.RankRun, phase string) float64 {
	for _, p := range r.Phases {
		if p.Phase == phase {
			return p.Share
		}
	}
	return 0
}

func sharesTable(runs []bench.RankRun) sheet {
	t := sheet{title: "Shares of the time, %", rows: [][]string{
		{"text", "algorithm", "ranks", "communication", "sort", recursionPhase, "phases of rank 0"},
	}}
	percent := func(share float64) string { return fmt.Sprintf("%.0f", 100*share) }
	for _, r := range runs {
		if r.Problem != "" {
			continue
		}
		var phases []string
		for _, p := range r.Phases {
			phases = append(phases, p.Phase+" "+percent(p.Share))
		}
		t.rows = append(t.rows, []string{
			r.Text, sorterName(r), strconv.Itoa(r.Ranks), percent(r.Communication), percent(r.Sort),
			percent(phaseShare(r, recursionPhase)), strings.Join(phases, ", "),
		})
	}
	return t
}

// rankFiles writes the tables and the figures.
func rankFiles(dir string, runs []bench.RankRun) error {
	for name, t := range map[string]sheet{"ranks.csv": ranksTable(runs), "ranks-shares.csv": sharesTable(runs)} {
		err := cli.SaveFile(filepath.Join(dir, name), func(w io.Writer) error {
			c := csv.NewWriter(w)
			c.WriteAll(t.rows)
			return c.Error()
		})
		if err != nil {
			return err
		}
	}
	var speed, communication, sort, recursion bars
	for _, r := range runs {
		if r.Seconds == 0 {
			continue
		}
		name := fmt.Sprintf("%s, %s", sorterName(r), bytesize.Count(r.Ranks, "rank"))
		if r.SAIS > 0 {
			speed.set(r.Text, name, r.SAIS/r.Seconds)
		}
		if r.Published > 0 {
			speed.set(r.Text, fmt.Sprintf("%s, %s (published)", r.Algorithm, bytesize.Count(r.Ranks, "node")),
				r.PublishedSAIS/r.Published)
		}
		communication.set(r.Text, name, 100*r.Communication)
		sort.set(r.Text, name, 100*r.Sort)
		if share := phaseShare(r, recursionPhase); share > 0 {
			recursion.set(r.Text, name, 100*share)
		}
	}
	for _, figure := range []struct {
		file, title, unit string
		bars              bars
	}{
		{"ranks.png", "Speed over SA-IS on one core", "times", speed},
		{"ranks-communication.png", "Communication and waiting", "% of the time", communication},
		{"ranks-sort.png", "Sorting", "% of the time", sort},
		{"ranks-recursion.png", "Recursion of pDC3", "% of the time", recursion},
	} {
		if len(figure.bars.names) == 0 { // no recursion
			continue
		}
		if err := drawBars(filepath.Join(dir, figure.file), figure.title, figure.unit, figure.bars); err != nil {
			return err
		}
	}
	return nil
}
