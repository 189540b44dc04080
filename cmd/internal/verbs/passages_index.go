package verbs

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"sort"
	"strconv"

	"github.com/suffixcl/suffixcl/cmd/internal/formats/tsv"
	"github.com/suffixcl/suffixcl/internal/cli"
	"github.com/suffixcl/suffixcl/internal/fmindex"
	"github.com/suffixcl/suffixcl/internal/infinigrammini"
	"github.com/suffixcl/suffixcl/internal/passages"
	"github.com/suffixcl/suffixcl/internal/regular"
	"github.com/suffixcl/suffixcl/internal/tokenindex"
)

// passageIndex is an index in which passages are searched.
type passageIndex struct {
	kind    string
	letters int64
	width   int // bytes of a letter
	dna     bool
	locates bool
	closes  []io.Closer

	rows  passages.Rows // of an index of bytes, unless it has several shards
	mini  *infinigrammini.Index
	place func(ctx context.Context, to []byte, row uint64) ([]byte, error)
	grams *tokenindex.Index // or of one of tokens
}

func (x *passageIndex) tokens() bool { return x.grams != nil }

func (x *passageIndex) close() {
	for _, c := range x.closes {
		c.Close()
	}
}

// open opens the index.
func (f *passagesFlags) open(ctx context.Context, name string) (x *passageIndex, err error) {
	defer func() {
		var failed *fs.PathError
		if errors.As(err, &failed) {
			err = cannotRead(err)
		}
	}()
	if err := cli.CheckReadable(name); err != nil {
		return nil, err
	}
	if f.tokens != "" {
		return f.openTokens(name)
	}
	if !cli.IsDirectory(name) {
		if err := regular.Check(name); err != nil {
			return nil, err
		}
		if isOwnIndex(name) {
			return openOwnIndex(ctx, name)
		}
		if infinigrammini.Is(name) {
			return openMiniIndex(name)
		}
		return nil, fmt.Errorf("%s: %w; --tokens is for an index of tokengrams", name, errNoIndex)
	}
	if _, err := infinigrammini.Find(name); err == nil {
		return openMiniIndex(name)
	}
	if _, err := tokenindex.Find(name, tokenindex.AnyLayout); err != nil {
		return nil, fmt.Errorf("%s: %w", name, errNoIndex)
	}
	return f.openTokens(name)
}

func (f *passagesFlags) openTokens(name string) (*passageIndex, error) {
	grams, err := tokenindex.OpenTable(tokenindex.Tokengrams, f.tokenBytes(), f.tokens, name)
	kind := tokenindex.Tokengrams
	if f.tokens == "" {
		kind = tokenindex.InfiniGram
		grams, err = tokenindex.Open(name, f.tokenBytes())
	}
	if err != nil {
		return nil, cannotRead(err)
	}
	return &passageIndex{kind: kind.String(), letters: grams.Len(), width: f.tokenBytes(), locates: true, grams: grams,
		closes: []io.Closer{grams}}, nil
}

// openOwnIndex reads a file of the verb index.
func openOwnIndex(ctx context.Context, name string) (*passageIndex, error) {
	file, _, err := readIndex(ctx, name)
	if err != nil {
		return nil, err
	}
	if file.Coding != nil {
		return nil, fmt.Errorf("%s: an index of symbols of %d bits: passages are those of bytes, or of tokens of "+
			"infini-gram or tokengrams", name, 8*file.Coding.SymbolBytes)
	}
	host, err := file.Host()
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	x := &passageIndex{kind: "suffixcl", letters: int64(file.Length), width: 1, dna: file.Alphabet == fmindex.DNA,
		locates: file.Rate > 0 || file.Length == 0, rows: host}
	x.place = func(_ context.Context, to []byte, row uint64) ([]byte, error) {
		at, err := host.Position(row)
		if err != nil {
			return to, fmt.Errorf("%s: %w", name, err)
		}
		records := file.Records
		if k := sort.Search(len(records), func(k int) bool { return records[k].Offset > at }) - 1; k >= 0 {
			to = append(tsv.AppendName(to, records[k].Name, int64(k)), ':')
			at -= records[k].Offset
		}
		return strconv.AppendInt(to, int64(at), 10), nil
	}
	return x, nil
}

// indexRows is an index of infini-gram mini. The bytes between documents match nothing: no passage crosses them.
type indexRows struct{ *infinigrammini.Shard }

