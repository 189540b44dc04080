package bench

import (
	"context"
	"fmt"
	"time"

	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/internal/fmd"
	"github.com/suffixcl/suffixcl/internal/parallel"
	"github.com/suffixcl/suffixcl/internal/rlbwt"
	"github.com/suffixcl/suffixcl/internal/testkit/synthetic"
)

// Steps measures rank in run-length transforms: walkers take steps to the left with random letters. The runs are
// random: their letters, and lengths like those of a pangenome.
type Steps struct {
	Runs     []int
	Mean     int // rows of a run, nearly
	Walkers  int
	Steps    int // of a walker
	Size     uint64
	Repeats  int
	Config   device.Config
	Progress func(format string, args ...any)
	Done     func(StepsRow) error
}

// StepsRow is the best time of a way of walking.
type StepsRow struct {
	Runs     int     `json:"runs"`
	Rows     uint64  `json:"rows"`
	Bytes    int64   `json:"index_bytes"`
	Walkers  int     `json:"walkers"`
	Steps    int     `json:"steps"`         // of a walker
	Interval uint64  `json:"interval_rows"` // 0: a step is of one row, else of both ends of an interval
	Seconds  float64 `json:"seconds"`
	PerS     float64 `json:"steps_per_s"` // of all walkers
}

// stepRuns are generated at a time.
const stepRuns = 1 << 22

// Run makes an index of each number of runs, and has walkers walk in it.
func (b *Steps) Run(ctx context.Context) error {
	s, err := device.Open(b.Config)
	if err != nil {
		return err
	}
	defer s.Close()
	for _, n := range b.Runs {
		if err := b.one(ctx, s, n); err != nil {
			return err
		}
	}
	return nil
}

func (b *Steps) one(ctx context.Context, s *device.Session, n int) error {
	start := time.Now()
	x, err := rlbwt.Load(ctx, s, func(yield fmd.Yield) error { return eachRandomRuns(n, b.Mean, yield) })
	if err != nil {
		return err
	}
	defer x.Release()
	b.Progress("an index of %d runs and %d rows in %.1f s", n, x.Len(), time.Since(start).Seconds())
	rows := make([]uint64, b.Walkers)
	for i := range rows {
		rows[i] = synthetic.Mix(1, uint64(i)) % x.Len()
	}
	w, err := x.Walkers(rows)
	if err != nil {
		return err
	}
	defer w.Release()
	for _, size := range []uint64{0, b.Size} {
		row := StepsRow{
			Runs: n, Rows: x.Len(), Bytes: x.Bytes(), Walkers: b.Walkers, Steps: b.Steps, Interval: size,
		}
		if err := s.Finish(); err != nil {
			return err
		}
		for i := range b.Repeats + 1 { // the first one builds the program
			start := time.Now()
			err := w.Walk(ctx, b.Steps, size)
			if err == nil {
				err = s.Finish()
			}
			if err != nil {
				return err
			}
			if t := time.Since(start).Seconds(); i > 0 && (row.Seconds == 0 || t < row.Seconds) {
				row.Seconds = t
			}
		}
		row.PerS = float64(b.Walkers) * float64(b.Steps) / row.Seconds
		if err := b.Done(row); err != nil {
			return err
		}
	}
	return nil
}

// eachRandomRuns yields n runs of A, C, G and T. Seven of eight are about as long as the mean, as runs of what all
// genomes have. The others are short, and a few of them long.
func eachRandomRuns(n, mean int, yield fmd.Yield) error {
	runs := make([]fmd.Run, min(n, stepRuns))
	for from := 0; from < n; from += len(runs) {
		part := runs[:min(n-from, len(runs))]
		parallel.Do(len(part), 1<<16, func(lo, hi int) {
			for i := lo; i < hi; i++ {
				part[i] = randomRun(uint64(from+i), uint64(mean))
			}
		})
		if err := yield(part); err != nil {
			return fmt.Errorf("runs %d to %d: %w", from, from+len(part), err)
		}
	}
	return nil
}

// randomRun is run i. No two that follow each other have the same letter: they are of two letters in turn.
func randomRun(i, mean uint64) fmd.Run {
	x := synthetic.Mix(2, i)
	r := fmd.Run{Letter: byte(1 + i%2 + x%2*2), Len: mean - mean/4 + x>>8%(mean/2+1)}
	switch kind := x >> 4 % 16; {
	case kind == 0 && x>>40%16 == 0:
		r.Len *= 8
	case kind < 2:
		r.Len = 1 + x>>8%4
	}
	return r
}
