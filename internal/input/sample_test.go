package input_test

import (
	"bytes"
	"encoding/binary"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/suffixcl/suffixcl/internal/input"
)

// A sample has pieces from the first byte to the last.
func TestSample(t *testing.T) {
	text := make([]byte, 0, 1<<16)
	for i := range uint16(1 << 14) { // whose words are their numbers
		text = binary.BigEndian.AppendUint32(text, uint32(i))
	}
	sample, err := input.Sample(bytes.NewReader(text), len(text), 1<<12)
	require.NoError(t, err)
	require.Len(t, sample, 1<<12)
	require.Equal(t, text[:256], sample[:256])
	require.Equal(t, text[len(text)-256:], sample[len(sample)-256:])
	last := -1
	for k := range 16 {
		at := bytes.Index(text, sample[256*k:256*(k+1)])
		require.Greater(t, at, last)
		require.InDelta(t, k*(len(text)-256)/15, at, 300)
		last = at
	}
	for _, size := range []int{len(text), 2 * len(text)} {
		sample, err = input.Sample(bytes.NewReader(text), len(text), size)
		require.NoError(t, err)
		require.Equal(t, text, sample)
	}
	sample, err = input.Sample(bytes.NewReader(text), len(text), 3)
	require.NoError(t, err)
	require.Len(t, sample, 3)
	_, err = input.Sample(bytes.NewReader(text), 2*len(text), 1<<12)
	require.Error(t, err, "a file that ends early")
}
