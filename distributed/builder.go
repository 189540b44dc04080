package distributed

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/suffixcl/suffixcl/device"
)

// Algorithm is a distributed suffix sorter. All give the same result.
type Algorithm string

// The algorithms.
const (
	PCSS Algorithm = "pcss"
	PDC3 Algorithm = "pdc3"
)

// Algorithms lists all.
func Algorithms() []Algorithm { return []Algorithm{PCSS, PDC3} }

// Options of New, the same on all ranks. The zero value is pCSS.
type Options struct {
	Algorithm Algorithm
	// Distributed has no rank sort for the others, also where its device has the memory.
	Distributed bool
	// MaxMemory bounds what rank 0 takes to sort for the others: bytes of its device and of the host, besides block and
	// result. 0 is 21 bytes a character of its block, and 16 MiB. On a GPU that all share, the device's memory is the
	// bound, and on a CPU that at most four share, if MaxMemory is 0.
	MaxMemory int64
	// Text identifies the whole text, such as a checksum: ranks in which it differs get ErrDiffer.
	Text uint64
	// Progress, if not nil, is called at the start of phases: suffixes in their place, of all ranks.
	Progress func(phase string, done, total int64)
}

// Stats of one call on one rank.
type Stats struct {
	Ranks         int
	BytesSent     int64 // to other ranks
	BytesReceived int64
	Sort          time.Duration // of items of this rank, transfers to its device included
	Communication time.Duration // and waiting for other ranks
	Total         time.Duration
	Share         int         // items that this rank got in the sort in which it got most
	Ranges        int         // that this rank sorted: SuffixRangesAt
	Phases        []PhaseTime // in the order of their first time
}

// PhaseTime is the time of a phase, by the clock of the rank.
type PhaseTime struct {
	Phase string
	Time  time.Duration
}

// lasted adds to the time of a phase.
func (s *Stats) lasted(phase string, d time.Duration) {
	for i := range s.Phases {
		if s.Phases[i].Phase == phase {
			s.Phases[i].Time += d
			return
		}
	}
	s.Phases = append(s.Phases, PhaseTime{phase, d})
}

// Builder computes on one rank. It belongs to one goroutine at a time.
type Builder struct {
	comm    Communicator
	session *device.Session
	options Options
	stats   Stats
	chunks  *chunks    // of downloads; nil before a long one
	known   []identity // of all ranks; nil before somebody asked
}

// New makes a builder. It closes neither the communicator nor the session.
func New(c Communicator, s *device.Session, o Options) *Builder {
	if o.Algorithm == "" {
		o.Algorithm = PCSS
	}
	if s != nil { // for those who list programs
		for _, ranks := range []bool{false, true} {
			s.Program(mergeSource[uint32](s, ranks))
			s.Program(mergeSource[uint64](s, ranks))
		}
		newNamer(s, 1, 1)
	}
	return &Builder{comm: c, session: s, options: o}
}

// Release gives back what is kept for later calls: pinned memory of the host. The builder may be used on.
func (b *Builder) Release() {
	b.chunks.release()
	b.chunks = nil
}

// Stats are the figures of the last call.
func (b *Builder) Stats() Stats { return b.stats }

// SuffixArrayOnDevice is SuffixArray with the block of the text in a buffer of the session, and that of the suffix
// array into one: block [n]uint8, sa [n]uint64. Ranks exchange through the host, so each of the two is there once, too.
func (b *Builder) SuffixArrayOnDevice(ctx context.Context, block *device.Buffer[uint8],
	sa *device.Buffer[uint64]) error {
	text, made := make([]byte, block.Len()), make([]uint64, sa.Len())
	if err := b.Agree(ctx, block.Download(ctx, text, nil)); err != nil {
		return err
	}
	if err := b.SuffixArrayInto(ctx, text, made); err != nil {
		return err
	}
	return b.Agree(ctx, sa.Upload(ctx, made, nil))
}

