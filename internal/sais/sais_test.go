package sais_test

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/suffixcl/suffixcl/conformance"
	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/internal/sais"
	"github.com/suffixcl/suffixcl/internal/testkit/devicetest"
	"github.com/suffixcl/suffixcl/internal/tuned"
)

var create = devicetest.SorterOf(sais.New)

func TestSAIS(t *testing.T) {
	devicetest.Composed(t, func(t *testing.T, e devicetest.Env) {
		if !e.Caps().CPUShape { // one work-item of a GPU: slow
			e.Suite.Large = min(e.Suite.Large, 1<<14)
		}
		e.Suite.Large = min(e.Suite.Large, sais.Longest(e.Caps())/2) // of which the service has room for twice as much
		conformance.Run(t, conformance.SuffixArray(devicetest.SorterService(t, e.Session, create), e.Suite))
	})
}

func TestMemory(t *testing.T) {
	devicetest.Native(t, func(t *testing.T, e devicetest.Env) {
		devicetest.SorterMemory(t, e, func(s *device.Session, n int) (devicetest.Sorter, error) {
			return sais.New(s, min(n, sais.Longest(s.Caps())))
		})
	})
}

func TestTooLong(t *testing.T) {
	devicetest.Native(t, func(t *testing.T, e devicetest.Env) { devicetest.SorterTooLong(t, e, create, math.MaxInt32) })
}

// Where work-items cannot loop for long a text that is too long is refused.
func TestLongest(t *testing.T) {
	for _, d := range devicetest.Devices(t) {
		s, err := tuned.Open(device.Config{Device: d}, tuned.Edits{
			Caps: func(c *device.Caps) { tuned.Quirks(c).LongLoops = false },
		})
		require.NoError(t, err)
		defer s.Close()
		longest := sais.Longest(s.Caps())
		_, err = sais.New(s, longest+1)
		require.ErrorContains(t, err, "cannot loop")
		sorter, err := sais.New(s, longest)
		require.NoError(t, err)
		sorter.Release()
	}
}

// Progress goes up to the end; a run that is cancelled stops, and the next one works.
func TestProgress(t *testing.T) {
	devicetest.Native(t, func(t *testing.T, e devicetest.Env) {
		text, err := conformance.NewText("random/sigma=4", 1000, 1)
		require.NoError(t, err)
		seen := devicetest.SorterProgress(t, e, create, text,
			func(call int, _ int64) bool { return call == 1 },
			func(_ int, done int64) bool { return done == 1000 })
		require.Len(t, seen, 4)
	})
}
