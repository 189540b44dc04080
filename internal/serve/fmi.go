package serve

import (
	"bufio"
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/suffixcl/suffixcl/internal/mapped"
	"github.com/suffixcl/suffixcl/internal/regular"
	"github.com/suffixcl/suffixcl/seqio"
)

// fmi is an FM-index on a device. Its ranks are those of occurrences in the order of the text: there is no array of
// suffixes.
type fmi struct {
	batcher *batcher
	symbols int64
	width   int // bytes of a symbol
	maxHits int
	places  bool // it has samples
	records seqio.Table
	text    *mapped.File // nil: there is none
}

func (x *Index) openFMI(ctx context.Context, path string, o OpenOptions) error {
	file, err := regular.Open(path)
	if err != nil {
		return err
	}
	defer file.Close()
	if o.Engine == nil {
		return fmt.Errorf("%s: an FM-index needs a device", path)
	}
	engine, err := o.Engine()
	if err != nil {
		return err
	}
	index, err := engine.LoadIndex(ctx, bufio.NewReaderSize(file, 1<<20))
	if err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	f := &fmi{symbols: int64(index.Len()), width: index.SymbolBytes(), maxHits: o.MaxHits}
	f.places, f.records = index.Options().SampleEvery > 0, index.Options().Records
	if o.TextFile != "" {
		if f.text, err = mapped.Open(o.TextFile); err == nil {
			err = f.checkText(o.TextFile)
		}
		if err != nil {
			return errors.Join(err, f.closeText(), index.Close())
		}
		x.watch.add(o.TextFile)
	}
	f.batcher = newBatcher(index, f.width, o.MaxHits, o.Batches)
	x.Kind, x.SymbolBytes, x.Text, x.backend = KindFMI, f.width, f.width == 1, f
	return f.buildAhead(ctx)
}

// checkText compares the size of a text with that of the index.
func (f *fmi) checkText(name string) error {
	switch want := f.symbols; {
	case f.width > 1 || len(f.records) > 1:
		return fmt.Errorf("%s: the text of an index of symbols or records is not cut", name)
	case int64(f.text.Len()) != want:
		return fmt.Errorf("%s: %d bytes, but the index is of a text of %d", name, f.text.Len(), want)
	}
	return nil
}

// buildAhead searches once, so that the first request finds the programs built.
func (f *fmi) buildAhead(ctx context.Context) error {
	_, err := f.batcher.ask(ctx, f.places, make([]byte, f.width))
	return err
}

func (f *fmi) length() int64 { return f.symbols }
func (f *fmi) shards() int   { return 1 }
func (f *fmi) probes() int   { return 15 }

func (f *fmi) close() error {
	err := f.closeText()
	if f.batcher == nil {
		return err
	}
	return joined(f.batcher.close(), err)
}

func (f *fmi) closeText() error {
	if f.text == nil {
		return nil
	}
	return f.text.Close()
}

// pattern is a gram as a batch has it; ok is false if a symbol is none of the index's width.
func (f *fmi) pattern(gram []uint32) (data []byte, ok bool) {
	for _, symbol := range gram {
		switch {
		case uint64(symbol)>>(8*f.width) != 0:
			return nil, false
		case f.width == 1:
			data = append(data, byte(symbol))
		case f.width == 2:
			data = binary.BigEndian.AppendUint16(data, uint16(symbol))
		default:
			data = binary.BigEndian.AppendUint32(data, symbol)
		}
	}
	return data, true
}

func (f *fmi) count(ctx context.Context, grams ...[]uint32) ([]int64, error) {
	counts := make([]int64, len(grams))
	var list [][]byte
	var of []int
	for i, gram := range grams {
		if len(gram) == 0 {
			counts[i] = f.symbols
		} else if pattern, ok := f.pattern(gram); ok {
			list, of = append(list, pattern), append(of, i)
		}
	}
	if len(list) == 0 {
		return counts, nil
	}
	all, err := f.batcher.ask(ctx, false, list...)
	if err != nil {
		return nil, err
	}
	for k, a := range all {
		counts[of[k]] = a.count
	}
	return counts, nil
}

func (f *fmi) segments(ctx context.Context, gram []uint32) ([]segment, error) {
	counts, err := f.count(ctx, gram)
	if err != nil {
		return nil, err
	}
	return []segment{{0, counts[0]}}, nil
}

func (f *fmi) next(ctx context.Context, prompt []uint32) (list []next, err error) {
	if f.width > 1 {
		return nil, refuse("an FM-index of symbols of %d bytes does not tell what follows; a table of tokens does", f.width)
	}
	grams := make([][]uint32, 256)
	for c := range grams {
		grams[c] = append(append([]uint32(nil), prompt...), uint32(c))
	}
	counts, err := f.count(ctx, grams...)
	if err != nil {
		return nil, err
	}
	for c, n := range counts {
		if n > 0 {
			list = append(list, next{uint32(c), n})
		}
	}
	return list, nil
}

func (f *fmi) ranked(ctx context.Context, _ int, rank int64, gram []uint32) (int64, error) {
	pattern, ok := f.pattern(gram)
	switch {
	case !f.places:
		return 0, refuse("the index was built with --sample 0: it counts, and tells no places")
	case len(gram) == 0 || !ok:
		if len(gram) == 0 && rank < f.symbols {
			return rank, nil
		}
		return 0, refuse("an FM-index on a device needs the query of the rank")
	}
	all, err := f.batcher.ask(ctx, true, pattern)
	if err != nil {
		return 0, err
	}
	switch a := all[0]; {
	case rank >= a.count:
		return 0, refuse("rank: the query occurs %d times", a.count)
	case a.count > int64(f.maxHits):
		return 0, refuse("the query occurs %d times; only up to %d are located (--max-hits)", a.count, f.maxHits)
	default:
		return int64(a.positions[rank]), nil
	}
}

// recordLine tells the name of a record as the metadata of its passages.
func recordLine(name string) []byte {
	line, err := json.Marshal(map[string]string{"name": strings.ToValidUTF8(name, "\ufffd")})
	if err != nil {
		return nil // a string has no error
	}
	return line
}

func (f *fmi) around(_ context.Context, _ int, place int64, w window) (*passage, error) {
	if place >= f.symbols {
		return nil, refuse("ptr: the text has %d symbols", f.symbols)
	}
	p := &passage{place: place, length: f.symbols}
	number := int64(0)
	if len(f.records) > 0 {
		record, _, ok := f.records.Find(int(place), 1)
		if !ok {
			return nil, refuse("ptr: no record has symbol %d", place)
		}
		number, p.length = int64(record), int64(f.records[record].Length)
		p.metadata = recordLine(f.records[record].Name)
	}
	p.document = &number
	if f.text != nil {
		low, high := max(0, place-w.before), min(f.symbols, place+w.from)
		p.text, p.needle = make([]byte, high-low), int(place-low)
		if _, err := f.text.ReadAt(p.text, low); err != nil {
			return nil, err
		}
	}
	return p, nil
}
