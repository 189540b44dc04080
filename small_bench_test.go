package suffixcl_test

import (
	"bytes"
	"context"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/suffixcl/suffixcl"
)

// BenchmarkSmall is a call for a short text on an open engine: the text is sorted in little
// time, and the rest is what a call costs.
func BenchmarkSmall(b *testing.B) {
	e, err := suffixcl.Open(suffixcl.Options{})
	require.NoError(b, err)
	defer e.Close()
	for _, n := range []int{16, 1 << 10, 1 << 14, 1 << 18} {
		text := bytes.Repeat([]byte("how many short texts a second? "), n/31+1)[:n]
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			for b.Loop() {
				_, err := e.SuffixArray(context.Background(), text)
				require.NoError(b, err)
			}
		})
	}
}