// SuffixArray returns the block of the suffix array at the places of the block of the text: sa [len(block)]uint64. The
// block is that of [Bounds]; it may be empty. All ranks call it.
//
// Errors, on all ranks: a *BlockError or *RankError; on the rank itself what happened there: the context's, the
// device's, the communicator's.
func (b *Builder) SuffixArray(ctx context.Context, block []byte) (sa []uint64, err error) {
	sa = make([]uint64, len(block))
	if err := b.SuffixArrayInto(ctx, block, sa); err != nil {
		return nil, err
	}
	return sa, nil
}

// SuffixArrayInto is SuffixArray into memory of the caller: sa [len(block)]uint64. Memory that has been used before
// takes less time than fresh one. After an error its contents are of no use.
func (b *Builder) SuffixArrayInto(ctx context.Context, block []byte, sa []uint64) error {
	r, err := b.begin(ctx, "suffix array", len(block), len(sa))
	if err != nil || r.n == 0 {
		return err
	}
	defer r.end(time.Now())
	one, err := r.onOneDevice()
	if err != nil {
		return err
	}
	if one {
		return r.sortOnOneDevice(block, sa)
	}
	plan, err := b.Plan(r.n)
	if err == nil {
		err = plan.Fits(b.session)
	}
	switch err := r.agreed(err); {
	case err != nil:
		return err
	case b.options.Algorithm == PDC3:
		return r.pdc3(block, sa)
	}
	return r.pcss(block, sa)
}

// Plan is the device memory of a rank that sorts a text of n characters with the others, whatever the text. All ranks
// check it before they begin. Where one device sorts for all, that is planned instead.
//
// Errors: a *device.LengthError.
func (b *Builder) Plan(n uint64) (device.MemoryPlan, error) {
	if b.comm == nil || b.session == nil {
		return nil, errNoSession
	}
	p, me := b.comm.Size(), b.comm.Rank()
	from, to := Bounds(n, p, me)
	if to == from {
		return nil, nil
	}
	length := int(to - from)
	part := int(min(n, to+uint64(max(firstOverlap, period+1))) - from)
	sort, err := planArray(b.session, part)
	if err != nil {
		return nil, err
	}
	names := newNamer(b.session, part, int(sampleNumber(to)-sampleNumber(from))).layout.Memory()
	names.Buffers = append(names.Buffers, sort.layout.Memory().Buffers...)
	share := length + length/16 + 1 // at most 1/64 more than even, by the samples
	merge := newMerger[uint64](b.session, n, int(sampleNumber(n)), share).layout
	if n < widePositions {
		merge = newMerger[uint32](b.session, n, int(sampleNumber(n)), share).layout
	}
	own, samples := int64(sampleNumber(to)-sampleNumber(from)), sampleNumber(n)
	position := int64(4)
	if n >= widePositions {
		position = 8
	}
	phases := device.MemoryPlan{
		sort.memory(), names, {Phase: "global names"}, b.planRecursion(n, own, position), merge.Memory(), {Phase: "deliver"},
	}
	list, merged := int64(4*length), int64(0) // merged is what is not in memory of the result
	if position == 8 {
		merged = 8 * int64(share)
	}
	keys := own + own/16 // whose names a rank finds
	for i, host := range []int64{
		0,
		4*int64(part) + 8*own,
		list + 3*position*own + 2*position*keys,
		list + position*own + phases[3].Host,
		position*int64(samples) + max(merged, list),
		position * int64(share+length),
	} {
		phases[i].Host = heldBytes*int64(length) + int64(n) + host
	}
	return phases, nil
}

// planRecursion is the memory of a rank for the recursion of pDC3, by doubling or, on rank 0 where that is allowed, of
// all names.
func (b *Builder) planRecursion(n uint64, own, position int64) device.PhaseMemory {
	most := own + own/oversampling
	m := planKeys(b.session, int(most))
	m.Phase, m.Host = "recursion", (5*position+12)*most
	if samples := sampleNumber(n); b.comm.Rank() == 0 && samples < 1<<32-period {
		r := &rank{Builder: b, n: n}
		host := uint64(position+8) * samples
		p, err := planSymbols[uint32](b.session, int(samples))
		if err == nil && r.affords(p.memory(), host) && p.memory().Device() > m.Device() {
			m = p.memory()
			m.Phase, m.Host = "recursion", int64(host)
		}
	}
	return m
}

