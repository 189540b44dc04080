package cli

import (
	"bytes"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"
)

// screen is a terminal of one line. The time of a synctest bubble orders what reads it and what writes, but the race
// detector does not know: there is a lock.
type screen struct {
	mu      sync.Mutex
	written bytes.Buffer
	columns int
}

func newScreen(columns int) (*Progress, *screen) {
	s := &screen{columns: columns}
	return &Progress{w: s, width: s.width}, s
}

func (s *screen) Write(data []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.written.Write(data)
}

func (s *screen) width() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.columns
}

func (s *screen) resize(columns int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.columns = columns
}

// all is what has been written.
func (s *screen) all() string {
	synctest.Wait()
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.written.String()
}

// line is what can be seen, without the spinner.
func (s *screen) line() string {
	var line []byte
	for _, part := range strings.Split(s.all(), "\r") {
		line = append([]byte(part), line[min(len(part), len(line)):]...)
	}
	return strings.TrimRight(string(line[min(2, len(line)):]), " ")
}

// A phase that tells nothing for long shows that time goes on.
func TestProgressMoves(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p, s := newScreen(80)
		p.Update("sort", 40, 100)
		require.Empty(t, s.line(), "what is done soon shows nothing")
		time.Sleep(time.Second)
		require.Equal(t, "sort         [============                  ]  40%  1s", s.line())
		before := len(s.all())
		time.Sleep(time.Second)
		require.Equal(t, "sort         [============                  ]  40%  2s", s.line())
		require.Greater(t, len(s.all()), before+3*20, "the spinner turns")
		time.Sleep(time.Minute)
		require.Contains(t, s.line(), "40%  1m2s")

		p.Update("sort", 100, 100)
		time.Sleep(time.Second)
		require.Contains(t, s.line(), "] 100%  1m3s")
		p.Update("search", 7, 0)
		time.Sleep(time.Second)
		require.Equal(t, "search        1s", s.line(), "nothing of the longer line is left")
		p.Stop()
		require.Empty(t, s.line())
		p.Stop()
		p.Update("write", 1, 2)
		time.Sleep(time.Second)
		require.Contains(t, s.line(), "write        [===============               ]  50%  1s")
		p.Stop()
		require.Empty(t, s.line())
		p.Within("7 of 9")
		p.Update("sort", 0, 0)
		time.Sleep(time.Second)
		require.Equal(t, "7 of 9: sort  1s", s.line())
		p.Stop()
		(*Progress)(nil).Within("none")
	})
}

// Kernels that are compiled are told of, and the phase comes back after them.
func TestProgressCompiling(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p, s := newScreen(80)
		p.Compiling(func() (int, int) { return 0, 0 })
		time.Sleep(3 * time.Second)
		require.Equal(t, "preparing kernels (first run on this device)  3s", s.line())
		p.Update("sort", 0, 10)
		time.Sleep(time.Second)
		require.Contains(t, s.line(), "preparing kernels")
		p.Compiling(func() (int, int) { return 3, 4 })
		time.Sleep(time.Second)
		require.Contains(t, s.line(), "] ")
		p.Compiled()
		time.Sleep(time.Second)
		require.Contains(t, s.line(), "sort ")
		s.resize(10)
		p.Update("radix sort", 0, 10)
		time.Sleep(time.Second)
		require.Equal(t, "radix s", s.line()[:7], "nine columns less the spinner and a blank")
		p.Stop()
	})
}

// Nothing shows nothing; goroutines may share a progress.
func TestProgressConcurrent(t *testing.T) {
	var nothing *Progress
	nothing.Update("sort", 1, 2)
	nothing.Of("sort")(1, 2)
	nothing.Compiling(nil)
	nothing.Compiled()
	nothing.YieldTerminal()
	nothing.Stop()

	p, _ := newScreen(80)
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			for i := range int64(200) {
				p.Update("sort", i, 200)
				p.Compiling(func() (int, int) { return 0, 0 })
				p.Compiled()
				if i%50 == 0 {
					p.Stop()
				}
			}
		})
	}
	all.Wait()
	p.Stop()
}

// Parts at the same time are one phase, of all that is done and all that there is.
func TestProgressSum(t *testing.T) {
	p := &Progress{off: true}
	part := p.Sum("write")
	first, second := part(), part()
	first(3, 10)
	require.Equal(t, []int64{3, 10}, []int64{p.done, p.total})
	second(4, 20)
	first(5, 10)
	require.Equal(t, "write", p.phase)
	require.Equal(t, []int64{9, 30}, []int64{p.done, p.total})
	var none *Progress
	none.Sum("write")()(1, 2)
}
