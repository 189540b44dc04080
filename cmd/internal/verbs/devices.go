package verbs

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"
	"github.com/suffixcl/suffixcl"
	"github.com/suffixcl/suffixcl/cl"
	"github.com/suffixcl/suffixcl/cmd/internal/operation"
	"github.com/suffixcl/suffixcl/cmd/internal/report"
	"github.com/suffixcl/suffixcl/cmd/internal/session"
	"github.com/suffixcl/suffixcl/cmd/internal/verb"
	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/internal/bytesize"
	"github.com/suffixcl/suffixcl/internal/cli"
	"github.com/suffixcl/suffixcl/internal/tuned"
)

const devicesHelp = `List every OpenCL device, and test each by sorting a small text and checking the
result on the device and on the host. A device that fails is listed with its error.

The number before the name is what --device takes, and SUFFIXCL_DEVICE; so are words of
the name. A last line tells of a SUFFIXCL_DEVICE that no device matches.
The exit code is 0 if at least one device works, and 3 if none does.`

type devicesFlags struct {
	json   bool
	long   bool
	noTest bool
}

func devicesVerb() verb.Verb {
	var flags devicesFlags
	c := &cobra.Command{
		Use:   "devices",
		Short: "List and test the devices",
		Long:  devicesHelp,
	}
	c.Flags().BoolVar(&flags.long, "long", false, "list the extensions too")
	c.Flags().BoolVar(&flags.noTest, "no-test", false, "open the devices, but do not test them")
	cli.AddJSON(c.Flags(), &flags.json)
	return verb.Verb{
		Command: c,
		Writes:  []cli.Produced{cli.Writes(cli.Stdout, "text", "JSON")},
		Run:     func(ctx context.Context, _ []string) error { return runDevices(ctx, &flags) },
		Prepares: &verb.Preparation{Begin: tuned.SelfTest,
			Plans: verb.PlansOf(operation.SortedArray, operation.CheckedArray)},
	}
}

// deviceReport describes a device. What follows Type is known only if it could be
// opened.
type deviceReport struct {
	Index    int    `json:"index"`
	Name     string `json:"name"`
	Platform string `json:"platform"`
	Vendor   string `json:"vendor"`
	Driver   string `json:"driver"`
	OpenCL   string `json:"opencl"`
	Type     string `json:"type"`
	Library  string `json:"library"` // of a driver that is called without the system's loader

	Implementation  string   `json:"implementation"` // what the code tells apart: nvidia, amd, pocl...
	Arch            string   `json:"arch"`
	ComputeUnits    int      `json:"compute_units"`
	GlobalMem       int64    `json:"global_mem_bytes"`
	MaxAlloc        int64    `json:"max_alloc_bytes"`
	LocalMem        int64    `json:"local_mem_bytes"`
	Subgroup        int      `json:"subgroup_width"`
	Shape           string   `json:"kernel_shape"` // gpu or cpu
	Int64Atomics    bool     `json:"int64_atomics"`
	ForwardProgress bool     `json:"forward_progress"`
	ZeroCopy        bool     `json:"zero_copy"`
	Extensions      []string `json:"extensions"`

	Default  bool    `json:"default"` // what a run without --device takes
	Works    bool    `json:"works"`
	Error    string  `json:"error"`
	TestTime float64 `json:"test_seconds"` // kernels compiled or loaded, text sorted and checked
	tested   bool
}

// devicesReport is the list as JSON.
type devicesReport struct {
	Devices  []deviceReport `json:"devices"`
	Selector string         `json:"selector"` // SUFFIXCL_DEVICE
	Matches  bool           `json:"selector_matches"`
}

// deviceVariable selects a device where --device does not.
const deviceVariable = "SUFFIXCL_DEVICE"

func runDevices(ctx context.Context, flags *devicesFlags) error {
	if err := cli.CheckEnvironment(); err != nil {
		return err
	}
	list, err := device.List()
	if err == nil { // else they are in the error
		cli.NoteDrivers()
	}
	report := devicesReport{Devices: []deviceReport{}, Selector: os.Getenv(deviceVariable)}
	works := false
	chosen, choice := tuned.Choose(list, "")
	report.Matches = choice == nil
	for i, d := range list {
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		r := flags.describe(ctx, i, d)
		r.Default = i == chosen
		works = works || r.Works
		report.Devices = append(report.Devices, r)
		if !flags.json {
			if err := r.print(cli.ForPeople(os.Stdout), flags.long); err != nil {
				return err
			}
		}
	}
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	if flags.json {
		err = errors.Join(err, cli.PrintJSON(os.Stdout, &report))
	} else if len(list) > 0 && report.Selector != "" && !report.Matches {
		err = cli.PrintResult("No device is the default: %s is %q, which none matches.", deviceVariable, report.Selector)
	}
	if err == nil && !works {
		err = fmt.Errorf("%w: none of %s works", device.ErrNoDevice, bytesize.Count(len(list), "device"))
	}
	return err
}

