package bwt

import (
	"context"
	"fmt"
	"math/bits"

	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/internal/intmath"
	"github.com/suffixcl/suffixcl/internal/limits"
	"github.com/suffixcl/suffixcl/internal/tune"
	"github.com/suffixcl/suffixcl/internal/tuned"
	"github.com/suffixcl/suffixcl/radixsort"
	"github.com/suffixcl/suffixcl/verify"
)

// Inverse turns transforms of up to n characters back into texts.
//
// The row that follows each row in the text comes from one stable pass of a radix sort.
// Many walkers follow it from hashed places, each to where another began, and write the
// characters that they meet. How far each is from the end of the text is found by pointer
// jumping. Then the pieces are copied to their places. A random access a character.
// Memory: 8.1 to 10.7 bytes a character in addition to transform and text; see Memory.
type Inverse struct {
	s      *device.Session
	n      int
	shape  tune.Inverse
	layout *device.Layout

	next   *device.Slot[uint32] // by rank
	pieces *device.Slot[uint64] // the sorted characters before
	nodes  [3]*device.Slot[uint64]
	firsts *device.Slot[uint32]
	more   *device.Slot[uint32]
	ws     *device.WorkspaceSlot

	sort                     *radixsort.Plan[uint32, uint32]
	starts, walk, jump, copy *device.Kernel
}

var sortTemplate = device.Source{Files: []string{"unbwt.cl"}, Defines: device.Defines{"UNBWT_SORT": 1}}

func inverseSource(set tune.Set) device.Source {
	return device.Source{
		Files:   []string{"unbwt.cl"},
		Defines: device.Defines{"WG": set.Inverse.WG, "CHAINS": set.Inverse.Chains},
	}
}

// NewInverse plans the inverse transform and sizes its memory. Errors: n over suffixcl.MaxLen.
func NewInverse(s *device.Session, n int) (*Inverse, error) {
	if err := limits.CheckLen("transform", n, limits.MaxLen); err != nil {
		return nil, err
	}
	v := &Inverse{s: s, n: n, shape: tuned.Of(s).Inverse}
	program, wg := s.Program(inverseSource(*tuned.Of(s))), v.shape.WG
	v.starts, v.walk = program.Kernel("unbwt_firsts", wg), program.Kernel("unbwt_walk", wg)
	v.jump, v.copy = program.Kernel("unbwt_jump", wg), program.Kernel("unbwt_copy", wg)
	v.sort = radixsort.NewTemplate[uint32, uint32](s, n, sortTemplate)
	// Steps get longer at powers of two: a shorter transform may need more nodes.
	nodes, words := 0, 0
	lengths := []int{n}
	for m := v.shape.Walkers; m < n; m *= 2 {
		lengths = append(lengths, m)
	}
	for _, m := range lengths {
		w := v.walks(m)
		nodes, words = max(nodes, w.nodes), max(words, w.nodes*w.cap/8)
	}
	l := device.NewLayout("unbwt")
	v.next = device.Reserve[uint32](l, "next rank", n)
	v.pieces = device.Reserve[uint64](l, "sorted characters, pieces", max(intmath.CeilDiv(n, 2), words))
	for i, name := range []string{"pieces' order", "jumps A", "jumps B"} {
		v.nodes[i] = device.Reserve[uint64](l, name, nodes)
	}
	v.firsts = device.Reserve[uint32](l, "first ranks", 257)
	v.more = device.Reserve[uint32](l, "pieces that go on", 1)
	v.ws = device.ReserveWorkspace(l, v.sort.Workspace())
	v.layout = l
	return v, nil
}

// walks is how a transform of n characters is cut, as in unbwt.cl.
type walks struct{ log, blocks, cap, nodes int }

func (v *Inverse) walks(n int) walks {
	var w walks
	w.log = max(bits.Len(uint(max(n-1, 0)/v.shape.Walkers)), bits.TrailingZeros(uint(v.shape.Steps)))
	w.blocks = intmath.CeilDiv(n, 1<<w.log)
	w.cap = 2 << w.log // longer walks are rare, and the space is there
	w.nodes = w.blocks + n/w.cap
	return w
}

