// Package lrqcpu answers longest repeat queries on the host, by the algorithms of the paper of package lrq and by one
// in linear time: what package lrq is tested against and compared with.
//
//	paper          here
//	alpha, beta    RawSteps, CompactSteps
//	Algorithm 1    CPU.LeftmostRaw
//	Algorithm 2    CPU.LeftmostCompact
//	Algorithm 3    CPU.AllRaw
//	Algorithm 4    CPU.AllCompact
package lrqcpu

import (
	"slices"
	"sort"
	"sync"
)

// Repeat is a substring that occurs more than once: Length characters from Start on.
// Length 0 says that there is none; Start is 0 then.
type Repeat struct{ Start, Length uint32 }

// end is the position after it.
func (r Repeat) end() uint64 { return uint64(r.Start) + uint64(r.Length) }

// AllRepeats are all longest repeats of every position, in compressed rows: those of
// position k are Length[k] characters long and start at Starts[Offsets[k]:Offsets[k+1]],
// ascending. Offsets has one entry more than there are positions. A position without
// repeats has Length 0 and no starts.
type AllRepeats struct {
	Length  []uint32
	Offsets []uint64
	Starts  []uint32
}

// CPU computes longest repeats on the host, by the algorithms of the paper, with that
// many goroutines: 1 or less is the sequential algorithm. Rank and LCP array are those
// of the text, of equal length; the entry after the last of the LCP array counts as 0.
type CPU int

// split cuts [0, n) into a range for each goroutine and runs f on them.
func (c CPU) split(n int, f func(part, from, to int)) {
	workers := max(int(c), 1)
	if workers == 1 {
		f(0, 0, n)
		return
	}
	var wg sync.WaitGroup
	for part := range workers {
		wg.Go(func() { f(part, n*part/workers, n*(part+1)/workers) })
	}
	wg.Wait()
}

// Raw is the raw LLR array, by Lemma 1: the length of the longest repeat that starts at
// each position.
func (c CPU) Raw(rank, lcp []uint32) []uint32 {
	raw := make([]uint32, len(rank))
	c.split(len(rank), func(_, from, to int) {
		for i := from; i < to; i++ {
			j := rank[i]
			raw[i] = lcp[j]
			if int(j)+1 < len(lcp) {
				raw[i] = max(raw[i], lcp[j+1])
			}
		}
	})
	return raw
}

// Compact is the compact LLR array: the useful repeats of a raw one, those that are no
// part of another. Starts and ends ascend.
func (c CPU) Compact(raw []uint32) []Repeat {
	parts := make([][]Repeat, max(int(c), 1))
	c.split(len(raw), func(part, from, to int) {
		previous := uint32(0)
		if from > 0 {
			previous = raw[from-1]
		}
		var list []Repeat
		for i := from; i < to; i++ {
			if raw[i] > 0 && raw[i] >= previous {
				list = append(list, Repeat{uint32(i), raw[i]})
			}
			previous = raw[i]
		}
		parts[part] = list
	})
	if len(parts) == 1 {
		return parts[0]
	}
	return slices.Concat(parts...)
}

// LeftmostRaw is Algorithm 1: for each position the leftmost longest repeat that covers
// it, by a walk to the left over the raw LLR array. O(alpha n), where alpha is the mean
// number of LLRs that cover a position.
func (c CPU) LeftmostRaw(rank, lcp []uint32) []Repeat {
	raw := c.Raw(rank, lcp)
	best := make([]Repeat, len(raw))
	c.split(len(raw), func(_, from, to int) {
		for k := from; k < to; k++ {
			best[k] = leftmostRaw(raw, k)
		}
	})
	return best
}

func leftmostRaw(raw []uint32, k int) (best Repeat) {
	for i := k; i >= 0 && i+int(raw[i]) > k; i-- {
		if raw[i] >= best.Length {
			best = Repeat{uint32(i), raw[i]}
		}
	}
	return best
}

// LeftmostCompact is Algorithm 2: the same by binary search and a walk to the right over
// the compact LLR array. O(n (log n + beta)), where beta is the mean number of useful LLRs
// that cover a position; beta is at most 2 log2(n), see the package documentation.
func (c CPU) LeftmostCompact(rank, lcp []uint32) []Repeat {
	compact := c.Compact(c.Raw(rank, lcp))
	best := make([]Repeat, len(rank))
	c.split(len(rank), func(_, from, to int) {
		for k := from; k < to; k++ {
			for i := firstCovering(compact, k); i < len(compact) && int(compact[i].Start) <= k; i++ {
				if compact[i].Length > best[k].Length {
					best[k] = compact[i]
				}
			}
		}
	})
	return best
}

// firstCovering is the first useful LLR that ends after position k. It covers k if any
// does.
func firstCovering(compact []Repeat, k int) int {
	return sort.Search(len(compact), func(i int) bool { return compact[i].end() > uint64(k) })
}

