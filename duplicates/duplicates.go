package duplicates

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/internal/limits"
)

// Keep says which occurrences of a window are duplicates.
type Keep int

// The choices of Keep.
const (
	KeepNone  Keep = iota // all
	KeepFirst             // all but the first
)

// MaxLen is the longest text, in symbols.
const MaxLen = 1 << 40

// MinWindow and MaxWindow bound the length of windows, in symbols.
const (
	MinWindow = 2
	MaxWindow = 1 << 30
)

// Options of a Finder.
type Options struct {
	Length      int // of windows, in symbols
	SymbolBytes int // 1, 2 or 4; 0 means 1
	Keep        Keep
	MinCount    int // least number of occurrences of a duplicate; 0 means 2
	// Other, if it is not 0, is the start of a document, with which a second set of documents begins. Then a duplicate has
	// to occur in that set, too, and Keep does not matter: all occurrences before Other are duplicates; with Both, those
	// from Other on, too.
	Other int
	Both  bool
	// Documents is the number of documents; 0 means 1.
	Documents int
	// Frequent is how many of the most frequent passages are wanted.
	Frequent int
	// Capacity is the number of entries of the lists; 0: as memory allows, at most a fourth of the text. A given number is
	// not compared with the memory of the device: see Memory.
	Capacity int
	// Piece, if it is not 0, has the text go through the device in pieces of so many symbols, also where it fits.
	Piece int
}

// Range is symbols Start to End-1.
type Range struct{ Start, End uint64 }

// Len is the number of symbols.
func (r Range) Len() uint64 { return r.End - r.Start }

// Passage is a range, all of whose windows occur Count times. It is the first occurrence.
type Passage struct {
	Range
	Count uint64
}

// Result has the figures of a run.
type Result struct {
	Windows  uint64    // number of duplicates
	Frequent []Passage // the most frequent ones, the highest count first, then in the order of the text
	Parts    int       // lists that were sorted
	Pieces   int       // pieces that were copied to the device
}

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
	o.SymbolBytes = cmp.Or(o.SymbolBytes, 1)
	o.MinCount = cmp.Or(o.MinCount, 2)
	o.Documents = max(o.Documents, 1)
	switch {
	case !slices.Contains([]int{1, 2, 4}, o.SymbolBytes):
		return nil, fmt.Errorf("duplicates: symbols of %d bytes; wanted: 1, 2 or 4", o.SymbolBytes)
	case o.Length < MinWindow || o.Length > MaxWindow:
		return nil, fmt.Errorf("duplicates: windows of %d symbols; wanted: %d to %d", o.Length, MinWindow, MaxWindow)
	case o.MinCount < 2:
		return nil, fmt.Errorf("duplicates: %d occurrences; wanted: 2 or more", o.MinCount)
	case o.Other < 0 || o.Other > n:
		return nil, fmt.Errorf("duplicates: the other set begins at %d of %d symbols", o.Other, n)
	case o.Keep < KeepNone || o.Keep > KeepFirst:
		return nil, fmt.Errorf("duplicates: unknown Keep %d", o.Keep)
	case o.Frequent < 0 || o.Capacity < 0 || o.Piece < 0:
		return nil, fmt.Errorf("duplicates: %d frequent passages, %d entries, pieces of %d", o.Frequent, o.Capacity, o.Piece)
	}
	f := &Finder{s: s, n: n, o: o}
	if o.Piece == 0 {
		var err error
		if f.whole, err = newResident(s, n, o); err == nil || !device.IsTooLarge(err) {
			return f, err
		}
	}
	var err error
	if f.streams, err = newStreamed(s, n, o); err != nil {
		return nil, err
	}
	f.whole = nil
	return f, nil
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

// joiner makes ranges of runs of duplicates.
type joiner struct {
	length    uint64
	documents []uint64
	yield     func([]Range) error

	windows uint64
	block   []Range
	last    Range // not yet in the block
	some    bool
}

// blockLen is how many ranges are handed out at a time.
const blockLen = 1 << 16

// add takes the windows first to last, in the order of the text.
func (j *joiner) add(first, last uint64) error {
	j.windows += last - first + 1
	return j.cover(Range{first, last + j.length})
}

// cover takes a range that windows cover.
func (j *joiner) cover(r Range) error {
	if j.some && r.Start <= j.last.End {
		_, between := slices.BinarySearch(j.documents, r.Start)
		if r.Start < j.last.End || !between { // windows do not cross the ends of documents
			j.last.End = max(j.last.End, r.End)
			return nil
		}
	}
	if j.some {
		j.block = append(j.block, j.last)
	}
	j.last, j.some = r, true
	if len(j.block) < blockLen {
		return nil
	}
	return j.flush()
}

func (j *joiner) flush() error {
	if len(j.block) == 0 {
		return nil
	}
	err := j.yield(j.block)
	j.block = j.block[:0]
	return err
}

// close hands out the rest.
func (j *joiner) close() error {
	if j.some {
		j.block = append(j.block, j.last)
		j.some = false
	}
	return j.flush()
}

// passages joins ranges that overlap and have the same count, and returns the `most` most frequent.
func passages(found []Passage, most int) []Passage {
	slices.SortFunc(found, func(a, b Passage) int {
		return cmp.Or(cmp.Compare(a.Start, b.Start), cmp.Compare(a.End, b.End))
	})
	var joined []Passage
	for _, p := range found {
		if k := len(joined) - 1; k >= 0 && joined[k].Count == p.Count && p.Start <= joined[k].End {
			joined[k].End = max(joined[k].End, p.End)
			continue
		}
		joined = append(joined, p)
	}
	slices.SortStableFunc(joined, func(a, b Passage) int { return cmp.Compare(b.Count, a.Count) })
	return slices.Clip(joined[:min(len(joined), most)])
}
