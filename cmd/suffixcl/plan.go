package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/suffixcl/suffixcl"
	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/internal/bytesize"
	"github.com/suffixcl/suffixcl/internal/cli"
	"github.com/suffixcl/suffixcl/seqio"
)

const planHelp = `Say how much memory a verb takes for a text, phase by phase, and whether the device
has it. Nothing is computed. The length of a plain file is looked up; a compressed
text, or one from a pipe, is read to learn its length.

VERB is sa, lcp, bwt, unbwt, repeats or verify. Device memory is exactly what the verb
will allocate. Of repeats it is that of one sequence: each record adds a byte, both
strands double it. Host memory is that of text and results; the OpenCL driver's own is
not counted.
If it does not fit, the exit code is 4.`

// planOps are the verbs that can be planned.
var planOps = map[string]suffixcl.Op{
	"sa":      suffixcl.OpSuffixArray,
	"lcp":     suffixcl.OpLCP,
	"bwt":     suffixcl.OpBWT,
	"unbwt":   suffixcl.OpInverseBWT,
	"repeats": suffixcl.OpLongestRepeats,
	"verify":  suffixcl.OpVerify,
}

// planName is the call of the command that an operation belongs to.
func planName(op suffixcl.Op) string {
	switch op {
	case suffixcl.OpLCPOf:
		return "lcp --sa"
	case suffixcl.OpVerifyBWT:
		return "verify --bwt"
	case suffixcl.OpVerifyLCP:
		return "verify --lcp"
	case suffixcl.OpAllLongestRepeats:
		return "repeats --all"
	}
	for verb, of := range planOps {
		if of == op {
			return verb
		}
	}
	return op.String()
}

type planFlags struct {
	jobFlags
	bwt  bool
	lcp  bool
	sa   bool
	all  bool
	long bool
}

func planCommand() *cobra.Command {
	var flags planFlags
	c := &cobra.Command{
		Use:     "plan VERB TEXT",
		Short:   "Say how much memory a verb will take",
		Long:    planHelp,
		Example: "  suffixcl plan sa genome.txt\n  suffixcl plan verify genome.txt --bwt --max-mem 8G",
		Args: func(c *cobra.Command, args []string) error {
			if err := cobra.ExactArgs(2)(c, args); err != nil {
				return err
			}
			if !planOps[args[0]].Valid() {
				return fmt.Errorf("there is no plan for %q: have sa, lcp, bwt, unbwt, repeats, verify", args[0])
			}
			return nil
		},
		RunE: cli.Work(func(ctx context.Context, args []string) error {
			op := planOps[args[0]]
			switch {
			case flags.bwt && op != suffixcl.OpVerify:
				return cli.Usage("--bwt belongs to plan verify")
			case flags.lcp && op != suffixcl.OpVerify:
				return cli.Usage("--lcp belongs to plan verify")
			case flags.sa && op != suffixcl.OpLCP:
				return cli.Usage("--sa belongs to plan lcp")
			case flags.all && op != suffixcl.OpLongestRepeats:
				return cli.Usage("--all belongs to plan repeats")
			case flags.all:
				op = suffixcl.OpAllLongestRepeats
			case flags.lcp: // which includes all that --bwt takes
				op = suffixcl.OpVerifyLCP
			case flags.bwt:
				op = suffixcl.OpVerifyBWT
			case flags.sa:
				op = suffixcl.OpLCPOf
			}
			if op == suffixcl.OpInverseBWT {
				if flags.Raw = true; flags.Input.Given {
					return cli.Usage("--input is for texts, not for transforms")
				}
			}
			if planOps[args[0]] == suffixcl.OpLongestRepeats && !flags.Input.Given {
				flags.Input.Value = seqio.Auto.String() // as repeats
			}
			return runPlan(ctx, &flags, op, args[1])
		}),
	}
	flags.DeviceFlags.Add(c.Flags())
	flags.TextFlags.Add(c.Flags(), seqio.Plain)
	flags.addAlgorithm(c.Flags())
	cli.AddJSON(c.Flags(), &flags.json)
	c.Flags().BoolVar(&flags.bwt, "bwt", false, "verify with --bwt")
	c.Flags().BoolVar(&flags.lcp, "lcp", false, "verify with --lcp")
	c.Flags().BoolVar(&flags.sa, "sa", false, "lcp with --sa")
	c.Flags().BoolVar(&flags.all, "all", false, "repeats with --all")
	c.Flags().BoolVar(&flags.long, "long", false, "list every buffer")
	return c
}

// planReport is the plan as JSON.
type planReport struct {
	Verb        string      `json:"verb"`
	File        string      `json:"file"`
	Bytes       int64       `json:"bytes"`
	Compression string      `json:"compression,omitempty"`
	Format      string      `json:"format,omitempty"`
	Device      string      `json:"device"`
	Phases      []planPhase `json:"phases"`
	Peak        planPeak    `json:"peak"`
	Limit       planLimit   `json:"limit"`
	Fits        bool        `json:"fits"`
	Reason      string      `json:"reason,omitempty"`
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

func runPlan(ctx context.Context, flags *planFlags, op suffixcl.Op, name string) error {
	flags.quiet = true
	j := newJob(&flags.jobFlags, "plan", op)
	defer j.Close()
	in, err := cli.OpenText(ctx, name, flags.Options())
	if err != nil {
		return err
	}
	defer in.Close()
	if err := j.openDevice(); err != nil {
		return err
	}
	n, err := in.Measure(ctx)
	if err != nil {
		return err
	}
	plan, err := j.plan(n)
	if err != nil && !device.IsTooLarge(err) {
		return err
	}
	if err == nil {
		err = plan.Fits(j.session)
	}
	caps := j.engine.Caps()
	r := planReport{Verb: planName(op), File: in.Name, Bytes: n, Compression: in.Compression,
		Format: formatName(in.Format),
		Device: caps.Name, Fits: err == nil}
	r.Limit.Device, r.Limit.Name = j.session.MemoryLimit()
	r.Limit.MaxBuffer = caps.MaxAlloc
	r.Peak = planPeak{Device: plan.Device(), Host: plan.Host(), PerChar: perChar(plan.Device(), n)}
	for _, p := range plan {
		r.Phases = append(r.Phases, planPhase{p.Phase, p.Device(), perChar(p.Device(), n), p.Host, p.Buffers})
	}
	if err != nil {
		r.Reason = err.Error()
	}
	if flags.json {
		if failed := cli.PrintJSON(os.Stdout, &r); failed != nil {
			return failed
		}
	} else if failed := r.print(os.Stdout, flags.long); failed != nil {
		return failed
	}
	return err
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
				fmt.Fprintf(t, "%s\t%d\t%.2f\t\t\n", b.Name, b.Bytes, perChar(b.Bytes, r.Bytes))
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
