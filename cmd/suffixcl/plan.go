package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"
	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/internal/bytesize"
	"github.com/suffixcl/suffixcl/internal/cli"
	"github.com/suffixcl/suffixcl/internal/tuned"
)

const planHelp = `Say how much memory a verb takes, phase by phase, and whether the device has it. Put plan
in front of the verb: its flags mean the same. Nothing is computed or written; files but
the first need not be there, and no kernel is compiled.

The length of a plain file is looked up; a text that is compressed, has records, comes from
a pipe or is to be indexed is read.

Device memory is exactly what the verb will allocate, with two exceptions. index may take
less, where a text of DNA holds other letters. count, locate and match need some for the
first pattern, too. They take more, if there is more, for many patterns at once. Host
memory is that of text and results; what the OpenCL driver takes is not counted. With
--long every buffer is listed.
If it does not fit, the exit code is 4.`

func planCommand() *cobra.Command {
	c := &cobra.Command{
		Use:     "plan",
		Short:   "Say how much memory a verb will take",
		Long:    planHelp,
		Example: "  suffixcl plan sa genome.txt\n  suffixcl plan verify genome.txt --bwt genome.bwt --max-mem 8G",
	}
	for _, v := range []verb{saVerb(), lcpVerb(), bwtVerb(), unbwtVerb(), indexVerb(), countVerb(), locateVerb(),
		matchVerb(), repeatsVerb(), intervalsVerb(), verifyVerb()} {
		c.AddCommand(v.planCommand())
	}
	return c
}

// planCommand is the verb after "plan".
func (v verb) planCommand() *cobra.Command {
	v.Use = planUse(v.Use)
	v.Short = "Say how much memory " + v.Name() + " will take"
	v.Long = v.Short + `; "suffixcl help plan" says more.`
	v.Example = ""
	v.Annotations = cli.ShortManual
	var long bool
	v.Flags().BoolVar(&long, "long", false, "list every buffer")
	v.RunE = cli.Work(func(ctx context.Context, args []string) error {
		if err := v.wrong(args); err != nil {
			return err
		}
		return runPlan(ctx, v, args[0], long)
	})
	return v.Command
}

// planUse is the usage line of a verb with its first argument alone required.
func planUse(use string) string {
	words := strings.Fields(use)
	list := words[:2]
	for i := 2; i < len(words); i++ {
		switch {
		case strings.HasPrefix(words[i], "-"):
			i++ // and its value
		case strings.HasPrefix(words[i], "["):
			list = append(list, words[i])
		default:
			list = append(list, "["+words[i]+"]")
		}
	}
	return strings.Join(list, " ")
}

// planReport is the plan as JSON.
type planReport struct {
	Verb        string      `json:"verb"`
	File        string      `json:"file"`
	Bytes       int64       `json:"bytes"`
	Records     int         `json:"records"`
	Compression string      `json:"compression"`
	Format      string      `json:"format"`
	Device      string      `json:"device"`
	Phases      []planPhase `json:"phases"`
	Peak        planPeak    `json:"peak"`
	Limit       planLimit   `json:"limit"`
	Fits        bool        `json:"fits"`
	Reason      string      `json:"reason"` // why not

	chars int64 // of the text
}

type planPhase struct {
	Phase   string                `json:"phase"`
	Device  int64                 `json:"device_bytes"`
	PerChar float64               `json:"device_bytes_per_char"`
	Host    int64                 `json:"host_bytes"`
	Buffers []device.BufferMemory `json:"buffers"`
}

type planPeak struct {
	Device  int64   `json:"device_bytes"`
	Host    int64   `json:"host_bytes"`
	PerChar float64 `json:"device_bytes_per_char"`
}

type planLimit struct {
	Name      string `json:"name"`
	Device    int64  `json:"device_bytes"`
	MaxBuffer int64  `json:"max_buffer_bytes"`
}

func runPlan(ctx context.Context, v verb, name string, long bool) error {
	v.flags.quiet = true
	j := newJob(v)
	defer j.Close()
	plan, err := v.plan(ctx, j, name)
	if err != nil && (j.engine == nil || !device.IsTooLarge(err)) {
		return err
	}
	if err == nil {
		err = plan.Fits(j.session)
	}
	r := j.planReport(plan, err)
	if v.flags.json {
		if failed := cli.PrintJSON(os.Stdout, r); failed != nil {
			return failed
		}
	} else if failed := r.print(os.Stdout, long); failed != nil {
		return failed
	}
	return err
}

// planReport tells of a plan, and of the error if it does not fit.
func (j *job) planReport(plan device.MemoryPlan, err error) *planReport {
	caps, n := j.engine.Caps(), int64(j.report.Bytes/j.flags.symbolBytes())
	r := &planReport{Verb: j.report.Verb, File: j.report.File, Bytes: int64(j.report.Bytes), Records: j.report.Records,
		Compression: j.report.Compression, Format: j.report.Format, Device: caps.Name, Phases: []planPhase{},
		Fits: err == nil, chars: n}
	r.Limit.Device, r.Limit.Name = tuned.MemoryLimit(j.session)
	r.Limit.MaxBuffer = caps.MaxAlloc
	r.Peak = planPeak{Device: plan.Device(), Host: plan.Host(), PerChar: perChar(plan.Device(), n)}
	for _, p := range plan {
		buffers := append([]device.BufferMemory{}, p.Buffers...) // none is not null
		r.Phases = append(r.Phases, planPhase{p.Phase, p.Device(), perChar(p.Device(), n), p.Host, buffers})
	}
	if err != nil {
		r.Reason = err.Error()
	}
	return r
}

func perChar(bytes, n int64) float64 {
	if n == 0 {
		return 0
	}
	return float64(bytes) / float64(n)
}

func (r *planReport) print(w io.Writer, long bool) error {
	fmt.Fprintf(w, "%s of %s: %s on %s\n\n", r.Verb, r.File, bytesize.Format(r.Bytes), r.Device)
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(t, "phase\tdevice bytes\tper character\thost bytes\t")
	for _, p := range r.Phases {
		fmt.Fprintf(t, "%s\t%d\t%.2f\t%d\t\n", p.Phase, p.Device, p.PerChar, p.Host)
		for _, b := range p.Buffers {
			if long {
				fmt.Fprintf(t, "%s\t%d\t%.2f\t\t\n", b.Name, b.Bytes, perChar(b.Bytes, r.chars))
			}
		}
	}
	fmt.Fprintf(t, "peak\t%d\t%.2f\t%d\t\n", r.Peak.Device, r.Peak.PerChar, r.Peak.Host)
	t.Flush()
	fmt.Fprintf(w, "\n%s: %s; largest buffer: %s\n", r.Limit.Name, bytesize.Format(r.Limit.Device),
		bytesize.Format(r.Limit.MaxBuffer))
	verdict := "fits"
	if !r.Fits {
		verdict = "does not fit: " + r.Reason
	}
	_, err := fmt.Fprintln(w, verdict)
	return cli.StandardOutput(err)
}
