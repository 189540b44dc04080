package suffixcl

import (
	"cmp"
	"context"
	"errors"
	"io"
	"time"
	"unsafe"

	"golang.org/x/sync/errgroup"

	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/internal/async"
	"github.com/suffixcl/suffixcl/internal/limits"
)

// SuffixArrays sorts the suffixes of many texts of up to n bytes, one text after the other. While one is
// sorted, the next is copied to the device and the result of the one before from there, from and to pinned
// memory, so that a text takes little longer than sorting or its transfers do.
//
// next writes a text to the slice that it is given, of n bytes, and returns its length; after the last
// text it returns io.EOF. use gets the suffix arrays in the order of the texts, each valid until it
// returns. Both are called by another goroutine while texts are sorted, never at the same time, and
// may not call the engine: see ErrInCallback.
//
// Memory: Plan(OpSuffixArrays), which is that of SuffixArray for n bytes, and text and suffix array once more on the
// device, twice in pinned host memory, which the engine keeps until Close. Errors: those of next and use, a
// *LengthError for a length that next cannot have written, and those of SuffixArray. Upload and Download of Stats count
// the time that the engine waits for transfers.
func (e *Engine) SuffixArrays(
	ctx context.Context, n int, next func(text []byte) (int, error), use func(sa []uint32) error,
) error {
	return e.stream(ctx, n, newSuffixArrays, func(c *call, o *streaming) error {
		results := [2]*device.Buffer[uint32]{o.sa.Buffer(c.s), o.secondSA.Buffer(c.s)}
		sort := func(text *device.Buffer[uint8], sa *device.Buffer[uint32]) (int, error) {
			return 0, o.sorter.Run(ctx, text, sa, c.progress)
		}
		return stream(c, o, results, next, sort, func(sa []uint32, _ int) error { return use(sa) })
	})
}

// BWTs is SuffixArrays for Burrows-Wheeler transforms, in the convention of BWT. Memory: Plan(OpBWTs).
func (e *Engine) BWTs(
	ctx context.Context, n int, next func(text []byte) (int, error), use func(transform []byte, primary int) error,
) error {
	return e.stream(ctx, n, newBWTs, func(c *call, o *streaming) error {
		results := [2]*device.Buffer[uint8]{o.transform.Buffer(c.s), o.secondTransform.Buffer(c.s)}
		transform := func(text, out *device.Buffer[uint8]) (int, error) {
			return o.sorter.RunBWT(ctx, text, o.sa.Buffer(c.s).View(0, text.Len()), out, c.progress)
		}
		return stream(c, o, results, next, transform, use)
	})
}

// streaming is a source with what a stream has twice.
type streaming struct {
	*source
	second          *device.Layout
	secondText      *device.Slot[uint8]
	secondSA        *device.Slot[uint32]
	secondTransform *device.Slot[uint8]
}

func newSuffixArrays(e *Engine, n int) (o *streaming, err error) {
	o = newStreaming(n)
	o.secondSA = device.Reserve[uint32](o.second, "second suffix array", n)
	o.source, err = newSorted(e, n, 10, o.second)
	return o, err
}

func newBWTs(e *Engine, n int) (o *streaming, err error) {
	o = newStreaming(n)
	o.secondTransform = device.Reserve[uint8](o.second, "second transform", n)
	o.source, err = newTransformed(e, n, 4, o.second)
	return o, err
}

func newStreaming(n int) *streaming {
	l := device.NewLayout("")
	return &streaming{second: l, secondText: device.Reserve[uint8](l, "second text", n)}
}

func (o *streaming) release(s *device.Session) {
	o.second.Release(s)
	o.source.release(s)
}

// stream plans and allocates a stream of texts of up to n bytes, for body.
func (e *Engine) stream(
	ctx context.Context, n int, plan func(*Engine, int) (*streaming, error), body func(*call, *streaming) error,
) error {
	if err := limits.CheckLen("text", n, MaxLen); err != nil {
		return err
	}
	c, err := e.begin(ctx)
	if err != nil {
		return err
	}
	defer c.end()
	c.alone()
	o, err := plan(e, n)
	if err != nil {
		return err
	}
	if err := o.memory().Fits(c.s); err != nil {
		return err
	}
	defer o.release(c.s)
	if err := o.allocate(c.s); err != nil {
		return err
	}
	if err := o.second.Allocate(c.s); err != nil {
		return err
	}
	c.stats.Algorithm = o.algorithm
	return body(c, o)
}

