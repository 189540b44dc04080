package bench

import (
	"context"
	"errors"
	"fmt"
	"index/suffixarray"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/suffixcl/suffixcl"
	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/internal/fmindex"
	"github.com/suffixcl/suffixcl/internal/phases"
	"github.com/suffixcl/suffixcl/internal/testkit/synthetic"
	"github.com/suffixcl/suffixcl/internal/tuned"
	"github.com/suffixcl/suffixcl/internal/verify"
)

// Sort measures suffix arrays and Burrows-Wheeler transforms, from pinned host memory to
// pinned host memory, and what of it is device-resident: text and result in device memory.
// Every result is checked before its time counts: the suffix array by package verify on the
// device, the transform with it on the host.
type Sort struct {
	Texts      []SortText
	Algorithms []string // of package suffixcl
	Runs       int      // that are timed, after one that is not
	Stream     int      // texts of a stream, more if they are short; below 2 there is none
	Phases     bool     // times of the device by phase, of runs of their own
	LCP        bool     // statistics of the LCP arrays
	CPU        bool     // Go's index/suffixarray too, as often
	// Open opens the device; profile asks for the time of every kernel. Run closes it.
	Open     func(profile bool) (*device.Session, error)
	Progress func(format string, args ...any)
	Done     func(*SortReport) error // called after each text; its error ends the run

	newSorter newSorter                   // nil: suffixcl.NewSorter
	engines   map[string]*suffixcl.Engine // by algorithm, for streams
}

// newSorter makes a sorter as suffixcl.NewSorter does, for so many characters.
type newSorter = func(*device.Session, suffixcl.Algorithm, int) (suffixcl.Sorter, suffixcl.Algorithm, error)

// SortText is a text that is made when its turn comes. Open tells its length; fill writes it
// to so many bytes and may return statistics.
type SortText struct {
	Name string
	Open func(ctx context.Context) (n int, fill func([]byte) *synthetic.GenomeStats, err error)
}

// SortRow is one measurement. Rates are in 10^9 bytes of text a second.
type SortRow struct {
	Result            // Items are bytes of text; Primitive names job, text and algorithm
	Text      string  `json:"text"`
	Job       string  `json:"job"`
	EndToEnd  bool    `json:"end_to_end,omitempty"` // else device-resident
	Algorithm string  `json:"algorithm"`
	Sorter    string  `json:"sorter"`                    // the algorithm that auto chose
	Parts     *Parts  `json:"parts,omitempty"`           // of Seconds, end to end
	Stream    *Stream `json:"stream,omitempty"`          // end to end, where two texts fit
	Bytes     int64   `json:"peak_device_bytes"`         // of the sort, with text and suffix array
	Anchor    float64 `json:"anchor_gb_per_s,omitempty"` // libcubwt's
	AnchorOf  string  `json:"anchor,omitempty"`
	CPU       float64 `json:"cpu_gb_per_s,omitempty"` // of index/suffixarray
	Phases    []Phase `json:"phases,omitempty"`       // device-resident
}

// Parts are the parts of a time from host memory to host memory, one after the other.
type Parts struct {
	Upload   float64 `json:"upload_s"`
	Compute  float64 `json:"compute_s"`
	Download float64 `json:"download_s"`
	Pinned   bool    `json:"pinned"` // false: the driver had no pinned memory
}

func (p Parts) total() float64 { return p.Upload + p.Compute + p.Download }

// OfLarger is how many times the larger of computation and transfers so many seconds are: 1
// where they overlap fully.
func (p Parts) OfLarger(seconds float64) float64 {
	return seconds / max(p.Compute, p.Upload+p.Download)
}

// Stream is the time of a text of a stream, here the same again and again: while one is
// sorted, the next goes up and the result of the one before comes down. The first upload
// and the last download, which nothing hides, count, and so does that the driver provides memory when the first
// text is sorted. Of several streams the times are the best one's, as of single runs.
type Stream struct {
	Texts   int     `json:"texts"`
	Seconds float64 `json:"seconds"` // of each
	GBps    float64 `json:"gb_per_s"`
	// OfLarger is the median over the streams of how many times the larger of computation and transfers a text took, as
	// these were in the mean of texts alone right before the stream.
	OfLarger float64 `json:"of_larger"`
}

