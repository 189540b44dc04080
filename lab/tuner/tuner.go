// Package tuner searches the parameters of package tune on a device.
//
// The space is searched group by group, each on the primitive that its kernels make up. A
// search begins with the table's parameters. The next point is the nearest to the best one,
// or a step further in a direction that has helped. So the search climbs while it can, and
// covers everything in the end if there is time. What a point computes is checked before
// its speed counts.
package tuner

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/internal/tune"
	"github.com/suffixcl/suffixcl/internal/tuned"
	"github.com/suffixcl/suffixcl/lab/bench"
)

// Options of a search.
type Options struct {
	// Device says what to open. The tuning file is not used: gains are over the table.
	Device device.Config
	// Only are the primitives to search, or groups of their parameters by name; all, if empty.
	Only []string
	// Items is the size of the inputs, less where they do not fit. 0: 2^26, 2^22 on
	// CPU-shaped devices. What matters for small inputs is measured on 2^20 at most.
	Items int
	// Budget is the time for all of it; what is not used by a group is for those after
	// it. 0 has no end but that of the space.
	Budget time.Duration
	// Quick ends the search of a group where no neighbour of the best point is better.
	Quick bool
	// Progress, if set, is called before each point.
	Progress func(Step)

	edits tuned.Edits // of tests; Search sets the tuning file
}

// Step is a point that is about to be tried.
type Step struct {
	Group         string
	Number, Of    int // of the group
	Tried, Points int // in the group
	until         time.Time
}

// Finding is what was found for a group.
type Finding struct {
	Group     string `json:"group"`
	Primitive string `json:"primitive"` // what was measured
	Items     int    `json:"items"`
	// BuiltIn and Best are items a second with the parameters of the table, which may
	// be slower than any other, and with the best ones; measured one after the other.
	BuiltIn    float64        `json:"built_in_items_per_s"`
	Best       float64        `json:"best_items_per_s"`
	Parameters map[string]int `json:"parameters"` // the best
	Changed    bool           `json:"changed"`    // they are others than the table's
	Points     int            `json:"points"`
	Tried      int            `json:"tried"`
	Refused    int            `json:"refused"`         // by compiler or driver
	Wrong      int            `json:"wrong"`           // results, which do not count
	Error      string         `json:"error,omitempty"` // the first of those that ran
}

// Gain is the best speed over the table's.
func (f Finding) Gain() float64 {
	if f.BuiltIn == 0 {
		return 1
	}
	return f.Best / f.BuiltIn
}

// Report is what a search found.
type Report struct {
	Device   string    `json:"device"`
	Driver   string    `json:"driver"`
	Kind     string    `json:"kind"`
	Findings []Finding `json:"findings"`

	facts tune.Device
	table tune.Set
}

// Entry is the row for a tuning file: the groups that gained.
func (r Report) Entry() tune.Entry {
	e := tune.Entry{Device: r.Device, Driver: r.Driver, Kind: r.Kind, Parameters: make(map[string]int)}
	items := 0
	for _, f := range r.Findings {
		if f.Changed {
			maps.Copy(e.Parameters, f.Parameters)
			items = max(items, f.Items)
		}
	}
	e.From = fmt.Sprintf("suffixcl-lab tune, %s, %d items", time.Now().Format(time.DateOnly), items)
	return e
}

// Save adds the entry to a tuning file, which need not exist, and tells whether there
// was anything to save. What the file says of other groups stays, unless it does not go
// together with the entry.
func (r Report) Save(name string) (bool, error) {
	file, err := tune.ReadFile(name)
	if errors.Is(err, fs.ErrNotExist) {
		file, err = &tune.File{Version: tune.FileVersion}, nil
	}
	if err != nil {
		return false, err
	}
	e := r.Entry()
	old := file.Find(e.Device, e.Driver, e.Kind)
	if old == nil && len(e.Parameters) == 0 {
		return false, nil
	}
	if old != nil {
		both := maps.Clone(old.Parameters)
		for _, f := range r.Findings {
			for path := range f.Parameters {
				delete(both, path)
			}
		}
		if len(both) > 0 {
			maps.Copy(both, e.Parameters)
			set := r.table
			if together := (&tune.Entry{Parameters: both}); together.Apply(&set, r.facts) == nil {
				e.Parameters = both
			}
		}
	}
	file.Put(e)
	return true, file.Write(name)
}

// Names are what Options.Only takes: primitives, and groups.
func Names() (primitives, groups []string) {
	for _, d := range []tune.Device{{}, {LookBack: true}, {CPU: true}} {
		for _, g := range tune.Space(d) {
			primitives, groups = append(primitives, g.Primitive), append(groups, g.Name)
		}
	}
	slices.Sort(primitives)
	slices.Sort(groups)
	return slices.Compact(primitives), slices.Compact(groups)
}

