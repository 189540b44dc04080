package jobs

import (
	"cmp"
	"context"
	"errors"
	"io"
	"slices"
	"time"
	"unsafe"

	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/internal/async"
	"github.com/suffixcl/suffixcl/internal/limits"
)

// Stream makes the suffix arrays of many texts of up to n bytes, or their transforms: with Want{SA: true} or
// Want{BWT: true}. Each has the result of each text as a part, in the order of the texts. Texts that are small enough
// come in batches, each sorted in one launch: up to 64 KiB with AlgorithmAuto or AlgorithmSmallTexts. Longer ones come
// one after the other. While a text or a batch is sorted, the next is copied to the device and the results of the one
// before from there, from and to pinned memory, so that it takes little longer than sorting or its transfers do.
//
// next writes a text to the slice that it is given, of n bytes, and returns its length; after the last text it returns
// io.EOF. It is called for two batches before the first result is there, and in the goroutine of the loop. It may not
// call the engine: see ErrInCallback. A plan needs no next.
//
// Memory: two batches and what sorting them takes; or that of SuffixArray for n bytes, and text and suffix array once
// more. Texts and results are in pinned host memory, too, twice, which the engine keeps until Close. Errors: those of
// next, after which texts that were read before and not sorted yet are dropped; a *LengthError for a length that next
// cannot have written; those of SuffixArray; another Want. Upload and Download of Stats count the time that the engine
// waits for transfers.
func (e *Engine) Stream(n int, next func(text []byte) (int, error), want Want) Job[*Result, []*Result] {
	transform := want.BWT
	if op := want.simple(Length(1, n)); op != sortedArray && op != sortedBWT || want.Into != nil || want.Documents {
		return refused[*Result, []*Result](e,
			errors.New("suffixcl: a stream makes suffix arrays, or transforms, of bytes in plain order"))
	}
	if wrong := limits.CheckLen("text", n, MaxLen); wrong != nil {
		return refused[*Result, []*Result](e, wrong)
	}
	j := newJob(e, func() (streaming, error) { return newStreaming(e, n, transform) },
		func(c *call, o streaming, yield func(*Result) error) error {
			if err := o.allocate(c.s); err != nil {
				return err
			}
			c.stats.Algorithm = o.sorts()
			var r Result // valid until the next
			if transform {
				return c.stream(o.transforms(c, func(transform []byte, primary int) error {
					r = Result{BWT: Bytes(transform), Primary: primary}
					return yield(&r)
				}), &reader{next: next})
			}
			return c.stream(o.suffixArrays(c, func(sa []uint32) error {
				r = Result{SA: sa}
				return yield(&r)
			}), &reader{next: next})
		}, allResults)
	if next == nil {
		j.run = func(context.Context, func(*Result) error) error { return ErrNoFunction }
	}
	return j
}

// allResults are copies of the results of a stream.
func allResults(run func(yield func(*Result) error) error) (all []*Result, err error) {
	err = run(func(r *Result) error {
		kept := &Result{SA: slices.Clone(r.SA), Primary: r.Primary}
		if transform := r.BWT.Bytes(); transform != nil {
			kept.BWT = Bytes(slices.Clone(transform))
		}
		all = append(all, kept)
		return nil
	})
	if err != nil {
		return nil, err
	}
	return all, nil
}

// streaming is what streams are planned as: singles or batches.
type streaming interface {
	operation
	allocate(s *device.Session) error
	sorts() Algorithm
	suffixArrays(c *call, use func(sa []uint32) error) [2]lane
	transforms(c *call, use func(transform []byte, primary int) error) [2]lane
}

// newStreaming plans a stream of texts of up to n bytes.
func newStreaming(e *Engine, n int, transform bool) (streaming, error) {
	if o := planBatches(e, n, transform); o != nil {
		return o, nil
	}
	return newSingles(e, n, transform)
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
