package thresholds_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/suffixcl/suffixcl/conformance"
	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/internal/limits"
	"github.com/suffixcl/suffixcl/internal/testkit/devicetest"
	"github.com/suffixcl/suffixcl/internal/testkit/jobsuites"
	"github.com/suffixcl/suffixcl/internal/thresholds"
	"github.com/suffixcl/suffixcl/internal/tuned"
)

// Parts of every text are of one row, a few, about a tile, or all.
func TestThresholds(t *testing.T) {
	devicetest.Composed(t, func(t *testing.T, e devicetest.Env) {
		e.Suite.Tile = tuned.Of(e.Session).Intervals.WG * tuned.Of(e.Session).Intervals.Items
		build := service(t, e)
		conformance.Run(t, jobsuites.Thresholds(build, e.Suite))
		for name, text := range map[string]string{
			"one letter": "A", "two": "AC", "equal letters": "AAAAAAAAAAAAAAAAAAAAAAAAAAAAA", "periodic": "ACACACACACACACACA",
			"equal records": "GATTACATGTAATCGATTACATGTAATCGATTACATGTAATC", "separated": "GATTACA%TGTAATC%GATTACA%TGTAATC%",
			"separators": "%%%%%%%%", "rare letter": "ACGTACGTTGCATGCAACGTACGTTGCATGCA%ACGTACGTTGCATGCAACGTACGTTGCATG",
		} {
			for range partsOf(e) {
				got, err := build(t.Context(), []byte(text))
				require.NoError(t, err, name)
				require.Equal(t, jobsuites.ReferenceThresholds([]byte(text)), got, name)
			}
		}
	})
}

// partsOf are numbers of rows, which are tried in turn; 0 for all.
func partsOf(e devicetest.Env) []int {
	tile := e.Suite.Tile
	return []int{0, max(tile-1, 1), 0, tile, 0, tile + 1, 0, 3*tile + 2, 7, 2, 1}
}

// service computes with the arrays of the oracle, and parts of another length for each text.
func service(t *testing.T, e devicetest.Env) func(context.Context, []byte) ([]jobsuites.ThresholdRun, error) {
	turn, s := 0, e.Session
	return func(ctx context.Context, text []byte) (runs []jobsuites.ThresholdRun, err error) {
		n := len(text)
		part := partsOf(e)[turn%len(partsOf(e))]
		turn++
		if part == 0 || n/part > 200 { // which would take long
			part = n + 1
		}
		p, err := thresholds.New(s, n, part)
		if err != nil {
			return nil, err
		}
		sa := conformance.ReferenceSuffixArray(text)
		in, array := devicetest.From(t, s, text), devicetest.From(t, s, sa)
		defer in.Release()
		defer array.Release()
		lengths := devicetest.From(t, s, conformance.ReferenceLCP(text, sa))
		defer lengths.Release()
		heads, starts := devicetest.Guard[uint32](t, s, p.Part()), devicetest.Guard[uint32](t, s, p.Part())
		defer heads.Release()
		defer starts.Release()
		found := devicetest.Guard[uint32](t, s, p.Part())
		defer found.Release()
		ws, guards := devicetest.Workspace(t, s, p.Workspace())
		defer ws.Release()
		x := p.Index(ws, in.Buffer, array.Buffer, lengths.Buffer)
		for row := 0; row < x.Rows(); row += p.Part() {
			m, err := x.List(ctx, ws, min(p.Part(), x.Rows()-row),
				thresholds.Output{Heads: heads.Buffer, Starts: starts.Buffer, Thresholds: found.Buffer})
			if err != nil {
				return nil, err
			}
			var columns [3][]uint32
			for i, column := range []*devicetest.Guarded[uint32]{heads, starts, found} {
				if columns[i], err = column.Slice(); err != nil {
					return nil, err
				}
			}
			for k := range m {
				runs = append(runs, jobsuites.ThresholdRun{Letter: byte(columns[0][k]), Start: columns[1][k],
					Threshold: columns[2][k]})
			}
		}
		return runs, guards.Intact()
	}
}

func TestMisuse(t *testing.T) {
	devicetest.Native(t, func(t *testing.T, e devicetest.Env) {
		_, err := thresholds.New(e.Session, limits.MaxLen+1, 1)
		require.True(t, device.IsTooLarge(err), err)
		_, err = thresholds.New(e.Session, 10, 0)
		require.ErrorContains(t, err, "parts of 0 rows")
		p, err := thresholds.New(e.Session, 10, 4)
		require.NoError(t, err)
		ws, _ := devicetest.Workspace(t, e.Session, p.Workspace())
		text, array := devicetest.From(t, e.Session, []byte("ACGTACGTACG")), devicetest.Guard[uint32](t, e.Session, 11)
		p.Index(ws, text.Buffer, array.Buffer, array.Buffer)
		require.ErrorContains(t, e.Err(), "planned for 10")
		e.Recover()

		short := array.Buffer.View(0, 3)
		short.Fill(0)
		x := p.Index(ws, text.Buffer.View(0, 3), short, short)
		for count, room := range map[int]int{5: 5, -1: 1, 3: 2} {
			column := array.Buffer.View(0, room)
			_, err = x.List(t.Context(), ws, count, thresholds.Output{Heads: column, Starts: column, Thresholds: column})
			require.ErrorContains(t, err, "of 4, parts of 4")
		}
		runs, err := x.List(t.Context(), ws, 0, thresholds.Output{Heads: short, Starts: short, Thresholds: short})
		require.NoError(t, err)
		require.Zero(t, runs)
	})
}
