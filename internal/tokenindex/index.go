package tokenindex

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"errors"
	"fmt"
	"os"

	"github.com/suffixcl/suffixcl/internal/bytesize"
	"github.com/suffixcl/suffixcl/internal/mapped"
	"github.com/suffixcl/suffixcl/internal/regular"
)

// Index is an open index, of one or more shards. Its methods may be called concurrently.
type Index struct {
	format Format
	width  int
	shards []*shard
}

// shard is a file of tokens and its table.
type shard struct {
	number          int
	tokens, table   *mapped.File
	offsets         *mapped.File // nil where there is no such file
	metadata        *mapped.File // of the documents, or nil
	lines           *mapped.File // where the lines of these begin
	linesName       string
	tokensName      string
	tableName       string
	offsetsName     string
	format          Format
	n               int64 // tokens
	width, entry    int
	documents, size int64 // of the tokens, in bytes
}

// Open opens an index of infini-gram: all shards of a directory of either layout, with tokens of so many bytes. Errors:
// those of the file system; an *Error of sizes that do not fit. The order of a table is not looked at.
func Open(dir string, width int) (*Index, error) { return OpenLayout(dir, AnyLayout, width) }

// OpenLayout is Open for a directory of a layout.
func OpenLayout(dir string, layout Layout, width int) (*Index, error) {
	shards, err := Find(dir, layout)
	if err != nil {
		return nil, err
	}
	x := &Index{format: InfiniGram, width: width}
	for _, files := range shards {
		offsets := files.File("offset")
		if _, err := os.Stat(offsets); errors.Is(err, os.ErrNotExist) {
			offsets = ""
		}
		s, err := openShard(InfiniGram, width, files.File("tokenized"), files.File("table"), offsets)
		if err == nil {
			s.number = files.Number
			x.shards = append(x.shards, s)
			err = s.openMetadata(files)
		}
		if err != nil {
			return nil, errors.Join(err, x.Close())
		}
	}
	return x, nil
}

// OpenTable opens an index of one file of tokens and its table. Errors as Open.
func OpenTable(f Format, width int, tokens, table string) (*Index, error) {
	s, err := openShard(f, width, tokens, table, "")
	if err != nil {
		return nil, err
	}
	return &Index{f, width, []*shard{s}}, nil
}

// openMapped maps a regular file into memory. Nothing else is waited for.
func openMapped(name string) (*mapped.File, error) {
	if err := regular.Check(name); err != nil {
		return nil, err
	}
	return mapped.Open(name)
}

func openShard(f Format, width int, tokens, table, offsets string) (_ *shard, err error) {
	if err := f.CheckWidth(width); err != nil {
		return nil, &Error{tokens, -1, err.Error()}
	}
	s := &shard{tokensName: tokens, tableName: table, format: f, width: width}
	defer func() {
		if err != nil {
			s.close()
		}
	}()
	if s.tokens, err = openMapped(tokens); err != nil {
		return nil, err
	}
	if s.table, err = openMapped(table); err != nil {
		return nil, err
	}
	s.size = int64(s.tokens.Len())
	file := TokenFile{Name: tokens, Size: s.size, Format: f}
	if err := file.Check(width); err != nil {
		return nil, err
	}
	s.n = s.size / int64(width)
	size := int64(s.table.Len())
	if s.n > 0 {
		s.entry = int(size / s.n)
	}
	least := f.EntryBytes(s.size)
	if s.n == 0 {
		s.entry = least
	}
	if size != s.n*int64(s.entry) || s.entry > 8 || s.entry < least {
		return nil, &Error{table, -1, fmt.Sprintf("%s: no table of %s, which has %s: that has %d",
			bytesize.Count(size, "byte"), tokens, bytesize.Count(s.n, "token"), s.n*int64(least))}
	}
	if offsets == "" {
		return s, nil
	}
	if s.offsets, err = openMapped(offsets); err != nil {
		return nil, err
	}
	s.offsetsName = offsets
	s.documents = int64(s.offsets.Len() / 8)
	if s.offsets.Len()%8 != 0 {
		return nil, &Error{offsets, s.documents * 8, "the file ends within an offset"}
	}
	if s.documents > 0 {
		if last := s.offset(s.documents - 1); last >= uint64(s.size) {
			return nil, &Error{offsets, 8*s.documents - 8,
				fmt.Sprintf("offset %d is beyond %s, which has %d bytes", last, tokens, s.size)}
		}
	}
	return s, nil
}

// Close closes the files.
func (x *Index) Close() error {
	var err error
	for _, s := range x.shards {
		err = cmp.Or(err, s.close())
	}
	return err
}

