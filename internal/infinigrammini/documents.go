package infinigrammini

import (
	"context"
	"fmt"
	"sort"

	"github.com/suffixcl/suffixcl/internal/parallel"
)

// Document is one of an index. The texts of its shards count as one, each after the one before; so do their documents.
type Document struct {
	Number   uint64 // from 0
	Shard    int
	In       int    // its number in the shard
	From, To uint64 // in the text, without the separator: [From, To)
}

// RangeError is a number that an index does not have.
type RangeError struct{ Why string }

func (e *RangeError) Error() string { return e.Why }

// Before is what shards before one have: letters of the text, and documents.
func (x *Index) Before(shard int) (letters, documents uint64) {
	for _, s := range x.Shards[:shard] {
		letters += s.Len()
		documents += uint64(s.Documents())
	}
	return letters, documents
}

// Documents is their number. Errors: ErrNoOffsets.
func (x *Index) Documents() (n uint64, err error) {
	for _, s := range x.Shards {
		if !s.HasDocuments() {
			return 0, fmt.Errorf("%s: %w", s.Dir, ErrNoOffsets)
		}
		n += uint64(s.Documents())
	}
	return n, nil
}

// Document is that of a number. Errors: a *RangeError; those of Shard.Document.
func (x *Index) Document(number uint64) (d Document, err error) {
	n, err := x.Documents()
	if err != nil {
		return d, err
	}
	if number >= n {
		return d, &RangeError{fmt.Sprintf("there is no document %d: the index has %d, from 0", number, n)}
	}
	in := number
	for in >= uint64(x.Shards[d.Shard].Documents()) {
		in -= uint64(x.Shards[d.Shard].Documents())
		d.Shard++
	}
	from, to, err := x.Shards[d.Shard].Document(int(in))
	begin, _ := x.Before(d.Shard)
	return Document{number, d.Shard, int(in), begin + from, begin + to}, err
}

// shardAt is the shard of a place of the text, and the place there.
func (x *Index) shardAt(place uint64) (shard int, in uint64, err error) {
	in = place
	for k, s := range x.Shards {
		if in < s.Len() {
			return k, in, nil
		}
		in -= s.Len()
	}
	return 0, 0, &RangeError{fmt.Sprintf("there is no byte %d: the text of the index has %d", place, x.Len())}
}

// DocumentAt is the document of a place of the text; of a separator the one after it. Errors: a *RangeError; those of
// Shard.DocumentAt.
func (x *Index) DocumentAt(place uint64) (Document, error) {
	if _, err := x.Documents(); err != nil {
		return Document{}, err
	}
	shard, in, err := x.shardAt(place)
	if err != nil {
		return Document{}, err
	}
	i, from, to, err := x.Shards[shard].DocumentAt(in)
	letters, documents := x.Before(shard)
	return Document{documents + uint64(i), shard, i, letters + from, letters + to}, err
}

// DocumentText appends a document. Errors: those of Shard.DocumentText.
func (x *Index) DocumentText(ctx context.Context, into []byte, d Document) ([]byte, error) {
	return x.Shards[d.Shard].DocumentText(ctx, into, d.In)
}

// Metadata appends what is known of a document. Errors: those of Shard.Metadata.
func (x *Index) Metadata(ctx context.Context, into []byte, d Document) ([]byte, error) {
	return x.Shards[d.Shard].Metadata(ctx, into, d.In)
}

// Text appends the bytes [from, to) of the text. Errors: a *RangeError; those of Shard.Text.
func (x *Index) Text(ctx context.Context, into []byte, from, to uint64) ([]byte, error) {
	if n := x.Len(); from > to || to > n {
		return into, &RangeError{fmt.Sprintf("there are no bytes %d to %d: the text of the index has %d", from, to, n)}
	}
	for from < to {
		shard, in, err := x.shardAt(from)
		if err != nil {
			return into, err
		}
		s := x.Shards[shard]
		end := min(s.Len(), in+to-from)
		if into, err = s.Text(ctx, into, in, end); err != nil {
			return into, err
		}
		from += end - in
	}
	return into, nil
}

// Hits are where a pattern occurs: rows of the shards.
type Hits struct {
	rows [][2]uint64 // of each shard
	ends []uint64    // of these, one after another
}

// Hits finds a pattern; the empty one occurs before each letter.
func (x *Index) Hits(pattern []byte) Hits {
	h := Hits{make([][2]uint64, len(x.Shards)), make([]uint64, len(x.Shards))}
	n := uint64(0)
	for k, s := range x.Shards {
		from, to := s.Interval(pattern)
		h.rows[k] = [2]uint64{from, to}
		n += to - from
		h.ends[k] = n
	}
	return h
}

// Len is the number of occurrences.
func (h *Hits) Len() uint64 {
	if len(h.ends) == 0 {
		return 0
	}
	return h.ends[len(h.ends)-1]
}

// Place is where occurrence i is, in no order. Errors: those of Shard.Place.
func (x *Index) Place(ctx context.Context, h *Hits, i uint64) (uint64, error) {
	shard := sort.Search(len(h.ends), func(k int) bool { return h.ends[k] > i })
	row := h.rows[shard][1] - (h.ends[shard] - i)
	place, err := x.Shards[shard].Place(ctx, row)
	begin, _ := x.Before(shard)
	return begin + place, err
}

// lettersEach are read by one processor: a sample of places is before them, on average in the middle of what is left.
const lettersEach = 1 << 10

// textOf reads letters on several processors, into the memory behind a text.
func textOf(into []byte, from, to uint64, read func(part []byte, from, to uint64) ([]byte, error)) ([]byte, error) {
	if to-from < 2*lettersEach {
		return read(into, from, to)
	}
	begin := len(into)
	into = append(into, make([]byte, to-from)...)
	parts := int((to - from + lettersEach - 1) / lettersEach)
	err := parallel.Try(parts, 1, func(lo, hi int) error {
		at, end := from+uint64(lo)*lettersEach, min(from+uint64(hi)*lettersEach, to)
		_, err := read(into[begin+int(at-from):begin+int(at-from)], at, end)
		return err
	})
	if err != nil {
		return into[:begin], err
	}
	return into, nil
}
