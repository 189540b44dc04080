package runner

import (
	"bytes"
	"context"
	"errors"
	"math/rand/v2"
	"time"

	"github.com/suffixcl/suffixcl"
	"github.com/suffixcl/suffixcl/conformance"
	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/internal/driver"
	"github.com/suffixcl/suffixcl/lab/bench"
	"github.com/suffixcl/suffixcl/patterns"
)

// classSpeed is the class of the cells that measure, on the device as it is, after all
// others. What they measure is checked, too.
const classSpeed = "speed"

// copySubject is the plain copy, by whose bandwidth the others are judged.
const copySubject = "copy"

// Speed is what a cell has measured.
type Speed struct {
	Items     int     `json:"items"`
	Unit      string  `json:"unit"` // of the items: "items", "bytes", "characters" or "patterns"
	Seconds   float64 `json:"seconds"`
	PerSecond float64 `json:"items_per_s"`
	// GBps counts what the job has to move at least: all input read once, all output written
	// once, for a radix sort in every pass. 0 if that says nothing.
	GBps float64 `json:"gb_per_s,omitempty"`
}

// A gauge measures a subject.
type gauge func(ctx context.Context, s *device.Session, size sizes) (Speed, error)

// sizes of what is measured.
type sizes struct {
	items, characters, patterns int
	rounds                      int
	seed                        uint64
}

func sizesOf(s *device.Session, level string, seed uint64) sizes {
	z := sizes{items: 1 << 24, characters: 1 << 22, patterns: 1 << 20, rounds: 2, seed: seed}
	if s.Caps().Kind() != "gpu" {
		z = sizes{items: 1 << 22, characters: 1 << 18, patterns: 1 << 16, rounds: 2, seed: seed}
	}
	if s.Caps().Vendor == driver.Mesa {
		z.items, z.characters, z.patterns = 1<<16, 1<<13, 1<<11
	}
	if level != "quick" {
		z.items, z.characters, z.rounds = 4*z.items, 4*z.characters, 3
	}
	return z
}

func rate(items int, unit string, seconds, traffic float64) Speed {
	return Speed{
		Items: items, Unit: unit, Seconds: seconds, PerSecond: float64(items) / seconds, GBps: traffic / seconds / 1e9,
	}
}

// measured adds a gauge.
func (s Subject) measured(g gauge) Subject {
	s.gauge = g
	return s
}

// copied is the bandwidth of a copy.
func copied(ctx context.Context, s *device.Session, z sizes) (Speed, error) {
	n := max(16*z.items, 1<<26) // more than caches hold
	if s.Caps().Vendor == driver.Mesa {
		n = 16 * z.items
	}
	gbps, err := bench.CopyGBps(ctx, s, n)
	if err != nil {
		return Speed{}, err
	}
	return rate(n, "bytes", 2*float64(n)/gbps/1e9, 2*float64(n)), nil
}

// benched measures a primitive.
func benched(c bench.Case) gauge {
	return func(ctx context.Context, s *device.Session, z sizes) (Speed, error) {
		p, err := c.Prepare(ctx, s, z.items)
		if err != nil {
			return Speed{}, err
		}
		defer p.Release()
		r, err := p.Measure(ctx, z.rounds)
		return rate(r.Items, "items", r.Seconds, r.GBps*1e9*r.Seconds), err
	}
}

// auto is the choice of an engine by itself.
const auto = suffixcl.AlgorithmAuto

// operated measures the part of an engine's operation that is on the device. bytes is the
// least that it moves for each character. The calls of run with its context are measured; it
// returns a check of its result.
func operated(
	algorithm suffixcl.Algorithm, bytes float64,
	run func(ctx context.Context, e *suffixcl.Engine, text []byte) (check func() error, err error),
) gauge {
	return func(ctx context.Context, s *device.Session, z sizes) (Speed, error) {
		n := min(z.characters, algorithm.MaxLen(s.Caps()))
		if algorithm == suffixcl.AlgorithmSAIS && !s.Caps().CPUShape { // one work-item of a GPU
			n = min(n, 1<<14)
		}
		text, err := conformance.NewText("random/sigma=4", n, z.seed)
		if err != nil {
			return Speed{}, err
		}
		e, err := suffixcl.New(s, suffixcl.EngineOptions{Algorithm: algorithm, KeepMemory: -1})
		if err != nil {
			return Speed{}, err
		}
		var best time.Duration
		var check func() error
		for round := range z.rounds + 1 { // the first compiles
			var st suffixcl.Stats
			if check, err = run(suffixcl.WithStats(ctx, &st), e, text); err != nil {
				return Speed{}, err
			}
			if took := st.Compute; round > 0 && (best == 0 || took < best) {
				best = took
			}
		}
		return rate(n, "characters", best.Seconds(), bytes*float64(n)), check()
	}
}

func sorted(algorithm suffixcl.Algorithm) gauge {
	return operated(algorithm, 5, func(ctx context.Context, e *suffixcl.Engine, text []byte) (func() error, error) {
		sa, err := e.SuffixArray(ctx, text)
		return func() error { return e.Verify(ctx, text, sa) }, err
	})
}

var errSpeedResult = errors.New("the result of the measured run is wrong")

func equal(got, want []byte) error {
	if !bytes.Equal(got, want) {
		return errSpeedResult
	}
	return nil
}

// counter returns the number of occurrences of each pattern.
type counter = func(context.Context, *patterns.Batch) ([]uint32, error)

// searched measures a search for patterns of 32 characters; prepare returns what counts, and
// closes.
func searched(
	prepare func(ctx context.Context, e *suffixcl.Engine, text []byte) (count counter, closes func() error, err error),
) gauge {
	return func(ctx context.Context, s *device.Session, z sizes) (Speed, error) {
		const length = 32
		text, err := conformance.NewText("random/sigma=4", z.characters, z.seed)
		if err != nil {
			return Speed{}, err
		}
		for i, c := range text {
			text[i] = "ACGT"[c%4]
		}
		batch, rng := &patterns.Batch{}, rand.New(rand.NewPCG(z.seed, 0))
		for range z.patterns {
			at := rng.IntN(len(text) - length + 1)
			if err := batch.Add(text[at : at+length]); err != nil {
				return Speed{}, err
			}
		}
		e, err := suffixcl.New(s, suffixcl.EngineOptions{KeepMemory: -1})
		if err != nil {
			return Speed{}, err
		}
		count, closes, err := prepare(ctx, e, text)
		if err != nil {
			return Speed{}, err
		}
		defer closes()
		var best time.Duration
		for round := range z.rounds + 1 {
			var st suffixcl.Stats
			counts, err := count(suffixcl.WithStats(ctx, &st), batch)
			if err != nil {
				return Speed{}, err
			}
			for _, often := range counts {
				if often == 0 { // all are pieces of the text
					return Speed{}, errSpeedResult
				}
			}
			if took := st.Compute; round > 0 && (best == 0 || took < best) {
				best = took
			}
		}
		return rate(z.patterns, "patterns", best.Seconds(), 0), nil
	}
}
