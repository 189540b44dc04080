// Package radixsort sorts keys, with or without values, by any range of their
// bits: a stable least-significant-digit radix sort on the device.
//
// A pass counts the digits of every tile, scans the counts and writes every pair
// to its place (Satish, Harris & Garland 2009; Merrill & Grimshaw 2011). On
// GPU-shaped devices a tile is first sorted in local memory, so that writes are
// runs of equal digits. Traffic of a pass: two reads of each key, one of each
// value, one write of both. Workspace: 256 words for each tile.
package radixsort

import (
	"fmt"

	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/internal/tune"
	"github.com/suffixcl/suffixcl/scan"
)

// Value is the type of keys and of values.
type Value interface{ uint32 | uint64 }

// MaxLen is the largest number of pairs: places are 32-bit words.
const MaxLen = 1<<32 - 1

// Pair is a ping-pong pair of buffers: the data is in Cur, Alt is scratch. A
// sort leaves its result in Cur again and exchanges the two as often as it has
// passes.
type Pair[T Value] struct{ Cur, Alt *device.Buffer[T] }

func (p *Pair[T]) swap() { p.Cur, p.Alt = p.Alt, p.Cur }

// Plan sorts up to n keys of type K, with values of type V or without.
type Plan[K, V Value] struct {
	s              *device.Session
	n              int
	digitBits      int
	counts         *scan.Plan[uint32]
	count, scatter *device.Kernel
	keyBytes       int64
	valueBytes     int64 // 0 without values
}

// NewPairs compiles a sort of up to n pairs.
func NewPairs[K, V Value](s *device.Session, n int) (*Plan[K, V], error) {
	return newPlan[K, V](s, n, true)
}

// NewKeys compiles a sort of up to n keys without values; Run takes nil for them.
func NewKeys[K Value](s *device.Session, n int) (*Plan[K, uint32], error) {
	return newPlan[K, uint32](s, n, false)
}

func newPlan[K, V Value](s *device.Session, n int, values bool) (*Plan[K, V], error) {
	if n > MaxLen {
		return nil, fmt.Errorf("radixsort: %d pairs, at most %d", n, MaxLen)
	}
	shape := s.Tuning().RadixSort
	p := &Plan[K, V]{s: s, n: n, digitBits: shape.DigitBits}
	_, p.keyBytes = clType[K]()
	if values {
		_, p.valueBytes = clType[V]()
	}
	var err error
	if p.counts, err = scan.NewPlan[uint32](s, p.mostTiles(n)<<p.digitBits, scan.Options{}); err != nil {
		return nil, err
	}
	program, err := s.Program(source[K, V](*s.Tuning(), values))
	if err == nil {
		err = program.Kernels(shape.WG, map[string]**device.Kernel{"radix_count": &p.count, "radix_scatter": &p.scatter})
	}
	if err != nil {
		p.counts.Release()
		return nil, err
	}
	return p, nil
}

// source is the program of a plan.
func source[K, V Value](set tune.Set, values bool) device.Source {
	key, _ := clType[K]()
	defines := device.Defines{"WG": set.RadixSort.WG, "ITEMS": set.RadixSort.Items, "K": key, "HAS_VALUES": 0}
	if values {
		defines["HAS_VALUES"] = 1
		defines["V"], _ = clType[V]()
	}
	return device.Source{Files: []string{"radixsort.cl"}, Defines: defines}
}

// Sources lists the programs of every Plan, without those of package scan.
func Sources(set tune.Set) []device.Source {
	return []device.Source{
		source[uint32, uint32](set, false),
		source[uint32, uint32](set, true),
		source[uint32, uint64](set, true),
		source[uint64, uint32](set, false),
		source[uint64, uint32](set, true),
		source[uint64, uint64](set, true),
	}
}

func clType[T Value]() (string, int64) {
	if _, ok := any(T(0)).(uint64); ok {
		return "ulong", 8
	}
	return "uint", 4
}

