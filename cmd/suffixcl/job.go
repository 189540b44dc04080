package main

import (
	"context"
	"io"
	"os"
	"time"

	"github.com/suffixcl/suffixcl"
	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/internal/cli"
	"github.com/suffixcl/suffixcl/internal/hooks"
	"github.com/suffixcl/suffixcl/internal/tuned"
	"github.com/suffixcl/suffixcl/seqio"
)

// job is one run of a verb that computes on a text.
type job struct {
	flags    *jobFlags
	op       operation
	began    time.Time
	progress *cli.Progress
	session  *device.Session
	engine   *suffixcl.Engine
	others   []*suffixcl.Engine // of the other devices of --device
	stats    suffixcl.Stats     // of the engine's calls, by measured
	report   report
	records  seqio.Table // of the text, if cli.InputOptions.KeepRecords
	index    int64       // bytes of an index that is planned
	sorts    int         // of pairs of groups of sequences, that are planned

	inputOptions cli.InputOptions // of the text, as it was opened
	blocks       bool             // what is verified is read part by part: the plan says so
}

// newJob begins the work of a verb. Close must be called.
func newJob(v verb) *job {
	return &job{flags: v.flags, op: v.op(), began: time.Now(), progress: cli.NewProgress(v.flags.quiet),
		report: report{Verb: v.Name()}}
}

// Close releases the device and takes the progress off the screen.
func (j *job) Close() {
	j.progress.Stop()
	if j.engine != nil {
		closeEngine(j.engine, j.session)
	}
	for _, e := range j.others {
		e.Close()
	}
}

// timed adds the time of f to one of the report's.
func timed(seconds *float64, f func() error) error {
	start := time.Now()
	err := f()
	*seconds += time.Since(start).Seconds()
	return err
}

// openDevice opens the device that the flags choose, and makes the engine.
func (j *job) openDevice() error {
	c := j.flags.Config()
	c.Profile = j.flags.profile || j.flags.phases
	c.Helper = helper
	if names := j.flags.devices(); len(names) > 0 {
		if c.Selector = names[0]; c.Selector == allDevices {
			c.Selector = "auto"
		}
	}
	c.OnBuild = func(string) (built func()) {
		j.progress.Compiling(programsOf(j.session))
		began := time.Now()
		return func() {
			j.progress.Compiled()
			if j.engine != nil { // else it is a part of opening
				j.report.Seconds.Compile += time.Since(began).Seconds()
			}
		}
	}
	s, err := cli.OpenDevice(c)
	if err != nil {
		return err
	}
	j.session = s
	j.engine, err = suffixcl.New(s, suffixcl.EngineOptions{
		Algorithm: j.flags.sorter(),
		Progress:  j.progress.Update,
	})
	if err != nil {
		s.Close()
		return err
	}
	caps := j.engine.Caps()
	j.report.Device, j.report.Platform, j.report.Driver = caps.Name, caps.Platform, caps.DriverVersion
	return j.openOthers()
}

// measured is the context for calls of the engine, whose statistics the report has.
func (j *job) measured(ctx context.Context) context.Context { return suffixcl.WithStats(ctx, &j.stats) }

// plan returns the memory for n bytes of text.
func (j *job) plan(n int64) (device.MemoryPlan, error) {
	defer hooks.Begin("plan")()
	ctx, width := context.Background(), j.flags.symbolBytes()
	if r := j.op.ranges; r != nil && width == 1 && j.flags.ranksInRanges() {
		return r.planRanks(j.session, n)
	} else if r != nil && width == 1 && j.alwaysRanges(n) {
		return j.engine.Ranges(suffixcl.Length(1, int(n)), r.options).Plan(ctx)
	}
	plan, err := j.op.plan(ctx, j.engine, width, (int(n)+width-1)/width)
	if j.op.checked == nil || width > 1 {
		return plan, err
	}
	fits := err
	if err == nil {
		fits = plan.Fits(j.session)
	}
	if fits != nil && device.IsTooLarge(fits) {
		blocks := j.engine.VerifyBlocks(suffixcl.Length(1, int(n)), *j.op.checked)
		if plan, failed := blocks.Plan(ctx); failed == nil {
			j.blocks = true
			return plan, nil
		}
	}
	return plan, err
}

// fits returns an error if n bytes of text are too many.
func (j *job) fits(n int64) error {
	plan, err := j.plan(n)
	if err != nil {
		return err
	}
	return plan.Fits(j.session)
}

// aheadBytes is how much is read while the device opens, before it is known whether the job fits.
const aheadBytes = 256 << 20

