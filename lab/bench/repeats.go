package bench

import (
	"context"
	"fmt"
	"runtime"
	"slices"
	"time"

	"github.com/suffixcl/suffixcl"
	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/internal/testkit/lrqcpu"
	"github.com/suffixcl/suffixcl/internal/tune"
	"github.com/suffixcl/suffixcl/internal/tuned"
	"github.com/suffixcl/suffixcl/lrq"
)

// The queries.
const (
	Leftmost = "leftmost"
	All      = "all"
)

// Optimal is the name of the sequential O(n) algorithm, which others are compared with.
const Optimal = "cpu optimal"

// EndToEnd is the name of the computation from text to result in host memory.
const EndToEnd = "end to end"

// RepeatsRun is an algorithm for longest repeats on a text.
type RepeatsRun struct {
	Text      string  `json:"text"`
	Bytes     int     `json:"bytes"`
	Query     string  `json:"query"`
	Algorithm string  `json:"algorithm"`
	Seconds   float64 `json:"seconds"`    // 0: left out, it would take too many steps
	PeakBytes int64   `json:"peak_bytes"` // rank, LCP array, what is made of them, and the result
}

// RepeatsReport is what was measured on a text.
type RepeatsReport struct {
	Text     string       `json:"text"`
	Bytes    int          `json:"bytes"`
	Raw      lrqcpu.Steps `json:"raw_steps"`
	Compact  lrqcpu.Steps `json:"compact_steps"`
	Useful   int          `json:"useful"`
	AllCount int          `json:"all_count"` // longest repeats of all positions
	Runs     []RepeatsRun `json:"runs"`
}

// RepeatsOptions of a measurement. Walks of more steps in all than the limits are left
// out.
type RepeatsOptions struct {
	Runs                   int // of an algorithm on the CPU; their mean counts
	CPULimit, DeviceLimit  float64
	Sequential, DeviceOnly bool // without goroutines; without the CPU
	Given                  bool // not from text to result
}

// Repeats measures longest repeats of text with rank and LCP array given, in host memory
// or in that of the device, and from text to result. All results are compared. The engine
// must be that of the session.
func Repeats(
	ctx context.Context, s *device.Session, e *suffixcl.Engine, name string, text []byte, o RepeatsOptions,
) (*RepeatsReport, error) {
	n := len(text)
	sa, err := e.SuffixArray(ctx, text)
	if err != nil {
		return nil, err
	}
	known, err := e.Arrays(suffixcl.Bytes(text), suffixcl.Want{LCP: true, Known: sa}).All(ctx)
	if err != nil {
		return nil, err
	}
	lcp := known.LCP
	m := repeatsMeasurement{ctx: ctx, s: s, n: n, o: o, sa: sa, rank: lrqcpu.Rank(sa), lcp: lcp}
	raw := lrqcpu.CPU(runtime.NumCPU()).Raw(m.rank, lcp)
	compact := lrqcpu.CPU(runtime.NumCPU()).Compact(raw)
	m.r = RepeatsReport{Text: name, Bytes: n, Raw: lrqcpu.RawSteps(raw), Compact: lrqcpu.CompactSteps(compact, n),
		Useful: len(compact)}
	m.want = lrqcpu.LeftmostOptimal(m.rank, lcp)
	m.all = lrqcpu.CPU(runtime.NumCPU()).AllCompact(m.rank, lcp)
	m.r.AllCount = len(m.all.Starts)
	if !o.DeviceOnly {
		if err := m.onCPU(); err != nil {
			return nil, err
		}
	}
	for _, method := range methods {
		if err := m.onDevice(method); err != nil {
			return nil, fmt.Errorf("%s, %s: %w", name, method.name, err)
		}
	}
	if o.Given {
		return &m.r, nil
	}
	for _, query := range []string{Leftmost, All} {
		best, st := time.Duration(0), suffixcl.Stats{}
		for run := range 3 {
			st = suffixcl.Stats{}
			options := suffixcl.RepeatOptions{All: query == All}
			for _, err := range e.Repeats(suffixcl.Bytes(text), options).Each(suffixcl.WithStats(ctx, &st)) {
				if err != nil {
					return nil, err
				}
			}
			if took := st.Upload + st.Compute + st.Download; run == 0 || took < best {
				best = took
			}
		}
		m.add(query, EndToEnd, best.Seconds(), st.PeakBytes)
		m.add(query, EndToEnd+", device-resident", st.Compute.Seconds(), st.PeakBytes)
	}
	return &m.r, nil
}

