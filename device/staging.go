package device

import (
	"cmp"
	"context"
	"fmt"
	"math/bits"

	"github.com/suffixcl/suffixcl/cl"
	"github.com/suffixcl/suffixcl/internal/parallel"
)

const (
	stagingChunk = 16 << 20
	leastChunk   = 1 << 20
	pinnedFrom   = 1 << 16 // bytes that are worth it
)

// staging copies between host and device in chunks. Transfers of pageable memory run at a fifth of the bus on discrete
// GPUs. There the chunks go through two pinned ones: while the device copies one, the host fills or empties the other.
type staging struct {
	host   *hostMemory
	queue  *queue // of the session
	caps   *Caps
	chunk  int // bytes in one, at most
	failed bool
	pinned [2]*pinned // nil before first use
}

// acquire maps two chunks of a size, or larger ones, and reports whether they are there. Page-locking 32 MiB takes
// 17 ms on the host of an H200, as long as many calls. Pinned memory is scarce on some systems; transfers do without.
func (g *staging) acquire(size int) bool {
	if g.failed || g.pinned[1] != nil && len(g.pinned[1].host) >= size {
		return !g.failed
	}
	g.release()
	size = min(max(1<<bits.Len(uint(size-1)), leastChunk), g.chunk)
	for i := range g.pinned {
		var err error
		if g.pinned[i], err = g.host.pin(size); err != nil {
			g.release()
			g.failed = true
			return false
		}
	}
	return true
}

func (g *staging) release() {
	for i, p := range g.pinned {
		g.host.unpin(p)
		g.pinned[i] = nil
	}
	g.failed = false
}

// move enqueues the copy of a chunk, whose bytes are at an offset of the transfer.
type move func(chunk []byte, off int, blocking bool) (*cl.Event, error)

// transfer copies host memory in chunks by move, which enqueues on a queue. down means to the host.
func (g *staging) transfer(
	ctx context.Context, on *cl.CommandQueue, host []byte, progress func(done, total int64), down bool, move move,
) error {
	t := chunks{staging: g, on: on, host: host, progress: progress, down: down, move: move}
	t.direct = g.host.contains(host)
	t.async = t.direct || !g.caps.quirks.UnifiedMemory && len(host) > pinnedFrom && g.acquire(min(len(host), g.chunk))
	cancelled := false
	for off := 0; off < len(host) && t.err == nil; off += g.chunk {
		if cancelled = ctx.Err() != nil; cancelled {
			break
		}
		t.enqueue(off, min(g.chunk, len(host)-off))
	}
	t.wait(t.next)
	t.wait(1 - t.next)
	if t.err != nil {
		call := "upload"
		if down {
			call = "download"
		}
		g.queue.fail(fmt.Errorf("%s: %w", call, t.err))
		return g.queue.err
	}
	if cancelled {
		return context.Cause(ctx)
	}
	if on == g.queue.commands { // with another queue, enqueued work may still run
		g.queue.profile.harvest()
	}
	return g.queue.err
}

// chunks is a transfer. Where host and device share memory, or the caller's memory is pinned, its chunks are the
// caller's own memory; elsewhere they go through the two pinned ones.
type chunks struct {
	*staging
	on       *cl.CommandQueue
	host     []byte
	progress func(done, total int64) // may be nil
	move     move
	down     bool // to the host
	direct   bool // the caller's memory is pinned
	async    bool // two chunks are copied at once

	flights [2]flight
	next    int // the flight to use: that of the older chunk
	err     error
}

// flight is a chunk that is being copied.
type flight struct {
	event     *cl.Event // nil when there is none
	off, size int
}

// enqueue begins to copy a chunk, or copies it if it cannot do so asynchronously.
func (t *chunks) enqueue(off, size int) {
	chunk := t.host[off : off+size]
	if t.async {
		t.wait(t.next)
	}
	if t.async && !t.direct {
		staged := t.pinned[t.next].host[:size]
		if !t.down {
			parallel.Copy(staged, chunk)
		}
		chunk = staged
	}
	e, err := t.move(chunk, off, !t.async)
	switch {
	case err != nil:
		t.err = cmp.Or(t.err, err)
	case !t.async:
		e.Release()
		t.report(off + size)
	default:
		t.flights[t.next] = flight{e, off, size}
		t.next = 1 - t.next
		t.err = cmp.Or(t.err, t.on.Flush())
	}
}

// wait waits for the copy of a flight, if there is one. From the device it empties the pinned chunk.
func (t *chunks) wait(i int) {
	f := t.flights[i]
	t.flights[i] = flight{}
	if f.event == nil {
		return
	}
	err := f.event.Wait()
	f.event.Release()
	if err != nil {
		t.err = cmp.Or(t.err, err)
		return
	}
	if t.down && !t.direct {
		parallel.Copy(t.host[f.off:f.off+f.size], t.pinned[i].host)
	}
	t.report(f.off + f.size)
}

func (t *chunks) report(done int) {
	if t.progress != nil {
		t.progress(int64(done), int64(len(t.host)))
	}
}
