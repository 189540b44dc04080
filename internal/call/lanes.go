package call

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

// Reader reads the texts of a stream.
type Reader struct {
	Next  func([]byte) (int, error)
	ended bool
}

// Read returns the length of the next text, or -1 after the last.
func (r *Reader) Read(in []byte) (n int, err error) {
	if r.ended {
		return -1, nil
	}
	n, err = r.Next(in)
	if errors.Is(err, io.EOF) {
		r.ended = true
		return -1, nil
	}
	if err != nil {
		return -1, err
	}
	return n, limits.CheckLen("text", n, len(in))
}

// Lane is the way of every other part of a stream: of a text, or a batch of texts. A part may be read while the one
// before it in the same lane is computed.
type Lane interface {
	Read(r *Reader) error     // reads a part, if there is one left
	Upload() async.Transfer   // begins to copy it to the device; nil if none was read
	Compute() error           // of the part that was uploaded last
	Download() async.Transfer // begins to copy the result of the part that was computed last
	Deliver() error           // hands out the result that was downloaded last, if there is one
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

// Stream takes the texts through the lanes in turns.
func (c *Call) Stream(lanes [2]Lane, texts *Reader) error {
	stats := &c.Stats
	var moves [2]transfers
	defer func() { // before memory is released
		for i := range moves {
			wait(&moves[i].up, &stats.Upload)
			wait(&moves[i].down, &stats.Download)
		}
	}()
	if err := lanes[0].Read(texts); err != nil {
		return err
	}
	moves[0].up = lanes[0].Upload()
	if err := lanes[1].Read(texts); err != nil {
		return err
	}
	now := 0
	for ; moves[now].up != nil; now = 1 - now {
		l, m, other := lanes[now], &moves[now], 1-now
		if err := cmp.Or(c.Session.Check(c.Ctx), wait(&m.up, &stats.Upload)); err != nil {
			return err
		}
		moves[other].up = lanes[other].Upload()
		if err := wait(&m.down, &stats.Download); err != nil { // of the part before the one before
			return err
		}
		if err := c.meanwhile(l.Compute, func() error { return cmp.Or(l.Deliver(), l.Read(texts)) }); err != nil {
			return err
		}
		m.down = l.Download()
	}
	for _, i := range []int{now, 1 - now} {
		if err := cmp.Or(wait(&moves[i].down, &stats.Download), c.Session.Check(c.Ctx)); err != nil {
			return err
		}
		if err := lanes[i].Deliver(); err != nil {
			return err
		}
	}
	return nil
}

// meanwhile computes in another goroutine while the host does something in this one.
func (c *Call) meanwhile(compute, host func() error) (err error) {
	computed := make(chan error, 1)
	go func() {
		c.Engine.callbacks.stream.Store(goroutine()) // which tells progress
		computed <- c.Compute(compute)
	}()
	defer func() { err = cmp.Or(<-computed, err) }() // also where a loop's body panics
	return host()
}

// Words is how many words n elements take, and one more.
func Words[T device.Element](n int) int { return n*int(unsafe.Sizeof(*new(T)))/4 + 1 }

// Cast is the first n elements of memory.
func Cast[T device.Element](memory []uint32, n int) []T {
	return unsafe.Slice((*T)(unsafe.Pointer(&memory[0])), n)
}
