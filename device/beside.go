package device

import (
	"fmt"
	"slices"
	"unsafe"

	"github.com/suffixcl/suffixcl/cl"
)

// beside is a queue for transfers in one direction.
type beside struct {
	queue    *cl.CommandQueue // nil before the first
	underWay []*Transfer
}

// open makes the queue.
func (b *beside) open(s *Session) (err error) {
	if b.queue == nil && s.queue != nil {
		b.queue, err = s.ctx.CreateCommandQueue(s.device, 0)
	}
	return err
}

// finish waits for the transfers, and gives the queue up.
func (b *beside) finish() {
	for len(b.underWay) > 0 {
		b.underWay[0].Wait()
	}
	if b.queue != nil {
		b.queue.Release()
	}
	*b = beside{}
}

// Transfer is a copy beside the work of the session, begun by StartUpload or StartDownload.
// Uploads come one after the other, and so do downloads. Until Wait returns, neither memory
// may be used otherwise, or released.
type Transfer struct {
	s     *Session
	on    *beside
	call  string
	event *cl.Event // nil when it has ended
	err   error
}

// StartUpload begins to copy src to the start of the buffer. What uses the buffer must have
// ended before (Finish): a transfer does not wait for it. Only [Pinned] memory is fast, and copied
// beside what the caller does.
func (b *Buffer[T]) StartUpload(src []T) *Transfer {
	mem, err := b.ready(len(src), "upload")
	return b.s.start("upload", &b.s.uploads, bytesOf(src), err, func(q *cl.CommandQueue, host []byte) (*cl.Event, error) {
		return q.EnqueueWriteBuffer(mem, false, int(b.off), len(host), unsafe.Pointer(&host[0]), nil)
	})
}

// StartDownload begins to copy the start of the buffer to dst, as StartUpload.
func (b *Buffer[T]) StartDownload(dst []T) *Transfer {
	mem, err := b.ready(len(dst), "download")
	return b.s.start("download", &b.s.downloads, bytesOf(dst), err, func(q *cl.CommandQueue, host []byte) (*cl.Event, error) {
		return q.EnqueueReadBuffer(mem, false, int(b.off), len(host), unsafe.Pointer(&host[0]), nil)
	})
}

// start begins a transfer as a whole: each call of the driver costs those who launch kernels meanwhile (docs/benchmarks.md).
func (s *Session) start(call string, on *beside, host []byte, err error, move func(q *cl.CommandQueue, host []byte) (*cl.Event, error)) *Transfer {
	t := &Transfer{s: s, on: on, call: call, err: err}
	if t.err != nil || len(host) == 0 {
		return t
	}
	if t.err = on.open(s); t.err != nil {
		return t
	}
	if t.event, t.err = move(on.queue, host); t.err == nil {
		on.underWay = append(on.underWay, t)
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
		t.on.underWay = slices.DeleteFunc(t.on.underWay, func(o *Transfer) bool { return o == t })
	}
	if t.err != nil {
		t.s.Fail(fmt.Errorf("%s: %w", t.call, t.err))
	}
	return t.err
}
