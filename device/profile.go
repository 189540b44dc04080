package device

import (
	"time"

	"github.com/suffixcl/suffixcl/cl"
)

// KernelTime is the device time of one kernel in one phase, from event
// timestamps.
type KernelTime struct {
	Phase  string        `json:"phase"`
	Kernel string        `json:"kernel"`
	Calls  int           `json:"calls"`
	Time   time.Duration `json:"ns"`
	Bytes  int64         `json:"bytes"` // traffic that the launches had to cause
}

// GBps is the achieved traffic in 10^9 bytes a second.
func (k KernelTime) GBps() float64 {
	if k.Time <= 0 {
		return 0
	}
	return float64(k.Bytes) / float64(k.Time.Nanoseconds())
}

// profile collects events until the queue is known to be idle, then adds up
// their times.
type profile struct {
	enabled bool
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

// record takes over the event of enqueued work.
func (s *Session) record(e *cl.Event, kernel string, bytes int64) {
	if e == nil {
		return
	}
	if !s.profile.enabled {
		e.Release()
		return
	}
	s.profile.pending = append(s.profile.pending, pendingEvent{e, s.phase, kernel, bytes})
	if len(s.profile.pending) >= maxPending {
		s.Finish()
	}
}

// harvest adds up the pending events; all of them have completed or failed.
func (p *profile) harvest() {
	for _, e := range p.pending {
		d, err := e.event.Duration()
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
		t.Time += d
		t.Bytes += e.bytes
	}
	p.pending = p.pending[:0]
}

// wait waits for work whose times are not known.
func (p *profile) wait(s *Session) {
	if len(p.pending) > 0 {
		s.Finish()
	}
}

func (p *profile) discard() {
	for _, e := range p.pending {
		e.event.Release()
	}
	p.pending = nil
}

// Profile returns the times since the last ResetProfile, in order of first
// launch; nil if profiling is off. It waits for enqueued work.
func (s *Session) Profile() []KernelTime {
	s.profile.wait(s)
	return append([]KernelTime(nil), s.profile.totals...)
}

// ResetProfile starts a new measurement.
func (s *Session) ResetProfile() {
	s.profile.wait(s)
	s.profile.totals, s.profile.index = nil, nil
}
