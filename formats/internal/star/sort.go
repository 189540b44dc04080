package star

import (
	"context"
	"slices"
	"strings"

	"github.com/suffixcl/suffixcl"
	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/formats/internal/sorted"
	"github.com/suffixcl/suffixcl/internal/call"
	"github.com/suffixcl/suffixcl/internal/entries"
	"github.com/suffixcl/suffixcl/internal/jobs/genomes"
	"github.com/suffixcl/suffixcl/internal/parallel"
	"github.com/suffixcl/suffixcl/internal/separated"
)

// want is a suffix array in one piece, and inRanges one beyond its longest text.
var (
	want     = suffixcl.Want{SA: true}
	inRanges = suffixcl.RangeOptions{Packed: true}
)

// packedBytes are those of a place that was sorted in ranges.
const packedBytes = 5

// Plan returns the memory of Write. Errors: those of Engine.Arrays and Engine.Ranges.
func (r *Reference) Plan(ctx context.Context, e *suffixcl.Engine) (device.MemoryPlan, error) {
	both, err := r.strands()
	if err != nil {
		return nil, err
	}
	counting, err := genomes.PrefixCounts(call.Of(e), r.genome, r.prefixOptions()).Plan(ctx)
	if err != nil {
		return nil, err
	}
	for i := range counting {
		counting[i].Host = 0
	}
	_, plan, err := sortedInRanges(ctx, e, both)
	plan = append(counting, plan...)
	for i := range plan {
		plan[i].Host += r.hostBytes()
	}
	return plan, err
}

// sortedInRanges tells whether a text is sorted in ranges, as it has more symbols than the sorters in one piece take or
// than they have memory for. plan is the memory of that, without a suffix array as a whole.
func sortedInRanges(ctx context.Context, e *suffixcl.Engine, text *separated.Text) (
	ranged bool, plan device.MemoryPlan, err error) {
	if text.Len() <= sorted.MaxWhole {
		plan, err = e.Arrays(suffixcl.Length(1, text.Len()), want).Plan(ctx)
		if n := len(plan); err != nil || n == 0 || !strings.HasSuffix(plan[n-1].Phase, " ranges") {
			for i := range plan {
				plan[i].Host = int64(text.Len())
			}
			return false, plan, err
		}
	}
	plan, err = e.Ranges(suffixcl.Counts(text.Counts()), inRanges).Plan(ctx)
	return true, plan, err
}

// hostBytes is the memory of the genome, the index before the suffix array and the blocks of rows.
func (r *Reference) hostBytes() int64 {
	rows := 2 * len(r.genome)
	return int64(len(r.genome)) + indexBytes(r.options.IndexBases, rows) + rowBytes*int64(min(rows, rowsAtOnce))
}

// rowsAtOnce is about how many rows a block has, and rowBytes what each takes: its place and packed entries.
const (
	rowsAtOnce = 4 << 20
	rowBytes   = 20
)

// eachBlock sorts both strands, and hands out the rows in order: places on both strands, some at a time, which are
// valid until yield returns. Suffixes that do not begin with a base, or that are left out of a sparse array, are no
// rows. Host memory: a byte a letter of both strands where they are sorted in one piece; 8 bytes a row of a block.
func (r *Reference) eachBlock(ctx context.Context, e *suffixcl.Engine, yield func(places []uint64) error) error {
	both, err := r.strands()
	if err != nil {
		return err
	}
	ranged, _, err := sortedInRanges(ctx, e, both)
	if err != nil {
		return err
	}
	left := 2 * r.bases(0, len(r.genome)) // the others begin with larger letters
	b := &blocks{r: r, both: both}
	if ranged {
		for block, err := range e.Ranges(suffixcl.Reader(both, both.Len()), inRanges).Each(ctx) {
			if err != nil {
				return err
			}
			n := min(block.Len, left)
			left -= n
			if err := yield(b.places(n, func(to []uint64, lo, hi int) {
				entries.Decode(to, packedBytes, block.Packed[packedBytes*lo:packedBytes*hi])
			})); err != nil || left == 0 {
				return err
			}
		}
		return nil
	}
	text, err := both.Bytes()
	if err != nil {
		return err
	}
	for block, err := range e.Arrays(suffixcl.Bytes(text), want).Each(ctx) {
		if err != nil {
			return err
		}
		n := min(len(block.SA), left)
		left -= n
		if err := yield(b.places(n, func(to []uint64, lo, hi int) {
			for i, at := range block.SA[lo:hi] {
				to[i] = uint64(at)
			}
		})); err != nil || left == 0 {
			return err
		}
	}
	return nil
}

// blocks makes places of sorted suffixes.
type blocks struct {
	r      *Reference
	both   *separated.Text
	memory []uint64
}

// places are those of n suffixes of the code, which decode has, but for those that a sparse array leaves out.
func (b *blocks) places(n int, decode func(to []uint64, lo, hi int)) []uint64 {
	if len(b.memory) < n {
		b.memory = make([]uint64, n)
	}
	const each = 1 << 14
	parts := parallel.Collect(n, each, func(lo, hi int) []uint64 {
		to := b.memory[lo:hi]
		decode(to, lo, hi)
		for i, at := range to {
			to[i] = uint64(b.both.Place(int(at)))
		}
		if b.r.options.Sparse > 1 {
			to = slices.DeleteFunc(to, b.r.leftOut)
		}
		return to
	})
	kept := 0
	for k, part := range parts {
		if kept < k*each { // some before were left out
			copy(b.memory[kept:], part)
		}
		kept += len(part)
	}
	return b.memory[:kept]
}

// leftOut tells whether a sparse array leaves out a place: of the plain genome all but those at some distances from its
// end.
func (r *Reference) leftOut(place uint64) bool {
	plain, ok := r.plainPlace(int(place))
	return ok && (2*r.plain-1-plain)%r.options.Sparse != 0
}
