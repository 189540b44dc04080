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
	"github.com/suffixcl/suffixcl/bwt"
	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/fmindex"
	"github.com/suffixcl/suffixcl/lcp"
	"github.com/suffixcl/suffixcl/verify"
)

// Sort measures suffix arrays and Burrows-Wheeler transforms, from pinned host memory to
// pinned host memory, and what of it is device-resident: text and result in device memory.
// Every result is checked before its time counts: the suffix array by package verify on the
// device, the transform with it on the host.
type Sort struct {
	Texts      []SortText
	Algorithms []string // of package suffixcl
	Runs       int      // that are timed, after one that is not
	Stream     int      // texts of a stream; below 2 there is none
	Phases     bool     // times of the device by phase, of runs of their own
	LCP        bool     // statistics of the LCP arrays
	CPU        bool     // Go's index/suffixarray beside, one run
	// Open opens the device; profile asks for the time of every kernel. Run closes it.
	Open     func(profile bool) (*device.Session, error)
	Progress func(format string, args ...any)
	Done     func(*SortReport) error // called after each text; its error ends the run

	newSorter func(*device.Session, string, int) (suffixcl.Sorter, string, error) // nil: suffixcl.NewSorter
}

// SortText is a text that is made when its turn comes. Open tells its length; fill writes it
// to so many bytes and may return statistics.
type SortText struct {
	Name string
	Open func(ctx context.Context) (n int, fill func([]byte) *GenomeStats, err error)
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

// Parts are those of a time from host memory to host memory, one after the other.
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
// and the last download, which nothing hides, count.
type Stream struct {
	Texts   int     `json:"texts"`
	Seconds float64 `json:"seconds"` // of each
	GBps    float64 `json:"gb_per_s"`
}

// Phase of a sort, with times of the device.
type Phase struct {
	device.PhaseTime
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
	*GenomeStats
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
// and those of the texts and of Done.
func (b *Sort) Run(ctx context.Context) (*SortReport, error) {
	s, err := b.Open(false)
	if err != nil {
		return nil, err
	}
	defer s.Close()
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
	limit, _ := s.MemoryLimit()
	if r.CopyGBps, err = CopyGBps(ctx, s, int(min(bytes, limit/4, s.Caps().MaxAlloc))); err != nil {
		return nil, err
	}
	for _, t := range b.Texts {
		if err := b.text(ctx, s, profiled, t, r); err != nil {
			return nil, fmt.Errorf("%s: %w", t.Name, err)
		}
		r.Means = sortMeans(r.Results)
		if err := b.Done(r); err != nil {
			return nil, err
		}
	}
	if wrongs := slices.DeleteFunc(slices.Clone(r.LeftOut), func(p SortProblem) bool { return !p.Wrong }); len(wrongs) > 0 {
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
		return r.leave(s, t.Name, "", err)
	}
	h := &hosted{setup: setup{ctx: ctx, s: s}, pinned: true}
	defer h.releaseAll()
	h.text, h.sa, h.transform = hostMemory[uint8](h, n), hostMemory[uint32](h, n), hostMemory[uint8](h, n)
	stats := statsOf(t.Name, h.text, fill(h.text))
	b.Progress("%s: %d bytes, %d symbols, entropy %.3f bits", t.Name, n, stats.Symbols, stats.Entropy)
	first := len(r.Results)
	for _, session := range []*device.Session{s, profiled} {
		if session == nil {
			continue
		}
		err := b.on(ctx, session, session == profiled, t.Name, h, r, r.Results[first:], &stats)
		if err != nil {
			return err
		}
	}
	r.Texts = append(r.Texts, stats)
	if b.CPU {
		began := time.Now()
		suffixarray.New(h.text)
		rate := float64(n) / time.Since(began).Seconds() / 1e9
		b.Progress("%s: index/suffixarray %.3g GB/s", t.Name, rate)
		for i := range r.Results[first:] {
			if row := &r.Results[first+i]; row.Job == JobSA {
				row.CPU = rate
			}
		}
	}
	return ctx.Err()
}

// on measures a text on a session: adds the rows of all algorithms to the report, or adds
// phases to the rows.
func (b *Sort) on(ctx context.Context, s *device.Session, phases bool, text string, h *hosted, r *SortReport, rows []SortRow, stats *SortStats) error {
	p, err := place(ctx, s, Text{text, h.text})
	if err != nil {
		return r.leave(s, text, "", err)
	}
	defer p.releaseAll()
	d := &sorting{placed: p, host: h, newSorter: b.newSorter}
	if d.newSorter == nil {
		d.newSorter = suffixcl.NewSorter
	}
	if d.transform, d.forward = buffer[uint8](&p.setup, len(h.text)), forward(&p.setup); p.err != nil {
		return r.leave(s, text, "", p.err)
	}
	for _, algorithm := range b.Algorithms {
		if phases {
			of := slices.DeleteFunc(slices.Clone(rows), func(r SortRow) bool { return r.Algorithm != algorithm })
			if len(of) == 0 { // left out before
				continue
			}
			found, err := d.profile(ctx, algorithm, min(b.Runs, 3), r.CopyGBps)
			if err != nil {
				b.Progress("%s, %s: %v", text, algorithm, err)
				if err := r.leave(s, text, algorithm, err); err != nil {
					return fmt.Errorf("%s: %w", algorithm, err)
				}
				continue
			}
			for i := range rows {
				if row := &rows[i]; row.Algorithm == algorithm && !row.EndToEnd {
					row.Phases = found[row.Job]
				}
			}
			continue
		}
		measured, err := d.measure(ctx, algorithm, b.Runs, b.Stream)
		if err != nil {
			b.Progress("%s, %s: %v", text, algorithm, err)
			if err := r.leave(s, text, algorithm, err); err != nil {
				return fmt.Errorf("%s: %w", algorithm, err)
			}
			continue
		}
		for _, row := range measured {
			row.Text = text
			row.Primitive = strings.Join([]string{row.Job, text, algorithm}, " ")
			if row.EndToEnd {
				row.Primitive += ", end to end"
			}
			row.ItemsPerSecond = float64(row.Items) / row.Seconds
			row.GBps = row.ItemsPerSecond / 1e9
			row.CopyShare = row.GBps / r.CopyGBps
			if row.Anchor = anchored(r.Device, text, row.Items, row.Job, row.EndToEnd); row.Anchor > 0 {
				row.AnchorOf = anchorOf[row.Job]
			}
			r.Results = append(r.Results, row)
		}
		b.Progress("%s, %s: suffix array %.3g GB/s, end to end %.3g; BWT %.3g, end to end %.3g; %.1f bytes a character", text, measured[0].Sorter,
			rateOf(measured[0]), rateOf(measured[1]), rateOf(measured[2]), rateOf(measured[3]), float64(measured[0].Bytes)/float64(len(h.text)))
	}
	if b.LCP && !phases && len(b.Algorithms) > 0 {
		return r.leave(s, text, "", d.lcp(ctx, stats))
	}
	return nil
}

// leave notes memory that is missing and results that are wrong, and returns other errors.
func (r *SortReport) leave(s *device.Session, text, algorithm string, err error) error {
	var bad *WrongResult
	var unsorted *verify.Error
	isWrong := errors.As(err, &bad) || errors.As(err, &unsorted)
	if !isWrong && !device.IsOutOfMemory(err) {
		return err
	}
	s.Recover()
	r.LeftOut = append(r.LeftOut, SortProblem{text, algorithm, err.Error(), isWrong})
	return nil
}

func rateOf(r SortRow) float64 { return float64(r.Items) / r.Seconds / 1e9 }

func forward(u *setup) *bwt.Forward {
	if u.err != nil {
		return nil
	}
	f, err := bwt.NewForward(u.s)
	if u.err = err; err == nil {
		u.release = append(u.release, f.Release)
		u.err = f.Allocate()
	}
	return f
}

// hosted are text and results in host memory, pinned if the driver has as much.
type hosted struct {
	setup
	text, transform []uint8
	sa              []uint32
	pinned          bool
}

func hostMemory[T device.Element](h *hosted, n int) []T {
	p, err := device.AllocPinned[T](h.s, n)
	if err != nil {
		h.pinned = false
		return make([]T, n)
	}
	h.release = append(h.release, p.Release)
	return p.Slice()
}

// sorting is a text on the device with room for all results.
type sorting struct {
	*placed
	host      *hosted
	transform *device.Buffer[uint8]
	forward   *bwt.Forward
	newSorter func(*device.Session, string, int) (suffixcl.Sorter, string, error)
}

// sorter makes a sorter that has its memory.
func (d *sorting) sorter(algorithm string) (suffixcl.Sorter, string, error) {
	o, name, err := d.newSorter(d.s, algorithm, d.text.Len())
	if err != nil {
		return nil, "", err
	}
	if err := o.Allocate(); err != nil {
		o.Release()
		return nil, "", err
	}
	return o, name, nil
}

// measure makes four rows: suffix array and transform, each device-resident and end to end.
func (d *sorting) measure(ctx context.Context, algorithm string, runs, stream int) ([]SortRow, error) {
	before := d.s.LiveBytes()
	d.s.ResetPeak()
	o, name, err := d.sorter(algorithm)
	if err != nil {
		return nil, err
	}
	defer o.Release()
	n := d.text.Len()
	var rows []SortRow
	for _, job := range []string{JobSA, JobBWT} {
		row := SortRow{Result: Result{Items: n}, Job: job, Algorithm: algorithm, Sorter: name}
		whole := row
		whole.EndToEnd = true
		for run := range runs + 1 {
			parts, primary, err := d.run(ctx, o, job)
			if err == nil {
				err = d.verify(ctx, job, primary)
			}
			if err != nil {
				return nil, err
			}
			if run == 0 { // compiles and warms up
				continue
			}
			if run == 1 || parts.Compute < row.Seconds {
				row.Seconds = parts.Compute
			}
			if run == 1 || parts.total() < whole.Seconds {
				whole.Seconds, whole.Parts = parts.total(), parts
			}
		}
		rows = append(rows, row, whole)
	}
	// What is here for the check, and for the transform, is not the sorter's.
	bytes := d.text.Bytes() + d.sa.Bytes() + d.s.PeakBytes() - before
	for i := range rows {
		row := &rows[i]
		if row.Bytes = bytes; row.EndToEnd && stream > 1 {
			if row.Stream, err = d.stream(ctx, o, row.Job, stream); err != nil {
				return nil, err
			}
		}
	}
	return rows, nil
}

// run goes from host memory to host memory. It begins without the results of the run before,
// which would be right.
func (d *sorting) run(ctx context.Context, o suffixcl.Sorter, job string) (*Parts, int, error) {
	h := d.host
	if err := d.spoil(ctx, job); err != nil {
		return nil, 0, err
	}
	began := time.Now()
	if err := d.text.Upload(ctx, h.text, nil); err != nil {
		return nil, 0, err
	}
	uploaded := time.Now()
	primary, err := d.compute(ctx, o, job, d.slot())
	if err != nil {
		return nil, 0, err
	}
	computed := time.Now()
	if job == JobBWT {
		err = d.transform.Download(ctx, h.transform, nil)
	} else {
		err = d.sa.Download(ctx, h.sa, nil)
	}
	return &Parts{uploaded.Sub(began).Seconds(), computed.Sub(uploaded).Seconds(), time.Since(computed).Seconds(), h.pinned}, primary, err
}

// spoil takes away the results of the run before. What is transformed if the sorter does
// nothing has to be positions.
func (d *sorting) spoil(ctx context.Context, job string) error {
	h := d.host
	parallel(len(h.text), func(lo, hi int) error {
		if clear(h.transform[lo:hi]); job == JobSA {
			clear(h.sa[lo:hi])
		}
		return nil
	})
	if job == JobSA {
		return d.clear(ctx, noSuffix)
	}
	d.transform.Fill(h.text[len(h.text)-1] + 1) // it begins with the last character
	return d.clear(ctx, 0)
}

// slot is what a run works on.
type slot struct {
	text, transform *device.Buffer[uint8]
	sa              *device.Buffer[uint32]
}

func (d *sorting) slot() slot { return slot{d.text, d.transform, d.sa} }

// compute is what a job does on the device.
func (d *sorting) compute(ctx context.Context, o suffixcl.Sorter, job string, on slot) (primary int, err error) {
	if err := o.Run(ctx, on.text, on.sa, nil); err != nil {
		return 0, err
	}
	if job == JobBWT {
		if primary, err = d.forward.Run(ctx, on.text, on.sa, on.transform); err != nil {
			return 0, err
		}
	}
	return primary, d.s.Finish()
}

func (d *sorting) startDownload(job string, from slot) *device.Transfer {
	if job == JobBWT {
		return from.transform.StartDownload(d.host.transform)
	}
	return from.sa.StartDownload(d.host.sa)
}

// stream times one; nil where its second text has no room.
func (d *sorting) stream(ctx context.Context, o suffixcl.Sorter, job string, texts int) (*Stream, error) {
	u := &setup{ctx: ctx, s: d.s}
	defer u.releaseAll()
	n := d.text.Len()
	slots := [2]slot{d.slot(), d.slot()}
	if slots[1].text = buffer[uint8](u, n); job == JobBWT {
		slots[1].transform = buffer[uint8](u, n)
	} else {
		slots[1].sa = buffer[uint32](u, n)
	}
	if device.IsOutOfMemory(u.err) {
		d.s.Recover()
		return nil, nil
	}
	if u.err != nil {
		return nil, u.err
	}
	slots[1].text.Fill(0) // the driver finds the memory
	slots[1].transform.Fill(d.host.text[n-1] + 1)
	slots[1].sa.Fill(0)
	if err := d.spoil(ctx, job); err != nil {
		return nil, err
	}
	var up, down [2]*device.Transfer
	wait := func(t **device.Transfer) (err error) {
		if *t != nil {
			err = (*t).Wait()
			*t = nil
		}
		return err
	}
	defer func() { // before anything is released
		for i := range slots {
			wait(&up[i])
			wait(&down[i])
		}
	}()
	primary := 0
	began := time.Now()
	up[0] = slots[0].text.StartUpload(d.host.text)
	for i := range texts {
		now, next := i&1, 1-i&1
		if err := wait(&up[now]); err != nil {
			return nil, err
		}
		if i+1 < texts {
			up[next] = slots[next].text.StartUpload(d.host.text)
		}
		if err := wait(&down[now]); err != nil {
			return nil, err
		}
		var err error
		if primary, err = d.compute(ctx, o, job, slots[now]); err != nil {
			return nil, err
		}
		down[now] = d.startDownload(job, slots[now])
	}
	if err := errors.Join(wait(&down[0]), wait(&down[1])); err != nil {
		return nil, err
	}
	seconds := time.Since(began).Seconds() / float64(texts)
	if err := d.verify(ctx, job, primary); err != nil {
		return nil, err
	}
	for _, slot := range slots { // the results of the last two
		if err := d.startDownload(job, slot).Wait(); err != nil {
			return nil, err
		}
		if err := d.verify(ctx, job, primary); err != nil {
			return nil, err
		}
	}
	return &Stream{texts, seconds, float64(n) / seconds / 1e9}, nil
}

// verify checks what is in host memory: the suffix array goes back to the device, and is
// what the transform is compared with later.
func (d *sorting) verify(ctx context.Context, job string, primary int) error {
	h := d.host
	if job == JobBWT {
		return checkTransform(h.text, h.sa, h.transform, primary)
	}
	if err := d.sa.Upload(ctx, h.sa, nil); err != nil {
		return err
	}
	return d.check.Run(ctx, d.text, d.sa)
}

// checkTransform takes a suffix array that is right.
func checkTransform(text []byte, sa []uint32, transform []byte, primary int) error {
	n := len(text)
	if primary < 1 || primary > n || sa[primary-1] != 0 {
		return wrong("primary index %d", primary)
	}
	if transform[0] != text[n-1] {
		return wrong("character 0 of the transform")
	}
	return parallel(n, func(lo, hi int) error {
		for j := lo; j < hi; j++ {
			at := j // the row of the whole text is left out, that of the end marker is the first
			if j < primary-1 {
				at++
			}
			if j != primary-1 && transform[at] != text[sa[j]-1] {
				return wrong("character %d of the transform", at)
			}
		}
		return nil
	})
}

// profile takes the run with the least time on the device, for each job.
func (d *sorting) profile(ctx context.Context, algorithm string, runs int, copyGBps float64) (map[string][]Phase, error) {
	o, _, err := d.sorter(algorithm)
	if err != nil {
		return nil, err
	}
	defer o.Release()
	best, least := map[string][]Phase{}, map[string]float64{}
	for run := range runs + 1 {
		for _, job := range []string{JobSA, JobBWT} {
			if err := d.spoil(ctx, job); err != nil {
				return nil, err
			}
			if _, err := d.compute(ctx, o, job, d.slot()); err != nil {
				return nil, err
			}
			phases, total := phasesOf(d.s.Profile(), copyGBps)
			if job == JobSA {
				if err := d.check.Run(ctx, d.text, d.sa); err != nil {
					return nil, err
				}
			}
			if run == 1 || run > 1 && total < least[job] {
				best[job], least[job] = phases, total
			}
		}
	}
	return best, nil
}

// phasesOf also returns the seconds of all.
func phasesOf(kernels []device.KernelTime, copyGBps float64) ([]Phase, float64) {
	var phases []Phase
	total := 0.0
	for _, t := range device.PhaseTimes(kernels) {
		p := Phase{PhaseTime: t}
		if seconds := t.Time.Seconds(); seconds > 0 {
			total += seconds
			p.GBps = float64(t.Bytes) / seconds / 1e9
			p.CopyShare = p.GBps / copyGBps
		}
		phases = append(phases, p)
	}
	for i := range phases {
		phases[i].Share = phases[i].Time.Seconds() / max(total, 1e-12)
	}
	return phases, total
}

func statsOf(name string, text []byte, genome *GenomeStats) SortStats {
	s := SortStats{Text: name, Bytes: len(text), GenomeStats: genome, LeastBytes: len(text)}
	for _, count := range fmindex.Histogram(text) {
		if count > 0 {
			share := float64(count) / float64(len(text))
			s.Symbols, s.Entropy, s.LeastBytes = s.Symbols+1, s.Entropy-share*math.Log2(share), min(s.LeastBytes, int(count))
		}
	}
	return s
}

// lcp adds to the statistics, by the suffix array that is in host memory.
func (d *sorting) lcp(ctx context.Context, stats *SortStats) error {
	u := &setup{ctx: ctx, s: d.s}
	defer u.releaseAll()
	n := d.text.Len()
	p, err := lcp.New(d.s, n)
	ws := planned(u, p, err)
	plcp, lengths := buffer[uint32](u, n), buffer[uint32](u, n)
	if u.err != nil {
		return u.err
	}
	if err := d.verify(ctx, JobSA, 0); err != nil {
		return err
	}
	d.s.Phase("lcp")
	p.Run(ws, d.text, d.sa, plcp, lengths)
	host := d.host.sa
	if err := lengths.Download(ctx, host, nil); err != nil {
		return err
	}
	sum, over := 0.0, 0
	for _, l := range host {
		sum += float64(l)
		stats.MaxLCP = max(stats.MaxLCP, l)
		if l > 100 {
			over++
		}
	}
	stats.MeanLCP, stats.Over100 = sum/float64(n), float64(over)/float64(n)
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
			if o.Job == m.Job && o.EndToEnd == m.EndToEnd && o.Algorithm == m.Algorithm && strings.HasPrefix(o.Text, "syn.") == m.Synthetic {
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
