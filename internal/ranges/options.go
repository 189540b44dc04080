package ranges

import (
	"errors"
	"fmt"
	"slices"
	"unsafe"

	"github.com/suffixcl/suffixcl/internal/entries"
	"github.com/suffixcl/suffixcl/internal/intmath"
)

// Options of a Sorter. The zero value takes the memory that there is.
type Options struct {
	// Width is the number of bits of a character: [Width] of the text. 0 means 8, enough for any.
	Width int
	// Capacity is the most suffixes that a range has; 0: as many as memory allows. A given number is not compared with the
	// memory that there is: see Memory.
	Capacity int
	// Memory is the most device memory that is planned for, of what the session may allocate; 0: all of it.
	Memory int64
	// Period is that of the difference cover: 7, 31, 73, 133, 273, 553, 993 or 1893. 0: the smallest from 133 on, of
	// several devices from 273 on, on CPUs from 31 on, whose sample can be sorted in the memory that there is; for
	// characters of up to 2 bits 993, on CPUs 273. If memory is left for few suffixes only, it is the period with the
	// fewest ranges.
	Period int
	// Dense is the period that is changed to if the text repeats itself: one in 64 samples or more agrees with another
	// in a period. 0: if Period is 0, the smallest from 31 on that fits besides ranges of that size, else none.
	Dense int
	// Transform asks for the Burrows-Wheeler transform, too, LCP for the LCP array, and NoPositions for these without the
	// suffix array.
	Transform, LCP, NoPositions bool
	// Packed asks for positions that the device packs: Block.Packed instead of Block.Positions. So fewer bytes leave it,
	// and the host copies them.
	Packed *Entries
	// Devices is how many will sort the text together, for the plan of host memory. 0 means 1.
	Devices int
}

// Entries are positions as a file has them.
type Entries struct {
	// Bits are those of each, 1 to 64. Higher ones are left out.
	Bits int
	// A position from From[k] on, and before From[k+1], is Add[k] more there, of 64 bits. From[0] is 0. None: positions
	// are as they are.
	From, Add []uint64
	// With Every above 1, up to 2^28, those positions of stretch k are packed that are Only[k] modulo Every, and all of
	// the stretch if Only[k] is not less than that.
	Every uint64
	Only  []uint64
}

// mostEvery is the most positions of which one is kept: kernels multiply it by a position.
const mostEvery = 1 << 64 / MaxLen

// PackedBytes are those of a position of FiveBytes.
const PackedBytes = 5

// FiveBytes are positions of up to 40 bits.
var FiveBytes = &Entries{Bits: 8 * PackedBytes}

// Bytes are those of so many entries, one after the other.
func (e *Entries) Bytes(n int) int { return intmath.CeilDiv(e.Bits*n, 8) }

func (e *Entries) check() error {
	switch {
	case e.Bits < 1 || e.Bits > 64:
		return fmt.Errorf("ranges: entries of %d bits", e.Bits)
	case len(e.From) != len(e.Add) || len(e.From) > 0 && (e.From[0] != 0 || !slices.IsSorted(e.From)):
		return errors.New("ranges: stretches of positions that do not ascend from 0")
	case e.Every > mostEvery:
		return fmt.Errorf("ranges: one of %d positions, of %d at most", e.Every, mostEvery)
	case e.Every > 1 && (len(e.From) == 0 || len(e.Only) != len(e.From)):
		return errors.New("ranges: some of the positions, without the stretches that they are in")
	}
	return nil
}

// places are the stretches as kernels have them: ranges_entries.cl.
func (e *Entries) places() []uint64 {
	if e == nil {
		return nil
	}
	return slices.Concat(e.From, e.Add, e.Only)
}

// place is what a position becomes.
func (e *Entries) place(position uint64) uint64 {
	k, found := slices.BinarySearch(e.From, position)
	if !found {
		k--
	}
	if k < 0 {
		return position
	}
	return position + e.Add[k]
}

// pack packs positions.
func pack[P uint32 | uint64](e *Entries, to []byte, positions []P) {
	var group [entries.Group]uint64
	for len(positions) > 0 {
		n := min(len(positions), len(group))
		for i, position := range positions[:n] {
			group[i] = e.place(uint64(position))
		}
		entries.PackGroup(to, e.Bits, group[:n])
		positions, to = positions[n:], to[e.Bytes(n):]
	}
}

// wide is the number of bytes of a position.
func wide[P uint32 | uint64]() int64 { return int64(unsafe.Sizeof(*new(P))) }

// entryBytes are those of what leaves for each suffix.
func entryBytes[P uint32 | uint64](o Options) (bytes int64) {
	switch {
	case o.NoPositions:
	case o.Packed != nil:
		bytes += int64(o.Packed.Bytes(1))
	default:
		bytes += wide[P]()
	}
	if o.LCP {
		bytes += wide[P]()
	}
	if o.Transform {
		bytes++
	}
	return bytes
}

// packs tells whether the device packs positions.
func (o Options) packs() bool { return o.Packed != nil && !o.NoPositions }

// sparse tells whether it leaves some out.
func (o Options) sparse() bool { return o.packs() && o.Packed.Every > 1 }

// results are what is wanted, without the rest of the options.
func (o Options) results() Options {
	return Options{Transform: o.Transform, LCP: o.LCP, NoPositions: o.NoPositions, Packed: o.Packed}
}

// MaxLen is the longest text: there are fewer than 2^32 samples.
const MaxLen = 1 << 36
