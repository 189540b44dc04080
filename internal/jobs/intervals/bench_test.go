package intervals_test

import (
	"fmt"
	"os"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/suffixcl/suffixcl/conformance"
	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/internal/intervals"
	"github.com/suffixcl/suffixcl/internal/lcp"
	"github.com/suffixcl/suffixcl/internal/suffixsort"
	"github.com/suffixcl/suffixcl/internal/testkit/corpora"
	"github.com/suffixcl/suffixcl/internal/testkit/enginetest"
	"github.com/suffixcl/suffixcl/internal/testkit/opticks"
	"github.com/suffixcl/suffixcl/internal/tune"
	"github.com/suffixcl/suffixcl/internal/tuned"
)

// BenchmarkIntervals measures the intervals of LCP arrays, arrays and result in device memory, on each text of
// SUFFIXCL_CORPORA, or with SUFFIXCL_BENCH_LOG2 on texts of that length: the best run. "list" is all intervals,
// "maximal" those that are left-maximal, "documents" those of at least two of 1,000 documents, "best" the million of
// the greatest area. Preparation, which each asks for anew, is part of it. Intervals are counted by a stack on the
// host. SUFFIXCL_BENCH_PROFILE=1 adds the time of each kernel, and SUFFIXCL_TUNE_INTERVALS is a launch shape to try,
// "256 4 4", in the order of the fields in package tune.
func BenchmarkIntervals(b *testing.B) {
	profile := os.Getenv("SUFFIXCL_BENCH_PROFILE") == "1"
	s, err := tuned.Open(device.Config{Profile: profile}, tuned.Edits{Set: func(_ *device.Caps, t *tune.Set) {
		fmt.Sscan(os.Getenv("SUFFIXCL_TUNE_INTERVALS"), &t.Intervals.WG, &t.Intervals.Items, &t.Intervals.FanoutLog)
	}})
	require.NoError(b, err)
	defer s.Close()
	if log, err := strconv.Atoi(os.Getenv("SUFFIXCL_BENCH_LOG2")); err == nil {
		for _, class := range []string{"random/sigma=4", "equal/a", "fibonacci", "versions"} {
			b.Run(class, func(b *testing.B) {
				text, err := conformance.NewText(class, 1<<log, 1)
				require.NoError(b, err)
				benchmarkIntervals(b, s, text)
			})
		}
		return
	}
	if os.Getenv("SUFFIXCL_CORPORA") == "" {
		benchmarkIntervals(b, s, opticks.Text)
		return
	}
	for _, c := range corpora.All(b) {
		b.Run(c.Name, func(b *testing.B) {
			text, err := c.Read()
			require.NoError(b, err)
			benchmarkIntervals(b, s, text)
		})
	}
}

func benchmarkIntervals(b *testing.B, s *device.Session, data []byte) {
	ctx, n := b.Context(), len(data)
	words := func() *device.Buffer[uint32] { return enginetest.Allocate[uint32](b, s, n) }
	text, lengths := enginetest.Allocate[uint8](b, s, n), words()
	a := intervals.Arrays{SA: words(), LCP: lengths, Documents: words(), Before: words()}
	require.NoError(b, text.Upload(ctx, data, nil))
	sorter, err := suffixsort.New(s, n)
	require.NoError(b, err)
	require.NoError(b, sorter.Allocate())
	err = sorter.Run(ctx, text, a.SA, nil)
	sorter.Release()
	require.NoError(b, err)
	compared, err := lcp.New(s, n)
	require.NoError(b, err)
	ws, err := device.NewWorkspace(s, compared.Workspace())
	require.NoError(b, err)
	compared.Run(ws, text, a.SA, a.Before, lengths)
	require.NoError(b, s.Finish())
	ws.Release()
	host := make([]uint32, n)
	require.NoError(b, lengths.Download(ctx, host, nil))

	const documents = 1000
	starts := make([]uint32, documents)
	for k := range starts {
		starts[k] = uint32(k * n / documents)
	}
	first := enginetest.Allocate[uint32](b, s, documents)
	require.NoError(b, first.Upload(ctx, starts, nil))
	for _, c := range []struct {
		name string
		o    intervals.Options
		best int
	}{
		{name: "list"},
		{name: "maximal", o: intervals.Options{Filter: intervals.Filter{LeftMaximal: true}}},
		{name: "documents", o: intervals.Options{Documents: documents, Filter: intervals.Filter{MinDocuments: 2}}},
		{name: "best", o: intervals.Options{Filter: intervals.Filter{MinDepth: 2}}, best: 1 << 20},
	} {
		b.Run(c.name, func(b *testing.B) {
			part := min(n, 1<<22)
			if s.Caps().CPUShape {
				part = min(n, 1<<18)
			}
			p, err := intervals.New(s, n, part, c.o)
			require.NoError(b, err)
			pieces := p.Workspace()
			var top *intervals.Best
			if c.best > 0 {
				top, err = intervals.NewBest(p, c.best, intervals.ByArea)
				require.NoError(b, err)
				pieces = top.Workspace()
			}
			ws, err := device.NewWorkspace(s, pieces)
			require.NoError(b, err)
			defer ws.Release()
			word := func() *device.Buffer[uint32] { return enginetest.Allocate[uint32](b, s, part) }
			out := intervals.Output{Left: word(), Right: word(), Depth: word(), Position: word(), Documents: word()}
			kept := enginetest.Allocate[uint64](b, s, 1)
			var x *intervals.Index
			enginetest.Best(b, s, n, func() error {
				ws.Reset(0)
				if c.o.LeftMaximal {
					intervals.NewBefore[uint8](s).Run(text, a.SA, a.Before)
				}
				if c.o.Documents > 0 {
					intervals.NewDocuments(s).Run(a.SA, first, a.Documents)
				}
				x = p.Index(ws, a)
				if top != nil {
					top.Begin(ws)
				}
				for from := 0; from < n; from += part {
					if top != nil {
						if err := top.Add(ctx, ws, x, from, min(part, n-from)); err != nil {
							return err
						}
						continue
					}
					x.List(ws, from, min(part, n-from), 0, out, kept)
				}
				return nil
			})
			b.ReportMetric(float64(pieces.Bytes())/float64(n), "B/suffix")
			if c.name == "list" {
				total := 0
				for from := 0; from < n; from += part {
					count := make([]uint64, 1)
					x.List(ws, from, min(part, n-from), 0, out, kept)
					require.NoError(b, kept.Read(count))
					total += int(count[0])
				}
				require.Equal(b, countIntervals(host), total)
				b.ReportMetric(float64(total)/float64(n), "intervals/suffix")
			}
		})
	}
}

// countIntervals counts the intervals of an LCP array.
func countIntervals(lcp []uint32) (n int) {
	var stack []uint32
	for _, depth := range lcp[1:] {
		for len(stack) > 0 && stack[len(stack)-1] > depth {
			stack = stack[:len(stack)-1]
		}
		if len(stack) == 0 || stack[len(stack)-1] < depth {
			stack = append(stack, depth)
			n++
		}
	}
	return n
}
