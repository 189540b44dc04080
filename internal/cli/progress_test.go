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

// screen is a terminal of one line. Reading it and writing do not overlap in a synctest bubble that waits.
type screen struct {
	bytes.Buffer
	width int
}

func newScreen(width int) (*Progress, *screen) {
	s := &screen{width: width}
	return &Progress{w: s, width: func() int { return s.width }}, s
}

// line is what can be seen, without the spinner.
func (s *screen) line() string {
	synctest.Wait()
	var line []byte
	for _, part := range strings.Split(s.String(), "\r") {
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
		before := s.Len()
		time.Sleep(time.Second)
		require.Equal(t, "sort         [============                  ]  40%  2s", s.line())
		require.Greater(t, s.Len(), before+3*20, "the spinner turns")
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
		s.width = 10
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
