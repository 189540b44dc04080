package radixsort

import (
	"cmp"
	"fmt"
	"maps"

	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/internal/cltype"
	"github.com/suffixcl/suffixcl/internal/intmath"
	"github.com/suffixcl/suffixcl/internal/tune"
	"github.com/suffixcl/suffixcl/internal/tuned"
	"github.com/suffixcl/suffixcl/scan"
)

// maxPairs is the largest number of pairs: places are 32-bit words.
const maxPairs = 1<<32 - 1

const (
	radix     = 256
	digitBits = 8
)

// Pair is a ping-pong pair of buffers of equal length: the data is in Cur, Alt is scratch. A sort exchanges the two in
// each pass, so that its result is in Cur again.
type Pair[T uint32 | uint64] struct{ Cur, Alt *device.Buffer[T] }

// Swap exchanges the two.
func (p *Pair[T]) Swap() { p.Cur, p.Alt = p.Alt, p.Cur }

// step is a part of the sort: its kernel file, which radixsort.cl precedes.
type step string

const (
	histogram step = "radixsort_histogram.cl"
	onesweep  step = "radixsort_onesweep.cl"
	reduce    step = "radixsort_reduce.cl"
	chunks    step = "radixsort_chunks.cl"
)

func methodOf(c *device.Caps) step {
	switch {
	case c.CPUShape:
		return chunks
	case c.ForwardProgress:
		return onesweep
	default:
		return reduce
	}
}

// Plan sorts up to n keys of type K, with values of type V or without.
type Plan[K, V uint32 | uint64] struct {
	s          *device.Session
	n          int
	template   device.Source // of the first pass, see computes
	method     step
	keyBytes   int // of a key
	valueBytes int // of a value, 0 without
	keyReads   float64
	valueReads float64

	clear, histogram *device.Kernel

	// Onesweep: by first pass or another, and by small tiles or large.
	pass        [2][2]*device.Kernel
	tile        *tune.RadixTile
	smallTiles  int // for as many large tiles, or fewer, small ones are taken
	maxInLaunch int // pairs

	// The other methods: by first pass or another.
	counts         *scan.Plan[uint32]
	count, scatter [2]*device.Kernel
}

// NewPairs plans a sort of up to n pairs, at most 2^32-1.
func NewPairs[K, V uint32 | uint64](s *device.Session, n int) *Plan[K, V] {
	return newPlan[K, V](s, n, true, device.Source{})
}

// NewKeys plans a sort of up to n keys without values, at most 2^32-1; Run takes nil for them.
func NewKeys[K uint32 | uint64](s *device.Session, n int) *Plan[K, uint32] {
	return newPlan[K, uint32](s, n, false, device.Source{})
}

// NewTemplate is NewPairs with a first pass that computes the pairs instead of reading them; there is such a pass
// for no bits, too. The source has the files and macros that define the template parameters:
//
//	RADIX_PARAMS          parameters of the kernels, each after a comma: the args of Run
//	RADIX_LOAD_KEY(i)     key of pair i, a ulong; evaluated up to three times
//	RADIX_LOAD_VALUE(i)   value of pair i; evaluated once
//
// kernels/radixsort.cl says more.
func NewTemplate[K, V uint32 | uint64](s *device.Session, n int, src device.Source) *Plan[K, V] {
	return newPlan[K, V](s, n, true, src)
}

// Reads tells the profile how many bytes the first pass of a template reads: keyBytes for RADIX_LOAD_KEY, which is
// evaluated once before the pass and once in it, and valueBytes for RADIX_LOAD_VALUE. Without it they count as those
// of K and V. It holds until it is called again, and returns the plan.
func (p *Plan[K, V]) Reads(keyBytes, valueBytes float64) *Plan[K, V] {
	p.keyReads, p.valueReads = keyBytes, valueBytes
	return p
}

// computes tells whether a source has template parameters.
func computes(src device.Source) bool {
	_, ok := src.Defines["RADIX_PARAMS"]
	return ok || len(src.Files) > 0
}

func newPlan[K, V uint32 | uint64](s *device.Session, n int, values bool, src device.Source) *Plan[K, V] {
	p := newPasses[K, V](s, n, values, src)
	if p.method == onesweep {
		h := tuned.Of(s).RadixSort.Histogram
		program := s.Program(typesOf[K, V](values).source(histogram, h.WG, h.Items, h.Copies, 0, src))
		p.clear, p.histogram = program.Kernel("radix_clear", h.WG), program.Kernel("radix_histogram", h.WG)
	}
	return p
}

// newPasses is a plan without kernels that count the digits of all passes.
func newPasses[K, V uint32 | uint64](s *device.Session, n int, values bool, src device.Source) *Plan[K, V] {
	p := &Plan[K, V]{s: s, n: min(n, maxPairs), template: src, method: methodOf(s.Caps()), keyBytes: cltype.Size[K]()}
	if values {
		p.valueBytes = cltype.Size[V]()
	}
	p.Reads(float64(p.keyBytes), float64(p.valueBytes))
	p.programs()
	return p
}

