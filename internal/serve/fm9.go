package serve

import (
	"context"
	"errors"
	"path/filepath"

	"github.com/suffixcl/suffixcl/internal/infinigrammini"
)

// fm9 is an index of infini-gram mini.
type fm9 struct{ *infinigrammini.Index }

func (x *Index) openFM9(path string) error {
	index, err := infinigrammini.Open(path)
	if err != nil {
		return err
	}
	x.Kind, x.SymbolBytes, x.Text, x.backend = KindFM9, 1, true, &fm9{index}
	for _, s := range index.Shards {
		x.watch.add(s.Name)
		for _, name := range []string{
			infinigrammini.DataOffsetFile, infinigrammini.MetaFile, infinigrammini.MetaOffsetFile,
		} {
			x.watch.add(filepath.Join(s.Dir, name))
		}
	}
	return nil
}

func (f *fm9) length() int64 { return int64(f.Len()) }
func (f *fm9) shards() int   { return len(f.Shards) }
func (f *fm9) probes() int   { return 1 }
func (f *fm9) close() error  { return f.Close() }

func (f *fm9) count(ctx context.Context, grams ...[]uint32) ([]int64, error) {
	counts := make([]int64, len(grams))
	for i, gram := range grams {
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		if text, ok := bytesOf(gram); ok {
			counts[i] = int64(f.Count(text))
		}
	}
	return counts, nil
}

func (f *fm9) segments(ctx context.Context, gram []uint32) ([]segment, error) {
	text, ok := bytesOf(gram)
	segments := make([]segment, len(f.Shards))
	for i, s := range f.Shards {
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		if ok {
			from, to := s.Interval(text)
			segments[i] = segment{int64(from), int64(to)}
		}
	}
	return segments, nil
}

func (f *fm9) next(ctx context.Context, prompt []uint32) (list []next, err error) {
	longer := append(append([]uint32(nil), prompt...), 0)
	for c := range uint32(256) {
		longer[len(prompt)] = c
		if alone, err := f.count(ctx, longer[len(prompt):]); err != nil {
			return nil, err
		} else if alone[0] == 0 {
			continue
		}
		counts, err := f.count(ctx, longer)
		if err != nil {
			return nil, err
		}
		if counts[0] > 0 {
			list = append(list, next{c, counts[0]})
		}
	}
	return list, nil
}

func (f *fm9) ranked(ctx context.Context, s int, rank int64, _ []uint32) (int64, error) {
	shard := f.Shards[s]
	if uint64(rank) >= shard.Len() {
		return 0, refuse("rank: shard %d has ranks below %d", s, shard.Len())
	}
	place, err := shard.Place(ctx, uint64(rank))
	return int64(place), err
}

func (f *fm9) around(ctx context.Context, s int, place int64, w window) (*passage, error) {
	shard := f.Shards[s]
	if uint64(place) >= shard.Len() {
		return nil, refuse("ptr: the text of shard %d has %d bytes", s, shard.Len())
	}
	p := &passage{place: place, length: -1}
	from, to := uint64(0), shard.Len()
	if shard.Documents() > 0 {
		var number int
		var err error
		if number, from, to, err = shard.DocumentAt(uint64(place)); err != nil {
			return nil, err
		}
		_, others := f.Before(s)
		before := int64(others) + int64(number)
		p.document, p.length = &before, int64(to-from)
		if p.metadata, err = shard.Metadata(ctx, nil, number); errors.Is(err, infinigrammini.ErrNoMetadata) {
			p.metadata, err = nil, nil
		}
		if err != nil {
			return nil, err
		}
	}
	needle := min(max(uint64(place), from), to) // the separator is taken for the first byte
	low, high := max(from, needle-min(needle, uint64(w.before))), min(to, needle+uint64(w.from))
	text, err := shard.Text(ctx, []byte{}, low, high)
	if err != nil {
		return nil, err
	}
	p.text, p.needle = text, int(needle-low)
	return p, nil
}
