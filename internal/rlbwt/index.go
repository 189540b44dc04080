package rlbwt

import (
	"math/bits"

	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/internal/fmd"
	"github.com/suffixcl/suffixcl/internal/intmath"
	"github.com/suffixcl/suffixcl/scan"
)

// Those of kernels/rlbwt.cl.
const (
	blockWords = 16
	slotsFrom  = 5
	rowBits    = 29
	rowMask    = 1<<rowBits - 1
	superLog   = 9
	super      = 1 << superLog
	superWords = 8
	superEnds  = 5
	letterBits = 3
	longest    = 1 << 16
	offsetBits = 24
)

// Words of slots.
const (
	narrowWidths = 0xa7765544 // 4 bits for each number of widths
	wideWidths   = 0xffaaa7a7
	longWidth    = 30
	narrowLetter = 2 // bits
	wideLetter   = 3
	wideWord     = 1
	longWord     = 3
	mostSlots    = (blockWords - slotsFrom) * 7
)

// MaxBlocks is how many blocks an index has at most: numbers of 32 bits.
const MaxBlocks = 1<<32 - 2

// Index is a transform on the device, of strings of the letters 1 to 5 with a 0 after each. One goroutine uses it at a
// time.
type Index struct {
	s      *device.Session
	k      *kernels
	blocks *device.Buffer[uint32]
	supers *device.Buffer[uint64]
	cells  *device.Buffer[[2]uint32]
	ends   *device.Buffer[uint64]
	before *device.Buffer[uint64]

	shift   int // log2 of the rows of a cell
	nblocks int
	rows    uint64
	counts  [fmd.Letters]uint64

	next  func() []byte // what is appended next, or nil
	ahead *ahead        // nil, or what was uploaded of it
}

// ahead is a batch that is on the device before it is appended.
type ahead struct {
	codes []byte
	text  *device.Buffer[uint8]
}

func (a *ahead) release() {
	if a != nil {
		a.text.Release()
	}
}

// is tells whether these are the codes of a batch: the same memory.
func (a *ahead) is(codes []byte) bool {
	return a != nil && len(a.codes) == len(codes) && &a.codes[0] == &codes[0]
}

// New is the index of no strings.
func New(s *device.Session) (*Index, error) { return newIndex(s, newKernels(s)) }

// Prepare plans the programs of indexes, which the session can build then.
func Prepare(s *device.Session) {
	newKernels(s)
	scan.NewPlan[uint32](s, 1<<20, scan.Options{})
}

func newIndex(s *device.Session, k *kernels) (*Index, error) {
	x := &Index{s: s, k: k}
	if err := x.allocate(0); err != nil {
		return nil, err
	}
	if err := x.before.Write(make([]uint64, fmd.Letters+1)); err != nil {
		x.Release()
		return nil, err
	}
	return x, nil
}

// Len is the number of rows: letters and ends.
func (x *Index) Len() uint64 { return x.rows }

// Strings is the number of strings.
func (x *Index) Strings() uint64 { return x.counts[0] }

// Counts is how often $ A C G T N are there.
func (x *Index) Counts() [fmd.Letters]uint64 { return x.counts }

// Bytes is the memory of the index on the device.
func (x *Index) Bytes() int64 {
	return x.blocks.Bytes() + x.supers.Bytes() + x.cells.Bytes() + x.ends.Bytes() + x.before.Bytes()
}

// Release frees the memory.
func (x *Index) Release() {
	if x == nil {
		return
	}
	x.blocks.Release()
	x.supers.Release()
	x.cells.Release()
	x.ends.Release()
	x.before.Release()
	x.ahead.release()
	x.ahead = nil
}

// Args are INDEX_PARAMS of the kernels, for programs of other packages.
func (x *Index) Args() []any { return x.args() }

// args is Args.
func (x *Index) args() []any {
	return []any{
		x.blocks, x.supers, x.cells, uint32(x.shift), x.ends, x.before, x.rows, uint64(x.nblocks),
	}
}

// allocate takes the memory beside the blocks, for so many strings.
func (x *Index) allocate(strings int) (err error) {
	x.shift = cellShift(x.rows, x.nblocks)
	if x.supers == nil {
		if x.supers, err = device.Alloc[uint64](x.s, 0); err != nil {
			return err
		}
	}
	if x.blocks == nil {
		if x.blocks, err = device.Alloc[uint32](x.s, 0); err != nil {
			return err
		}
	}
	if x.cells, err = device.Alloc[[2]uint32](x.s, x.cellCount()); err == nil {
		if x.ends, err = device.Alloc[uint64](x.s, strings); err == nil {
			x.before, err = device.Alloc[uint64](x.s, fmd.Letters+1)
		}
	}
	if err != nil {
		x.Release()
	}
	return err
}

// cellShift is log2 of the rows of a cell: a quarter to a half of those of a block, so that few have two beginnings.
func cellShift(rows uint64, blocks int) int {
	if blocks == 0 {
		return 0
	}
	return min(max(bits.Len64(rows/uint64(blocks))-2, 0), offsetBits)
}

func (x *Index) cellCount() int {
	return int((x.rows + 1<<x.shift - 1) >> x.shift)
}

func superCount(blocks int) int { return intmath.CeilDiv(blocks, super) }
