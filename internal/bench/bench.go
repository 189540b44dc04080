// Package bench measures the primitives on device-resident data: items a second,
// the traffic that the job cannot avoid, and its share of the bandwidth of a plain
// copy in the same run.
//
// A job that destroys its input is measured as the time of (restore + job) less
// the time of restore, each repeated often enough between two waits that launch
// and wait latencies do not count; the best of several rounds is taken, as the
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

// job is a primitive prepared on n items.
type job struct {
	bytes   int64        // traffic of a run
	restore func()       // enqueues putting the input back; nil if run keeps it
	run     func()       // enqueues the job
	check   func() error // reads the result back and compares
	release func()
}

// Case is a primitive that can be measured at any size.
type Case struct {
	Primitive string // as in the tables of docs/benchmarks.md
	prepare   func(ctx context.Context, s *device.Session, n int) (*job, error)
}

// Rounds is how often a measurement is repeated; the best counts.
const Rounds = 5

// enough is how long a round should last, so that 20 us of latency are noise.
const enough = 10 * time.Millisecond

// Run measures the case on n items. The result of the job is checked once.
func (c Case) Run(ctx context.Context, s *device.Session, n int) (Result, error) {
	r := Result{Primitive: c.Primitive, Items: n}
	j, err := c.prepare(ctx, s, n)
	if err != nil {
		return r, fmt.Errorf("%s, %d items: %w", c.Primitive, n, err)
	}
	defer j.release()
	if j.restore != nil {
		j.restore()
	}
	j.run()
	if err := j.check(); err != nil {
		return r, fmt.Errorf("%s, %d items: %w", c.Primitive, n, err)
	}
	seconds, err := timeOf(ctx, s, func() {
		if j.restore != nil {
			j.restore()
		}
		j.run()
	})
	if err != nil {
		return r, err
	}
	if j.restore != nil {
		restore, err := timeOf(ctx, s, j.restore)
		if err != nil {
			return r, err
		}
		seconds -= restore
	}
	r.Seconds = seconds
	r.ItemsPerSecond = float64(n) / seconds
	r.GBps = float64(j.bytes) / seconds / 1e9
	return r, nil
}

// timeOf is the seconds that one of many repetitions of f takes.
func timeOf(ctx context.Context, s *device.Session, f func()) (float64, error) {
	repeats, best := 1, 0.0
	for round := 0; round < Rounds; {
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
	seconds, err := timeOf(ctx, s, func() { device.Copy(buffers[0], buffers[1], bytes) })
	return 2 * float64(bytes) / seconds / 1e9, err
}
