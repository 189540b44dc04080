package runner

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"hash/fnv"
	"io"
	"os"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/suffixcl/suffixcl/cl"
	"github.com/suffixcl/suffixcl/conformance"
	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/internal/driver"
	"github.com/suffixcl/suffixcl/internal/testkit/harness"
	"github.com/suffixcl/suffixcl/internal/tuned"
)

// job is what a child process is told on standard input.
type job struct {
	Device  int
	Variant string
	Level   string
	Seed    uint64
	Only    []string // subjects
	Classes []string
	Done    []Cell
	// One of Parts of the subjects; with Speed, nothing but the speed of all of them.
	Part, Parts int
	Speed       bool
}

// event is a line that it writes on standard output: the device once, all cells to come
// once, and then the beginning and end of each, with its cases between them.
type event struct {
	Device *Run   `json:",omitempty"`
	Cells  []Cell `json:",omitempty"`
	Begin  *Cell  `json:",omitempty"`
	Case   string `json:",omitempty"` // that begins
	End    *Cell  `json:",omitempty"`
	All    bool   `json:",omitempty"` // that is all
	Lost   bool   `json:",omitempty"` // the device is: the other cells are for another child
}

// Work is the child process.
func Work(ctx context.Context, in io.Reader, out io.Writer) error {
	var j job
	if err := json.NewDecoder(in).Decode(&j); err != nil {
		return err
	}
	lines := json.NewEncoder(out)
	devices, err := device.List()
	if err != nil {
		return err
	}
	known := harness.Known()
	i := slices.IndexFunc(known, func(v harness.Variant) bool { return v.Name == j.Variant })
	if j.Device < 0 || j.Device >= len(devices) || i < 0 {
		return fmt.Errorf("no device %d, or no variant %q", j.Device, j.Variant)
	}
	d, v := devices[j.Device], known[i]
	s, err := harness.Open(d, v)
	if err != nil {
		return err
	}
	defer s.Close()
	run := describe(s)
	if v.Name != harness.Variants[0].Name {
		run.Subgroup = 0 // it may be forced
	}
	if err := lines.Encode(event{Device: run}); err != nil {
		return err
	}
	cells, cases := j.cells(s, config(j.Level, j.Seed, d, v))
	if err := lines.Encode(event{Cells: cells}); err != nil {
		return err
	}
	reports := reportsOf(d)
	for i, c := range cells {
		if err := lines.Encode(event{Begin: &c}); err != nil {
			return err
		}
		begin := func(name string) error { return lines.Encode(event{Case: name}) }
		if err := try(ctx, s, &c, cases[i], begin, reports); err != nil {
			return err
		}
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		if err := lines.Encode(event{End: &c}); err != nil {
			return err
		}
		if c.Result != Passed && !alive(s) {
			return lines.Encode(event{Lost: true})
		}
	}
	return lines.Encode(event{All: true})
}

// sampled tells whether a quick run leaves the i-th case of a class out of a variant whose launches take long, or, for
// what is made of primitives, of one that forces capabilities off: many classes make the same launches. The seed says
// which.
func (j *job) sampled(kind, class string, i int) bool {
	if j.Level != "quick" || len(j.Only)+len(j.Classes) > 0 {
		return false
	}
	named := func(v harness.Variant) bool { return v.Name == j.Variant }
	if !named(harness.Bounds) && (kind == "primitive" || !slices.ContainsFunc(harness.Forced, named)) {
		return false
	}
	if strings.HasSuffix(class, "sizes") {
		return (uint64(i)+j.Seed)%4 != 0
	}
	h := fnv.New64a()
	fmt.Fprint(h, j.Seed, class)
	return h.Sum64()%6 != 0
}

