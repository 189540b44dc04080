package star

import (
	"errors"
	"math"
	"math/bits"
	"sync/atomic"

	"github.com/suffixcl/suffixcl/internal/addressspace"
	"github.com/suffixcl/suffixcl/internal/intmath"
	"github.com/suffixcl/suffixcl/internal/parallel"
	"github.com/suffixcl/suffixcl/internal/prefixes"
)

// index is the index before the suffix array: for each sequence of 1 to levels bases the first row that begins with it.
// It is made of counts of the suffixes by their first bases. The rows themselves are not needed: suffixes come in the
// order of the sequences, and those that end in a sequence after all in which a base follows it.
type index struct {
	levels  int
	entries int
	row     rowTable // of each sequence: first how many rows begin with it, then the first of them
	present bitmap   // sequences with which a row begins
	ends    bitmap   // of these, those that rows which are shorter than the level follow
}

// rowTable has numbers of rows: 4 bytes each, and where there are more rows another one.
type rowTable struct {
	low  []uint32
	high []uint8 // nil, or the bits from 32 on
}

// NarrowRows is the most rows whose numbers have 4 bytes. Tests make it smaller.
var NarrowRows = math.MaxUint32

func newRowTable(entries, rows int) (t rowTable) {
	t.low = addressspace.Make[uint32](entries)
	if rows > NarrowRows {
		t.high = addressspace.Make[uint8](entries)
	}
	return t
}

func (t rowTable) at(i int) int {
	if t.high == nil {
		return int(t.low[i])
	}
	return int(t.high[i])<<32 | int(t.low[i])
}

func (t rowTable) set(i, row int) {
	t.low[i] = uint32(row)
	if t.high != nil {
		t.high[i] = uint8(row >> 32)
	}
}

// bitmap has a bit for each sequence.
type bitmap []uint64

func newBitmap(n int) bitmap { return addressspace.Make[uint64](intmath.CeilDiv(n, 64)) }

func (b bitmap) has(i int) bool { return b[i/64]>>(i%64)&1 != 0 }

// add is for several goroutines at a time.
func (b bitmap) add(i int) { atomic.OrUint64(&b[i/64], 1<<(i%64)) }

func (b bitmap) remove(i int) { b[i/64] &^= 1 << (i % 64) }

// last is the last one of [lo, hi) that the bitmap has, or -1.
func (b bitmap) last(lo, hi int) int {
	for i := hi; i > lo; i = i &^ 63 {
		word := b[(i-1)/64]
		if over := i % 64; over > 0 {
			word &= 1<<over - 1
		}
		if i -= (i-1)%64 + 1; word != 0 {
			if at := i + bits.Len64(word) - 1; at >= lo {
				return at
			}
			return -1
		}
	}
	return -1
}

// first is the first one of [lo, hi) that the bitmap has, or hi.
func (b bitmap) first(lo, hi int) int {
	for i := lo; i < hi; i = (i | 63) + 1 {
		if word := b[i/64] >> (i % 64); word != 0 {
			return min(i+bits.TrailingZeros64(word), hi)
		}
	}
	return hi
}

// fill makes the bitmap that of the entries below n that has tells.
func (b bitmap) fill(n int, has func(i int) bool) {
	parallel.Do(intmath.CeilDiv(n, 64), 1<<10, func(lo, hi int) {
		for w := lo; w < hi; w++ {
			word := uint64(0)
			for i := 64 * w; i < min(64*w+64, n); i++ {
				if has(i) {
					word |= 1 << (i % 64)
				}
			}
			b[w] = word
		}
	})
}

// errTiny is that of genomes for which STAR ends, too.
var errTiny = errors.New(
	"star: the first suffix has fewer bases than the index: STAR cannot index so few; take a smaller genomeSAindexNbases")

// indexBytes is the memory of an index: 5.8 or 7.2 bytes for each of 4^levels sequences.
func indexBytes(levels, rows int) int64 {
	entries := int64(prefixes.Sequences(levels))
	bytes := 4*entries + 3*entries/8
	if rows > NarrowRows {
		bytes += entries
	}
	return bytes
}

