package bench

import (
	"bytes"
	"context"
	"fmt"
	"index/suffixarray"
	"slices"
	"time"

	"github.com/suffixcl/suffixcl"
	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/internal/dc3"
	"github.com/suffixcl/suffixcl/internal/doubling"
	"github.com/suffixcl/suffixcl/internal/phases"
	"github.com/suffixcl/suffixcl/internal/tune"
	"github.com/suffixcl/suffixcl/internal/tuned"
	"github.com/suffixcl/suffixcl/internal/verify"
	"github.com/suffixcl/suffixcl/prefixdoubling"
	"github.com/suffixcl/suffixcl/skew"
)

// Papers repeats the measurements of two papers: "Fast In-Memory Suffix Sorting on the
// GPU" (GPU-LS) and Wang, Baxter & Owens, "Fast parallel skew and prefix-doubling suffix
// array construction on the GPU" (2016). Text and suffix array are on the device, as
// there; the result of every run is verified on the device before its time counts.
type Papers struct {
	Texts   []Text
	Figures []string // names; none: all
	Sizes   []int    // characters of the figures over them
	Repeats int      // runs that are timed, after one that is not
	// Open opens the device; profile asks for the time of every kernel. Run closes it.
	Open     func(profile bool) (*device.Session, error)
	Progress func(format string, args ...any)
	Done     func(*PapersReport, *PaperFigure) error // called after each figure; its error ends the run
}

// Text is a text that is sorted. It is not empty.
type Text struct {
	Name string
	Data []byte
}

// PaperRow is one measurement, or a published one.
type PaperRow struct {
	Text       string  `json:"text"`
	Characters int     `json:"characters"`
	Algorithm  string  `json:"algorithm"`
	X          int     `json:"x,omitempty"`     // on the figure's axis
	Phase      string  `json:"phase,omitempty"` // of a breakdown; else the row is of a whole run
	Seconds    float64 `json:"seconds,omitempty"`
	Mean       float64 `json:"mean_seconds,omitempty"` // Seconds is the best
	Share      float64 `json:"share,omitempty"`        // of the phase
	MBps       float64 `json:"mb_per_s,omitempty"`     // 10^6 characters a second
	Paper      string  `json:"paper,omitempty"`        // where it was published, and on what; "": measured
	Problem    string  `json:"problem,omitempty"`      // why there is no time: memory
}

// time counts one of so many runs.
func (r *PaperRow) time(took time.Duration, runs int) {
	if seconds := took.Seconds(); r.Seconds == 0 || seconds < r.Seconds {
		r.Seconds = seconds
	}
	r.Mean += took.Seconds() / float64(runs)
}

func (r PaperRow) rated() PaperRow {
	r.MBps = float64(r.Characters) / r.Seconds / 1e6
	return r
}

// PaperClaim is something that a paper says, with what has been measured.
type PaperClaim struct {
	What  string `json:"what"`
	Paper string `json:"paper"`
	Here  string `json:"here"`
}

// PaperFigure is a figure or table of a paper, repeated.
type PaperFigure struct {
	Name   string       `json:"figure"`
	Source string       `json:"source"`
	Title  string       `json:"title"`
	Axis   string       `json:"axis,omitempty"` // what PaperRow.X is; "": nothing
	Rows   []PaperRow   `json:"rows"`           // measured, then published
	Claims []PaperClaim `json:"claims,omitempty"`
}

// PapersReport is what Run measures.
type PapersReport struct {
	Device  string         `json:"device"`
	Driver  string         `json:"driver"`
	Figures []*PaperFigure `json:"figures"`
}

// Algorithms that package suffixcl has not.
const (
	// gpuLSPaper is GPU-LS with the paper's parameters; suffixcl.AlgorithmGPULS is as tuned.
	gpuLSPaper = "gpu-ls, paper's parameters"
	// goArray is the one on the CPU that every Go has; one thread, SA-IS.
	goArray = "index/suffixarray (CPU)"
)

// sameText is the text of one character.
const sameText = "all 'A'"

// arraySorter is a sorter of a paper, whether it makes transforms or not.
type arraySorter interface {
	Memory() device.PhaseMemory
	Allocate() error
	Run(ctx context.Context, text *device.Buffer[uint8], sa *device.Buffer[uint32],
		progress func(phase string, done, total int64)) error
	Release()
}

// contender is an algorithm with its parameters.
type contender struct {
	name   string
	x      int // what the parameter is, where a figure varies one
	make   func(s *device.Session, n int) (arraySorter, error)
	phases []string // where there is a breakdown
}

