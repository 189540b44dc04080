// Package enginetest has what the tests of an engine share: engines on every device, jobs in one call, and all
// operations with their answers.
package enginetest

import (
	"reflect"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/suffixcl/suffixcl"
	"github.com/suffixcl/suffixcl/conformance"
	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/internal/call"
	"github.com/suffixcl/suffixcl/internal/intervals"
	"github.com/suffixcl/suffixcl/internal/jobs/repeats"
	"github.com/suffixcl/suffixcl/internal/testkit/devicetest"
	"github.com/suffixcl/suffixcl/internal/thresholds"
)

// Each opens an engine on every device.
func Each(t *testing.T, o suffixcl.Options, f func(t *testing.T, e *suffixcl.Engine, suite conformance.Config)) {
	for _, d := range devicetest.Devices(t) {
		t.Run(d.Platform().Name()+"/"+d.Name(), func(t *testing.T) {
			s, err := device.Open(device.Config{Device: d, MaxMemory: o.MaxMemory, Profile: o.Profile})
			require.NoError(t, err)
			e, err := suffixcl.New(s, suffixcl.EngineOptions{
				Algorithm:  o.Algorithm,
				Progress:   o.Progress,
				KeepMemory: o.KeepMemory,
			})
			require.NoError(t, err)
			t.Cleanup(func() {
				require.NoError(t, e.Close())
				require.Zero(t, s.LiveBytes())
			})
			suite := conformance.Tiny()
			suite.Tile = 1
			f(t, e, suite)
		})
	}
}

// Within fails the test if f does not return soon: it waits for ever then.
func Within(t *testing.T, f func()) {
	t.Helper()
	done := make(chan struct{})
	go func() {
		defer close(done)
		f()
	}()
	select {
	case <-done:
	case <-time.After(time.Minute):
		t.Fatal("it waits for ever")
	}
}

// On opens an engine on the first device.
func On(t *testing.T, o suffixcl.EngineOptions) *suffixcl.Engine {
	s, err := device.Open(device.Config{Device: devicetest.Devices(t)[0]})
	require.NoError(t, err)
	e, err := suffixcl.New(s, o)
	require.NoError(t, err)
	t.Cleanup(func() { e.Close() })
	return e
}

// Opened is an engine with these options. Without a device the test is skipped, or fails if REQUIRE_OPENCL is 1.
func Opened(t *testing.T, o suffixcl.Options) *suffixcl.Engine {
	devicetest.Devices(t)
	e, err := suffixcl.Open(o)
	require.NoError(t, err)
	t.Cleanup(func() { e.Close() })
	return e
}

// Core is the engine of package call that an engine has, for what users do not see: its session, and the memory that it
// keeps between calls.
func Core(e *suffixcl.Engine) *call.Engine {
	return (*call.Engine)(reflect.ValueOf(e).Elem().FieldByName("core").UnsafePointer())
}

// Together lets goroutines call an engine at a time, while it is busy, so that one run answers most of those that can
// be answered together.
func Together(t *testing.T, e *suffixcl.Engine, n int, call func(g int)) {
	core := Core(e)
	require.NoError(t, core.Acquire(t.Context()))
	var all sync.WaitGroup
	for g := range n {
		all.Go(func() { call(g) })
	}
	time.Sleep(20 * time.Millisecond)
	core.Release()
	Within(t, all.Wait)
}

// Set sets a variable until the test ends.
func Set[T any](t *testing.T, variable *T, value T) {
	before := *variable
	*variable = value
	t.Cleanup(func() { *variable = before })
}

// SmallBlocks lets results come in blocks of that many positions.
func SmallBlocks(t *testing.T, n int) {
	Set(t, &repeats.RowsAtOnce, n)
	Set(t, &call.BlockLength, n)
	Set(t, &intervals.AtOnce, [2]int{n + 1, n + 1})
	Set(t, &thresholds.AtOnce, [2]int{n - 1, n + 1})
}
