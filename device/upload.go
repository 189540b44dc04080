package device

import (
	"context"
	"unsafe"

	"github.com/suffixcl/suffixcl/cl"
)

// Upload copies src to the start of the buffer and waits. src is as long as the buffer, or shorter. progress is told
// the bytes done; it may be nil. The context is checked between chunks. After a cancellation part of the data has been
// copied. Errors: the context's, and those of [Buffer.Write].
func (b *Buffer[T]) Upload(ctx context.Context, src []T, progress func(done, total int64)) error {
	return b.upload(ctx, b.s.queue.commands, bytesOf(src), progress)
}

func (b *Buffer[T]) upload(
	ctx context.Context, on *cl.CommandQueue, host []byte, progress func(done, total int64),
) error {
	mem, err := b.ready(len(host)/sizeof[T](), "upload")
	if err != nil || mem == nil {
		return err
	}
	if b.in(host) {
		return b.share(ctx, on, len(host), cl.MapFlagWrite, progress)
	}
	write := func(chunk []byte, off int, blocking bool) (*cl.Event, error) {
		return on.EnqueueWriteBuffer(mem, blocking, int(b.off)+off, len(chunk), unsafe.Pointer(&chunk[0]), nil)
	}
	return b.s.staging.transfer(ctx, on, host, progress, false, write)
}

// Download waits for enqueued work and copies the start of the buffer to dst. dst is as long as the buffer, or shorter.
// Progress and context are as in [Buffer.Upload]. Errors: the context's, and those of [Buffer.Read].
func (b *Buffer[T]) Download(ctx context.Context, dst []T, progress func(done, total int64)) error {
	mem, err := b.ready(len(dst), "download")
	if err != nil || mem == nil {
		return err
	}
	on, host := b.s.queue.commands, bytesOf(dst)
	if b.in(host) {
		return b.share(ctx, on, len(host), cl.MapFlagRead, progress)
	}
	read := func(chunk []byte, off int, blocking bool) (*cl.Event, error) {
		return on.EnqueueReadBuffer(mem, blocking, int(b.off)+off, len(chunk), unsafe.Pointer(&chunk[0]), nil)
	}
	return b.s.staging.transfer(ctx, on, host, progress, true, read)
}

// in tells whether the buffer is where host begins: see [Slot.In].
func (b *Buffer[T]) in(host []byte) bool {
	return b.mem.host != nil && &b.mem.host[b.off] == &host[0]
}

// share is a transfer of so many bytes of a buffer in memory of the caller: what one has written is there for the
// other.
func (b *Buffer[T]) share(ctx context.Context, on *cl.CommandQueue, bytes int, flags cl.MapFlag,
	progress func(done, total int64)) error {
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	mapped, e, err := on.EnqueueMapBuffer(b.mem.root, true, flags, int(b.off), bytes, nil)
	e.Release()
	if e = nil; err == nil {
		e, err = on.EnqueueUnmapMemObject(b.mem.root, mapped, nil)
	}
	if err := b.s.queue.transferred(e, err, "transfer"); err != nil {
		return err
	}
	if progress != nil {
		progress(int64(bytes), int64(bytes))
	}
	return nil
}