func (s *shard) close() error {
	var err error
	for _, m := range []*mapped.File{s.tokens, s.table, s.offsets, s.metadata, s.lines} {
		if m != nil {
			err = cmp.Or(err, m.Close())
		}
	}
	return err
}

// Len is the number of tokens, separators included.
func (x *Index) Len() int64 {
	var n int64
	for _, s := range x.shards {
		n += s.n
	}
	return n
}

// Shards is their number.
func (x *Index) Shards() int { return len(x.shards) }

// offset is the offset of a document.
func (s *shard) offset(document int64) uint64 { return wordAt(s.offsets, document) }

// wordAt is word i of a file, which is in range.
func wordAt(file *mapped.File, i int64) uint64 {
	var word [8]byte
	_, _ = file.ReadAt(word[:], 8*i)
	return binary.LittleEndian.Uint64(word[:])
}

// suffix is the place where the suffix of a slot of the table begins, as the number of a token.
func (s *shard) suffix(slot int64) (int64, error) {
	var word [8]byte
	at := slot * int64(s.entry)
	if _, err := s.table.ReadAt(word[:s.entry], at); err != nil {
		return 0, fmt.Errorf("reading %s: %w", s.tableName, err)
	}
	v := binary.LittleEndian.Uint64(word[:])
	scale := uint64(s.format.scale(s.width))
	if v%scale != 0 || v/scale >= uint64(s.n) {
		return 0, &Error{s.tableName, at, fmt.Sprintf("%d is not where a token begins", v)}
	}
	return int64(v / scale), nil
}

// comparedAtOnce is how many bytes of tokens are compared first: most suffixes differ there. Pieces double then.
const comparedAtOnce = 64

// compare compares the first tokens of a suffix with those of an n-gram, which are encoded as in the file. A suffix
// that ends is smaller.
func (s *shard) compare(position int64, gram []byte) (int, error) {
	at := position * int64(s.width)
	there := min(int64(len(gram)), s.size-at)
	order, tokens := s.format.order(), s.tokens.Bytes()
	if tokens == nil {
		return 0, fmt.Errorf("reading %s: %w", s.tokensName, os.ErrClosed)
	}
	window := tokens[at : at+there]
	for from, n := 0, comparedAtOnce; from < len(window); from, n = from+n, 2*n {
		end := min(from+n, len(window))
		if bytes.Equal(window[from:end], gram[from:end]) {
			continue
		}
		for i := from; ; i += s.width {
			c := cmp.Compare(value(order, window[i:i+s.width]), value(order, gram[i:i+s.width]))
			if c != 0 {
				return c, nil
			}
		}
	}
	return cmp.Compare(len(window), len(gram)), nil
}

// bound is the first slot from lo on, or hi, whose suffix is not less than an n-gram; with after, whose suffix is
// greater, and does not begin with it.
func (s *shard) bound(lo, hi int64, gram []byte, after bool) (int64, error) {
	for lo < hi {
		middle := lo + (hi-lo)/2
		position, err := s.suffix(middle)
		if err != nil {
			return 0, err
		}
		c, err := s.compare(position, gram)
		if err != nil {
			return 0, err
		}
		if c < 0 || after && c == 0 {
			lo = middle + 1
		} else {
			hi = middle
		}
	}
	return lo, nil
}

// find are the slots of the suffixes that begin with an n-gram.
func (s *shard) find(gram []byte) (lo, hi int64, err error) {
	if lo, err = s.bound(0, s.n, gram, false); err != nil {
		return 0, 0, err
	}
	hi, err = s.end(lo, s.n, gram)
	return lo, hi, err
}

// end is bound with after, near lo: most n-grams are rare. It doubles its steps (Bentley, Yao 1976).
func (s *shard) end(lo, hi int64, gram []byte) (int64, error) {
	for step := int64(1); lo < hi; step *= 2 {
		last := min(lo+step, hi) - 1
		position, err := s.suffix(last)
		if err != nil {
			return 0, err
		}
		c, err := s.compare(position, gram)
		if err != nil {
			return 0, err
		}
		if c > 0 {
			return s.bound(lo, last, gram, true)
		}
		lo = last + 1
	}
	return lo, nil
}

// Encode are tokens as in the files. Errors: a token that has too many bytes.
func (x *Index) Encode(tokens []uint32) ([]byte, error) {
	data := make([]byte, 0, len(tokens)*x.width)
	for i, token := range tokens {
		if uint64(token)>>(8*x.width) != 0 {
			return nil, fmt.Errorf("tokenindex: token %d of the n-gram is %d, which has more than %d bytes", i, token,
				x.width)
		}
		data = binary.LittleEndian.AppendUint32(data, token)[:len(data)+x.width]
	}
	return data, nil
}
