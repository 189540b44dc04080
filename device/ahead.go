package device

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"sync"
	"time"

	"github.com/suffixcl/suffixcl/internal/hooks"
)

// ahead builds programs before their first launch, by helper processes, which hand them over through the cache on disk.
// The session takes what no helper has begun itself. So it goes on if there are no helpers, or if they end.
type ahead struct {
	start func() (*helper, error)
	most  int // helpers

	greeting, limit time.Duration // how long one may take to start, and for a program

	mu      sync.Mutex
	changed sync.Cond
	jobs    map[*Program]*job
	queue   []*job // in the order of the first launches, as far as that is known
	helpers int    // that run
	failed  int    // that did not start, or broke off
	expects bool   // work: helpers that have none wait for it
	closed  bool
}

// job is a program to build.
type job struct {
	request request
	state   jobState
}

type jobState int

const (
	jobWaits jobState = iota
	jobBegun          // by a helper
	jobDone           // by a helper, or taken from all of them
)

// helperLimit is how long a helper may take for a program. The longest known takes 1.1 s.
const helperLimit = time.Minute

// add queues programs, and starts helpers if there are enough programs for them.
func (a *ahead) add(programs []*Program, requests []request) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.init()
	waiting := 0
	for i, p := range programs {
		if a.jobs[p] == nil {
			j := &job{request: requests[i]}
			a.jobs[p] = j
			a.queue = append(a.queue, j)
		}
	}
	for _, j := range a.queue {
		if j.state == jobWaits {
			waiting++
		}
	}
	// The session builds one while a helper starts.
	a.hire(waiting - 1)
	a.expects = false
	a.changed.Broadcast()
}

// init makes what the zero value lacks. The caller has the lock.
func (a *ahead) init() {
	if a.jobs == nil {
		a.jobs = make(map[*Program]*job)
		a.changed.L = &a.mu
	}
}

// hire starts helpers until there are so many. The caller has the lock.
func (a *ahead) hire(helpers int) {
	for a.helpers < min(a.most, helpers) && a.failed == 0 && !a.closed {
		a.helpers++
		go a.serve()
	}
}

// earlyHelpers is how many helpers start before there is work: a call that has nothing compiled has work for as many,
// that of `devices` included. Each delays the start of the next.
const earlyHelpers = 2

// expect starts helpers for work that is expected. They wait for it until add is called, or close.
func (a *ahead) expect() {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.init()
	a.expects = a.most > 0
	a.hire(earlyHelpers)
}

// serve runs a helper until nothing waits.
func (a *ahead) serve() {
	started := hooks.Begin("start a helper")
	h, err := a.start()
	started()
	for err == nil {
		j := a.next()
		if j == nil {
			break
		}
		err = h.build(j.request, a.limit)
		a.mu.Lock()
		j.state = jobDone // if it failed, the session finds nothing in the cache
		a.changed.Broadcast()
		a.mu.Unlock()
	}
	h.close(err != nil)
	a.mu.Lock()
	a.helpers--
	if err != nil {
		a.failed++
	}
	a.mu.Unlock()
}

// next begins the last job that waits: the session comes from the other end. nil: there is none.
func (a *ahead) next() *job {
	a.mu.Lock()
	defer a.mu.Unlock()
	for a.expects && !a.closed {
		a.changed.Wait()
	}
	for i := len(a.queue) - 1; i >= 0 && !a.closed; i-- {
		if j := a.queue[i]; j.state == jobWaits {
			j.state = jobBegun
			return j
		}
	}
	return nil
}

// has tells whether a program is queued, and not built.
func (a *ahead) has(p *Program) bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	j := a.jobs[p]
	return j != nil && j.state != jobDone
}

// take takes a program from the helpers. If one of them has begun it, it waits until that has ended.
func (a *ahead) take(p *Program) {
	a.mu.Lock()
	defer a.mu.Unlock()
	j := a.jobs[p]
	if j == nil {
		return
	}
	for j.state == jobBegun {
		a.changed.Wait()
	}
	j.state = jobDone
}

// count returns how many programs are built, of how many that were queued.
func (a *ahead) count() (done, total int) {
	a.mu.Lock()
	defer a.mu.Unlock()
	for _, j := range a.queue {
		if j.state == jobDone {
			done++
		}
	}
	return done, len(a.queue)
}

// close leaves what waits to nobody. Helpers end after the program that they build.
func (a *ahead) close() {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.init()
	a.closed = true
	a.changed.Broadcast()
}

// rarely calls f. What it asks a session for is left out of what is built ahead: programs and kernels for texts that
// are not common.
func (s *Session) rarely(f func()) {
	s.rare++
	defer func() { s.rare-- }()
	f()
}

// forget forgets what was asked for.
func (s *Session) forget() {
	for _, p := range s.wanted {
		p.wanted = false
	}
	s.wanted = nil
}

// buildAhead has helpers build what was asked for and is in no cache. It does not wait.
func (s *Session) buildAhead() {
	defer hooks.Begin("look for programs")()
	wanted := s.wanted
	s.forget()
	if s.context == nil || s.builder.edit != nil {
		return
	}
	var programs []*Program
	var requests []request
	for _, p := range wanted {
		if p.program != nil {
			continue
		}
		f, err := p.find()
		if err != nil {
			continue // the launch fails
		}
		if s.hooks.Ahead != nil {
			s.hooks.Ahead(p.src.name(), p.certain())
		}
		if s.builder.isBuilt(f) {
			continue
		}
		kernels := p.wantedKernels(rehearsed(f.text))
		programs = append(programs, p)
		requests = append(requests,
			request{Key: f.key, Text: f.text, Resident: p.src.resident, Kernels: kernels})
	}
	s.builder.ahead.add(programs, requests)
}

// expectBuilds starts helpers, if not even the program that opens the session is in the cache: then neither are those
// of the call that follows. Helpers open the device while the session builds that program.
func (s *Session) expectBuilds() {
	if s.builder.ahead.most <= 0 || !s.caps.probes() {
		return
	}
	src, _ := s.caps.probeProgram()
	if f, err := s.Program(src).find(); err == nil && !s.builder.isBuilt(f) {
		s.builder.ahead.expect()
	}
}

// prepare builds what buildAhead builds, and waits. With all it builds every program that was asked for.
func (s *Session) prepare(ctx context.Context, all bool) error {
	programs := slices.Clone(s.wanted)
	if all {
		s.forget()
		for _, key := range slices.Sorted(maps.Keys(s.programs)) {
			p := s.programs[key]
			p.wanted = true
			for _, k := range p.kernels {
				k.wanted = true
			}
			programs = append(programs, p)
		}
		s.wanted = slices.Clone(programs)
	}
	s.buildAhead()
	for _, p := range programs {
		if err := s.Check(ctx); err != nil {
			return err
		}
		if err := p.build(); err != nil {
			return err
		}
		if !s.caps.rehearses() {
			continue
		}
		text, err := assemble(&s.caps, p.src)
		if err == nil {
			err = s.builder.rehearse(p.program, p.wantedKernels(rehearsed(text)))
		}
		if err != nil {
			return fmt.Errorf("device: preparing %s: %w", p.src.name(), err)
		}
	}
	return nil
}
