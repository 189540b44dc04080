package bench

import (
	"cmp"
	"context"
	"errors"
	"time"

	"github.com/suffixcl/suffixcl"
	"github.com/suffixcl/suffixcl/bwt"
	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/internal/parallel"
	"github.com/suffixcl/suffixcl/lcp"
)

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

// mostStreams bounds the streams of which the best counts, as of single runs.
const mostStreams = 5

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
		if row.Bytes = bytes; !row.EndToEnd || stream < 2 {
			continue
		}
		for range min(runs, mostStreams) {
			s, err := d.stream(ctx, o, row.Job, stream)
			if err != nil {
				return nil, err
			}
			if s != nil && (row.Stream == nil || s.Seconds < row.Stream.Seconds) {
				row.Stream = s
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

// slot is what a run works on.
type slot struct {
	text, transform *device.Buffer[uint8]
	sa              *device.Buffer[uint32]
}

func (d *sorting) slot() slot { return slot{d.text, d.transform, d.sa} }

// compute is what a job does on the device.
func (d *sorting) compute(ctx context.Context, o suffixcl.Sorter, job string, on slot) (primary int, err error) {
	if t, ok := o.(suffixcl.Transformer); ok && job == JobBWT {
		primary, err = t.RunBWT(ctx, on.text, on.sa, on.transform, nil)
	} else if err = o.Run(ctx, on.text, on.sa, nil); err == nil && job == JobBWT {
		primary, err = d.forward.Run(ctx, on.text, on.sa, on.transform)
	}
	return primary, cmp.Or(err, d.s.Finish())
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
