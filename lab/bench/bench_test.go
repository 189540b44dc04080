package bench_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/internal/testkit/devicetest"
	"github.com/suffixcl/suffixcl/internal/tuned"
	"github.com/suffixcl/suffixcl/lab/bench"
)

// cases are those of the command, and those of the tuner.
func cases() []bench.Case {
	return append(bench.Primitives(),
		bench.SortPairs[uint32, uint64]("u32/u64", 32),
		bench.SortPairs[uint64, uint64]("u64/u64", 64),
		bench.SortKeys[uint32]("u32"),
		bench.SortKeys[uint64]("u64"),
		bench.Sum[uint64](), bench.Select[uint64](),
		bench.MergeKeys[uint64]("merge keys u64"),
		bench.SegmentedSort[uint64](64, 2047))
}

// The check of every case accepts what the primitives make. Their own tests have the
// variants.
func TestCases(t *testing.T) {
	devicetest.Native(t, func(t *testing.T, e devicetest.Env) {
		for _, c := range cases() {
			for _, n := range []int{1, 2, 700, 1 << 13} {
				if n > e.Suite.Large {
					continue
				}
				p, err := c.Prepare(t.Context(), e.Session, n)
				require.NoError(t, err)
				require.NoError(t, p.Try(t.Context()), "%s, %d items", c.Primitive, n)
				p.Release()
			}
		}
	})
}

// The check of every case finds a result that is not there.
func TestChecks(t *testing.T) {
	devicetest.Native(t, func(t *testing.T, e devicetest.Env) {
		for _, c := range cases() {
			p, err := c.Prepare(t.Context(), e.Session, 700)
			require.NoError(t, err)
			var wrong *bench.WrongResult
			assert.ErrorAs(t, p.TryNothing(t.Context()), &wrong, c.Primitive)
			p.Release()
		}
	})
}

func TestRun(t *testing.T) {
	devicetest.Native(t, func(t *testing.T, e devicetest.Env) {
		for _, c := range []bench.Case{bench.Sum[uint32](), bench.SortKeys[uint32]("keys")} {
			r, err := c.Run(t.Context(), e.Session, 1000)
			require.NoError(t, err)
			assert.Equal(t, 1000, r.Items)
			assert.Positive(t, r.Seconds)
			assert.InEpsilon(t, 1000, r.ItemsPerSecond*r.Seconds, 1e-9)
			r.Reference = r.ItemsPerSecond / 2
			assert.InEpsilon(t, 2, r.Ratio(), 1e-9)
		}
		gbps, err := bench.CopyGBps(t.Context(), e.Session, 1<<16)
		require.NoError(t, err)
		assert.Positive(t, gbps)
	})
}

func TestErrors(t *testing.T) {
	devicetest.Native(t, func(t *testing.T, e devicetest.Env) {
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		_, err := bench.Sum[uint32]().Run(ctx, e.Session, 1000)
		assert.ErrorIs(t, err, context.Canceled)
	})
}

func TestOutOfMemory(t *testing.T) {
	for _, d := range devicetest.Devices(t) {
		s, err := device.Open(device.Config{Device: d, MaxMemory: 1 << 20})
		require.NoError(t, err)
		for _, c := range cases() {
			_, err := c.Prepare(t.Context(), s, 1<<20)
			assert.True(t, device.IsTooLarge(err), "%s: %v", c.Primitive, err)
		}
		assert.Zero(t, s.LiveBytes())
		require.NoError(t, s.Close())
	}
}

// A primitive that cannot be planned has run nothing: here its workspace is too large.
func TestPlanError(t *testing.T) {
	for _, d := range devicetest.Devices(t) {
		s, err := tuned.Open(device.Config{Device: d, MaxMemory: 600 << 10}, tuned.Edits{
			Caps: func(c *device.Caps) { c.CPUShape = true },
		})
		require.NoError(t, err)
		p, err := bench.Sum[uint32]().Prepare(t.Context(), s, 1<<16)
		require.NoError(t, err)
		tuned.Of(s).Scan.Items = 1
		_, err = p.Measure(t.Context(), 1)
		var plan *bench.PlanError
		assert.ErrorAs(t, err, &plan)
		assert.NoError(t, s.Err())
		p.Release()
		assert.Zero(t, s.LiveBytes())
		require.NoError(t, s.Close())
	}
}
