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
}

// New makes a builder. It closes neither the communicator nor the session.
func New(c Communicator, s *device.Session, o Options) *Builder {
	if o.Algorithm == "" {
		o.Algorithm = PCSS
	}
	if s != nil { // for those who list programs
		s.Program(mergeSource[uint32](s))
		s.Program(mergeSource[uint64](s))
	}
	return &Builder{comm: c, session: s, options: o}
}

// Stats are those of the last call.
func (b *Builder) Stats() Stats { return b.stats }

// SuffixArrayOnDevice is SuffixArray with the block of the text in a buffer of the session, and that of the suffix
// array into one: block [n]uint8, sa [n]uint64. Ranks exchange through the host, so each of the two is there once, too.
func (b *Builder) SuffixArrayOnDevice(ctx context.Context, block *device.Buffer[uint8],
	sa *device.Buffer[uint64]) error {
	text := make([]byte, block.Len())
	if err := b.Agree(ctx, block.Download(ctx, text, nil)); err != nil {
		return err
	}
	made, err := b.suffixArray(ctx, text, sa.Len())
	if err != nil {
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
	return b.suffixArray(ctx, block, len(block))
}

// suffixArray has room for so many entries.
func (b *Builder) suffixArray(ctx context.Context, block []byte, entries int) ([]uint64, error) {
	r, err := b.begin(ctx, "suffix array", len(block), entries)
	if err != nil || r.n == 0 {
		return nil, err
	}
	defer r.end(time.Now())
	if b.options.Algorithm == PDC3 {
		return r.pdc3(block)
	}
	return r.pcss(block)
}

// shape is what the ranks have to agree in, or to know of each other.
type shape struct {
	Operation, Algorithm [16]byte
	Block, Array         uint64
}

// ErrDiffer is matched by the error for ranks that do not call the same, or with other options.
var ErrDiffer = errors.New("distributed: the ranks do not compute the same, or by other algorithms")

// begin finds out the length of the text, and that all ranks want the same.
func (b *Builder) begin(ctx context.Context, operation string, block, array int) (*rank, error) {
	b.stats = Stats{Ranks: b.comm.Size()}
	r := &rank{Builder: b, ctx: ctx}
	mine := shape{Block: uint64(block), Array: uint64(array)}
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
		case s.Operation != all[0].Operation || s.Algorithm != all[0].Algorithm:
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
	return (&rank{Builder: b, ctx: ctx}).agreed(err)
}

func (r *rank) communicates(began time.Time) { r.stats.Communication += time.Since(began) }
