package bwt

import (
	"context"
	"fmt"
	"math/bits"

	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/internal/bytesize"
	"github.com/suffixcl/suffixcl/internal/cltype"
	"github.com/suffixcl/suffixcl/internal/intmath"
	"github.com/suffixcl/suffixcl/internal/limits"
	"github.com/suffixcl/suffixcl/internal/tune"
	"github.com/suffixcl/suffixcl/internal/tuned"
	"github.com/suffixcl/suffixcl/internal/verify"
	"github.com/suffixcl/suffixcl/radixsort"
)

// Inverse turns transforms of up to n characters back into texts.
//
// The row that follows each row in the text comes from one stable pass of a radix sort. Many walkers follow it from
// hashed places, each to where another began, and write the characters that they meet. How far each is from the end of
// the text is found by pointer jumping. Then the pieces are copied to their places. That takes one random access a
// character. Memory: 8.1 to 10.7 bytes a character in addition to transform and text; see Memory.
type Inverse = SymbolInverse[uint8]

// SymbolInverse does what Inverse does, for transforms of bytes or of symbols. Transforms of symbols are sorted in 2 or
// 4 passes. Memory: at most 16 bytes and 3 symbols a symbol.
type SymbolInverse[T uint8 | uint16 | uint32] struct {
	s      *device.Session
	n      int
	shape  tune.Inverse
	layout *device.Layout

	next   *device.Slot[uint32]    // by rank
	pieces *device.Slot[uint64]    // the sorted characters of bytes before
	others [3]*device.Slot[uint32] // of symbols: the sorted ones, scratch of the sort
	nodes  [3]*device.Slot[uint64]
	firsts *device.Slot[uint32]
	more   *device.Slot[uint32]
	ws     *device.WorkspaceSlot

	sort                     *radixsort.Plan[uint32, uint32]
	starts, walk, jump, copy *device.Kernel
}

func sortTemplate[T uint8 | uint16 | uint32]() device.Source {
	return device.Source{
		Files:   []string{"unbwt.cl"},
		Defines: cltype.Symbol[T](device.Defines{"UNBWT_SORT": 1}),
	}
}

func inverseSource[T uint8 | uint16 | uint32](set tune.Set) device.Source {
	return device.Source{
		Files:   []string{"unbwt.cl"},
		Defines: cltype.Symbol[T](device.Defines{"WG": set.Inverse.WG, "CHAINS": set.Inverse.Chains}),
	}
}

// NewInverse plans the inverse transform and sizes its memory. Errors: n over suffixcl.MaxLen.
func NewInverse(s *device.Session, n int) (*Inverse, error) { return NewSymbolInverse[uint8](s, n) }

// NewSymbolInverse does what NewInverse does, for transforms of bytes or of symbols.
func NewSymbolInverse[T uint8 | uint16 | uint32](s *device.Session, n int) (*SymbolInverse[T], error) {
	if err := limits.CheckLen("transform", n, limits.MaxLen); err != nil {
		return nil, err
	}
	v := &SymbolInverse[T]{s: s, n: n, shape: tuned.Of(s).Inverse}
	program, wg := s.Program(inverseSource[T](*tuned.Of(s))), v.shape.WG
	v.starts, v.walk = program.Kernel("unbwt_firsts", wg), program.Kernel("unbwt_walk", wg)
	v.jump, v.copy = program.Kernel("unbwt_jump", wg), program.Kernel("unbwt_copy", wg)
	v.sort = radixsort.NewTemplate[uint32, uint32](s, n, sortTemplate[T]()).Reads(float64(cltype.Size[T]()), 0)
	// Steps get longer at powers of two: a shorter transform may need more nodes.
	nodes, words := 0, 0
	lengths := []int{n}
	for m := v.shape.Walkers; m < n; m *= 2 {
		lengths = append(lengths, m)
	}
	for _, m := range lengths {
		w := v.walks(m)
		nodes, words = max(nodes, w.nodes), max(words, w.nodes*w.cap/v.wordSymbols())
	}
	l := device.NewLayout("unbwt")
	v.next = device.Reserve[uint32](l, "next rank", n)
	v.pieces = device.Reserve[uint64](l, "sorted characters, pieces", max(intmath.CeilDiv(n, 2), words))
	if v.wide() {
		for i, name := range []string{"sorted symbols", "sorted symbols 2", "next rank 2"} {
			v.others[i] = device.Reserve[uint32](l, name, n)
		}
	}
	for i, name := range []string{"pieces' order", "jumps A", "jumps B"} {
		v.nodes[i] = device.Reserve[uint64](l, name, nodes)
	}
	v.firsts = device.Reserve[uint32](l, "first ranks", 257)
	v.more = device.Reserve[uint32](l, "pieces that go on", 1)
	v.ws = device.ReserveWorkspace(l, v.sort.Workspace())
	v.layout = l
	return v, nil
}

