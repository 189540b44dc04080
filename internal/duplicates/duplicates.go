package duplicates

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/internal/limits"
)

// Finder finds the duplicates of texts of n symbols. It holds no device memory between runs. It is for one goroutine at
// a time.
type Finder struct {
	s       *device.Session
	n       int
	o       Options
	whole   *resident // nil if the text goes through in pieces
	streams *streamed
}

// New plans finding the duplicates of texts of n symbols.
//
// Errors: a *[device.LengthError]; a *[device.MemoryError] with the numbers if not even small lists fit; options out of
// their bounds.
func New(s *device.Session, n int, o Options) (*Finder, error) {
	if err := limits.CheckLen("text", n, MaxLen); err != nil {
		return nil, err
	}
	o, err := o.Checked(n)
	if err != nil {
		return nil, err
	}
	f := &Finder{s: s, n: n, o: o}
	if o.Piece == 0 {
		if f.whole, err = newResident(s, n, o); err == nil || !device.IsTooLarge(err) {
			return f, err
		}
	}
	if f.streams, err = newStreamed(s, n, o); err != nil {
		return nil, err
	}
	f.whole = nil
	return f, nil
}

// Checked are the options for a text of n symbols, with what 0 stands for. Errors: options out of their bounds.
func (o Options) Checked(n int) (Options, error) {
	o.SymbolBytes = cmp.Or(o.SymbolBytes, 1)
	o.MinCount = cmp.Or(o.MinCount, 2)
	o.Documents = max(o.Documents, 1)
	var err error
	switch {
	case !slices.Contains([]int{1, 2, 4}, o.SymbolBytes):
		err = fmt.Errorf("duplicates: symbols of %d bytes; wanted: 1, 2 or 4", o.SymbolBytes)
	case o.Length < MinWindow || o.Length > MaxWindow:
		err = fmt.Errorf("duplicates: windows of %d symbols; wanted: %d to %d", o.Length, MinWindow, MaxWindow)
	case o.MinCount < 2:
		err = fmt.Errorf("duplicates: %d occurrences; wanted: 2 or more", o.MinCount)
	case o.Other < 0 || o.Other > n:
		err = fmt.Errorf("duplicates: the other set begins at %d of %d symbols", o.Other, n)
	case o.Frequent < 0 || o.Capacity < 0 || o.Piece < 0:
		err = fmt.Errorf("duplicates: %d frequent passages, %d entries, pieces of %d", o.Frequent, o.Capacity, o.Piece)
	}
	return o, err
}

// Memory is the device and host memory of a run, phase by phase.
func (f *Finder) Memory() device.MemoryPlan {
	host := int64(f.n)*int64(f.o.SymbolBytes) + 8*int64(f.o.Documents+1)
	if f.whole != nil {
		return device.MemoryPlan{f.whole.memory("duplicates", host)}
	}
	return f.streams.memory(host)
}

// Streams tells whether the text goes through the device in pieces.
func (f *Finder) Streams() bool { return f.streams != nil }

// Run calls yield with the ranges that duplicates cover, in the order of the text; a block is valid until yield
// returns. text has n symbols, little-endian. documents has where each document begins, in symbols, ascending from 0,
// and then n; nil: the text is one document.
//
// progress, if not nil, is told what is done of a phase.
//
// Errors: a text of another length; documents that are not as said, or another number of them; yield's; the context's;
// the device's (with the phase).
func (f *Finder) Run(ctx context.Context, text []byte, documents []uint64, yield func([]Range) error,
	progress func(phase string, done, total int64)) (Result, error) {
	if len(text) != f.n*f.o.SymbolBytes {
		return Result{}, fmt.Errorf("duplicates: text of %d bytes, planned for %d symbols of %d", len(text), f.n,
			f.o.SymbolBytes)
	}
	if documents == nil {
		documents = []uint64{0, uint64(f.n)}
	}
	if err := f.check(documents); err != nil {
		return Result{}, err
	}
	if progress == nil {
		progress = func(string, int64, int64) {}
	}
	out := &joiner{length: uint64(f.o.Length), documents: documents, yield: yield}
	var result Result
	var err error
	if f.whole != nil {
		result, err = f.whole.run(ctx, input{text: text, documents: documents, other: f.o.Other}, out, progress)
	} else {
		result, err = f.streams.run(ctx, text, documents, out, progress)
	}
	if err == nil {
		err = out.close()
	}
	if err != nil {
		return Result{}, err
	}
	result.Windows = out.windows
	result.Frequent = passages(result.Frequent, f.o.Frequent)
	return result, nil
}

// check returns an error if documents are not those of the plan.
func (f *Finder) check(documents []uint64) error {
	if len(documents) != f.o.Documents+1 {
		return fmt.Errorf("duplicates: %d offsets of documents, planned for %d documents", len(documents), f.o.Documents)
	}
	for i, at := range documents {
		if i == 0 && at != 0 || i > 0 && at < documents[i-1] || at > uint64(f.n) {
			return fmt.Errorf("duplicates: document %d begins at %d, of %d symbols", i, at, f.n)
		}
	}
	if _, begins := slices.BinarySearch(documents, uint64(f.o.Other)); !begins {
		return fmt.Errorf("duplicates: no document begins at %d, where the other set does", f.o.Other)
	}
	if last := documents[len(documents)-1]; last != uint64(f.n) {
		return fmt.Errorf("duplicates: the last document ends at %d of %d symbols", last, f.n)
	}
	return nil
}
