package suffixcl_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/suffixcl/suffixcl"
	"github.com/suffixcl/suffixcl/conformance"
	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/internal/testkit/enginetest"
	"github.com/suffixcl/suffixcl/patterns"
)

// A callback that calls the engine gets an error, whatever it calls; Caps answers.
func TestCallbacksThatCall(t *testing.T) {
	ctx, text := context.Background(), []byte("mississippi")
	var e *suffixcl.Engine
	var errs []error
	callBack := func() {
		_, errArray := e.SuffixArray(ctx, text)
		_, errPlan := enginetest.PlanOf(ctx, e, enginetest.OpLCP, 10)
		errs = append(errs, errArray, errPlan, e.Close())
		e.Caps()
	}
	armed := false
	e = enginetest.On(t, suffixcl.EngineOptions{Progress: func(string, int64, int64) {
		if armed {
			armed = false
			callBack()
		}
	}})
	batch, err := patterns.Of([]byte("ss"))
	require.NoError(t, err)
	x, err := e.Index(suffixcl.Bytes(text), suffixcl.IndexOptions{SampleEvery: 2}).All(ctx)
	require.NoError(t, err)
	for name, f := range map[string]func() error{
		"progress": func() error {
			armed = true
			_, err := e.SuffixArray(ctx, text)
			return err
		},
		"locate": func() error {
			return x.Locate(ctx, batch, func(int, []uint32) error {
				callBack()
				_, err := x.Count(ctx, batch)
				errs = append(errs, err, x.Close())
				return nil
			})
		},
		"repeats": func() error {
			return enginetest.Run(ctx, e.Repeats(suffixcl.Bytes(text), suffixcl.RepeatOptions{}), func(*suffixcl.Repeats) error {
				callBack()
				return nil
			})
		},
		"stream": func() error {
			next := enginetest.TextsOf(text)
			return enginetest.SuffixArrays(ctx, e, len(text), func(to []byte) (int, error) {
				callBack()
				return next(to)
			}, func([]uint32) error {
				callBack()
				return nil
			})
		},
	} {
		errs = nil
		enginetest.Within(t, func() { assert.NoError(t, f(), name) })
		require.NotEmpty(t, errs, name)
		for _, err := range errs {
			assert.ErrorIs(t, err, suffixcl.ErrInCallback, name)
		}
	}
	require.NoError(t, x.Close(), "refused calls have changed nothing")
	_, err = e.SuffixArray(ctx, text)
	require.NoError(t, err)
}

// A call that waits for another ends with its context, or when the engine is closed; others take turns.
func TestWaiting(t *testing.T) {
	ctx, text := context.Background(), bytes.Repeat([]byte("abracadabra"), 50)
	running, leave := make(chan struct{}), make(chan struct{})
	var once sync.Once
	e := enginetest.On(t, suffixcl.EngineOptions{Progress: func(string, int64, int64) {
		once.Do(func() {
			close(running)
			<-leave
		})
	}})
	var wg sync.WaitGroup
	wg.Go(func() {
		sa, err := e.SuffixArray(ctx, text)
		assert.NoError(t, err)
		assert.NoError(t, conformance.CheckSuffixArray(text, sa))
	})
	<-running
	enginetest.Within(t, func() {
		short, cancel := context.WithTimeout(ctx, 20*time.Millisecond)
		defer cancel()
		for name, f := range map[string]func(context.Context) error{
			"SuffixArray": func(ctx context.Context) error { _, err := e.SuffixArray(ctx, text); return err },
			"Verify":      func(ctx context.Context) error { return e.Verify(ctx, text, nil) },
			"Plan": func(ctx context.Context) error {
				_, err := enginetest.PlanOf(ctx, e, enginetest.OpBWT, 10)
				return err
			},
			"Matcher": func(ctx context.Context) error {
				_, err := e.Matcher(suffixcl.Bytes(text), suffixcl.MatcherOptions{}).All(ctx)
				return err
			},
			"LongestRepeats": func(ctx context.Context) error {
				_, err := e.Repeats(suffixcl.Bytes(text), suffixcl.RepeatOptions{}).All(ctx)
				return err
			},
		} {
			assert.ErrorIs(t, f(short), context.DeadlineExceeded, name)
		}
		e.Caps()
	})
	closed := make(chan error)
	go func() { closed <- e.Close() }()
	close(leave)
	enginetest.Within(t, func() { assert.NoError(t, <-closed) })
	wg.Wait()
	for range 2 {
		_, err := e.SuffixArray(ctx, text)
		assert.ErrorIs(t, err, suffixcl.ErrClosed)
		_, err = enginetest.PlanOf(ctx, e, enginetest.OpSuffixArray, 1)
		assert.ErrorIs(t, err, suffixcl.ErrClosed)
		assert.NoError(t, e.Close())
	}
}

