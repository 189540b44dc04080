package verbs

import (
	"math/bits"
	"slices"

	"github.com/suffixcl/suffixcl/internal/parallel"
)

// startTable finds the part of a text in which a position is. Parts of like lengths are found by two reads, where a
// binary search of millions has one of memory for each of its last steps. Memory: 4 bytes a part and the starts.
type startTable struct {
	starts []int    // of the parts, ascending
	first  []uint32 // the part in which each cell begins, and after the last cell the last part
	shift  uint     // a cell has 2^shift positions
}

// newStartTable is that of parts from starts on, the last of which ends before n.
func newStartTable(starts []int, n int) *startTable {
	t := &startTable{starts: starts}
	if len(starts) == 0 {
		return t
	}
	t.shift = uint(bits.Len(uint(n / len(starts))))
	t.first = make([]uint32, n>>t.shift+2)
	parallel.Do(len(t.first), 1<<12, func(lo, hi int) {
		part, _ := slices.BinarySearch(starts, lo<<t.shift+1)
		for cell := lo; cell < hi; cell++ {
			for part < len(starts) && starts[part] <= cell<<t.shift {
				part++
			}
			t.first[cell] = uint32(max(part, 1) - 1)
		}
	})
	return t
}

// find is the number of the last part that begins at a position or before.
func (t *startTable) find(position int) int {
	cell := position >> t.shift
	lo, hi := int(t.first[cell]), int(t.first[cell+1])+1
	k, found := slices.BinarySearch(t.starts[lo:hi], position)
	if !found {
		k--
	}
	return lo + k
}