func contenderOf[S arraySorter](name string, make func(*device.Session, int) (S, error), phases ...string) contender {
	return contender{name: name, phases: phases, make: func(s *device.Session, n int) (arraySorter, error) {
		made, err := make(s, n)
		if err != nil {
			return nil, err // not a nil S
		}
		return made, nil
	}}
}

// paperGPULS sets the parameters that GPU-LS's authors settled on.
func paperGPULS(o *tune.GPULS) { o.H0, o.R1, o.R2, o.Medium = 8, 256, 65536, tune.MediumRadix }

// gpuLSWith is GPU-LS with other parameters than the tuned ones.
func gpuLSWith(set func(o *tune.GPULS)) func(s *device.Session, n int) (*prefixdoubling.Sorter, error) {
	return func(s *device.Session, n int) (*prefixdoubling.Sorter, error) {
		o := &tuned.Of(s).GPULS
		defer func(kept tune.GPULS) { *o = kept }(*o)
		set(o)
		return prefixdoubling.NewGPULS(s, n)
	}
}

var (
	contendHybrid   = contenderOf(string(suffixcl.AlgorithmHybrid), prefixdoubling.NewHybrid)
	contendOsipov   = contenderOf(string(suffixcl.AlgorithmOsipov), prefixdoubling.NewOsipov)
	contendMM       = contenderOf(string(suffixcl.AlgorithmManberMyers), prefixdoubling.NewManberMyers)
	contendGPULS    = contenderOf(string(suffixcl.AlgorithmGPULS), prefixdoubling.NewGPULS)
	contendSkew     = contenderOf(string(suffixcl.AlgorithmSkew), skew.New)
	contendDeoKeely = contenderOf(string(suffixcl.AlgorithmDeoKeely), skew.NewDeoKeely,
		dc3.PhaseSort, dc3.PhaseMerge, dc3.PhaseRank, dc3.PhaseOther)
	contendPaper = contenderOf(gpuLSPaper, gpuLSWith(paperGPULS), doubling.PhaseInitial,
		doubling.PhaseSmall, doubling.PhaseMedium, doubling.PhaseLarge, doubling.PhaseISA, doubling.PhaseGroups)
)

// varied is GPU-LS for each value of a parameter.
func varied(values []int, set func(o *tune.GPULS, value int)) []contender {
	var list []contender
	for _, v := range values {
		c := contenderOf(string(suffixcl.AlgorithmGPULS), gpuLSWith(func(o *tune.GPULS) {
			paperGPULS(o)
			set(o, v)
		}))
		c.x = v
		list = append(list, c)
	}
	return list
}

// figure is how a figure of a paper is measured.
type figure struct {
	PaperFigure
	contenders []contender
	texts      func(p *Papers) []Text             // nil: those of Papers
	sized      bool                               // X is the number of characters
	profile    bool                               // device time by phase, not time
	cpu        bool                               // the CPU is measured, too
	claims     func(rows []PaperRow) []PaperClaim // in addition to the ratios that the paper prints; nil: none
}

var figures = []figure{{
	PaperFigure: PaperFigure{
		Name:   "h0",
		Source: "GPU-LS, Figure 7",
		Title:  "Run time over h0 (R1 256, R2 65536, M by radix sort)",
		Axis:   "h0",
	},
	contenders: varied([]int{1, 4, 8, 16, 32}, func(o *tune.GPULS, v int) { o.H0 = v }),
	claims:     claimsH0,
}, {
	PaperFigure: PaperFigure{
		Name:   "r1",
		Source: "GPU-LS, Figure 8",
		Title:  "Run time over R1 (h0 8, R2 65536, M by segmented merge sort)",
		Axis:   "R1",
	},
	contenders: varied([]int{64, 128, 256, 512, 1024, 2048}, func(o *tune.GPULS, v int) {
		o.R1, o.Medium = v, tune.MediumMerge
	}),
	claims: claimsR1,
}, {
	PaperFigure: PaperFigure{
		Name:   "r2",
		Source: "GPU-LS, Figure 9",
		Title:  "Run time over R2 (h0 8, R1 256, M by segmented merge sort)",
		Axis:   "R2",
	},
	contenders: varied([]int{4096, 8192, 16384, 32768, 65536, 131072, 262144}, func(o *tune.GPULS, v int) {
		o.R2, o.Medium = v, tune.MediumMerge
	}),
	claims: claimsR2,
}, {
	PaperFigure: PaperFigure{Name: "breakdown", Source: "GPU-LS, Figure 10", Title: "Device time by phase"},
	contenders:  []contender{contendDeoKeely, contendPaper},
	profile:     true,
	claims:      claimsBreakdown,
}, {
	PaperFigure: PaperFigure{
		Name:   "comparison",
		Source: "GPU-LS, Table 3",
		Title:  "GPU-LS, Deo & Keely's skew, and a CPU",
	},
	contenders: []contender{contendGPULS, contendPaper, contendDeoKeely},
	cpu:        true,
}, {
	PaperFigure: PaperFigure{Name: "texts", Source: "Wang, Baxter & Owens, Figures 7-9", Title: "Throughput by text"},
	contenders:  []contender{contendHybrid, contendOsipov, contendGPULS, contendMM, contendSkew, contendDeoKeely},
}, {
	PaperFigure: PaperFigure{
		Name:   "sizes",
		Source: "Wang, Baxter & Owens, Figure 10, left",
		Title:  "Throughput over the length of a text",
		Axis:   "characters",
	},
	contenders: []contender{contendHybrid, contendOsipov, contendGPULS, contendSkew, contendDeoKeely},
	texts:      prefixes,
	sized:      true,
	claims:     claimsSizes,
}, {
	PaperFigure: PaperFigure{
		Name:   "all-a",
		Source: "Wang, Baxter & Owens, Figure 10, right",
		Title:  "Throughput on texts of one character",
		Axis:   "characters",
	},
	contenders: []contender{contendHybrid, contendOsipov, contendGPULS, contendSkew, contendDeoKeely},
	texts:      oneCharacter,
	sized:      true,
	claims:     claimsSame,
}}

