// Package bench measures the primitives on device-resident data: items a second,
// the traffic that the job cannot avoid, and its share of the bandwidth of a plain
// copy in the same run.
//
// A job that destroys its input is measured as the time of (restore + job) less
// the time of restore. Each is repeated so often between two waits that latencies of
// launches and waits do not count. The best of several rounds is taken, as the
// vendors' libraries are measured.
package bench

import (
	"context"
	"fmt"
	"time"

	"github.com/suffixcl/suffixcl/device"
)

// Result is one measurement.
type Result struct {
	Primitive string  `json:"primitive"`
	Items     int     `json:"items"`
	Seconds   float64 `json:"seconds"`
	// ItemsPerSecond and GBps are what Seconds makes of Items and of the bytes
	// that the job has to move: every input read once, every output written once,
	// for a sort in every pass.
	ItemsPerSecond float64 `json:"items_per_s"`
	GBps           float64 `json:"gb_per_s"`
	CopyShare      float64 `json:"copy_share"` // GBps over that of a copy
	// Reference is the same job's items a second by another library in the same
	// run, 0 if there is none.
	Reference float64 `json:"reference_items_per_s,omitempty"`
}

// Ratio is the speed over the reference's, 0 if there is none.
func (r Result) Ratio() float64 {
	if r.Reference == 0 {
		return 0
	}
	return r.ItemsPerSecond / r.Reference
}

// input is what a primitive works on, on the device.
type input struct {
	bytes   int64                 // traffic of a run
	restore func()                // enqueues putting back what a run destroys; nil if that is nothing
	fresh   func()                // enqueues the state before the first run: no old result, for check to mistake
	plan    func(u *setup) func() // compiles with the tuning of the moment; returns what enqueues a run
	check   func() error          // reads the result of the first run back and compares, all of it
}

// Case is a primitive that can be measured at any size.
type Case struct {
	Primitive string // as in the tables of docs/benchmarks.md
	prepare   func(u *setup, n int) input
}

// Rounds is how often a measurement is repeated; the best counts.
const Rounds = 5

// enough is how long a round should last, so that 20 us of latency are noise.
const enough = 10 * time.Millisecond

// Prepared is a case on some input.
type Prepared struct {
	name    string
	n       int
	u       *setup
	input   input
	restore float64 // seconds, once it is known
}

// Prepare makes the input of n items. Errors: those of device.Alloc among others.
func (c Case) Prepare(ctx context.Context, s *device.Session, n int) (*Prepared, error) {
	p := &Prepared{name: c.Primitive, n: n, u: &setup{ctx: ctx, s: s}, restore: -1}
	p.input = c.prepare(p.u, n)
	if err := p.u.err; err != nil {
		p.Release()
		return nil, p.fail(err)
	}
	return p, nil
}

// Release frees the input.
func (p *Prepared) Release() { p.u.releaseAll() }

func (p *Prepared) fail(err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("%s, %d items: %w", p.name, p.n, err)
}

// PlanError is that a primitive could not be planned, with the tuning of the session;
// nothing has run.
type PlanError struct{ Err error }

func (e *PlanError) Error() string { return e.Err.Error() }
func (e *PlanError) Unwrap() error { return e.Err }

// WrongResult is a result that is not right.
type WrongResult struct{ Why string }

func (e *WrongResult) Error() string { return "wrong result: " + e.Why }

func wrong(format string, args ...any) error { return &WrongResult{fmt.Sprintf(format, args...)} }

// Measure plans the case with the tuning of the session, checks the result
// of a first run, and times more: the best of so many rounds.
//
// Errors: *PlanError, *WrongResult, the context's, and what sticks to the session.
func (p *Prepared) Measure(ctx context.Context, rounds int) (Result, error) {
	r := Result{Primitive: p.name, Items: p.n}
	u := &setup{ctx: ctx, s: p.u.s}
	defer u.releaseAll()
	run := p.input.plan(u)
	if u.err != nil {
		return r, p.fail(&PlanError{u.err})
	}
	if err := p.first(ctx, run); err != nil {
		return r, p.fail(err)
	}
	seconds, err := p.time(ctx, rounds, run)
	if err != nil {
		return r, p.fail(err)
	}
	r.Seconds = seconds
	r.ItemsPerSecond = float64(p.n) / seconds
	r.GBps = float64(p.input.bytes) / seconds / 1e9
	return r, nil
}

// attempts is how often a job and its restore are measured, where the restore alone takes longer: another program had
// the processors meanwhile.
const attempts = 5

// time returns the seconds of a run, less those of the restore.
func (p *Prepared) time(ctx context.Context, rounds int, run func()) (seconds float64, err error) {
	restore := p.input.restore
	if restore == nil {
		return timeOf(ctx, p.u.s, rounds, run)
	}
	for range attempts {
		both, err := timeOf(ctx, p.u.s, rounds, func() { restore(); run() })
		if err != nil {
			return 0, err
		}
		if p.restore < 0 {
			if p.restore, err = timeOf(ctx, p.u.s, Rounds, restore); err != nil {
				return 0, err
			}
		}
		if seconds = both - p.restore; seconds > 0 {
			return seconds, nil
		}
		p.restore = -1
	}
	return 0, fmt.Errorf("putting back the input takes longer than that and the job, %d times", attempts)
}

// first checks the result of a run.
func (p *Prepared) first(ctx context.Context, run func()) error {
	p.input.fresh()
	run()
	if err := p.u.s.Check(ctx); err != nil {
		return err
	}
	return p.input.check()
}

// Run measures the case on n items.
func (c Case) Run(ctx context.Context, s *device.Session, n int) (Result, error) {
	p, err := c.Prepare(ctx, s, n)
	if err != nil {
		return Result{Primitive: c.Primitive, Items: n}, err
	}
	defer p.Release()
	return p.Measure(ctx, Rounds)
}

// timeOf is the seconds that one of many repetitions of f takes.
func timeOf(ctx context.Context, s *device.Session, rounds int, f func()) (float64, error) {
	repeats, best := 1, 0.0
	for round := 0; round < rounds; {
		if err := s.Check(ctx); err != nil {
			return 0, err
		}
		start := time.Now()
		for range repeats {
			f()
		}
		if err := s.Finish(); err != nil {
			return 0, err
		}
		took := time.Since(start)
		if took < enough && round == 0 {
			repeats *= 2 // warms up, too
			continue
		}
		if each := took.Seconds() / float64(repeats); round == 0 || each < best {
			best = each
		}
		round++
	}
	return best, nil
}

// CopyGBps is the bandwidth of a device-to-device copy of the given bytes, read
// plus written.
func CopyGBps(ctx context.Context, s *device.Session, bytes int) (float64, error) {
	var buffers [2]*device.Buffer[uint8]
	for i := range buffers {
		b, err := device.Alloc[uint8](s, bytes)
		if err != nil {
			return 0, err
		}
		defer b.Release()
		b.Fill(uint8(i))
		buffers[i] = b
	}
	seconds, err := timeOf(ctx, s, Rounds, func() { device.Copy(buffers[0], buffers[1], bytes) })
	return 2 * float64(bytes) / seconds / 1e9, err
}
