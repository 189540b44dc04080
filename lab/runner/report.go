package runner

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/suffixcl/suffixcl/internal/testkit/amdgpu"
	"github.com/suffixcl/suffixcl/internal/testkit/harness"
)

// Version is the version of the JSON; see docs/conformance.md.
const Version = 1

// Report tells what was run on which devices.
type Report struct {
	Version int    `json:"suffixcl_conformance"`
	Runs    []*Run `json:"runs"`
}

// Run is what was run on a device.
type Run struct {
	RunInfo
	Cells []Cell `json:"cells"`
}

// RunInfo says of a run on which device, of which library, with which inputs and when.
type RunInfo struct {
	Device     string   `json:"device"`
	Platform   string   `json:"platform"`
	Driver     string   `json:"driver"`
	OpenCL     string   `json:"opencl"`           // of the device
	PlatformCL string   `json:"platform_opencl"`  // of the platform
	Type       string   `json:"type"`             // gpu, cpu or accelerator
	Units      int      `json:"compute_units"`    //
	Memory     int64    `json:"global_mem_bytes"` //
	Subgroup   int      `json:"subgroup_width"`
	Extensions []string `json:"extensions"`
	System     string   `json:"system"`  // such as linux/amd64
	Library    string   `json:"library"` // version and revision of suffixcl
	// Kernels are digests of the OpenCL sources by file; nil in reports from before they were told apart.
	Kernels map[string]string `json:"kernels,omitempty"`
	Level   string            `json:"level"` // quick, normal or full
	Seed    uint64            `json:"seed"`
	Began   string            `json:"began"`   // RFC 3339
	Seconds float64           `json:"seconds"` // in cells
}

// A Cell is a subject in a variant with a class of inputs.
type Cell struct {
	Subject string  `json:"subject"`
	Kind    string  `json:"kind"`
	Variant string  `json:"variant"`
	Class   string  `json:"class"`
	Result  Result  `json:"result"`
	Cases   int     `json:"cases,omitempty"` // that were run
	Seconds float64 `json:"seconds"`
	Case    string  `json:"case,omitempty"`  // the first that did not pass
	Error   string  `json:"error,omitempty"` // and why
	Speed   *Speed  `json:"speed,omitempty"` // of the class "speed"
}

// Result of a cell.
type Result string

// The results. A cell that crashed ended its process, one that hung was ended.
const (
	Passed  Result = "passed"
	Failed  Result = "failed"
	Crashed Result = "crashed"
	Hung    Result = "hung"
)

func (c *Cell) is(o *Cell) bool {
	return c.Subject == o.Subject && c.Variant == o.Variant && c.Class == o.Class
}

// same tells whether two runs are of the same thing, so that one goes on where the other
// ended.
func (r *RunInfo) same(o *RunInfo) bool {
	return r.Device == o.Device && r.Platform == o.Platform && r.Driver == o.Driver && r.System == o.System &&
		r.Library == o.Library && r.Level == o.Level && r.Seed == o.Seed
}

// put adds a cell and its time, in place of an older result.
func (r *Run) put(c Cell) {
	r.Seconds += c.Seconds
	if i := slices.IndexFunc(r.Cells, func(o Cell) bool { return c.is(&o) }); i >= 0 {
		r.Seconds -= r.Cells[i].Seconds
		r.Cells[i] = c
	} else {
		r.Cells = append(r.Cells, c)
	}
}

// sort puts the cells in the order of variants and subjects, as children that run at a time do
// not.
func (r *Run) sort() {
	var variants, subjects []string
	for _, v := range harness.Known() {
		variants = append(variants, v.Name)
	}
	for _, s := range Subjects() {
		subjects = append(subjects, s.Name)
	}
	slices.SortStableFunc(r.Cells, func(a, b Cell) int {
		return cmp.Or(cmp.Compare(slices.Index(variants, a.Variant), slices.Index(variants, b.Variant)),
			cmp.Compare(slices.Index(subjects, a.Subject), slices.Index(subjects, b.Subject)))
	})
}

// Count returns how many cells there are, and how many of them passed.
func (r *Run) Count() (passed, all int) {
	for _, c := range r.Cells {
		if c.Result == Passed {
			passed++
		}
	}
	return passed, len(r.Cells)
}

// Failures counts the cells that did not pass.
func (r *Report) Failures() int {
	n := 0
	for _, run := range r.Runs {
		passed, all := run.Count()
		n += all - passed
	}
	return n
}

// find is the run to go on with, which is added if there is none.
func (r *Report) find(like *Run) *Run {
	for _, run := range r.Runs {
		if run.same(&like.RunInfo) {
			return run
		}
	}
	r.Runs = append(r.Runs, like)
	return like
}

// Repeat is the command that runs a cell alone.
func (r *Run) Repeat(c Cell) string {
	quote := func(s string) string { return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'" }
	level := ""
	if r.Level != "normal" {
		level = " --" + r.Level
	}
	device := r.Device
	if r.Platform == amdgpu.Platform {
		device = amdgpu.Selector(r.Device)
	}
	return fmt.Sprintf("suffixcl-lab conformance --device %s --variant %s --only %s --class %s --seed %d%s",
		quote(device), c.Variant, quote(c.Subject), quote(c.Class), r.Seed, level)
}

// Write writes the report as JSON, with a cell a line.
func (r *Report) Write(w io.Writer) error {
	return writeLines(w, r, `{"device":`, `"kernels":`, `{"subject":`)
}

// writeLines writes JSON with a line break before each of starts, which begin with a key or an
// object: in strings their quotes are escaped.
func writeLines(w io.Writer, v any, starts ...string) error {
	data, err := json.Marshal(v)
	if err != nil {
		return err
	}
	for _, start := range starts {
		data = bytes.ReplaceAll(data, []byte(start), []byte("\n"+start))
	}
	_, err = w.Write(append(data, '\n'))
	return err
}

var errNoDevice = errors.New("a run without a device")

// Parse reads a report. Errors: ErrSummary, and what is no report of this version.
func Parse(data []byte) (*Report, error) {
	r := new(Report)
	if err := json.Unmarshal(data, r); err != nil {
		return nil, err
	}
	if r.Version == 0 && isSummary(data) {
		return nil, ErrSummary
	}
	if r.Version != Version {
		return nil, fmt.Errorf("not a conformance report of version %d", Version)
	}
	for _, run := range r.Runs {
		if run == nil || run.Device == "" {
			return nil, errNoDevice
		}
	}
	return r, nil
}

// Merge joins reports; where the same was run twice, the later report counts.
func Merge(reports ...*Report) *Report {
	all := &Report{Version: Version, Runs: []*Run{}}
	for _, r := range reports {
		for _, run := range r.Runs {
			empty := *run
			empty.Cells, empty.Seconds = nil, 0
			into := all.find(&empty)
			for _, c := range run.Cells {
				into.put(c)
			}
			into.sort()
		}
	}
	return all
}

// Variants lists those that were run.
func (r *Run) Variants() []string {
	var list []string
	for _, c := range r.Cells {
		if !slices.Contains(list, c.Variant) {
			list = append(list, c.Variant)
		}
	}
	return list
}