// cells lists what is to be run, with the cases of each: those of a suite are put together
// by their class, "sizes" or "large/fibonacci".
func (j *job) cells(s *device.Session, cfg conformance.Config) (cells []Cell, cases [][]conformance.Case) {
	wanted := func(list []string, name string) bool { return len(list) == 0 || slices.Contains(list, name) }
	for i, subject := range Subjects() {
		// Neighbours are of a kind, as suffixsort and suffixsort-lean, and compile the same programs: from an odd one on two
		// go together.
		if j.Speed || (i+1)/2%j.Parts != j.Part || !wanted(j.Only, subject.Name) {
			continue
		}
		if subject.cases == nil {
			continue
		}
		first := len(cells)
		for k, c := range subject.cases(s, cfg) {
			class := c.Name
			if at := strings.Index(class, "/n="); at >= 0 {
				class = class[:at]
			}
			cell := Cell{Subject: subject.Name, Kind: subject.Kind, Variant: j.Variant, Class: class}
			if !wanted(j.Classes, class) || slices.ContainsFunc(j.Done, func(o Cell) bool { return cell.is(&o) }) ||
				j.sampled(subject.Kind, class, k) {
				continue
			}
			i := slices.IndexFunc(cells[first:], func(o Cell) bool { return cell.is(&o) })
			if i < 0 {
				i = len(cells) - first
				cells, cases = append(cells, cell), append(cases, nil)
			}
			cases[first+i] = append(cases[first+i], c)
		}
	}
	if !j.Speed || !wanted(j.Classes, classSpeed) {
		return cells, cases
	}
	for _, subject := range Subjects() {
		cell := Cell{Subject: subject.Name, Kind: subject.Kind, Variant: j.Variant, Class: classSpeed, Speed: new(Speed)}
		done := slices.ContainsFunc(j.Done, func(o Cell) bool { return cell.is(&o) })
		if subject.gauge == nil || done || !wanted(j.Only, subject.Name) {
			continue
		}
		cells = append(cells, cell)
		cases = append(cases, []conformance.Case{{Name: classSpeed, Run: func(ctx context.Context) (err error) {
			*cell.Speed, err = subject.gauge(ctx, s, sizesOf(s, j.Level, j.Seed))
			return err
		}}})
	}
	return cells, cases
}

// reportsOf returns a check for the end of each case, which tells whether the device has found
// something by itself: Oclgrind writes that to standard error, which the parent makes a file,
// and goes on.
func reportsOf(d *cl.Device) func() error {
	if tuned.Identify(d).Vendor != driver.Oclgrind {
		return func() error { return nil }
	}
	known := int64(0)
	return func() error {
		text := written(os.Stderr, known)
		if known += int64(len(text)); text == "" {
			return nil
		}
		text = strings.Join(strings.Fields(text), " ")
		return fmt.Errorf("reports of Oclgrind: %s", text[:min(len(text), 800)])
	}
}

// alive tells whether the device still does as it is told: a kernel that goes outside of its memory may have cost the
// session its context, and every cell after it would fail.
func alive(s *device.Session) bool {
	b, err := device.Alloc[uint32](s, 1)
	if err != nil {
		s.Recover()
		return false
	}
	defer b.Release()
	sent, got := [1]uint32{0x9E3779B9}, [1]uint32{}
	err = cmp.Or(b.Write(sent[:]), b.Read(got[:]))
	s.Recover()
	return err == nil && got == sent
}

// try fills in what became of a cell. It calls begin before each case, whose errors it returns.
func try(ctx context.Context, s *device.Session, c *Cell, cases []conformance.Case, begin func(name string) error,
	reports func() error) error {
	start := time.Now()
	c.Result = Passed
	for _, one := range cases {
		c.Cases++
		if err := begin(one.Name); err != nil {
			return err
		}
		err := one.Run(ctx)
		s.Recover()
		if live := s.LiveBytes(); err == nil && live != 0 {
			err = fmt.Errorf("%d bytes of device memory are left", live)
		}
		if found := reports(); err == nil {
			err = found
		}
		if err != nil {
			c.Result, c.Case, c.Error = Failed, one.Name, err.Error()
			break
		}
	}
	if c.Result != Passed {
		c.Speed = nil
	}
	c.Seconds = time.Since(start).Round(time.Microsecond).Seconds()
	return nil
}

// Levels of testing.
var Levels = []string{"quick", "normal", "full"}

// config is how much to try.
func config(level string, seed uint64, d *cl.Device, v harness.Variant) conformance.Config {
	cfg := harness.Suite(d, v) // which knows slow devices
	tiny, reduced := conformance.Tiny(), conformance.Reduced()
	switch {
	case level == "quick":
		large := min(cfg.Large, 1<<12)
		cfg = tiny
		cfg.PerSize, cfg.Large = 1, large
	case level == "normal" && cfg.MaxExhaustive2 > reduced.MaxExhaustive2:
		large := min(cfg.Large, reduced.Large)
		cfg = reduced
		cfg.Large = large
	}
	cfg.Seed = seed
	return cfg
}

// describe says which device it is.
func describe(s *device.Session) *Run {
	c, d := s.Caps(), tuned.CLDevice(s)
	return &Run{RunInfo: RunInfo{
		Device: c.Name, Platform: c.Platform, Driver: c.DriverVersion, OpenCL: d.Version(),
		PlatformCL: d.Platform().Version(),
		Type:       c.Kind(), Units: c.ComputeUnits, Memory: c.GlobalMem, Subgroup: c.SubgroupWidth,
		Extensions: slices.Sorted(strings.FieldsSeq(d.Extensions())),
		System:     runtime.GOOS + "/" + runtime.GOARCH,
	}}
}
