package star

import (
	"errors"
	"math"
	"slices"
	"sync/atomic"

	"github.com/suffixcl/suffixcl/internal/addressspace"
	"github.com/suffixcl/suffixcl/internal/parallel"
)

// index is the index before the suffix array: for each sequence of 1 to levels bases the first row that begins with it.
type index struct {
	levels int
	starts []int    // [levels+1]: where the entries of each level begin
	row    rowTable // of each sequence of bases, or none
	ends   []uint64 // a bit an entry: suffixes that are shorter than the level follow its rows
}

// rowTable has numbers of rows: 4 bytes each, and where there are more rows another one.
type rowTable struct {
	low  []uint32
	high []uint8 // nil, or the bits from 32 on
}

// none is the row of bases that begin no suffix.
const none = math.MaxInt

// NarrowRows is the most rows whose numbers have 4 bytes. Tests make it smaller.
var NarrowRows = math.MaxUint32

// newRowTable has none for all entries.
func newRowTable(entries, rows int) (t rowTable) {
	t.low = addressspace.Make[uint32](entries)
	if rows > NarrowRows {
		t.high = addressspace.Make[uint8](entries)
	}
	parallel.Do(entries, 1<<18, func(lo, hi int) {
		for i := range t.low[lo:hi] {
			t.low[lo+i] = math.MaxUint32
		}
		if t.high != nil {
			for i := range t.high[lo:hi] {
				t.high[lo+i] = math.MaxUint8
			}
		}
	})
	return t
}