func TestPlanErrors(t *testing.T) {
	e := enginetest.On(t, suffixcl.EngineOptions{})
	var long *suffixcl.LengthError
	for op := enginetest.OpSuffixArray; op <= enginetest.OpNewMatcher; op++ {
		for _, n := range []int{-1, math.MinInt, suffixcl.MaxLen + 1} {
			if n > 0 && (op == enginetest.OpVerifyBlocks || op == enginetest.OpVerifyBlocksLCP) {
				n = suffixcl.MaxRangesLen + 1
			}
			_, err := enginetest.PlanOf(t.Context(), e, op, n)
			assert.ErrorAs(t, err, &long, "%v of %d", op, n)
		}
		plan, err := enginetest.PlanOf(t.Context(), e, op, 1<<16)
		require.NoError(t, err)
		assert.Greater(t, plan.Device(), int64(1<<16), op)
	}
	_, err := e.Repeats(suffixcl.Length(1, -1), suffixcl.RepeatOptions{}).Plan(t.Context())
	assert.ErrorAs(t, err, &long)
	_, err = suffixcl.Open(suffixcl.Options{MaxMemory: -1})
	assert.ErrorContains(t, err, "memory limit of -1 bytes")
	assert.ErrorAs(t, enginetest.SuffixArrays(t.Context(), e, -1, func([]byte) (int, error) { return 0, io.EOF },
		func([]uint32) error { return nil }), &long)
	_, err = suffixcl.ParseAlgorithm("bogosort")
	assert.ErrorIs(t, err, suffixcl.ErrUsage)
}

// Results go to memory of the caller, which must have the right size.
func TestInto(t *testing.T) {
	e := enginetest.On(t, suffixcl.EngineOptions{})
	ctx := t.Context()
	for _, n := range []int{0, 1, 11, 5000} {
		text := bytes.Repeat([]byte("mississippi"), n/11+1)[:n]
		a := enginetest.AnswersOf(text)
		sa, lcp, transform, back := make([]uint32, n), make([]uint32, n), make([]byte, n), make([]byte, n)
		for range 2 {
			require.NoError(t, e.SuffixArrayInto(ctx, sa, text))
			require.Equal(t, a.SA, sa)
			require.NoError(t, e.LCPInto(ctx, lcp, text))
			require.Equal(t, a.LCP, lcp)
			clear(lcp)
			require.NoError(t, lcpOfInto(ctx, e, lcp, text, sa))
			require.Equal(t, a.LCP, lcp)
			primary, err := e.BWTInto(ctx, transform, text)
			require.NoError(t, err)
			require.Equal(t, a.Transform, transform)
			require.Equal(t, a.Primary, primary)
			require.NoError(t, e.InverseBWTInto(ctx, back, transform, primary))
			require.Equal(t, text, back)
		}
		var size *suffixcl.LengthError
		for _, wrong := range []int{n + 1, max(n-1, 0)} {
			if wrong == n {
				continue
			}
			words, chars := make([]uint32, wrong), make([]byte, wrong)
			require.ErrorAs(t, e.SuffixArrayInto(ctx, words, text), &size)
			require.Equal(t, suffixcl.LengthError{What: "suffix array", Len: wrong, Min: n, Max: n}, *size)
			require.ErrorAs(t, e.LCPInto(ctx, words, text), &size)
			require.ErrorAs(t, lcpOfInto(ctx, e, words, text, sa), &size)
			_, err := e.BWTInto(ctx, chars, text)
			require.ErrorAs(t, err, &size)
			require.ErrorAs(t, e.InverseBWTInto(ctx, chars, transform, 1), &size)
		}
		if n > 0 {
			require.ErrorAs(t, e.SuffixArrayInto(ctx, nil, text), &size)
		}
	}
}

// Statistics belong to the call whose context has them, and add up there.
func TestStats(t *testing.T) {
	e := enginetest.On(t, suffixcl.EngineOptions{})
	text := bytes.Repeat([]byte("mississippi"), 300)
	var sort, rest suffixcl.Stats
	sa, err := e.SuffixArray(suffixcl.WithStats(t.Context(), &sort), text)
	require.NoError(t, err)
	one := sort
	require.Contains(t, suffixcl.Algorithms()[1:], sort.Algorithm)
	require.Positive(t, sort.Compute)
	require.Positive(t, sort.PeakBytes)
	require.NoError(t, e.Verify(suffixcl.WithStats(t.Context(), &rest), text, sa))
	require.Empty(t, rest.Algorithm)
	require.Equal(t, one, sort, "other calls do not count")
	_, err = e.SuffixArray(suffixcl.WithStats(t.Context(), &sort), text)
	require.NoError(t, err)
	require.Greater(t, sort.Compute, one.Compute)
	require.Equal(t, one.PeakBytes, sort.PeakBytes)
	_, err = e.SuffixArray(suffixcl.WithStats(t.Context(), nil), text)
	require.NoError(t, err)
	require.Greater(t, enginetest.Core(e).Stats().Compute, sort.Compute+rest.Compute, "the engine's are of all calls")
}

