package verb

import (
	"context"
	"fmt"
	"io"
	"os"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"github.com/suffixcl/suffixcl"
	"github.com/suffixcl/suffixcl/cmd/internal/job"
	"github.com/suffixcl/suffixcl/cmd/internal/operation"
	"github.com/suffixcl/suffixcl/cmd/internal/sink"
	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/internal/bytesize"
	"github.com/suffixcl/suffixcl/internal/cli"
	"github.com/suffixcl/suffixcl/internal/input"
	"github.com/suffixcl/suffixcl/internal/tuned"
)

const planHelp = `Say how much memory a verb takes, phase by phase, and whether the device has it. Put plan
in front of the verb: its flags mean the same. Nothing is written; files but the first need
not be there. Nothing runs on the device, but for the expected time of ranges (below).

The length of a plain file is looked up; a text that is compressed, has records, comes from
a pipe or is to be indexed is read.

Device memory is exactly what the verb will allocate, with three exceptions. index may take
less, where a text of DNA holds other letters. So may mappability: phases "if hashes fail"
are for few texts, and where one of them is "refused", the verb fails for these. count,
locate and match need some for the first pattern, too. They take more, if there is more, for
many patterns at once. Host memory is that of text and results; what the OpenCL driver takes
is not counted. With --long every buffer is listed.
If it does not fit, the exit code is 4.

Of sa, lcp, bwt and index the size of the result is said, and with -o and --resume where
the disk has to have room for it. Of what is sorted in ranges the expected time is said,
without that of files: pieces of the text are sorted on the device, in some seconds. The
larger number is for a text that repeats itself often.`

// Plan plans those of these verbs that can be.
func Plan(list []func() Verb) Verb {
	v := Verb{Command: &cobra.Command{
		Use:     "plan",
		Short:   "Say how much memory a verb will take",
		Long:    planHelp,
		Example: "  suffixcl plan sa genome.txt\n  suffixcl plan verify genome.txt --bwt genome.bwt --max-mem 8G",
	}}
	v.Below = plansOfVerbs(list)
	return v
}

// plansOfVerbs are the verbs after plan.
func plansOfVerbs(list []func() Verb) (plans []func() Verb) {
	for _, of := range list {
		v := of()
		below := plansOfVerbs(v.Below)
		switch {
		case v.Plan != nil:
			plans = append(plans, func() Verb { return of().planned() })
		case len(below) > 0:
			plans = append(plans, func() Verb {
				c := &cobra.Command{Use: v.Name(), Short: "Say how much memory " + v.Name() + " will take"}
				return Verb{Command: c, Below: below}
			})
		}
	}
	return plans
}

