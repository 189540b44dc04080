package device

import (
	"time"

	"github.com/suffixcl/suffixcl/cl"
)

// KernelTime is the time that a kernel took on the device in a phase, of all its launches. The times are those of the
// driver's events. Bytes leaves out what only the device knows when a launch is enqueued, such as the length of a list
// that a kernel made.
type KernelTime struct {
	Phase  string        `json:"phase"`
	Kernel string        `json:"kernel"` // or "fill", "copy"
	Calls  int           `json:"calls"`
	Time   time.Duration `json:"ns"`
	Bytes  int64         `json:"bytes"` // memory traffic that the launches had to cause
}

// profile collects events until the queue is known to be idle. Then it adds up their times.
type profile struct {
	enabled bool
	timed   func(phase, kernel string, began, ended time.Duration) // or nil
	pending []pendingEvent
	totals  []KernelTime // in order of first launch
	index   map[[2]string]int
}

type pendingEvent struct {
	event         *cl.Event
	phase, kernel string
	bytes         int64
}

// maxPending bounds the events held; drivers keep memory for each.
const maxPending = 4096

// record takes over an event, which may be nil. It reports whether the profile is full: harvest has to be next.
func (p *profile) record(e *cl.Event, phase, kernel string, bytes int64) (full bool) {
	if e == nil {
		return false
	}
	if !p.enabled {
		e.Release()
		return false
	}
	p.pending = append(p.pending, pendingEvent{e, phase, kernel, bytes})
	return len(p.pending) >= maxPending
}

// harvest adds up the pending events; all of them have completed or failed.
func (p *profile) harvest() {
	for _, e := range p.pending {
		began, ended, err := e.event.Times()
		e.event.Release()
		if err != nil {
			continue // a failed command has no times
		}
		if p.index == nil {
			p.index = make(map[[2]string]int)
		}
		key := [2]string{e.phase, e.kernel}
		i, ok := p.index[key]
		if !ok {
			i = len(p.totals)
			p.index[key] = i
			p.totals = append(p.totals, KernelTime{Phase: e.phase, Kernel: e.kernel})
		}
		t := &p.totals[i]
		t.Calls++
		t.Time += ended - began
		t.Bytes += e.bytes
		if p.timed != nil {
			p.timed(e.phase, e.kernel, began, ended)
		}
	}
	p.pending = p.pending[:0]
}

// discard drops the pending events.
func (p *profile) discard() {
	for _, e := range p.pending {
		e.event.Release()
	}
	p.pending = nil
}

// reset drops the times.
func (p *profile) reset() { p.totals, p.index = nil, nil }