// Phase of a sort, with times of the device.
type Phase struct {
	phases.Total
	Share     float64 `json:"share"` // of the phases' time
	GBps      float64 `json:"gb_per_s"`
	CopyShare float64 `json:"copy_share"`
}

// SortStats say what a text is like.
type SortStats struct {
	Text       string  `json:"text"`
	Bytes      int     `json:"bytes"`
	Symbols    int     `json:"symbols"`
	Entropy    float64 `json:"entropy"`      // bits a character, order 0
	LeastBytes int     `json:"least_symbol"` // occurrences of the rarest symbol
	*synthetic.GenomeStats
	MeanLCP float64 `json:"mean_lcp,omitempty"`
	MaxLCP  uint32  `json:"max_lcp,omitempty"`
	Over100 float64 `json:"lcp_over_100,omitempty"` // share of the suffixes
}

// SortMean are geometric means over the texts, of files or synthetic.
type SortMean struct {
	Job       string  `json:"job"`
	EndToEnd  bool    `json:"end_to_end,omitempty"`
	Algorithm string  `json:"algorithm"`
	Synthetic bool    `json:"synthetic,omitempty"`
	Texts     int     `json:"texts"`
	GBps      float64 `json:"gb_per_s"`
	OfAnchor  *Ratios `json:"of_anchor,omitempty"`
	OfCPU     *Ratios `json:"of_cpu,omitempty"`
}

// Ratios of speeds.
type Ratios struct {
	Texts int     `json:"texts"`
	Mean  float64 `json:"mean"` // geometric
	Least float64 `json:"least"`
	On    string  `json:"least_on"`
}

// SortProblem is something that has not been measured.
type SortProblem struct {
	Text      string `json:"text"`
	Algorithm string `json:"algorithm,omitempty"` // none: the text itself has no room
	Problem   string `json:"problem"`
	Wrong     bool   `json:"wrong,omitempty"` // result; else memory
}

// SortReport is what Run measures.
type SortReport struct {
	Device   string        `json:"device"`
	Driver   string        `json:"driver"`
	CopyGBps float64       `json:"copy_gb_per_s"`
	Results  []SortRow     `json:"results"`
	Means    []SortMean    `json:"means"`
	Texts    []SortStats   `json:"texts"`
	LeftOut  []SortProblem `json:"left_out,omitempty"`
}

// Run measures. What does not fit into the memory, and what gives a wrong result, is left
// out; the report says so.
//
// Errors: an unknown algorithm, *WrongResult after all texts, the context's, the device's,
// and those of the texts and of Done; the report is of what was measured before.
func (b *Sort) Run(ctx context.Context) (*SortReport, error) {
	s, err := b.Open(false)
	if err != nil {
		return nil, err
	}
	defer s.Close()
	b.engines = map[string]*suffixcl.Engine{}
	var profiled *device.Session
	if b.Phases {
		if profiled, err = b.Open(true); err != nil {
			return nil, err
		}
		defer profiled.Close()
	}
	r := &SortReport{Device: s.Caps().Name, Driver: s.Caps().DriverVersion}
	bytes := int64(1 << 30)
	if s.Caps().CPUShape {
		bytes = 1 << 26
	}
	limit, _ := tuned.MemoryLimit(s)
	if r.CopyGBps, err = CopyGBps(ctx, s, int(min(bytes, limit/4, s.Caps().MaxAlloc))); err != nil {
		return nil, err
	}
	for _, t := range b.Texts {
		if err := b.text(ctx, s, profiled, t, r); err != nil {
			return r, fmt.Errorf("%s: %w", t.Name, err)
		}
		r.Means = sortMeans(r.Results)
		if err := b.Done(r); err != nil {
			return r, err
		}
	}
	wrongs := slices.DeleteFunc(slices.Clone(r.LeftOut), func(p SortProblem) bool { return !p.Wrong })
	if len(wrongs) > 0 {
		return r, wrong("%s with %s: %s; in all %d", wrongs[0].Text, wrongs[0].Algorithm, wrongs[0].Problem, len(wrongs))
	}
	return r, nil
}

