package device

import (
	"sync"

	"github.com/suffixcl/suffixcl/cl"
	"github.com/suffixcl/suffixcl/internal/driver"
)

// turns has the kernels of one queue run at a time, in this process. PoCL makes an instance of a kernel for each grid
// that is wider than those before. It counts the launches of each instance, but ends a launch at the widest: with
// several queues the count is less than none, and PoCL ends the process (3.1 and 5.0: pocl_release_dlhandle_cache). It
// runs a kernel on all processors anyway.
type turns struct {
	sync.Mutex
	holder *cl.CommandQueue // may have kernels that have not ended
}

// poclTurns are those of PoCL's devices for CPUs. These share what PoCL keeps of kernels.
var poclTurns turns

func (c *Caps) turns() *turns {
	if c.Vendor == driver.PoCL && c.CPUShape {
		return &poclTurns
	}
	return nil
}

// take waits until the kernels of other queues have ended, and fails if these did. Then the queue may launch, until
// give.
func (t *turns) take(q *cl.CommandQueue) error {
	if t == nil {
		return nil
	}
	t.Lock()
	if t.holder != nil && t.holder != q {
		if err := t.holder.Finish(); err != nil {
			t.Unlock()
			return err
		}
	}
	t.holder = q
	return nil
}

// give lets other queues launch after this one's kernels.
func (t *turns) give() {
	if t != nil {
		t.Unlock()
	}
}

// leave is called before a queue is released.
func (t *turns) leave(q *cl.CommandQueue) {
	if t == nil {
		return
	}
	t.Lock()
	defer t.Unlock()
	if t.holder == q {
		q.Finish() // whatever it says, the queue's own calls have said it
		t.holder = nil
	}
}