// wide tells whether characters are not bytes.
func (v *SymbolInverse[T]) wide() bool { return cltype.Size[T]() > 1 }

// wordSymbols is the number of characters in a word of a piece.
func (v *SymbolInverse[T]) wordSymbols() int { return 8 / cltype.Size[T]() }

// walks tells how a transform of n characters is cut into pieces, as in unbwt.cl.
type walks struct{ log, blocks, cap, nodes int }

func (v *SymbolInverse[T]) walks(n int) walks {
	var w walks
	w.log = max(bits.Len(uint(max(n-1, 0)/v.shape.Walkers)), bits.TrailingZeros(uint(v.shape.Steps)))
	w.blocks = intmath.CeilDiv(n, 1<<w.log)
	w.cap = 2 << w.log // longer walks are rare, and the space is there
	w.nodes = w.blocks + n/w.cap
	return w
}

// Memory is the device memory in addition to transform and text.
func (v *SymbolInverse[T]) Memory() device.PhaseMemory { return v.layout.Memory() }

// Allocate takes the device memory. It must be called before Run.
func (v *SymbolInverse[T]) Allocate() error { return v.layout.Allocate(v.s) }

// Release frees the device memory. Allocate may take it again.
func (v *SymbolInverse[T]) Release() {
	if v != nil {
		v.layout.Release(v.s)
	}
}

// order sorts the transform: next[q] is the rank that follows rank q, and firsts tell the first character of a rank.
func (v *SymbolInverse[T]) order(transform *device.Buffer[T], primary int) (next, firsts *device.Buffer[uint32]) {
	n := transform.Len()
	next = v.next.Buffer(v.s)
	if v.wide() {
		keys := radixsort.Pair[uint32]{Cur: v.others[0].Buffer(v.s), Alt: v.others[1].Buffer(v.s)}
		values := radixsort.Pair[uint32]{Cur: next, Alt: v.others[2].Buffer(v.s)}
		v.sort.Run(v.ws.Workspace(v.s), &keys, &values, n, 0, 8*cltype.Size[T](), transform, uint64(primary))
		return values.Cur, keys.Cur
	}
	characters := device.Reinterpret[uint32](v.pieces.Buffer(v.s))
	// Its only pass computes the pairs: the other half of the ping-pong is not read.
	keys, values := radixsort.Pair[uint32]{Cur: characters, Alt: characters}, radixsort.Pair[uint32]{Cur: next, Alt: next}
	v.sort.Run(v.ws.Workspace(v.s), &keys, &values, n, 0, 8, transform, uint64(primary))
	firsts = v.firsts.Buffer(v.s)
	v.starts.Launch(intmath.CeilDiv(257, v.shape.WG), 0, characters, uint64(n), firsts)
	return next, firsts
}

// Run writes to text[:n] the text whose transform and primary index are given, n being the
// length of the transform. The buffers must not overlap. It waits for the result.
//
// Errors: *verify.MismatchError if there is no such text, and then text holds anything; a transform
// longer than planned, the context's, the device's.
func (v *SymbolInverse[T]) Run(
	ctx context.Context, transform *device.Buffer[T], primary int, text *device.Buffer[T],
) error {
	n := transform.Len()
	if n > v.n || text.Len() < n {
		return fmt.Errorf("bwt: transform of %d characters, planned for %d, room for %d", n, v.n, text.Len())
	}
	if primary < min(n, 1) || primary > n {
		why := fmt.Sprintf("of %s has no primary index %d", bytesize.Count(n, "character"), primary)
		return &verify.MismatchError{What: "Burrows-Wheeler transform", At: -1, Why: why}
	}
	v.s.Phase("unbwt")
	if err := v.s.Check(ctx); err != nil || n == 0 {
		return err
	}
	next, firsts := v.order(transform, primary)
	pieces, more := v.pieces.Buffer(v.s), v.more.Buffer(v.s)
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
	v.copy.Launch(intmath.CeilDiv(w.nodes*(w.cap/v.wordSymbols()), v.shape.WG), 2*int64(n),
		pieces, uint32(w.log), nodes, ends, uint32(w.nodes), text, uint64(n))
	var end [1]uint64
	if err := ends.View(whole>>w.log, 1).Read(end[:]); err != nil {
		return err
	}
	if end[0] != uint64(n)<<32|none {
		why := fmt.Sprintf("with primary index %d is that of no text: its rows end after %d of %s",
			primary, end[0]>>32, bytesize.Count(n, "character"))
		return &verify.MismatchError{What: "Burrows-Wheeler transform", At: -1, Why: why}
	}
	return nil
}
