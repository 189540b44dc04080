package suffixcl

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"time"

	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/fmindex"
	"github.com/suffixcl/suffixcl/internal/parallel"
	"github.com/suffixcl/suffixcl/match"
	"github.com/suffixcl/suffixcl/patterns"
	"github.com/suffixcl/suffixcl/seqio"
	"github.com/suffixcl/suffixcl/verify"
)

// TextOptions says what the text of an index is.
type TextOptions struct {
	// Records are the parts of the text; between them stand single Separators. No
	// occurrence crosses records. Without records the text is one.
	Records   seqio.Table
	Separator byte
	// DNA: only A, C, G and T match; of patterns also lower case and U, which become
	// those. Everything else, N too, is in the text to be passed over.
	DNA bool
}

func (o TextOptions) separator() int {
	if len(o.Records) > 0 {
		return int(o.Separator)
	}
	return fmindex.NoSeparator
}

// Index is an FM-index on the engine's device: 0.5 bytes a base and more; see package
// fmindex.
type Index struct {
	searcher
	index *fmindex.Index
}

// Matcher holds text and suffix array on the engine's device, at 5 to 9.3 bytes a character,
// and searches faster than an Index.
type Matcher struct{ searcher }

// Index builds an FM-index of text. rate: every rate-th position is kept to locate
// occurrences, in 4 bytes; 0 if they are to be counted only. It must be closed. Memory and
// errors as SuffixArray.
func (e *Engine) Index(ctx context.Context, text []byte, rate int, o TextOptions) (*Index, error) {
	h := fmindex.Header{Length: len(text), Counts: *fmindex.Histogram(text), Rate: rate, Separator: o.separator(), Records: o.Records}
	if o.DNA {
		h.Alphabet = fmindex.DNA
	}
	var builder *fmindex.Builder
	searching := func(op *operation, _ int) (err error) {
		if builder, err = fmindex.NewBuilder(e.session, h); err == nil {
			op.cleanup = builder.Release
			op.phase(builder.Memory(), int64(len(text)))
		}
		return err
	}
	var x *fmindex.Index
	err := e.run(ctx, OpIndex, len(text), func(op *operation) error {
		if err := op.sort(text); err != nil {
			return err
		}
		if err := builder.Allocate(); err != nil {
			return err
		}
		return op.timed(&e.stats.Compute, func() (err error) {
			x, err = builder.Run(ctx, op.text, op.sa)
			return err
		})
	}, searching)
	if err != nil {
		x.Release() // built, but what was enqueued has failed
		return nil, err
	}
	return e.newIndex(x), nil
}

