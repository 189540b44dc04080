package suffixcl_test

import (
	"context"
	"index/suffixarray"
	"os"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/suffixcl/suffixcl"
	"github.com/suffixcl/suffixcl/internal/lab/corpora"
)

// benchTexts are the corpora, or the text that the repository ships.
func benchTexts(b *testing.B) map[string][]byte {
	texts := make(map[string][]byte)
	if os.Getenv("SUFFIXCL_CORPORA") == "" {
		text, err := os.ReadFile("testdata/opticks.txt")
		require.NoError(b, err)
		texts["opticks.txt"] = text
		return texts
	}
	for _, c := range corpora.All(b) {
		text, err := c.Read()
		require.NoError(b, err)
		texts[c.Name] = text
	}
	return texts
}

// BenchmarkSuffixArray is the device that SUFFIXCL_DEVICE selects, compared with Go's own
// suffix sorter, on each text of SUFFIXCL_CORPORA: end to end, and what of it is
// device-resident. SUFFIXCL_ALGORITHM chooses the sorter.
func BenchmarkSuffixArray(b *testing.B) {
	e, err := suffixcl.Open(suffixcl.Options{Algorithm: suffixcl.Algorithm(os.Getenv("SUFFIXCL_ALGORITHM"))})
	require.NoError(b, err)
	defer e.Close()
	for name, text := range benchTexts(b) {
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
