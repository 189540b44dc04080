package arrays

import (
	"context"

	"github.com/suffixcl/suffixcl/internal/async"
	"github.com/suffixcl/suffixcl/internal/call"
	"github.com/suffixcl/suffixcl/internal/input"
	"github.com/suffixcl/suffixcl/internal/smalltexts"
	"github.com/suffixcl/suffixcl/internal/sorter"
)

// Most of what is sorted together: bytes, and texts, for whose bounds a batch has room.
const (
	joinedBytes = 1 << 20
	joinedTexts = joinedBytes / maxUsualLen
)

// The kinds of what several goroutines want.
var (
	gatheredArrays = call.Kind{Name: "suffix arrays of several callers", Memory: true}
	gatheredBWTs   = call.Kind{Name: "transforms of several callers", Memory: true}
)

// gatherers are those of an engine.
type gatherers struct {
	arrays, transforms call.Gatherer[joined, []Result]
}

// joined are texts one after the other. Bounds are where each begins, and where the last one ends.
type joined struct {
	bytes  []byte
	bounds []uint32
	most   int // bytes of a text
}

// gathered is a run of a small text that is sorted together with those of other goroutines that wait for the engine:
// one that would be sorted by AlgorithmSmallTexts alone, too. Others have a run for themselves.
func (a simpleArray) gathered(e *call.Engine, op call.Kind, each func(*call.Call, func(*Result) error) error,
	alone func(context.Context, func(*Result) error) error) func(context.Context, func(*Result) error) error {
	return func(ctx context.Context, yield func(*Result) error) error {
		if !e.Opened() || !sortsSmall(e, a.n) {
			return alone(ctx, yield)
		}
		g := call.Shared[gatherers](e)
		q := &sortQuestion{simpleArray: a, kind: gatheredArrays, each: each, yield: yield}
		if op == sortedBWT {
			q.kind = gatheredBWTs
			return g.transforms.Ask(ctx, e, q)
		}
		return g.arrays.Ask(ctx, e, q)
	}
}

// sortsSmall tells whether texts of n bytes are sorted by AlgorithmSmallTexts.
func sortsSmall(e *call.Engine, n int) bool {
	caps := e.Session.Caps()
	switch {
	case n == 0 || n > smalltexts.Longest(caps):
		return false
	case e.Algorithm == sorter.Auto:
		return sorter.Automatic(caps, n)[0] == sorter.SmallTexts
	}
	return e.Algorithm == sorter.SmallTexts
}

// sortQuestion asks for the suffix array of a text, or for its transform.
type sortQuestion struct {
	simpleArray
	kind   call.Kind
	each   func(c *call.Call, yield func(*Result) error) error // of the text alone
	yield  func(*Result) error
	number int // of the text among those that have joined
}

func (q *sortQuestion) transforms() bool { return q.kind == gatheredBWTs }

// Alone sorts the text as it is, or, where the last run was for several, as a batch of one: callers that are few have
// runs of both kinds in turns, and the memory of one of them is kept.
func (q *sortQuestion) Alone(c *call.Call) error {
	if !c.Holds(q.kind, q.n) {
		return q.each(c, q.yield)
	}
	var one joined
	q.Join(&one)
	results, err := q.Together(c, &one)
	if err != nil {
		return err
	}
	c.CallsBack()
	return q.yield(q.own(results))
}

// Join copies the text.
func (q *sortQuestion) Join(all *joined) bool {
	if len(all.bounds) == 0 {
		all.bounds = append(all.bounds, 0)
	}
	q.number = len(all.bounds) - 1
	if q.number == joinedTexts || len(all.bytes)+q.n > joinedBytes {
		return false
	}
	all.bytes = append(all.bytes, q.text...)
	all.bounds = append(all.bounds, uint32(len(all.bytes)))
	all.most = max(all.most, q.n)
	return true
}

// Together sorts all texts in a launch or two. The results are in memory of the engine.
func (q *sortQuestion) Together(c *call.Call, all *joined) (results []Result, err error) {
	o, err := call.Prepare(c, q.kind, all.most, func(e *call.Engine, n int) (*batches, error) {
		return newBatches(e, n, joinedBytes, 1, q.transforms())
	})
	if err != nil {
		return nil, err
	}
	defer c.Done(q.kind, o, &err)
	if err := o.allocate(c.Session); err != nil {
		return nil, err
	}
	c.Stats.Algorithm = o.sorts()
	var l *batchLane
	if q.transforms() {
		l = o.transformLane(c, 0, func(transform []byte, primary int) error {
			results = append(results, Result{BWT: input.Bytes(transform), Primary: primary})
			return nil
		})
	} else {
		l = o.arrayLane(c, 0, func(sa []uint32) error {
			results = append(results, Result{SA: sa})
			return nil
		})
	}
	err = c.Stream([2]call.Lane{&joinedLane{l, all}, noLane{}}, nil)
	return results, err
}

// Receive copies the result.
func (q *sortQuestion) Receive(c *call.Call, all []Result) error {
	own := q.own(all)
	defer c.Receives()()
	return q.yield(own)
}

// own is the result in memory of the caller.
func (q *sortQuestion) own(all []Result) *Result {
	own, into := all[q.number], q.want.into()
	if q.transforms() {
		own.BWT = input.Bytes(append(either(into.BWT.Bytes(), make([]byte, q.n))[:0], own.BWT.Bytes()...))
	} else {
		own.SA = append(either(into.SA, make([]uint32, q.n))[:0], own.SA...)
	}
	return &own
}

// joinedLane has one batch, which is there.
type joinedLane struct {
	*batchLane
	all *joined // nil once it was read
}

func (l *joinedLane) Read(*call.Reader) error {
	l.got = 0
	if l.all != nil {
		l.got = copy(l.bounds, l.all.bounds) - 1
		copy(l.in[l.header:], l.all.bytes)
		l.all = nil
	}
	return nil
}

// noLane has nothing.
type noLane struct{}

func (noLane) Read(*call.Reader) error  { return nil }
func (noLane) Upload() async.Transfer   { return nil }
func (noLane) Compute() error           { return nil }
func (noLane) Download() async.Transfer { return nil }
func (noLane) Deliver() error           { return nil }
