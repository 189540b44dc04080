package runner

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"os"
	"os/exec"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/suffixcl/suffixcl/cl"
	"github.com/suffixcl/suffixcl/internal/testkit/harness"
	"github.com/suffixcl/suffixcl/internal/tuned"
)

// Options of a run.
type Options struct {
	Devices  []int    // indexes of device.List
	Variants []string // empty takes those of the device
	Only     []string // subjects; empty takes all
	Classes  []string // of inputs; empty takes all
	Level    string
	Seed     uint64
	Library  string        // what is tested, for the report
	Limit    time.Duration // of a case; what takes longer hangs. 0 takes the default
	// Command makes the child process, which calls Work.
	Command func(context.Context) *exec.Cmd
	// Progress is told of every cell that ends; total is that of the device, as far as it is
	// known.
	Progress func(run *Run, c Cell, done, total int)
	// Save, if not nil, is called at times with what there is.
	Save func() error
}

// Default times for a cell, which is silent while it runs.
const (
	Limit          = 2 * time.Minute
	LimitSimulated = 30 * time.Minute // on simulators
	checkedTimes   = 4                // as long where launches are checked
)

// Run runs cells on devices and adds them to the report; what is there already, of the same
// device, driver, library, level and seed, is not run again. On a GPU several children run at a
// time, because the host is busy compiling for most of it; speeds are measured after the rest.
//
// Errors: the context's, those of Save, and that a child cannot be started at all. What goes
// wrong on a device is in the report.
func (r *Report) Run(ctx context.Context, devices []*cl.Device, o Options) error {
	for _, index := range o.Devices {
		d := devices[index]
		variants := harness.Matrix(d)
		if len(o.Variants) > 0 { // also those that are left out elsewhere
			variants = slices.DeleteFunc(harness.Known(), func(v harness.Variant) bool {
				return !slices.Contains(o.Variants, v.Name)
			})
		}
		caps := tuned.Identify(d)
		simulated := harness.Simulated(&caps)
		usual := Limit
		if simulated {
			usual = LimitSimulated
		}
		c := crew{o: &o, report: r, limit: cmp.Or(o.Limit, usual)}
		parts, checked, atOnce := 1, 1, 1
		if d.Type()&cl.DeviceTypeGPU != 0 {
			parts, checked = 4, len(Subjects())/2+1
			atOnce = max(min(runtime.NumCPU(), 16, int(d.GlobalMemSize()>>30)), 1) // each has a context
		}
		partsOf := func(variant string) int {
			if variant == harness.Bounds.Name { // two subjects take as long as a quarter does otherwise
				return checked
			}
			return parts
		}
		work := func(ctx context.Context, j job) error {
			j.Device, j.Level, j.Seed, j.Only, j.Classes = index, o.Level, o.Seed, o.Only, o.Classes
			j.Parts = partsOf(j.Variant)
			p := parent{crew: &c, job: j}
			// Until one is known, the run is that of a device that does not open.
			p.like.RunInfo = RunInfo{Device: strings.TrimSpace(d.Name()), Platform: d.Platform().Name(),
				Driver: d.DriverVersion(), OpenCL: d.Version()}
			for {
				if again, err := p.child(ctx); err != nil || !again {
					return err
				}
			}
		}
		g, all := errgroup.WithContext(ctx)
		g.SetLimit(atOnce)
		for _, v := range slices.Backward(variants) { // the last, harness.Bounds, takes longest
			for part := partsOf(v.Name) - 1; part >= 0; part-- { // applications take longer than primitives, the first
				g.Go(func() error { return work(all, job{Variant: v.Name, Part: part}) })
			}
		}
		if err := g.Wait(); err != nil {
			return err
		}
		native := slices.ContainsFunc(variants, func(v harness.Variant) bool { return v.Name == harness.Variants[0].Name })
		if native && !simulated { // a simulator's speed says nothing
			if err := work(ctx, job{Variant: harness.Variants[0].Name, Speed: true}); err != nil {
				return err
			}
		}
		if c.run != nil {
			c.run.sort()
		}
	}
	return nil
}

// crew is what the parents of a device share.
type crew struct {
	o           *Options
	report      *Report
	limit       time.Duration // of a case
	mu          sync.Mutex
	run         *Run // nil until the first child has said which device it is
	done, total int
	saved       time.Time
}

// parent runs the cells of a job, with as many children as it takes.
type parent struct {
	*crew
	job         job
	like        Run
	done, total int // of this one
}

// begin finds or makes the run of the report.
func (p *parent) begin(like Run) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.run != nil {
		p.run.Subgroup = max(p.run.Subgroup, like.Subgroup) // which the variants do not know
		return
	}
	like.Library, like.Level, like.Seed = p.o.Library, p.o.Level, p.o.Seed
	like.Kernels = tuned.KernelDigests()
	like.Began = time.Now().UTC().Format(time.RFC3339)
	p.run = p.report.find(&like)
}