// describe opens and tests a device.
func (f *devicesFlags) describe(ctx context.Context, index int, d *cl.Device) deviceReport {
	r := deviceReport{
		Extensions: []string{},
		Index:      index,
		Name:       strings.TrimSpace(d.Name()),
		Platform:   d.Platform().Name(),
		Vendor:     d.Vendor(),
		Driver:     d.DriverVersion(),
		OpenCL:     d.Version(),
		Type:       d.Type().String(),
		Library:    d.Platform().Library(),
	}
	start := time.Now()
	s, err := cli.OpenDevice(device.Config{Device: d, Helper: session.Helper})
	if err != nil {
		r.Error = err.Error()
		return r
	}
	cli.NoteCaches(s)
	e, err := suffixcl.New(s, suffixcl.EngineOptions{})
	if err == nil && !f.noTest {
		tuned.WantSelfTest(s) // first, as helpers take programs from the other end
		for _, op := range []operation.Operation{operation.SortedArray, operation.CheckedArray} {
			_, _ = op.Plan(ctx, e, 1, len(session.SelfTestText())) // an error is that of the test
		}
		tuned.BuildAhead(s)
		err = tuned.SelfTest(s)
	}
	if err != nil {
		s.Close()
		r.Error = err.Error()
		return r
	}
	defer session.CloseEngine(e, s)
	c := e.Caps()
	r.Type, r.Implementation, r.Arch, r.Shape = c.Kind(), c.Vendor, c.Arch, "gpu"
	if c.CPUShape {
		r.Shape = "cpu"
	}
	r.ComputeUnits, r.GlobalMem, r.MaxAlloc, r.LocalMem = c.ComputeUnits, c.GlobalMem, c.MaxAlloc, c.LocalMem
	r.Subgroup, r.Int64Atomics, r.ForwardProgress, r.ZeroCopy = c.SubgroupWidth, c.Int64Atomics, c.ForwardProgress,
		tuned.Quirks(&c).ZeroCopy
	if f.long {
		r.Extensions = append(r.Extensions, slices.Sorted(strings.FieldsSeq(d.Extensions()))...)
	}
	if !f.noTest {
		if err := session.SelfTest(ctx, e); err != nil {
			r.Error = err.Error()
			return r
		}
		r.TestTime, r.tested = time.Since(start).Seconds(), true
	}
	r.Works = true
	return r
}

func (r *deviceReport) print(w io.Writer, long bool) error {
	mark := ""
	if r.Default {
		mark = " (default)"
	}
	fmt.Fprintf(w, "%d: %s%s\n", r.Index, r.Name, mark)
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	line := func(name, format string, args ...any) {
		fmt.Fprintf(t, "   %s\t"+format+"\n", append([]any{name}, args...)...)
	}
	line("platform", "%s", r.Platform)
	line("vendor", "%s", r.Vendor)
	line("driver", "%s", r.Driver)
	line("version", "%s", r.OpenCL)
	line("kind", "%s", r.Type)
	if r.Library != "" {
		line("library", "%s, without a loader", r.Library)
	}
	if r.Implementation != "" {
		if r.Arch != "" {
			line("architecture", "%s", r.Arch)
		}
		line("compute units", "%d", r.ComputeUnits)
		line("global memory", "%s", bytesize.Format(r.GlobalMem))
		line("largest buffer", "%s", bytesize.Format(r.MaxAlloc))
		line("local memory", "%s", bytesize.Format(r.LocalMem))
		line("subgroup width", "%d", r.Subgroup)
		line("kernel shape", "%s", r.Shape)
		line("64-bit atomics", "%s", yesNo(r.Int64Atomics))
		line("forward progress", "%s", yesNo(r.ForwardProgress))
		line("zero-copy reads", "%s", yesNo(r.ZeroCopy))
	}
	if long && r.Implementation != "" {
		line("extensions", "%s", strings.Join(r.Extensions, " "))
	}
	switch {
	case r.Error != "":
		line("self-test", "FAILED: %s", r.Error)
	case r.tested:
		line("self-test", "ok, %s", report.Short(r.TestTime))
	}
	t.Flush()
	_, err := fmt.Fprintln(w)
	return cli.StandardOutput(err)
}

func yesNo(b bool) string {
	if b {
		return "yes"
	}
	return "no"
}