// passSources are the sources of the passes after the first, and of the first if it is another.
func (p *Plan[K, V]) passSources() []device.Source {
	if computes(p.template) {
		return []device.Source{{}, p.template}
	}
	return []device.Source{p.template}
}

func (p *Plan[K, V]) programs() {
	set := *tuned.Of(p.s)
	types := typesOf[K, V](p.valueBytes > 0)
	if p.method == onesweep {
		p.onesweepPrograms(set, types)
		return
	}
	p.counts = scan.NewPlan[uint32](p.s, p.maxTiles(p.n)*radix, scan.Options{})
	shape := set.RadixSort.Reduce
	for first, src := range p.passSources() {
		program := p.s.Program(types.source(p.method, shape.WG, shape.Items, 0, 0, src))
		p.count[first] = program.Kernel("radix_count", shape.WG)
		p.scatter[first] = program.Kernel("radix_scatter", shape.WG)
	}
}

func (p *Plan[K, V]) onesweepPrograms(set tune.Set, types types) {
	p.tile = set.RadixSort.Tile(p.keyBytes, p.valueBytes)
	p.smallTiles = cmp.Or(p.tile.SmallTiles, 2) * p.s.Caps().ComputeUnits
	p.maxInLaunch = 1 << 30 / (p.tile.WG * p.tile.Items) * (p.tile.WG * p.tile.Items) // bits of a status word
	for first, src := range p.passSources() {
		for large, items := range []int{p.tile.Small, p.tile.Items} {
			if large == 1 && p.tileItems(p.n) != items {
				continue
			}
			resident := p.tile.Resident
			if large == 0 {
				resident = cmp.Or(p.tile.SmallResident, resident)
			}
			source := types.source(onesweep, p.tile.WG, items, 0, resident, src)
			pass := func() { p.pass[first][large] = p.s.Program(source).Kernel("radix_pass", p.tile.WG) }
			if p.tileItems(p.n) == items {
				pass()
			} else {
				tuned.Rarely(p.s, pass) // of fewer keys than planned
			}
		}
	}
}

// types are the defines for the types of a plan.
type types device.Defines

func typesOf[K, V uint32 | uint64](values bool) types {
	t := types{"K": cltype.Name[K](), "HAS_VALUES": 0}
	if values {
		t["HAS_VALUES"] = 1
		t["V"] = cltype.Name[V]()
	}
	return t
}

// source is the program of a step of a plan.
func (t types) source(s step, wg, items, copies, resident int, src device.Source) device.Source {
	defines := device.Defines{"WG": wg}
	maps.Copy(defines, t)
	switch s {
	case histogram:
		if !computes(src) { // the same for all values
			defines["HAS_VALUES"] = 0
			delete(defines, "V")
		}
		defines["COPIES"] = copies
		defines["ITEMS"] = items
	case onesweep:
		defines["LOCAL_LANES"] = 16
		defines["ITEMS"] = items
	case reduce:
		defines["ITEMS"] = items
	}
	maps.Copy(defines, src.Defines)
	src.Defines = defines
	return tuned.WithResident(tuned.Append(src, "radixsort.cl", string(s)), resident)
}

// Passes is the number of passes for the bits [lo, hi) of the keys: the number
// of times that Run exchanges Cur and Alt.
func (p *Plan[K, V]) Passes(lo, hi int) int {
	passes := intmath.CeilDiv(max(hi-lo, 0), digitBits)
	if computes(p.template) {
		return max(passes, 1)
	}
	return passes
}

// Workspace is what Run carves from its workspace.
func (p *Plan[K, V]) Workspace() device.Pieces {
	if p.method == onesweep {
		return p.onesweepPieces(p.keyBytes)
	}
	return device.PieceOf[uint32](p.maxTiles(p.n) * radix).And(p.counts.Workspace())
}

// job is one Run.
type job[K, V uint32 | uint64] struct {
	*Plan[K, V]
	ws     *device.Workspace
	keys   *Pair[K]
	values *Pair[V] // or nil
	n      int
	lo, hi int
	width  int         // of a digit; the last one may be narrower
	first  []any       // arguments of the template, until its pass
	finish *Plan[K, V] // has the last pass, or nil
	last   []any       // arguments of that
}

