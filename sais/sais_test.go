package sais_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/suffixcl/suffixcl/conformance"
	"github.com/suffixcl/suffixcl/internal/devicetest"
	"github.com/suffixcl/suffixcl/sais"
)

var create = devicetest.SorterOf(sais.New)

func TestSAIS(t *testing.T) {
	devicetest.Composed(t, func(t *testing.T, e devicetest.Env) {
		if !e.Caps().CPUShape { // one work-item of a GPU: slow
			e.Suite.Large = min(e.Suite.Large, 1<<14)
		}
		conformance.SuffixArray(t, devicetest.SorterService(t, e.Session, create), e.Suite)
	})
}

func TestMemory(t *testing.T) {
	devicetest.Native(t, func(t *testing.T, e devicetest.Env) { devicetest.SorterMemory(t, e, create) })
}

func TestTooLong(t *testing.T) {
	devicetest.Native(t, func(t *testing.T, e devicetest.Env) { devicetest.SorterTooLong(t, e, create, sais.MaxLen) })
}

// Progress goes up to the end; a run that is cancelled stops, and the next one works.
func TestProgress(t *testing.T) {
	devicetest.Native(t, func(t *testing.T, e devicetest.Env) {
		text, err := conformance.NewText("random/sigma=4", 3000, 1)
		require.NoError(t, err)
		seen := devicetest.SorterProgress(t, e, create, text.Data,
			func(call int, _ int64) bool { return call == 1 },
			func(_ int, done int64) bool { return done == 3000 })
		require.Len(t, seen, 4)
	})
}
