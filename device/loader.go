package device

import (
	"sync"

	"github.com/suffixcl/suffixcl/cl"
	"github.com/suffixcl/suffixcl/internal/driver"
	"github.com/suffixcl/suffixcl/internal/hooks"
)

// loader makes programs of binaries before their first launch, in goroutines of its own, while the session moves data
// and launches what is loaded. The session takes what no goroutine has begun itself.
type loader struct {
	from func(binary []byte) *cl.Program
	most int // goroutines at a time; 0: what is launched loads

	mu      sync.Mutex
	running sync.WaitGroup
	active  int
	loads   map[*Program]*load
	queue   []*load
}

// load is a program to load.
type load struct {
	name    string
	binary  []byte
	begun   bool
	done    chan struct{} // closed at the end
	program *cl.Program   // nil if the driver has refused the binary
}

// loadersFor is how many goroutines load programs. A first sort on a GPU loads 12 programs, one of which takes some
// milliseconds on NVIDIA. Other drivers have not been measured, and PoCL 5.0 fails an assertion of its own where many
// threads build and release.
func loadersFor(c *Caps) int {
	if c.Vendor == driver.NVIDIA {
		return 4
	}
	return 0
}

// add queues a program, unless it is queued, and sees to it that it is loaded.
func (l *loader) add(p *Program, binary []byte) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.most <= 0 || l.loads[p] != nil {
		return
	}
	if l.loads == nil {
		l.loads = make(map[*Program]*load)
	}
	job := &load{name: p.src.name(), binary: binary, done: make(chan struct{})}
	l.loads[p] = job
	l.queue = append(l.queue, job)
	if l.active < l.most {
		l.active++
		l.running.Go(l.run)
	}
}

// run loads until nothing waits.
func (l *loader) run() {
	for job := l.next(); job != nil; job = l.next() {
		ended := hooks.Begin("load " + job.name)
		job.program = l.from(job.binary)
		ended()
		close(job.done)
	}
}

// next begins the first load that waits. nil: there is none, and the goroutine ends.
func (l *loader) next() *load {
	l.mu.Lock()
	defer l.mu.Unlock()
	for len(l.queue) > 0 {
		job := l.queue[0]
		l.queue = l.queue[1:]
		if !job.begun { // else the session has taken it
			job.begun = true
			return job
		}
	}
	l.active--
	return nil
}

// take takes a program from the goroutines. If one of them has begun it, it waits until that has ended, and tried is
// true: then the program is nil if the driver has refused the binary.
func (l *loader) take(p *Program) (program *cl.Program, tried bool) {
	l.mu.Lock()
	job := l.loads[p]
	delete(l.loads, p)
	if job != nil {
		tried, job.begun = job.begun, true
	}
	l.mu.Unlock()
	if !tried {
		return nil, false
	}
	<-job.done
	return job.program, true
}

// settle takes back what no goroutine has begun, and waits for the rest: what is loaded stays.
func (l *loader) settle() {
	l.mu.Lock()
	for p, job := range l.loads {
		if !job.begun {
			job.begun = true
			delete(l.loads, p)
		}
	}
	l.queue = nil
	l.mu.Unlock()
	l.running.Wait()
}

// release releases what nobody has taken.
func (l *loader) release() {
	l.settle()
	for _, job := range l.loads {
		job.program.Release()
	}
	l.loads, l.most = nil, 0
}