// planned is the verb after "plan".
func (v Verb) planned() Verb {
	v.Use = planUse(v.Use)
	v.Short = "Say how much memory " + v.Name() + " will take"
	v.Long = v.Short + `; "suffixcl help plan" says more.`
	v.Example = ""
	v.Annotations = cli.ShortManual
	var long bool
	v.Flags().BoolVar(&long, "long", false, "list every buffer")
	v.Flags().VisitAll(func(f *pflag.Flag) { f.Usage = strings.TrimSuffix(f.Usage, " (required)") })
	plan := v
	plan.Below, plan.Prepares, plan.Plan = nil, nil, nil
	plan.Writes = []cli.Produced{cli.Writes(cli.Stdout, "text", "JSON")}
	plan.Run = func(ctx context.Context, args []string) error {
		name := ""
		if len(args) > 0 {
			name = args[0]
		}
		return runPlan(ctx, v, name, long)
	}
	return plan
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

// PlanReport is the plan as JSON.
type PlanReport struct {
	Verb        string      `json:"verb"`
	File        string      `json:"file"`
	Bytes       int64       `json:"bytes"`
	Records     int         `json:"records"`
	Compression string      `json:"compression"`
	Format      string      `json:"format"`
	Device      string      `json:"device"`
	Phases      []PlanPhase `json:"phases"`
	Ranges      int         `json:"ranges"` // 0 in one piece
	Sorts       int         `json:"sorts"`  // of pairs of groups of sequences; 0 without groups
	Peak        planPeak    `json:"peak"`
	Limit       planLimit   `json:"limit"`

	Result   int64         `json:"result_bytes"` // 0 where that is not known
	Disk     []planDisk    `json:"disk"`
	Expected *planExpected `json:"expected"`
	Fits     bool          `json:"fits"`
	Reason   string        `json:"reason"` // why not

	chars int64 // of the text
}

// PlanPhase is the memory of a phase.
type PlanPhase struct {
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

// planDisk is what the result takes in a directory.
type planDisk struct {
	Directory string `json:"directory"`
	Bytes     int64  `json:"bytes"`
	AtMost    bool   `json:"at_most"`
	Free      *int64 `json:"free_bytes"`
}

// planExpected is the time that a job in ranges is expected to take.
type planExpected struct {
	Least  float64 `json:"seconds_least"`
	Most   float64 `json:"seconds_most"`
	Sorted int     `json:"sorted_bytes"` // of the text, to find out
}

func runPlan(ctx context.Context, v Verb, name string, long bool) error {
	v.Options.Quiet = true
	j := v.Job()
	defer j.Close()
	plan, err := v.Plan(ctx, j, name)
	if err != nil && (j.Engine() == nil || !device.IsTooLarge(err)) {
		return err
	}
	if err == nil {
		err = plan.Fits(j.Session.Device)
	}
	var file sink.File
	if v.Result != nil {
		file = v.Result(j)
	}
	var expected *planExpected
	if err == nil {
		expected, err = expectedTime(ctx, j, name, plan)
		if err != nil && !device.IsTooLarge(err) { // which the sample is, not the text
			return err
		}
		err = file.CheckRoom()
	}
	r := newPlanReport(j, plan, err)
	r.Expected = expected
	r.addResult(file)
	if v.Sorts != nil {
		r.Sorts = v.Sorts()
	}
	if v.Options.JSON {
		if failed := cli.PrintJSON(os.Stdout, r); failed != nil {
			return failed
		}
	} else if failed := r.print(cli.ForPeople(os.Stdout), long); failed != nil {
		return failed
	}
	return err
}

// newPlanReport tells of a plan, and of the error if it does not fit.
func newPlanReport(j *job.Job, plan device.MemoryPlan, err error) *PlanReport {
	caps, n := j.Engine().Caps(), int64(j.Report.Bytes/j.Flags.SymbolBytes())
	r := &PlanReport{Verb: j.Report.Verb, File: j.Report.File, Bytes: int64(j.Report.Bytes), Records: j.Report.Records,
		Compression: j.Report.Compression, Format: j.Report.Format, Device: caps.Name, Phases: []PlanPhase{},
		Ranges: operation.RangesOf(plan), Disk: []planDisk{}, Fits: err == nil, chars: n}
	r.Limit.Device, r.Limit.Name = tuned.MemoryLimit(j.Session.Device)
	r.Limit.MaxBuffer = caps.MaxAlloc
	r.Peak = planPeak{Device: plan.Device(), Host: plan.Host(), PerChar: perChar(plan.Device(), n)}
	for _, p := range plan {
		buffers := append([]device.BufferMemory{}, p.Buffers...) // none is not null
		r.Phases = append(r.Phases, PlanPhase{p.Phase, p.Device(), perChar(p.Device(), n), p.Host, buffers})
	}
	if err != nil {
		r.Reason = err.Error()
	}
	return r
}

// addResult tells of the file that the job makes.
func (r *PlanReport) addResult(file sink.File) {
	if !file.AtMost {
		r.Result = file.Bytes
	}
	for _, need := range file.Needs() {
		d := planDisk{Directory: need.Dir, Bytes: need.Bytes, AtMost: file.AtMost}
		if free, known := cli.FreeBytes(need.Dir); known {
			d.Free = &free
		}
		r.Disk = append(r.Disk, d)
	}
}

// sampleOf is how many bytes of a text are read to estimate the time of a job: a CPU sorts some of them only.
func sampleOf(cpu bool) int {
	if cpu {
		return 4 << 20
	}
	return 512 << 20
}

// expectedTime estimates the time of a job that sorts in ranges; nil for others, and for what cannot be read twice.
func expectedTime(ctx context.Context, j *job.Job, name string, plan device.MemoryPlan) (*planExpected, error) {
	n := j.Report.Bytes
	if operation.RangesOf(plan) == 0 || name == "-" || n == 0 {
		return nil, nil
	}
	in, err := cli.OpenText(ctx, name, j.Source.Options)
	if err != nil {
		return nil, err
	}
	defer in.Close()
	var sample []byte
	if size := sampleOf(j.Engine().Caps().CPUShape); in.Plain() != nil {
		sample, err = input.Sample(in.Plain(), n, size)
	} else { // its beginning
		sample = make([]byte, min(n, size))
		_, err = io.ReadFull(in.Reader(ctx), sample)
	}
	if err != nil {
		return nil, in.Explain(err)
	}
	o := suffixcl.RangeOptions{Transform: j.Planner.Op.Index}
	if r := j.Planner.Op.Ranges; r != nil {
		o = r.Options
	}
	o.Others = j.Session.Others
	o.Sample = sample
	var expected planExpected
	o.Planned = func(p suffixcl.RangePlan) error {
		expected = planExpected{Least: p.Least.Seconds(), Most: p.Most.Seconds(), Sorted: p.Sorted}
		return nil
	}
	if _, err := j.Engine().Ranges(suffixcl.Length(1, n), o).Plan(ctx); err != nil {
		return nil, err
	}
	return &expected, nil
}

func perChar(bytes, n int64) float64 {
	if n == 0 {
		return 0
	}
	return float64(bytes) / float64(n)
}

// duration is a time in two digits or so.
func duration(seconds float64) string {
	d := time.Duration(seconds * float64(time.Second))
	switch {
	case d < 10*time.Second:
		return d.Round(100 * time.Millisecond).String()
	case d < 10*time.Minute:
		return d.Round(time.Second).String()
	}
	return strings.TrimSuffix(d.Round(time.Minute).String(), "0s")
}

func (r *PlanReport) print(w io.Writer, long bool) error {
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
	if r.Sorts > 0 {
		fmt.Fprintf(w, "the sequences do not fit at once: groups of them are sorted in pairs, %s in all\n",
			cli.Quantity(int64(r.Sorts), "sort"))
	}
	if r.Result > 0 {
		fmt.Fprintf(w, "result: %s\n", bytesize.Count(r.Result, "byte"))
	}
	for _, d := range r.Disk {
		free := "its free bytes are not known"
		if d.Free != nil {
			free = fmt.Sprintf("%d free", *d.Free)
		}
		most := ""
		if d.AtMost {
			most = "at most "
		}
		fmt.Fprintf(w, "disk of %s: %s%s, %s\n", d.Directory, most, bytesize.Count(d.Bytes, "byte"), free)
	}
	if e := r.Expected; e != nil {
		fmt.Fprintf(w, "expected time: %s to %s\n", duration(e.Least), duration(e.Most))
	} else if r.Ranges > 0 {
		fmt.Fprintln(w, "expected time: not known, as no sample of the text can be sorted")
	}
	verdict := "fits"
	if !r.Fits {
		verdict = "does not fit: " + r.Reason
	}
	_, err := fmt.Fprintln(w, verdict)
	return cli.StandardOutput(err)
}
