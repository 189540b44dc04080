package call_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/suffixcl/suffixcl"
	"github.com/suffixcl/suffixcl/internal/call"
	"github.com/suffixcl/suffixcl/internal/testkit/enginetest"
)

// gathering is an engine with questions of numbers, whose answers are their squares.
type gathering struct {
	call.Gatherer[[]int, []int]
	*call.Engine
	most     int // that join
	together func(c *call.Call, all []int) error
	received func(c *call.Call, n int) error

	mu   sync.Mutex
	runs [][]int // what was answered by each run
}

// square is a question of a gathering.
type square struct {
	of     *gathering
	n      int
	place  int
	answer int
}

var errOdd = errors.New("an odd number of questions")

func newGathering(t *testing.T) *gathering {
	return &gathering{Engine: enginetest.Core(enginetest.On(t, suffixcl.EngineOptions{})), most: 1000,
		together: func(*call.Call, []int) error { return nil }, received: func(*call.Call, int) error { return nil }}
}

func (g *gathering) ran(numbers ...int) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.runs = append(g.runs, numbers)
}

func (q *square) Alone(*call.Call) error {
	q.of.ran(q.n)
	q.answer = q.n * q.n
	if q.n < 0 {
		return fmt.Errorf("%d is negative", q.n)
	}
	return nil
}

func (q *square) Join(all *[]int) bool {
	if len(*all) == q.of.most {
		return false
	}
	q.place = len(*all)
	*all = append(*all, q.n)
	return true
}

func (q *square) Together(c *call.Call, all *[]int) (squares []int, err error) {
	q.of.ran(*all...)
	for _, n := range *all {
		if n < 0 {
			return nil, errors.New("one is negative")
		}
		squares = append(squares, n*n)
	}
	return squares, q.of.together(c, *all)
}

func (q *square) Receive(c *call.Call, squares []int) error {
	q.answer = squares[q.place]
	return q.of.received(c, q.n)
}

// ask asks for the square of n.
func (g *gathering) ask(ctx context.Context, n int) error {
	q := &square{of: g, n: n}
	err := g.Ask(ctx, g.Engine, q)
	if err == nil && q.answer != n*n {
		return fmt.Errorf("the square of %d is not %d", n, q.answer)
	}
	return err
}

// busy runs f while the engine is busy.
func (g *gathering) busy(t *testing.T, f func()) {
	t.Helper()
	require.NoError(t, g.Acquire(t.Context()))
	f()
	g.Release()
}

// queue lets goroutines ask for the squares of numbers, in this order, and returns their errors when they come.
func (g *gathering) queue(t *testing.T, ctx context.Context, numbers ...int) []chan error {
	t.Helper()
	errs := make([]chan error, len(numbers))
	for i, n := range numbers {
		errs[i] = make(chan error, 1)
		before := g.Waiting()
		go func() { errs[i] <- g.ask(ctx, n) }()
		require.Eventually(t, func() bool { return g.Waiting() > before }, time.Minute, time.Microsecond)
	}
	return errs
}

// Those that wait are answered by one run, in their order, as many as join; one alone is not joined.
func TestConcurrentQuestions(t *testing.T) {
	for most, want := range map[int][][]int{
		9: {{0}, {1, 2, 3, 4, 5, 6, 7}}, 3: {{0}, {1, 2, 3}, {4, 5, 6}, {7}}, 1: {{0}, {1}, {2}, {3}, {4}, {5}, {6}, {7}},
	} {
		g := newGathering(t)
		g.most = most
		require.NoError(t, g.ask(t.Context(), 0), "the engine is free")
		var errs []chan error
		g.busy(t, func() { errs = g.queue(t, t.Context(), 1, 2, 3, 4, 5, 6, 7) })
		enginetest.Within(t, func() {
			for _, err := range errs {
				assert.NoError(t, <-err)
			}
		})
		require.Equal(t, want, g.runs)
		require.NoError(t, g.ask(t.Context(), 8))
		require.Zero(t, g.Waiting())
	}
}

// What fails together is asked again by halves, and has its own error in the end.
func TestConcurrentQuestionsThatFail(t *testing.T) {
	g := newGathering(t)
	var errs []chan error
	numbers := []int{1, 2, 3, 4, 5, -6, 7, 8}
	g.busy(t, func() { errs = g.queue(t, t.Context(), numbers...) })
	enginetest.Within(t, func() {
		for i, err := range errs {
			if numbers[i] < 0 {
				assert.ErrorContains(t, <-err, "-6 is negative")
			} else {
				assert.NoError(t, <-err)
			}
		}
	})
	require.Equal(t, [][]int{{1, 2, 3, 4, 5, -6, 7, 8}, {1, 2, 3, 4}, {5, -6, 7, 8}, {5, -6}, {5}, {-6}, {7, 8}}, g.runs)

	wrong := errors.New("wrong")
	g.received = func(_ *call.Call, n int) error {
		if n == 2 {
			return wrong
		}
		return nil
	}
	g.busy(t, func() { errs = g.queue(t, t.Context(), 1, 2, 3) })
	enginetest.Within(t, func() {
		assert.NoError(t, <-errs[0])
		assert.ErrorIs(t, <-errs[1], wrong)
		assert.NoError(t, <-errs[2])
	})
	require.NoError(t, g.ask(t.Context(), 5))
}