// LoadIndex reads an index that Index.Save has written. It must be closed. Errors:
// *fmindex.FormatError for what is none; *device.MemoryError if it does not fit.
func (e *Engine) LoadIndex(ctx context.Context, r io.Reader) (*Index, error) {
	f, err := fmindex.Read(r)
	if err != nil {
		return nil, err
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	defer e.session.Recover()
	e.resetStats()
	began := time.Now()
	x, err := fmindex.Open(ctx, e.session, f)
	if err != nil {
		return nil, err
	}
	e.stats.Upload = time.Since(began)
	return e.newIndex(x), nil
}

func (e *Engine) newIndex(x *fmindex.Index) *Index {
	i := &Index{index: x}
	i.searcher = searcher{e: e, records: x.Records, count: x.Count, locate: x.Locate, release: x.Release}
	return i
}

// Header describes the index.
func (x *Index) Header() fmindex.Header { return x.index.Header }

// Save writes the index; docs/formats.md describes the bytes.
func (x *Index) Save(ctx context.Context, w io.Writer) error {
	x.e.mu.Lock()
	defer x.e.mu.Unlock()
	defer x.e.session.Recover()
	if x.release == nil {
		return errClosed
	}
	began := time.Now()
	f, err := x.index.Download(ctx)
	if err != nil {
		return err
	}
	x.e.stats.Download += time.Since(began)
	return f.Write(w)
}

// Matcher prepares text to be searched; sa is its suffix array, or nil if that is to be
// computed. It must be closed. Memory and errors as SuffixArray; a suffix array that is
// given is verified first, with the errors of Verify.
func (e *Engine) Matcher(ctx context.Context, text []byte, sa []uint32, o TextOptions) (*Matcher, error) {
	op := OpMatch
	if sa != nil {
		op = OpMatchOf
		if len(sa) != len(text) {
			return nil, &verify.Error{Slot: min(len(sa), len(text)), Why: fmt.Sprintf("is where the lengths differ: %d entries for %d characters", len(sa), len(text))}
		}
	}
	var array *match.Array
	var folding *patterns.Folding
	searching := func(op *operation, _ int) (err error) {
		if array, err = match.NewArray(e.session, len(text), fmindex.Histogram(text)); err != nil {
			return err
		}
		op.cleanup = array.Release
		memory := array.Memory()
		if table := o.folding(); table != nil {
			folding = patterns.NewFolding(e.session, table)
			op.cleanup = func() { array.Release(); folding.Release() }
			memory.Buffers = append(memory.Buffers, folding.Memory().Buffers...)
		}
		op.phase(memory, int64(len(text)))
		return nil
	}
	m := &Matcher{}
	err := e.run(ctx, op, len(text), func(op *operation) (err error) {
		if sa == nil {
			err = op.sort(text)
		} else if err = op.given(text, sa); err == nil {
			err = op.verify()
		}
		if err == nil && folding != nil {
			err = folding.Allocate()
		}
		if err == nil {
			err = op.timed(&e.stats.Compute, func() error { return array.Build(op.text, op.sa) })
		}
		if err != nil {
			return err
		}
		input, resident, onText, onSA := op.input, op.resident, op.text, op.sa
		op.input, op.resident, op.cleanup = device.NewLayout(""), device.NewLayout(""), nil // they stay
		m.searcher = searcher{e: e, records: o.Records,
			order: array.ReserveOrder,
			count: func(set patterns.Set, intervals *device.Buffer[[2]uint32]) {
				folding.Search(set, intervals, func() { array.Search(onText, onSA, set, m.room.order, intervals) })
			},
			locate: func(intervals *device.Buffer[[2]uint32], firsts *device.Buffer[uint64], count int, first uint64, n int, positions *device.Buffer[uint32]) {
				array.Locate(onSA, intervals, firsts, count, first, n, positions)
			},
			release: func() {
				array.Release()
				folding.Release()
				input.Release(e.session)
				resident.Release(e.session)
			}}
		return nil
	}, searching)
	if err != nil {
		return nil, err
	}
	return m, nil
}

// Match returns the positions of all occurrences of each pattern, in ascending order. For
// many batches, or what needs TextOptions, use a Matcher.
func (e *Engine) Match(ctx context.Context, text []byte, list ...[]byte) ([][]uint32, error) {
	batch, err := patterns.Of(list...)
	if err != nil {
		return nil, err
	}
	m, err := e.Matcher(ctx, text, nil, TextOptions{})
	if err != nil {
		return nil, err
	}
	defer m.Close()
	found := make([][]uint32, len(list))
	err = m.Locate(ctx, batch, func(q int, positions []uint32) error {
		found[q] = slices.Clone(positions)
		return nil
	})
	return found, err
}

// folding is what patterns become and what they may not hold, as the suffix array knows no
// symbols apart; nil if they are as they are.
func (o TextOptions) folding() *[256]uint32 {
	if !o.DNA && o.separator() < 0 {
		return nil
	}
	var table [256]uint32
	for c := range table {
		if table[c] = uint32(c); o.DNA || c == o.separator() {
			table[c] = patterns.Refused
		}
	}
	if o.DNA {
		for from, to := range map[byte]uint32{'A': 'A', 'C': 'C', 'G': 'G', 'T': 'T', 'U': 'T'} {
			table[from], table[from|0x20] = to, to
		}
	}
	return &table
}

// searcher is what Index and Matcher share: batches go to the device, intervals are
// numbered, positions come back in pieces.
type searcher struct {
	e       *Engine
	records seqio.Table
	order   func(*device.Layout, int) *match.Order // or nil
	count   func(patterns.Set, *device.Buffer[[2]uint32])
	locate  func(intervals *device.Buffer[[2]uint32], firsts *device.Buffer[uint64], count int, first uint64, n int, positions *device.Buffer[uint32])
	release func()

	room batchRoom
}

// batchRoom is device memory for batches of a size.
type batchRoom struct {
	count, bytes int
	layout       *device.Layout
	slots        *patterns.Slots
	intervals    *device.Slot[[2]uint32]
	firsts       *device.Slot[uint64]
	ws           *device.WorkspaceSlot
	numbering    *patterns.Numbering
	order        *match.Order // or nil
}

func (r *batchRoom) Release(s *device.Session) {
	if r.layout != nil {
		r.layout.Release(s)
	}
	*r = batchRoom{}
}

// fit makes room for a batch, and for its order if there is one.
func (r *batchRoom) fit(s *device.Session, b *patterns.Batch, order func(*device.Layout, int) *match.Order) error {
	if r.layout != nil && b.Len() <= r.count && len(b.Text) <= r.bytes {
		return nil
	}
	count, bytes := max(b.Len(), r.count), max(len(b.Text), r.bytes)
	r.Release(s)
	numbering := patterns.NewNumbering(s, count)
	l := device.NewLayout("patterns")
	*r = batchRoom{count: count, bytes: bytes, layout: l, slots: patterns.Reserve(l, count, bytes), numbering: numbering,
		intervals: device.Reserve[[2]uint32](l, "intervals", count), firsts: device.Reserve[uint64](l, "numbers", count+1),
		ws: device.ReserveWorkspace(l, numbering.Workspace())}
	if order != nil {
		r.order = order(l, count)
	}
	err := device.MemoryPlan{l.Memory()}.Fits(s)
	if err == nil {
		err = l.Allocate(s)
	}
	if err != nil {
		r.Release(s)
	}
	return err
}

var errClosed = errors.New("suffixcl: the index is closed")

// Close frees the device memory. Closing twice does nothing.
func (x *searcher) Close() {
	x.e.mu.Lock()
	defer x.e.mu.Unlock()
	if x.release != nil {
		x.release()
		x.release = nil
		x.room.Release(x.e.session)
	}
}

// Records are those of the text.
func (x *searcher) Records() seqio.Table { return x.records }

// find uploads a batch and leaves the intervals on the device, under the lock.
func (x *searcher) find(ctx context.Context, b *patterns.Batch) error {
	s := x.e.session
	if x.release == nil {
		return errClosed
	}
	s.Phase("search")
	if err := x.room.fit(s, b, x.order); err != nil {
		return err
	}
	intervals := x.room.intervals.Buffer(s)
	began := time.Now()
	if x.room.order != nil { // the more patterns are sorted at a time, the nearer are neighbours
		set, err := x.room.slots.Upload(ctx, s, b)
		if err != nil {
			return err
		}
		x.count(set, intervals)
	} else if err := x.room.slots.Pieces(ctx, s, b, func(set patterns.Set) { x.count(set, intervals) }); err != nil {
		return err
	}
	x.e.stats.Upload += time.Since(began)
	x.e.stats.PeakBytes = max(x.e.stats.PeakBytes, s.PeakBytes())
	began = time.Now()
	err := s.Finish()
	x.e.stats.Compute += time.Since(began)
	return err
}

// Count returns how often each pattern occurs; the empty one does not. Errors: a batch
// whose offsets are wrong, the context's, the device's, *device.MemoryError.
func (x *searcher) Count(ctx context.Context, b *patterns.Batch) ([]uint32, error) {
	x.e.mu.Lock()
	defer x.e.mu.Unlock()
	defer x.e.session.Recover()
	if err := x.find(ctx, b); err != nil {
		return nil, err
	}
	counts := make([]uint32, b.Len())
	intervals := device.Reinterpret[uint32](x.room.intervals.Buffer(x.e.session))
	err := x.e.eachBlock(ctx, len(counts), 2, []*device.Buffer[uint32]{intervals}, func(first int, blocks [][]uint32) error {
		block, counts := blocks[0], counts[first:first+len(blocks[0])/2]
		parallel.Do(len(counts), 1<<16, func(lo, hi int) {
			for q := lo; q < hi; q++ {
				counts[q] = block[2*q+1] - block[2*q]
			}
		})
		return nil
	})
	if err != nil {
		return nil, err
	}
	return counts, nil
}

// numbers are those of the occurrences of the patterns that were found.
func (x *searcher) numbers(ctx context.Context, count int) ([]uint64, error) {
	s := x.e.session
	firsts := x.room.firsts.Buffer(s)
	began := time.Now()
	x.room.numbering.Run(x.room.ws.Workspace(s), x.room.intervals.Buffer(s), count, firsts)
	if err := s.Finish(); err != nil {
		return nil, err
	}
	x.e.stats.Compute += time.Since(began)
	began = time.Now()
	numbers := make([]uint64, count+1)
	err := firsts.Download(ctx, numbers, nil)
	x.e.stats.Download += time.Since(began)
	return numbers, err
}

// locatePiece is the number of positions that are on the device at once.
const locatePiece = 1 << 24

// Locate calls emit for each pattern that occurs, in order, with the positions of its
// occurrences in ascending order; they are emit's only during the call. An error of emit
// ends it. Other errors as Count, and that of an Index without samples.
func (x *searcher) Locate(ctx context.Context, b *patterns.Batch, emit func(pattern int, positions []uint32) error) error {
	x.e.mu.Lock()
	defer x.e.mu.Unlock()
	s := x.e.session
	defer s.Recover()
	if err := x.find(ctx, b); err != nil {
		return err
	}
	numbers, err := x.numbers(ctx, b.Len())
	if err != nil {
		return err
	}
	total := numbers[b.Len()]
	piece := int(min(total, locatePiece))
	positions, err := device.Alloc[uint32](s, piece)
	if err != nil {
		return err
	}
	defer positions.Release()
	var host []uint32 // from number `done` on
	done := uint64(0)
	q := 0
	for from := uint64(0); from < total; from += uint64(piece) {
		m := int(min(uint64(piece), total-from))
		began := time.Now()
		x.locate(x.room.intervals.Buffer(s), x.room.firsts.Buffer(s), b.Len(), from, m, positions)
		if err := s.Finish(); err != nil {
			return err
		}
		x.e.stats.Compute += time.Since(began)
		began = time.Now()
		old := len(host)
		host = slices.Grow(host, m)[:old+m]
		if err := positions.Download(ctx, host[old:], nil); err != nil {
			return err
		}
		x.e.stats.Download += time.Since(began)
		for ; q < b.Len() && numbers[q+1] <= from+uint64(m); q++ {
			found := host[numbers[q]-done : numbers[q+1]-done]
			if len(found) == 0 {
				continue
			}
			slices.Sort(found)
			if err := emit(q, found); err != nil {
				return err
			}
		}
		if q < b.Len() { // what belongs to a pattern that goes on
			host = slices.Delete(host, 0, int(numbers[q]-done))
			done = numbers[q]
		}
	}
	return nil
}
