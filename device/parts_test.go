package device

import (
	"errors"
	"io/fs"
	"regexp"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/suffixcl/suffixcl/kernels"
)

// The first failure sticks, with the phase that it happened in.
func TestFailure(t *testing.T) {
	first, second := errors.New("first"), errors.New("second")
	f := failure{phase: "sort"}
	f.fail(nil)
	require.NoError(t, f.err)
	f.fail(first)
	f.phase = "rank"
	f.fail(second)
	require.ErrorIs(t, f.err, first)
	require.NotErrorIs(t, f.err, second)
	assert.EqualError(t, f.err, `phase "sort": first`)
	assert.Same(t, f.err, f.inPhase(f.err), "it has its phase already")
	assert.EqualError(t, f.inPhase(second), `phase "rank": second`)
}

// Kernels are found as a regular expression for whole texts finds them.
func TestKernelsOf(t *testing.T) {
	whole := regexp.MustCompile(`(?m)^KERNEL_WG\(\w+\) (\w+)\((?:[^(){}]|\([^(){}]*\))*\)\s*\{`)
	texts := []string{
		"", "KERNEL_WG", "x KERNEL_WG(WG) f(uint a) {}",
		"KERNEL_WG(WG) f(uint a);\nKERNEL_WG(1) g(FORM(a), uint b)\n{}",
		"KERNEL_WG(KERNEL_WG(2) f() {\nKERNEL_WG(2) f() {\nKERNEL_WG(W G) h() {",
		"\nKERNEL_WG(WG) KERNEL_WG(uint\nKERNEL_WG) {}",
	}
	names, err := fs.Glob(kernels.FS, "*.cl")
	require.NoError(t, err)
	require.NotEmpty(t, names)
	for _, name := range names {
		text, err := fs.ReadFile(kernels.FS, name)
		require.NoError(t, err)
		texts = append(texts, string(text))
	}
	found := 0
	for _, text := range texts {
		got := withRehearsal(text)
		require.Equal(t, whole.ReplaceAllString(text, "$0 "+rehearsal), got)
		var want []string
		for _, match := range whole.FindAllStringSubmatch(got, -1) {
			want = append(want, match[1])
		}
		require.Equal(t, want, rehearsed(got))
		found += len(want)
	}
	require.Greater(t, found, len(names))
}

// What does not fit is refused before a driver is asked.
func TestMemoryLimits(t *testing.T) {
	m := memory{queue: new(queue), caps: &Caps{Name: "D", MaxAlloc: 100}, live: 50, limit: 120, limitName: "limit"}
	assert.NoError(t, m.checkBuffer(100, "b"))
	assert.Equal(t, &MemoryError{What: "b", Need: 101, Have: 100, Limit: "largest buffer of D"}, m.checkBuffer(101, "b"))
	assert.NoError(t, m.checkTotal(70, "b"))
	assert.Equal(t, &MemoryError{What: "b", Need: 121, Have: 120, Limit: "limit"}, m.checkTotal(71, "b"))
	_, err := m.allocate(1, "b", nil)
	assert.ErrorIs(t, err, errClosed)
	m.free(nil)
	m.peak = 60
	m.resetPeak()
	assert.Equal(t, int64(50), m.peak)
}

// A closed queue keeps its error, and asks no driver.
func TestClosedQueue(t *testing.T) {
	var q queue
	q.fail(errClosed)
	q.flush()
	q.recover()
	assert.ErrorIs(t, q.finish(), errClosed)
	assert.Empty(t, q.times())
	assert.False(t, q.profile.record(nil, "phase", "kernel", 1))
}
