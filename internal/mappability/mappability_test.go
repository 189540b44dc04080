package mappability_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/suffixcl/suffixcl"
	"github.com/suffixcl/suffixcl/conformance"
	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/internal/limits"
	"github.com/suffixcl/suffixcl/internal/mappability"
	"github.com/suffixcl/suffixcl/internal/testkit/builders"
	"github.com/suffixcl/suffixcl/internal/testkit/devicetest"
	"github.com/suffixcl/suffixcl/internal/testkit/harness"
	"github.com/suffixcl/suffixcl/internal/testkit/jobsuites"
	"github.com/suffixcl/suffixcl/internal/tuned"
)

// Texts are sorted by the engine, whose sorters are tested elsewhere: a few texts of each kind do.
func TestMappability(t *testing.T) {
	devicetest.Each(t, func(t *testing.T, e devicetest.Env) {
		engine, err := suffixcl.New(e.Session, suffixcl.EngineOptions{})
		require.NoError(t, err)
		suite := e.Suite
		suite.Tile = tuned.Of(e.Session).Matches.WG * tuned.Of(e.Session).Matches.Items
		suite.MaxExhaustive2, suite.MaxExhaustive3, suite.PerSize, suite.Random = 3, 2, 1, min(suite.Random, 20)
		if harness.Simulated(e.Caps()) { // which interprets the sorter, too
			suite.MaxExhaustive2, suite.MaxExhaustive3, suite.Random, suite.Large = 2, 1, 2, 80
		}
		conformance.Run(t, jobsuites.Mappability(builders.MappabilityOf(engine), suite))
	})
}

func TestMisuse(t *testing.T) {
	devicetest.Native(t, func(t *testing.T, e devicetest.Env) {
		_, err := mappability.New(e.Session, limits.MaxLen+1)
		require.True(t, device.IsTooLarge(err), err)
		p, err := mappability.New(e.Session, 10)
		require.NoError(t, err)
		ws, _ := devicetest.Workspace(t, e.Session, p.Workspace())
		array := devicetest.From(t, e.Session, make([]uint32, 10))
		x := p.Index(ws, array.Buffer, array.Buffer)
		require.NoError(t, e.Err())
		counts := devicetest.Guard[uint32](t, e.Session, 11)
		for _, wrong := range []func(){
			func() { x.Counts(0, counts.Buffer.View(0, 10)) },
			func() { x.Counts(3, counts.Buffer) },
			func() { x.Unique(counts.Buffer) },
		} {
			wrong()
			require.ErrorContains(t, e.Err(), "positions of 10")
			e.Recover()
		}
	})
}
