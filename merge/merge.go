package merge

import (
	"fmt"

	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/internal/cltype"
	"github.com/suffixcl/suffixcl/internal/intmath"
	"github.com/suffixcl/suffixcl/internal/mergepath"
	"github.com/suffixcl/suffixcl/internal/tune"
	"github.com/suffixcl/suffixcl/internal/tuned"
)

// maxElements is the largest number of elements in both sequences together.
const maxElements = 1 << 32

// Pairs are keys and the values that belong to them. Values is nil in merges of keys alone.
type Pairs[K, V uint32 | uint64] struct {
	Keys   *device.Buffer[K]
	Values *device.Buffer[V]
}

// Plan merges sorted arrays of keys of type K, with values of type V or without.
type Plan[K, V uint32 | uint64] struct {
	t      *Template
	values bool
	bytes  int64 // of an element, read and written
}

// NewKeys plans merges of up to n keys, those of both sequences together, at most 2^32. Their Pairs have no Values.
func NewKeys[K uint32 | uint64](s *device.Session, n int) *Plan[K, uint32] {
	return newPlan[K, uint32](s, n, false)
}

// NewPairs plans merges of up to n pairs, those of both sequences together, at most 2^32.
func NewPairs[K, V uint32 | uint64](s *device.Session, n int) *Plan[K, V] {
	return newPlan[K, V](s, n, true)
}

func newPlan[K, V uint32 | uint64](s *device.Session, n int, values bool) *Plan[K, V] {
	p := &Plan[K, V]{t: NewTemplate(s, n, planOptions[K, V](values)), values: values}
	p.bytes = 2 * int64(cltype.Size[K]())
	if values {
		p.bytes += 2 * int64(cltype.Size[V]())
	}
	return p
}

// planOptions is the template of a merge of arrays.
func planOptions[K, V uint32 | uint64](values bool) TemplateOptions {
	d := device.Defines{"E": cltype.Name[K](), "HAS_VALUES": 0}
	if values {
		d["HAS_VALUES"], d["V"] = 1, cltype.Name[V]()
	}
	return TemplateOptions{Source: device.Source{Defines: d}, ElementBytes: cltype.Size[K]()}
}

// Workspace is what Run carves from its workspace: 8 bytes for each tile.
func (p *Plan[K, V]) Workspace() device.Pieces { return p.t.Workspace() }

// Run enqueues merging the first na elements of a and the first nb of b, both ascending by key, into out[:na+nb].
// out must not overlap them. Of equal keys those of a come first.
//
// Errors, on the session: buffers shorter than that, values in one place only, more elements than planned.
func (p *Plan[K, V]) Run(ws *device.Workspace, a, b, out Pairs[K, V], na, nb int) {
	if err := p.check(a, b, out, na, nb); err != nil {
		p.t.s.Fail(err)
		return
	}
	args := []any{a.Keys, b.Keys, out.Keys}
	if p.values {
		args = append(args, a.Values, b.Values, out.Values)
	}
	p.t.Run(ws, na, nb, p.bytes, args...)
}

func (p *Plan[K, V]) check(a, b, out Pairs[K, V], na, nb int) error {
	for _, side := range []struct {
		name  string
		pairs Pairs[K, V]
		n     int
	}{{"first", a, na}, {"second", b, nb}, {"merged", out, na + nb}} {
		switch {
		case side.n < 0 || side.n > side.pairs.Keys.Len():
			return fmt.Errorf("merge: %d %s keys in a buffer of %d", side.n, side.name, side.pairs.Keys.Len())
		case (side.pairs.Values != nil) != p.values:
			return fmt.Errorf("merge: values given to a plan without them, or missing")
		case p.values && side.n > side.pairs.Values.Len():
			return fmt.Errorf("merge: %d %s values in a buffer of %d", side.n, side.name, side.pairs.Values.Len())
		}
	}
	return nil
}

// TemplateOptions says what a Template merges.
type TemplateOptions struct {
	// Source has the files and macros that define the template parameters, E among them; kernels/merge.cl lists them.
	Source device.Source
	// ElementBytes is sizeof(E). From 8 on, tiles have half as many elements, from 16 on a quarter.
	ElementBytes int
}

func (o TemplateOptions) shape(set *tune.Set) tune.Merge {
	shape := set.Merge
	switch {
	case o.ElementBytes >= 16:
		shape.Items = shape.Items64/2 | 1 // odd: no bank conflicts
	case o.ElementBytes >= 8:
		shape.Items = shape.Items64
	}
	return shape
}

// Template merges elements that kernel code loads, compares and stores.
type Template struct {
	s       *device.Session
	n, tile int // elements
	tiles   *mergepath.Tiles
}

// NewTemplate plans merges of up to n elements, those of both sequences together, at most 2^32.
func NewTemplate(s *device.Session, n int, o TemplateOptions) *Template {
	shape := o.shape(tuned.Of(s))
	tile := shape.WG * shape.Items
	return &Template{s: s, n: min(n, maxElements), tile: tile,
		tiles: mergepath.New(s, intmath.CeilDiv(n, tile), o.Source, shape.WG, shape.Items)}
}

// Workspace is what Run carves from its workspace: 8 bytes for each tile.
func (t *Template) Workspace() device.Pieces { return t.tiles.Workspace() }

// Run enqueues the merge of na elements of A and nb of B. bytesPerElement is the traffic of one element, for the
// profile; args are the MERGE_PARAMS. Errors, on the session: more elements than planned.
func (t *Template) Run(ws *device.Workspace, na, nb int, bytesPerElement int64, args ...any) {
	if na < 0 || nb < 0 || na+nb > t.n {
		t.s.Fail(fmt.Errorf("merge: %d and %d elements, planned for %d", na, nb, t.n))
		return
	}
	t.tiles.Run(ws, intmath.CeilDiv(na+nb, t.tile), bytesPerElement*int64(na+nb), uint64(na), uint64(nb), args)
}
