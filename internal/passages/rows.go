package passages

import (
	"bytes"
	"context"
)

// Rows is an index that is searched backward, one letter after the other.
type Rows interface {
	// Rows is the number of rows, all of which begin with no letter.
	Rows() uint64
	// Longer is the rows [from, to) of what is longer by a letter before it; from = to if nothing is.
	Longer(from, to uint64, letter byte) (longerFrom, longerTo uint64)
}

// Backward searches an index backward for parts of a document.
//
// Start takes a step for each letter of what it finds, and one more. End looks for the end by doubling and halving,
// each time backward from there. A part [k, at) occurs only where [k, end) does, which is known. If it occurs as often,
// it occurs wherever [k, end) does; so do both with any letters before them, and the search ends at k. In most texts
// that is some letters before `end`, and End takes about two steps for each letter that was not known. At worst it goes
// back to the start of the passage each time: 1 + 2 log2 of the letters that were not known.
//
// Memory: 16 bytes a letter of the longest passage.
type Backward struct {
	Context  context.Context
	Index    Rows
	Document []byte
	MinCount uint64 // 1 or more

	steps  int
	end    int      // of the last search of Start or End that is known
	counts []uint64 // how often its last 1, 2, ... letters occur
	trial  []uint64
}

// stepsBetween is how many steps are between looks at the context.
const stepsBetween = 1 << 12

// Len implements Searcher.
func (b *Backward) Len() int { return len(b.Document) }

// Same implements Searcher.
func (b *Backward) Same(x, y, n int) bool { return bytes.Equal(b.Document[x:x+n], b.Document[y:y+n]) }

// search appends how often the last 1, 2, ... letters before end occur, back to bound. It ends where they occur as
// often as known(k), which is the count of a shorter part that begins at the same letter k, or 0.
func (b *Backward) search(counts []uint64, bound, end int, known func(k int) uint64) ([]uint64, error) {
	from, to := uint64(0), b.Index.Rows()
	for k := end - 1; k >= bound; k-- {
		if b.steps++; b.steps%stepsBetween == 0 && b.Context.Err() != nil {
			return nil, context.Cause(b.Context)
		}
		if from, to = b.Index.Longer(from, to, b.Document[k]); to-from < b.MinCount || to <= from {
			break
		}
		counts = append(counts, to-from)
		if known != nil && known(k) == to-from {
			break
		}
	}
	return counts, nil
}

// Start implements Searcher.
func (b *Backward) Start(bound, end int) (int, error) {
	counts, err := b.search(b.counts[:0], bound, end, nil)
	b.counts, b.end = counts, end
	return end - len(counts), err
}

// End implements Searcher.
func (b *Backward) End(start, end int) (int, uint64, error) {
	if b.end != end || len(b.counts) < end-start {
		if _, err := b.Start(start, end); err != nil {
			return 0, 0, err
		}
	}
	last, err := furthest(end, len(b.Document), func(at int) (bool, error) {
		trial, err := b.search(b.trial[:0], start, at, func(k int) uint64 {
			if k < b.end {
				return b.counts[b.end-1-k]
			}
			return 0
		})
		b.trial = trial
		if err != nil {
			return false, err
		}
		first := at - len(trial)
		if first > start && (first >= b.end || trial[len(trial)-1] != b.counts[b.end-1-first]) {
			return false, nil
		}
		if first > start {
			b.trial = append(trial, b.counts[b.end-first:b.end-start]...)
		}
		b.counts, b.trial, b.end = b.trial, b.counts, at
		return true, nil
	})
	if err != nil {
		return 0, 0, err
	}
	return last, b.counts[last-start-1], nil
}
