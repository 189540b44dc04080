package main

/*
#include "bridge.h"
*/
import "C"

import (
	"context"
	"encoding/binary"
	"io"
	"math"
	"os"

	"github.com/suffixcl/suffixcl"
	"github.com/suffixcl/suffixcl/internal/atomicfile"
	"github.com/suffixcl/suffixcl/patterns"
)

// searcher is an index or a matcher.
type searcher interface {
	Count(ctx context.Context, b *patterns.Batch) ([]uint32, error)
	Locate(ctx context.Context, b *patterns.Batch, emit func(pattern int, positions []uint32) error) error
	Close() error
}

// searched is one with the handle of its engine.
type searched struct {
	searcher
	engine uintptr
}

// indexes and matchers are the open handles.
var indexes, matchers handles[searched]

// search runs f for a handle as a call of its engine: so suffixcl_cancel ends it.
func search(of *handles[searched], number uintptr, f func(ctx context.Context, x searcher) error) C.int {
	return status(func() error {
		one, err := of.get(number)
		if err != nil {
			return err
		}
		e, err := engines.get(one.value.engine)
		if err != nil {
			return err
		}
		ctx, done := e.begin()
		defer done()
		return f(ctx, one.value.searcher)
	})
}

// closed closes a handle.
func closed(of *handles[searched], number uintptr) C.int {
	return status(func() error {
		one, err := of.take(number)
		if one == nil {
			return err
		}
		return one.value.Close()
	})
}

//export suffixcl_index_build
func suffixcl_index_build(s C.uintptr_t, of *C.suffixcl_text, options *C.suffixcl_index_options,
	made *C.uintptr_t) C.int {
	return engines.call(uintptr(s), func(ctx context.Context, e *engine) error {
		var a arguments
		o := whole(&a, "options", options)
		place := placeOf(&a, made, o.plan)
		t := textOf(&a, "text", of, o.plan != nil)
		job := e.Index(t.Text, suffixcl.IndexOptions{SampleEvery: number(&a, "options.sample_every", o.sample_every),
			DNA: o.dna != 0})
		if a.err != nil {
			return a.err
		}
		if planned, err := plans(ctx, e, o.plan, job); planned {
			return err
		}
		x, err := job.All(ctx)
		if err == nil {
			*place = C.uintptr_t(indexes.add(searched{x, uintptr(s)}))
		}
		return err
	})
}

// placeOf is where a handle is written, which is NULL until then.
func placeOf(a *arguments, made *C.uintptr_t, plan *C.suffixcl_plan) *C.uintptr_t {
	switch {
	case made != nil:
		*made = 0
	case plan == nil:
		a.fail("made is NULL")
	}
	return made
}

//export suffixcl_index_load
func suffixcl_index_load(s C.uintptr_t, file *C.char, made *C.uintptr_t) C.int {
	return engines.call(uintptr(s), func(ctx context.Context, e *engine) error {
		var a arguments
		place := placeOf(&a, made, nil)
		if word(file) == "" {
			a.fail("file is NULL or empty")
		}
		if a.err != nil {
			return a.err
		}
		f, err := os.Open(word(file))
		if err != nil {
			return err
		}
		defer f.Close()
		x, err := e.LoadIndex(ctx, f)
		if err == nil {
			*place = C.uintptr_t(indexes.add(searched{x, uintptr(s)}))
		}
		return err
	})
}

//export suffixcl_index_save
func suffixcl_index_save(x C.uintptr_t, file *C.char) C.int {
	return search(&indexes, uintptr(x), func(ctx context.Context, found searcher) error {
		if word(file) == "" {
			return usage("file is NULL or empty")
		}
		return atomicfile.Write(word(file), 0o666, func(w io.Writer) error { return found.(*suffixcl.Index).Save(ctx, w) })
	})
}

//export suffixcl_index_describe
func suffixcl_index_describe(x C.uintptr_t, n, symbolBytes, sampleEvery *C.uint64_t) C.int {
	return search(&indexes, uintptr(x), func(_ context.Context, found searcher) error {
		index := found.(*suffixcl.Index)
		for place, value := range map[*C.uint64_t]int{
			n: index.Len(), symbolBytes: index.SymbolBytes(), sampleEvery: index.Options().SampleEvery,
		} {
			if place != nil {
				*place = C.uint64_t(value)
			}
		}
		return nil
	})
}

