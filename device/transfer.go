package device

import (
	"fmt"
	"slices"
	"unsafe"

	"github.com/suffixcl/suffixcl/cl"
)

// transferQueue is a queue for asynchronous transfers in one direction.
type transferQueue struct {
	device   *cl.Device
	context  *cl.Context
	main     *queue           // of the session, which keeps failures
	commands *cl.CommandQueue // nil before the first transfer
	pending  []*Transfer
}

// open makes the queue at first use.
func (q *transferQueue) open() (err error) {
	if q.commands == nil && !q.main.closed() {
		q.commands, err = q.context.CreateCommandQueue(q.device, 0)
	}
	return err
}

// release waits for the transfers and releases the queue.
func (q *transferQueue) release() {
	for len(q.pending) > 0 {
		q.pending[0].Wait()
	}
	q.commands.Release()
	q.commands = nil
}

// start begins a transfer as a whole, not in chunks: each call of the driver delays the
// launches of kernels meanwhile (docs/benchmarks.md).
func (q *transferQueue) start(
	call string, host []byte, err error, move func(on *cl.CommandQueue, host []byte) (*cl.Event, error),
) *Transfer {
	t := &Transfer{queue: q, call: call, err: err}
	if t.err != nil || len(host) == 0 {
		return t
	}
	if t.err = q.open(); t.err != nil {
		return t
	}
	if t.event, t.err = move(q.commands, host); t.err == nil {
		q.pending = append(q.pending, t)
		t.err = q.commands.Flush()
	}
	return t
}

// Transfer is an asynchronous copy, begun by StartUpload or StartDownload, while the queue of
// the session works. Uploads come one after the other, and so do downloads. Until Wait
// returns, neither memory may be used otherwise, or released.
type Transfer struct {
	queue *transferQueue
	call  string
	event *cl.Event // nil when it has ended
	err   error
}

// StartUpload begins to copy src to the start of the buffer. Commands that use the buffer must
// have ended before (Finish): a transfer does not wait for them. Only [Pinned] memory is fast,
// and is copied while the caller goes on.
func (b *Buffer[T]) StartUpload(src []T) *Transfer {
	mem, err := b.ready(len(src), "upload")
	write := func(on *cl.CommandQueue, host []byte) (*cl.Event, error) {
		return on.EnqueueWriteBuffer(mem, false, int(b.off), len(host), unsafe.Pointer(&host[0]), nil)
	}
	return b.s.uploads.start("upload", bytesOf(src), err, write)
}

// StartDownload begins to copy the start of the buffer to dst, as StartUpload.
func (b *Buffer[T]) StartDownload(dst []T) *Transfer {
	mem, err := b.ready(len(dst), "download")
	read := func(on *cl.CommandQueue, host []byte) (*cl.Event, error) {
		return on.EnqueueReadBuffer(mem, false, int(b.off), len(host), unsafe.Pointer(&host[0]), nil)
	}
	return b.s.downloads.start("download", bytesOf(dst), err, read)
}

// Wait returns when the copy has ended. The first failure sticks to the session. Waiting
// again returns the same.
func (t *Transfer) Wait() error {
	if t.event != nil {
		if err := t.event.Wait(); t.err == nil {
			t.err = err
		}
		t.event.Release()
		t.event = nil
		t.queue.pending = slices.DeleteFunc(t.queue.pending, func(o *Transfer) bool { return o == t })
	}
	if t.err != nil {
		t.queue.main.fail(fmt.Errorf("%s: %w", t.call, t.err))
	}
	return t.err
}
