// Package sorted makes the parts that the indexes of aligners share: the transform of a text and entries of its suffix
// array at equal distances, sorted in one piece or in ranges.
package sorted

import (
	"context"

	"github.com/suffixcl/suffixcl"
	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/internal/addressspace"
	"github.com/suffixcl/suffixcl/internal/parallel"
)

// MaxLen is the longest text.
const MaxLen = suffixcl.MaxRangesLen

// MaxWhole is the longest text that is sorted in one piece. Tests make it smaller.
var MaxWhole = suffixcl.MaxLen

// Want says which entries are kept.
type Want struct {
	Every, First int  // entries of the suffix array: First, First + Every, ...
	Ranges       bool // sort in ranges, whatever would fit in one piece
}

func (w Want) build() suffixcl.Want {
	return suffixcl.Want{SA: true, BWT: true, Every: w.Every, First: w.First}
}

// entries is how many entries of n are kept.
func (w Want) entries(n int) int { return max(n-w.First+w.Every-1, 0) / w.Every }

func (w Want) inRanges(n int) bool { return w.Ranges || n > MaxWhole }

// Plan returns the memory of Text for n bytes. Errors as suffixcl.Engine.Arrays and Ranges.
func (w Want) Plan(ctx context.Context, e *suffixcl.Engine, n int) (device.MemoryPlan, error) {
	if w.inRanges(n) {
		return e.Ranges(suffixcl.Length(1, n), suffixcl.RangeOptions{Transform: true}).Plan(ctx)
	}
	return e.Arrays(suffixcl.Length(1, n), w.build()).Plan(ctx)
}

// Rows are the rows of a sorted text, the first of which is the smallest suffix that is not empty.
type Rows struct {
	Transform []byte // [n], without the row of the whole text
	Primary   int    // which is this, of those of the transform with the empty suffix
	narrow    []uint32
	wide      []uint64
}

// Entries is the number of entries that are kept.
func (r *Rows) Entries() int { return max(len(r.narrow), len(r.wide)) }

// Entry is the kth entry that is kept.
func (r *Rows) Entry(k int) uint64 {
	if r.wide != nil {
		return r.wide[k]
	}
	return uint64(r.narrow[k])
}

// Text sorts a text. Host memory: 1 byte a character, and 4 or 8 an entry. Errors as suffixcl.Engine.Arrays and
// Ranges.
func (w Want) Text(ctx context.Context, e *suffixcl.Engine, text []byte) (*Rows, error) {
	if w.inRanges(len(text)) {
		return w.inBlocks(ctx, e, text)
	}
	made, err := e.Arrays(suffixcl.Bytes(text), w.build()).All(ctx)
	if err != nil {
		return nil, err
	}
	return &Rows{Transform: made.BWT.Bytes(), Primary: made.Primary, narrow: made.SA}, nil
}

func (w Want) inBlocks(ctx context.Context, e *suffixcl.Engine, text []byte) (*Rows, error) {
	r := &Rows{Transform: addressspace.Make[byte](len(text)), wide: addressspace.Make[uint64](w.entries(len(text)))}
	o := suffixcl.RangeOptions{Transform: true, Yield: func(b suffixcl.SuffixBlock) error {
		from, to := w.entries(b.First), w.entries(b.First+len(b.Positions))
		parallel.Do(to-from, 1<<14, func(lo, hi int) {
			for k := from + lo; k < from+hi; k++ {
				r.wide[k] = b.Positions[w.First+k*w.Every-b.First]
			}
		})
		parallel.Copy(r.Transform[b.TransformFirst:], b.Transform)
		return nil
	}}
	state, err := e.Ranges(suffixcl.Bytes(text), o).All(ctx)
	r.Primary = state.Primary
	return r, err
}
