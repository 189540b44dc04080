package distributed

import (
	"context"

	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/internal/async"
	"github.com/suffixcl/suffixcl/internal/tuned"
)

// wideChunk is the number of entries that a download takes at a time, where host and device share memory and elsewhere.
var wideChunk = map[bool]int{true: 1 << 17, false: 1 << 22}

// chunks are host memory for downloads, pinned where that is faster.
type chunks struct {
	memory [2][]uint32
	pinned []*device.Pinned[uint32]
}

// newChunks has memory for downloads of n entries. Pinned memory may be scarce: downloads do without.
func newChunks(s *device.Session, n int) *chunks {
	c := new(chunks)
	for i := range c.memory {
		if !tuned.Quirks(s.Caps()).UnifiedMemory {
			if pinned, err := device.AllocPinned[uint32](s, n); err == nil {
				c.memory[i], c.pinned = pinned.Slice(), append(c.pinned, pinned)
				continue
			}
		}
		c.memory[i] = make([]uint32, n)
	}
	return c
}

func (c *chunks) release() {
	if c == nil {
		return
	}
	for _, p := range c.pinned {
		p.Release()
	}
}

// downloadWide copies entries of 32 bits to ones of 64. While the host widens a chunk, the next one comes.
func (b *Builder) downloadWide(ctx context.Context, from *device.Buffer[uint32], to []uint64) error {
	if err := b.session.Finish(); err != nil {
		return err
	}
	c, chunk := b.chunks, wideChunk[tuned.Quirks(b.session.Caps()).UnifiedMemory]
	if c == nil {
		c = newChunks(b.session, min(len(to), chunk))
		if len(to) >= chunk {
			b.chunks = c // pinning takes longer than copying
		} else {
			defer c.release()
		}
	}
	start := func(k, at int) async.Transfer {
		n := min(chunk, len(to)-at)
		return async.StartDownload(from.View(at, n), c.memory[k%2][:n])
	}
	var next async.Transfer
	if len(to) > 0 {
		next = start(0, 0)
	}
	for k, at := 0, 0; at < len(to); k, at = k+1, at+chunk {
		if err := next.Wait(); err != nil {
			return err
		}
		n, more := min(chunk, len(to)-at), at+chunk
		if err := ctx.Err(); err != nil {
			return context.Cause(ctx)
		}
		if more < len(to) {
			next = start(k+1, more)
		}
		widen(to[at:at+n], c.memory[k%2])
	}
	return nil
}