//export suffixcl_index_count
func suffixcl_index_count(x C.uintptr_t, given *C.suffixcl_patterns, counts *C.uint32_t) C.int {
	return search(&indexes, uintptr(x), func(ctx context.Context, found searcher) error {
		return count(ctx, given, counts, found.Count)
	})
}

//export suffixcl_index_locate
func suffixcl_index_locate(x C.uintptr_t, given *C.suffixcl_patterns, first *C.uint64_t,
	positions *C.uint32_t) C.int {
	return search(&indexes, uintptr(x), func(ctx context.Context, found searcher) error {
		return locate(ctx, given, first, positions, found)
	})
}

//export suffixcl_index_close
func suffixcl_index_close(x C.uintptr_t) C.int { return closed(&indexes, uintptr(x)) }

//export suffixcl_matcher_build
func suffixcl_matcher_build(s C.uintptr_t, of *C.suffixcl_text, options *C.suffixcl_matcher_options,
	made *C.uintptr_t) C.int {
	return engines.call(uintptr(s), func(ctx context.Context, e *engine) error {
		var a arguments
		o := whole(&a, "options", options)
		place := placeOf(&a, made, o.plan)
		t := textOf(&a, "text", of, o.plan != nil)
		known := wanted[uint32](&a, "options.known", o.known, C.uint64_t(t.n))
		if a.err != nil {
			return a.err
		}
		job := e.Matcher(t.Text, suffixcl.MatcherOptions{SuffixArray: known, DNA: o.dna != 0, Documents: o.documents != 0})
		if planned, err := plans(ctx, e, o.plan, job); planned {
			return err
		}
		m, err := job.All(ctx)
		if err == nil {
			*place = C.uintptr_t(matchers.add(searched{m, uintptr(s)}))
		}
		return err
	})
}

//export suffixcl_matcher_count
func suffixcl_matcher_count(m C.uintptr_t, given *C.suffixcl_patterns, counts *C.uint32_t) C.int {
	return search(&matchers, uintptr(m), func(ctx context.Context, found searcher) error {
		return count(ctx, given, counts, found.Count)
	})
}

//export suffixcl_matcher_count_documents
func suffixcl_matcher_count_documents(m C.uintptr_t, given *C.suffixcl_patterns, counts *C.uint32_t) C.int {
	return search(&matchers, uintptr(m), func(ctx context.Context, found searcher) error {
		return count(ctx, given, counts, found.(*suffixcl.Matcher).CountDocuments)
	})
}

//export suffixcl_matcher_locate
func suffixcl_matcher_locate(m C.uintptr_t, given *C.suffixcl_patterns, first *C.uint64_t,
	positions *C.uint32_t) C.int {
	return search(&matchers, uintptr(m), func(ctx context.Context, found searcher) error {
		return locate(ctx, given, first, positions, found)
	})
}

//export suffixcl_matcher_close
func suffixcl_matcher_close(m C.uintptr_t) C.int { return closed(&matchers, uintptr(m)) }

// count counts patterns of C with a function of a searcher.
func count(ctx context.Context, given *C.suffixcl_patterns, counts *C.uint32_t,
	counter func(context.Context, *patterns.Batch) ([]uint32, error)) error {
	var a arguments
	p := patternsOf(&a, given)
	out := slice[uint32](&a, "counts", counts, C.uint64_t(p.count()))
	if a.err != nil {
		return a.err
	}
	return p.batches(func(from int, b *patterns.Batch) error {
		found, err := counter(ctx, b)
		copy(out[from:], found)
		return err
	})
}

