package bench

import (
	"cmp"
	"context"
	"io"
	"slices"
	"time"

	"github.com/suffixcl/suffixcl"
	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/internal/lcp"
	"github.com/suffixcl/suffixcl/internal/parallel"
	"github.com/suffixcl/suffixcl/internal/phases"
	"github.com/suffixcl/suffixcl/internal/tuned"
)

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
	newSorter func(*device.Session, suffixcl.Algorithm, int) (suffixcl.Sorter, suffixcl.Algorithm, error)
	engine    func(algorithm string) (*suffixcl.Engine, error)
}

// sorter makes a sorter that has its memory.
func (d *sorting) sorter(algorithm string) (suffixcl.Sorter, string, error) {
	t, name, err := d.newSorter(d.s, suffixcl.Algorithm(algorithm), d.text.Len())
	if err != nil {
		return nil, "", err
	}
	if err := t.Allocate(); err != nil {
		t.Release()
		return nil, "", err
	}
	return t, string(name), nil
}

// A stream of short texts goes on for shortest, and so do texts alone before it. There are as
// many streams as single runs; beyond minStreams of them, none is begun after allStreams.
const (
	shortest   = 100 * time.Millisecond
	minStreams = 5
	allStreams = time.Second
)

// measure makes four rows: suffix array and transform, each device-resident and end to end.
func (d *sorting) measure(ctx context.Context, algorithm string, runs, stream int) ([]SortRow, error) {
	var rows []SortRow
	for _, job := range []string{JobSA, JobBWT} {
		resident, whole, primary, err := d.alone(ctx, algorithm, job, runs)
		if err != nil {
			return nil, err
		}
		if stream >= 2 {
			if whole.Stream, err = d.streams(ctx, algorithm, job, runs, stream, primary); err != nil {
				return nil, err
			}
		}
		rows = append(rows, resident, whole)
	}
	return rows, nil
}

// streams measures streams in turns with texts alone, because hosts are faster at one time than at another. The
// result is nil where two texts have no room.
func (d *sorting) streams(ctx context.Context, algorithm, job string, runs, texts, primary int) (*Stream, error) {
	var best *Stream
	var ratios []float64
	began := time.Now()
	for i := 0; i < runs && (i < minStreams || time.Since(began) < allStreams); i++ {
		parts, err := d.mean(ctx, algorithm, job)
		if err != nil {
			return nil, err
		}
		s, err := d.stream(ctx, algorithm, job, texts, primary)
		if s == nil {
			return nil, err
		}
		ratios = append(ratios, parts.OfLarger(s.Seconds))
		if best == nil || s.Seconds < best.Seconds {
			best = s
		}
	}
	if best != nil {
		best.OfLarger = median(ratios)
	}
	return best, nil
}

// mean is that of texts alone, for as long as a stream of short ones.
func (d *sorting) mean(ctx context.Context, algorithm, job string) (mean Parts, err error) {
	o, _, err := d.sorter(algorithm)
	if err != nil {
		return mean, err
	}
	defer o.Release()
	primary, runs := 0, 0.0
	for run := 0; run < 2 || mean.total() < shortest.Seconds(); run++ {
		var parts *Parts
		if parts, primary, err = d.run(ctx, o, job); err != nil {
			return mean, err
		}
		if run == 0 { // warms up
			continue
		}
		mean.Upload += parts.Upload
		mean.Compute += parts.Compute
		mean.Download += parts.Download
		runs++
	}
	return Parts{mean.Upload / runs, mean.Compute / runs, mean.Download / runs, d.host.pinned}, d.verify(ctx, job, primary)
}

// median of some values, the upper one of two in the middle.
func median(values []float64) float64 {
	slices.Sort(values)
	return values[len(values)/2]
}

// alone measures one text at a time. The results of the last are in host memory, but for the primary
// index.
func (d *sorting) alone(
	ctx context.Context, algorithm, job string, runs int,
) (resident, whole SortRow, primary int, err error) {
	before := d.s.LiveBytes()
	tuned.ResetPeak(d.s)
	o, name, err := d.sorter(algorithm)
	if err != nil {
		return resident, whole, 0, err
	}
	defer o.Release()
	resident = SortRow{Result: Result{Items: d.text.Len()}, Job: job, Algorithm: algorithm, Sorter: name}
	whole = resident
	whole.EndToEnd = true
	for run := range runs + 1 {
		var parts *Parts
		if parts, primary, err = d.run(ctx, o, job); err == nil {
			err = d.verify(ctx, job, primary)
		}
		if err != nil {
			return resident, whole, 0, err
		}
		if run == 0 { // compiles and warms up
			continue
		}
		if run == 1 || parts.Compute < resident.Seconds {
			resident.Seconds = parts.Compute
		}
		if run == 1 || parts.total() < whole.Seconds {
			whole.Seconds, whole.Parts = parts.total(), parts
		}
	}
	// What is here for the check, and for the transform, is not the sorter's.
	resident.Bytes = d.text.Bytes() + d.sa.Bytes() + tuned.PeakBytes(d.s) - before
	whole.Bytes = resident.Bytes
	return resident, whole, primary, nil
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
	primary, err := d.compute(ctx, o, job)
	if err != nil {
		return nil, 0, err
	}
	computed := time.Now()
	if job == JobBWT {
		err = d.transform.Download(ctx, h.transform, nil)
	} else {
		err = d.sa.Download(ctx, h.sa, nil)
	}
	parts := &Parts{
		uploaded.Sub(began).Seconds(), computed.Sub(uploaded).Seconds(), time.Since(computed).Seconds(), h.pinned,
	}
	return parts, primary, err
}

