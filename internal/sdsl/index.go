package sdsl

import (
	"context"

	"github.com/suffixcl/suffixcl/internal/parallel"
)

// File is an index that was read, or mapped. Several goroutines may use it.
type File struct {
	n            uint64
	bits         storedRRR
	tree         tree
	rows, places stored
	before       [letters + 1]uint64 // letters of the text that are smaller
}

// Parse takes the bytes of a file, which File keeps. It reads what stands before the samples: the classes of all
// blocks, and the tree. Errors: an *Error.
func Parse(data []byte) (*File, error) {
	p := &parts{data: data}
	x := &File{n: p.uint64()}
	sigma := p.uint64()
	x.bits = p.rrr()
	x.readTree(p, sigma)
	x.rows, x.places = p.vector(0), p.vector(0)
	x.readAlphabet(p)
	if p.err == nil && p.at != len(data) {
		p.fail("%d bytes follow the index", len(data)-p.at)
	}
	if p.err == nil {
		x.check(p)
	}
	if p.err != nil {
		return nil, &Error{p.err.Error()}
	}
	return x, nil
}

func (x *File) readTree(p *parts, sigma uint64) {
	nodes := p.uint64()
	if p.err == nil && (sigma < 1 || sigma > letters || nodes != 2*sigma-1) {
		p.fail("a tree of %d nodes for %d letters", nodes, sigma)
	}
	if p.err != nil {
		return
	}
	t := &x.tree
	t.sigma = int(sigma)
	for range nodes {
		t.nodes = append(t.nodes, node{p.uint64(), p.uint64(), p.uint16(), p.uint16(), p.uint16()})
	}
	for c := range t.leaf {
		t.leaf[c] = p.uint16()
	}
	for c := range t.path {
		t.path[c] = p.uint64()
	}
}

func (x *File) readAlphabet(p *parts) {
	rank, there, before := p.vector(8), p.vector(8), p.vector(64)
	sigma := p.uint16()
	if p.err != nil {
		return
	}
	if rank.n != letters || there.n != uint64(sigma) || before.n != uint64(sigma)+1 || int(sigma) != x.tree.sigma {
		p.fail("an alphabet of %d letters", there.n)
		return
	}
	last, next := -1, uint64(0)
	for k := range there.n {
		c := int(there.at(k))
		if c <= last || rank.at(uint64(c)) != k || before.at(k) != next || before.at(k+1) <= next {
			p.fail("the letters are not in their order")
			return
		}
		for absent := last + 1; absent <= c; absent++ {
			x.before[absent] = next
		}
		last, next = c, before.at(k+1)
	}
	for absent := last + 1; absent <= letters; absent++ {
		x.before[absent] = next
	}
	if next != x.n {
		p.fail("the letters are %d, the text has %d", next, x.n)
	}
}

// check makes the tree of the letters anew, which the file has then, and looks at the samples.
func (x *File) check(p *parts) {
	var many [letters]uint64
	for c := range many {
		many[c] = x.before[c+1] - x.before[c]
	}
	want, err := newTree(&many)
	switch {
	case err != nil:
		p.fail("%v", err)
	case want.leaf != x.tree.leaf || want.path != x.tree.path || want.bits != x.bits.n:
		p.fail("the tree is not that of the letters")
	case x.rows.n != (x.n+RowsBetween-1)/RowsBetween || x.places.n != (x.n-1)/PlacesBetween+1:
		p.fail("%d and %d samples of a text of %d letters", x.rows.n, x.places.n, x.n)
	}
	for i := 0; p.err == nil && i < len(want.nodes); i++ {
		if n := want.nodes[i]; n != x.tree.nodes[i] {
			p.fail("node %d of the tree is not that of the letters", i)
		} else if n.left != noNode && x.bits.rank(n.place) != n.second {
			p.fail("node %d has not as many ones before it as it says", i)
		}
	}
}

// Len is the number of letters of the text, with the last one.
func (x *File) Len() uint64 { return x.n }

// ranks are how often a letter occurs in the first i letters of the transform, and in the first j >= i.
func (x *File) ranks(c byte, i, j uint64) (ofI, ofJ uint64) {
	path := x.tree.path[c]
	n := &x.tree.nodes[0]
	for depth := path >> deepest; depth > 0 && j > 0; depth-- {
		first, second := x.bits.rankBoth(n.place+i, n.place+j)
		first, second = first-n.second, second-n.second
		if path&1 == 1 {
			i, j, n = first, second, &x.tree.nodes[n.right]
		} else {
			i, j, n = i-first, j-second, &x.tree.nodes[n.left]
		}
		path >>= 1
	}
	return i, j
}