func (x indexRows) Longer(from, to uint64, letter byte) (uint64, uint64) {
	if letter == infinigrammini.Separator || letter == infinigrammini.End {
		return 0, 0
	}
	return x.Shard.Longer(from, to, letter)
}

// openMiniIndex maps an index of infini-gram mini. In several shards parts are counted, each from its end.
func openMiniIndex(name string) (*passageIndex, error) {
	index, err := infinigrammini.Open(name)
	if err != nil {
		return nil, err
	}
	x := &passageIndex{kind: "infini-gram-mini", letters: int64(index.Len()), width: 1, locates: true, mini: index,
		closes: []io.Closer{index}}
	if len(index.Shards) == 1 {
		x.rows = indexRows{index.Shards[0]}
	}
	return x, nil
}

// countMini counts a part in all shards.
func (x *passageIndex) countMini(part []byte) uint64 {
	if bytes.IndexByte(part, infinigrammini.Separator) >= 0 || bytes.IndexByte(part, infinigrammini.End) >= 0 {
		return 0
	}
	return x.mini.Count(part)
}

// miniPlaces calls yield with the first places of a part.
func (x *passageIndex) miniPlaces(ctx context.Context, part []byte, most int, yield func(place []byte)) error {
	hits := x.mini.Hits(part)
	var place []byte
	for i := range min(hits.Len(), uint64(most)) {
		at, err := x.mini.Place(ctx, &hits, i)
		if err != nil {
			return err
		}
		place = place[:0]
		d, err := x.mini.DocumentAt(at)
		switch {
		case err == nil:
			place = append(strconv.AppendUint(place, d.Number, 10), ':')
			at -= d.From
		case !errors.Is(err, infinigrammini.ErrNoOffsets):
			return err
		}
		yield(strconv.AppendUint(place, at, 10))
	}
	return nil
}

// searcher searches for parts of a document, whose letters are encoded as in the index.
func (x *passageIndex) searcher(ctx context.Context, document []byte, least int64) passages.Searcher {
	if x.rows != nil {
		return &passages.Backward{Context: ctx, Index: x.rows, Document: document, MinCount: uint64(least)}
	}
	w := x.width
	return &passages.Counted{Length: len(document) / w, MinCount: uint64(least),
		Count: func(start, end int) (uint64, error) {
			if ctx.Err() != nil {
				return 0, context.Cause(ctx)
			}
			part := document[start*w : end*w]
			if x.mini != nil {
				return x.countMini(part), nil
			}
			count, err := x.grams.CountOf(part)
			return uint64(count), err
		},
		Equal: func(a, b, n int) bool { return bytes.Equal(document[a*w:(a+n)*w], document[b*w:(b+n)*w]) }}
}

// places calls yield with the first places of a part of a document in the index.
func (x *passageIndex) places(ctx context.Context, part []byte, most int, yield func(place []byte)) error {
	var place []byte
	if x.tokens() {
		err := x.grams.EachOf(part, func(p tokenindex.Position) error {
			if most--; most < 0 {
				return errEnough
			}
			place = strconv.AppendInt(place[:0], p.Token, 10)
			if x.kind == tokenindex.InfiniGram.String() {
				document := "-"
				if p.Document >= 0 {
					document = strconv.FormatInt(p.Document, 10)
				}
				place = fmt.Appendf(place[:0], "%d:%s:%d", p.Shard, document, p.Place)
			}
			yield(place)
			return nil
		})
		if errors.Is(err, errEnough) {
			return nil
		}
		return err
	}
	if x.mini != nil {
		return x.miniPlaces(ctx, part, most, yield)
	}
	from, to := uint64(0), x.rows.Rows()
	for k := len(part) - 1; k >= 0 && from < to; k-- {
		if k%(1<<12) == 0 && ctx.Err() != nil {
			return context.Cause(ctx)
		}
		from, to = x.rows.Longer(from, to, part[k])
	}
	for row := from; row < to && row-from < uint64(most); row++ {
		var err error
		if place, err = x.place(ctx, place[:0], row); err != nil {
			return err
		}
		yield(place)
	}
	return nil
}

// errNoIndex is the error of a directory of nothing that is known.
var errNoIndex = errors.New("no index: neither a file of \"suffixcl index\", nor data.fm9, nor a directory of " +
	"infini-gram or infini-gram mini")
