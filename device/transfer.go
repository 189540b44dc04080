package device

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"sync"
	"unsafe"

	"github.com/suffixcl/suffixcl/cl"
	"github.com/suffixcl/suffixcl/internal/hooks"
)

// transferQueue is a queue for asynchronous transfers in one direction. One goroutine starts them; others may wait for
// them.
type transferQueue struct {
	device   *cl.Device
	context  *cl.Context
	main     *queue           // of the session, which keeps failures
	bounds   *bounds          // of the session, or nil
	commands *cl.CommandQueue // nil before the first transfer

	mu      sync.Mutex // of what follows, and of failures
	pending []*transfer
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
	q.mu.Lock()
	pending := slices.Clone(q.pending)
	q.mu.Unlock()
	for _, t := range pending {
		t.Wait()
	}
	q.commands.Release()
	q.commands = nil
}

// start begins a transfer as a whole, not in chunks: each call of the driver delays the
// launches of kernels meanwhile (docs/benchmarks.md).
func (q *transferQueue) start(
	call string, host []byte, err error, move func(on *cl.CommandQueue, host []byte) (*cl.Event, error),
) hooks.Transfer {
	t := &transfer{queue: q, call: call, err: err}
	if t.err != nil || len(host) == 0 {
		return t
	}
	if t.err = q.open(); t.err != nil {
		return t
	}
	if b := q.bounds; b != nil { // it has ended before the next launch
		b.mu.Lock()
		defer b.mu.Unlock()
		defer func() { t.err = cmp.Or(t.err, q.commands.Finish()) }()
	}
	if t.event, t.err = move(q.commands, host); t.err == nil {
		q.mu.Lock()
		q.pending = append(q.pending, t)
		q.mu.Unlock()
		t.err = q.commands.Flush()
	}
	return t
}

// transfer is an asynchronous copy.
type transfer struct {
	queue *transferQueue
	call  string
	event *cl.Event // nil when it has ended
	err   error
}

// Wait returns when the copy has ended. The first failure sticks to the session. Waiting
// again returns the same.
func (t *transfer) Wait() error {
	var err error
	if t.event != nil {
		err = t.event.Wait()
		t.event.Release()
		t.event = nil
	}
	t.queue.mu.Lock()
	defer t.queue.mu.Unlock()
	if t.err = cmp.Or(t.err, err); len(t.queue.pending) > 0 {
		t.queue.pending = slices.DeleteFunc(t.queue.pending, func(o *transfer) bool { return o == t })
	}
	if t.err != nil {
		t.queue.main.fail(fmt.Errorf("%s: %w", t.call, t.err))
	}
	return t.err
}

func init() {
	h := &hooks.Async
	h.StartUpload = func(buffer any, host []byte) hooks.Transfer { return buffer.(asyncBuffer).startUpload(host) }
	h.StartDownload = func(buffer any, host []byte) hooks.Transfer { return buffer.(asyncBuffer).startDownload(host) }
	h.BeginRead = func(buffer any, host []byte) hooks.Transfer { return buffer.(asyncBuffer).beginRead(host) }
	h.Upload = func(ctx context.Context, buffer any, host []byte, progress func(done, total int64)) error {
		return buffer.(asyncBuffer).uploadAsync(ctx, host, progress)
	}
	h.Flush = func(session any) { session.(*Session).queue.flush() }
	h.OpenReader = func(session any) (hooks.Reader, error) { return openReader(session.(*Session)) }
}

// reader has a queue and failures of its own, for another goroutine than that of the session.
type reader struct {
	failures queue
	lane     transferQueue
}

func openReader(s *Session) (*reader, error) {
	if s.queue.closed() {
		return nil, errClosed
	}
	r := &reader{lane: transferQueue{device: s.device, context: s.context, bounds: s.bounds}}
	r.failures.phase = s.queue.phase
	r.lane.main = &r.failures
	var err error
	r.lane.commands, err = s.context.CreateCommandQueue(s.device, 0)
	return r, err
}

func (r *reader) Start(buffer any, host []byte) hooks.Transfer {
	return buffer.(asyncBuffer).startRead(&r.lane, host)
}

func (r *reader) Close() { r.lane.release() }

// asyncBuffer is implemented by *Buffer[T]. Host memory is that of elements.
type asyncBuffer interface {
	startUpload(host []byte) hooks.Transfer
	startDownload(host []byte) hooks.Transfer
	beginRead(host []byte) hooks.Transfer
	startRead(lane *transferQueue, host []byte) hooks.Transfer
	uploadAsync(ctx context.Context, host []byte, progress func(done, total int64)) error
}

func (b *Buffer[T]) startUpload(host []byte) hooks.Transfer {
	mem, err := b.ready(len(host)/sizeof[T](), "upload")
	write := func(on *cl.CommandQueue, host []byte) (*cl.Event, error) {
		return on.EnqueueWriteBuffer(mem, false, int(b.off), len(host), unsafe.Pointer(&host[0]), nil)
	}
	return b.s.uploads.start("upload", host, err, write)
}

func (b *Buffer[T]) startDownload(host []byte) hooks.Transfer {
	_, err := b.ready(len(host)/sizeof[T](), "download")
	return b.s.downloads.start("download", host, err, b.reading())
}

// startRead does not look for failures of the session, which belong to its goroutine.
func (b *Buffer[T]) startRead(lane *transferQueue, host []byte) hooks.Transfer {
	_, err := b.holding(len(host)/sizeof[T](), "download")
	return lane.start("download", host, err, b.reading())
}

// reading enqueues a copy of the start of the buffer.
func (b *Buffer[T]) reading() func(on *cl.CommandQueue, host []byte) (*cl.Event, error) {
	return func(on *cl.CommandQueue, host []byte) (*cl.Event, error) {
		return on.EnqueueReadBuffer(b.mem.root, false, int(b.off), len(host), unsafe.Pointer(&host[0]), nil)
	}
}

// uploadAsync is Upload on a queue of its own.
func (b *Buffer[T]) uploadAsync(ctx context.Context, host []byte, progress func(done, total int64)) error {
	if err := b.s.uploads.open(); err != nil {
		b.s.Fail(fmt.Errorf("upload: %w", err))
		return b.s.Err()
	}
	return b.upload(ctx, b.s.uploads.commands, host, progress)
}
