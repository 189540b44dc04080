package passages

import (
	"context"
	"errors"
)

// Searcher searches an index for parts [start, end) of one document of letters. A part occurs if the index has it as
// often as is wanted, and then all parts within it do. A part without letters occurs.
type Searcher interface {
	// Len is the number of letters of the document.
	Len() int
	// Start is the least start from a bound on with which a part occurs that ends at end: at most end itself.
	Start(bound, end int) (start int, err error)
	// End is the greatest end with which a part occurs that begins at start, and how often the part occurs. The part
	// [start, end) is known to occur.
	End(start, end int) (last int, count uint64, err error)
	// Same tells whether n letters are the same at two places.
	Same(a, b, n int) bool
}

// Passage is a part of a document.
type Passage struct {
	Start, End int
	Count      uint64 // occurrences in the index
}

// Find calls yield for the passages of a document, in their order: the parts of length letters or more that occur, and
// that no longer part contains that occurs. Errors: a length of 0; the context's; those of the searcher and of yield.
//
// S(e) is the least start of what occurs and ends at e, and E(s) the greatest end of what occurs and begins at s. Both
// grow with their place, as parts of what occurs do. A part is a passage if it is [s, E(s)) and s = S(E(s)).
//
// Two things are true whenever the loop begins: no passage begins before s, but those that were told; and [s-1, e) does
// not occur, or s is 0. [s, e) occurs, and may be empty.
//
//   - A window [s, s+length) that does not occur has S(s+length) = p > s. A passage that begins before p has its end
//     at s+length or later, so it would contain [p-1, s+length), which does not occur. So s goes on to p: windows skip
//     as those of Boyer and Moore (Li 2024; Gagie 2024).
//   - If it does occur, [s, E(s)) is a passage. It does not go on to the right by definition, and not to the left,
//     where it would contain [s-1, e). A later passage ends at E(s)+1 or behind it. Let p be S(E(s)+1). If the later
//     one began before p, it would contain [p-1, E(s)+1), which does not occur. So s goes on to p, and e to E(s)+1.
//
// So all passages are told, and nothing else. A search is one of Start or End. There are two for each passage, and one
// for each window that does not occur. Together these are at most as many as letters, as s goes on each time.
func Find(ctx context.Context, s Searcher, length int, yield func(Passage) error) error {
	if length < 1 {
		return errors.New("passages: want passages of one letter or more")
	}
	f := finder{Searcher: s}
	n := s.Len()
	for start, end := 0, 0; n-start >= length; {
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		if end < start+length {
			end = start + length
			first, err := f.start(start, end, false)
			if err != nil {
				return err
			}
			if first > start {
				start = first
				continue
			}
		}
		last, count, err := f.end(start, end)
		if err != nil {
			return err
		}
		if err := yield(Passage{start, last, count}); err != nil || last == n {
			return err
		}
		if start, err = f.start(start+1, last+1, true); err != nil {
			return err
		}
		end = last + 1
	}
	return nil
}

// kept is how many answers are kept.
const kept = 8

// finder asks a searcher. Where the document repeats, by a period or with a line, say, the same letters have the answer
// that they had before, at another place.
type finder struct {
	Searcher
	starts, ends   [kept]Passage
	started, ended int // how many answers there were
}

// start is Start. With absent [bound-1, end) is known not to occur.
func (f *finder) start(bound, end int, absent bool) (int, error) {
	for _, p := range f.starts[:min(f.started, kept)] {
		// [p.Start-1, p.End) does not occur, and [p.Start, p.End) does.
		if by := end - p.End; by > 0 && p.Start+by >= bound && f.Same(p.Start-1, p.Start-1+by, p.End-p.Start+1) {
			f.keepStart(p.Start+by, end)
			return p.Start + by, nil
		}
	}
	first, err := f.Start(bound, end)
	if err == nil && first > 0 && (first > bound || absent) {
		f.keepStart(first, end)
	}
	return first, err
}

func (f *finder) keepStart(first, end int) {
	f.starts[f.started%kept] = Passage{Start: first, End: end}
	f.started++
}

// end is End.
func (f *finder) end(start, end int) (int, uint64, error) {
	for _, p := range f.ends[:min(f.ended, kept)] {
		// [p.Start, p.End) occurs, and [p.Start, p.End+1) does not.
		by := start - p.Start
		if by > 0 && p.End+by < f.Len() && f.Same(p.Start, start, p.End-p.Start+1) {
			f.keepEnd(Passage{start, p.End + by, p.Count})
			return p.End + by, p.Count, nil
		}
	}
	last, count, err := f.End(start, end)
	if err == nil && last < f.Len() {
		f.keepEnd(Passage{start, last, count})
	}
	return last, count, err
}

func (f *finder) keepEnd(p Passage) {
	f.ends[f.ended%kept] = p
	f.ended++
}

// furthest is the greatest number of from to end that holds: from does, and with a number all before it. It doubles its
// steps, and halves them then.
func furthest(from, end int, holds func(int) (bool, error)) (int, error) {
	wrong := end + 1
	for step := 1; from < end && wrong > end; step *= 2 {
		at := min(from+step, end)
		ok, err := holds(at)
		if err != nil {
			return 0, err
		}
		if ok {
			from = at
		} else {
			wrong = at
		}
	}
	for wrong-from > 1 && from < end {
		at := from + (wrong-from)/2
		ok, err := holds(at)
		if err != nil {
			return 0, err
		}
		if ok {
			from = at
		} else {
			wrong = at
		}
	}
	return from, nil
}