// lrqMethod is a method of package lrq, which its tuning selects.
type lrqMethod struct {
	name   string
	method int
}

var methods = []lrqMethod{{"raw", tune.LRQRaw}, {"compact", tune.LRQCompact}, {"bounded", tune.LRQBounded}}

type repeatsMeasurement struct {
	ctx      context.Context
	s        *device.Session
	n        int
	o        RepeatsOptions
	sa, rank []uint32
	lcp      []uint32
	want     []lrqcpu.Repeat
	all      *lrqcpu.AllRepeats
	r        RepeatsReport
}

func (m *repeatsMeasurement) add(query, algorithm string, seconds float64, peak int64) {
	m.r.Runs = append(m.r.Runs, RepeatsRun{m.r.Text, m.n, query, algorithm, seconds, peak})
}

func (m *repeatsMeasurement) onCPU() error {
	steps := m.r.Raw.Mean * float64(m.n)
	workers := []lrqcpu.CPU{1, lrqcpu.CPU(runtime.NumCPU())}
	if m.o.Sequential {
		workers = workers[:1]
	}
	err := m.time(Leftmost, Optimal, func() bool {
		return slices.Equal(lrqcpu.LeftmostOptimal(m.rank, m.lcp), m.want)
	})
	for _, c := range workers {
		name := "cpu"
		if c > 1 {
			name = fmt.Sprintf("cpu x%d", int(c))
		}
		for _, a := range []struct {
			query, name string
			walk        bool
			run         func() bool
		}{
			{Leftmost, " raw", true, func() bool { return slices.Equal(c.LeftmostRaw(m.rank, m.lcp), m.want) }},
			{Leftmost, " compact", false, func() bool { return slices.Equal(c.LeftmostCompact(m.rank, m.lcp), m.want) }},
			{All, " raw", true, func() bool { return slices.Equal(c.AllRaw(m.rank, m.lcp).Starts, m.all.Starts) }},
			{All, " compact", false, func() bool { return slices.Equal(c.AllCompact(m.rank, m.lcp).Starts, m.all.Starts) }},
		} {
			if err != nil {
				return err
			}
			if a.walk && steps > m.o.CPULimit*float64(c) {
				m.add(a.query, name+a.name, 0, 0)
				continue
			}
			err = m.time(a.query, name+a.name, a.run)
		}
	}
	return err
}

// time takes the mean of the runs of f, which says whether its result is right. The
// comparison takes a small part of the time.
func (m *repeatsMeasurement) time(query, name string, f func() bool) error {
	var total time.Duration
	var before, after runtime.MemStats
	for range max(m.o.Runs, 1) {
		if err := m.ctx.Err(); err != nil {
			return err
		}
		runtime.GC()
		runtime.ReadMemStats(&before)
		start := time.Now()
		right := f()
		total += time.Since(start)
		runtime.ReadMemStats(&after)
		if !right {
			return fmt.Errorf("%s, %s, %s: wrong result", m.r.Text, query, name)
		}
	}
	m.add(query, name, total.Seconds()/float64(max(m.o.Runs, 1)), 8*int64(m.n)+int64(after.TotalAlloc-before.TotalAlloc))
	return nil
}