// shape has the values in which the ranks have to agree, or which they have to know of each other.
type shape struct {
	Operation, Algorithm [16]byte
	Block, Array         uint64
	Text                 uint64
	MaxMemory            int64
	Distributed          bool
	Ready                bool // has a session
}

// errNoSession is the error of a builder that was made without a session or a communicator.
var errNoSession = errors.New("distributed: a builder without a communicator or session")

// ErrDiffer is matched by the error for ranks that do not call the same, or with other options or texts.
var ErrDiffer = errors.New("distributed: the ranks do not compute the same, or with other options or texts")

// begin finds out the length of the text, and that all ranks want the same.
func (b *Builder) begin(ctx context.Context, operation string, block, array int) (*rank, error) {
	if b.comm == nil {
		return nil, errNoSession
	}
	b.stats = Stats{Ranks: b.comm.Size()}
	r := &rank{Builder: b, ctx: ctx}
	mine := shape{Ready: b.session != nil, Block: uint64(block), Array: uint64(array),
		Text: b.options.Text, MaxMemory: b.options.MaxMemory, Distributed: b.options.Distributed}
	copy(mine.Operation[:], operation)
	copy(mine.Algorithm[:], b.options.Algorithm)
	all, err := gathered(r, mine)
	if err != nil {
		return nil, err
	}
	for _, s := range all {
		r.n += s.Block
	}
	for q, s := range all {
		from, to := Bounds(r.n, len(all), q)
		switch {
		case !s.Ready:
			return nil, errNoSession
		case s.Operation != all[0].Operation, s.Algorithm != all[0].Algorithm,
			s.Distributed != all[0].Distributed, s.MaxMemory != all[0].MaxMemory, s.Text != all[0].Text:
			return nil, fmt.Errorf("%w: rank 0 and rank %d", ErrDiffer, q)
		case s.Block != to-from:
			return nil, &BlockError{Rank: q, Got: int(s.Block), Want: int(to - from), Total: r.n}
		case s.Array != s.Block:
			return nil, fmt.Errorf("distributed: rank %d has %d entries for a block of %d characters", q, s.Array, s.Block)
		case q == b.comm.Rank():
			r.first = from
		}
	}
	if a := b.options.Algorithm; a != PCSS && a != PDC3 { // on all ranks
		return nil, fmt.Errorf("distributed: unknown algorithm %q: have %v", a, Algorithms())
	}
	return r, nil
}

func (r *rank) end(began time.Time) {
	if r.pipe != nil {
		r.pipe.Free()
	}
	r.ended()
	r.stats.Total = time.Since(began)
	r.session.Recover()
}

// report begins a phase, and tells the progress.
func (r *rank) report(phase string, done, total int64) {
	r.ended()
	r.phase, r.since = phase, time.Now()
	if r.options.Progress != nil {
		r.options.Progress(phase, done, total)
	}
}

// ended ends the phase that runs.
func (r *rank) ended() {
	if r.phase != "" {
		r.stats.lasted(r.phase, time.Since(r.since))
		r.phase = ""
	}
}

// Agree returns an error on all ranks, a *RankError, if one of them gives one: for work around the calls, such as
// reading a file. All ranks call it.
func (b *Builder) Agree(ctx context.Context, err error) error {
	if b.comm == nil {
		return errNoSession
	}
	return (&rank{Builder: b, ctx: ctx}).agreed(err)
}

func (r *rank) communicates(began time.Time) { r.stats.Communication += time.Since(began) }

// sorts adds to the time of sorts.
func (r *rank) sorts(began time.Time) { r.stats.Sort += time.Since(began) }