// lane is the way of every other text of a stream.
type lane[T device.Element] struct {
	text     *device.Buffer[uint8]
	in       []byte // pinned
	n        int    // length of the text in `in`, or -1
	result   *device.Buffer[T]
	out      []T // pinned
	length   int // of the result in `out`, or -1
	primary  int
	up, down async.Transfer
}

// words is how many words n elements take, and one more.
func words[T device.Element](n int) int { return n*int(unsafe.Sizeof(*new(T)))/4 + 1 }

// as is the first n elements of memory.
func as[T device.Element](memory []uint32, n int) []T {
	return unsafe.Slice((*T)(unsafe.Pointer(&memory[0])), n)
}

// newLanes gives each lane its part of the memory.
func newLanes[T device.Element](c *call, o *streaming, results [2]*device.Buffer[T]) (lanes [2]lane[T]) {
	texts := [2]*device.Buffer[uint8]{o.text.Buffer(c.s), o.secondText.Buffer(c.s)}
	for i := range lanes {
		out := words[T](o.n)
		landing := c.e.landing(i, out+words[uint8](o.n))
		lanes[i] = lane[T]{text: texts[i], in: as[uint8](landing[out:], o.n), n: -1,
			result: results[i], out: as[T](landing, o.n), length: -1}
	}
	return lanes
}

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

// begin starts to upload the text that was read, if there is one.
func (l *lane[T]) begin() {
	if l.n >= 0 {
		l.up = async.StartUpload(l.text.View(0, l.n), l.in[:l.n])
	}
}

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

// stream sorts the texts of next, by compute, for use.
func stream[T device.Element](c *call, o *streaming, results [2]*device.Buffer[T], next func([]byte) (int, error),
	compute func(*device.Buffer[uint8], *device.Buffer[T]) (int, error), use func([]T, int) error) error {
	stats, texts := &c.stats, reader{next: next}
	c.callsBack()
	lanes := newLanes(c, o, results)
	defer func() { // before memory is released
		for i := range lanes {
			wait(&lanes[i].up, &stats.Upload)
			wait(&lanes[i].down, &stats.Download)
		}
	}()
	read := func(l *lane[T]) (err error) {
		l.n, err = texts.read(l.in)
		return err
	}
	deliver := func(l *lane[T]) error {
		if l.length < 0 {
			return nil
		}
		return use(l.out[:l.length], l.primary)
	}
	if err := read(&lanes[0]); err != nil {
		return err
	}
	lanes[0].begin()
	if err := read(&lanes[1]); err != nil {
		return err
	}
	now, other := &lanes[0], &lanes[1]
	for ; now.n >= 0; now, other = other, now {
		if err := cmp.Or(c.s.Check(c.ctx), wait(&now.up, &stats.Upload)); err != nil {
			return err
		}
		other.begin()
		if err := wait(&now.down, &stats.Download); err != nil { // of the text before the one before
			return err
		}
		n, primary := now.n, 0
		var host errgroup.Group
		host.Go(func() error {
			c.e.callers.stream.Store(goroutine())
			if err := deliver(now); err != nil {
				return err
			}
			return read(now)
		})
		err := c.compute(func() (err error) {
			primary, err = compute(now.text.View(0, n), now.result.View(0, n))
			return err
		})
		if err := cmp.Or(err, host.Wait()); err != nil {
			return err
		}
		now.length, now.primary = n, primary
		now.down = async.StartDownload(now.result.View(0, n), now.out[:n])
	}
	for _, l := range []*lane[T]{now, other} {
		if err := cmp.Or(wait(&l.down, &stats.Download), c.s.Check(c.ctx)); err != nil {
			return err
		}
		if err := deliver(l); err != nil {
			return err
		}
	}
	return nil
}
