package suffixcl

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"time"
	"unsafe"

	"golang.org/x/sync/errgroup"

	"github.com/suffixcl/suffixcl/device"
)

// SuffixArrays sorts the suffixes of many texts of up to n bytes, one text after the other. While one is
// sorted, the next is copied to the device and the result of the one before from there, from and to pinned
// memory, so that a text takes little longer than sorting or its transfers do.
//
// next writes a text to the slice that it is given, of n bytes, and returns its length; behind the last
// text it returns io.EOF. use gets the suffix arrays in the order of the texts, each valid until it
// returns. Both are called by another goroutine while texts are sorted, never at the same time, and
// must not use the engine.
//
// Memory: that of SuffixArray for n bytes, and text and suffix array once more on the device, twice in
// pinned host memory, which the engine keeps until Close. Errors: those of next and use, a length that
// next cannot have written, and those of SuffixArray. Upload and Download of Stats are what was waited for.
func (e *Engine) SuffixArrays(ctx context.Context, n int, next func(text []byte) (int, error), use func(sa []uint32) error) error {
	return e.run(ctx, OpSuffixArrays, n, func(o *operation) error {
		return stream(o, [2]*device.Buffer[uint32]{o.sa, o.otherSA.Buffer(e.session)}, next,
			func(text *device.Buffer[uint8], sa *device.Buffer[uint32]) (int, error) {
				return 0, o.sorter.Run(o.ctx, text, sa, o.progress)
			},
			func(sa []uint32, _ int) error { return use(sa) })
	})
}

// BWTs is SuffixArrays for Burrows-Wheeler transforms, in the convention of BWT.
func (e *Engine) BWTs(ctx context.Context, n int, next func(text []byte) (int, error), use func(transform []byte, primary int) error) error {
	return e.run(ctx, OpBWTs, n, func(o *operation) error {
		sorter := o.sorter.(Transformer) // see transformingEach
		return stream(o, [2]*device.Buffer[uint8]{o.outSlot.Buffer(e.session), o.otherOut.Buffer(e.session)}, next,
			func(text, transform *device.Buffer[uint8]) (int, error) {
				return sorter.RunBWT(o.ctx, text, o.sa.View(0, text.Len()), transform, o.progress)
			}, use)
	})
}

// otherText and what follows it are room for what a stream has twice.
func otherText(o *operation, n int) error {
	o.otherText = device.Reserve[uint8](o.input, "next text", n)
	return nil
}

func otherSA(o *operation, n int) error {
	o.otherSA = device.Reserve[uint32](o.resident, "suffix array of the text before", n)
	return nil
}

func otherOut(o *operation, n int) error {
	o.otherOut = device.Reserve[uint8](o.resident, "transform of the text before", n)
	return nil
}

// transformingEach is transforming while the sorter keeps its memory.
func transformingEach(o *operation, _ int) error {
	t := Transforming(o.e.session, o.sorter)
	o.sorter = t
	last := &o.memory[len(o.memory)-1]
	*last = o.phaseOf(t.Memory(), last.Host)
	return nil
}

// lane is what every other text of a stream goes through.
type lane[T device.Element] struct {
	text     *device.Buffer[uint8]
	in       []byte // pinned
	n        int    // length of the text in `in`, or -1
	result   *device.Buffer[T]
	out      []T // pinned
	length   int // of the result in `out`, or -1
	primary  int
	up, down *device.Transfer
}

// words is how many words n elements take, and one more.
func words[T device.Element](n int) int { return n*int(unsafe.Sizeof(*new(T)))/4 + 1 }

// as is the first n elements of memory.
func as[T device.Element](memory []uint32, n int) []T {
	return unsafe.Slice((*T)(unsafe.Pointer(&memory[0])), n)
}

// stream sorts what next has, by compute, for use.
func stream[T device.Element](o *operation, results [2]*device.Buffer[T], next func([]byte) (int, error),
	compute func(*device.Buffer[uint8], *device.Buffer[T]) (int, error), use func([]T, int) error) error {
	s, stats := o.e.session, &o.e.stats
	if err := o.sorter.Allocate(); err != nil {
		return err
	}
	lanes := [2]lane[T]{{text: o.text}, {text: o.otherText.Buffer(s)}}
	for i := range lanes {
		l := &lanes[i]
		size := l.text.Len()
		out := words[T](size)
		landing := o.e.landing(i, out+words[uint8](size))
		l.out, l.in = as[T](landing, size), as[uint8](landing[out:], size)
		l.result, l.n, l.length = results[i], -1, -1
	}
	wait := func(t **device.Transfer, d *time.Duration) (err error) {
		began := time.Now()
		if *t != nil {
			err = (*t).Wait()
			*t = nil
		}
		*d += time.Since(began)
		return err
	}
	defer func() { // before memory is released
		for i := range lanes {
			wait(&lanes[i].up, &stats.Upload)
			wait(&lanes[i].down, &stats.Download)
		}
	}()
	ended := false
	read := func(l *lane[T]) (err error) {
		if l.n = -1; ended {
			return nil
		}
		n, err := next(l.in)
		if errors.Is(err, io.EOF) {
			ended = true
			return nil
		}
		if err == nil && (n < 0 || n > len(l.in)) {
			err = fmt.Errorf("suffixcl: a text of %d bytes, with room for %d", n, len(l.in))
		}
		l.n = n
		return err
	}
	begin := func(l *lane[T]) {
		if l.n >= 0 {
			l.up = l.text.View(0, l.n).StartUpload(l.in[:l.n])
		}
	}
	give := func(l *lane[T]) error {
		if l.length < 0 {
			return nil
		}
		return use(l.out[:l.length], l.primary)
	}
	if err := read(&lanes[0]); err != nil {
		return err
	}
	begin(&lanes[0])
	if err := read(&lanes[1]); err != nil {
		return err
	}
	now, other := &lanes[0], &lanes[1]
	for ; now.n >= 0; now, other = other, now {
		if err := cmp.Or(s.Check(o.ctx), wait(&now.up, &stats.Upload)); err != nil {
			return err
		}
		begin(other)
		if err := wait(&now.down, &stats.Download); err != nil { // of the text before the one before
			return err
		}
		n, primary := now.n, 0
		var host errgroup.Group
		host.Go(func() error {
			if err := give(now); err != nil {
				return err
			}
			return read(now)
		})
		err := o.timed(&stats.Compute, func() (err error) {
			primary, err = compute(now.text.View(0, n), now.result.View(0, n))
			return err
		})
		if err := cmp.Or(err, host.Wait()); err != nil {
			return err
		}
		now.length, now.primary = n, primary
		now.down = now.result.View(0, n).StartDownload(now.out[:n])
	}
	for _, l := range []*lane[T]{now, other} {
		if err := cmp.Or(wait(&l.down, &stats.Download), s.Check(o.ctx)); err != nil {
			return err
		}
		if err := give(l); err != nil {
			return err
		}
	}
	return nil
}