func (b *Sort) text(ctx context.Context, s, profiled *device.Session, t SortText, r *SortReport) error {
	n, fill, err := t.Open(ctx)
	if err == nil && n == 0 {
		r.LeftOut = append(r.LeftOut, SortProblem{Text: t.Name, Problem: "it is empty"})
		return nil
	}
	if err != nil {
		return b.leave(r, s, t.Name, "", err)
	}
	h := &hosted{setup: setup{ctx: ctx, s: s}, pinned: true}
	defer h.releaseAll()
	h.text, h.sa, h.transform = hostMemory[uint8](h, n), hostMemory[uint32](h, n), hostMemory[uint8](h, n)
	stats := statsOf(t.Name, h.text, fill(h.text))
	b.Progress("%s: %d bytes, %d symbols, entropy %.3f bits", t.Name, n, stats.Symbols, stats.Entropy)
	first := len(r.Results)
	err = b.on(ctx, s, t.Name, h, r, func(d *sorting) error { return b.measure(ctx, d, t.Name, r, &stats) })
	r.Texts = append(r.Texts, stats)
	rows := r.Results[first:]
	if err == nil && b.Phases && len(rows) > 0 {
		err = b.on(ctx, profiled, t.Name, h, r, func(d *sorting) error { return b.profile(ctx, d, t.Name, r, rows) })
	}
	if err == nil && b.CPU {
		err = b.cpu(ctx, h.text, t.Name, rows)
	}
	return err
}

// cpu adds the speed of Go's index/suffixarray to the rows: of its best run, as of ours.
func (b *Sort) cpu(ctx context.Context, text []byte, name string, rows []SortRow) error {
	rate := 0.0
	for range b.Runs {
		began := time.Now()
		suffixarray.New(text)
		rate = max(rate, float64(len(text))/time.Since(began).Seconds()/1e9)
		if err := ctx.Err(); err != nil {
			return err
		}
	}
	b.Progress("%s: index/suffixarray %.3g GB/s", name, rate)
	for i := range rows {
		if rows[i].Job == JobSA {
			rows[i].CPU = rate
		}
	}
	return nil
}

// on calls f with the text on a session.
func (b *Sort) on(
	ctx context.Context, s *device.Session, text string, h *hosted, r *SortReport, f func(*sorting) error,
) error {
	p, err := place(ctx, s, Text{text, h.text})
	if err != nil {
		return b.leave(r, s, text, "", err)
	}
	defer p.releaseAll()
	engine := func(algorithm string) (_ *suffixcl.Engine, err error) {
		if b.engines[algorithm] == nil { // keeps pinned memory; never closed: the session belongs to the caller
			o := suffixcl.EngineOptions{Algorithm: suffixcl.Algorithm(algorithm), KeepMemory: -1}
			b.engines[algorithm], err = suffixcl.New(s, o)
		}
		return b.engines[algorithm], err
	}
	d := &sorting{placed: p, host: h, newSorter: b.newSorter, engine: engine}
	if d.newSorter == nil {
		d.newSorter = suffixcl.NewSorter
	}
	if d.transform = buffer[uint8](&p.setup, len(h.text)); p.err != nil {
		return b.leave(r, s, text, "", p.err)
	}
	return f(d)
}

// measure adds the rows of all algorithms to the report.
func (b *Sort) measure(ctx context.Context, d *sorting, text string, r *SortReport, stats *SortStats) error {
	libcubwt, err := anchors()
	if err != nil {
		return err
	}
	for _, algorithm := range b.Algorithms {
		rows, err := d.measure(ctx, algorithm, b.Runs, b.Stream)
		if err != nil {
			if err := b.leave(r, d.s, text, algorithm, err); err != nil {
				return err
			}
			continue
		}
		for i := range rows {
			row := &rows[i]
			row.Text, row.Primitive = text, strings.Join([]string{row.Job, text, algorithm}, " ")
			if row.EndToEnd {
				row.Primitive += ", end to end"
			}
			row.ItemsPerSecond = float64(row.Items) / row.Seconds
			row.GBps = row.ItemsPerSecond / 1e9
			row.CopyShare = row.GBps / r.CopyGBps
			row.Anchor, row.AnchorOf = libcubwt.rate(r.Device, text, row.Items, row.Job, row.EndToEnd)
		}
		r.Results = append(r.Results, rows...)
		b.Progress("%s, %s: suffix array %.3g GB/s, end to end %.3g; BWT %.3g, end to end %.3g; %.1f bytes a character",
			text, rows[0].Sorter,
			rows[0].GBps, rows[1].GBps, rows[2].GBps, rows[3].GBps, float64(rows[0].Bytes)/float64(rows[0].Items))
	}
	if b.LCP {
		return b.leave(r, d.s, text, "", d.lcp(ctx, stats))
	}
	return nil
}

