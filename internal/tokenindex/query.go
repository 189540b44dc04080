package tokenindex

import (
	"cmp"
	"context"
	"encoding/binary"
	"fmt"
	"maps"
	"slices"
	"sort"
)

// Count is how often an n-gram occurs; the empty one occurs as often as there are tokens. It takes O(n log m) reads of
// m tokens. Errors: a token that has too many bytes; those of the files, and an *Error for an invalid entry of the
// table.
func (x *Index) Count(gram []uint32) (int64, error) {
	data, err := x.Encode(gram)
	if err != nil {
		return 0, err
	}
	return x.CountOf(data)
}

// CountOf is Count of tokens that are encoded.
func (x *Index) CountOf(data []byte) (int64, error) {
	var count int64
	for _, s := range x.shards {
		lo, hi, err := s.find(data)
		if err != nil {
			return 0, err
		}
		count += hi - lo
	}
	return count, nil
}

// Position is where an n-gram occurs.
type Position struct {
	Shard    int
	Token    int64 // in the file of tokens
	Document int64 // in the shard, from 0; -1 where there are no offsets
	Place    int64 // in the document, from 0: its first token after the separator; -1: the separator
}

// Each yields where an n-gram occurs: shard by shard, in the order of the table. It ends with the error of yield. Other
// errors as Count.
func (x *Index) Each(gram []uint32, yield func(Position) error) error {
	data, err := x.Encode(gram)
	if err != nil {
		return err
	}
	return x.EachOf(data, yield)
}

// EachOf is Each of tokens that are encoded.
func (x *Index) EachOf(data []byte, yield func(Position) error) error {
	for _, s := range x.shards {
		lo, hi, err := s.find(data)
		if err != nil {
			return err
		}
		for slot := lo; slot < hi; slot++ {
			token, err := s.suffix(slot)
			if err != nil {
				return err
			}
			if err := yield(s.place(token)); err != nil {
				return err
			}
		}
	}
	return nil
}

// place is the position of a token.
func (s *shard) place(token int64) Position {
	p := Position{Shard: s.number, Token: token, Document: -1, Place: token}
	if s.documents == 0 {
		return p
	}
	at := uint64(token) * uint64(s.width)
	after := sort.Search(int(s.documents), func(d int) bool { return s.offset(int64(d)) > at })
	if after == 0 {
		return p // before the first document
	}
	p.Document = int64(after) - 1
	p.Place = token - int64(s.offset(p.Document))/int64(s.width) - 1
	return p
}

// Next is a token that follows an n-gram.
type Next struct {
	Token uint32
	Count int64 // how often
}

// Distribution tells what follows an n-gram.
type Distribution struct {
	SuffixLen int   // how many tokens at the end of the prompt were looked for
	Prompt    int64 // how often they occur
	// Next are the tokens that follow, the most frequent first, of equally frequent ones the smallest. Their counts
	// have the sum Prompt, less one for each shard that ends with the prompt. The next token may be a separator.
	Next []Next
}

// Next returns what follows a prompt, exactly; with backOff, what follows the longest suffix of it that occurs, which
// may be empty (the infinity-gram of infini-gram). O(k log m) reads of m tokens for k different next tokens. Errors as
// Count.
func (x *Index) Next(prompt []uint32, backOff bool) (*Distribution, error) {
	return x.NextWithin(context.Background(), prompt, backOff)
}

// NextWithin is Next, which ends with the context's error when that ends.
func (x *Index) NextWithin(ctx context.Context, prompt []uint32, backOff bool) (*Distribution, error) {
	from := 0
	if backOff {
		// Where a suffix occurs, shorter ones do.
		var err error
		from = sort.Search(len(prompt), func(from int) bool {
			count, failed := x.Count(prompt[from:])
			err = cmp.Or(err, failed)
			return count > 0
		})
		if err != nil {
			return nil, err
		}
	}
	data, err := x.Encode(prompt[from:])
	if err != nil {
		return nil, err
	}
	d := &Distribution{SuffixLen: len(prompt) - from}
	counts := map[uint32]int64{}
	for _, s := range x.shards {
		lo, hi, err := s.find(data)
		if err != nil {
			return nil, err
		}
		d.Prompt += hi - lo
		if err := s.eachNext(ctx, lo, hi, data, counts); err != nil {
			return nil, err
		}
	}
	for _, token := range slices.Sorted(maps.Keys(counts)) {
		d.Next = append(d.Next, Next{token, counts[token]})
	}
	slices.SortStableFunc(d.Next, func(a, b Next) int { return cmp.Compare(b.Count, a.Count) })
	return d, nil
}

// eachNext adds what follows an n-gram, whose slots are given.
func (s *shard) eachNext(ctx context.Context, lo, hi int64, gram []byte, counts map[uint32]int64) error {
	longer := append(slices.Clone(gram), make([]byte, s.width)...)
	for lo < hi {
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		position, err := s.suffix(lo)
		if err != nil {
			return err
		}
		at := position*int64(s.width) + int64(len(gram))
		if at >= s.size { // the suffix ends: it is the smallest
			lo++
			continue
		}
		if _, err := s.tokens.ReadAt(longer[len(gram):], at); err != nil {
			return fmt.Errorf("reading %s: %w", s.tokensName, err)
		}
		end, err := s.bound(lo, hi, longer, true)
		if err != nil {
			return err
		}
		if end == lo {
			return &Error{s.tableName, lo * int64(s.entry), "the table is not sorted"}
		}
		counts[uint32(value(binary.LittleEndian, longer[len(gram):]))] += end - lo
		lo = end
	}
	return nil
}
