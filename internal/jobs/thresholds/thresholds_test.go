package thresholds_test

import (
	"context"
	"errors"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/suffixcl/suffixcl"
	"github.com/suffixcl/suffixcl/conformance"
	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/internal/testkit/builders"
	"github.com/suffixcl/suffixcl/internal/testkit/devicetest"
	"github.com/suffixcl/suffixcl/internal/testkit/enginetest"
	"github.com/suffixcl/suffixcl/internal/testkit/jobsuites"
)

func TestMain(m *testing.M) { devicetest.Main(m) }

// Runs come as a whole and in parts, of texts in one piece and in several. The plan has the memory that they take.
func TestThresholds(t *testing.T) {
	enginetest.SmallBlocks(t, 300)
	devicetest.Native(t, func(t *testing.T, env devicetest.Env) {
		e, err := suffixcl.New(env.Session, suffixcl.EngineOptions{})
		require.NoError(t, err)
		suite := env.Suite
		suite.MaxExhaustive2, suite.MaxExhaustive3, suite.PerSize, suite.Random = 5, 3, 1, min(suite.Random, 30)
		suite.Large = min(suite.Large, 5000)
		turn := 0
		conformance.Run(t, jobsuites.Thresholds(
			func(ctx context.Context, text []byte) (list []jobsuites.ThresholdRun, err error) {
				if turn++; turn%2 == 0 {
					return builders.ThresholdsOf(e)(ctx, text)
				}
				job := runs(e, suffixcl.Bytes(text))
				plan, err := job.Plan(ctx)
				if err != nil {
					return nil, err
				}
				var stats suffixcl.Stats
				ctx = suffixcl.WithStats(ctx, &stats)
				err = enginetest.Run(ctx, job, func(made *suffixcl.Result) error {
					r := made.Runs
					for k, letter := range r.Letters {
						list = append(list, jobsuites.ThresholdRun{Letter: letter, Start: r.Starts[k], Threshold: r.Thresholds[k]})
					}
					return nil
				})
				if stats.PeakBytes > plan.Device() {
					return nil, errors.New("more memory than planned")
				}
				return list, err
			}, suite))
	})
}

// runs is the job that is tested.
func runs(e *suffixcl.Engine, text suffixcl.Text) suffixcl.Job[*suffixcl.Result, *suffixcl.Result] {
	return e.Arrays(text, suffixcl.Want{Runs: true})
}

// Other symbols, sets and texts with the letter of the end are refused; a loop that is left ends the job.
func TestRefused(t *testing.T) {
	e, ctx := enginetest.On(t, suffixcl.EngineOptions{}), t.Context()
	for _, text := range []suffixcl.Text{suffixcl.Tokens16([]uint16{1}), suffixcl.Documents([]byte("a")),
		suffixcl.Length(4, 10)} {
		_, err := runs(e, text).All(ctx)
		require.ErrorContains(t, err, "a text of bytes")
	}
	for _, want := range []suffixcl.Want{{Runs: true, SA: true}, {Runs: true, Order: suffixcl.OrderEndLargest},
		{Runs: true, Known: []uint32{}}} {
		_, err := e.Arrays(suffixcl.Bytes(nil), want).All(ctx)
		require.ErrorIs(t, err, suffixcl.ErrUsage)
		require.ErrorContains(t, err, "alone")
	}
	_, err := runs(e, suffixcl.Bytes([]byte("AC\x00GT"))).All(ctx)
	require.ErrorContains(t, err, "byte 0 at offset 2")
	_, err = runs(e, suffixcl.Length(1, suffixcl.MaxLen+1)).Plan(ctx)
	require.True(t, device.IsTooLarge(err), err)
	_, err = runs(e, suffixcl.Length(1, 10)).All(ctx)
	require.ErrorIs(t, err, suffixcl.ErrUsage)
	_, err = runs(e, suffixcl.Reader(nil, 10)).All(ctx)
	require.ErrorIs(t, err, suffixcl.ErrUsage)
	for part, err := range runs(e, suffixcl.Bytes([]byte("banana"))).Each(ctx) {
		require.NoError(t, err)
		require.Equal(t, &suffixcl.Runs{Letters: []byte("anb\x00a"), Starts: []uint32{0, 1, 3, 4, 5},
			Thresholds: []uint32{0, 0, 0, 0, 1}}, part.Runs)
		break
	}
}
