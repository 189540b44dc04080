package star

import (
	"context"

	"github.com/suffixcl/suffixcl"
	"github.com/suffixcl/suffixcl/device"
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

// kept tells which rows a sparse array keeps: of the plain genome those at some distances from its end, and all of
// junctions.
func (r *Reference) kept(a *array) func(row uint32) bool {
	d := r.options.Sparse
	return func(row uint32) bool {
		plain, ok := r.plainPlace(a.place(int(row)))
		return !ok || (2*r.plain-1-plain)%d == 0
	}
}
