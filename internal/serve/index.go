package serve

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/suffixcl/suffixcl"
	"github.com/suffixcl/suffixcl/internal/infinigrammini"
	"github.com/suffixcl/suffixcl/internal/tokenindex"
)

// Kinds of indexes.
const (
	KindTokens = "tokens" // tables of infini-gram
	KindFM9    = "fm9"    // FM-indexes of infini-gram mini
	KindFMI    = "fmi"    // FM-indexes on a device
)

// segment is a part of the ranks of a shard: [from, to).
type segment [2]int64

// next is a symbol that follows a prompt, and how often.
type next struct {
	symbol uint32
	count  int64
}

// passage is a part of a document around a place.
type passage struct {
	document *int64 // its number in the index; nil: it is not known
	place    int64  // of the needle in the shard, in symbols
	length   int64  // of the document; -1: it is not known
	needle   int    // place of the needle in symbols or text
	symbols  []uint32
	text     []byte // of an index of bytes; nil: it is not known
	metadata []byte // a line of JSON; nil: it is not known
}

// window is how much of a document is shown: so many symbols before a needle, and from its beginning on.
type window struct{ before, from int64 }

// backend is an index, whatever its files are. A gram is symbols. Several goroutines may use it.
type backend interface {
	// length is the number of symbols that the empty gram counts, and shards that of the parts of the index.
	length() int64
	shards() int
	// probes is how many grams count takes at once with gain.
	probes() int
	count(ctx context.Context, grams ...[]uint32) ([]int64, error)
	// segments are the ranks of a gram that occurs, shard by shard.
	segments(ctx context.Context, gram []uint32) ([]segment, error)
	// next are the symbols that follow a prompt, ascending.
	next(ctx context.Context, prompt []uint32) ([]next, error)
	// ranked is where in shard s the occurrence of a rank is. An index that needs the gram takes it.
	ranked(ctx context.Context, s int, rank int64, gram []uint32) (int64, error)
	// around is the passage at a place of shard s.
	around(ctx context.Context, s int, place int64, w window) (*passage, error)
	close() error
}

// Index is an index that is served. Close must be called.
type Index struct {
	Name string
	Kind string
	// SymbolBytes is the size of a symbol: 1 of indexes of bytes. Text says that its symbols are bytes of texts.
	SymbolBytes int
	Text        bool
	backend     backend
	watch       watch
}

// Source says where an index is, and what it is called.
type Source struct{ Name, Path string }

// ParseSource takes NAME=PATH, or PATH alone, whose last part is the name then.
func ParseSource(arg string) Source {
	if name, path, found := strings.Cut(arg, "="); found && name != "" && !strings.ContainsAny(name, `/\`) {
		return Source{name, path}
	}
	name := filepath.Base(arg)
	if name == "." || name == ".." || name == string(filepath.Separator) {
		if whole, err := filepath.Abs(arg); err == nil {
			name = filepath.Base(whole)
		}
	}
	return Source{name, arg}
}

// OpenOptions of Open.
type OpenOptions struct {
	// TokenBytes is the size of a token of tables: 1, 2 or 4.
	TokenBytes int
	// Engine is asked for the device of an index that needs one.
	Engine func() (*suffixcl.Engine, error)
	// TextFile is the text of an FM-index on a device, in plain bytes, from which passages are cut; empty: there are none.
	TextFile string
	// MaxHits is the most occurrences of a gram that are located on a device.
	MaxHits int
	// Batches is told of each launch of an FM-index on a device: how many requests it answers. May be nil.
	Batches func(requests int)
}

// Open opens an index of any kind. Errors: those of the file system, formats and devices; a file that is damaged.
func Open(ctx context.Context, from Source, o OpenOptions) (x *Index, err error) {
	x = &Index{Name: from.Name}
	info, err := os.Stat(from.Path)
	if err != nil {
		return nil, err
	}
	err = guarded(func() error {
		switch {
		case !info.IsDir() && !strings.HasSuffix(from.Path, infinigrammini.Extension):
			return x.openFMI(ctx, from.Path, o)
		case info.IsDir() && hasTokens(from.Path):
			return x.openTokens(from.Path, o)
		}
		return x.openFM9(from.Path)
	})
	if err == nil && o.TextFile != "" && x.Kind != KindFMI {
		err = errors.Join(fmt.Errorf("%s: a text is for an FM-index on a device", from.Path), x.Close())
	}
	if err != nil {
		return nil, err
	}
	return x, nil
}

// hasTokens tells whether a directory is one of shards of tokens.
func hasTokens(dir string) bool {
	_, err := tokenindex.Find(dir, tokenindex.AnyLayout)
	return err == nil
}

// Close closes the files, or frees the memory of the device.
func (x *Index) Close() error {
	if x.backend == nil {
		return nil
	}
	return x.backend.close()
}

// ready tells whether the index can answer at all.
func (x *Index) ready() error { return x.watch.check() }

// longest is how many symbols at the end of a prompt occur together, and how often. Where a suffix occurs, shorter ones
// do: of several suffixes the counts come from one call.
func (x *Index) longest(ctx context.Context, prompt []uint32) (length int, count int64, err error) {
	occurs, not := 0, len(prompt)+1
	count = x.backend.length()
	for not-occurs > 1 {
		steps := min(x.backend.probes(), not-occurs-1)
		lengths := make([]int, steps)
		grams := make([][]uint32, steps)
		for k := range lengths {
			lengths[k] = occurs + (not-occurs)*(k+1)/(steps+1)
			grams[k] = prompt[len(prompt)-lengths[k]:]
		}
		counts, err := x.backend.count(ctx, grams...)
		if err != nil {
			return 0, 0, err
		}
		for k, n := range counts {
			if n == 0 {
				not = lengths[k]
				break
			}
			occurs, count = lengths[k], n
		}
	}
	return occurs, count, nil
}

// bytesOf are the bytes of a gram; ok is false if a symbol is none.
func bytesOf(gram []uint32) (data []byte, ok bool) {
	data = make([]byte, len(gram))
	for i, symbol := range gram {
		if symbol > 0xff {
			return nil, false
		}
		data[i] = byte(symbol)
	}
	return data, true
}

// symbolsOf are bytes as symbols.
func symbolsOf(text []byte) []uint32 {
	gram := make([]uint32, len(text))
	for i, c := range text {
		gram[i] = uint32(c)
	}
	return gram
}

// joined is the first error.
func joined(errs ...error) error { return cmp.Or(errs...) }
