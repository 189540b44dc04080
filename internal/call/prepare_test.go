package call_test

import (
	"bytes"
	"context"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/suffixcl/suffixcl"
	"github.com/suffixcl/suffixcl/cl"
	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/internal/driver"
	"github.com/suffixcl/suffixcl/internal/hooks"
	"github.com/suffixcl/suffixcl/internal/testkit/enginetest"
	"github.com/suffixcl/suffixcl/internal/testkit/needed"
	"github.com/suffixcl/suffixcl/internal/testkit/opticks"
	"github.com/suffixcl/suffixcl/internal/tune"
	"github.com/suffixcl/suffixcl/internal/tuned"
)

// programLog notes what a session builds, and is to build ahead.
type programLog struct{ ahead, built []string }

func (l *programLog) open(t *testing.T, gpu bool) (*suffixcl.Engine, *device.Session) {
	list, err := device.List()
	if err != nil {
		t.Skip(err)
	}
	i := slices.IndexFunc(list, func(d *cl.Device) bool { c := tuned.Identify(d); return c.Vendor == driver.PoCL })
	if i < 0 {
		needed.Missing(t, "", "PoCL", "pocl-opencl-icd")
	}
	edits := tuned.Edits{TuningFile: "off", Hooks: hooks.Session{
		Ahead: func(program string, _ []string) { l.ahead = append(l.ahead, program) },
		Built: func(program string, _ []string) { l.built = append(l.built, program) },
	}}
	if gpu {
		edits.Caps = func(c *device.Caps) { c.CPUShape = false }
		edits.Set = func(_ *device.Caps, set *tune.Set) { *set = tune.For(tune.Key{Kind: "gpu"}) }
	}
	s, err := tuned.Open(device.Config{Device: list[i]}, edits)
	require.NoError(t, err)
	e, err := suffixcl.New(s, suffixcl.EngineOptions{})
	require.NoError(t, err)
	t.Cleanup(func() { e.Close() })
	return e, s
}

// What a call builds is what is built ahead, no more, and nothing twice.
func TestProgramsOfACall(t *testing.T) {
	text := bytes.Repeat(opticks.Text, 1+100_000/len(opticks.Text))[:100_000]
	var sa []uint32
	for _, c := range []struct {
		name     string
		programs int
		call     func(ctx context.Context, e *suffixcl.Engine) error
	}{
		{"sa", 3, func(ctx context.Context, e *suffixcl.Engine) (err error) {
			sa, err = e.SuffixArray(ctx, text)
			return err
		}},
		{"small sa", 1, func(ctx context.Context, e *suffixcl.Engine) error {
			_, err := e.SuffixArray(ctx, text[:1000])
			return err
		}},
		{"bwt", 4, func(ctx context.Context, e *suffixcl.Engine) error {
			_, _, err := e.BWT(ctx, text)
			return err
		}},
		{"lcp", 5, func(ctx context.Context, e *suffixcl.Engine) error {
			_, err := e.LCP(ctx, text)
			return err
		}},
		{"verify", 1, func(ctx context.Context, e *suffixcl.Engine) error { return e.Verify(ctx, text, sa) }},
		{"duplicates", 7, func(ctx context.Context, e *suffixcl.Engine) error {
			_, err := e.Duplicates(suffixcl.Bytes(text), nil, suffixcl.DuplicateOptions{Length: 100}).All(ctx)
			return err
		}},
		{"plan", 0, func(ctx context.Context, e *suffixcl.Engine) error {
			_, err := e.Repeats(suffixcl.Bytes(text), suffixcl.RepeatOptions{}).Plan(ctx)
			return err
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			var log programLog
			e, _ := log.open(t, false)
			require.NoError(t, c.call(t.Context(), e))
			assert.Len(t, log.built, c.programs)
			assert.ElementsMatch(t, log.ahead, log.built)
		})
	}
}

// No size of text, and no length of passages, has programs of its own.
func TestProgramsOfDuplicates(t *testing.T) {
	var log programLog
	e, _ := log.open(t, false)
	for n := range 70 {
		o := suffixcl.DuplicateOptions{Length: 2 + n%9}
		_, err := e.Duplicates(suffixcl.Bytes(opticks.Text[:n]), nil, o).All(t.Context())
		require.NoError(t, err)
	}
	assert.Len(t, log.built, 7)
}

// On a GPU a sort of 4 MB of prose certainly needs 19 programs or fewer, of all that its plan names: two for doubling,
// by rounds and by all rounds in one launch.
func TestProgramsOnAGPU(t *testing.T) {
	var log programLog
	e, s := log.open(t, true)
	_, err := enginetest.PlanOf(t.Context(), e, enginetest.OpSuffixArray, 1<<22)
	require.NoError(t, err)
	built := len(log.built)
	tuned.BuildAhead(s)
	assert.LessOrEqual(t, len(log.ahead), 19)
	assert.Greater(t, len(tuned.Sources(s)), 2*len(log.ahead))
	assert.Len(t, log.built, built, "planning builds nothing")
}

// After Prepare a call builds nothing.
func TestPrepare(t *testing.T) {
	var log programLog
	e, _ := log.open(t, false)
	require.NoError(t, e.Arrays(suffixcl.Length(1, 1000), suffixcl.Want{Known: []uint32{}}).Prepare(t.Context()))
	built := len(log.built)
	assert.Equal(t, 1, built)
	require.NoError(t, e.Verify(t.Context(), []byte("ba"), []uint32{1, 0}))
	assert.Len(t, log.built, built)
	assert.Error(t, e.Arrays(suffixcl.Length(1, -1), suffixcl.Want{SA: true}).Prepare(t.Context()))
}