// Memory is the device memory in addition to transform and text.
func (v *Inverse) Memory() device.PhaseMemory { return v.layout.Memory() }

// Allocate takes the device memory. It must be called before Run.
func (v *Inverse) Allocate() error { return v.layout.Allocate(v.s) }

// Release frees the device memory. Allocate may take it again.
func (v *Inverse) Release() {
	if v != nil {
		v.layout.Release(v.s)
	}
}

// Run writes to text[:n] the text whose transform and primary index are given, n being the
// length of the transform. The buffers must not overlap. It waits for the result.
//
// Errors: *verify.MismatchError if there is no such text, and then text holds anything; a transform
// longer than planned, the context's, the device's.
func (v *Inverse) Run(
	ctx context.Context, transform *device.Buffer[uint8], primary int, text *device.Buffer[uint8],
) error {
	n := transform.Len()
	if n > v.n || text.Len() < n {
		return fmt.Errorf("bwt: transform of %d bytes, planned for %d, room for %d", n, v.n, text.Len())
	}
	if primary < min(n, 1) || primary > n {
		why := fmt.Sprintf("of %d bytes has no primary index %d", n, primary)
		return &verify.MismatchError{What: "Burrows-Wheeler transform", At: -1, Why: why}
	}
	v.s.Phase("unbwt")
	if err := v.s.Check(ctx); err != nil || n == 0 {
		return err
	}
	next, pieces := v.next.Buffer(v.s), v.pieces.Buffer(v.s)
	characters := device.Reinterpret[uint32](pieces)
	// Its only pass computes the pairs: the other half of the ping-pong is not read.
	keys, values := radixsort.Pair[uint32]{Cur: characters, Alt: characters}, radixsort.Pair[uint32]{Cur: next, Alt: next}
	v.sort.Run(v.ws.Workspace(v.s), &keys, &values, n, 0, 8, transform, uint64(primary))
	firsts, more := v.firsts.Buffer(v.s), v.more.Buffer(v.s)
	v.starts.Launch(intmath.CeilDiv(257, v.shape.WG), 0, characters, uint64(n), firsts)

	const none = 1<<32 - 1 // END of unbwt.cl
	w, whole := v.walks(n), primary-1
	nodes, ends, other := v.nodes[0].Buffer(v.s), v.nodes[1].Buffer(v.s), v.nodes[2].Buffer(v.s)
	nodes.Fill(none)
	more.Fill(0)
	// Enough that a loop has some ten thousand rounds at most: llvmpipe stops longer ones.
	chains := min(w.blocks, max(v.shape.Resident*v.s.Caps().ComputeUnits, n>>14))
	groups := intmath.CeilDiv(chains, v.shape.WG*v.shape.Chains)
	v.walk.Launch(groups, int64(n)*(32+1), next, uint64(n), firsts,
		uint32(w.log), uint32(whole), uint32(w.blocks), pieces, nodes, more)
	from := nodes
	for done := 1; ; done *= 4 {
		v.jump.Launch(intmath.CeilDiv(w.nodes, v.shape.WG), int64(w.nodes)*(8+3*32+8), from, ends, uint32(w.nodes))
		if from = ends; 4*done >= w.nodes {
			break
		}
		ends, other = other, ends
	}
	v.copy.Launch(intmath.CeilDiv(w.nodes*(w.cap/8), v.shape.WG), 2*int64(n),
		pieces, uint32(w.log), nodes, ends, uint32(w.nodes), text, uint64(n))
	var end [1]uint64
	if err := ends.View(whole>>w.log, 1).Read(end[:]); err != nil {
		return err
	}
	if end[0] != uint64(n)<<32|none {
		why := fmt.Sprintf("with primary index %d is that of no text: its rows end after %d of %d characters",
			primary, end[0]>>32, n)
		return &verify.MismatchError{What: "Burrows-Wheeler transform", At: -1, Why: why}
	}
	return nil
}