// A context ends what its goroutine waits for at once, and nothing that others wait for.
func TestConcurrentQuestionsCancelled(t *testing.T) {
	g := newGathering(t)
	cause := errors.New("cause")
	ended, end := context.WithCancelCause(t.Context())
	end(cause)
	require.ErrorIs(t, g.ask(ended, 1), cause)

	leaving, leave := context.WithCancelCause(t.Context())
	var stay []chan error
	g.busy(t, func() {
		left := g.queue(t, leaving, 1)
		stay = g.queue(t, t.Context(), 2)
		left = append(left, g.queue(t, leaving, 3)...)
		leave(cause)
		enginetest.Within(t, func() {
			for _, err := range left {
				assert.ErrorIs(t, <-err, cause, "in the queue")
			}
		})
		require.Equal(t, 1, g.Waiting())
	})
	enginetest.Within(t, func() { assert.NoError(t, <-stay[0]) })
	require.Equal(t, [][]int{{2}}, g.runs)

	running, goOn := make(chan struct{}), make(chan struct{})
	g.together = func(c *call.Call, all []int) error {
		running <- struct{}{}
		select {
		case <-c.Ctx.Done():
			return context.Cause(c.Ctx)
		case <-goOn:
			return nil
		}
	}
	for _, all := range []bool{false, true} {
		g.runs = nil
		leaving, leave = context.WithCancelCause(t.Context())
		var left []chan error
		g.busy(t, func() {
			left, stay = g.queue(t, leaving, 1, 2), nil
			if !all {
				stay = g.queue(t, t.Context(), 3)
			}
		})
		enginetest.Within(t, func() {
			<-running
			leave(cause)
			for _, err := range left {
				assert.ErrorIs(t, <-err, cause, "while it is answered")
			}
			if !all {
				goOn <- struct{}{}
				assert.NoError(t, <-stay[0])
			}
			assert.NoError(t, g.ask(t.Context(), 9), "after a run for nobody")
		})
		require.Len(t, g.runs, 2)
	}
}

// A closed engine answers nobody that waits, one or several.
func TestConcurrentQuestionsOfClosed(t *testing.T) {
	g := newGathering(t)
	for _, numbers := range [][]int{{1}, {1, 2, 3}} {
		require.NoError(t, g.Acquire(t.Context()))
		errs := g.queue(t, t.Context(), numbers...)
		g.SetClosed(true)
		g.Release()
		enginetest.Within(t, func() {
			for _, err := range errs {
				assert.ErrorIs(t, <-err, call.ErrClosed)
			}
			assert.ErrorIs(t, g.ask(t.Context(), 1), call.ErrClosed)
		})
		require.NoError(t, g.Acquire(t.Context()))
		g.SetClosed(false)
		g.Release()
	}
	require.Empty(t, g.runs)
	require.ErrorIs(t, (&gathering{}).ask(t.Context(), 1), call.ErrNoEngine)
}

// Goroutines that receive may not call the engine, which waits for all of them; one that panics is waited for, too.
func TestCallbacksOfQuestions(t *testing.T) {
	g := newGathering(t)
	g.received = func(c *call.Call, n int) error {
		defer c.Receives()()
		if n == 2 {
			panic("two")
		}
		assert.ErrorIs(t, g.ask(t.Context(), 1), call.ErrInCallback)
		_, err := g.Begin(t.Context())
		assert.ErrorIs(t, err, call.ErrInCallback)
		return nil
	}
	var errs []chan error
	var panicked any
	var wg sync.WaitGroup
	g.busy(t, func() {
		errs = g.queue(t, t.Context(), 1, 3)
		wg.Go(func() {
			defer func() { panicked = recover() }()
			g.ask(t.Context(), 2)
		})
		require.Eventually(t, func() bool { return g.Waiting() == 3 }, time.Minute, time.Microsecond)
	})
	enginetest.Within(t, func() {
		for _, err := range errs {
			assert.NoError(t, <-err)
		}
		wg.Wait()
		assert.Equal(t, "two", panicked)
		assert.NoError(t, g.ask(t.Context(), 1), "of a goroutine that has received")
	})
}

// Goroutines that always ask let others have the engine.
func TestConcurrentQuestionsAndCalls(t *testing.T) {
	g := newGathering(t)
	g.most = 3
	g.together = func(_ *call.Call, all []int) error {
		if len(all) == 3 && all[0]%5 == 0 {
			return errOdd
		}
		return nil
	}
	ctx, stop := context.WithCancel(t.Context())
	var wg sync.WaitGroup
	var answered, cancelled atomic.Int64
	for k := range 8 {
		wg.Go(func() {
			rng := rand.New(rand.NewPCG(1, uint64(k)))
			for ctx.Err() == nil {
				one, cancel := ctx, func() {}
				if rng.IntN(3) == 0 {
					one, cancel = context.WithTimeout(ctx, time.Duration(rng.IntN(50_000)))
				}
				var st call.Stats
				err := g.ask(call.WithStats(one, st.Add), rng.IntN(1000))
				cancel()
				if one.Err() != nil && errors.Is(err, one.Err()) {
					cancelled.Add(1)
				} else if assert.NoError(t, err) {
					answered.Add(1)
				}
			}
		})
	}
	enginetest.Within(t, func() {
		for range 200 {
			c, err := g.Begin(t.Context())
			if assert.NoError(t, err) {
				time.Sleep(10 * time.Microsecond)
				c.End()
			}
		}
		for answered.Load() < 1000 || cancelled.Load() < 20 {
			time.Sleep(time.Millisecond)
		}
		stop()
		wg.Wait()
	})
	joined := 0
	for _, run := range g.runs {
		require.LessOrEqual(t, len(run), 3)
		if len(run) > 1 {
			joined++
		}
	}
	require.Positive(t, joined)
	require.Zero(t, g.Waiting())
	require.NoError(t, g.Acquire(t.Context()))
	g.Release()
}
