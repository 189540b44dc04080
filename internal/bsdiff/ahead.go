package bsdiff

import (
	"runtime"

	"github.com/suffixcl/suffixcl/internal/parallel"
)

// match is the longest match of the new file from a place on.
type match struct{ at, length int } // place in the old file, bytes

// ahead has the matches of places that are likely to be asked for: a match takes a search, in memory that is far away,
// and where files differ one place follows the other.
type ahead struct {
	from  int // the first place
	found []match
	row   int // places asked for one after the other
	next  int // place after the last one
}

const (
	fewInRow  = 4 // places after which more are likely
	eachAhead = 8 // places that are worth a processor
	mostAhead = 1 << 14
)

// longest is what search finds.
func (m *matcher) longest(place int) (at, length int) {
	a := &m.ahead
	if i := place - a.from; i >= 0 && i < len(a.found) {
		return a.found[i].at, a.found[i].length
	}
	if place != a.next {
		a.row = 0
	}
	processors := runtime.GOMAXPROCS(0)
	if a.row < fewInRow || processors == 1 {
		a.row++
		a.next = place + 1
		return m.search(place)
	}
	// What is not asked for was in vain: at most half as much as was, and a few.
	n := min(max(a.row/2, eachAhead*processors), mostAhead, len(m.new)-place)
	if cap(a.found) < n {
		a.found = make([]match, n, 2*n)
	}
	a.from, a.found = place, a.found[:n]
	a.row += n
	a.next = place + n
	parallel.Do(n, eachAhead, func(lo, hi int) {
		for i := lo; i < hi; i++ {
			a.found[i].at, a.found[i].length = m.search(place + i)
		}
	})
	return a.found[0].at, a.found[0].length
}
