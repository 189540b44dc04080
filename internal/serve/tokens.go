package serve

import (
	"cmp"
	"context"
	"slices"

	"github.com/suffixcl/suffixcl/internal/tokenindex"
)

// tokens is the tables of a directory of infini-gram.
type tokens struct{ *tokenindex.Index }

func (x *Index) openTokens(path string, o OpenOptions) error {
	index, err := tokenindex.Open(path, o.TokenBytes)
	if err != nil {
		return err
	}
	x.Kind, x.SymbolBytes, x.backend = KindTokens, o.TokenBytes, &tokens{index}
	x.watch.add(index.Files()...)
	return nil
}

func (t *tokens) length() int64 { return t.Len() }
func (t *tokens) shards() int   { return t.Shards() }
func (t *tokens) probes() int   { return 1 }
func (t *tokens) close() error  { return t.Close() }

func (t *tokens) count(ctx context.Context, grams ...[]uint32) ([]int64, error) {
	counts := make([]int64, len(grams))
	for i, gram := range grams {
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		var err error
		if counts[i], err = t.Count(gram); err != nil {
			return nil, err
		}
	}
	return counts, nil
}

func (t *tokens) segments(_ context.Context, gram []uint32) ([]segment, error) {
	found, err := t.Segments(gram)
	if err != nil {
		return nil, err
	}
	segments := make([]segment, len(found))
	for i, s := range found {
		segments[i] = segment{s.From, s.To}
	}
	return segments, nil
}

func (t *tokens) next(ctx context.Context, prompt []uint32) ([]next, error) {
	d, err := t.NextWithin(ctx, prompt, false, 0)
	if err != nil {
		return nil, err
	}
	list := make([]next, len(d.Next))
	for i, n := range d.Next {
		list[i] = next{n.Token, n.Count}
	}
	slices.SortFunc(list, func(a, b next) int { return cmp.Compare(a.symbol, b.symbol) })
	return list, nil
}

func (t *tokens) ranked(_ context.Context, s int, rank int64, _ []uint32) (int64, error) {
	if rank >= t.ShardLen(s) {
		return 0, refuse("rank: shard %d has ranks below %d", s, t.ShardLen(s))
	}
	return t.Suffix(s, rank)
}

func (t *tokens) around(_ context.Context, s int, place int64, w window) (*passage, error) {
	if place >= t.ShardLen(s) {
		return nil, refuse("ptr: shard %d has %d tokens", s, t.ShardLen(s))
	}
	found, err := t.Around(s, place, w.before, w.from)
	if err != nil {
		return nil, err
	}
	p := &passage{place: place, length: found.Length, needle: found.Needle, symbols: found.Tokens}
	if found.Document >= 0 {
		p.document = &found.Document
	}
	return p, nil
}