// expect adds cells that are to be run.
func (p *parent) expect(cells int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.crew.total += p.done + cells - p.total
	p.total = p.done + cells
}

func (p *parent) end(c Cell) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.run.put(c)
	p.done++
	p.crew.done++
	if p.o.Progress != nil {
		p.o.Progress(p.run, c, p.crew.done, max(p.crew.total, p.crew.done))
	}
	if p.o.Save != nil && time.Since(p.saved) > time.Second {
		p.saved = time.Now()
		return p.o.Save()
	}
	return nil
}

// known are the cells that need not be run.
func (p *parent) known() []Cell {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.run != nil {
		return slices.Clone(p.run.Cells)
	}
	like := p.like // a run to be resumed
	like.Library, like.Level, like.Seed = p.o.Library, p.o.Level, p.o.Seed
	for _, run := range p.report.Runs {
		if like.System = run.System; run.same(&like.RunInfo) {
			return slices.Clone(run.Cells)
		}
	}
	return nil
}

// child runs one, and tells whether another has to go on after the cell that ended it.
func (p *parent) child(ctx context.Context) (again bool, err error) {
	if err := ctx.Err(); err != nil {
		return false, context.Cause(ctx)
	}
	p.job.Done = p.known()
	input, err := json.Marshal(p.job)
	if err != nil {
		return false, err
	}
	childCtx, kill := context.WithCancel(ctx)
	defer kill()
	c := p.o.Command(childCtx)
	stderr, err := os.CreateTemp("", "suffixcl-conformance-*") // a file, in which the child looks, too
	if err != nil {
		return false, err
	}
	defer os.Remove(stderr.Name())
	defer stderr.Close()
	c.Stdin, c.Stderr, c.WaitDelay = bytes.NewReader(input), stderr, time.Second
	out, err := c.StdoutPipe()
	if err != nil {
		return false, err
	}
	if err := c.Start(); err != nil {
		return false, err
	}
	events := make(chan event)
	go read(out, events)
	limit := p.limit
	if p.job.Variant == harness.Bounds.Name && p.o.Limit == 0 {
		limit *= checkedTimes
	}
	timer := time.NewTimer(limit)
	defer timer.Stop()
	var current *Cell
	since, all, lost, hung, began := time.Now(), false, false, false, false
	for open := true; open; {
		var e event
		select {
		case e, open = <-events:
		case <-timer.C:
			hung = true
			kill()
			continue // until the end of its output
		}
		timer.Reset(limit)
		switch {
		case e.Device != nil:
			p.begin(*e.Device)
			began = true
		case e.Cells != nil:
			p.expect(len(e.Cells))
		case e.Begin != nil:
			current, since = e.Begin, time.Now()
		case e.Case != "" && current != nil:
			current.Case = e.Case
			current.Cases++
		case e.End != nil && began:
			current = nil
			if err := p.end(*e.End); err != nil {
				kill()
				for range events {
				}
				c.Wait()
				return false, err
			}
		}
		all, lost = all || e.All, lost || e.Lost
	}
	died := c.Wait()
	switch {
	case ctx.Err() != nil:
		return false, context.Cause(ctx)
	case all:
		return false, nil
	case lost: // whatever became of the child then
		return true, nil
	}
	p.begin(p.like)
	again = current != nil
	if current == nil { // not in a cell: there is no going on
		current = &Cell{Subject: "start", Kind: "primitive", Variant: p.job.Variant, Class: "start"}
	}
	current.Speed, current.Result, current.Seconds = nil, Crashed, time.Since(since).Seconds()
	current.Error = strings.TrimSpace(fmt.Sprintf("%v: %s", died, tail(written(stderr, 0), 800)))
	if hung {
		current.Result, current.Error = Hung, fmt.Sprintf("nothing for %v", limit)
	}
	return again, p.end(*current)
}

// read decodes the lines of a child; other output of a driver in between is passed over.
func read(out io.Reader, events chan<- event) {
	defer close(events)
	lines := bufio.NewReader(out)
	for {
		line, err := lines.ReadBytes('\n')
		var e event
		if json.Unmarshal(line, &e) == nil {
			events <- e
		}
		if err != nil {
			return
		}
	}
}

// written is what a file has from an offset on.
func written(f *os.File, from int64) string {
	text, err := io.ReadAll(io.NewSectionReader(f, from, math.MaxInt64-from))
	if err != nil {
		return err.Error()
	}
	return string(text)
}

func tail(s string, n int) string {
	if len(s) > n {
		return "…" + s[len(s)-n:]
	}
	return s
}
