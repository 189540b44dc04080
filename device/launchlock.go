package device

import (
	"sync"

	"github.com/suffixcl/suffixcl/cl"
	"github.com/suffixcl/suffixcl/internal/driver"
)

// launchLock has the kernels of one queue run at a time, in this process. PoCL makes an instance of a kernel for each
// grid that is wider than those before. It counts the launches of each instance, but ends a launch at the widest: with
// several queues the count is less than none, and PoCL ends the process (3.1: pocl_release_dlhandle_cache). It runs a
// kernel on all processors anyway.
type launchLock struct {
	mu    sync.Mutex
	owner *cl.CommandQueue // may have kernels that have not ended
}

// poclLaunches is that of PoCL's devices for CPUs. These share what PoCL keeps of kernels.
var poclLaunches launchLock

// launchLock is nil where queues need none.
func (c *Caps) launchLock() *launchLock {
	if c.Vendor == driver.PoCL && c.CPUShape {
		return &poclLaunches
	}
	return nil
}

// lock waits until the kernels of other queues have ended, and fails if these did. Then the queue may launch, until
// unlock.
func (l *launchLock) lock(q *cl.CommandQueue) error {
	if l == nil {
		return nil
	}
	l.mu.Lock()
	if l.owner != nil && l.owner != q {
		if err := l.owner.Finish(); err != nil {
			l.mu.Unlock()
			return err
		}
	}
	l.owner = q
	return nil
}

// unlock lets other queues launch after this one's kernels.
func (l *launchLock) unlock() {
	if l != nil {
		l.mu.Unlock()
	}
}

// forget is called before a queue is released.
func (l *launchLock) forget(q *cl.CommandQueue) {
	if l == nil {
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.owner == q {
		q.Finish() // whatever it says, the queue's own calls have said it
		l.owner = nil
	}
}