// chunk is the number of pairs that one work-group handles.
func (p *Plan[K, V]) chunk(n int) int {
	shape := p.s.Tuning().RadixSort
	tile := shape.WG * shape.Items
	if !p.s.Caps().CPUShape {
		return tile
	}
	return max(tile, device.Groups(n, shape.Chunks*p.s.Caps().ComputeUnits))
}

func (p *Plan[K, V]) tiles(n int) int { return device.Groups(n, p.chunk(n)) }

// mostTiles bounds tiles(m) for every m <= n; on CPU-shaped devices a shorter
// input may have more tiles than a longer one.
func (p *Plan[K, V]) mostTiles(n int) int {
	shape := p.s.Tuning().RadixSort
	tiles := device.Groups(n, shape.WG*shape.Items)
	if p.s.Caps().CPUShape {
		tiles = min(tiles, shape.Chunks*p.s.Caps().ComputeUnits)
	}
	return tiles
}

// WorkspaceBytes is what Run carves from its workspace.
func (p *Plan[K, V]) WorkspaceBytes() int64 {
	return device.WorkspaceBytes[uint32](p.s, p.mostTiles(p.n)<<p.digitBits) + p.counts.WorkspaceBytes()
}

// Release frees the kernels.
func (p *Plan[K, V]) Release() {
	if p == nil {
		return
	}
	p.counts.Release()
	p.count.Release()
	p.scatter.Release()
}

// Passes is the number of passes for the bits [lo, hi) of the keys: the number
// of times that Run exchanges Cur and Alt.
func (p *Plan[K, V]) Passes(lo, hi int) int { return device.Groups(max(hi-lo, 0), p.digitBits) }

// Run enqueues sorting the first n pairs by the bits [lo, hi) of their keys;
// pairs with equal bits keep their order. values is nil in a plan without values.
func (p *Plan[K, V]) Run(ws *device.Workspace, keys *Pair[K], values *Pair[V], n, lo, hi int) {
	if err := p.check(keys, values, n, lo, hi); err != nil {
		p.s.Fail(err)
		return
	}
	if n == 0 {
		return
	}
	defer ws.Reset(ws.Mark())
	chunk, tiles := p.chunk(n), p.tiles(n)
	counts := device.Carve[uint32](ws, tiles<<p.digitBits)
	for passes := p.Passes(lo, hi); passes > 0; passes-- {
		bits := device.Groups(hi-lo, passes) // digits of equal width, as far as it goes
		p.count.Launch(tiles, int64(n)*p.keyBytes, keys.Cur, counts, uint64(n), uint64(chunk), uint32(lo), uint32(bits))
		p.counts.Run(ws, counts, counts, tiles<<bits)
		traffic := 2 * int64(n) * (p.keyBytes + p.valueBytes)
		args := []any{keys.Cur, keys.Alt, counts, uint64(n), uint64(chunk), uint32(lo), uint32(bits)}
		if values != nil {
			args = append(args, values.Cur, values.Alt)
			values.swap()
		}
		p.scatter.Launch(tiles, traffic, args...)
		keys.swap()
		lo += bits
	}
}

func (p *Plan[K, V]) check(keys *Pair[K], values *Pair[V], n, lo, hi int) error {
	switch {
	case n > p.n:
		return fmt.Errorf("radixsort: %d pairs, planned for %d", n, p.n)
	case lo < 0 || hi > 8*int(p.keyBytes):
		return fmt.Errorf("radixsort: bits [%d, %d) of a %d-bit key", lo, hi, 8*p.keyBytes)
	case n > keys.Cur.Len() || n > keys.Alt.Len():
		return fmt.Errorf("radixsort: %d keys in buffers of %d and %d", n, keys.Cur.Len(), keys.Alt.Len())
	case (values != nil) != (p.valueBytes > 0):
		return fmt.Errorf("radixsort: values given to a plan without them, or missing")
	case values != nil && (n > values.Cur.Len() || n > values.Alt.Len()):
		return fmt.Errorf("radixsort: %d values in buffers of %d and %d", n, values.Cur.Len(), values.Alt.Len())
	}
	return nil
}
