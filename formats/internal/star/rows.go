package star

import (
	"sync/atomic"

	"github.com/suffixcl/suffixcl/internal/parallel"
)

// array is the suffix array: positions in the squeezed text.
type array struct {
	*squeezed
	rows []uint32
}

// countOf is how often a code is in a text.
func countOf(text []byte, code byte) int {
	var n atomic.Int64
	parallel.Do(len(text), 1<<20, func(lo, hi int) {
		count := 0
		for _, c := range text[lo:hi] {
			if c == code {
				count++
			}
		}
		n.Add(int64(count))
	})
	return int(n.Load())
}

// keep returns the rows that are wanted, in their order.
func keep(rows []uint32, wanted func(row uint32) bool) []uint32 {
	parts := parallel.Collect(len(rows), 1<<16, func(lo, hi int) []uint32 {
		var some []uint32
		for _, row := range rows[lo:hi] {
			if wanted(row) {
				some = append(some, row)
			}
		}
		return some
	})
	kept := rows[:0]
	for _, part := range parts {
		kept = append(kept, part...)
	}
	return kept
}