// openDeviceAndText opens text and device, makes sure that the job fits, and reads the text.
func (j *job) openDeviceAndText(ctx context.Context, name string, o cli.InputOptions) ([]byte, error) {
	in, err := j.openDeviceReading(ctx, name, o)
	if err != nil {
		return nil, err
	}
	defer in.Close()
	return j.readText(ctx, in)
}

// readText reads a text, once it is sure that the job fits.
func (j *job) readText(ctx context.Context, in *cli.Input) (text []byte, err error) {
	defer hooks.Begin("read")()
	err = timed(&j.report.Seconds.Read, func() error {
		text, err = in.ReadAll(ctx, func(n int64) error {
			err := j.fits(n)
			if err == nil && n == in.Length { // else it is not known yet, and neither is what sorts it
				tuned.BuildAhead(j.session)
			}
			return err
		}, j.progress.Of("read"))
		return err
	})
	j.report.Bytes, j.report.Records, j.records = len(text), in.RecordCount, in.Records
	return text, err
}

// openDeviceAndInput opens text and device.
func (j *job) openDeviceAndInput(ctx context.Context, name string, o cli.InputOptions) (*cli.Input, error) {
	return j.openInput(ctx, name, o, 0)
}

// openDeviceReading opens text and device, and reads the text meanwhile. So its bytes are all that may be read of it,
// and not its records.
func (j *job) openDeviceReading(ctx context.Context, name string, o cli.InputOptions) (*cli.Input, error) {
	return j.openInput(ctx, name, o, aheadBytes)
}

// openInput opens a text, reports what it is, and opens the device while so many bytes of the text are read.
func (j *job) openInput(ctx context.Context, name string, o cli.InputOptions, ahead int64) (*cli.Input, error) {
	in, err := cli.OpenText(ctx, name, o)
	if err != nil {
		return nil, err
	}
	j.inputOptions = o
	j.report.File, j.report.Compression, j.report.Format = in.Name, in.Compression, formatName(in.Format)
	if j.report.kind = "raw"; !o.Raw {
		j.report.kind = kind(in.Compression, in.Format.String())
	}
	j.notes(in)
	in.ReadAhead(ahead)
	if err := timed(&j.report.Seconds.Open, j.openDevice); err != nil {
		in.Close()
		return nil, err
	}
	return in, nil
}

// formatName is that of a format of records, and empty for plain text.
func formatName(f seqio.Format) string {
	if f == seqio.Plain {
		return ""
	}
	return f.String()
}

// notes tells people what is odd about a file.
func (j *job) notes(in *cli.Input) {
	for _, note := range in.Notes {
		j.note("%s %s", in.Name, note)
	}
}

// result is all of a job with one result file, which is none of its inputs: what compute returns writes it.
func (j *job) result(ctx context.Context, name string, inputs []string,
	compute func(j *job) (write func(io.Writer) error, err error)) error {
	defer j.Close()
	out, err := cli.NewOutput(name, inputs...)
	if err != nil {
		return err
	}
	write, err := compute(j)
	if err != nil {
		return err
	}
	err = timed(&j.report.Seconds.Write, func() error {
		defer out.Discard()
		if err := writeWhile(ctx, out, write); err != nil {
			return err
		}
		return cli.Commit(out)
	})
	if err != nil {
		return err
	}
	return j.finish(out)
}

// noteReads tells of a reference that looks like reads.
func (j *job) noteReads() {
	if j.report.Format == seqio.FASTQ.String() {
		j.note("%s is FASTQ, as reads are: the reference comes first, then what is looked for in it", j.report.File)
	}
}

// note tells people something that is no error.
func (j *job) note(format string, args ...any) {
	if !j.flags.quiet {
		j.progress.Stop()
		cli.Tell("suffixcl: note: "+format+"\n", args...)
	}
}

// finish tells about the work on standard error, or as JSON where out leaves
// room for it. out is nil if there is no result file.
func (j *job) finish(out *cli.Output) error {
	j.progress.Stop()
	j.report.finish(&j.stats, j.began, j.flags)
	if out != nil {
		j.report.Output = out.Name
	}
	if j.flags.json {
		return cli.PrintJSON(streamOfJSON(out), &j.report)
	}
	if j.flags.phases {
		j.report.printStages(os.Stderr)
	}
	j.report.printPhases(os.Stderr)
	j.report.printProfile(os.Stderr)
	if !j.flags.quiet {
		cli.Tell("suffixcl: %s\n", j.report.summary())
	}
	return nil
}

// streamOfJSON is where an object goes: standard output, unless the result is there. out is nil if there is no result
// file.
func streamOfJSON(out *cli.Output) io.Writer {
	if out != nil && out.Name == "-" {
		return os.Stderr
	}
	return os.Stdout
}