// Run enqueues sorting the first n pairs by the bits [lo, hi) of their keys. Pairs with equal bits keep their order.
// The result is in Cur. values is nil in a plan without values. args are the RADIX_PARAMS of a plan with a template.
//
// Errors, on the session: more pairs than planned, shorter buffers, bits that keys do not have, args of a plan
// without a template.
func (p *Plan[K, V]) Run(ws *device.Workspace, keys *Pair[K], values *Pair[V], n, lo, hi int, args ...any) {
	if err := p.check(keys, values, n, lo, hi, args); err != nil {
		p.s.Fail(err)
		return
	}
	passes := p.Passes(lo, hi)
	if n == 0 || passes == 0 {
		return
	}
	defer ws.Reset(ws.Mark())
	if computes(p.template) && args == nil {
		args = []any{} // not nil: the template is still to come
	}
	j := job[K, V]{Plan: p, ws: ws, keys: keys, values: values, n: n, lo: lo, hi: hi,
		width: intmath.CeilDiv(hi-lo, passes), first: args}
	if p.method == onesweep {
		j.onesweep(passes)
	} else {
		j.reduce(passes)
	}
}

func (p *Plan[K, V]) check(keys *Pair[K], values *Pair[V], n, lo, hi int, args []any) error {
	switch {
	case n > p.n:
		return fmt.Errorf("radixsort: %d pairs, planned for %d", n, p.n)
	case lo < 0 || hi > 8*p.keyBytes:
		return fmt.Errorf("radixsort: bits [%d, %d) of a %d-bit key", lo, hi, 8*p.keyBytes)
	case n > keys.Cur.Len() || n > keys.Alt.Len():
		return fmt.Errorf("radixsort: %d keys in buffers of %d and %d", n, keys.Cur.Len(), keys.Alt.Len())
	case (values != nil) != (p.valueBytes > 0):
		return fmt.Errorf("radixsort: values given to a plan without them, or missing")
	case values != nil && (n > values.Cur.Len() || n > values.Alt.Len()):
		return fmt.Errorf("radixsort: %d values in buffers of %d and %d", n, values.Cur.Len(), values.Alt.Len())
	case len(args) > 0 && !computes(p.template):
		return fmt.Errorf("radixsort: template arguments given to a plan without a template")
	}
	return nil
}

// digit is the range of bits of a place.
func (j *job[K, V]) digit(place int) (shift, bits uint32) {
	shift = uint32(j.lo + place*j.width)
	return shift, min(uint32(j.width), uint32(max(j.hi, j.lo))-shift)
}

// outputs are the kernel arguments from keys_out on: the template's in the first
// pass of the sort.
func (j *job[K, V]) outputs(first int) []any {
	if j.values == nil {
		return []any{j.keys.Alt, j.inputs(first, true)}
	}
	return []any{j.keys.Alt, j.values.Alt, j.inputs(first, true)}
}

func (j *job[K, V]) inputs(first int, values bool) []any {
	if first == 1 {
		return j.first
	}
	if !values || j.values == nil {
		return []any{j.keys.Cur}
	}
	return []any{j.keys.Cur, j.values.Cur}
}

// firstPass is the index of the kernels of the next pass.
func (j *job[K, V]) firstPass() int {
	if j.first != nil {
		return 1
	}
	return 0
}

// kernels is the plan that has the kernels of a pass.
func (j *job[K, V]) kernels(last bool) *Plan[K, V] {
	if last && j.finish != nil {
		return j.finish
	}
	return j.Plan
}

// finishing are the arguments that only the last pass has.
func (j *job[K, V]) finishing(last bool) []any {
	if last {
		return j.last
	}
	return nil
}

// passed ends a pass.
func (j *job[K, V]) passed() {
	j.first = nil
	j.keys.Swap()
	if j.values != nil {
		j.values.Swap()
	}
}

// countBytes is the traffic of counting the digits of all pairs before the next pass.
func (j *job[K, V]) countBytes() int64 {
	if j.firstPass() == 1 {
		return int64(float64(j.n) * j.keyReads)
	}
	return int64(j.n) * int64(j.keyBytes)
}

// passBytes is the traffic of the next pass.
func (j *job[K, V]) passBytes() int64 {
	writes := int64(j.n) * int64(j.keyBytes+j.valueBytes)
	if j.firstPass() == 1 {
		return writes + int64(float64(j.n)*(j.keyReads+j.valueReads))
	}
	return 2 * writes
}

// piece is how many of n keys a work-group of a histogram counts, one for each work-item at least. There are two
// work-groups a unit, no fewer on some.
func (p *Plan[K, V]) piece(n int) int {
	return max(intmath.RoundUp(intmath.CeilDiv(n, 2*p.s.Caps().ComputeUnits), 32), tuned.Of(p.s).RadixSort.Histogram.WG)
}

// enqueueHistogram adds to the histogram of all passes, and clears words of it from status on.
func (j *job[K, V]) enqueueHistogram(passes int, histogram *device.Buffer[uint32], status, words int) {
	piece := j.piece(j.n)
	j.histogram.Launch(intmath.CeilDiv(j.n, piece), j.countBytes(),
		histogram, uint64(status), uint64(words), uint64(j.n), uint64(piece),
		uint32(j.lo), uint32(max(j.lo, j.hi)), uint32(j.width), uint32(passes), j.inputs(j.firstPass(), false))
}