// A call with the operation and size of the one before builds no plan anew and keeps its memory, as planned.
func TestKeptPlans(t *testing.T) {
	e := enginetest.On(t, suffixcl.EngineOptions{})
	ctx := t.Context()
	short, long := bytes.Repeat([]byte("ab"), 1000), bytes.Repeat([]byte("abc"), 1<<19)
	sorted := func(text []byte) {
		sa, err := e.SuffixArray(ctx, text)
		require.NoError(t, err)
		require.NoError(t, conformance.CheckSuffixArray(text, sa))
	}
	sorted(short)
	core := enginetest.Core(e)
	kept := core.Kept()
	require.Positive(t, kept)
	plan, err := enginetest.PlanOf(ctx, e, enginetest.OpSuffixArray, len(short))
	require.NoError(t, err)
	last := plan[len(plan)-1]
	require.Equal(t, "kept", last.Phase)
	require.Equal(t, kept, last.Device())
	sorted(short)
	allocated := testing.AllocsPerRun(20, func() { sorted(short[:1500]) })
	sorted(long)
	again := testing.AllocsPerRun(20, func() { core.Forget(); sorted(short[:1500]) })
	require.Less(t, allocated, again)
	_, err = e.LCP(ctx, short)
	require.NoError(t, err)
	require.Zero(t, core.Kept(), "an operation of two phases keeps none")
	for n := range 40 { // texts that grow within a size and beyond
		sorted(bytes.Repeat([]byte("ba"), 100*n))
	}

	none := enginetest.On(t, suffixcl.EngineOptions{KeepMemory: -1})
	_, err = none.SuffixArray(ctx, short)
	require.NoError(t, err)
	require.Zero(t, enginetest.Core(none).Kept())
}

// Contexts that have ended before do no work.
func TestEndedContext(t *testing.T) {
	e := enginetest.On(t, suffixcl.EngineOptions{})
	cause := errors.New("cause")
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(cause)
	for _, op := range enginetest.Operations {
		a := enginetest.AnswersOf([]byte("mississippi"))
		require.ErrorIs(t, op.Run(ctx, e, a), cause, op.Op)
	}
	require.Zero(t, enginetest.Core(e).Stats().PeakBytes)
}

// What the device does in one go after an upload has a phase of its own.
func TestPhasesAreTold(t *testing.T) {
	var told []string
	e := enginetest.On(t, suffixcl.EngineOptions{Progress: func(phase string, _, _ int64) {
		if len(told) == 0 || told[len(told)-1] != phase {
			told = append(told, phase)
		}
	}})
	ctx, a := t.Context(), enginetest.AnswersOf([]byte("mississippi"))
	for _, c := range []struct {
		call func() error
		want []string
	}{
		{func() error { return e.Verify(ctx, a.Text, a.SA) }, []string{"upload", "verify"}},
		{func() error { _, err := enginetest.LCPOf(ctx, e, a.Text, a.SA); return err },
			[]string{"upload", "verify", "lcp", "download"}},
		{func() error { return enginetest.VerifyBWT(ctx, e, a.Text, a.SA, a.Transform, a.Primary) },
			[]string{"upload", "verify", "bwt", "download"}},
		{func() error { _, err := e.InverseBWT(ctx, a.Transform, a.Primary); return err },
			[]string{"upload", "inverse bwt", "download"}},
		{func() error {
			_, err := e.Arrays(suffixcl.Tokens16(enginetest.WordsOf(a.Text)), suffixcl.Want{LCP: true, Known: a.SA}).All(ctx)
			return err
		}, []string{"upload", "verify", "lcp", "download"}},
	} {
		told = nil
		require.NoError(t, c.call())
		require.Equal(t, c.want, told)
	}
}

// Plans print as tables.
func TestPlansPrint(t *testing.T) {
	plan := device.MemoryPlan{
		{Phase: "sort", Host: 12,
			Buffers: []device.BufferMemory{{Name: "text", Bytes: 1 << 20}, {Name: "keys", Bytes: 1 << 19}}},
		{Phase: "lcp", Buffers: []device.BufferMemory{{Name: "text", Bytes: 100}}, Host: 5 << 30},
	}
	const table = "  phase     device      host\n   sort    1.5 MiB  12 bytes\n" +
		"    lcp  100 bytes   5.0 GiB\n   peak    1.5 MiB   5.0 GiB\n"
	require.Equal(t, table, fmt.Sprint(plan))
	require.Equal(t, table+"file: 2.0 KiB (2048 bytes)\n", fmt.Sprint(suffixcl.IndexPlan{Memory: plan, File: 2048}))
	require.Equal(t, table+"about 3 ranges, a difference cover of period 64\n",
		fmt.Sprint(suffixcl.RangePlan{Memory: plan, Ranges: 3, Period: 64}))
}

// lcpOfInto is lcpOf in memory of the caller.
func lcpOfInto(ctx context.Context, e *suffixcl.Engine, lcp []uint32, text []byte, sa []uint32) error {
	want := suffixcl.Want{LCP: true, Known: sa, Into: &suffixcl.Result{LCP: lcp}}
	_, err := e.Arrays(suffixcl.Bytes(text), want).All(ctx)
	return err
}
