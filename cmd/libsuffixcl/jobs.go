package main

/*
#include "bridge.h"
*/
import "C"

import (
	"context"
	"fmt"
	"io"
	"iter"
	"unsafe"

	"github.com/suffixcl/suffixcl"
)

// stoppedError is that of a function of the caller that took a part of the results and wants no more.
type stoppedError struct{}

func (stoppedError) Error() string {
	return "suffixcl: the function that takes the results ended the call"
}

// Unwrap makes it one of a call that somebody ended.
func (stoppedError) Unwrap() error { return context.Canceled }

// each hands the parts of a job to a function of the caller, whose result says whether to go on.
func each[P any](parts iter.Seq2[P, error], take func(P) C.int) error {
	for part, err := range parts {
		if err != nil {
			return err
		}
		if take(part) != 0 {
			return stoppedError{}
		}
	}
	return nil
}

// first is the pointer to the elements of a part; nil for none.
func first[To, From any](s []From) *To { return (*To)(unsafe.Pointer(unsafe.SliceData(s))) }

// orderOf is an order of suffixes by the name that the command has for it.
func orderOf(a *arguments, name, letters *C.char) suffixcl.Order {
	wanted := word(name)
	specials := "ACGT"
	if letters != nil {
		specials = word(letters)
	}
	for _, o := range []suffixcl.Order{suffixcl.OrderPlain, suffixcl.OrderEndLargest, suffixcl.SpecialsLargest(specials),
		suffixcl.OrderMemory} {
		if wanted == o.String() || wanted == "" {
			return o
		}
	}
	a.fail("want.order is %q: plain, end-largest, specials-largest and memory are possible", wanted)
	return suffixcl.OrderPlain
}

// arraysOf are the arrays of C, for a text of t.n symbols.
func arraysOf(a *arguments, w C.suffixcl_want, t text) suffixcl.Result {
	n := C.uint64_t(t.n)
	r := suffixcl.Result{Order: orderOf(a, w.order, w.letters)}
	r.SA, r.LCP = wanted[uint32](a, "want.sa", w.sa, n), wanted[uint32](a, "want.lcp", w.lcp, n)
	r.Documents = wanted[uint32](a, "want.documents", w.documents, n)
	if w.transform == nil {
		return r
	}
	if w.primary == nil {
		a.fail("want.primary is NULL, and should have the index of the transform")
	}
	switch t.symbolBytes {
	case 2:
		r.BWT = suffixcl.Tokens16(aligned[uint16](a, "want.transform", w.transform, n))
	case 4:
		r.BWT = suffixcl.Tokens32(aligned[uint32](a, "want.transform", w.transform, n))
	default:
		r.BWT = suffixcl.Bytes(slice[byte](a, "want.transform", (*C.uint8_t)(w.transform), n))
	}
	return r
}

//export suffixcl_arrays
func suffixcl_arrays(s C.uintptr_t, of *C.suffixcl_text, want *C.suffixcl_want) C.int {
	return engines.call(uintptr(s), func(ctx context.Context, e *engine) error {
		var a arguments
		w := whole(&a, "want", want)
		t := textOf(&a, "text", of, w.plan != nil)
		into := suffixcl.Result{}
		if a.err == nil {
			into = arraysOf(&a, w, t)
		}
		known := wanted[uint32](&a, "want.known", w.known, C.uint64_t(t.n))
		if w.sa == nil && w.lcp == nil && w.transform == nil && w.documents == nil {
			a.fail("want has no array")
		}
		if a.err != nil {
			return a.err
		}
		o := suffixcl.Want{SA: w.sa != nil, LCP: w.lcp != nil, BWT: w.transform != nil, Documents: w.documents != nil,
			Order: into.Order, Known: known}
		if planned, err := plans(ctx, e, w.plan, e.Arrays(t.Text, o)); planned {
			return err
		}
		o.Into = &into
		r, err := e.Arrays(t.Text, o).All(ctx)
		if err == nil && w.primary != nil {
			*w.primary = C.uint64_t(r.Primary)
		}
		return err
	})
}

//export suffixcl_verify_arrays
func suffixcl_verify_arrays(s C.uintptr_t, of *C.suffixcl_text, want *C.suffixcl_want) C.int {
	return engines.call(uintptr(s), func(ctx context.Context, e *engine) error {
		var a arguments
		w := whole(&a, "want", want)
		t := textOf(&a, "text", of, false)
		if w.sa == nil && t.n > 0 {
			a.fail("want.sa is NULL, and should be the suffix array")
		}
		if a.err != nil {
			return a.err
		}
		given := arraysOf(&a, w, t)
		if a.err != nil {
			return a.err
		}
		if w.primary != nil {
			given.Primary = int(min(*w.primary, longest))
		}
		_, err := e.VerifyArrays(t.Text, suffixcl.GivenArrays{Result: &given}).All(ctx)
		return err
	})
}

