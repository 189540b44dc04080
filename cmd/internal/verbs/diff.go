package verbs

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"time"

	"github.com/spf13/cobra"
	"github.com/suffixcl/suffixcl"
	"github.com/suffixcl/suffixcl/cmd/internal/job"
	"github.com/suffixcl/suffixcl/cmd/internal/operation"
	"github.com/suffixcl/suffixcl/cmd/internal/options"
	"github.com/suffixcl/suffixcl/cmd/internal/report"
	"github.com/suffixcl/suffixcl/cmd/internal/sink"
	"github.com/suffixcl/suffixcl/cmd/internal/verb"
	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/internal/bsdiff"
	"github.com/suffixcl/suffixcl/internal/cli"
	"github.com/suffixcl/suffixcl/internal/regular"
	"github.com/suffixcl/suffixcl/seqio"
)

const diffHelp = `Make a patch that turns the file OLD into NEW, in the format BSDIFF40: "suffixcl apply" and
bspatch take it. Stretches of NEW that are in OLD but for some bytes cost little, as those
of programs that were built anew.

Files are taken as they are, also compressed ones. OLD has up to 4,294,967,294 bytes.
Memory of the host: 5 bytes for each of OLD, NEW and the patch.`

func diffVerb() verb.Verb {
	var (
		flags options.Job
		out   string
		args  []string // of the command
	)
	v := verb.Verb{Options: &flags, Op: verb.Always(operation.SortedArray)}
	v.Plan = func(ctx context.Context, j *job.Job, name string) (device.MemoryPlan, error) {
		fresh := name // a new file of the same length, where there is none
		if len(args) > 1 {
			fresh = args[1]
		}
		in, err := cli.OpenRaw(ctx, fresh)
		if err != nil {
			return nil, err
		}
		defer in.Close()
		length, err := in.Measure(ctx)
		if err != nil {
			return nil, err
		}
		if _, err := j.Source.OpenDeviceAndMeasure(ctx, name, rawBytes); err != nil {
			return nil, err
		}
		return bsdiff.Plan(ctx, j.Engine(), int64(j.Report.Bytes), length)
	}
	v.Prepares = &verb.Preparation{Plans: append(verb.PlansOf(operation.SortedArray), planDiff)}
	v.Reads = []cli.Accepted{cli.Reads("OLD", verb.Bytes), cli.Reads("NEW", verb.Bytes)}
	v.Writes = []cli.Produced{cli.Writes("output", verb.Patch)}
	v.Command = &cobra.Command{
		Use:     "diff OLD NEW -o PATCH",
		Short:   "Make a patch between two files",
		Long:    diffHelp,
		Example: "  suffixcl diff program-1.0 program-1.1 -o program.patch",
	}
	v.Check = func(names []string) error {
		args = names
		return options.NoStandardInput("diff", names...)
	}
	v.Run = func(ctx context.Context, args []string) error {
		return runDiff(ctx, v.Job(), args, out)
	}
	flags.AddCommon(v.Flags())
	flags.AddAlgorithm(v.Flags())
	options.AddOutput(v.Command, &out)
	return v
}

// rawBytes takes files as they are.
var rawBytes = cli.InputOptions{Raw: true, Sequences: seqio.Options{Format: seqio.Plain}}

func runDiff(ctx context.Context, j *job.Job, names []string, out string) error {
	defer j.Close()
	return j.Sink.Result(ctx, out, names, func() (func(io.Writer) error, error) {
		var in *cli.Input
		if regular.Check(names[1]) == nil { // it is read while the device opens
			in, _ = j.Source.Reading(ctx, names[1]) // OLD's errors come first
		}
		defer func() {
			if in != nil {
				in.Close()
			}
		}()
		old, err := j.Source.OpenDeviceAndText(ctx, names[0], rawBytes)
		if err != nil {
			return nil, err
		}
		if in == nil {
			if in, err = j.Source.Reading(ctx, names[1]); err != nil {
				return nil, err
			}
		}
		fresh, err := in.ReadAll(ctx, nil, j.Session.Progress.Of("read"))
		if err != nil {
			return nil, err
		}
		return func(w io.Writer) error {
			o := bsdiff.Options{Progress: j.Session.Progress.Of("match")}
			return bsdiff.Diff(j.Measured(ctx), j.Engine(), old, fresh, w, o)
		}, nil
	})
}

