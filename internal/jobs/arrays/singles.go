package arrays

import (
	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/internal/async"
	"github.com/suffixcl/suffixcl/internal/call"
	"github.com/suffixcl/suffixcl/internal/sorter"
)

// singles is a stream whose texts are sorted one after the other: a source with what a stream has twice.
type singles struct {
	*Source
	second          *device.Layout
	secondText      *device.Slot[uint8]
	secondSA        *device.Slot[uint32] // of suffix arrays
	secondTransform *device.Slot[uint8]  // of transforms
}

func newSingles(e *call.Engine, n int, transform bool) (_ *singles, err error) {
	l := device.NewLayout("")
	o := &singles{second: l, secondText: device.Reserve[uint8](l, "second text", n)}
	if transform {
		o.secondTransform = device.Reserve[uint8](l, "second transform", n)
		o.Source, err = newTransformed(e, n, 4, l)
	} else {
		o.secondSA = device.Reserve[uint32](l, "second suffix array", n)
		o.Source, err = newSorted(e, n, 10, l)
	}
	if err != nil {
		return nil, err
	}
	return o, nil
}

func (o *singles) sorts() sorter.Algorithm { return o.algorithm }

func (o *singles) allocate(s *device.Session) error {
	if err := o.Source.allocate(s); err != nil {
		return err
	}
	return o.second.Allocate(s)
}

func (o *singles) Free(s *device.Session) {
	o.second.Release(s)
	o.Source.Free(s)
}

func (o *singles) suffixArrays(c *call.Call, use func(sa []uint32) error) [2]call.Lane {
	sort := func(text *device.Buffer[uint8], sa *device.Buffer[uint32]) (int, error) {
		return 0, o.sorter.Run(c.Ctx, text, sa, c.Progress)
	}
	results := [2]*device.Buffer[uint32]{o.sa.Buffer(c.Session), o.secondSA.Buffer(c.Session)}
	return newSingleLanes(c, o, results, sort, func(sa []uint32, _ int) error { return use(sa) })
}

func (o *singles) transforms(c *call.Call, use func(transform []byte, primary int) error) [2]call.Lane {
	transform := func(text, out *device.Buffer[uint8]) (int, error) {
		return o.sorter.RunBWT(c.Ctx, text, o.sa.Buffer(c.Session).View(0, text.Len()), out, c.Progress)
	}
	results := [2]*device.Buffer[uint8]{o.transform.Buffer(c.Session), o.secondTransform.Buffer(c.Session)}
	return newSingleLanes(c, o, results, transform, use)
}

// singleLane has one text at a time. Lengths are -1 where there is none.
type singleLane[T device.Element] struct {
	text   *device.Buffer[uint8]
	result *device.Buffer[T]
	in     []byte // pinned
	out    []T    // pinned
	run    func(text *device.Buffer[uint8], result *device.Buffer[T]) (primary int, err error)
	use    func(result []T, primary int) error

	got, sent, done int // lengths of the texts that were read, uploaded and computed last
	sentRow, row    int // primary indexes of the last two
}

// newSingleLanes gives each lane its part of the memory.
func newSingleLanes[T device.Element](c *call.Call, o *singles, results [2]*device.Buffer[T],
	run func(*device.Buffer[uint8], *device.Buffer[T]) (int, error), use func([]T, int) error) (lanes [2]call.Lane) {
	texts := [2]*device.Buffer[uint8]{o.text.Buffer(c.Session), o.secondText.Buffer(c.Session)}
	for i := range lanes {
		out := call.Words[T](o.N)
		memory := c.Engine.HostMemory(i, out+call.Words[uint8](o.N))
		lanes[i] = &singleLane[T]{text: texts[i], result: results[i], in: call.Cast[uint8](memory[out:], o.N),
			out: call.Cast[T](memory, o.N), run: run, use: use, got: -1, sent: -1, done: -1}
	}
	return lanes
}

func (l *singleLane[T]) Read(r *call.Reader) (err error) {
	l.got, err = r.Read(l.in)
	return err
}

func (l *singleLane[T]) Upload() async.Transfer {
	if l.sent = l.got; l.sent < 0 {
		return nil
	}
	return async.StartUpload(l.text.View(0, l.sent), l.in[:l.sent])
}

func (l *singleLane[T]) Compute() (err error) {
	l.sentRow, err = l.run(l.text.View(0, l.sent), l.result.View(0, l.sent))
	return err
}

func (l *singleLane[T]) Download() async.Transfer {
	l.done, l.row = l.sent, l.sentRow
	return async.StartDownload(l.result.View(0, l.done), l.out[:l.done])
}

func (l *singleLane[T]) Deliver() error {
	if l.done < 0 {
		return nil
	}
	return l.use(l.out[:l.done], l.row)
}
