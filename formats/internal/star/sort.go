package star

import (
	"context"
	"sync/atomic"

	"github.com/suffixcl/suffixcl"
	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/internal/parallel"
)

// want is the order of STAR: spacers are larger than letters, and smaller than those after them.
var want = suffixcl.Want{SA: true, Order: suffixcl.SpecialsLargest(letters)}

// Plan returns the memory of Write. Errors: those of Engine.Arrays.
func (r *Reference) Plan(ctx context.Context, e *suffixcl.Engine) (device.MemoryPlan, error) {
	return e.Arrays(suffixcl.Bytes(r.strands().text), want).Plan(ctx)
}

// strands are what is sorted, made once: the plan depends on the number of spacers.
func (r *Reference) strands() *squeezed {
	if r.both == nil {
		r.both = squeeze(r.genome)
	}
	return r.both
}

// array is the suffix array: positions in the squeezed text.
type array struct {
	*squeezed
	rows []uint32
}

// sort sorts both strands. Rows that do not begin with a base, or that are left out of a sparse array, are dropped.
func (r *Reference) sort(ctx context.Context, e *suffixcl.Engine) (*array, error) {
	a := &array{squeezed: r.strands()}
	made, err := e.Arrays(suffixcl.Bytes(a.text), want).All(ctx)
	if err != nil {
		return nil, err
	}
	a.rows = made.SA
	bases := 0
	for code := range byte(Other) {
		bases += countOf(a.text, code)
	}
	a.rows = a.rows[:bases] // the others begin with larger letters
	if r.options.Sparse > 1 {
		a.rows = keep(a.rows, r.kept(a))
	}
	return a, nil
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

// kept tells which rows a sparse array keeps: of the plain genome those at some distance from its end, of junctions all.
func (r *Reference) kept(a *array) func(row uint32) bool {
	d := r.options.Sparse
	return func(row uint32) bool {
		plain, ok := r.plainPlace(a.place(int(row)))
		return !ok || (2*r.plain-1-plain)%d == 0
	}
}

// plainPlace is a place of both strands, without junctions. It is not ok for a place of a junction.
func (r *Reference) plainPlace(place int) (plain int, ok bool) {
	n, junctions := len(r.genome), len(r.genome)-r.plain
	switch {
	case place < r.plain:
		return place, true
	case place >= n+junctions:
		return place - 2*junctions, true
	}
	return 0, false
}