// caseOf is what a group is measured by.
func caseOf(group string) (bench.Case, bool) {
	c, ok := map[string]bench.Case{
		"scan":                bench.Sum[uint32](),
		"compact":             bench.Select[uint32](),
		"radixsort chunks":    bench.SortPairs[uint32, uint32]("radix sort pairs u32/u32", 32),
		"radixsort reduce":    bench.SortPairs[uint32, uint32]("radix sort pairs u32/u32", 32),
		"radixsort histogram": bench.SortPairs[uint32, uint32]("radix sort pairs u32/u32", 32),
		"radixsort K4V0":      bench.SortKeys[uint32]("radix sort keys u32"),
		"radixsort K4V4":      bench.SortPairs[uint32, uint32]("radix sort pairs u32/u32", 32),
		"radixsort K4V8":      bench.SortPairs[uint32, uint64]("radix sort pairs u32/u64", 32),
		"radixsort K8V0":      bench.SortKeys[uint64]("radix sort keys u64"),
		"radixsort K8V4":      bench.SortPairs[uint64, uint32]("radix sort pairs u64/u32", 64),
		"radixsort K8V8":      bench.SortPairs[uint64, uint64]("radix sort pairs u64/u64", 64),
		"merge":               bench.MergeKeys[uint32]("merge keys u32"),
		"merge 64":            bench.MergeKeys[uint64]("merge keys u64"),
		"segsort rank":        bench.SegmentedSort[uint32](2, 64),
		"segsort group":       bench.SegmentedSort[uint32](64, 2047),
		"segsort group 64":    bench.SegmentedSort[uint64](64, 2047),
		"segsort block":       bench.SegmentedSort[uint32](2, 60511),
		"segsort block 64":    bench.SegmentedSort[uint64](2, 60511),
	}[strings.TrimSuffix(group, " small")]
	return c, ok
}

const (
	rounds = 3    // of a measurement
	margin = 1.01 // by which the best has to be faster than the table's
	small  = 1 << 20
	least  = 1 << 10
)

// search is a Search under way.
type search struct {
	ctx   context.Context
	o     Options
	s     *device.Session // nil after a failure
	facts tune.Device
	set   tune.Set // the table's, with the best of the groups done

	// State of the group that is searched.
	c       bench.Case
	items   int
	input   *bench.Prepared // nil after a failure
	finding *Finding
}

// Search opens the device and searches. It returns what it found also with an error,
// such as the context's when that ends.
func Search(ctx context.Context, o Options) (Report, error) {
	o.edits.TuningFile = "off"
	o.Device.CacheDir = "off" // hundreds of programs that nobody will want again
	t := &search{ctx: ctx, o: o}
	defer t.close()
	if err := t.open(); err != nil {
		return Report{}, err
	}
	caps := t.s.Caps()
	t.facts, t.set = tuned.Device(t.s), *tuned.Of(t.s)
	report := Report{
		Device: caps.Name, Driver: caps.DriverVersion, Kind: tuned.Key(t.s).Kind, facts: t.facts, table: t.set,
	}
	if o.Items == 0 {
		t.o.Items = 1 << 26
		if t.facts.CPU {
			t.o.Items = 1 << 22
		}
	}
	space := slices.DeleteFunc(tune.Space(t.facts), func(g tune.Group) bool {
		return len(o.Only) > 0 && !slices.Contains(o.Only, g.Primitive) && !slices.Contains(o.Only, g.Name)
	})
	end := time.Now().Add(o.Budget)
	for i, g := range space {
		step := Step{Group: g.Name, Number: i, Of: len(space)}
		if o.Budget > 0 {
			step.until = time.Now().Add(time.Until(end) / time.Duration(len(space)-i))
		}
		f, err := t.group(g, step)
		if f.BuiltIn > 0 || f.Refused+f.Wrong > 0 {
			report.Findings = append(report.Findings, f)
		}
		if err != nil {
			return report, err
		}
	}
	return report, nil
}

