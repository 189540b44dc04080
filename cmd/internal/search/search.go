// Package search brings queries to an index or a matcher, in batches that fit, and writes
// what is found.
package search

import (
	"context"
	"errors"
	"iter"
	"math"

	"github.com/suffixcl/suffixcl/cmd/internal/source"
	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/internal/infinigrammini"
	"github.com/suffixcl/suffixcl/patterns"
)

// Searcher is an index or a matcher.
type Searcher interface {
	Count(ctx context.Context, b *patterns.Batch) ([]uint32, error)
	Locate(ctx context.Context, b *patterns.Batch, emit func(pattern int, positions []uint32) error) error
}

// The strands of DNA.
const (
	Forward = iota
	Reverse
)

// Found is what a search tells of a query.
type Found struct {
	Query     int
	Counts    [2]int      // occurrences on each strand
	positions [2][]uint32 // of these in ascending order, where they are asked for
	far       []uint64    // the same of a text on the host, which may be longer than 2^32
	tooMany   bool        // for their positions
	most      int         // of these that are told; 0: all
	Documents int         // that have the query, where they are asked for
}

// all is the number of occurrences on both strands.
func (f *Found) all() int { return f.Counts[Forward] + f.Counts[Reverse] }

// hits yields the positions of both strands in ascending order, each with its strand; of the
// same position forward comes first.
func (f *Found) hits() iter.Seq2[uint64, int] {
	return func(every func(uint64, int) bool) {
		told := 0
		yield := func(position uint64, strand int) bool {
			told++
			return every(position, strand) && told != f.most
		}
		for _, position := range f.far {
			if !yield(position, Forward) {
				return
			}
		}
		here, other := f.positions[Forward], f.positions[Reverse]
		for len(here) > 0 || len(other) > 0 {
			more := false
			if len(other) == 0 || len(here) > 0 && here[0] <= other[0] {
				more, here = yield(uint64(here[0]), Forward), here[1:]
			} else {
				more, other = yield(uint64(other[0]), Reverse), other[1:]
			}
			if !more {
				return
			}
		}
	}
}

// Search brings queries to a searcher, in batches that fit into the memory of the device.
type Search struct {
	Searcher
	Places bool // find positions, not only counts
	both   bool // strands
	// Host is an index that is asked instead of the searcher, or nil.
	Host *infinigrammini.Index
	// Documents counts them, or is nil.
	Documents func(ctx context.Context, b *patterns.Batch) ([]uint32, error)

	// Folds tells whether the text has letters that --dna folds; nil: it may.
	Folds func() bool

	maxHits int   // most occurrences of a query that are located; 0: all
	most    int   // of an index on the host, most of a query that are told; 0: all
	room    int64 // largest batch that may fit, in bytes as batchBytes counts them

	batch   patterns.Batch
	parts   patterns.Batch // memory of batches that are not those of the queries
	reverse patterns.Batch // of all queries the other strand
	waiting []uint32       // positions on the strand + of a query whose others may follow
}

// New is a search for counts of occurrences, without limits.
func New(s Searcher) *Search { return &Search{Searcher: s, room: math.MaxInt64} }

// patternBytes is what the device needs for a pattern in addition to its text, more or less.
const patternBytes = 32

func batchBytes(q *source.Queries, from, to int) int64 {
	return int64(q.Offsets[to]-q.Offsets[from]) + patternBytes*int64(to-from)
}

// run searches for queries and calls emit, in their order: with locate for those that occur,
// else for every one. A batch that does not fit into memory is halved, down to one query.
// progress is told how many queries are done.
func (s *Search) run(ctx context.Context, q *source.Queries, progress func(done int), emit func(*Found) error) error {
	if s.Host != nil {
		return s.onHost(ctx, q, progress, emit)
	}
	if s.both {
		q.ReverseComplement(&s.reverse)
	}
	for from := 0; from < q.Len(); {
		to := from + 1
		for to < q.Len() && batchBytes(q, from, to+1) <= s.room {
			to++
		}
		err := s.part(ctx, q, from, to, progress, emit)
		var memory *device.MemoryError
		if errors.As(err, &memory) && to-from > 1 { // nothing was emitted
			s.room = batchBytes(q, from, to) / 2
			continue
		}
		if err != nil {
			return err
		}
		if s.room < math.MaxInt64/2 {
			s.room *= 2
		}
		from = to
		progress(to)
	}
	return nil
}