// inverse is the letter of row i of the transform, and how often it occurs before.
func (x *File) inverse(i uint64) (c byte, before uint64) {
	n := &x.tree.nodes[0]
	for n.left != noNode {
		ones, one := x.bits.rankAndBit(n.place + i)
		if one {
			i, n = ones-n.second, &x.tree.nodes[n.right]
		} else {
			i, n = i-(ones-n.second), &x.tree.nodes[n.left]
		}
	}
	return byte(n.second), i
}

// Rows is the number of rows: as many as letters.
func (x *File) Rows() uint64 { return x.n }

// Longer is the rows of what is longer by a letter before it than what the rows [from, to) begin with; the same row
// twice if there are none. The first rows of a search are [0, Rows).
func (x *File) Longer(from, to uint64, letter byte) (longerFrom, longerTo uint64) {
	if x.tree.leaf[letter] == noNode || from >= to || to > x.n {
		return 0, 0
	}
	from, to = x.ranks(letter, from, to)
	return x.before[letter] + from, x.before[letter] + to
}

// Interval is the rows of the suffixes that begin with a pattern: [from, to), by backward search.
func (x *File) Interval(pattern []byte) (from, to uint64) {
	from, to = 0, x.n
	for k := len(pattern) - 1; k >= 0 && from < to; k-- {
		from, to = x.Longer(from, to, pattern[k])
	}
	return from, to
}

// Count is how often a pattern occurs. The empty pattern occurs before each letter.
func (x *File) Count(pattern []byte) uint64 {
	from, to := x.Interval(pattern)
	return to - from
}

// step is the row of the suffix that is one letter longer than that of a row, and that letter.
func (x *File) step(row uint64) (longer uint64, c byte) {
	c, before := x.inverse(row)
	return x.before[c] + before, c
}

// Place is where the suffix of a row begins: 32 steps on average. Errors: an *Error; the context's.
func (x *File) Place(ctx context.Context, row uint64) (uint64, error) {
	for steps := uint64(0); steps <= x.n; steps++ {
		if row%RowsBetween == 0 {
			if place := x.rows.at(row / RowsBetween); place < x.n {
				return (place + steps) % x.n, nil
			}
			break
		}
		if steps%(1<<12) == 0 && ctx.Err() != nil {
			return 0, context.Cause(ctx)
		}
		row, _ = x.step(row)
	}
	return 0, &Error{"the samples of rows do not agree with the transform"}
}

// Text appends the letters [from, to) of the text. Errors: an *Error; the context's.
func (x *File) Text(ctx context.Context, to []byte, first, end uint64) ([]byte, error) {
	if end = min(end, x.n); first >= end {
		return to, nil
	}
	// The suffix at the next sample, or at the last letter, whose row is that of the letter itself.
	at, row := x.n, uint64(0)
	if k := (end + PlacesBetween - 1) / PlacesBetween; k < x.places.n {
		at, row = k*PlacesBetween, x.places.at(k)
	} else {
		row = x.places.at(0) // the text goes round
	}
	begin := len(to)
	to = append(to, make([]byte, end-first)...)
	// It goes on to the sample before the letters: if the rows agree there, they did on the way.
	for least := first / PlacesBetween * PlacesBetween; at > least; at-- {
		if row >= x.n {
			return to[:begin], errPlaces
		}
		var c byte
		if row, c = x.step(row); at <= end && at > first {
			to[begin+int(at-1-first)] = c
		}
		if (at-1)%PlacesBetween == 0 && x.places.at((at-1)/PlacesBetween) != row {
			return to[:begin], errPlaces
		}
		if at%(1<<12) == 0 && ctx.Err() != nil {
			return to[:begin], context.Cause(ctx)
		}
	}
	return to, nil
}

var errPlaces = &Error{"the samples of places do not agree with the transform"}

// placesAtOnce are samples between which a processor goes without a look at the context.
const placesAtOnce = 1 << 10

// Check goes through the whole index, by all processors: each row leads to the next, and all samples are on the way. It
// sees what Parse does not, such as the number of a block that is another one. Some microseconds a letter. Errors: an
// *Error; the context's.
func (x *File) Check(ctx context.Context) error {
	return parallel.Try(int(x.places.n), 16, func(lo, hi int) error {
		for k := lo; k < hi; k++ {
			if k%placesAtOnce == 0 && ctx.Err() != nil {
				return context.Cause(ctx)
			}
			at, row := x.n, x.places.at(0) // the text goes round
			if k+1 < int(x.places.n) {
				at, row = uint64(k+1)*PlacesBetween, x.places.at(uint64(k+1))
			}
			for ; at > uint64(k)*PlacesBetween; at-- {
				if row >= x.n {
					return errPlaces
				}
				if row, _ = x.step(row); row%RowsBetween == 0 && x.rows.at(row/RowsBetween) != at-1 {
					return &Error{"the samples of rows do not agree with the transform"}
				}
			}
			if x.places.at(uint64(k)) != row {
				return errPlaces
			}
		}
		return nil
	})
}