//export suffixcl_repeats
func suffixcl_repeats(s C.uintptr_t, of *C.suffixcl_text, options *C.suffixcl_repeat_options, start,
	length *C.uint32_t) C.int {
	return engines.call(uintptr(s), func(ctx context.Context, e *engine) error {
		var a arguments
		o := whole(&a, "options", options)
		t := textOf(&a, "text", of, o.plan != nil)
		job := repeatsOf(&a, e, t, o)
		if a.err != nil {
			return a.err
		}
		if planned, err := plans(ctx, e, o.plan, job); planned {
			return err
		}
		starts := slice[uint32](&a, "start", start, C.uint64_t(t.n))
		lengths := slice[uint32](&a, "length", length, C.uint64_t(t.n))
		if a.err != nil {
			return a.err
		}
		return each(job.Each(ctx), func(r *suffixcl.Repeats) C.int {
			copy(starts[r.First:], r.Start)
			copy(lengths[r.First:], r.Length)
			return 0
		})
	})
}

// repeatsOf is the job with the options of C.
func repeatsOf(a *arguments, e *engine, t text, o C.suffixcl_repeat_options) repeatJob {
	return e.Repeats(t.Text, suffixcl.RepeatOptions{MinLength: number(a, "options.min_length", o.min_length),
		ReverseComplement: o.reverse_complement != 0})
}

type repeatJob = suffixcl.Job[*suffixcl.Repeats, *suffixcl.Repeats]

//export suffixcl_each_repeat
func suffixcl_each_repeat(s C.uintptr_t, of *C.suffixcl_text, options *C.suffixcl_repeat_options,
	take C.suffixcl_take_repeats, data unsafe.Pointer) C.int {
	return engines.call(uintptr(s), func(ctx context.Context, e *engine) error {
		var a arguments
		o := whole(&a, "options", options)
		t := textOf(&a, "text", of, o.plan != nil)
		job := repeatsOf(&a, e, t, o)
		return handOut(ctx, e, &a, o.plan, take != nil, job, func(r *suffixcl.Repeats) C.int {
			return C.bridge_repeats(take, data, C.uint64_t(r.First), C.uint64_t(len(r.Start)), first[C.uint32_t](r.Start),
				first[C.uint32_t](r.Length))
		})
	})
}

//export suffixcl_each_interval
func suffixcl_each_interval(s C.uintptr_t, of *C.suffixcl_text, options *C.suffixcl_interval_options,
	take C.suffixcl_take_intervals, data unsafe.Pointer) C.int {
	return engines.call(uintptr(s), func(ctx context.Context, e *engine) error {
		var a arguments
		o := whole(&a, "options", options)
		t := textOf(&a, "text", of, o.plan != nil)
		limit := func(name string, n C.uint64_t) int { return number(&a, "options."+name, n) }
		job := e.Intervals(t.Text, suffixcl.IntervalOptions{
			MinDepth: limit("min_depth", o.min_depth), MaxDepth: limit("max_depth", o.max_depth),
			MinCount: limit("min_count", o.min_count), MaxCount: limit("max_count", o.max_count),
			MinDocuments: limit("min_documents", o.min_documents), MaxDocuments: limit("max_documents", o.max_documents),
			Best: limit("best", o.best), By: suffixcl.IntervalScore(o.by),
			LeftMaximal: o.left_maximal != 0, Supermaximal: o.supermaximal != 0,
		})
		return handOut(ctx, e, &a, o.plan, take != nil, job, func(r *suffixcl.Intervals) C.int {
			return C.bridge_intervals(take, data, C.uint64_t(r.Len()), first[C.uint32_t](r.Left), first[C.uint32_t](r.Right),
				first[C.uint32_t](r.Depth), first[C.uint32_t](r.Position), first[C.uint32_t](r.Documents))
		})
	})
}

// handOut plans a job, or gives each of its parts to take. Wrong arguments come first.
func handOut[P, W any](ctx context.Context, e *engine, a *arguments, plan *C.suffixcl_plan, there bool,
	job suffixcl.Job[P, W], take func(P) C.int) error {
	taken(a, plan, there)
	if a.err != nil {
		return a.err
	}
	if planned, err := plans(ctx, e, plan, job); planned {
		return err
	}
	return each(job.Each(ctx), take)
}

// taken fails where nobody takes the results of a call that does not only plan.
func taken(a *arguments, plan *C.suffixcl_plan, there bool) {
	if plan == nil && !there {
		a.fail("take is NULL")
	}
}