// strands is how many patterns a query makes.
func (s *Search) strands() int {
	if s.both {
		return 2
	}
	return 1
}

// fill makes the batch of the queries from to to-1: of each a pattern for every strand. Those
// to be left out are empty, and so occur nowhere; without leaveOut none is.
func (s *Search) fill(q *source.Queries, from, to int, leaveOut func(i int) bool) error {
	if !s.both && from == 0 && to == q.Len() && leaveOut == nil {
		s.batch = q.Batch
		return nil
	}
	s.batch = s.parts
	defer func() { s.parts = s.batch }()
	if s.both && leaveOut == nil {
		return q.Pair(&s.reverse, &s.batch, from, to)
	}
	if leaveOut == nil {
		leaveOut = func(int) bool { return false }
	}
	s.batch.Reset()
	s.batch.SymbolBytes = q.SymbolBytes
	for i := from; i < to; i++ {
		here, other := q.Pattern(i), []byte(nil)
		if s.both {
			other = s.reverse.Pattern(i)
		}
		if leaveOut(i) {
			here, other = nil, nil
		}
		if err := s.batch.Add(here); err != nil {
			return err
		}
		if s.both {
			if err := s.batch.Add(other); err != nil {
				return err
			}
		}
	}
	return nil
}

// part searches for the queries from to to-1.
func (s *Search) part(ctx context.Context, q *source.Queries, from, to int, progress func(int),
	emit func(*Found) error) error {
	if err := s.fill(q, from, to, nil); err != nil {
		return err
	}
	if s.Places && s.maxHits == 0 {
		return s.positions(ctx, from, to, nil, progress, emit)
	}
	numbers, err := s.Count(ctx, &s.batch)
	if err != nil {
		return err
	}
	documents := make([]uint32, len(numbers))
	if s.Documents != nil {
		if documents, err = s.Documents(ctx, &s.batch); err != nil {
			return err
		}
	}
	var f Found
	count := func(i int) *Found {
		f = Found{Query: i, Documents: int(documents[(i-from)*s.strands()])}
		for strand := range s.strands() {
			f.Counts[strand] = int(numbers[(i-from)*s.strands()+strand])
		}
		f.tooMany = s.Places && f.all() > s.maxHits
		return &f
	}
	if s.Places {
		if err := s.fill(q, from, to, func(i int) bool { return count(i).tooMany }); err != nil {
			return err
		}
		return s.positions(ctx, from, to, count, progress, emit)
	}
	for i := from; i < to; i++ {
		if err := emit(count(i)); err != nil {
			return err
		}
	}
	return nil
}

// progressEvery is how many queries are told between calls of progress.
const progressEvery = 1 << 10

// positions locates the batch of the queries from to to-1. Those with too many occurrences,
// as count tells if it is not nil, are emitted in their turn.
func (s *Search) positions(ctx context.Context, from, to int, count func(i int) *Found, progress func(int),
	emit func(*Found) error) error {
	next := from  // query that was not emitted
	waiting := -1 // query of s.waiting
	tell := func(f *Found) error {
		next, waiting = f.Query+1, -1
		if next%progressEvery == 0 {
			progress(next)
		}
		return emit(f)
	}
	upTo := func(query int) (err error) { // tells what comes before a query
		for next < query && err == nil {
			switch {
			case next == waiting:
				err = tell(located(next, s.waiting, nil))
			case count != nil && count(next).tooMany:
				err = tell(count(next))
			default:
				next++
			}
		}
		return err
	}
	err := s.Locate(ctx, &s.batch, func(k int, positions []uint32) error {
		query, strand := from+k/s.strands(), k%s.strands()
		if err := upTo(query); err != nil {
			return err
		}
		switch {
		case !s.both:
			return tell(located(query, positions, nil))
		case strand == Forward:
			s.waiting, waiting = append(s.waiting[:0], positions...), query
			return nil
		case waiting == query:
			return tell(located(query, s.waiting, positions))
		}
		return tell(located(query, nil, positions))
	})
	if err != nil {
		return err
	}
	return upTo(to)
}

// located is a query with its positions on both strands.
func located(query int, here, other []uint32) *Found {
	return &Found{Query: query, Counts: [2]int{len(here), len(other)}, positions: [2][]uint32{here, other}}
}
