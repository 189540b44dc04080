package tokenindex

import (
	"cmp"
	"context"
	"encoding/binary"
	"fmt"
	"os"
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
	return x.NextWithin(context.Background(), prompt, backOff, 0)
}

// NextWithin is Next, which ends with the context's error when that ends. With top above 0 it is of the first `top`
// next tokens alone.
func (x *Index) NextWithin(ctx context.Context, prompt []uint32, backOff bool, top int) (*Distribution, error) {
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
	for _, s := range x.shards {
		lo, hi, err := s.find(data)
		if err != nil {
			return nil, err
		}
		d.Prompt += hi - lo
		if d.Next, err = s.appendNext(ctx, d.Next, lo, hi, int64(len(data))); err != nil {
			return nil, err
		}
	}
	if len(x.shards) > 1 {
		d.Next = added(d.Next)
	}
	d.Next = first(d.Next, top)
	return d, nil
}

// added has each token of a list once.
func added(list []Next) []Next {
	slices.SortFunc(list, func(a, b Next) int { return cmp.Compare(a.Token, b.Token) })
	n := 0
	for _, next := range list {
		if n > 0 && list[n-1].Token == next.Token {
			list[n-1].Count += next.Count
			continue
		}
		list[n] = next
		n++
	}
	return list[:n]
}

// before is the order of a Distribution.
func before(a, b Next) int {
	return cmp.Or(cmp.Compare(b.Count, a.Count), cmp.Compare(a.Token, b.Token))
}

// mostInserted is how many tokens are found faster one by one than by sorting all.
const mostInserted = 256

// first has the first `top` of a list in its order; all if that is 0.
func first(list []Next, top int) []Next {
	if top == 0 || top > mostInserted || top >= len(list) {
		slices.SortFunc(list, before)
		if top > 0 {
			list = list[:min(top, len(list))]
		}
		return list
	}
	best := make([]Next, 0, top+1)
	for _, next := range list {
		if len(best) == top && before(next, best[top-1]) > 0 {
			continue
		}
		at, _ := slices.BinarySearchFunc(best, next, before)
		best = slices.Insert(best, at, next)
		best = best[:min(len(best), top)]
	}
	return best
}

// appendNext appends what follows an n-gram of so many bytes, whose slots are given. Most next tokens are rare, so it
// doubles its steps.
func (s *shard) appendNext(ctx context.Context, to []Next, lo, hi, length int64) ([]Next, error) {
	for ; lo < hi; lo++ { // suffixes that end are the smallest
		if key, err := s.keyAfter(lo, length); err != nil || key >= 0 {
			break
		}
	}
	for lo < hi {
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		key, err := s.keyAfter(lo, length)
		if err != nil {
			return nil, err
		}
		last, end := lo, hi // a slot with the token, and one after all of those
		for step := int64(1); last+1 < end; {
			probe := last + (end-last)/2
			if end == hi {
				probe = min(last+step, hi-1)
				step *= 2
			}
			other, err := s.keyAfter(probe, length)
			if err != nil {
				return nil, err
			}
			switch {
			case other < key:
				return nil, &Error{s.tableName, probe * int64(s.entry), "the table is not sorted"}
			case other == key:
				last = probe
			default:
				end = probe
			}
		}
		to = append(to, Next{s.tokenOf(key), end - lo})
		lo = end
	}
	return to, nil
}

// keyAfter is the token so many bytes after the start of a suffix, as it compares in the order of the table; -1 if the
// suffix ends there.
func (s *shard) keyAfter(slot, length int64) (int64, error) {
	position, err := s.suffix(slot)
	if err != nil {
		return 0, err
	}
	tokens := s.tokens.Bytes()
	if tokens == nil {
		return 0, fmt.Errorf("reading %s: %w", s.tokensName, os.ErrClosed)
	}
	at := position*int64(s.width) + length
	if at >= s.size {
		return -1, nil
	}
	return int64(value(s.format.order(), tokens[at:at+int64(s.width)])), nil
}

// tokenOf is the token of a key.
func (s *shard) tokenOf(key int64) uint32 {
	var data [4]byte
	switch order := s.format.order(); s.width {
	case 1:
		return uint32(key)
	case 2:
		order.PutUint16(data[:], uint16(key))
	default:
		order.PutUint32(data[:], uint32(key))
	}
	return uint32(value(binary.LittleEndian, data[:s.width]))
}
