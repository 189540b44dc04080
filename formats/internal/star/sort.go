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
	"github.com/suffixcl/suffixcl/internal/input"
	"github.com/suffixcl/suffixcl/internal/jobs/arrays"
	"github.com/suffixcl/suffixcl/internal/jobs/inranges"
	"github.com/suffixcl/suffixcl/internal/parallel"
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
	plan, err = inranges.Sort(call.Of(e), input.Counts(text.Counts()), r.inRanges(text)).Plan(ctx)
	return true, plan, err
}

// hostBytes is the memory of the genome and the blocks of rows.
func (r *Reference) hostBytes() int64 {
	return int64(len(r.genome)) + rowBytes*int64(min(2*len(r.genome), rowsAtOnce))
}

// rowsAtOnce is about how many rows a block has, and rowBytes what each takes: its place and packed entries.
const (
	rowsAtOnce = 4 << 20
	rowBytes   = 20
)

// rows gets the rows of a genome in order, some at a time.
type rows struct {
	packed *packer
	r      *Reference
	memory []uint64
	n      int // of all
	come   int // how many
	last   int // of these the last one of the genome without junctions
}

// take tells of the next n rows, whose places on both strands are asked for.
func (w *rows) take(n int, place func(i int) int) {
	for i := n - 1; w.r.inserted() > 0 && i >= 0; i-- {
		if _, ok := w.r.plainPlace(place(i)); ok {
			w.last = w.come + i
			break
		}
	}
	w.come += n
}

// sorted sorts both strands, and hands out the rows. Suffixes that do not begin with a base, or that are left out of a
// sparse array, are no rows. Host memory: a byte a letter of both strands where they are sorted in one piece.
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
		return r.eachRange(ctx, e, both, to)
	}
	text, err := both.Bytes()
	if err != nil {
		return err
	}
	left := to.n // the others begin with larger letters
	return eachPacked(arrays.Packed(call.Of(e), len(text), text, r.entries(both)).Each(ctx),
		func(packed []byte, n int) error {
			n = min(n, left)
			left -= n
			return to.addPacked(packed, n)
		})
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

// inRanges are the options of ranges: entries as the file has them, or places, of which some are left out.
func (r *Reference) inRanges(both *separated.Text) inranges.Options {
	if r.options.Sparse == 1 {
		return inranges.Options{Entries: r.entries(both)}
	}
	places := &ranges.Entries{Bits: 8 * ranges.PackedBytes}
	for at, place := range both.Places() {
		places.From, places.Add = append(places.From, uint64(at)), append(places.Add, uint64(place)-uint64(at))
	}
	return inranges.Options{Entries: places}
}

// eachRange hands out the rows of strands that are sorted in ranges.
func (r *Reference) eachRange(ctx context.Context, e *suffixcl.Engine, both *separated.Text, to *rows) error {
	left := 2 * r.bases(0, len(r.genome)) // the others begin with larger letters
	text := input.Reader(both, both.Len())
	for block, err := range inranges.Sort(call.Of(e), text, r.inRanges(both)).Each(ctx) {
		if err != nil {
			return err
		}
		n := min(block.Len, left)
		left -= n
		if r.options.Sparse == 1 {
			err = to.addPacked(block.Packed, n)
		} else {
			err = to.add(to.places(n, func(places []uint64, lo, hi int) {
				entries.Decode(places, ranges.PackedBytes, block.Packed[ranges.PackedBytes*lo:ranges.PackedBytes*hi])
			}))
		}
		if err != nil || left == 0 {
			return err
		}
	}
	return nil
}

// places are those of n suffixes, which read has, but for those that a sparse array leaves out.
func (w *rows) places(n int, read func(to []uint64, lo, hi int)) []uint64 {
	if len(w.memory) < n {
		w.memory = make([]uint64, n)
	}
	const each = 1 << 14
	parts := parallel.Collect(n, each, func(lo, hi int) []uint64 {
		to := w.memory[lo:hi]
		read(to, lo, hi)
		if w.r.options.Sparse > 1 {
			to = slices.DeleteFunc(to, w.r.leftOut)
		}
		return to
	})
	kept := 0
	for k, part := range parts {
		if kept < k*each { // some before were left out
			copy(w.memory[kept:], part)
		}
		kept += len(part)
	}
	return w.memory[:kept]
}

// add writes the rows of places of both strands.
func (w *rows) add(places []uint64) error {
	w.take(len(places), func(i int) int { return int(places[i]) })
	n, strand := uint64(len(w.r.genome)), uint64(1)<<w.r.strandBit()
	parallel.Do(len(places), 1<<14, func(lo, hi int) {
		for i, place := range places[lo:hi] {
			if place >= n {
				places[lo+i] = place - n | strand
			}
		}
	})
	return w.packed.add(places)
}

// addPacked writes n rows that are packed.
func (w *rows) addPacked(b []byte, n int) error {
	bit := w.r.strandBit()
	all := packed{b, bit + 1}
	w.take(n, func(i int) int {
		row := all.at(i)
		return int(row&(1<<bit-1)) + int(row>>bit)*len(w.r.genome)
	})
	return w.packed.addPacked(b, n)
}

// leftOut tells whether a sparse array leaves out a place: of the plain genome all but those at some distances from its
// end.
func (r *Reference) leftOut(place uint64) bool {
	plain, ok := r.plainPlace(int(place))
	return ok && (2*r.plain-1-plain)%r.options.Sparse != 0
}