// profile adds phases to the rows of what is device-resident.
func (b *Sort) profile(ctx context.Context, d *sorting, text string, r *SortReport, rows []SortRow) error {
	found := map[string]map[string][]Phase{} // by algorithm and job
	for i := range rows {
		row := &rows[i]
		if row.EndToEnd {
			continue
		}
		if _, done := found[row.Algorithm]; !done {
			phases, err := d.profile(ctx, row.Algorithm, min(b.Runs, 3), r.CopyGBps)
			if err := b.leave(r, d.s, text, row.Algorithm, err); err != nil {
				return err
			}
			found[row.Algorithm] = phases
		}
		row.Phases = found[row.Algorithm][row.Job]
	}
	return nil
}

// leave notes memory that is missing and results that are wrong, and returns other errors.
func (b *Sort) leave(r *SortReport, s *device.Session, text, algorithm string, err error) error {
	var bad *WrongResult
	var unsorted *verify.MismatchError
	isWrong := errors.As(err, &bad) || errors.As(err, &unsorted)
	if !isWrong && !device.IsTooLarge(err) {
		return err
	}
	s.Recover()
	b.Progress("%s %s: %v", text, algorithm, err)
	r.LeftOut = append(r.LeftOut, SortProblem{text, algorithm, err.Error(), isWrong})
	return nil
}

// sortMeans are those of each job and algorithm, over files and synthetic texts.
func sortMeans(rows []SortRow) []SortMean {
	var means []SortMean
	for _, r := range rows {
		m := SortMean{Job: r.Job, EndToEnd: r.EndToEnd, Algorithm: r.Algorithm, Synthetic: strings.HasPrefix(r.Text, "syn.")}
		if slices.ContainsFunc(means, func(o SortMean) bool {
			return o.Job == m.Job && o.EndToEnd == m.EndToEnd && o.Algorithm == m.Algorithm && o.Synthetic == m.Synthetic
		}) {
			continue
		}
		logs := 0.0
		var anchors, cpus ratioMean
		for _, o := range rows {
			if o.Job == m.Job && o.EndToEnd == m.EndToEnd && o.Algorithm == m.Algorithm &&
				strings.HasPrefix(o.Text, "syn.") == m.Synthetic {
				m.Texts++
				logs += math.Log(o.GBps)
				anchors.add(o.GBps, o.Anchor, o.Text)
				cpus.add(o.GBps, o.CPU, o.Text)
			}
		}
		m.GBps = math.Exp(logs / float64(m.Texts))
		m.OfAnchor, m.OfCPU = anchors.ratios(), cpus.ratios()
		means = append(means, m)
	}
	return means
}

type ratioMean struct {
	Ratios
	logs float64
}

func (r *ratioMean) add(rate, of float64, text string) {
	if of == 0 {
		return
	}
	ratio := rate / of
	if r.Texts++; r.Texts == 1 || ratio < r.Least {
		r.Least, r.On = ratio, text
	}
	r.logs += math.Log(ratio)
}

func (r *ratioMean) ratios() *Ratios {
	if r.Texts == 0 {
		return nil
	}
	r.Mean = math.Exp(r.logs / float64(r.Texts))
	return &r.Ratios
}

func statsOf(name string, text []byte, genome *synthetic.GenomeStats) SortStats {
	s := SortStats{Text: name, Bytes: len(text), GenomeStats: genome, LeastBytes: len(text)}
	for _, count := range fmindex.Histogram(text) {
		if count > 0 {
			share := float64(count) / float64(len(text))
			s.Symbols, s.Entropy, s.LeastBytes = s.Symbols+1, s.Entropy-share*math.Log2(share), min(s.LeastBytes, int(count))
		}
	}
	return s
}