// PaperFigures lists the names of the figures, with what they repeat.
func PaperFigures() (names, sources []string) {
	for _, f := range figures {
		names, sources = append(names, f.Name), append(sources, f.Source)
	}
	return names, sources
}

// prefixes are the prefixes of all texts, and the texts.
func prefixes(p *Papers) []Text {
	var list []Text
	for _, t := range p.Texts {
		for _, n := range slices.Sorted(slices.Values(p.Sizes)) {
			if n < len(t.Data) {
				list = append(list, Text{t.Name, t.Data[:n]})
			}
		}
		list = append(list, t)
	}
	return list
}

func oneCharacter(p *Papers) []Text {
	if len(p.Sizes) == 0 {
		return nil
	}
	longest := bytes.Repeat([]byte{'A'}, slices.Max(p.Sizes))
	var list []Text
	for _, n := range slices.Sorted(slices.Values(p.Sizes)) {
		list = append(list, Text{sameText, longest[:n]})
	}
	return list
}

// Run measures. An algorithm whose memory does not fit is left out; its row says so.
//
// Errors: an unknown figure, *verify.MismatchError for a result that is wrong, the context's, the
// device's, and Done's.
func (p *Papers) Run(ctx context.Context) (*PapersReport, error) {
	r := new(PapersReport)
	for _, name := range p.Figures {
		if !slices.ContainsFunc(figures, func(f figure) bool { return f.Name == name }) {
			return nil, fmt.Errorf("no paper has a figure %q", name)
		}
	}
	for _, f := range figures {
		if len(p.Figures) > 0 && !slices.Contains(p.Figures, f.Name) {
			continue
		}
		if err := p.figure(ctx, f, r); err != nil {
			return nil, fmt.Errorf("%s: %w", f.Name, err)
		}
	}
	return r, nil
}

func (p *Papers) figure(ctx context.Context, f figure, r *PapersReport) error {
	s, err := p.Open(f.profile)
	if err != nil {
		return err
	}
	defer s.Close()
	r.Device, r.Driver = s.Caps().Name, s.Caps().DriverVersion
	texts := p.Texts
	if f.texts != nil {
		texts = f.texts(p)
	}
	made := f.PaperFigure
	for _, t := range texts {
		d, err := place(ctx, s, t)
		if err != nil {
			return err
		}
		for _, c := range f.contenders {
			row := PaperRow{Text: t.Name, Characters: len(t.Data), Algorithm: c.name, X: c.x}
			if f.sized {
				row.X = len(t.Data)
			}
			rows, err := d.measure(ctx, c, p.Repeats, f.profile, row)
			if err != nil {
				d.releaseAll()
				return fmt.Errorf("%s, %d characters, %s: %w", t.Name, len(t.Data), c.name, err)
			}
			p.Progress("%s: %s, %d characters, %s: %s", f.Name, t.Name, len(t.Data), c.title(f.Axis), rows[0].outcome())
			made.Rows = append(made.Rows, rows...)
		}
		d.releaseAll()
		if f.cpu {
			row := PaperRow{Text: t.Name, Characters: len(t.Data), Algorithm: goArray}
			for range p.Repeats {
				if ctx.Err() != nil {
					return context.Cause(ctx)
				}
				began := time.Now()
				suffixarray.New(t.Data)
				row.time(time.Since(began), p.Repeats)
			}
			made.Rows = append(made.Rows, row.rated())
		}
	}
	rows, ratios, err := publishedIn(f.Name, f.sized)
	if err != nil {
		return err
	}
	made.Claims = claimRatios(ratios, made.Rows)
	if f.claims != nil {
		made.Claims = append(made.Claims, f.claims(made.Rows)...)
	}
	made.Rows = append(made.Rows, rows...)
	r.Figures = append(r.Figures, &made)
	return p.Done(r, &made)
}

