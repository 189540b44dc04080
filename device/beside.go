package device

import (
	"cmp"
	"fmt"
	"unsafe"

	"github.com/suffixcl/suffixcl/cl"
)

// Transfers go in chunks of besideChunk bytes, of which the driver knows besideFlights: the
// few bytes that the session reads meanwhile, counts, wait behind these. Chunks of 0.5 to 4 MiB
// are as fast on an H200 (docs/benchmarks.md).
const (
	besideChunk   = 1 << 20
	besideFlights = 2
)

// beside is a queue for transfers in one direction.
type beside struct {
	queue *cl.CommandQueue // nil before the first
	last  chan struct{}    // closed when the last transfer has ended
}

// busy tells whether one of StartUpload or StartDownload is under way.
func (b *beside) busy() bool {
	select {
	case <-b.last:
		return false
	default:
		return b.last != nil
	}
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
	if b.last != nil {
		<-b.last
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
	s    *Session
	call string
	done chan struct{}
	err  error // when done
}

// StartUpload begins to copy src to the start of the buffer. What uses the buffer must have
// ended before (Finish): a transfer does not wait for it. Only [Pinned] memory is fast.
func (b *Buffer[T]) StartUpload(src []T) *Transfer {
	mem, err := b.ready(len(src), "upload")
	return b.s.start("upload", &b.s.uploads, bytesOf(src), err, func(q *cl.CommandQueue, chunk []byte, off int) (*cl.Event, error) {
		return q.EnqueueWriteBuffer(mem, false, int(b.off)+off, len(chunk), unsafe.Pointer(&chunk[0]), nil)
	})
}

// StartDownload begins to copy the start of the buffer to dst, as StartUpload.
func (b *Buffer[T]) StartDownload(dst []T) *Transfer {
	mem, err := b.ready(len(dst), "download")
	return b.s.start("download", &b.s.downloads, bytesOf(dst), err, func(q *cl.CommandQueue, chunk []byte, off int) (*cl.Event, error) {
		return q.EnqueueReadBuffer(mem, false, int(b.off)+off, len(chunk), unsafe.Pointer(&chunk[0]), nil)
	})
}

func (s *Session) start(call string, b *beside, host []byte, err error, move func(q *cl.CommandQueue, chunk []byte, off int) (*cl.Event, error)) *Transfer {
	t := &Transfer{s: s, call: call, done: make(chan struct{})}
	if err == nil && len(host) > 0 {
		err = b.open(s)
	}
	if err != nil || len(host) == 0 {
		t.err = err
		close(t.done)
		return t
	}
	queue, before := b.queue, b.last
	b.last = t.done
	go func() {
		defer close(t.done)
		if before != nil {
			<-before
		}
		t.err = inChunks(host, func(chunk []byte, off int) (*cl.Event, error) {
			e, err := move(queue, chunk, off)
			if err == nil {
				err = queue.Flush()
			}
			return e, err
		})
	}()
	return t
}

// inChunks begins a move of each chunk when enough of those before have ended, and returns
// when all have.
func inChunks(host []byte, begin func(chunk []byte, off int) (*cl.Event, error)) (err error) {
	var flights []*cl.Event
	land := func() {
		err = cmp.Or(err, flights[0].Wait())
		flights[0].Release()
		flights = flights[1:]
	}
	for off := 0; off < len(host) && err == nil; off += besideChunk {
		if len(flights) == besideFlights {
			land()
		}
		e, failed := begin(host[off:min(off+besideChunk, len(host))], off)
		if err = cmp.Or(err, failed); e != nil {
			flights = append(flights, e)
		}
	}
	for len(flights) > 0 {
		land()
	}
	return err
}

// Wait returns when the copy has ended. The first failure sticks to the session. Waiting
// again returns the same.
func (t *Transfer) Wait() error {
	if <-t.done; t.err != nil {
		t.s.Fail(fmt.Errorf("%s: %w", t.call, t.err))
	}
	return t.err
}