func (t rowTable) at(i int) int {
	switch {
	case t.low[i] == math.MaxUint32 && (t.high == nil || t.high[i] == math.MaxUint8):
		return none
	case t.high == nil:
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

// errTiny is that of genomes for which STAR ends, too.
var errTiny = errors.New(
	"star: the first suffix has fewer bases than the index: STAR cannot index so few; take a smaller genomeSAindexNbases")

// indexBytes is the memory of an index, with the bits of entries that have no row: 5.7 or 7 bytes for each of 4^levels
// sequences.
func indexBytes(levels, rows int) int64 {
	entries := (int64(1)<<(2*levels+2) - 4) / 3
	bytes := 4*entries + 2*entries/8
	if rows > NarrowRows {
		bytes += entries
	}
	return bytes
}

// newIndex has no entries yet, for so many rows. Memory: indexBytes.
func newIndex(levels, rows int) *index {
	x := &index{levels: levels, starts: make([]int, levels+1)}
	for level := range levels {
		x.starts[level+1] = x.starts[level] + 1<<(2*(level+1))
	}
	x.row = newRowTable(x.starts[levels], rows)
	x.ends = addressspace.Make[uint64](x.starts[levels]/64 + 1)
	return x
}

// entry is that of the first bases of a sequence of so many.
func (x *index) entry(level int, code uint32, length int) int {
	return x.starts[level-1] + int(code>>(2*(length-level)))
}

// key is what a row begins with: at most as many bases as the index has levels.
type key struct {
	code   uint32
	length int
}

// keys are those of rows.
type keys struct {
	code   []uint32
	length []uint8
}

func (k keys) at(i int) key { return key{k.code[i], int(k.length[i])} }

func (k keys) part(from, end int) keys { return keys{k.code[from:end], k.length[from:end]} }

// resize has room for the keys of so many rows, in the same memory if it is enough.
func (k *keys) resize(n int) {
	if cap(k.code) < n {
		k.code, k.length = make([]uint32, n), make([]uint8, n)
	}
	k.code, k.length = k.code[:n], k.length[:n]
}

// stretch is the number of rows whose keys are read if the ends of a stretch differ.
const stretch = 8

// read makes the keys of rows at these places. Rows between two of equal bases begin with the same. Reads wait for
// memory: those of the ends come first, so that no branch waits with them.
func (k *keys) read(r *Reference, places []uint64, levels int) {
	k.resize(len(places))
	parallel.Do(len(places), 1<<12, func(lo, hi int) {
		read := func(i int) {
			code, length := r.prefix(int(places[i]), levels)
			k.code[i], k.length[i] = code, uint8(length)
		}
		for at := lo; at < hi; at += stretch {
			read(at)
		}
		read(hi - 1)
		for at := lo; at < hi; at += stretch {
			end := min(at+stretch, hi-1)
			if first := k.at(at); first.length == levels && k.at(end) == first {
				for i := at + 1; i < end; i++ {
					k.code[i], k.length[i] = first.code, uint8(levels)
				}
				continue
			}
			for i := at + 1; i < end; i++ {
				read(i)
			}
		}
	})
}

// walk goes over rows in order, some at a time.
type walk struct {
	x        *index
	fills    bool // it fills entries
	marks    bool // it marks ends
	rows     int  // that it has gone over
	last     []int
	before   key
	runStart int // of the rows that begin as the one before
}

// newWalk has not gone over any row.
func (x *index) newWalk(fills, marks bool) *walk {
	w := &walk{x: x, fills: fills, marks: marks, last: make([]int, x.levels+1)}
	for level := range w.last {
		w.last[level] = -1
	}
	return w
}

// state is what a walk knows before row i of some that it goes over: the last entry of each level.
func (w *walk) state(k keys, i int) (last []int, before key) {
	last, before = slices.Clone(w.last), w.before
	if i == 0 {
		return last, before
	}
	before = k.at(i - 1)
	for row, reached := i-1, 0; row >= 0 && reached < w.x.levels; row-- {
		of := k.at(row)
		for level := reached + 1; level <= of.length; level++ {
			last[level] = w.x.entry(level, of.code, of.length)
		}
		reached = max(reached, of.length)
	}
	return last, before
}

// step goes over rows, of which the ith is number(i). Errors: errTiny.
func (w *walk) step(k keys, number func(i int) int) error {
	n := len(k.code)
	if n == 0 {
		return nil
	}
	x := w.x
	err := parallel.Try(n, 1<<14, func(lo, hi int) error {
		last, before := w.state(k, lo)
		for i := lo; i < hi; i++ {
			if before.length == x.levels && i > lo {
				for i+stretch < hi && k.at(i+stretch) == before { // and so are those between
					i += stretch
				}
			}
			of := k.at(i)
			if of.length == x.levels && of == before && i > lo {
				continue
			}
			for level := 1; level <= of.length; level++ {
				at := x.entry(level, of.code, of.length)
				if first := w.rows+i == 0; first || before.length < level || x.entry(level, before.code, before.length) != at {
					if last[level] < 0 && !first {
						return errTiny
					}
					if w.fills {
						x.row.set(at, number(i))
					}
				}
				last[level] = at
			}
			for level := of.length + 1; w.marks && level <= x.levels; level++ {
				if last[level] >= 0 {
					x.mark(last[level])
				}
			}
			before = of
		}
		return nil
	})
	w.runStart = w.runOf(k, n-1)
	w.last, w.before = w.state(k, n)
	w.rows += n
	return err
}

// runOf is the first row of those that begin as row i of the next ones.
func (w *walk) runOf(k keys, i int) int {
	if i < 0 {
		return w.runStart
	}
	of := k.at(i)
	for ; i > 0; i-- {
		if k.at(i-1) != of {
			return w.rows + i
		}
	}
	if w.rows > 0 && w.before == of {
		return w.runStart
	}
	return w.rows
}

// unseen tells whether STAR does not look at the last row, which these keys end with. It goes over rows in steps, from
// the start of each run of rows that begin with the same bases. It does not see a last run of one row that the step
// lands before.
func (w *walk) unseen(k keys) bool {
	last := len(k.code) - 1
	n := w.rows + last + 1
	step := n>>(2*w.x.levels) + 1
	if n < 2 || step < 2 {
		return false
	}
	before := w.before
	if last > 0 {
		before = k.at(last - 1)
	}
	return before != k.at(last) && (n-2-w.runOf(k, last-1))%step == 0
}

// end marks the entry before a level that has none, where it has been filled: STAR does.
func (w *walk) end() {
	longest := 0 // of the first bases of all rows
	for level := 1; level <= w.x.levels; level++ {
		if w.last[level] >= 0 {
			longest = level
		}
	}
	if longest > 0 && longest < w.x.levels && w.last[longest] == w.x.starts[longest]-1 {
		w.x.mark(w.last[longest])
	}
}

// mark sets the bit of an entry.
func (x *index) mark(at int) { atomic.OrUint64(&x.ends[at/64], 1<<(at%64)) }

// close gives sequences that begin no suffix the row of the next that does. absent tells where these are. n is the
// row after the last sequence.
func (x *index) close(n int) (absent func(at int) bool) {
	bits := addressspace.Make[uint64](x.starts[x.levels]/64 + 1)
	parallel.Each(x.levels, x.levels, func(level int) {
		next := n
		for at := x.starts[level+1] - 1; at >= x.starts[level]; at-- {
			if row := x.row.at(at); row != none {
				next = row
				continue
			}
			x.row.set(at, next)
			atomic.OrUint64(&bits[at/64], 1<<(at%64))
		}
	})
	return func(at int) bool { return bits[at/64]>>(at%64)&1 != 0 }
}

// indexing makes the index of rows that come in blocks. With junctions it is that of STAR, which inserts them into an
// index without.
type indexing struct {
	r     *Reference
	x     *index
	rows  *walk // over all rows
	plain *walk // over those of the genome without junctions; nil where there are none
	total int   // rows of the genome without junctions
	seen  int   // rows, with one that was left out
	keys  keys
	some  keys  // of plain rows
	short []key // of junctions, with fewer bases than levels
}

// newIndexing is for a genome with so many rows, and others of junctions.
func newIndexing(r *Reference, plain, inserted int) *indexing {
	x := newIndex(r.options.IndexBases, plain+inserted)
	in := &indexing{r: r, x: x, total: plain}
	if r.inserted() == 0 {
		in.rows = x.newWalk(true, true)
		return in
	}
	in.rows, in.plain = x.newWalk(true, false), x.newWalk(false, true)
	return in
}

// add goes over the next rows. Errors: errTiny.
func (in *indexing) add(places []uint64) error {
	if len(places) == 0 {
		return nil
	}
	in.keys.read(in.r, places, in.x.levels)
	if in.plain != nil {
		return in.addInserted(places)
	}
	k, first := in.keys, in.seen
	in.seen += len(places)
	if in.seen == in.total && in.rows.unseen(k) {
		k = k.part(0, len(places)-1)
	}
	return in.rows.step(k, func(i int) int { return first + i })
}

// ofPlain is what a part of some rows has: plain rows, the last of them, and keys of others that are short.
type ofPlain struct {
	from, n, last int
	short         []key
}

// plainKeys leaves the keys of plain rows among these, whose last one is returned, and keeps short ones of junctions.
func (in *indexing) plainKeys(places []uint64) (some keys, last int) {
	in.some.resize(len(places))
	n := 0
	for _, part := range parallel.Collect(len(places), 1<<14, func(lo, hi int) ofPlain {
		part := ofPlain{from: lo}
		for i := lo; i < hi; i++ {
			if _, ok := in.r.plainPlace(int(places[i])); ok {
				in.some.code[lo+part.n], in.some.length[lo+part.n] = in.keys.code[i], in.keys.length[i]
				part.last = i
				part.n++
				continue
			}
			k := in.keys.at(i)
			if n := len(part.short); k.length < in.x.levels && (n == 0 || part.short[n-1] != k) {
				part.short = append(part.short, k)
			}
		}
		return part
	}) {
		if part.n > 0 {
			copy(in.some.code[n:], in.some.code[part.from:][:part.n])
			copy(in.some.length[n:], in.some.length[part.from:][:part.n])
			n += part.n
			last = part.last
		}
		in.short = append(in.short, part.short...)
	}
	return in.some.part(0, n), last
}

// addInserted goes over rows of which some are of junctions.
func (in *indexing) addInserted(places []uint64) error {
	some, last := in.plainKeys(places)
	skip := len(places)
	if n := len(some.code); n > 0 && in.plain.rows+n == in.total && in.plain.unseen(some) {
		some, skip = some.part(0, n-1), last
	}
	if err := in.plain.step(some, nil); err != nil {
		return err
	}
	first := in.seen
	in.seen += len(places)
	err := in.rows.step(in.keys.part(0, skip), func(i int) int { return first + i })
	if err != nil || skip == len(places) {
		return err
	}
	return in.rows.step(in.keys.part(skip+1, len(places)), func(i int) int { return first + skip + 1 + i })
}

// close ends the index. absent tells which entries have no row of their own.
func (in *indexing) close() (absent func(at int) bool) {
	if in.plain == nil {
		in.rows.end()
	} else {
		in.plain.end()
		in.markShort()
	}
	return in.x.close(in.total)
}

// markShort marks what comes before the suffixes of junctions that have fewer bases than a level.
func (in *indexing) markShort() {
	x := in.x
	parallel.Do(len(in.short), 1<<12, func(lo, hi int) {
		for _, k := range in.short[lo:hi] {
			for level := k.length + 1; level <= x.levels; level++ {
				more := 2 * (level - k.length)
				entry := x.starts[level-1] + (int(k.code)<<more | (1<<more - 1))
				for entry >= x.starts[level-1] && x.row.at(entry) == none {
					entry--
				}
				if entry >= x.starts[level-1] {
					x.mark(entry)
				}
			}
		}
	})
}