//export suffixcl_each_match
func suffixcl_each_match(s C.uintptr_t, reference, queries *C.suffixcl_text, options *C.suffixcl_match_options,
	take C.suffixcl_take_matches, data unsafe.Pointer) C.int {
	return engines.call(uintptr(s), func(ctx context.Context, e *engine) error {
		var a arguments
		o := whole(&a, "options", options)
		in := textOf(&a, "reference", reference, o.plan != nil)
		asked := textOf(&a, "queries", queries, o.plan != nil)
		job := e.Matches(in.Text, asked.Text, suffixcl.MatchOptions{Kind: suffixcl.MatchKind(o.kind),
			MinLength: number(&a, "options.min_length", o.min_length), Strands: suffixcl.Strands(o.strands),
			Letters: word(o.letters)})
		return handOut(ctx, e, &a, o.plan, take != nil, job, func(m *suffixcl.Matches) C.int {
			return C.bridge_matches(take, data, C.uint64_t(len(m.Matches)), first[C.suffixcl_match](m.Matches),
				C.uint64_t(m.Text), truth(m.Reverse))
		})
	})
}

// truth is a bool of C.
func truth(b bool) C.int32_t {
	if b {
		return 1
	}
	return 0
}

//export suffixcl_each_multi_match
func suffixcl_each_multi_match(s C.uintptr_t, genomes *C.suffixcl_text, count C.uint64_t,
	options *C.suffixcl_multi_match_options, take C.suffixcl_take_multi_match, data unsafe.Pointer) C.int {
	return engines.call(uintptr(s), func(ctx context.Context, e *engine) error {
		var a arguments
		o := whole(&a, "options", options)
		given := slice[C.suffixcl_text](&a, "genomes", genomes, count)
		texts := make([]suffixcl.Text, len(given))
		for i := range given {
			texts[i] = textOf(&a, fmt.Sprintf("genomes[%d]", i), &given[i], o.plan != nil).Text
		}
		limit := func(name string, n C.uint64_t) int { return number(&a, "options."+name, n) }
		job := e.MultiMatches(texts, suffixcl.MultiMatchOptions{MinLength: limit("min_length", o.min_length),
			MinGenomes: limit("min_genomes", o.min_genomes), MostEach: limit("most_each", o.most_each),
			MostCount: limit("most_count", o.most_count), BothStrands: o.both_strands != 0, Letters: word(o.letters)})
		taken(&a, o.plan, take != nil)
		if a.err != nil {
			return a.err
		}
		if planned, err := plans(ctx, e, o.plan, job); planned {
			return err
		}
		var found []C.suffixcl_occurrence
		return each(job.Each(ctx), func(m *suffixcl.MultiMatch) C.int {
			found = found[:0]
			for _, p := range m.Occurrences {
				found = append(found, C.suffixcl_occurrence{genome: C.uint32_t(p.Genome), text: C.uint32_t(p.Text),
					position: C.uint32_t(p.Position), reverse: truth(p.Reverse)})
			}
			return C.bridge_multi_match(take, data, C.uint64_t(m.Length), C.uint64_t(len(found)),
				first[C.suffixcl_occurrence](found))
		})
	})
}

//export suffixcl_each_mappability
func suffixcl_each_mappability(s C.uintptr_t, of *C.suffixcl_text, options *C.suffixcl_mappability_options,
	take C.suffixcl_take_mappability, data unsafe.Pointer) C.int {
	return engines.call(uintptr(s), func(ctx context.Context, e *engine) error {
		var a arguments
		o := whole(&a, "options", options)
		t := textOf(&a, "text", of, o.plan != nil)
		var lengths []int
		for i, k := range slice[C.uint64_t](&a, "options.k", o.k, o.lengths) {
			lengths = append(lengths, number(&a, fmt.Sprintf("options.k[%d]", i), k))
		}
		job := e.Mappability(t.Text, suffixcl.MappabilityOptions{K: lengths, Unique: o.unique != 0,
			BothStrands: o.both_strands != 0, Letters: word(o.letters)})
		return handOut(ctx, e, &a, o.plan, take != nil, job, func(m *suffixcl.Mappability) C.int {
			return C.bridge_mappability(take, data, C.uint64_t(m.K), C.uint64_t(m.Text), C.uint64_t(m.First),
				C.uint64_t(len(m.Values)), first[C.uint32_t](m.Values))
		})
	})
}

