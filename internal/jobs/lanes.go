package jobs

import (
	"cmp"
	"errors"
	"io"
	"time"
	"unsafe"

	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/internal/async"
	"github.com/suffixcl/suffixcl/internal/limits"
)

// reader reads the texts of a stream.
type reader struct {
	next  func([]byte) (int, error)
	ended bool
}

// read returns the length of the next text, or -1 after the last.
func (r *reader) read(in []byte) (n int, err error) {
	if r.ended {
		return -1, nil
	}
	n, err = r.next(in)
	if errors.Is(err, io.EOF) {
		r.ended = true
		return -1, nil
	}
	if err != nil {
		return -1, err
	}
	return n, limits.CheckLen("text", n, len(in))
}

// lane is the way of every other part of a stream: of a text, or a batch of texts. A part may be read while the one
// before it in the same lane is computed.
type lane interface {
	read(r *reader) error     // reads a part, if there is one left
	upload() async.Transfer   // begins to copy it to the device; nil if none was read
	compute() error           // of the part that was uploaded last
	download() async.Transfer // begins to copy the result of the part that was computed last
	deliver() error           // hands out the result that was downloaded last, if there is one
}

// transfers of a lane that may not have ended.
type transfers struct{ up, down async.Transfer }

// wait waits for a transfer, if there is one, and adds the time.
func wait(t *async.Transfer, d *time.Duration) (err error) {
	began := time.Now()
	if *t != nil {
		err = (*t).Wait()
		*t = nil
	}
	*d += time.Since(began)
	return err
}

// stream takes the texts through the lanes in turns.
func (c *call) stream(lanes [2]lane, texts *reader) error {
	stats := &c.stats
	var moves [2]transfers
	defer func() { // before memory is released
		for i := range moves {
			wait(&moves[i].up, &stats.Upload)
			wait(&moves[i].down, &stats.Download)
		}
	}()
	if err := lanes[0].read(texts); err != nil {
		return err
	}
	moves[0].up = lanes[0].upload()
	if err := lanes[1].read(texts); err != nil {
		return err
	}
	now := 0
	for ; moves[now].up != nil; now = 1 - now {
		l, m, other := lanes[now], &moves[now], 1-now
		if err := cmp.Or(c.s.Check(c.ctx), wait(&m.up, &stats.Upload)); err != nil {
			return err
		}
		moves[other].up = lanes[other].upload()
		if err := wait(&m.down, &stats.Download); err != nil { // of the part before the one before
			return err
		}
		if err := c.meanwhile(l.compute, func() error { return cmp.Or(l.deliver(), l.read(texts)) }); err != nil {
			return err
		}
		m.down = l.download()
	}
	for _, i := range []int{now, 1 - now} {
		if err := cmp.Or(wait(&moves[i].down, &stats.Download), c.s.Check(c.ctx)); err != nil {
			return err
		}
		if err := lanes[i].deliver(); err != nil {
			return err
		}
	}
	return nil
}

// meanwhile computes in another goroutine while the host does something in this one.
func (c *call) meanwhile(compute, host func() error) (err error) {
	computed := make(chan error, 1)
	go func() {
		c.e.callers.stream.Store(goroutine()) // which tells progress
		computed <- c.compute(compute)
	}()
	defer func() { err = cmp.Or(<-computed, err) }() // also where a loop's body panics
	return host()
}

// words is how many words n elements take, and one more.
func words[T device.Element](n int) int { return n*int(unsafe.Sizeof(*new(T)))/4 + 1 }

// as is the first n elements of memory.
func as[T device.Element](memory []uint32, n int) []T {
	return unsafe.Slice((*T)(unsafe.Pointer(&memory[0])), n)
}
