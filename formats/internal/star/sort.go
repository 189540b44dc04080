package star

import (
	"context"
	"strings"

	"github.com/suffixcl/suffixcl"
	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/formats/internal/sorted"
	"github.com/suffixcl/suffixcl/internal/call"
	"github.com/suffixcl/suffixcl/internal/input"
	"github.com/suffixcl/suffixcl/internal/intmath"
	"github.com/suffixcl/suffixcl/internal/jobs/arrays"
	"github.com/suffixcl/suffixcl/internal/jobs/inranges"
	"github.com/suffixcl/suffixcl/internal/ranges"
	"github.com/suffixcl/suffixcl/internal/separated"
)

// want is a suffix array in one piece.
var want = suffixcl.Want{SA: true}

// Plan returns the memory of Write. Errors: those of Engine.Arrays and Engine.Ranges.
func (r *Reference) Plan(ctx context.Context, e *suffixcl.Engine) (device.MemoryPlan, error) {
	both, err := r.strands()
	if err != nil {
		return nil, err
	}
	indexing, err := r.indexing(e, 0).Plan(ctx)
	if err != nil {
		return nil, err
	}
	for i := range indexing {
		indexing[i].Host = 0
	}
	_, plan, err := r.sortedInRanges(ctx, e, both)
	plan = append(plan, indexing...)
	for i := range plan {
		plan[i].Host += r.hostBytes()
	}
	return plan, err
}

// sortedInRanges tells whether a text is sorted in ranges, as it has more symbols than the sorters in one piece take or
// than they have memory for. plan is the memory of that, without a suffix array as a whole.
func (r *Reference) sortedInRanges(ctx context.Context, e *suffixcl.Engine, text *separated.Text) (
	ranged bool, plan device.MemoryPlan, err error) {
	if text.Len() <= sorted.MaxWhole {
		plan, err = e.Arrays(suffixcl.Length(1, text.Len()), want).Plan(ctx)
		if n := len(plan); err != nil || n == 0 || !strings.HasSuffix(plan[n-1].Phase, " ranges") {
			if err == nil {
				plan, err = arrays.Packed(call.Of(e), text.Len(), nil, r.entries(text)).Plan(ctx)
			}
			return false, plan, err
		}
	}
	plan, err = r.inRanges(e, text, input.Counts(text.Counts())).Plan(ctx)
	return true, plan, err
}

// hostBytes is the memory of the genome and two blocks of rows.
func (r *Reference) hostBytes() int64 {
	rows, bits := min(2*len(r.genome), rowsAtOnce), r.strandBit()+1
	return int64(len(r.genome)) + 2*int64(intmath.CeilDiv(bits*rows, 8)+1)
}

// rowsAtOnce is about how many rows a block has.
const rowsAtOnce = 4 << 20

// rows gets the rows of a genome in order, some at a time.
type rows struct {
	packed *packer
	r      *Reference
	n      int // of all
	come   int // how many
	last   int // of these the last one of the genome without junctions
}

// add writes the next of n packed rows: all that are left, which other suffixes may follow.
func (w *rows) add(b []byte, n int) error {
	if n = min(n, w.n-w.come); n == 0 {
		return nil
	}
	bit := w.r.strandBit()
	all := packed{b, bit + 1}
	for i := n - 1; w.r.inserted() > 0 && i >= 0; i-- {
		row := all.at(i)
		place := int(row&(1<<bit-1)) + int(row>>bit)*len(w.r.genome)
		if _, ok := w.r.plainPlace(place); ok {
			w.last = w.come + i
			break
		}
	}
	w.come += n
	return w.packed.add(b, n)
}

// sorted sorts both strands, and hands out the rows. Suffixes that do not begin with a base come after all rows, as
// their letters are larger. Host memory: a byte a letter of both strands where they are sorted in one piece.
func (r *Reference) sorted(ctx context.Context, e *suffixcl.Engine, to *rows) error {
	both, err := r.strands()
	if err != nil {
		return err
	}
	ranged, _, err := r.sortedInRanges(ctx, e, both)
	if err != nil {
		return err
	}
	if ranged {
		for block, err := range r.inRanges(e, both, input.Reader(both, both.Len())).Each(ctx) {
			if err == nil {
				err = to.add(block.Packed, block.Entries)
			}
			if err != nil || to.come == to.n {
				return err
			}
		}
		return nil
	}
	text, err := both.Bytes()
	if err != nil {
		return err
	}
	return eachPacked(arrays.Packed(call.Of(e), len(text), text, r.entries(both)).Each(ctx), to.add)
}

// entries are those of the file. A sparse array has some of the positions.
func (r *Reference) entries(both *separated.Text) *ranges.Entries {
	of := &ranges.Entries{Bits: r.strandBit() + 1, Every: uint64(r.options.Sparse)}
	n := uint64(len(r.genome))
	for at, place := range both.Places() {
		add := uint64(place) - uint64(at)
		if uint64(place) >= n {
			add += 1<<r.strandBit() - n
		}
		of.From, of.Add = append(of.From, uint64(at)), append(of.Add, add)
		only := of.Every // all
		if plain, ok := r.plainPlace(place); ok {
			only = uint64(2*r.plain-1-plain+at) % of.Every
		}
		of.Only = append(of.Only, only)
	}
	return of
}

// inRanges sorts both strands in ranges. text is their text, or what is known of it.
func (r *Reference) inRanges(e *suffixcl.Engine, both *separated.Text, text input.Text,
) call.Job[inranges.Block, inranges.State] {
	return inranges.Sort(call.Of(e), text, inranges.Options{Entries: r.entries(both)})
}