// locate finds the places of patterns of C.
func locate(ctx context.Context, given *C.suffixcl_patterns, first *C.uint64_t, positions *C.uint32_t,
	with searcher) error {
	var a arguments
	p := patternsOf(&a, given)
	sums := slice[uint64](&a, "first", first, C.uint64_t(p.count())+1)
	if a.err != nil {
		return a.err
	}
	checkAscending(&a, "first", sums, longest)
	out := slice[uint32](&a, "positions", positions, C.uint64_t(sums[len(sums)-1]))
	if a.err != nil {
		return a.err
	}
	return p.batches(func(from int, b *patterns.Batch) error {
		next := from // of the patterns whose places were not told: they do not occur
		tell := func(pattern int, found []uint32) error {
			for ; next < pattern; next++ {
				if sums[next+1] != sums[next] {
					return wrongCount(next, sums, 0)
				}
			}
			next++
			if uint64(len(found)) != sums[pattern+1]-sums[pattern] {
				return wrongCount(pattern, sums, len(found))
			}
			copy(out[sums[pattern]:], found)
			return nil
		}
		err := with.Locate(ctx, b, func(pattern int, found []uint32) error { return tell(from+pattern, found) })
		for end := from + b.Len(); err == nil && next < end; next++ {
			if sums[next+1] != sums[next] {
				err = wrongCount(next, sums, 0)
			}
		}
		return err
	})
}

func wrongCount(pattern int, sums []uint64, occurrences int) error {
	return usage("first has room for %d occurrences of pattern %d, which has %d", sums[pattern+1]-sums[pattern], pattern,
		occurrences)
}

// checkAscending fails unless offsets ascend from 0 to at most a number.
func checkAscending(a *arguments, name string, offsets []uint64, most uint64) {
	before := uint64(0)
	for i, at := range offsets {
		if at < before || i == 0 && at != 0 || at > most {
			a.fail("%s[%d] is %d: they ascend from 0", name, i, at)
			return
		}
		before = at
	}
}

// patternList is that of C.
type patternList struct {
	symbols     []byte // those of several bytes with the high byte first
	offsets     []uint64
	symbolBytes int
}

func (p *patternList) count() int { return max(len(p.offsets)-1, 0) }

func patternsOf(a *arguments, given *C.suffixcl_patterns) *patternList {
	made := &patternList{offsets: []uint64{0}, symbolBytes: 1}
	if given == nil {
		a.fail("patterns is NULL")
		return made
	}
	p := whole(a, "patterns", given)
	if p.count == 0 || a.err != nil {
		return made
	}
	if p.count >= longest {
		a.fail("patterns.count is %d", uint64(p.count))
		return made
	}
	made.symbolBytes = max(number(a, "patterns.symbol_bytes", p.symbol_bytes), 1)
	made.offsets = slice[uint64](a, "patterns.offsets", p.offsets, p.count+1)
	checkAscending(a, "patterns.offsets", made.offsets, longest)
	if a.err != nil {
		return made
	}
	n := C.uint64_t(made.offsets[len(made.offsets)-1])
	switch made.symbolBytes {
	case 1:
		made.symbols = slice[byte](a, "patterns.symbols", (*C.uint8_t)(p.symbols), n)
	case 2:
		for _, s := range aligned[uint16](a, "patterns.symbols", p.symbols, n) {
			made.symbols = binary.BigEndian.AppendUint16(made.symbols, s)
		}
	case 4:
		for _, s := range aligned[uint32](a, "patterns.symbols", p.symbols, n) {
			made.symbols = binary.BigEndian.AppendUint32(made.symbols, s)
		}
	default:
		a.fail("patterns.symbol_bytes is %d: 1, 2 and 4 are possible", made.symbolBytes)
	}
	return made
}

// mostInBatch is how many bytes of patterns a batch may have: its offsets have 32 bits.
const mostInBatch = math.MaxUint32

// batches hands out all patterns in batches, with the number of the first of each.
func (p *patternList) batches(f func(from int, b *patterns.Batch) error) error {
	width := uint64(p.symbolBytes)
	for from := 0; from < p.count(); {
		start := width * p.offsets[from]
		b := &patterns.Batch{SymbolBytes: p.symbolBytes, Offsets: []uint32{0}}
		end := from
		for ; end < p.count() && width*p.offsets[end+1]-start <= mostInBatch; end++ {
			b.Offsets = append(b.Offsets, uint32(width*p.offsets[end+1]-start))
		}
		if end == from {
			return usage("pattern %d has %d bytes: at most %d are possible", from, width*p.offsets[from+1]-start,
				uint64(mostInBatch))
		}
		b.Text = p.symbols[start : width*p.offsets[end]]
		if err := f(from, b); err != nil {
			return err
		}
		from = end
	}
	return nil
}
