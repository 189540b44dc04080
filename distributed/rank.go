package distributed

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"slices"
	"strings"
	"time"

	"github.com/suffixcl/suffixcl/internal/usage"
)

// rank is one computation of a rank.
type rank struct {
	*Builder
	ctx   context.Context
	n     uint64 // characters of the text
	first uint64 // of this block
	pipe  Memory // between ranks of a node; may be nil

	phase string // that runs, since then
	since time.Time
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
	b.stats = Stats{}
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
			return nil, &usage.Error{Why: fmt.Errorf("distributed: rank %d has %d characters, %d of a text of %d belong to it",
				q, s.Block, to-from, r.n)}
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

func (r *rank) communicates(began time.Time) { r.stats.Communication += time.Since(began) }

// sorts adds to the time of sorts.
func (r *rank) sorts(began time.Time) { r.stats.Sort += time.Since(began) }

// timed adds the time of a sort to the statistics.
func timed[E any](r *rank, f func() ([]E, error)) ([]E, error) {
	began := time.Now()
	defer func() { r.stats.Sort += time.Since(began) }()
	return f()
}

// fence waits for the ranks of the node.
func (r *rank) fence(m Memory) error {
	defer r.communicates(time.Now())
	return m.Fence(r.ctx)
}

// muchMemory is the length of blocks from which arrays that are dropped are given back to the system at once.
const muchMemory = 1 << 19

// drop gives the memory of arrays that are not used any more back to the system: before steps that take much, on a
// device that may have the same memory.
func (r *rank) drop() {
	if r.n/uint64(r.comm.Size()) >= muchMemory {
		debug.FreeOSMemory()
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

// agreed returns an error on all ranks if one has an error.
func (r *rank) agreed(err error) error {
	var message [240]byte
	if err != nil {
		copy(message[:], "!"+err.Error())
	}
	all, failure := gathered(r, message)
	if failure != nil {
		return errorsOr(err, failure)
	}
	q := slices.IndexFunc(all, func(m [240]byte) bool { return m[0] != 0 })
	if q < 0 {
		return nil
	}
	e := &RankError{Rank: q, text: strings.TrimRight(string(all[q][1:]), "\x00")}
	if q == r.comm.Rank() {
		e.Err = err
	}
	return e
}

// RankError is the failure of a rank, which is an error of all.
type RankError struct {
	Rank int
	Err  error  // on that rank; nil on the others
	text string // of Err
}

func (e *RankError) Error() string { return fmt.Sprintf("rank %d: %s", e.Rank, e.text) }

// Unwrap returns the error on the rank itself.
func (e *RankError) Unwrap() error { return e.Err }

// errorsOr is the first that is an error.
func errorsOr(first, second error) error {
	if first != nil {
		return first
	}
	return second
}
