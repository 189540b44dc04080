package device

import (
	"cmp"
	"context"
	"fmt"
	"unsafe"

	"github.com/suffixcl/suffixcl/cl"
	"github.com/suffixcl/suffixcl/internal/parallel"
)

// Transfers of pageable memory run at a fifth of the bus on discrete GPUs. The
// staging holds two pinned chunks: while the device copies one, the host fills
// or empties the other.
const (
	stagingChunk = 16 << 20
	pinnedFrom   = 1 << 16 // bytes that are worth it
)

type staging struct {
	chunk  int // bytes in one
	failed bool
	pinned [2]*pinned // nil before first use
}

// acquire maps the two chunks at first use, and reports whether they are there.
// Pinned memory is scarce on some systems; transfers do without.
func (g *staging) acquire(s *Session) bool {
	if g.pinned[1] != nil || g.failed {
		return !g.failed
	}
	for i := range g.pinned {
		var err error
		if g.pinned[i], err = s.pin(g.chunk); err != nil {
			g.release(s)
			g.failed = true
			return false
		}
	}
	return true
}

func (g *staging) release(s *Session) {
	for _, p := range g.pinned {
		p.release(s)
	}
	*g = staging{chunk: g.chunk}
}

// Upload copies src to the start of the buffer and waits. progress, if not nil,
// is told the bytes done. The context is checked between chunks; after a
// cancellation part of the data has been copied.
func (b *Buffer[T]) Upload(ctx context.Context, src []T, progress func(done, total int64)) error {
	return b.upload(ctx, b.s.queue, src, progress)
}

// UploadAsync is Upload on a queue of its own, which does not wait for enqueued work. That
// work must not use a part of the buffer before progress tells that the part has been copied.
func (b *Buffer[T]) UploadAsync(ctx context.Context, src []T, progress func(done, total int64)) error {
	if err := b.s.uploads.open(b.s); err != nil {
		b.s.Fail(fmt.Errorf("upload: %w", err))
		return b.s.err
	}
	return b.upload(ctx, b.s.uploads.queue, src, progress)
}

func (b *Buffer[T]) upload(
	ctx context.Context, queue *cl.CommandQueue, src []T, progress func(done, total int64),
) error {
	mem, err := b.ready(len(src), "upload")
	if err != nil || mem == nil {
		return err
	}
	write := func(chunk []byte, off int, blocking bool) (*cl.Event, error) {
		return queue.EnqueueWriteBuffer(mem, blocking, int(b.off)+off, len(chunk), unsafe.Pointer(&chunk[0]), nil)
	}
	return b.s.transfer(ctx, queue, bytesOf(src), progress, "upload", write)
}

// Download waits for enqueued work and copies the start of the buffer to dst.
// progress and context as in Upload.
func (b *Buffer[T]) Download(ctx context.Context, dst []T, progress func(done, total int64)) error {
	mem, err := b.ready(len(dst), "download")
	if err != nil || mem == nil {
		return err
	}
	read := func(chunk []byte, off int, blocking bool) (*cl.Event, error) {
		return b.s.queue.EnqueueReadBuffer(mem, blocking, int(b.off)+off, len(chunk), unsafe.Pointer(&chunk[0]), nil)
	}
	return b.s.transfer(ctx, b.s.queue, bytesOf(dst), progress, "download", read)
}

// transfer moves host memory in chunks by move, which enqueues one chunk. Where
// host and device share memory, or the caller's memory is pinned, the chunks are the
// caller's own memory; elsewhere they go through the two pinned ones.
func (s *Session) transfer(
	ctx context.Context, queue *cl.CommandQueue, host []byte, progress func(done, total int64), call string,
	move func(chunk []byte, off int, blocking bool) (*cl.Event, error),
) error {
	down := call == "download"
	direct := s.isPinned(host)
	overlapped := direct || !s.caps.quirks.UnifiedMemory && len(host) > pinnedFrom && s.staging.acquire(s)
	type flight struct {
		event     *cl.Event
		off, size int
	}
	var flights [2]flight
	var failed error
	done := func(n int) {
		if progress != nil {
			progress(int64(n), int64(len(host)))
		}
	}
	// land waits for the transfer of flight i and, when reading, empties its chunk.
	land := func(i int) {
		f := flights[i]
		flights[i] = flight{}
		if f.event == nil {
			return
		}
		err := f.event.Wait()
		f.event.Release()
		if err != nil {
			failed = cmp.Or(failed, err)
			return
		}
		if down && !direct {
			copyParallel(host[f.off:f.off+f.size], s.staging.pinned[i].host)
		}
		done(f.off + f.size)
	}
	cancelled := false
	i := 0 // the flight to use: that of the older transfer
	for off := 0; off < len(host) && failed == nil; off += s.staging.chunk {
		if cancelled = ctx.Err() != nil; cancelled {
			break
		}
		size := min(s.staging.chunk, len(host)-off)
		chunk := host[off : off+size]
		if overlapped {
			land(i)
		}
		if overlapped && !direct {
			staged := s.staging.pinned[i].host[:size]
			if !down {
				copyParallel(staged, chunk)
			}
			chunk = staged
		}
		e, err := move(chunk, off, !overlapped)
		if err != nil {
			failed = cmp.Or(failed, err)
			break
		}
		if !overlapped {
			e.Release()
			done(off + size)
			continue
		}
		flights[i] = flight{e, off, size}
		i = 1 - i
		if err := queue.Flush(); err != nil {
			failed = cmp.Or(failed, err)
		}
	}
	land(i)
	land(1 - i)
	if failed != nil {
		s.Fail(fmt.Errorf("%s: %w", call, failed))
		return s.err
	}
	if cancelled {
		return context.Cause(ctx)
	}
	if queue == s.queue { // with another queue, enqueued work may still run
		s.profile.harvest()
	}
	return s.err
}

// copyParallel is copy on several processors: one alone is slower than the bus, and slower
// still where the memory is fresh, whose pages come one by one.
func copyParallel(dst, src []byte) {
	n := min(len(dst), len(src))
	parallel.Do(n, max(1<<20, n/8), func(lo, hi int) { copy(dst[lo:hi], src[lo:hi]) })
}
