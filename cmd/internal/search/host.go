package search

import (
	"context"
	"runtime"
	"slices"
	"sort"

	"github.com/suffixcl/suffixcl/cmd/internal/source"
	"github.com/suffixcl/suffixcl/internal/infinigrammini"
	"github.com/suffixcl/suffixcl/internal/parallel"
)

// Queries that are counted together, occurrences that are located together, and those that a processor takes at once.
const (
	queriesAtOnce = 1 << 14
	hitsAtOnce    = 1 << 18
	queriesEach   = 16
	hitsEach      = 64
)

// onHost searches for queries in an index on the host, by all processors.
func (s *Search) onHost(ctx context.Context, q *source.Queries, progress func(done int),
	emit func(*Found) error) error {
	for from := 0; from < q.Len(); from += queriesAtOnce {
		to := min(from+queriesAtOnce, q.Len())
		hits := make([]infinigrammini.Hits, to-from)
		parallel.Each(runtime.GOMAXPROCS(0), (to-from+queriesEach-1)/queriesEach, func(part int) {
			for i := part * queriesEach; i < min((part+1)*queriesEach, to-from) && ctx.Err() == nil; i++ {
				if pattern := q.Pattern(from + i); len(pattern) > 0 {
					hits[i] = s.Host.Hits(pattern)
				}
			}
		})
		for i := from; i < to; {
			if ctx.Err() != nil {
				return context.Cause(ctx)
			}
			next, found, err := s.locateOnHost(ctx, hits[i-from:], i)
			if err != nil {
				return err
			}
			for k := range found {
				if err := emit(&found[k]); err != nil {
					return err
				}
			}
			i = next
			progress(i)
		}
	}
	return nil
}

// told is how many occurrences of a query are told, and whether these are too many for their places.
func (s *Search) told(hits *infinigrammini.Hits) (n uint64, tooMany bool) {
	n = hits.Len()
	if s.maxHits > 0 && n > uint64(s.maxHits) {
		return 0, true
	}
	if s.most > 0 {
		n = min(n, uint64(s.most))
	}
	return n, false
}

// locateOnHost is what is found of the queries from `from` on, whose hits are first in the list: of one at least, and
// of more while their occurrences are few.
func (s *Search) locateOnHost(ctx context.Context, hits []infinigrammini.Hits, from int) (next int, found []Found,
	err error) {
	var ends []uint64 // of the places of each that is found
	n := uint64(0)
	next = from
	for k := 0; k < len(hits) && (k == 0 || n < hitsAtOnce); k++ {
		next++
		count := hits[k].Len()
		if s.Places && count == 0 {
			continue
		}
		f := Found{Query: from + k, Counts: [2]int{int(count)}}
		if s.Places {
			var told uint64
			told, f.tooMany = s.told(&hits[k])
			n += told
		}
		found, ends = append(found, f), append(ends, n)
	}
	places := make([]uint64, n)
	errs := make([]error, (n+hitsEach-1)/hitsEach)
	parallel.Each(runtime.GOMAXPROCS(0), len(errs), func(part int) {
		for i := uint64(part) * hitsEach; i < min(uint64(part+1)*hitsEach, n) && errs[part] == nil; i++ {
			k := sort.Search(len(ends), func(k int) bool { return ends[k] > i })
			begin := uint64(0)
			if k > 0 {
				begin = ends[k-1]
			}
			places[i], errs[part] = s.Host.Place(ctx, &hits[found[k].Query-from], i-begin)
		}
	})
	for _, err := range errs {
		if err != nil {
			return 0, nil, err
		}
	}
	begin := uint64(0)
	for k := range found {
		found[k].far = places[begin:ends[k]:ends[k]]
		slices.Sort(found[k].far)
		begin = ends[k]
	}
	return next, found, nil
}