//export suffixcl_each_duplicate
func suffixcl_each_duplicate(s C.uintptr_t, of *C.suffixcl_text, options *C.suffixcl_duplicate_options,
	take C.suffixcl_take_ranges, data unsafe.Pointer) C.int {
	return engines.call(uintptr(s), func(ctx context.Context, e *engine) error {
		var a arguments
		o := whole(&a, "options", options)
		t := textOf(&a, "text", of, o.plan != nil)
		var documents []uint64
		if o.documents != nil {
			if o.documents_count >= longest {
				a.fail("options.documents_count is %d", uint64(o.documents_count))
			}
			documents = slice[uint64](&a, "options.documents", o.documents, o.documents_count+1)
		}
		limit := func(name string, n C.uint64_t) int { return number(&a, "options."+name, n) }
		symbols := duplicateText(&a, t)
		job := e.Duplicates(symbols, documents, suffixcl.DuplicateOptions{SymbolBytes: t.symbolBytes,
			Length: limit("length", o.length), MinCount: limit("min_count", o.min_count), Other: limit("other", o.other),
			KeepFirst: o.keep_first != 0, Both: o.both != 0})
		return handOut(ctx, e, &a, o.plan, take != nil, job, func(d *suffixcl.Duplicates) C.int {
			if o.windows != nil {
				*o.windows = C.uint64_t(d.Windows)
			}
			if len(d.Ranges) == 0 {
				return 0
			}
			return C.bridge_ranges(take, data, first[C.suffixcl_range](d.Ranges), C.uint64_t(len(d.Ranges)))
		})
	})
}

// duplicateText is a text as that job has it: the bytes of its symbols, little-endian.
func duplicateText(a *arguments, t text) suffixcl.Text {
	switch {
	case t.Tokens16() != nil:
		return suffixcl.Bytes(unsafe.Slice(first[byte](t.Tokens16()), 2*t.n))
	case t.Tokens32() != nil:
		return suffixcl.Bytes(unsafe.Slice(first[byte](t.Tokens32()), 4*t.n))
	case t.symbolBytes > 1:
		return suffixcl.Length(1, t.n*t.symbolBytes)
	}
	return t.Text
}

//export suffixcl_each_block
func suffixcl_each_block(s C.uintptr_t, of *C.suffixcl_text, options *C.suffixcl_block_options,
	take C.suffixcl_take_block, data unsafe.Pointer) C.int {
	return engines.call(uintptr(s), func(ctx context.Context, e *engine) error {
		var a arguments
		o := whole(&a, "options", options)
		t := textOf(&a, "text", of, o.plan != nil)
		if o.sa == 0 && o.packed == 0 && o.lcp == 0 && o.transform == 0 {
			a.fail("options has no result")
		}
		taken(&a, o.plan, take != nil)
		if a.err != nil {
			return a.err
		}
		want := suffixcl.RangeOptions{NoPositions: o.sa == 0 && o.packed == 0, Packed: o.packed != 0, LCP: o.lcp != 0,
			Transform: o.transform != 0}
		if planned, err := plans(ctx, e, o.plan, e.Ranges(t.Text, want)); planned {
			return err
		}
		want.Yield = func(b suffixcl.SuffixBlock) error {
			if C.bridge_block(take, data, C.uint64_t(b.First), C.uint64_t(b.Len), first[C.uint64_t](b.Positions),
				first[C.uint8_t](b.Packed), first[C.uint64_t](b.LCP), first[C.uint8_t](b.Transform),
				C.uint64_t(b.TransformFirst), C.uint64_t(len(b.Transform))) != 0 {
				return stoppedError{}
			}
			return nil
		}
		state, err := e.Ranges(t.Text, want).All(ctx)
		if o.primary != nil {
			*o.primary = C.uint64_t(state.Primary)
		}
		return err
	})
}

//export suffixcl_stream
func suffixcl_stream(s C.uintptr_t, options *C.suffixcl_stream_options, next C.suffixcl_next_text,
	nextData unsafe.Pointer, take C.suffixcl_take_streamed, takeData unsafe.Pointer) C.int {
	return engines.call(uintptr(s), func(ctx context.Context, e *engine) error {
		var a arguments
		if options == nil {
			a.fail("options is NULL, and should have the length of the longest text")
		}
		o := whole(&a, "options", options)
		room := number(&a, "options.longest", o.longest)
		if o.plan == nil && next == nil {
			a.fail("next is NULL")
		}
		taken(&a, o.plan, take != nil)
		if a.err != nil {
			return a.err
		}
		read := func(text []byte) (int, error) {
			switch n := C.bridge_next(next, nextData, first[C.uint8_t](text), C.uint64_t(len(text))); {
			case n == C.SUFFIXCL_NO_MORE:
				return 0, io.EOF
			case n < 0:
				return 0, stoppedError{}
			default:
				return int(n), nil
			}
		}
		job := e.Stream(room, read, suffixcl.Want{SA: o.transform == 0, BWT: o.transform != 0})
		if planned, err := plans(ctx, e, o.plan, job); planned {
			return err
		}
		text := C.uint64_t(0)
		return each(job.Each(ctx), func(r *suffixcl.Result) C.int {
			transform := r.BWT.Bytes()
			got := C.bridge_streamed(take, takeData, text, C.uint64_t(len(r.SA)+len(transform)), first[C.uint32_t](r.SA),
				first[C.uint8_t](transform), C.uint64_t(r.Primary))
			text++
			return got
		})
	})
}
