package scan_test

import (
	"errors"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/suffixcl/suffixcl/internal/testkit/devicetest"
	"github.com/suffixcl/suffixcl/internal/tuned"
	"github.com/suffixcl/suffixcl/scan"
)

// Scans one after the other, of few tiles and of many, read nothing of those before them: what tiles publish stays in
// the session. After a failure, which leaves launches out, it is cleared.
func TestScansInARow(t *testing.T) {
	devicetest.Each(t, func(t *testing.T, e devicetest.Env) {
		shape := tuned.Of(e.Session).Scan
		most := min(1<<17, 32*shape.WG*shape.Items) // what matters is the number of tiles
		p := scan.NewPlan[uint32](e.Session, most, scan.Options{Op: scan.Sum, Inclusive: true})
		in, out := make([]uint32, most), make([]uint32, most)
		for i := range in {
			in[i] = uint32(i)*2654435761 | 1
		}
		from := devicetest.From(t, e.Session, in)
		to := devicetest.Guard[uint32](t, e.Session, most)
		ws, _ := devicetest.Workspace(t, e.Session, p.Workspace())
		for round, n := range []int{most, most / 26, most - 1, 1, most/2 + 1, most, 3, most / 6} {
			for range 5 {
				p.Run(ws, from.Buffer, to.Buffer, n)
			}
			require.NoError(t, to.Buffer.Read(out[:n]))
			sum := uint32(0)
			for i := range n {
				if sum += in[i]; out[i] != sum {
					t.Fatalf("round %d: sum %d of %d is %d, not %d", round, i, n, out[i], sum)
				}
			}
			if round%3 == 1 {
				e.Session.Fail(errors.New("a failure"))
				p.Run(ws, from.Buffer, to.Buffer, n)
				require.Error(t, e.Err())
				e.Recover()
			}
		}
	})
}
