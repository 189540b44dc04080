package device

import (
	"fmt"
	"slices"
	"unsafe"

	"github.com/suffixcl/suffixcl/cl"
)

// transferQueue is a queue for asynchronous transfers in one direction.
type transferQueue struct {
	queue   *cl.CommandQueue // nil before the first transfer
	pending []*Transfer
}

// open makes the queue.
func (q *transferQueue) open(s *Session) (err error) {
	if q.queue == nil && s.queue != nil {
		q.queue, err = s.ctx.CreateCommandQueue(s.device, 0)
	}
	return err
}

// finish waits for the transfers and releases the queue.
func (q *transferQueue) finish() {
	for len(q.pending) > 0 {
		q.pending[0].Wait()
	}
	if q.queue != nil {
		q.queue.Release()
	}
	*q = transferQueue{}
}

// Transfer is an asynchronous copy, begun by StartUpload or StartDownload, while the queue of
// the session works. Uploads come one after the other, and so do downloads. Until Wait
// returns, neither memory may be used otherwise, or released.
type Transfer struct {
	s     *Session
	on    *transferQueue
	call  string
	event *cl.Event // nil when it has ended
	err   error
}

// StartUpload begins to copy src to the start of the buffer. Commands that use the buffer must
// have ended before (Finish): a transfer does not wait for them. Only [Pinned] memory is fast,
// and is copied while the caller goes on.
func (b *Buffer[T]) StartUpload(src []T) *Transfer {
	mem, err := b.ready(len(src), "upload")
	write := func(q *cl.CommandQueue, host []byte) (*cl.Event, error) {
		return q.EnqueueWriteBuffer(mem, false, int(b.off), len(host), unsafe.Pointer(&host[0]), nil)
	}
	return b.s.start("upload", &b.s.uploads, bytesOf(src), err, write)
}

// StartDownload begins to copy the start of the buffer to dst, as StartUpload.
func (b *Buffer[T]) StartDownload(dst []T) *Transfer {
	mem, err := b.ready(len(dst), "download")
	read := func(q *cl.CommandQueue, host []byte) (*cl.Event, error) {
		return q.EnqueueReadBuffer(mem, false, int(b.off), len(host), unsafe.Pointer(&host[0]), nil)
	}
	return b.s.start("download", &b.s.downloads, bytesOf(dst), err, read)
}

// start begins a transfer as a whole, not in chunks: each call of the driver delays the
// launches of kernels meanwhile (docs/benchmarks.md).
func (s *Session) start(
	call string, on *transferQueue, host []byte, err error, move func(q *cl.CommandQueue, host []byte) (*cl.Event, error),
) *Transfer {
	t := &Transfer{s: s, on: on, call: call, err: err}
	if t.err != nil || len(host) == 0 {
		return t
	}
	if t.err = on.open(s); t.err != nil {
		return t
	}
	if t.event, t.err = move(on.queue, host); t.err == nil {
		on.pending = append(on.pending, t)
		t.err = on.queue.Flush()
	}
	return t
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
		t.on.pending = slices.DeleteFunc(t.on.pending, func(o *Transfer) bool { return o == t })
	}
	if t.err != nil {
		t.s.Fail(fmt.Errorf("%s: %w", t.call, t.err))
	}
	return t.err
}
