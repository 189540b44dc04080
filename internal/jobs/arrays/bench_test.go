package arrays_test

import (
	"context"
	"index/suffixarray"
	"os"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/suffixcl/suffixcl"
	"github.com/suffixcl/suffixcl/internal/testkit/corpora"
)

// BenchmarkSuffixArray is the device that SUFFIXCL_DEVICE selects, compared with Go's own
// suffix sorter, on each text of SUFFIXCL_CORPORA: end to end, and what of it is
// device-resident. SUFFIXCL_ALGORITHM chooses the sorter.
func BenchmarkSuffixArray(b *testing.B) {
	e, err := suffixcl.Open(suffixcl.Options{Algorithm: suffixcl.Algorithm(os.Getenv("SUFFIXCL_ALGORITHM"))})
	require.NoError(b, err)
	defer e.Close()
	for name, text := range corpora.OrOpticks(b) {
		b.Run(name+"/suffixcl", func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			var st suffixcl.Stats
			ctx := suffixcl.WithStats(context.Background(), &st)
			for b.Loop() {
				_, err := e.SuffixArray(ctx, text)
				require.NoError(b, err)
			}
			b.ReportMetric(float64(len(text))*float64(b.N)/st.Compute.Seconds()/1e6, "device-MB/s")
			b.ReportMetric(float64(st.PeakBytes)/float64(len(text)), "device-B/char")
		})
		b.Run(name+"/go", func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			for b.Loop() {
				suffixarray.New(text)
			}
		})
	}
}
