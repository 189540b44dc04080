package arrays_test

import (
	"context"
	"fmt"
	"os"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/suffixcl/suffixcl/conformance"
	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/internal/bwt"
	"github.com/suffixcl/suffixcl/internal/lcp"
	"github.com/suffixcl/suffixcl/internal/testkit/corpora"
	"github.com/suffixcl/suffixcl/internal/testkit/enginetest"
	"github.com/suffixcl/suffixcl/internal/testkit/opticks"
	"github.com/suffixcl/suffixcl/internal/tune"
	"github.com/suffixcl/suffixcl/internal/tuned"
	"github.com/suffixcl/suffixcl/prefixdoubling"
)

// BenchmarkDerived measures what follows from a suffix array, text, array and result in
// device memory, on each text of SUFFIXCL_CORPORA, or with SUFFIXCL_BENCH_LOG2 on texts
// of that length: the time of the best run, and every result checked.
// SUFFIXCL_BENCH_PROFILE=1 adds the time of each kernel. SUFFIXCL_TUNE_LCP and
// SUFFIXCL_TUNE_INVERSE are launch shapes to try, "256 8 64 32", in the order of the fields
// in package tune.
func BenchmarkDerived(b *testing.B) {
	profile := os.Getenv("SUFFIXCL_BENCH_PROFILE") == "1"
	s, err := tuned.Open(device.Config{Profile: profile}, tuned.Edits{Set: func(_ *device.Caps, t *tune.Set) {
		fmt.Sscan(os.Getenv("SUFFIXCL_TUNE_LCP"), &t.LCP.WG, &t.LCP.Items, &t.LCP.Limit, &t.LCP.Piece)
		fmt.Sscan(os.Getenv("SUFFIXCL_TUNE_INVERSE"), &t.Inverse.WG, &t.Inverse.Walkers, &t.Inverse.Steps,
			&t.Inverse.Resident, &t.Inverse.Chains)
	}})
	require.NoError(b, err)
	defer s.Close()
	if log, err := strconv.Atoi(os.Getenv("SUFFIXCL_BENCH_LOG2")); err == nil {
		for _, class := range []string{
			"random/sigma=4", "random/sigma=256", "equal/a", "periodic/p=2", "fibonacci", "thue-morse", "versions",
		} {
			b.Run(class, func(b *testing.B) {
				text, err := conformance.NewText(class, 1<<log, 1)
				require.NoError(b, err)
				benchmarkDerived(b, s, text, "")
			})
		}
		return
	}
	if os.Getenv("SUFFIXCL_CORPORA") == "" {
		benchmarkDerived(b, s, opticks.Text, "")
		return
	}
	for _, c := range corpora.All(b) {
		b.Run(c.Name, func(b *testing.B) {
			text, err := c.Read()
			require.NoError(b, err)
			want, err := c.Want(text)
			require.NoError(b, err)
			benchmarkDerived(b, s, text, want.LCP)
		})
	}
}

func benchmarkDerived(b *testing.B, s *device.Session, data []byte, wantLCP string) {
	ctx, n := context.Background(), len(data)
	text, sa := enginetest.Allocate[uint8](b, s, n), enginetest.Allocate[uint32](b, s, n)
	require.NoError(b, text.Upload(ctx, data, nil))
	sorter, err := prefixdoubling.NewOsipov(s, n)
	require.NoError(b, err)
	require.NoError(b, sorter.Allocate())
	err = sorter.Run(ctx, text, sa, nil)
	sorter.Release()
	require.NoError(b, err)

	b.Run("lcp", func(b *testing.B) {
		p, err := lcp.New(s, n)
		require.NoError(b, err)
		ws, err := device.NewWorkspace(s, p.Workspace())
		require.NoError(b, err)
		defer ws.Release()
		plcp, array := enginetest.Allocate[uint32](b, s, n), enginetest.Allocate[uint32](b, s, n)
		enginetest.Best(b, s, n, func() error { p.Run(ws, text, sa, plcp, array); return nil })
		got := make([]uint32, n)
		require.NoError(b, array.Download(ctx, got, nil))
		if wantLCP == "" && n <= 1<<26 {
			suffixes := make([]uint32, n)
			require.NoError(b, sa.Download(ctx, suffixes, nil))
			wantLCP = corpora.DigestArray(conformance.ReferenceLCP(data, suffixes))
		}
		if wantLCP != "" {
			require.Equal(b, wantLCP, corpora.DigestArray(got))
		}
	})

	transform := enginetest.Allocate[uint8](b, s, n)
	primary := 0
	b.Run("bwt", func(b *testing.B) {
		f := bwt.NewForward(s)
		defer f.Release()
		require.NoError(b, f.Allocate())
		enginetest.Best(b, s, n, func() (err error) {
			primary, err = f.Run(ctx, text, sa, transform)
			return err
		})
	})
	b.Run("unbwt", func(b *testing.B) {
		v, err := bwt.NewInverse(s, n)
		require.NoError(b, err)
		defer v.Release()
		require.NoError(b, v.Allocate())
		back := enginetest.Allocate[uint8](b, s, n)
		enginetest.Best(b, s, n, func() error { return v.Run(ctx, transform, primary, back) })
		got := make([]byte, n)
		require.NoError(b, back.Download(ctx, got, nil))
		require.Equal(b, corpora.DigestBytes(data), corpora.DigestBytes(got))
		b.ReportMetric(float64(v.Memory().Device())/float64(n), "B/char")
	})
}