// AllRaw is Algorithm 3: all longest repeats of every position, by two walks over the raw
// LLR array.
func (c CPU) AllRaw(rank, lcp []uint32) *AllRepeats {
	raw := c.Raw(rank, lcp)
	return c.all(len(raw), func(k int, starts []uint32) (uint32, []uint32) {
		best := leftmostRaw(raw, k)
		for i := k; best.Length > 0 && i >= int(best.Start); i-- {
			if raw[i] == best.Length {
				starts = append(starts, uint32(i))
			}
		}
		return best.Length, starts
	}, true)
}

// AllCompact is Algorithm 4: all longest repeats of every position, by binary search and
// two walks over the compact LLR array.
func (c CPU) AllCompact(rank, lcp []uint32) *AllRepeats {
	compact := c.Compact(c.Raw(rank, lcp))
	return c.all(len(rank), func(k int, starts []uint32) (uint32, []uint32) {
		first, length := firstCovering(compact, k), uint32(0)
		for i := first; i < len(compact) && int(compact[i].Start) <= k; i++ {
			length = max(length, compact[i].Length)
		}
		for i := first; i < len(compact) && int(compact[i].Start) <= k; i++ {
			if compact[i].Length == length {
				starts = append(starts, compact[i].Start)
			}
		}
		return length, starts
	}, false)
}

// all gathers what find appends for each position; descending says that it does so from
// right to left.
func (c CPU) all(n int, find func(k int, starts []uint32) (uint32, []uint32), descending bool) *AllRepeats {
	a := &AllRepeats{Length: make([]uint32, n), Offsets: make([]uint64, n+1)}
	parts := make([][]uint32, max(int(c), 1))
	c.split(n, func(part, from, to int) {
		var starts []uint32
		for k := from; k < to; k++ {
			before := len(starts)
			a.Length[k], starts = find(k, starts)
			if descending {
				slices.Reverse(starts[before:])
			}
			a.Offsets[k+1] = uint64(len(starts))
		}
		parts[part] = starts
	})
	if a.Starts = parts[0]; len(parts) == 1 {
		return a
	}
	a.Starts = slices.Concat(parts...)
	bases := make([]uint64, len(parts))
	for i := range parts[1:] {
		bases[i+1] = bases[i] + uint64(len(parts[i]))
	}
	c.split(n, func(part, from, to int) {
		for k := from; k < to; k++ {
			a.Offsets[k+1] += bases[part]
		}
	})
	return a
}

// LeftmostOptimal is the leftmost longest repeat of every position in O(n) time and space,
// sequential. It is our own algorithm for the bound of İleri, Külekci & Xu (On longest
// repeat queries, arXiv 1501.06259), whose text we have not had. The LLRs that cover a
// position are a window that only moves to the right. A queue keeps those that may still
// become its leftmost longest, in descending order of length.
func LeftmostOptimal(rank, lcp []uint32) []Repeat {
	n := len(rank)
	raw := CPU(1).Raw(rank, lcp)
	best := make([]Repeat, n)
	queue := make([]Repeat, 0, n) // those from head on
	head := 0
	previous := uint32(0)
	for k := range n {
		if length := raw[k]; length > 0 && length >= previous {
			for len(queue) > head && queue[len(queue)-1].Length < length {
				queue = queue[:len(queue)-1]
			}
			queue = append(queue, Repeat{uint32(k), length})
		}
		previous = raw[k]
		for head < len(queue) && queue[head].end() <= uint64(k) {
			head++
		}
		if head < len(queue) {
			best[k] = queue[head]
		}
	}
	return best
}

// Steps is how many LLRs the walks of a method pass: those that cover a position.
type Steps struct {
	Min  uint32  `json:"min"`
	Max  uint32  `json:"max"`
	Mean float64 `json:"mean"` // alpha of a raw LLR array, beta of a compact one
}

// RawSteps counts the LLRs that cover each position: Table 2 of the paper.
func RawSteps(raw []uint32) Steps {
	return steps(len(raw), len(raw), func(i int) Repeat { return Repeat{uint32(i), raw[i]} })
}

// CompactSteps counts the useful LLRs that cover each of n positions.
func CompactSteps(compact []Repeat, n int) Steps {
	return steps(n, len(compact), func(i int) Repeat { return compact[i] })
}

func steps(n, m int, llr func(i int) Repeat) Steps {
	if n == 0 {
		return Steps{}
	}
	s := Steps{Min: 1<<32 - 1}
	first, end := 0, 0
	var sum uint64
	for k := range n {
		for end < m && int(llr(end).Start) <= k {
			end++
		}
		for first < end && llr(first).end() <= uint64(k) {
			first++
		}
		covering := uint32(end - first)
		s.Min, s.Max, sum = min(s.Min, covering), max(s.Max, covering), sum+uint64(covering)
	}
	s.Mean = float64(sum) / float64(n)
	return s
}

// Rank is the inverse of a suffix array.
func Rank(sa []uint32) []uint32 {
	rank := make([]uint32, len(sa))
	for j, i := range sa {
		rank[i] = uint32(j)
	}
	return rank
}
