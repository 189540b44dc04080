package arrays

import (
	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/internal/async"
	"github.com/suffixcl/suffixcl/internal/call"
	"github.com/suffixcl/suffixcl/internal/smalltexts"
	"github.com/suffixcl/suffixcl/internal/sorter"
)

// batches is a stream of small texts, many of which are sorted in one launch. Each lane has one buffer for texts and
// one for results. In front of the texts stand their bounds, and in front of transforms their primary indexes.
type batches struct {
	n           int // bytes of a text
	room        int // bytes of a batch
	most        int // texts of a batch
	sorter      *smalltexts.Sorter
	layout      *device.Layout
	texts       [2]*device.Slot[uint8]
	arrays      [2]*device.Slot[uint32] // of suffix arrays
	transformed [2]*device.Slot[uint8]  // of transforms
	ready       bool                    // all is allocated
	plan        device.MemoryPlan
}

// A batch has room for the bounds of texts of n bytes; of so many if n is less or more.
const minUsualLen, maxUsualLen = 16, 256

// planBatches plans batches of texts of up to n bytes, as large as the memory allows; nil where texts are not for
// batches.
func planBatches(e *call.Engine, n int, transforms bool) *batches {
	small := e.Algorithm == sorter.SmallTexts || e.Algorithm == sorter.Auto
	if !small || n > smalltexts.Longest(e.Session.Caps()) {
		return nil
	}
	for room := smalltexts.BatchBytes(e.Session); ; room /= 2 {
		room = max(room, n)
		o, err := newBatches(e, n, room, 2, transforms)
		if err != nil {
			return nil // a stream of single texts reports it
		}
		if o.Plan().Fits(e.Session) == nil {
			return o
		}
		if room == n || room < minUsualLen {
			return nil
		}
	}
}

func newBatches(e *call.Engine, n, room, lanes int, transforms bool) (o *batches, err error) {
	o = &batches{n: n, room: room, layout: device.NewLayout("")}
	o.most = max(1, room/min(max(n, minUsualLen), maxUsualLen))
	if o.sorter, err = smalltexts.NewBatch(e.Session, n, room/max(n, 1)); err != nil {
		return nil, err
	}
	for i, which := range []string{"", "second "}[:lanes] {
		o.texts[i] = device.Reserve[uint8](o.layout, which+"texts", 4*(o.most+1)+room)
		if transforms {
			o.transformed[i] = device.Reserve[uint8](o.layout, which+"transforms", 4*o.most+room)
		} else {
			o.arrays[i] = device.Reserve[uint32](o.layout, which+"suffix arrays", room)
		}
	}
	host := o.layout.Memory().Device() // texts and results are in pinned memory, too
	o.plan = device.MemoryPlan{call.PhaseOf(o.sorter.Memory(), host, o.layout)}
	return o, nil
}

func (o *batches) Plan() device.MemoryPlan { return o.plan }

func (o *batches) sorts() sorter.Algorithm { return sorter.SmallTexts }

func (o *batches) allocate(s *device.Session) error {
	if o.ready {
		return nil
	}
	if err := o.layout.Allocate(s); err != nil {
		return err
	}
	if err := o.sorter.Allocate(); err != nil {
		return err
	}
	o.ready = true
	return nil
}

func (o *batches) Free(s *device.Session) {
	o.sorter.Release()
	o.layout.Release(s)
	o.ready = false
}

func (o *batches) suffixArrays(c *call.Call, use func(sa []uint32) error) [2]call.Lane {
	return [2]call.Lane{o.arrayLane(c, 0, use), o.arrayLane(c, 1, use)}
}

func (o *batches) arrayLane(c *call.Call, i int, use func(sa []uint32) error) *batchLane {
	sa := o.arrays[i].Buffer(c.Session)
	l, out := o.lane(c, i, call.Words[uint32](o.room))
	l.sort = func(t smalltexts.Texts) { o.sorter.SuffixArrays(t, sa) }
	l.fetch = func(n int) async.Transfer { return async.StartDownload(sa.View(0, n), out[:n]) }
	l.use = func(_, from, to int) error { return use(out[from:to:to]) }
	return l
}

