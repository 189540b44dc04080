package star

import (
	"errors"
	"slices"
	"sync/atomic"

	"github.com/suffixcl/suffixcl/internal/addressspace"
	"github.com/suffixcl/suffixcl/internal/parallel"
)

// index is the index before the suffix array: for each sequence of 1 to levels bases the first row that begins with it.
type index struct {
	levels int
	starts []int    // [levels+1]: where the entries of each level begin
	row    []uint32 // of each sequence of bases, or none
	ends   []uint64 // a bit an entry: suffixes that are shorter than the level follow its rows
	after  []uint32 // [levels]: what comes after the last sequence of each level that is there
}

// none is the row of bases that begin no suffix.
const none = 1<<32 - 1

// errTiny is that of genomes for which STAR ends, too.
var errTiny = errors.New(
	"star: the first suffix has fewer bases than the index: STAR cannot index so few; take a smaller genomeSAindexNbases")

// newIndex has no entries yet. Memory: 5.5 bytes for each of 4^levels sequences.
func newIndex(levels int) *index {
	x := &index{levels: levels, starts: make([]int, levels+1), after: make([]uint32, levels)}
	for level := range levels {
		x.starts[level+1] = x.starts[level] + 1<<(2*(level+1))
	}
	x.row = addressspace.Make[uint32](x.starts[levels])
	x.ends = addressspace.Make[uint64](x.starts[levels]/64 + 1)
	parallel.Do(len(x.row), 1<<18, func(lo, hi int) {
		for i := range x.row[lo:hi] {
			x.row[lo+i] = none
		}
	})
	return x
}

// entry is that of the first bases of a sequence of so many.
func (x *index) entry(level int, code uint32, length int) int {
	return x.starts[level-1] + int(code>>(2*(length-level)))
}

// fill fills the index from rows, as STAR goes over them: see unseen. It marks the ends of levels. Errors: errTiny.
func (x *index) fill(a *array, rows []uint32) error {
	if err := x.fillFrom(a, rows[:len(rows)-unseen(a, rows, x.levels)], len(rows), true); err != nil {
		return err
	}
	longest := 0 // of the first bases of all rows
	for level := 1; level <= x.levels; level++ {
		if slices.ContainsFunc(x.row[x.starts[level-1]:x.starts[level]], func(row uint32) bool { return row != none }) {
			longest = level
		}
	}
	// STAR marks the entry before a level that has none, where it has filled that.
	if longest > 0 && longest < x.levels && x.row[x.starts[longest]-1] != none {
		x.mark(x.starts[longest] - 1)
	}
	return nil
}

// fillFrom fills the index from rows, of which those from left on were one more before one was left out.
func (x *index) fillFrom(a *array, rows []uint32, left int, ends bool) error {
	return parallel.Try(len(rows), 1<<14, func(lo, hi int) error {
		// The last sequence of each level before the rows.
		last := make([]int, x.levels+1)
		for level := range last {
			last[level] = -1
		}
		have := x.levels
		before, beforeLength := uint32(0), 0
		for r := lo - 1; r >= 0 && have > 0; r-- {
			code, length := a.prefix(int(rows[r]), x.levels)
			if r == lo-1 {
				before, beforeLength = code, length
			}
			for level := 1; level <= length; level++ {
				if last[level] < 0 {
					last[level] = x.entry(level, code, length)
					have--
				}
			}
		}
		for r := lo; r < hi; r++ {
			code, length := a.prefix(int(rows[r]), x.levels)
			if length == x.levels && beforeLength == length && code == before && r > lo {
				continue
			}
			for level := 1; level <= length; level++ {
				at := x.entry(level, code, length)
				if r == 0 || beforeLength < level || x.entry(level, before, beforeLength) != at {
					if last[level] < 0 && r > 0 {
						return errTiny
					}
					x.row[at] = uint32(r)
					if r >= left {
						x.row[at]++
					}
				}
				last[level] = at
			}
			for level := length + 1; ends && level <= x.levels; level++ {
				if last[level] >= 0 {
					x.mark(last[level])
				}
			}
			before, beforeLength = code, length
		}
		return nil
	})
}

// mark sets the bit of an entry.
func (x *index) mark(at int) { atomic.OrUint64(&x.ends[at/64], 1<<(at%64)) }

// unseen is 1 if STAR does not look at the last row. It goes over rows in steps, from the start of each run of rows
// that begin with the same bases. It does not see a last run of one row that the step lands before.
func unseen(a *array, rows []uint32, levels int) int {
	n := len(rows)
	step := n>>(2*levels) + 1
	if n < 2 || step < 2 {
		return 0
	}
	type key struct {
		code   uint32
		length int
	}
	of := func(r int) (k key) {
		k.code, k.length = a.prefix(int(rows[r]), levels)
		return k
	}
	before := of(n - 2)
	if of(n-1) == before {
		return 0
	}
	start := n - 2
	for start > 0 && of(start-1) == before {
		start--
	}
	if (n-2-start)%step == 0 {
		return 1
	}
	return 0
}

// close gives sequences that begin no suffix the row of the next that does. absent tells where these are. n is the
// row after the last sequence.
func (x *index) close(n uint32) (absent func(at int) bool) {
	bits := addressspace.Make[uint64](len(x.row)/64 + 1)
	parallel.Each(x.levels, x.levels, func(level int) {
		next := n
		for at := x.starts[level+1] - 1; at >= x.starts[level]; at-- {
			if x.row[at] != none {
				next = x.row[at]
				continue
			}
			x.row[at] = next
			atomic.OrUint64(&bits[at/64], 1<<(at%64))
		}
	})
	return func(at int) bool { return bits[at/64]>>(at%64)&1 != 0 }
}
