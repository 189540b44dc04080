package dedup_test

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/suffixcl/suffixcl"
	"github.com/suffixcl/suffixcl/internal/testkit/devicetest"
	"github.com/suffixcl/suffixcl/internal/testkit/enginetest"
	"github.com/suffixcl/suffixcl/internal/testkit/jobsuites"
)

func TestMain(m *testing.M) { devicetest.Main(m) }

// TestDuplicates has the parts of a job be its whole, and both be what the reference finds, of texts in one piece and
// in several.
func TestDuplicates(t *testing.T) {
	e := enginetest.On(t, suffixcl.EngineOptions{})
	rng := rand.New(rand.NewPCG(7, 7))
	for _, n := range []int{0, 1, 40, 3000} {
		text := make([]byte, n)
		for i := range text {
			text[i] = "ab"[rng.IntN(8)/7]
		}
		documents := []uint64{0, uint64(n / 3), uint64(n)}
		for _, o := range []suffixcl.DuplicateOptions{
			{Length: 6}, {Length: 6, KeepFirst: true}, {Length: 9, MinCount: 3, Frequent: 5},
			{Length: 12, Piece: 500, Capacity: 300},
		} {
			want, windows := jobsuites.ReferenceDuplicates(text, documents,
				jobsuites.DuplicateQuery{Length: o.Length, Width: 1, KeepFirst: o.KeepFirst, MinCount: max(o.MinCount, 2)})
			job := e.Duplicates(suffixcl.Bytes(text), documents, o)
			all, err := job.All(t.Context())
			require.NoError(t, err)
			var parts suffixcl.Duplicates
			for part, err := range job.Each(t.Context()) {
				require.NoError(t, err)
				ranges := append(parts.Ranges, part.Ranges...)
				parts = *part
				parts.Ranges = ranges
			}
			require.Equal(t, *all, parts)
			require.Equal(t, windows, all.Windows)
			require.Len(t, all.Ranges, len(want))
			for i, r := range all.Ranges {
				require.Equal(t, want[i], jobsuites.Range(r))
				require.Equal(t, r.End-r.Start, r.Len())
			}
			require.LessOrEqual(t, len(all.Frequent), o.Frequent)
			for i, p := range all.Frequent {
				require.GreaterOrEqual(t, p.Count, uint64(max(o.MinCount, 2)))
				require.True(t, i == 0 || p.Count <= all.Frequent[i-1].Count)
			}
		}
	}
}