// group searches one group and keeps the best in the set. An error ends the search.
func (t *search) group(g tune.Group, step Step) (f Finding, err error) {
	f = Finding{Group: g.Name, Parameters: g.Params(t.set)}
	var ok bool
	if t.c, ok = caseOf(g.Name); !ok {
		return f, fmt.Errorf("tuner: there is nothing to measure %q by", g.Name)
	}
	f.Primitive, t.items, t.finding = t.c.Primitive, t.o.Items, &f
	if g.Small {
		t.items = min(t.items, small)
	}
	defer t.drop()

	values, points := g.Points(t.set, t.facts)
	table, best := t.set, t.set
	at := make([]int, len(values)) // of the best
	for i, a := range g.Axes {
		at[i] = slices.Index(values[i], *t.set.Param(a.Param))
	}
	points = slices.DeleteFunc(points, func(p []int) bool { return slices.Equal(p, at) })
	f.Points = len(points) + 1
	step.Points = f.Points
	if t.o.Progress != nil {
		t.o.Progress(step)
	}
	if f.BuiltIn, err = t.try(table); err != nil || f.BuiltIn == 0 {
		return f, err
	}
	f.Best = f.BuiltIn
	var guess []int
	for len(points) > 0 && (step.until.IsZero() || time.Now().Before(step.until)) {
		next := slices.IndexFunc(points, func(p []int) bool { return slices.Equal(p, guess) })
		if guess = nil; next < 0 {
			next = nearest(points, at)
		}
		point := points[next]
		if t.o.Quick && distance(point, at) > 1 {
			break
		}
		points = slices.Delete(points, next, next+1)
		candidate := t.set
		g.Set(&candidate, values, point)
		if step.Tried = f.Tried; t.o.Progress != nil {
			t.o.Progress(step)
		}
		var speed float64
		if speed, err = t.try(candidate); err != nil {
			break
		}
		if speed > f.Best {
			guess = make([]int, len(at)) // what helped may help once more
			for i := range at {
				guess[i] = 2*point[i] - at[i]
			}
			f.Best, best, at = speed, candidate, point
		}
	}
	if best != table && err == nil {
		// Both once more, one after the other: a device gets warm, or gets other work.
		if f.BuiltIn, err = t.try(table); err == nil {
			f.Best, err = t.try(best)
		}
		f.Tried -= 2
	}
	if f.Best < margin*f.BuiltIn || f.BuiltIn == 0 {
		best, f.Best = table, f.BuiltIn
	}
	f.Parameters, f.Changed = g.Params(best), best != table
	t.set = best
	return f, err
}

// nearest is the index of the point nearest to at.
func nearest(points [][]int, at []int) int {
	best := 0
	for i := range points {
		if distance(points[i], at) < distance(points[best], at) {
			best = i
		}
	}
	return best
}

// distance counts steps along the axes.
func distance(p, q []int) int {
	sum := 0
	for i := range p {
		sum += max(p[i]-q[i], q[i]-p[i])
	}
	return sum
}

// try measures a set: items a second, or 0 if it does not work, which is noted. An
// error ends the search.
func (t *search) try(set tune.Set) (float64, error) {
	t.finding.Tried++
	err := t.ready()
	if t.s == nil {
		return 0, err
	}
	var r bench.Result
	if err == nil {
		*tuned.Of(t.s) = set
		r, err = t.input.Measure(t.ctx, rounds)
	}
	switch {
	case err == nil:
		return r.ItemsPerSecond, nil
	case t.ctx.Err() != nil:
		return 0, context.Cause(t.ctx)
	case t.finding.Tried == 1 && t.smaller(err):
		t.finding.Tried = 0
		return t.try(set)
	}
	var plan *bench.PlanError
	var wrong *bench.WrongResult
	switch {
	case errors.As(err, &plan):
		t.finding.Refused++
		return 0, nil
	case errors.As(err, &wrong):
		t.finding.Wrong++
	default:
		t.finding.Refused++
	}
	if t.finding.Error == "" {
		t.finding.Error = err.Error()
	}
	t.close() // the contents of the device's memory are unknown
	return 0, nil
}

func (t *search) open() (err error) {
	t.s, err = tuned.Open(t.o.Device, t.o.edits)
	return err
}

// ready makes the input of the group.
func (t *search) ready() error {
	if t.s == nil {
		if err := t.open(); err != nil {
			return err
		}
	}
	if t.input != nil {
		return nil
	}
	*tuned.Of(t.s) = t.set
	var err error
	t.input, err = t.c.Prepare(t.ctx, t.s, t.items)
	t.finding.Items = t.items
	return err
}

// smaller halves the input if that helps against an error.
func (t *search) smaller(err error) bool {
	if !device.IsTooLarge(err) || t.items <= least {
		return false
	}
	t.items /= 2
	t.drop()
	t.s.Recover()
	return true
}

func (t *search) drop() {
	if t.input != nil {
		t.input.Release()
		t.input = nil
	}
}

func (t *search) close() {
	t.drop()
	if t.s != nil {
		t.s.Close()
		t.s = nil
	}
}
