package tokenindex

import (
	"encoding/binary"
	"fmt"
)

// Segment is the slots of a shard's table whose suffixes begin with an n-gram: [From, To).
type Segment struct{ From, To int64 }

// Segments are those of an n-gram, shard by shard. Errors as Count.
func (x *Index) Segments(gram []uint32) ([]Segment, error) {
	data, err := x.Encode(gram)
	if err != nil {
		return nil, err
	}
	segments := make([]Segment, len(x.shards))
	for i, s := range x.shards {
		if segments[i].From, segments[i].To, err = s.find(data); err != nil {
			return nil, err
		}
	}
	return segments, nil
}

// ShardLen is the number of tokens of shard i, in the order of Segments, separators included.
func (x *Index) ShardLen(i int) int64 { return x.shards[i].n }

// Suffix is the token at which the suffix of a slot of shard i begins, 0 <= slot < ShardLen(i). Errors: those of the
// files, and an *Error for an invalid entry of the table.
func (x *Index) Suffix(i int, slot int64) (int64, error) { return x.shards[i].suffix(slot) }

// Passage is a part of a document.
type Passage struct {
	Document int64 // among those of all shards; -1: the shard has no offsets, and is taken for one document
	Length   int64 // tokens of the document, without its separator
	Needle   int   // place in Tokens of the token that was asked for; its separator is taken for the first one
	Tokens   []uint32
}

// Around returns a token of shard i, 0 <= token < ShardLen(i), with up to so many tokens of its document before it,
// and up to so many from it on. Errors: those of the files, and an *Error for an offset that is wrong.
func (x *Index) Around(i int, token, before, from int64) (*Passage, error) {
	s := x.shards[i]
	p := &Passage{Document: -1}
	first, end := int64(0), s.n
	if at := s.place(token); at.Document >= 0 {
		for _, other := range x.shards[:i] {
			p.Document += other.documents
		}
		p.Document += 1 + at.Document
		first = token - at.Place
		if at.Document+1 < s.documents {
			end = int64(s.offset(at.Document+1)) / int64(s.width)
		}
		if first > end || end > s.n {
			return nil, &Error{s.tokensName, first * int64(s.width),
				fmt.Sprintf("document %d does not end where the next one begins", at.Document)}
		}
	}
	p.Length = end - first
	token = max(token, first)
	low, high := max(first, token-before), min(end, token+from)
	p.Needle = int(token - low)
	if low >= high {
		return p, nil
	}
	data := make([]byte, (high-low)*int64(s.width))
	if _, err := s.tokens.ReadAt(data, low*int64(s.width)); err != nil {
		return nil, fmt.Errorf("reading %s: %w", s.tokensName, err)
	}
	p.Tokens = make([]uint32, high-low)
	for k := range p.Tokens {
		p.Tokens[k] = uint32(value(binary.LittleEndian, data[k*s.width:(k+1)*s.width]))
	}
	return p, nil
}

// Files are the names of the files that are mapped.
func (x *Index) Files() (names []string) {
	for _, s := range x.shards {
		names = append(names, s.tokensName, s.tableName)
		if s.offsets != nil {
			names = append(names, s.offsetsName)
		}
	}
	return names
}