// spoil takes away the results of the run before. What is transformed if the sorter does
// nothing has to be positions.
func (d *sorting) spoil(ctx context.Context, job string) error {
	h := d.host
	parallel.Do(len(h.text), grain, func(lo, hi int) {
		if clear(h.transform[lo:hi]); job == JobSA {
			clear(h.sa[lo:hi])
		}
	})
	if job == JobSA {
		return d.clear(ctx, noSuffix)
	}
	d.transform.Fill(h.text[len(h.text)-1] + 1) // it begins with the last character
	return d.clear(ctx, 0)
}

// compute is what a job does on the device.
func (d *sorting) compute(ctx context.Context, o suffixcl.Sorter, job string) (primary int, err error) {
	if job == JobBWT {
		primary, err = o.RunBWT(ctx, d.text, d.sa, d.transform, nil)
	} else {
		err = o.Run(ctx, d.text, d.sa, nil)
	}
	return primary, cmp.Or(err, d.s.Finish())
}

// stream times texts as an engine sorts them, so many or more, the same again and again; nil
// where they have no room. All results are compared in samples with what is in host memory,
// which has been verified, the last one as a whole.
func (d *sorting) stream(ctx context.Context, algorithm, job string, texts, primary int) (*Stream, error) {
	e, err := d.engine(algorithm)
	if err != nil {
		return nil, err
	}
	text := d.host.text
	began, read, ended := time.Time{}, 0, false
	next := func(to []byte) (int, error) {
		if ended = read >= texts && time.Since(began) >= shortest; ended {
			return 0, io.EOF
		}
		// There are two places for long texts, and it stays there. Small ones come in batches.
		if read++; read <= 2 || len(text) <= 1<<16 {
			parallel.Do(len(text), grain, func(lo, hi int) { copy(to[lo:hi], text[lo:hi]) })
		}
		if read == 1 {
			began = time.Now()
		}
		return len(text), nil
	}
	seconds, used := 0.0, 0
	step := func() int {
		if used++; !ended || used < read { // a small number: each is of another page
			return max(1, len(text)/50)
		}
		seconds = time.Since(began).Seconds() / float64(used)
		return 1
	}
	want := suffixcl.Want{SA: job != JobBWT, BWT: job == JobBWT}
	for made, failed := range e.Stream(len(text), next, want).Each(ctx) {
		switch err = failed; {
		case err != nil:
		case job != JobBWT:
			err = compareEvery(step(), made.SA, d.host.sa)
		case made.Primary != primary:
			err = wrong("primary index %d of a stream", made.Primary)
		default:
			err = compareEvery(step(), made.BWT.Bytes(), d.host.transform)
		}
		if err != nil {
			break
		}
	}
	switch {
	case device.IsTooLarge(err):
		return nil, nil
	case err != nil:
		return nil, err
	case used != read:
		return nil, wrong("%d results of a stream of %d texts", used, read)
	}
	return &Stream{Texts: used, Seconds: seconds, GBps: float64(len(text)) / seconds / 1e9}, nil
}

// compareEvery compares every step-th element, and makes it wrong, so that the next result has to be copied.
func compareEvery[T uint8 | uint32](step int, got, want []T) error {
	for i := 0; i < len(want); i += step {
		if got[i] != want[i] {
			return wrong("element %d of a stream's result", i)
		}
		got[i] = ^want[i]
	}
	return nil
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
	return parallel.Try(n, grain, func(lo, hi int) error {
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
func (d *sorting) profile(
	ctx context.Context, algorithm string, runs int, copyGBps float64,
) (map[string][]Phase, error) {
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
			if _, err := d.compute(ctx, o, job); err != nil {
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
	var list []Phase
	total := 0.0
	for _, t := range phases.Sum(kernels) {
		p := Phase{Total: t}
		total += t.Time.Seconds()
		p.GBps = phases.GBps(t.Bytes, t.Time)
		p.CopyShare = p.GBps / copyGBps
		list = append(list, p)
	}
	for i := range list {
		list[i].Share = list[i].Time.Seconds() / max(total, 1e-12)
	}
	return list, total
}

// lcp adds to the statistics, by the suffix array that is in host memory.
func (d *sorting) lcp(ctx context.Context, stats *SortStats) error {
	u := &setup{ctx: ctx, s: d.s}
	defer u.releaseAll()
	n := d.text.Len()
	p, err := lcp.New(d.s, n)
	if err != nil {
		return err
	}
	ws := workspace(u, p)
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