func (o *batches) transforms(c *call.Call, use func(transform []byte, primary int) error) [2]call.Lane {
	return [2]call.Lane{o.transformLane(c, 0, use), o.transformLane(c, 1, use)}
}

func (o *batches) transformLane(c *call.Call, i int, use func(transform []byte, primary int) error) *batchLane {
	header := 4 * o.most
	result := o.transformed[i].Buffer(c.Session)
	primaries := device.Reinterpret[uint32](result.View(0, header))
	l, rows := o.lane(c, i, call.Words[uint8](header+o.room))
	out := call.Cast[uint8](rows, header+o.room)
	l.sort = func(t smalltexts.Texts) { o.sorter.Transforms(t, result.View(header, t.Bytes.Len()), primaries) }
	l.fetch = func(n int) async.Transfer { return async.StartDownload(result.View(0, header+n), out[:header+n]) }
	l.use = func(text, from, to int) error { return use(out[header+from:header+to:header+to], int(rows[text])) }
	return l
}

// batchLane has one batch at a time. Bounds are where its texts begin, and where the last one ends.
type batchLane struct {
	c      *call.Call
	n      int                   // bytes of a text
	memory *device.Buffer[uint8] // bounds and texts
	in     []byte                // pinned, the same
	header int                   // bytes of bounds
	bounds []uint32              // pinned, those of `in`

	got        int      // texts in `in`
	sent, done []uint32 // bounds of the batches that were uploaded and computed last, empty where there is none

	sort  func(smalltexts.Texts)
	fetch func(n int) async.Transfer     // begins to copy the results of n bytes of texts
	use   func(text, from, to int) error // hands out one result
}

// lane gives a lane its memory; results are so many words.
func (o *batches) lane(c *call.Call, i, results int) (l *batchLane, out []uint32) {
	header := 4 * (o.most + 1)
	memory := c.Engine.HostMemory(i, results+call.Words[uint8](header+o.room))
	in := memory[results:]
	return &batchLane{c: c, n: o.n, memory: o.texts[i].Buffer(c.Session),
		in: call.Cast[uint8](in, header+o.room), header: header, bounds: in[:o.most+1]}, memory[:results]
}

func (l *batchLane) Read(r *call.Reader) error {
	l.got, l.bounds[0] = 0, 0
	texts := l.in[l.header:]
	for l.got+1 < len(l.bounds) {
		at := int(l.bounds[l.got])
		if at+l.n > len(texts) {
			break
		}
		n, err := r.Read(texts[at : at+l.n : at+l.n])
		if err != nil {
			return err
		}
		if n < 0 {
			break
		}
		l.got++
		l.bounds[l.got] = uint32(at + n)
	}
	return nil
}

func (l *batchLane) Upload() async.Transfer {
	if l.got == 0 {
		l.sent = l.sent[:0]
		return nil
	}
	l.sent = append(l.sent[:0], l.bounds[:l.got+1]...)
	bytes := l.header + int(l.sent[l.got])
	return async.StartUpload(l.memory.View(0, bytes), l.in[:bytes])
}

func (l *batchLane) Compute() error {
	count, most := len(l.sent)-1, 0
	n := int(l.sent[count])
	for i := range count {
		most = max(most, int(l.sent[i+1]-l.sent[i]))
	}
	l.c.Progress(smalltexts.Phase, 0, int64(n))
	l.sort(smalltexts.Texts{
		Bytes: l.memory.View(l.header, n), Bounds: device.Reinterpret[uint32](l.memory.View(0, l.header)),
		Count: count, Most: most,
	})
	if err := l.c.Session.Finish(); err != nil {
		return err
	}
	l.c.Progress(smalltexts.Phase, int64(n), int64(n))
	return nil
}

func (l *batchLane) Download() async.Transfer {
	l.done = append(l.done[:0], l.sent...)
	return l.fetch(int(l.done[len(l.done)-1]))
}

func (l *batchLane) Deliver() error {
	for i := range max(len(l.done)-1, 0) {
		if err := l.use(i, int(l.done[i]), int(l.done[i+1])); err != nil {
			return err
		}
	}
	return nil
}
