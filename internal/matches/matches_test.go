package matches_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/suffixcl/suffixcl"
	"github.com/suffixcl/suffixcl/conformance"
	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/internal/limits"
	"github.com/suffixcl/suffixcl/internal/matches"
	"github.com/suffixcl/suffixcl/internal/testkit/builders"
	"github.com/suffixcl/suffixcl/internal/testkit/devicetest"
	"github.com/suffixcl/suffixcl/internal/testkit/jobsuites"
	"github.com/suffixcl/suffixcl/internal/tuned"
)

// Texts are sorted by the engine, whose sorters are tested elsewhere: a few texts of each kind do.
func TestMatches(t *testing.T) {
	devicetest.Each(t, func(t *testing.T, e devicetest.Env) {
		engine, err := suffixcl.New(e.Session, suffixcl.EngineOptions{})
		require.NoError(t, err)
		suite := e.Suite
		suite.Tile = tuned.Of(e.Session).Matches.WG * tuned.Of(e.Session).Matches.Items
		suite.MaxExhaustive2, suite.MaxExhaustive3, suite.PerSize, suite.Random = 3, 2, 1, min(suite.Random, 20)
		conformance.Run(t, jobsuites.Matches(builders.MatchesOf(engine), suite))
	})
}

func TestMisuse(t *testing.T) {
	devicetest.Native(t, func(t *testing.T, e devicetest.Env) {
		o := matches.Options{Least: 1, Unique: true, Part: 4}
		_, err := matches.New(e.Session, limits.MaxLen+1, 1, o)
		require.True(t, device.IsTooLarge(err), err)
		for _, references := range []int{0, 11} {
			_, err = matches.New(e.Session, 10, references, o)
			require.ErrorContains(t, err, "reference of")
		}
		_, err = matches.New(e.Session, 10, 5, matches.Options{})
		require.ErrorContains(t, err, "matches of 0 and more")
		p, err := matches.New(e.Session, 10, 5, o)
		require.NoError(t, err)
		ws, _ := devicetest.Workspace(t, e.Session, p.Workspace())
		text, array := devicetest.Guard[uint8](t, e.Session, 9), devicetest.Guard[uint32](t, e.Session, 9)
		p.Find(ws, matches.Arrays{Text: text.Buffer, SA: array.Buffer, LCP: array.Buffer})
		require.ErrorContains(t, e.Err(), "planned for 10")
		e.Recover()
	})
}