// newIndex has no counts yet, for so many rows. Memory: indexBytes.
func newIndex(levels, rows int) *index {
	x := &index{levels: levels, entries: prefixes.Sequences(levels)}
	x.row = newRowTable(x.entries, rows)
	x.present, x.ends = newBitmap(x.entries), newBitmap(x.entries)
	return x
}

// sequence is one of so many bases.
type sequence struct{ length, code int }

// none is that of no base.
var none sequence

func (s sequence) entry() int { return prefixes.Start(s.length) + s.code }

// then is the sequence with one more base.
func (s sequence) then(base int) sequence { return sequence{s.length + 1, 4*s.code + base} }

// prefix is that of so many bases.
func (s sequence) prefix(length int) sequence {
	return sequence{length, s.code >> (2 * (s.length - length))}
}

// carry adds 2^32 to the count of each of these entries.
func (x *index) carry(entries []int) {
	for _, i := range entries {
		x.row.high[i]++
	}
}

// shorter are the sequences after which suffixes end that are shorter than the levels. The counts are as they were
// counted.
func (x *index) shorter() bitmap {
	n := prefixes.Start(x.levels)
	b := newBitmap(n)
	b.fill(n, func(i int) bool { return x.row.at(i) > 0 })
	return b
}

// sum makes the counts those of all rows that begin with a sequence, and not only of those that end after it.
func (x *index) sum() {
	for level := x.levels - 1; level > 0; level-- {
		from, longer := prefixes.Start(level), prefixes.Start(level+1)
		parallel.Do(1<<(2*level), 1<<12, func(lo, hi int) {
			for code := lo; code < hi; code++ {
				sum := x.row.at(from + code)
				for k := longer + 4*code; k < longer+4*code+4; k++ {
					sum += x.row.at(k)
				}
				x.row.set(from+code, sum)
			}
		})
	}
}

// survey finds the sequences with which rows begin. Errors: errTiny.
func (x *index) survey() error {
	x.present.fill(x.entries, func(i int) bool { return x.row.at(i) > 0 })
	if first := x.outermost(false); first.length < x.longest() {
		return errTiny
	}
	return nil
}

// longest is the most bases of which sequences are present.
func (x *index) longest() int {
	for level := x.levels; level > 0; level-- {
		if x.lastOf(level) >= 0 {
			return level
		}
	}
	return 0
}

// lastOf is the last sequence of a level that is present, or -1.
func (x *index) lastOf(level int) int {
	return x.present.last(prefixes.Start(level), prefixes.Start(level+1))
}

// ended is how many rows have these bases only, or as many as there are levels.
func (x *index) ended(s sequence) int {
	n := x.row.at(s.entry())
	for base := 0; base < 4 && s.length < x.levels; base++ {
		n -= x.row.at(s.then(base).entry())
	}
	return n
}

// outermost is what the first row begins with, or the last one; none if there is no row.
func (x *index) outermost(last bool) sequence {
	s, flip := none, 0
	if last {
		flip = 3
	}
	for s.length < x.levels && !(last && s != none && x.ended(s) > 0) {
		base := 0
		for base < 4 && x.row.at(s.then(base^flip).entry()) == 0 {
			base++
		}
		if base == 4 {
			break
		}
		s = s.then(base ^ flip)
	}
	return s
}

// take adds to the counts of a sequence and of all with which it begins.
func (x *index) take(s sequence, more int) {
	for length := 1; length <= s.length; length++ {
		at := s.prefix(length).entry()
		x.row.set(at, x.row.at(at)+more)
	}
}

// unseen is what the last of n rows begins with, if STAR does not look at it; else none. It goes over rows in steps,
// from the start of each run of rows that begin with the same bases. It does not see a last run of one row that the
// step lands before. That row is taken from the counts.
func (x *index) unseen(n int) sequence {
	step := n>>(2*x.levels) + 1
	last := x.outermost(true)
	if n < 2 || step < 2 || x.ended(last) != 1 {
		return none
	}
	x.take(last, -1)
	start := n - 1 - x.ended(x.outermost(true))
	if (n-2-start)%step == 0 {
		return last
	}
	x.take(last, 1)
	return none
}

