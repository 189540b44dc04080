package device

import (
	"cmp"
	"fmt"
	"unsafe"

	"github.com/suffixcl/suffixcl/cl"
)

// besideChunk lets what the session reads meanwhile, counts, in between.
const besideChunk = 4 << 20

// Transfer is a copy beside the work of the session, begun by StartUpload or StartDownload.
// Transfers come one after the other. Until Wait returns, neither memory may be used
// otherwise, or released.
type Transfer struct {
	s      *Session
	call   string
	events []*cl.Event
	err    error
}

// StartUpload begins to copy src to the start of the buffer. What uses the buffer must have
// ended before (Finish): a transfer does not wait for it. Only [Pinned] memory is fast.
func (b *Buffer[T]) StartUpload(src []T) *Transfer {
	t := &Transfer{s: b.s, call: "upload"}
	mem, err := b.ready(len(src), t.call)
	return t.start(bytesOf(src), err, func(q *cl.CommandQueue, chunk []byte, off int) (*cl.Event, error) {
		return q.EnqueueWriteBuffer(mem, false, int(b.off)+off, len(chunk), unsafe.Pointer(&chunk[0]), nil)
	})
}

// StartDownload begins to copy the start of the buffer to dst, as StartUpload.
func (b *Buffer[T]) StartDownload(dst []T) *Transfer {
	t := &Transfer{s: b.s, call: "download"}
	mem, err := b.ready(len(dst), t.call)
	return t.start(bytesOf(dst), err, func(q *cl.CommandQueue, chunk []byte, off int) (*cl.Event, error) {
		return q.EnqueueReadBuffer(mem, false, int(b.off)+off, len(chunk), unsafe.Pointer(&chunk[0]), nil)
	})
}

func (t *Transfer) start(host []byte, err error, move func(q *cl.CommandQueue, chunk []byte, off int) (*cl.Event, error)) *Transfer {
	s := t.s
	if err == nil && s.beside == nil {
		s.beside, err = s.ctx.CreateCommandQueue(s.device, 0)
	}
	for off := 0; off < len(host) && err == nil; off += besideChunk {
		var e *cl.Event
		if e, err = move(s.beside, host[off:min(off+besideChunk, len(host))], off); err == nil {
			t.events = append(t.events, e)
		}
	}
	if err == nil && len(host) > 0 {
		err = s.beside.Flush()
	}
	t.err = err
	return t
}

// Wait returns when the copy has ended. The first failure sticks to the session. Waiting
// again returns the same.
func (t *Transfer) Wait() error {
	for _, e := range t.events {
		t.err = cmp.Or(t.err, e.Wait())
		e.Release()
	}
	if t.events = nil; t.err != nil {
		t.s.Fail(fmt.Errorf("%s: %w", t.call, t.err))
	}
	return t.err
}
