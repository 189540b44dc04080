package search

import (
	"context"
	"errors"
	"slices"

	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/internal/call"
	"github.com/suffixcl/suffixcl/internal/patternset"
	"github.com/suffixcl/suffixcl/patterns"
)

// Most of a batch that is searched for together with others, and of all of them. So many take hardly longer than one
// pattern where launches take long, and little elsewhere. More positions are found by halves of the batches.
const (
	smallPatterns, joinedPatterns = 1 << 8, 1 << 14
	smallBytes, joinedBytes       = 1 << 14, 1 << 20
	joinedPositions               = 1 << 20
)

// errManyPositions: batches that joined have too many occurrences for one answer.
var errManyPositions = errors.New("suffixcl: many occurrences for one answer")

// question is a batch that may be searched for together with those of other goroutines.
type question struct {
	x     *Searcher
	batch *patterns.Batch // as it is searched for
	first int             // of its patterns among all
}

// joins tells whether a batch is small, and nothing is wrong with it.
func (x *Searcher) joins(b *patterns.Batch) (q question, ok bool) {
	if b.Len() == 0 || b.Len() > smallPatterns || len(b.Text) > smallBytes || !x.e.Opened() {
		return q, false
	}
	coded, err := x.coded(b)
	if err != nil || patternset.Searchable(x.e.Session, coded) != nil {
		return q, false
	}
	return question{x: x, batch: coded}, true
}

// Join adds the patterns to a batch.
func (q *question) Join(all *patterns.Batch) bool {
	if all.Len()+q.batch.Len() > joinedPatterns || len(all.Text)+len(q.batch.Text) > joinedBytes {
		return false
	}
	q.first, all.SymbolBytes = all.Len(), q.batch.SymbolBytes
	if q.first == 0 {
		all.Offsets = append(all.Offsets, 0)
	}
	at := uint32(len(all.Text))
	all.Text = append(all.Text, q.batch.Text...)
	for _, end := range q.batch.Offsets[1:] {
		all.Offsets = append(all.Offsets, at+end)
	}
	return true
}

// countQuestion is what Count and CountDocuments ask, and the answer.
type countQuestion struct {
	question
	count  func(c *call.Call, b *patterns.Batch) ([]uint32, error)
	counts []uint32
}

// answer counts a batch, together with those that wait in g.
func (x *Searcher) answer(
	ctx context.Context, b *patterns.Batch, g *call.Gatherer[patterns.Batch, []uint32],
	count func(c *call.Call, b *patterns.Batch) ([]uint32, error),
) (counts []uint32, err error) {
	if of, ok := x.joins(b); ok {
		q := &countQuestion{question: of, count: count}
		err := g.Ask(ctx, x.e, q)
		return q.counts, err
	}
	err = x.during(ctx, func(c *call.Call) error {
		coded, err := x.coded(b)
		if err == nil {
			counts, err = count(c, coded)
		}
		return err
	})
	return counts, err
}

func (q *countQuestion) Alone(c *call.Call) (err error) {
	q.counts, err = q.Together(c, q.batch)
	return err
}

func (q *countQuestion) Together(c *call.Call, all *patterns.Batch) ([]uint32, error) {
	if err := q.x.begin(c); err != nil {
		return nil, err
	}
	return q.count(c, all)
}

func (q *countQuestion) Receive(_ *call.Call, all []uint32) error {
	q.counts = slices.Clone(all[q.first:][:q.batch.Len()])
	return nil
}

// locateQuestion is what Locate asks.
type locateQuestion struct {
	question
	emit func(pattern int, positions []uint32) error
}

// located are the positions of all patterns that joined, in the order of their numbers, and the numbers of the first of
// each pattern.
type located struct {
	positions []uint32
	numbers   []uint64
}

func (q *locateQuestion) Alone(c *call.Call) error {
	c.CallsBack()
	if err := q.x.begin(c); err != nil {
		return err
	}
	return q.x.locate(c, q.batch, q.emit)
}

func (q *locateQuestion) Together(c *call.Call, all *patterns.Batch) (found located, err error) {
	x := q.x
	if err := x.begin(c); err != nil {
		return found, err
	}
	if err := x.find(c, all); err != nil {
		return found, err
	}
	if found.numbers, err = x.numbers(c, all.Len()); err != nil {
		return found, err
	}
	total := found.numbers[all.Len()]
	if total > joinedPositions {
		return found, errManyPositions
	}
	if total == 0 {
		return found, nil
	}
	buffer, err := device.Alloc[uint32](c.Session, int(total))
	if err != nil {
		return found, err
	}
	defer buffer.Release()
	found.positions = make([]uint32, total)
	return found, x.positions(c, all.Len(), 0, buffer, found.positions)
}

func (q *locateQuestion) Receive(c *call.Call, all located) error {
	defer c.Receives()()
	for i := range q.batch.Len() {
		from, end := all.numbers[q.first+i], all.numbers[q.first+i+1]
		if err := q.x.handOut(i, all.positions[from:end:end], q.emit); err != nil {
			return err
		}
	}
	return nil
}
