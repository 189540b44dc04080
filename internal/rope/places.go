package rope

import (
	"context"
	"errors"

	"github.com/suffixcl/suffixcl/internal/fmd"
)

// Place is where a suffix begins: so many letters after the first one of a string.
type Place struct{ String, Offset uint64 }

// ErrSamples refuses samples that are those of another index.
var ErrSamples = errors.New("the samples are not those of the index")

// CheckSamples tells whether there are as many samples as those of the index.
func (x *Index) CheckSamples(s *fmd.Samples) error {
	want := (x.Len() - x.Strings() + 1<<s.Rate - 1) >> s.Rate
	if uint64(len(s.Strings)) != x.Strings() || uint64(len(s.Places)) != want {
		return ErrSamples
	}
	return nil
}

// rowRange is rows [low, high) of suffixes, which begin so many letters before those that are looked for.
type rowRange struct{ low, high, depth uint64 }

func (r rowRange) rows() uint64 { return r.high - r.low }

// Places appends where the suffixes of rows [low, high) begin, of so many of them at most. Which these are, and in
// which order, is as ropebwt3 has it. The largest range of rows is taken first. Of its rows those are told that are
// before the first letter of a string. The others lead to the rows with a letter more, a range for each letter. Of
// these rows those are told that have samples, and the ranges between them are left. Errors: ErrSamples, as far as
// samples are needed; the end of the context.
func (x *Index) Places(
	ctx context.Context, s *fmd.Samples, low, high uint64, most int, to []Place,
) ([]Place, error) {
	w := placeWalk{x: x, s: s, to: to, left: min(uint64(most), high-low), shift: fmd.Shift(x.Strings())}
	err := w.add(rowRange{low, high, 0})
	for steps := 1; err == nil && w.left > 0 && len(w.ranges) > 0; steps++ {
		if steps%checkEvery == 0 && ctx.Err() != nil {
			return w.to, context.Cause(ctx)
		}
		err = w.step(w.ranges.take())
	}
	if err == nil && w.left > 0 {
		err = ErrSamples
	}
	return w.to, err
}

// placeWalk are places that are looked for.
type placeWalk struct {
	x      *Index
	s      *fmd.Samples
	to     []Place
	left   uint64 // places to be told
	shift  int
	ranges rangeHeap
}

// before is how often each letter is before a row, of rows up to Len.
func (x *Index) before(row uint64) [fmd.Letters]uint64 {
	if row == x.Len() {
		return x.root.counts
	}
	_, before := x.at(row)
	return before
}

// step goes to the rows with a letter more.
func (w *placeWalk) step(r rowRange) error {
	if r.rows() == 0 {
		return nil
	}
	if r.depth > w.x.Len() {
		return ErrSamples
	}
	low, high := w.x.before(r.low), w.x.before(r.high)
	for whole := low[0]; whole < high[0] && w.left > 0; whole++ {
		if err := w.tell(Place{w.s.Strings[whole], r.depth}); err != nil {
			return err
		}
	}
	for c := byte(1); c < fmd.Letters && w.left > 0; c++ {
		if first := w.x.first(c); low[c] < high[c] {
			if err := w.add(rowRange{first + low[c], first + high[c], r.depth + 1}); err != nil {
				return err
			}
		}
	}
	return nil
}

func (w *placeWalk) tell(p Place) error {
	if p.String >= w.x.Strings() {
		return ErrSamples
	}
	w.to = append(w.to, p)
	w.left--
	return nil
}

// add tells the rows of a range that have samples, and adds the ranges between them.
func (w *placeWalk) add(r rowRange) error {
	m, every := w.x.Strings(), uint64(1)<<w.s.Rate
	first := max(r.low, m) - m
	for k := (first + every - 1) >> w.s.Rate; w.left > 0 && m+k<<w.s.Rate < r.high; k++ {
		sample, row := w.s.Places[k], m+k<<w.s.Rate
		if err := w.tell(Place{sample & (1<<w.shift - 1), sample>>w.shift + r.depth}); err != nil {
			return err
		}
		if r.low < row {
			w.ranges.add(rowRange{r.low, row, r.depth})
		}
		r.low = row + 1
	}
	w.ranges.add(r)
	return nil
}

// rangeHeap has its largest range first. Of ranges that are alike it takes the one that ropebwt3 does.
type rangeHeap []rowRange

func (h *rangeHeap) add(r rowRange) {
	all := append(*h, r)
	k := len(all) - 1
	for k > 0 && r.rows() >= all[(k-1)/2].rows() {
		all[k] = all[(k-1)/2]
		k = (k - 1) / 2
	}
	all[k] = r
	*h = all
}

func (h *rangeHeap) take() (largest rowRange) {
	all := *h
	largest = all[0]
	last := all[len(all)-1]
	all = all[:len(all)-1]
	if *h = all; len(all) == 0 {
		return largest
	}
	k := 0
	for {
		child := 2*k + 1
		if child >= len(all) {
			break
		}
		if child+1 < len(all) && all[child].rows() < all[child+1].rows() {
			child++
		}
		if all[child].rows() < last.rows() {
			break
		}
		all[k] = all[child]
		k = child
	}
	all[k] = last
	return largest
}