// title names the contender among those of a figure.
func (c contender) title(axis string) string {
	if c.x == 0 {
		return c.name
	}
	return fmt.Sprintf("%s with %s %d", c.name, axis, c.x)
}

func (r PaperRow) outcome() string {
	switch {
	case r.Problem != "":
		return r.Problem
	case r.Phase != "":
		return "times of its phases"
	}
	return fmt.Sprintf("%.3f ms", r.Seconds*1e3)
}

// noSuffix is no position.
const noSuffix = 1<<32 - 1

// placed is a text on the device, with room for its suffix array and what checks that.
type placed struct {
	setup
	text  *device.Buffer[uint8]
	sa    *device.Buffer[uint32]
	check *verify.Checker
}

func place(ctx context.Context, s *device.Session, t Text) (*placed, error) {
	d := &placed{setup: setup{ctx: ctx, s: s}}
	d.text, d.sa = upload(&d.setup, t.Data), buffer[uint32](&d.setup, len(t.Data))
	if d.err == nil {
		d.check = verify.New(s, len(t.Data))
		d.release = append(d.release, d.check.Release)
		d.err = d.check.Allocate()
	}
	if d.err != nil {
		d.releaseAll()
		return nil, fmt.Errorf("%s, %d characters: %w", t.Name, len(t.Data), d.err)
	}
	return d, nil
}

// measure makes the row, or the rows of all phases with times of the device.
func (d *placed) measure(ctx context.Context, c contender, repeats int, phases bool, row PaperRow) ([]PaperRow, error) {
	o, err := c.make(d.s, d.text.Len())
	if err == nil {
		defer o.Release()
		err = o.Allocate()
	}
	if device.IsTooLarge(err) {
		row.Problem = err.Error()
		return []PaperRow{row}, nil
	}
	if err != nil {
		return nil, err
	}
	if _, err := d.sort(ctx, o); err != nil { // compiles and warms up
		return nil, err
	}
	if phases {
		return d.phases(ctx, c, o, repeats, row)
	}
	for range repeats {
		took, err := d.sort(ctx, o)
		if err != nil {
			return nil, err
		}
		row.time(took, repeats)
	}
	return []PaperRow{row.rated()}, nil
}

// phases takes the run with the least time on the device.
func (d *placed) phases(
	ctx context.Context, c contender, o arraySorter, repeats int, row PaperRow,
) ([]PaperRow, error) {
	var best map[string]time.Duration
	var least time.Duration
	for range repeats {
		d.s.ResetProfile()
		if _, err := d.run(ctx, o); err != nil {
			return nil, err
		}
		spent, total := map[string]time.Duration{}, time.Duration(0)
		for _, t := range phases.Sum(d.s.Profile()) {
			spent[t.Phase], total = t.Time, total+t.Time
		}
		if err := d.check.Run(ctx, d.text, d.sa); err != nil {
			return nil, err
		}
		if best == nil || total < least {
			best, least = spent, total
		}
	}
	var rows []PaperRow
	for _, name := range c.phases {
		r := row
		r.Phase, r.Seconds = name, best[name].Seconds()
		r.Share = r.Seconds / max(least.Seconds(), 1e-12)
		rows = append(rows, r)
	}
	return rows, nil
}

// sort is a run whose result is right.
func (d *placed) sort(ctx context.Context, o arraySorter) (time.Duration, error) {
	took, err := d.run(ctx, o)
	if err != nil {
		return 0, err
	}
	return took, d.check.Run(ctx, d.text, d.sa)
}

// run begins without the result of the run before, which would be right.
func (d *placed) run(ctx context.Context, o arraySorter) (time.Duration, error) {
	if err := d.clear(ctx, noSuffix); err != nil {
		return 0, err
	}
	began := time.Now()
	if err := o.Run(ctx, d.text, d.sa, nil); err != nil {
		return 0, err
	}
	err := d.s.Finish()
	return time.Since(began), err
}

// clear puts an entry everywhere into the suffix array.
func (d *placed) clear(ctx context.Context, entry uint32) error {
	d.s.Phase("clear")
	d.sa.Fill(entry)
	if err := d.s.Check(ctx); err != nil {
		return err
	}
	defer d.s.ResetProfile()
	return d.s.Finish()
}
