package device

import (
	"cmp"
	"context"
	"fmt"
	"unsafe"

	"github.com/suffixcl/suffixcl/cl"
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
	mem    [2]*cl.MemObject
	mapped [2]*cl.MappedMemObject
	host   [2][]byte
}

// acquire maps the two chunks at first use, and reports whether they are there.
// Pinned memory is scarce on some systems; transfers do without.
func (g *staging) acquire(s *Session) bool {
	if g.host[1] != nil || g.failed {
		return !g.failed
	}
	for i := range g.mem {
		var err error
		if g.mem[i], err = s.ctx.CreateEmptyBuffer(cl.MemReadWrite|cl.MemAllocHostPtr, g.chunk); err == nil {
			var e *cl.Event
			g.mapped[i], e, err = s.queue.EnqueueMapBuffer(g.mem[i], true, cl.MapFlagRead|cl.MapFlagWrite, 0, g.chunk, nil)
			e.Release()
		}
		if err != nil {
			g.release(s)
			g.failed = true
			return false
		}
		g.host[i] = g.mapped[i].ByteSlice()
	}
	return true
}

func (g *staging) release(s *Session) {
	for i, mem := range g.mem {
		if g.mapped[i] != nil {
			if e, err := s.queue.EnqueueUnmapMemObject(mem, g.mapped[i], nil); err == nil {
				e.Wait()
				e.Release()
			}
		}
		mem.Release()
	}
	*g = staging{chunk: g.chunk}
}

// Upload copies src to the start of the buffer and waits. progress, if not nil,
// is told the bytes done. The context is checked between chunks; after a
// cancellation part of the data has been copied.
func (b *Buffer[T]) Upload(ctx context.Context, src []T, progress func(done, total int64)) error {
	mem, err := b.ready(len(src), "upload")
	if err != nil || mem == nil {
		return err
	}
	return b.s.transfer(ctx, bytesOf(src), progress, "upload", func(chunk []byte, off int, blocking bool) (*cl.Event, error) {
		return b.s.queue.EnqueueWriteBuffer(mem, blocking, int(b.off)+off, len(chunk), unsafe.Pointer(&chunk[0]), nil)
	})
}

// Download waits for enqueued work and copies the start of the buffer to dst.
// progress and context as in Upload.
func (b *Buffer[T]) Download(ctx context.Context, dst []T, progress func(done, total int64)) error {
	mem, err := b.ready(len(dst), "download")
	if err != nil || mem == nil {
		return err
	}
	return b.s.transfer(ctx, bytesOf(dst), progress, "download", func(chunk []byte, off int, blocking bool) (*cl.Event, error) {
		return b.s.queue.EnqueueReadBuffer(mem, blocking, int(b.off)+off, len(chunk), unsafe.Pointer(&chunk[0]), nil)
	})
}

// transfer moves host memory in chunks by move, which enqueues one chunk. Where
// host and device share memory the chunks are the caller's own memory; elsewhere
// they go through the two pinned ones.
func (s *Session) transfer(ctx context.Context, host []byte, progress func(done, total int64), call string, move func(chunk []byte, off int, blocking bool) (*cl.Event, error)) error {
	down := call == "download"
	pinned := !s.caps.UnifiedMemory && len(host) > pinnedFrom && s.staging.acquire(s)
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
	// land waits for the transfer that uses chunk i and, when reading, empties it.
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
		if down {
			copy(host[f.off:f.off+f.size], s.staging.host[i])
		}
		done(f.off + f.size)
	}
	cancelled := false
	i := 0 // the chunk to use: that of the older transfer
	for off := 0; off < len(host) && failed == nil; off += s.staging.chunk {
		if cancelled = ctx.Err() != nil; cancelled {
			break
		}
		size := min(s.staging.chunk, len(host)-off)
		chunk := host[off : off+size]
		if pinned {
			land(i)
			if !down {
				copy(s.staging.host[i], chunk)
			}
			chunk = s.staging.host[i][:size]
		}
		e, err := move(chunk, off, !pinned)
		if err != nil {
			failed = cmp.Or(failed, err)
			break
		}
		if !pinned {
			e.Release()
			done(off + size)
			continue
		}
		flights[i] = flight{e, off, size}
		i = 1 - i
		if err := s.queue.Flush(); err != nil {
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
	s.profile.harvest()
	return s.err
}