// onDevice measures a method, suffix array and LCP array in device memory.
func (m *repeatsMeasurement) onDevice(method lrqMethod) error {
	if method.method == tune.LRQRaw && m.r.Raw.Mean*float64(m.n) > m.o.DeviceLimit {
		for _, query := range []string{Leftmost, All} {
			m.add(query, "device "+method.name, 0, 0)
		}
		return nil
	}
	s, n := m.s, m.n
	set := tuned.Of(s)
	tunedMethod := set.LRQ.Method
	set.LRQ.Method = method.method
	p, err := lrq.New(s, n, lrq.Options{})
	set.LRQ.Method = tunedMethod
	if err != nil {
		return err
	}
	rows := lrq.NewRows(p, n)
	ws, err := device.NewWorkspace(s, rows.Workspace())
	if err != nil {
		return err
	}
	defer ws.Release()
	l := device.NewLayout("bench")
	slot := func(name string, n int) *device.Slot[uint32] { return device.Reserve[uint32](l, name, n) }
	saSlot, lcpSlot, rawSlot, startsSlot := slot("suffix array", n), slot("lcp", n), slot("raw", n), slot("starts", n)
	uptoSlot, startSlot, lengthSlot := slot("upto", n), slot("start", n), slot("length", n)
	outSlot := slot("out", len(m.all.Starts))
	offsetsSlot := device.Reserve[uint64](l, "offsets", n+1)
	if err := l.Allocate(s); err != nil {
		return err
	}
	defer l.Release(s)
	sa, lcp, raw, starts := saSlot.Buffer(s), lcpSlot.Buffer(s), rawSlot.Buffer(s), startsSlot.Buffer(s)
	upto, start, length := uptoSlot.Buffer(s), startSlot.Buffer(s), lengthSlot.Buffer(s)
	out, offsets := outSlot.Buffer(s), offsetsSlot.Buffer(s)
	if err := sa.Upload(m.ctx, m.sa, nil); err != nil {
		return err
	}
	if err := lcp.Upload(m.ctx, m.lcp, nil); err != nil {
		return err
	}

	leftmost := func() {
		ws.Reset(0)
		p.Raw(sa, lcp, nil, raw)
		x := p.Index(ws, raw, n, starts, upto)
		x.Leftmost(0, n, start)
		x.Lengths(start, n, length)
	}
	seconds, err := timeOf(m.ctx, s, Rounds, leftmost)
	if err != nil {
		return err
	}
	gotStart, gotLength := make([]uint32, n), make([]uint32, n)
	if err := start.Download(m.ctx, gotStart, nil); err != nil {
		return err
	}
	if err := length.Download(m.ctx, gotLength, nil); err != nil {
		return err
	}
	for k, want := range m.want {
		if got := (lrqcpu.Repeat{Start: gotStart[k], Length: gotLength[k]}); got != want {
			return fmt.Errorf("position %d: %v instead of %v", k, got, want)
		}
	}
	// A pipeline that gives up suffix array and LCP array holds raw, starts and upto.
	words := int64(3)
	if method.method == tune.LRQRaw {
		words = 2
	}
	m.add(Leftmost, "device "+method.name, seconds, words*4*int64(n)+p.Workspace().Bytes())

	all := func() {
		ws.Reset(0)
		p.Raw(sa, lcp, nil, raw)
		x := p.Index(ws, raw, n, starts, upto)
		x.Leftmost(0, n, start)
		rows.Count(ws, x, start, 0, n, offsets)
		rows.Emit(x, start, 0, n, offsets, 0, out)
		x.Lengths(start, n, length)
	}
	if seconds, err = timeOf(m.ctx, s, Rounds, all); err != nil {
		return err
	}
	got := make([]uint32, len(m.all.Starts))
	if err := out.Download(m.ctx, got, nil); err != nil {
		return err
	}
	if !slices.Equal(got, m.all.Starts) {
		return fmt.Errorf("wrong starts of all repeats")
	}
	m.add(All, "device "+method.name, seconds,
		(words+1)*4*int64(n)+8*int64(n+1)+4*int64(len(got))+rows.Workspace().Bytes())
	return nil
}