const applyHelp = `Apply a patch of "suffixcl diff" or bsdiff to the file OLD: the result is the file that the
patch was made for. No device is used, and the memory does not depend on the files. A patch
does not tell which file it belongs to: with another one the result is wrong, unless that
shows in its length.`

// applyFlags are those of apply.
type applyFlags struct {
	out         string
	json, quiet bool
}

func applyVerb() verb.Verb {
	var flags applyFlags
	c := &cobra.Command{
		Use:     "apply OLD PATCH -o NEW",
		Short:   "Apply a patch to a file",
		Long:    applyHelp,
		Example: "  suffixcl apply program-1.0 program.patch -o program-1.1",
	}
	v := verb.Verb{Command: c, Reads: []cli.Accepted{cli.Reads("OLD", verb.Bytes), cli.Reads("PATCH", verb.Patch)},
		Writes: []cli.Produced{cli.Writes("output", verb.Bytes)}}
	v.Check = func(args []string) error { return options.NoStandardInput("apply", args...) }
	v.Run = func(ctx context.Context, args []string) error { return runApply(ctx, &flags, args) }
	options.AddOutput(c, &flags.out)
	cli.AddJSON(c.Flags(), &flags.json)
	cli.AddQuiet(c.Flags(), &flags.quiet)
	return v
}

// applyReport is the result as JSON.
type applyReport struct {
	Verb        string           `json:"verb"`
	File        string           `json:"file"`
	Bytes       int64            `json:"bytes"`
	PatchFile   string           `json:"patch_file"`
	PatchBytes  int64            `json:"patch_bytes"`
	Output      string           `json:"output"`
	OutputBytes int64            `json:"output_bytes"`
	Seconds     report.WallClock `json:"seconds"`
}

func runApply(ctx context.Context, flags *applyFlags, names []string) error {
	began := time.Now()
	progress := cli.NewProgress(flags.quiet)
	defer progress.Stop()
	out, err := cli.NewOutput(flags.out, names...)
	if err != nil {
		return err
	}
	defer out.Discard()
	var files [2]*os.File
	var sizes [2]int64
	for i, name := range names {
		if files[i], sizes[i], err = openWhole(name); err != nil {
			return err
		}
		defer files[i].Close()
	}
	made, _ := bsdiff.ReadSizes(files[1], sizes[1]) // Apply tells what is wrong
	written := countingWriter{total: made.New, progress: progress.Of("write")}
	err = out.Write(ctx, func(w io.Writer) error {
		written.w = w
		return bsdiff.Apply(ctx, files[0], sizes[0], files[1], sizes[1], &written)
	})
	var damaged *bsdiff.Error
	switch {
	case errors.As(err, &damaged):
		return fmt.Errorf("%s: %w", names[1], damaged)
	case err != nil:
		return err
	}
	if err := cli.Commit(out); err != nil {
		return err
	}
	progress.Stop()
	if !flags.json {
		return nil
	}
	return cli.PrintJSON(sink.StreamOfJSON(out), &applyReport{Verb: "apply", File: names[0], Bytes: sizes[0],
		PatchFile: names[1], PatchBytes: sizes[1], Output: out.Name, OutputBytes: written.n,
		Seconds: report.WallClockSince(began)})
}

// countingWriter tells how many bytes were written.
type countingWriter struct {
	w        io.Writer
	n, total int64
	progress func(done, total int64)
}

func (c *countingWriter) Write(p []byte) (int, error) {
	n, err := c.w.Write(p)
	c.n += int64(n)
	c.progress(c.n, c.total)
	return n, err
}

// openWhole opens a file that is read at any place, and tells its length.
func openWhole(name string) (*os.File, int64, error) {
	file, err := regular.Open(name)
	if err != nil {
		return nil, 0, fmt.Errorf("cannot read %s: %w", name, cli.WithoutPath(err))
	}
	info, err := file.Stat()
	if err != nil {
		file.Close()
		return nil, 0, fmt.Errorf("cannot read %s: %w", name, cli.WithoutPath(err))
	}
	return file, info.Size(), nil
}

func planDiff(ctx context.Context, e *suffixcl.Engine, n int) (device.MemoryPlan, error) {
	return bsdiff.Plan(ctx, e, int64(n), int64(n))
}
