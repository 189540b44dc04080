package device

import (
	"errors"
	"fmt"

	"github.com/suffixcl/suffixcl/cl"
)

// errClosed is the sticky error of a closed session.
var errClosed = errors.New("device: the session is closed")

// queue is the in-order queue of a session. The first failure of what is enqueued sticks; events give the times of the
// profile.
type queue struct {
	failure
	commands *cl.CommandQueue // nil without a device, and once closed
	profile  profile
	caps     *Caps
	launches *launchLock // of all queues; nil where they need none
	launched launched    // since the device was last known to run
}

// open makes the queue. Profiling begins when the profile is enabled.
func (q *queue) open(context *cl.Context, d *cl.Device, caps *Caps, profiled bool) (err error) {
	var properties cl.CommandQueueProperty
	if profiled {
		properties = cl.CommandQueueProfilingEnable
	}
	q.caps, q.launches = caps, caps.launchLock()
	q.commands, err = context.CreateCommandQueue(d, properties)
	return err
}

func (q *queue) closed() bool { return q.commands == nil }

// finish waits for all enqueued work and returns its first error.
func (q *queue) finish() error {
	if q.closed() {
		return q.err
	}
	q.fail(q.commands.Finish())
	q.profile.harvest()
	q.ran()
	return q.err
}

// fail records a failure, unless there is one already. That of a lost device has the kernels that may have cost it.
func (q *queue) fail(err error) {
	if q.err == nil && isLost(err) {
		err = &LostError{Kernels: q.launched.names(), Err: err}
	}
	q.failure.fail(err)
}

// flush hands what is enqueued to the device. Where finish does not wait for what was flushed before, it does nothing.
func (q *queue) flush() {
	if !q.closed() && q.caps.quirks.FinishAfterFlush {
		q.fail(q.commands.Flush())
	}
}

// recover clears the failure, and drops what is in the queue.
func (q *queue) recover() {
	if q.err != nil && !q.closed() {
		q.commands.Finish() // whatever it says, the operation has failed already
		q.profile.discard()
		q.err = nil
	}
}

// record takes over the event of enqueued work.
func (q *queue) record(e *cl.Event, kernel string, bytes int64) {
	if q.profile.record(e, q.phase, kernel, bytes) {
		q.finish()
	}
}

// transferred ends a blocking transfer: everything before it has run.
func (q *queue) transferred(e *cl.Event, err error, call string) error {
	e.Release()
	if err != nil {
		q.fail(fmt.Errorf("%s: %w", call, err))
		return q.err
	}
	q.profile.harvest()
	q.ran()
	return q.err
}

// ran notes that all that was launched has run.
func (q *queue) ran() {
	if q.err == nil {
		q.launched.count = 0
	}
}

// times waits for the work whose times are not known, and returns all times.
func (q *queue) times() []KernelTime {
	if len(q.profile.pending) > 0 {
		q.finish()
	}
	return append([]KernelTime(nil), q.profile.totals...)
}

// release drops the queue; its work has ended.
func (q *queue) release() {
	q.err = errClosed
	q.profile.discard()
	q.launches.forget(q.commands)
	q.commands.Release()
	q.commands = nil
}