// chunk is how many sequences of a level a processor goes over at a time.
const chunk = 1 << 16

// mark marks what comes before rows that are shorter than a level: the last sequence that is present.
func (x *index) mark(shorter bitmap) {
	for level := 2; level <= x.levels; level++ {
		from, n := prefixes.Start(level), 1<<(2*level)
		before := make([]int, intmath.CeilDiv(n, chunk)) // the last sequence before each chunk
		last := parallel.Collect(n, chunk, func(lo, hi int) int { return x.present.last(from+lo, from+hi) })
		reached := -1
		for k := range last {
			before[k] = reached
			reached = max(reached, last[k])
		}
		parallel.Do(len(before), 1, func(lo, hi int) {
			for k := lo; k < hi; k++ {
				x.markChunk(shorter, level, k*chunk, min((k+1)*chunk, n), before[k])
			}
		})
	}
}

// markChunk marks sequences of a level up to [lo, hi). last is that before.
func (x *index) markChunk(shorter bitmap, level, lo, hi, last int) {
	from := prefixes.Start(level)
	for code := lo | 3; code < hi; code += 4 { // where those with one base less end
		looked := false
		of := sequence{level, code}
		for length := level - 1; length > 0 && of.code&3 == 3; length-- {
			if of = of.prefix(length); !shorter.has(of.entry()) {
				continue
			}
			if !looked {
				last, looked = max(last, x.present.last(from+lo, from+code+1)), true
			}
			if last >= 0 {
				x.ends.add(last)
			}
		}
	}
}

// markBelow marks the entry before a level that has none, where it is present: STAR does.
func (x *index) markBelow() {
	if longest := x.longest(); longest > 0 && longest < x.levels {
		if last := prefixes.Start(longest+1) - 1; x.present.has(last) {
			x.ends.add(last)
		}
	}
}

// number makes numbers of rows of the counts.
func (x *index) number() {
	next := 0
	for i := range 4 {
		many := x.row.at(i)
		x.row.set(i, next)
		next += many
	}
	for level := 1; level < x.levels; level++ {
		from, longer := prefixes.Start(level), prefixes.Start(level+1)
		parallel.Do(1<<(2*level), 1<<12, func(lo, hi int) {
			for code := lo; code < hi; code++ {
				next := x.row.at(from + code)
				for k := longer + 4*code; k < longer+4*code+4; k++ {
					many := x.row.at(k)
					x.row.set(k, next)
					next += many
				}
			}
		})
	}
}

// skip has the row of a sequence not be the first of any with which it begins: that is the next one.
func (x *index) skip(s sequence, row int) {
	for length := 1; length <= s.length; length++ {
		if at := s.prefix(length).entry(); x.present.has(at) && x.row.at(at) == row {
			x.row.set(at, row+1)
		}
	}
}

// close gives sequences that begin no suffix the row of the next of their level that does. n is the row after the last
// one.
func (x *index) close(n int) {
	for level := 1; level <= x.levels; level++ {
		from, many := prefixes.Start(level), 1<<(2*level)
		after := make([]int, intmath.CeilDiv(many, chunk)) // the first sequence that is present from each chunk on
		for k := range after {
			after[k] = x.present.first(from+k*chunk, from+min((k+1)*chunk, many))
		}
		next := n
		rows := make([]int, len(after)) // the row after each chunk
		for k := len(after) - 1; k >= 0; k-- {
			rows[k] = next
			if after[k] < from+min((k+1)*chunk, many) {
				next = x.row.at(after[k])
			}
		}
		parallel.Do(len(rows), 1, func(lo, hi int) {
			for k := lo; k < hi; k++ {
				next := rows[k]
				for at := from + min((k+1)*chunk, many) - 1; at >= from+k*chunk; at-- {
					if x.present.has(at) {
						next = x.row.at(at)
					} else {
						x.row.set(at, next)
					}
				}
			}
		})
	}
}
